"""`faq`, `is_open_now` and the two that read spoken days and times: nothing of theirs is about a booking."""

from restaurant import wording
from restaurant.answers import DayAnswer, FaqAnswer, OpenNowAnswer, TimeAnswer
from restaurant.codes import Code
from restaurant.faq import best_entry
from restaurant.hours import open_now
from restaurant.requests import Faq, IsOpenNow, ResolveRelativeDay, ResolveRelativeTime
from restaurant.spoken import spoken_day, spoken_time
from restaurant.tools.desk import Caller, Desk


async def faq(desk: Desk, asked: Faq, _: Caller) -> FaqAnswer:
    """The nearest entry's answer, or null below the threshold."""
    found = best_entry(desk.restaurant(asked.restaurant_id).kb, asked.question)
    return FaqAnswer(answer=found.answer if found else None, source="kb" if found else None)


async def is_open_now(desk: Desk, asked: IsOpenNow, _: Caller) -> OpenNowAnswer:
    """By the restaurant's clock. Raises `RefusalError`: RESTAURANT_NOT_FOUND."""
    place = desk.restaurant(asked.restaurant_id, Code.RESTAURANT_NOT_FOUND)
    found = open_now(place.kb, place.now())
    following = None if found.next_opening is None else wording.written(found.next_opening)
    return OpenNowAnswer(open_now=found.open, next_opening_time=following)


async def resolve_relative_day(desk: Desk, asked: ResolveRelativeDay, _: Caller) -> DayAnswer:
    """Raises `RefusalError`: UNSUPPORTED_RELATIVE_DAY."""
    place = desk.restaurant(asked.restaurant_id)
    found = spoken_day(asked.text, place.now())
    return DayAnswer(date=found.day.isoformat(), day_label=wording.label(found.day), ambiguous=found.ambiguous)


async def resolve_relative_time(desk: Desk, asked: ResolveRelativeTime, _: Caller) -> TimeAnswer:
    """Raises `RefusalError`: VAGUE_TIME, UNSUPPORTED_RELATIVE_TIME."""
    place = desk.restaurant(asked.restaurant_id)
    found = spoken_time(asked.text, place.kb, place.now())
    return TimeAnswer(time=f"{found.time:%H:%M}", day_offset=found.day_offset, ambiguous=found.ambiguous)
