"""Opening hours by the knowledge base: a day's slots, the cut-off, the next open day, open now.

Times are minutes after the day's midnight by the restaurant's clock; a closing time may be after 24:00.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from restaurant.knowledge import WEEKDAYS, KnowledgeBase, Openings, SpecialDay, minutes

_AHEAD = 400
"""Days searched for the next open one: more than a year, so that only a restaurant that never opens again has none."""


@dataclass(frozen=True)
class DayHours:
    """The hours of one day of one restaurant."""

    kb: KnowledgeBase
    day: date
    openings: Openings
    by_weekday: bool
    """Whether the weekday's hours apply; otherwise a holiday, a closure or special hours do."""

    @cached_property
    def slots(self) -> list[int]:
        """Return every slot, cut off or not, in order."""
        step = self.kb.slot_step_minutes
        return [slot for service in self.openings.services() for slot in service.slots(step)]

    @property
    def closed(self) -> bool:
        """Return whether nothing is served all day."""
        return not self.slots

    def is_slot(self, at: int) -> bool:
        """Return whether a time is one of the day's slots. A time between two slots is not."""
        return at in self.slots

    def cut_off(self, at: int) -> bool:
        """Return whether a slot is too near to its service's closing to be booked. A slot exactly at the cut-off is
        bookable."""
        step = self.kb.slot_step_minutes
        return any(
            at in service.slots(step) and at > service.closing(step) - self.kb.cutoff_minutes
            for service in self.openings.services()
        )

    def bookable(self) -> list[int]:
        """Return the slots that are not cut off."""
        return [slot for slot in self.slots if not self.cut_off(slot)]

    def spells(self) -> list[tuple[int, int]]:
        """Return the span of each service: from its first slot until it closes, one step after its last slot."""
        step = self.kb.slot_step_minutes
        return [(minutes(service.first), service.closing(step)) for service in self.openings.services()]


def hours_of(kb: KnowledgeBase, day: date) -> DayHours:
    """Return the hours of a day. Special hours override closures and holidays, and those override the weekday's."""
    special = _special(kb, day)
    if special is not None:
        return DayHours(kb, day, Openings(lunch=special.lunch, dinner=special.dinner), False)
    if f"{day:%m-%d}" in kb.holidays or any(one.first <= day <= one.last for one in kb.closures):
        return DayHours(kb, day, Openings(), False)
    return DayHours(kb, day, getattr(kb.openings, WEEKDAYS[day.weekday()]), True)


def _special(kb: KnowledgeBase, day: date) -> SpecialDay | None:
    # A single date overrides a day of every year.
    for one in kb.special_days:
        if one.day == day:
            return one
    return next((one for one in kb.special_days if one.every_year == f"{day:%m-%d}"), None)


def next_open(kb: KnowledgeBase, after: date) -> DayHours | None:
    """Return the first open day after a day; None if there is none within thirteen months."""
    for ahead in range(1, _AHEAD):
        try:
            found = hours_of(kb, after + timedelta(days=ahead))
        except OverflowError:
            return None
        if not found.closed:
            return found
    return None


@dataclass(frozen=True)
class OpenNow:
    """Whether the restaurant is open at a moment; `next_opening`, in minutes, is the next one of the same day."""

    open: bool
    next_opening: int | None


def open_now(kb: KnowledgeBase, now: datetime) -> OpenNow:
    """Return whether the restaurant is open. `now` is its local time. An evening that lasts past midnight counts."""
    at, today = minutes(now.time()), hours_of(kb, now.date())
    spells = today.spells()
    if now.date() > date.min:
        yesterday = hours_of(kb, now.date() - timedelta(days=1))
        spells = spells + [(opens - 1440, closes - 1440) for opens, closes in yesterday.spells()]
    if any(opens <= at < closes for opens, closes in spells):
        return OpenNow(True, None)
    return OpenNow(False, min((opens for opens, _ in spells if opens > at), default=None))
