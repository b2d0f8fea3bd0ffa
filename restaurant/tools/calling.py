"""The one way to call a tool: read what is asked, let it answer in time, count how it ended. It never raises.

What no tool has foreseen is answered with the contract's catch-all code of that tool. The log is told the place and
the kind of the failure, not its text, which may quote a guest.
"""

import logging
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from restaurant import answers, requests, wording
from restaurant.answers import Answer, ErrorAnswer, of_refusal
from restaurant.codes import Code, RefusalError
from restaurant.providers.patience import in_time
from restaurant.requests import ToolRequest
from restaurant.tools import information
from restaurant.tools.check import check_openings
from restaurant.tools.create import create_booking
from restaurant.tools.desk import Caller, Desk
from restaurant.tools.modify import modify_booking
from restaurant.tools.own import cancel_booking, list_bookings

log = logging.getLogger("restaurant")


@dataclass(frozen=True)
class Tool:
    """One tool: its models, what answers it, and the code for what nobody foresaw."""

    name: str
    request: type[ToolRequest]
    answer: tuple[type[Answer], ...]
    errors: tuple[type[ErrorAnswer], ...]
    handler: Callable[[Desk, Any, Caller], Awaitable[Answer]]
    otherwise: Code
    late: tuple[Code, str] | None = None
    """What is told where its provider takes too long; None for a tool that asks none."""
    by_voice: bool = True
    """Whether a voice assistant is offered it."""


_PLAIN = (ErrorAnswer,)
_WITH_NEAREST = (answers.NearestAnswer, ErrorAnswer)

_ALL = (
    Tool(
        "check_openings",
        requests.CheckOpenings,
        (answers.ClosedAnswer, answers.CheckOpeningsAnswer),
        (answers.MismatchAnswer, ErrorAnswer),
        check_openings,
        Code.CHECK_OPENINGS_ERROR,
        (Code.CAPACITY_READ_ERROR, wording.TECHNICAL),
    ),
    Tool(
        "create_booking",
        requests.CreateBooking,
        (answers.BookingAnswer,),
        _WITH_NEAREST,
        create_booking,
        Code.CREATE_BOOKING_ERROR,
        (Code.PROVIDER_UNAVAILABLE, wording.UNAVAILABLE),
    ),
    Tool(
        "list_bookings",
        requests.ListBookings,
        (answers.ListAnswer,),
        _PLAIN,
        list_bookings,
        Code.LIST_BOOKINGS_ERROR,
        (Code.LIST_ERROR, wording.TECHNICAL),
    ),
    Tool(
        "modify_booking",
        requests.ModifyBooking,
        (answers.BookingAnswer,),
        _WITH_NEAREST,
        modify_booking,
        Code.MODIFY_BOOKING_ERROR,
        (Code.UPDATE_ERROR, wording.UPDATE_ERROR),
    ),
    Tool(
        "cancel_booking",
        requests.CancelBooking,
        (answers.CancelAnswer,),
        _PLAIN,
        cancel_booking,
        Code.CANCEL_BOOKING_ERROR,
        (Code.DELETE_ERROR, wording.DELETE_ERROR),
    ),
    Tool("faq", requests.Faq, (answers.FaqAnswer,), _PLAIN, information.faq, Code.FAQ_ERROR, by_voice=False),
    Tool(
        "is_open_now",
        requests.IsOpenNow,
        (answers.OpenNowAnswer,),
        _PLAIN,
        information.is_open_now,
        Code.INTERNAL_ERROR,
    ),
    # The contract gives the two readers no catch-all: what nobody foresaw is something they do not understand.
    Tool(
        "resolve_relative_day",
        requests.ResolveRelativeDay,
        (answers.DayAnswer,),
        _PLAIN,
        information.resolve_relative_day,
        Code.UNSUPPORTED_RELATIVE_DAY,
    ),
    Tool(
        "resolve_relative_time",
        requests.ResolveRelativeTime,
        (answers.TimeAnswer,),
        _PLAIN,
        information.resolve_relative_time,
        Code.UNSUPPORTED_RELATIVE_TIME,
    ),
)

TOOLS = {tool.name: tool for tool in _ALL}
"""The nine, by name."""

_SAID = {
    Code.UNSUPPORTED_RELATIVE_DAY: wording.NO_DAY,
    Code.UNSUPPORTED_RELATIVE_TIME: wording.NO_TIME,
}


async def call(desk: Desk, tool: Tool, body: object, caller: Caller) -> Answer | ErrorAnswer:
    """Ask a tool. `body`: JSON as it came."""
    try:
        async with in_time(desk.call_within):
            answer = await tool.handler(desk, requests.read(tool.request, body), caller)
    except RefusalError as error:
        desk.counts.refused(tool.name, _known(desk, body), error)
        return of_refusal(error)
    except Exception as error:
        where = " < ".join(f"{one.name}:{one.lineno}" for one in reversed(traceback.extract_tb(error.__traceback__)))
        code, said = tool.otherwise, _SAID.get(tool.otherwise, wording.TECHNICAL)
        if isinstance(error, TimeoutError) and tool.late is not None:
            code, said = tool.late
        unforeseen = RefusalError(code, said, why=f"{type(error).__name__} in {where}")
        desk.counts.refused(tool.name, _known(desk, body), unforeseen)
        return of_refusal(unforeseen)
    desk.counts.answered(tool.name)
    return answer


def _known(desk: Desk, body: object) -> str:
    """The restaurant's id where there is such a restaurant: anything else that stands there is not for the log."""
    asked = body.get("restaurant_id") if isinstance(body, dict) else None
    return asked if isinstance(asked, str) and asked in desk.restaurants else ""
