"""A booking chosen from a list that the chat asked about, over HTTP: the original request is kept. Guarantees:

- Number, label, name, place in the list and a tap each choose; none of their figures becomes a count, a day or a time.
- The operator may give the value before the choice or after it.
- The chat remembers the choice through a further question, whose answer picks no other booking of the list.
- Whatever the model, it sees a choice as the booking's number.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey

pytestmark = pytest.mark.asyncio

Turn = dict[str, Any]
_PLACES = ("first", "second")


def _place(turn: Turn, row: dict[str, Any]) -> str:
    return _PLACES[turn["candidates"].index(row)]


WAYS: dict[str, Callable[[Turn, dict[str, Any]], str]] = {
    "number": lambda turn, row: f"booking {row['reference']}",
    "label": lambda turn, row: row["label"],
    "name": lambda turn, row: row["guest_name"].split()[0],
    "place": lambda turn, row: f"the {_place(turn, row)} one",
    "bare place": lambda turn, row: f"the {_place(turn, row)}",
    "tap": lambda turn, row: next(q["say"] for q in turn["quick_actions"] if q["label"] == row["label"]),
}
VALUES = {
    "make {} 15 guests": ("change_guest_count", {"guest_count": 15}),
    "move {} to 4pm": ("reschedule_booking", {"new_start_time": "16:00"}),
}


def ways_with(*quick: str) -> list[Any]:
    """Return all ways; those that are not `quick` are for `make test-all`."""
    return [*quick, *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS if way not in quick)]


async def _listed(operator: Operator, roller: Roller, words: str) -> tuple[Turn, dict[str, Any]]:
    """Send `words`; return the question that follows and the candidate that is meant, the later of two."""
    family = a_name().split()[1]
    await roller.book(f"{a_name().split()[0]} {family}", guests=8, time="10:00")
    meant = await roller.book(f"{a_name().split()[0]} {family}", guests=11, time="13:00")
    turn = await operator.say(words.format(family))
    assert turn["type"] == "clarification", turn
    return turn, next(c for c in turn["candidates"] if c["booking_id"] == meant["uniqueId"])


def _only(plan: dict[str, Any]) -> tuple[str, dict[str, Any], str]:
    [action] = plan["actions"]
    given = dict(action["parameters"])
    booking = given.pop("booking_id")
    return action["action_id"], {k: v for k, v in given.items() if v is not None}, booking


@pytest.mark.parametrize("words", VALUES)
@pytest.mark.parametrize("way", ways_with("number", "tap"))
async def test_a_choice_keeps_the_value_that_was_given_before(
    operator: Operator, roller: Roller, words: str, way: str
) -> None:
    turn, row = await _listed(operator, roller, words)
    plan = await operator.plan_for(WAYS[way](turn, row))
    assert _only(plan) == (*VALUES[words], row["booking_id"])


@pytest.mark.parametrize("way", ways_with("label"))
async def test_the_value_may_come_after_the_choice(operator: Operator, roller: Roller, way: str) -> None:
    turn, row = await _listed(operator, roller, "change the number of guests for {}")
    asked = await operator.say(WAYS[way](turn, row))
    assert asked["type"] == "clarification", asked
    assert not asked.get("candidates"), "the booking is not asked for again"
    plan = await operator.plan_for("15")
    assert _only(plan) == ("change_guest_count", {"guest_count": 15}, row["booking_id"])


async def test_a_value_that_comes_after_the_choice_picks_no_other_booking(operator: Operator, roller: Roller) -> None:
    turn, row = await _listed(operator, roller, "change the time of {}'s booking")
    await operator.say(row["reference"])
    other = next(c for c in turn["candidates"] if c["start_time"] != row["start_time"])
    plan = await operator.plan_for(other["start_time"])
    assert _only(plan) == ("reschedule_booking", {"new_start_time": other["start_time"]}, row["booking_id"])


async def test_a_model_reads_a_choice_as_the_booking_s_number(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    family = a_name().split()[1]
    await roller.book(f"{a_name().split()[0]} {family}")
    await roller.book(f"{a_name().split()[0]} {family}")
    scripted.script(family, look_up(family), {"ask_operator": {"question": "Which of them?"}})
    turn = await operator.say(f"make {family} 15 guests")
    row = turn["candidates"][1]
    change = {"change_guest_count": {"booking_id": row["booking_id"], "guest_count": 15}}
    scripted.script(family, change, obey)
    plan = await operator.plan_for("the second")
    assert _only(plan) == ("change_guest_count", {"guest_count": 15}, row["booking_id"])
    text = [m["content"] for m in scripted.seen[family][0]["messages"] if m["role"] == "user"]
    assert text[-1] == row["reference"]
