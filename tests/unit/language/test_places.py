"""Which of several shown bookings an answer picks by comparing them.

Guarantees: by day and hour, by size, by part of the day, in either language; nothing where the answer does more than
pick, where two fit, or where the compared value is unknown for some.
"""

import pytest

from language.numbers.numbers import place_in, select_by_comparison
from language.text.normalize import normalize_text, tokenize
from tests.support.tables import table

ROWS = [("2026-12-09", "14:00", 12), ("2026-12-16", "10:00", 9)]


@table(
    "text, picked",
    [
        ("The earlier of the two, if you please.", 0), ("the later one", 1), ("the bigger one", 0),
        ("the smaller", 1), ("the pm one", 0), ("it's the morning one", 1), ("quella del pomeriggio", 0),
        ("la pi\u00f9 grande", 0), ("quella pi\u00f9 tardi", 1), ("la pi\u00f9 piccola, grazie", 1),
        ("an hour later", None), ("make it earlier", None), ("later", None), ("the evening one", None),
        ("the bigger earlier one", None), ("not the later one", None), ("yes", None), ("", None),
        ("move it to the afternoon", None), ("in the afternoon instead", None), ("the 16th one", 1),
        ("the 9th one please", 0), ("the december one", None), ("the 2nd one", None), ("move it to the 16th", None),
    ],
)  # fmt: skip
def test_an_answer_that_compares(text: str, picked: int | None) -> None:
    assert select_by_comparison([w.text for w in tokenize(normalize_text(text))], ROWS) == picked


def test_what_two_are_or_is_not_known_picks_nothing() -> None:
    assert select_by_comparison(["the", "bigger"], [("2026-12-09", "14:00", 9), ("2026-12-16", "10:00", 9)]) is None
    assert select_by_comparison(["the", "bigger"], [("2026-12-09", "14:00", None), ("2026-12-16", "10:00", 9)]) is None
    assert select_by_comparison(["the", "pm", "one"], [("2026-12-09", "14:00", 1), ("2026-12-16", "15:00", 9)]) is None
    assert select_by_comparison(["the", "later"], [("", "", 9), ("2026-12-16", "10:00", 9)]) is None
    assert select_by_comparison(["the", "later"], ROWS[:1]) is None


def test_the_only_one_in_a_month_and_the_one_in_the_middle() -> None:
    rows = [("2026-11-28", "14:00", 12), ("2026-12-03", "10:00", 9), ("2027-01-03", "10:00", 9)]
    assert select_by_comparison(["the", "december", "one"], rows) == 1
    assert select_by_comparison(["quella", "di", "gennaio"], rows) == 2
    assert select_by_comparison(["the", "middle", "one"], rows) == 1
    assert select_by_comparison(["the", "middle", "one"], rows[:2]) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [("the last one", -1), ("l'ultima", -1), ("la seconda", 1), ("second thoughts no", 1), ("ok", None)],
)
def test_a_place_in_a_list(text: str, place: int | None) -> None:
    assert place_in([w.text for w in tokenize(normalize_text(text))]) == place
