"""The contract's error codes, and the one exception that carries one to the caller.

Both kinds of codes, those for guests and those only for the log, are answered with HTTP 200 and a sentence that can be
spoken. The latter are logged and counted (`restaurant/tools/context.py`).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any


class Code(StrEnum):
    """Every `error_code`."""

    VALIDATION_ERROR = "VALIDATION_ERROR"
    MAX_PEOPLE_EXCEEDED = "MAX_PEOPLE_EXCEEDED"
    NO_TABLE_AVAILABLE = "NO_TABLE_AVAILABLE"
    SLOT_FULL = "SLOT_FULL"
    OUTSIDE_HOURS = "OUTSIDE_HOURS"
    DUPLICATE_BOOKING = "DUPLICATE_BOOKING"
    CREATE_ERROR = "CREATE_ERROR"
    PROVIDER_ERROR = "PROVIDER_ERROR"
    PROVIDER_UNAVAILABLE = "PROVIDER_UNAVAILABLE"
    BOOKING_NOT_FOUND = "BOOKING_NOT_FOUND"
    UPDATE_ERROR = "UPDATE_ERROR"
    DELETE_ERROR = "DELETE_ERROR"
    PAST_TIME = "PAST_TIME"
    PAST_DATE = "PAST_DATE"
    WEEKDAY_MISMATCH = "WEEKDAY_MISMATCH"
    UNSUPPORTED_RELATIVE_DAY = "UNSUPPORTED_RELATIVE_DAY"
    UNSUPPORTED_RELATIVE_TIME = "UNSUPPORTED_RELATIVE_TIME"
    VAGUE_TIME = "VAGUE_TIME"
    CONFIG_ERROR = "CONFIG_ERROR"
    CAPACITY_READ_ERROR = "CAPACITY_READ_ERROR"
    RESOS_NOT_CONFIGURED = "RESOS_NOT_CONFIGURED"
    SHEET_NOT_FOUND = "SHEET_NOT_FOUND"
    RESTAURANT_NOT_FOUND = "RESTAURANT_NOT_FOUND"
    LIST_ERROR = "LIST_ERROR"
    LIST_BY_DAY_ERROR = "LIST_BY_DAY_ERROR"
    CHECK_OPENINGS_ERROR = "CHECK_OPENINGS_ERROR"
    CREATE_BOOKING_ERROR = "CREATE_BOOKING_ERROR"
    LIST_BOOKINGS_ERROR = "LIST_BOOKINGS_ERROR"
    MODIFY_BOOKING_ERROR = "MODIFY_BOOKING_ERROR"
    CANCEL_BOOKING_ERROR = "CANCEL_BOOKING_ERROR"
    FAQ_ERROR = "FAQ_ERROR"
    INTERNAL_ERROR = "INTERNAL_ERROR"


TECHNICAL = frozenset(
    {
        Code.CONFIG_ERROR,
        Code.CAPACITY_READ_ERROR,
        Code.RESOS_NOT_CONFIGURED,
        Code.SHEET_NOT_FOUND,
        Code.RESTAURANT_NOT_FOUND,
        Code.LIST_ERROR,
        Code.LIST_BY_DAY_ERROR,
        Code.CHECK_OPENINGS_ERROR,
        Code.CREATE_BOOKING_ERROR,
        Code.LIST_BOOKINGS_ERROR,
        Code.MODIFY_BOOKING_ERROR,
        Code.CANCEL_BOOKING_ERROR,
        Code.FAQ_ERROR,
        Code.INTERNAL_ERROR,
    }
)
"""Codes that the contract hides from guests."""


class RefusalError(Exception):
    """A tool's answer that is an error. `message` is spoken; `why` is for the log and holds no guest data."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        nearest: Sequence[int] | None = None,
        why: str = "",
        **more: Any,
    ) -> None:
        super().__init__(f"{code}: {why or message}")
        self.code = code
        self.message = message
        self.nearest = nearest
        """Free slots to offer, in minutes; None if none are to be offered."""
        self.why = why
        self.more = more
        """Further fields of the answer: `corrected_day` and its label."""
