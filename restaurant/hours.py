"""When a restaurant is open, by its knowledge base: a day's slots, the cut-off, the next open day, open now.

Times are minutes after the day's midnight by the restaurant's clock; a closing may lie beyond 24:00.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from restaurant.knowledge import WEEKDAYS, KnowledgeBase, Openings, SpecialDay, minutes

_AHEAD = 400
"""Days looked at for the next open one: more than a year, so that only what never opens again has none."""


@dataclass(frozen=True)
class DayHours:
    """One day of one restaurant."""

    kb: KnowledgeBase
    day: date
    openings: Openings
    by_weekday: bool
    """Whether it is as every such weekday; else a holiday, a closure or special hours have a say."""

    @cached_property
    def slots(self) -> list[int]:
        """Every slot, cut off or not, in order."""
        step = self.kb.slot_step_minutes
        return [slot for service in self.openings.services() for slot in service.slots(step)]

    @property
    def closed(self) -> bool:
        """Whether nothing is served all day."""
        return not self.slots

    def is_slot(self, at: int) -> bool:
        """Whether it is one of the day's slots. A time between two of them is none."""
        return at in self.slots

    def cut_off(self, at: int) -> bool:
        """Whether a slot is so near to its service's closing that no table is given. At the cut-off itself one is."""
        step = self.kb.slot_step_minutes
        return any(
            at in service.slots(step) and at > service.closing(step) - self.kb.cutoff_minutes
            for service in self.openings.services()
        )

    def bookable(self) -> list[int]:
        """Slots that are not cut off."""
        return [slot for slot in self.slots if not self.cut_off(slot)]

    def spells(self) -> list[tuple[int, int]]:
        """From the first slot of a service until it closes, one step after its last slot."""
        step = self.kb.slot_step_minutes
        return [(minutes(service.first), service.closing(step)) for service in self.openings.services()]


def hours_of(kb: KnowledgeBase, day: date) -> DayHours:
    """The hours of a day: special hours win over closures and holidays, those over the weekday's."""
    special = _special(kb, day)
    if special is not None:
        return DayHours(kb, day, Openings(lunch=special.lunch, dinner=special.dinner), False)
    if f"{day:%m-%d}" in kb.holidays or any(one.first <= day <= one.last for one in kb.closures):
        return DayHours(kb, day, Openings(), False)
    return DayHours(kb, day, getattr(kb.openings, WEEKDAYS[day.weekday()]), True)


def _special(kb: KnowledgeBase, day: date) -> SpecialDay | None:
    # One date says more than a day of every year.
    for one in kb.special_days:
        if one.day == day:
            return one
    return next((one for one in kb.special_days if one.every_year == f"{day:%m-%d}"), None)


def next_open(kb: KnowledgeBase, after: date) -> DayHours | None:
    """The first open day after a day; None where there is none within thirteen months."""
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
    """Whether it is open at a moment; `next_opening`, in minutes, is the next one of the same day."""

    open: bool
    next_opening: int | None


def open_now(kb: KnowledgeBase, now: datetime) -> OpenNow:
    """`now` is the restaurant's local time. An evening that lasts beyond midnight counts."""
    at, today = minutes(now.time()), hours_of(kb, now.date())
    spells = today.spells()
    if now.date() > date.min:
        yesterday = hours_of(kb, now.date() - timedelta(days=1))
        spells = spells + [(opens - 1440, closes - 1440) for opens, closes in yesterday.spells()]
    if any(opens <= at < closes for opens, closes in spells):
        return OpenNow(True, None)
    return OpenNow(False, min((opens for opens, _ in spells if opens > at), default=None))
