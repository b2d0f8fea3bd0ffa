"""Errors as data. A request that fails answers `{"type": "error", "error": ServiceError}`."""

from typing import Literal

from pydantic import Field

from contracts.base import FrozenModel, QuickAction, StrictModel
from contracts.enums import ErrorType, RefusalReason, ServiceErrorType
from contracts.plan import ExecutionPlan


class ServiceError(StrictModel):
    """Why a request was not served, in words for an operator holding a phone.

    `retry_after_seconds` says when trying again makes sense; `plan` is there when a plan's state is the reason.
    """

    error_type: ServiceErrorType
    message: str
    suggestions: list[str] = Field(default_factory=list)
    retry_after_seconds: float | None = None
    plan: ExecutionPlan | None = None


class ErrorBody(StrictModel):
    """The body of every answer that is not a success."""

    type: Literal["error"] = "error"
    error: ServiceError


class VenueFailure(FrozenModel):
    """The failure of a venue call.

    `code` is the venue's own name for it and `detail` its own words, for a model to mend by. `status` is None when
    there was no HTTP answer. `refusal` is set where it is the venue's own no.
    `alternatives` are labels of what would have worked, `quick_actions` ask for one of them.
    """

    error_type: ErrorType
    status: int | None = None
    code: str | None = None
    refusal: RefusalReason | None = None
    message: str
    detail: str = ""
    suggestions: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    quick_actions: tuple[QuickAction, ...] = ()
    retry_after_seconds: float | None = None


MODEL_BUSY = "model_busy"
"""The type that a model call fails with whose endpoint asks for a longer wait than the call may take. Its detail is the
wait in seconds; persisted in histories."""

MODEL_TOO_SLOW = "model_too_slow"
"""The type that a model call fails with whose time is over; persisted in histories."""
