"""Which of the listed bookings a message picks, by code alone, in English and Italian. Guarantees:

- A number, an id, a label, a name, a place in the list or a comparison picks one, with courtesies around it.
- A message with more than the choice, one that fits several bookings, or one that names none of them picks nothing.
- A number of a listed booking is never read as a count, a day or a time.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from contracts.booking import BookingSummary
from contracts.venue import VenueProfile
from language.extraction import MentionKind, extract
from language.requests.booking_names import chosen
from tests.support.shipped import shipped
from tests.support.tables import table

PACK = shipped("roller")


def _row(number: str, guest: str, title: str, date: str, time: str, guests: int) -> BookingSummary:
    return BookingSummary(
        booking_id=f"id-{number}", reference=number, guest_name=guest, date=date, start_time=time, guest_count=guests,
        label=f"{title} ({guest}), {date} {time}, {guests} guests",
    )  # fmt: skip


HARTLEY = _row("1630", "Emma Hartley", "Hartley birthday", "2026-11-27", "15:00", 9)
DUNNE = _row("2026", "Emma Dunne", "Dunne family", "2026-12-02", "11:00", 5)
LISTED = (HARTLEY, DUNNE)
NOW = datetime(2026, 11, 21, 10, tzinfo=ZoneInfo("Australia/Melbourne"))
TWINS = (
    _row("4001", "Nadia Volkov", "Volkov party", "2026-11-30", "14:00", 7),
    _row("4002", "Nadia Volkov", "Volkov party", "2026-12-14", "14:00", 7),
)


@table(
    "text, which",
    [
        ("1630", HARTLEY), ("2026", DUNNE), ("booking 2026 please", DUNNE), ("number 1630", HARTLEY),
        ("la 1630 grazie", HARTLEY), ("id-2026", DUNNE), (DUNNE.label, DUNNE), (f"{HARTLEY.label}, thanks", HARTLEY),
        ("hartley", HARTLEY), ("Emma Dunne's", DUNNE), ("the dunne one", DUNNE), ("quella di hartley", HARTLEY),
        ("the first one", HARTLEY), ("the second", DUNNE), ("la prima", HARTLEY), ("la seconda, per favore", DUNNE),
        ("the last one", DUNNE), ("l'ultima", DUNNE), ("the earlier one", HARTLEY), ("the morning one", DUNNE),
        ("la più grande", HARTLEY),
    ],
)  # fmt: skip
def test_a_message_picks_one(text: str, which: BookingSummary) -> None:
    assert chosen(text, LISTED, NOW) == which


@table(
    "text",
    [
        "", "emma", "the other one", "both", "8326", "1630 and make it 12", "make it 2026", "the second one at 4pm",
        "move dunne to 4pm", "16", "not the first one", "tomlinson", "dunne, 12 guests", "yes", "3pm",
        "1630 or 2026", "la prima alle 16", "entrambe",
    ],
)  # fmt: skip
def test_what_says_more_or_picks_none_is_no_choice(text: str) -> None:
    assert chosen(text, LISTED, NOW) is None


def test_a_label_tells_two_bookings_of_one_guest_apart() -> None:
    assert [chosen(row.label, TWINS, NOW) for row in TWINS] == list(TWINS)
    assert chosen("volkov", TWINS, NOW) is None


def test_a_label_that_two_bookings_share_picks_none() -> None:
    same = TWINS[0].model_copy(update={"booking_id": "x", "reference": "4003"})
    assert chosen(TWINS[0].label, (TWINS[0], same), NOW) is None


def test_the_last_one_is_none_that_is_over() -> None:
    over = HARTLEY.model_copy(update={"booking_id": "x", "reference": "4004", "date": "2026-11-12"})
    assert chosen("the last one", (*LISTED, over), NOW) == DUNNE
    today = over.model_copy(update={"date": "2026-11-21"})
    assert chosen("the last one", (*LISTED, today), NOW) is None, "the venue's clock tells, and is not known here"


def test_the_venue_s_own_word_for_a_booking_says_nothing_more() -> None:
    assert chosen("the hartley table", LISTED, NOW) is None
    assert chosen("the hartley table", LISTED, NOW, ("table",)) == HARTLEY


def _kinds(text: str, profile: VenueProfile, bookings: tuple[BookingSummary, ...]) -> set[MentionKind]:
    return {c.kind for c in extract([text], NOW, profile, bookings).mentions} - {MentionKind.OTHER}


@pytest.mark.parametrize("text", ["1630", "make it 1630", "the 2026 one", DUNNE.label, "sposta la 1630"])
def test_a_listed_number_is_no_value(text: str) -> None:
    assert not _kinds(text, PACK.profile, LISTED)
    assert _kinds(text, PACK.profile, ()), "the same figures are one where no booking has them"


def test_a_short_number_names_a_booking_where_it_is_all_that_is_stated() -> None:
    listed = (HARTLEY.model_copy(update={"reference": "120"}),)
    assert chosen("120", listed, NOW) == listed[0]
    assert not _kinds("120", PACK.profile, listed)
    assert MentionKind.COUNT in _kinds("make it 120 guests", PACK.profile, listed)


def test_values_beside_a_listed_number_are_read() -> None:
    assert _kinds("1630 to 10 guests at 4pm", PACK.profile, LISTED) == {MentionKind.COUNT, MentionKind.TIME}
