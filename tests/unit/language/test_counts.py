"""Head counts. Guarantees:

- absolute and relative counts are distinguished and apply to the booking's current number
- times, references and other numbers are not counts
- vague numbers are marked, never applied
"""

from __future__ import annotations

import pytest

from language import CountError, find_counts, parse_count
from tests.support.tables import table


@table(
    "text, locale, after",
    [
        ("14 kids", "en", 14),
        ("a dozen", "en", 12),
        ("fourteen guests", "en", 14),
        ("make it 14", "en", 14),
        ("2 more kids", "en", 12),
        ("double it", "en", 20),
        ("plus two adults", "en", 12),
        ("3 fewer guests", "en", 7),
        ("add another kid", "en", 11),
        ("two people dropped out", "en", 8),
        ("halve it", "en", 5),
        ("we are 2 adults and 3 kids", "en", 5),
        ("14 kids plus two adults", "en", 16),
        ("14", "en", 14),
        ("Set headcount to 30 on reservation #2217", "en", 30),
        ("8231 14 ppl now", "en", 14),
        ("quattordici", "it", 14),
        ("25 bambini", "it", 25),
        ("una dozzina", "it", 12),
        ("altri 2 bambini", "it", 12),
        ("due in meno", "it", 8),
        ("raddoppia", "it", 20),
        ("Porta gli invitati della festa Conti a 25", "it", 25),
        ("siamo in otto", "it", 8),
        ("metti 20 persone", "it", 20),
        ("due persone in più", "it", 12),
    ],
)
def test_counts_apply(text: str, locale: str, after: int) -> None:
    count = parse_count(text, locale=locale)
    assert count is not None
    assert count.apply(10) == after


def test_a_stated_previous_number_is_kept() -> None:
    count = parse_count("Drop booking 7003 from 20 people to 12", locale="en")
    assert count is not None
    assert (count.apply(None), count.previous) == (12, 20)


@pytest.mark.parametrize(
    "text",
    [
        "make it 4pm",
        "make it 8 tonight",
        "Turn off the lights in room 3",
        "move it to 3pm",
        "Cancel booking 1180 and move booking 1181 to 2pm",
        "Order 20 pizzas",
        "hello",
    ],
)
def test_other_numbers_are_no_counts(text: str) -> None:
    assert all(item.count.kind == "vague" for item in find_counts(text, "en"))


@pytest.mark.parametrize("text", ["about 20 people", "10-12 kids", "a few more kids", "more guests"])
def test_vague_counts_do_not_apply(text: str) -> None:
    count = parse_count(text, locale="en")
    assert count is not None
    assert count.kind == "vague"
    with pytest.raises(CountError):
        count.apply(10)


def test_spans_leave_names_free() -> None:
    text = "Please change the number of kids for the Williams party to 22"
    (item,) = find_counts(text, "en")
    assert (item.text, text[slice(*item.span)]) == ("22", "22")


def test_impossible_changes_are_refused() -> None:
    count = parse_count("halve it", locale="en")
    assert count is not None
    with pytest.raises(CountError, match="7"):
        count.apply(15)


def test_two_parties_are_not_added_up() -> None:
    text = "Make the Lopez party 15 guests and the Kim party 18 guests"
    assert [item.count.amount for item in find_counts(text, "en")] == [15, 18]
    assert parse_count(text, locale="en") is None
