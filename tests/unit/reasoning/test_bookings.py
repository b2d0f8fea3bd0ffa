"""The list of bookings that an operator sees (`reasoning.drafting.booking_list`, `reasoning.drafting.short_replies`).

- Future bookings come first, then cancelled ones, then past ones; the last two are marked, and so is a booking that
  could not be read.
- The list counts those that do not fit; where a look-up may have found more than we take in, the number is "at least".
  An incomplete list is marked as such, also an empty one.
- A button names a booking by its current data, not by a label that may predate a change.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from contracts import limits
from contracts.booking import BookingSummary
from language.messages.catalogue import activate_locale, translate
from reasoning.drafting.booking_list import list_text, may_be_truncated, sort_for_display, unread, with_status
from reasoning.drafting.short_replies import undo_or_cancel
from tests.unit.reasoning.actions import a_booking

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=ZoneInfo("Australia/Melbourne"))


def at(number: int, day: str, *, cancelled: bool = False) -> BookingSummary:
    """Return a booking of that day."""
    return a_booking(f"b-{number}", f"Guest {number}", date=day, start_time="15:00", cancelled=cancelled)


def test_what_is_ahead_comes_first_and_the_rest_says_how_it_stands() -> None:
    later, soon = at(1, "2026-12-05"), at(2, "2026-11-28")
    off, gone, gone_off = (
        at(3, "2026-11-29", cancelled=True),
        at(4, "2026-11-13"),
        at(5, "2026-11-12", cancelled=True),
    )
    found = with_status(sort_for_display([gone_off, later, gone, off, soon], NOW), NOW)
    assert [b.booking_id for b in found] == ["b-2", "b-1", "b-3", "b-4", "b-5"]
    assert [b.label.partition(" (")[2] for b in found] == ["", "", "cancelled)", "past)", "cancelled)"]


@pytest.mark.parametrize(("locale", "exactly", "least"), [
    ("en-AU", "; and 8 more.", "; and at least 38 more."), ("it-IT", "; e altre 8.", "; e almeno altre 38."),
])  # fmt: skip
def test_how_many_more_there_are_is_a_least_number_where_they_were_cut(locale: str, exactly: str, least: str) -> None:
    activate_locale(locale)
    found = [at(n, "2026-11-28") for n in range(limits.CANDIDATES)]
    assert not may_be_truncated(found[:20]) and list_text(found[:20]).endswith(exactly)
    assert may_be_truncated(found) and list_text(found).endswith(least)


@pytest.mark.parametrize("locale", ["en-AU", "it-IT"])
def test_what_was_not_read_to_its_end_is_reported_so(locale: str) -> None:
    activate_locale(locale)
    for found in ([], [at(1, "2026-11-28")], [at(1, "2026-11-28"), at(2, "2026-11-28")]):
        assert list_text(found, more=True) == f"{list_text(found)} {translate('read.not_all')}"


def test_what_was_not_looked_at_is_ahead_and_says_so() -> None:
    activate_locale("it-IT")
    off, *rest = unread([at(1, "2026-11-28", cancelled=True), at(2, "2026-11-28"), at(3, "2026-11-13")])
    assert [b.cancelled for b in (off, *rest)] == [True, None, None]
    found = with_status(sort_for_display([off, *rest], NOW), NOW)
    assert [b.label.partition("15:00")[2] for b in found] == [
        ", forse annullata: non è stato possibile controllare", " (annullata)", " (passata)",
    ]  # fmt: skip


def test_a_button_names_the_booking_as_it_is_now_known() -> None:
    stale = a_booking("b-1", "Emma Brown", reference="8231").model_copy(update={"label": "Emma Brown, Fri 13 Nov 3pm"})
    [undo, cancel] = undo_or_cancel([None, stale])
    assert undo.say == "undo the change"
    assert (cancel.label, cancel.say) == ("Cancel the booking of Emma Brown (8231)", "cancel booking 8231")
    [_, nameless] = undo_or_cancel([BookingSummary(booking_id="b-9")])
    assert nameless.label == "Cancel the booking of b-9"
