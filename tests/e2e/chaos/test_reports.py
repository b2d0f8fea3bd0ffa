"""What counts as a contradiction between an answer to an operator and what happened.

- A command whose last answer was a 503 must not have taken effect; one that was repeated and then accepted may have.
- "Nothing was changed" may come before the first write, if the operator sends another command before that write.
- Reads move forward; a read that was answered later than another one that overtook it contradicts nothing.
- "Put back" is true of a complete rollback only.
"""

from typing import Any

from tests.e2e.chaos.reports import Shown, Telling, contradictions

COMPLETED = {"status": "completed"}
UNDONE = {"status": "rolled_back", "rollback_report": {"outcome": "complete", "trigger": "undo"}}
PARTLY = {"status": "rolled_back", "rollback_report": {"outcome": "partial", "trigger": "failure"}}


def shown(*rows: tuple[float, str, int, str, dict[str, Any]]) -> Shown:
    """Return one answer for each row, a second after its request."""
    found = Shown()
    for sent, word, status, text, plan in rows:
        found.note(Telling(sent, sent + 1, word, "r", status, text, plan))
    return found


def test_a_word_refused_for_good_may_not_take_effect() -> None:
    refused = shown((0, "confirm", 200, "", {}), (9, "undo", 503, "", {}))
    assert contradictions(refused, UNDONE, [])
    assert not contradictions(refused, COMPLETED, [])
    repeated = shown((0, "confirm", 503, "", {}), (9, "confirm", 200, "", {}))
    assert not contradictions(repeated, COMPLETED, [20])
    assert contradictions(repeated, COMPLETED, [5])


def test_nothing_was_changed_is_stated_only_of_nothing() -> None:
    text = "There was no answer in time. Nothing was changed."
    look = shown((0, "confirm", 200, "", {}), (5, "look", 503, text, {}))
    assert contradictions(look, COMPLETED, [3])
    assert contradictions(look, COMPLETED, [30])
    again = shown((0, "confirm", 503, text, {}), (5, "confirm", 200, "", {}))
    assert not contradictions(again, COMPLETED, [7])


def test_looks_move_forward() -> None:
    rows = [(0.0, "look", 200, "", COMPLETED), (5.0, "look", 200, "", {"status": "executing"})]
    assert contradictions(shown(*rows), COMPLETED, [])
    overtaken = [rows[0], (0.5, "look", 200, "", {"status": "executing"})]
    assert not contradictions(shown(*overtaken), COMPLETED, [])
    assert contradictions(shown(rows[0]), {"status": "failed"}, [])
    assert not contradictions(shown(rows[0]), UNDONE, [])


def test_put_back_is_stated_of_a_whole_rollback() -> None:
    message = shown((0, "look", 200, "Everything was put back as it was.", PARTLY))
    assert contradictions(message, PARTLY, [])
