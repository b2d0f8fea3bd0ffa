"""`faq`, `is_open_now` and the two tools that parse spoken days and times. None of them uses bookings."""

from language.venue_facts.matching import best_entry
from restaurant import messages_it
from restaurant.errors import Code
from restaurant.hours import open_now
from restaurant.schemas.requests import Faq, IsOpenNow, ResolveRelativeDay, ResolveRelativeTime
from restaurant.schemas.responses import DayAnswer, FaqAnswer, OpenNowAnswer, TimeAnswer
from restaurant.spoken_dates import spoken_day, spoken_time
from restaurant.tools.context import RestaurantCaller, ToolContext


async def faq(desk: ToolContext, request: Faq, _: RestaurantCaller) -> FaqAnswer:
    """Return the nearest entry's answer, or null below the threshold."""
    found = best_entry(request.question, desk.restaurant(request.restaurant_id).kb.faq)
    return FaqAnswer(answer=found.answer if found else None, source="kb" if found else None)


async def is_open_now(desk: ToolContext, request: IsOpenNow, _: RestaurantCaller) -> OpenNowAnswer:
    """Return whether the restaurant is open, by its clock. Raises `RefusalError`: RESTAURANT_NOT_FOUND."""
    restaurant = desk.restaurant(request.restaurant_id, Code.RESTAURANT_NOT_FOUND)
    found = open_now(restaurant.kb, restaurant.now())
    following = None if found.next_opening is None else messages_it.written(found.next_opening)
    return OpenNowAnswer(open_now=found.open, next_opening_time=following)


async def resolve_relative_day(desk: ToolContext, request: ResolveRelativeDay, _: RestaurantCaller) -> DayAnswer:
    """Return the day of an expression. Raises `RefusalError`: UNSUPPORTED_RELATIVE_DAY."""
    restaurant = desk.restaurant(request.restaurant_id)
    found = spoken_day(request.text, restaurant.now())
    return DayAnswer(date=found.day.isoformat(), day_label=messages_it.label(found.day), ambiguous=found.ambiguous)


async def resolve_relative_time(desk: ToolContext, request: ResolveRelativeTime, _: RestaurantCaller) -> TimeAnswer:
    """Return the time of an expression. Raises `RefusalError`: VAGUE_TIME, UNSUPPORTED_RELATIVE_TIME."""
    restaurant = desk.restaurant(request.restaurant_id)
    found = spoken_time(request.text, restaurant.kb, restaurant.now())
    return TimeAnswer(time=f"{found.time:%H:%M}", day_offset=found.day_offset, ambiguous=found.ambiguous)
