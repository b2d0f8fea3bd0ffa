"""The only way to call a tool: parse the request, let the tool answer in time, count the outcome. It never raises.

An unexpected error is answered with the contract's catch-all code of that tool. The log gets the place and the kind of
the failure, not its text, which may quote a guest.
"""

import logging
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from restaurant import messages_it
from restaurant.errors import Code, RefusalError
from restaurant.providers.timeouts import in_time
from restaurant.schemas import requests, responses
from restaurant.schemas.requests import ToolRequest
from restaurant.schemas.responses import ErrorAnswer, ToolAnswer, of_refusal
from restaurant.tools import information
from restaurant.tools.caller_bookings import cancel_booking, list_bookings
from restaurant.tools.check_openings import check_openings
from restaurant.tools.context import RestaurantCaller, ToolContext
from restaurant.tools.create_booking import create_booking
from restaurant.tools.modify_booking import modify_booking

log = logging.getLogger("restaurant")


@dataclass(frozen=True)
class Tool:
    """One tool: its models, its function, and the code for unexpected errors."""

    name: str
    request: type[ToolRequest]
    answer: tuple[type[ToolAnswer], ...]
    errors: tuple[type[ErrorAnswer], ...]
    handler: Callable[[ToolContext, Any, RestaurantCaller], Awaitable[ToolAnswer]]
    otherwise: Code
    late: tuple[Code, str] | None = None
    """The answer if its provider takes too long; None for a tool that uses no provider."""
    by_voice: bool = True
    """Whether a voice assistant is offered it."""


_PLAIN = (ErrorAnswer,)
_WITH_NEAREST = (responses.NearestAnswer, ErrorAnswer)

_ALL = (
    Tool(
        "check_openings",
        requests.CheckOpenings,
        (responses.ClosedAnswer, responses.CheckOpeningsAnswer),
        (responses.MismatchAnswer, ErrorAnswer),
        check_openings,
        Code.CHECK_OPENINGS_ERROR,
        (Code.CAPACITY_READ_ERROR, messages_it.TECHNICAL),
    ),
    Tool(
        "create_booking",
        requests.CreateBooking,
        (responses.BookingAnswer,),
        _WITH_NEAREST,
        create_booking,
        Code.CREATE_BOOKING_ERROR,
        (Code.PROVIDER_UNAVAILABLE, messages_it.UNAVAILABLE),
    ),
    Tool(
        "list_bookings",
        requests.ListBookings,
        (responses.ListAnswer,),
        _PLAIN,
        list_bookings,
        Code.LIST_BOOKINGS_ERROR,
        (Code.LIST_ERROR, messages_it.TECHNICAL),
    ),
    Tool(
        "modify_booking",
        requests.ModifyBooking,
        (responses.BookingAnswer,),
        _WITH_NEAREST,
        modify_booking,
        Code.MODIFY_BOOKING_ERROR,
        (Code.UPDATE_ERROR, messages_it.UPDATE_ERROR),
    ),
    Tool(
        "cancel_booking",
        requests.CancelBooking,
        (responses.CancelAnswer,),
        _PLAIN,
        cancel_booking,
        Code.CANCEL_BOOKING_ERROR,
        (Code.DELETE_ERROR, messages_it.DELETE_ERROR),
    ),
    Tool("faq", requests.Faq, (responses.FaqAnswer,), _PLAIN, information.faq, Code.FAQ_ERROR, by_voice=False),
    Tool(
        "is_open_now",
        requests.IsOpenNow,
        (responses.OpenNowAnswer,),
        _PLAIN,
        information.is_open_now,
        Code.INTERNAL_ERROR,
    ),
    # The contract gives these two tools no catch-all, so an unexpected error is answered as not understood.
    Tool(
        "resolve_relative_day",
        requests.ResolveRelativeDay,
        (responses.DayAnswer,),
        _PLAIN,
        information.resolve_relative_day,
        Code.UNSUPPORTED_RELATIVE_DAY,
    ),
    Tool(
        "resolve_relative_time",
        requests.ResolveRelativeTime,
        (responses.TimeAnswer,),
        _PLAIN,
        information.resolve_relative_time,
        Code.UNSUPPORTED_RELATIVE_TIME,
    ),
)

TOOLS = {tool.name: tool for tool in _ALL}
"""The nine, by name."""

_TEXTS = {
    Code.UNSUPPORTED_RELATIVE_DAY: messages_it.NO_DAY,
    Code.UNSUPPORTED_RELATIVE_TIME: messages_it.NO_TIME,
}


async def call(desk: ToolContext, tool: Tool, body: object, caller: RestaurantCaller) -> ToolAnswer | ErrorAnswer:
    """Call a tool. `body`: the request's JSON."""
    try:
        async with in_time(desk.call_within):
            answer = await tool.handler(desk, requests.read(tool.request, body), caller)
    except RefusalError as error:
        desk.counts.refused(tool.name, _known(desk, body), error)
        return of_refusal(error)
    except Exception as error:
        where = " < ".join(f"{one.name}:{one.lineno}" for one in reversed(traceback.extract_tb(error.__traceback__)))
        code, text = tool.otherwise, _TEXTS.get(tool.otherwise, messages_it.TECHNICAL)
        if isinstance(error, TimeoutError) and tool.late is not None:
            code, text = tool.late
        unforeseen = RefusalError(code, text, why=f"{type(error).__name__} in {where}")
        desk.counts.refused(tool.name, _known(desk, body), unforeseen)
        return of_refusal(unforeseen)
    desk.counts.answered(tool.name)
    return answer


def _known(desk: ToolContext, body: object) -> str:
    """Return the restaurant's id if the restaurant exists. Any other value must not reach the log."""
    asked = body.get("restaurant_id") if isinstance(body, dict) else None
    return asked if isinstance(asked, str) and asked in desk.restaurants else ""
