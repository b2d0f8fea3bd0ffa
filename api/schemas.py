"""Request bodies. Unknown fields are refused, so that a misspelt one is noticed."""

import math
import re
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from contracts.base import StrictModel
from contracts.identifiers import UNSEEN, Identifier, Seen

Message = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
"""What an operator typed: 1 to 4,000 characters."""


def _example(**values: str) -> ConfigDict:
    """Return the configuration for a body's example in the API documentation."""
    return ConfigDict(extra="forbid", json_schema_extra={"example": dict(values)})


_MOST = 10**12
_LONGEST = 4000
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def _typed(value: object) -> object:
    """Check a value before its type is chosen, so that an error names the field and not each type of the union."""
    if isinstance(value, str):
        if len(value) > _LONGEST:
            raise PydanticCustomError("string_too_long", "is too long", {"max_length": _LONGEST})
        if _CONTROLS.search(value):
            raise PydanticCustomError(UNSEEN, "holds a control character")
    elif not isinstance(value, bool | int | float) or not math.isfinite(value):
        raise PydanticCustomError("no_value", "is no text, number or truth value")
    elif value > _MOST:
        raise PydanticCustomError("less_than_equal", "is too large", {"le": _MOST})
    elif value < -_MOST:
        raise PydanticCustomError("greater_than_equal", "is too small", {"ge": -_MOST})
    return value


class EditedField(StrictModel):
    """One value of a plan that waits: `parameter` of its step `step`, counted from 1."""

    step: int = Field(ge=1, le=1000)
    parameter: Annotated[str, StringConstraints(min_length=1, max_length=200), Seen]
    value: Annotated[str | bool | int | float, BeforeValidator(_typed)]


class EditBody(StrictModel):
    """Values that the operator typed into a plan that waits. The plan is replaced by one that has them."""

    plan_id: Identifier
    values: list[EditedField] = Field(min_length=1, max_length=50)


class RequestBody(StrictModel):
    """One operator message."""

    model_config = _example(
        user_message="move John Smith's party to Saturday at 3pm", session_id="session-1", user_id="operator-1"
    )

    user_message: Message
    session_id: Identifier
    user_id: Identifier
    venue_id: Identifier | None = Field(default=None, description="The default venue where absent")
    request_id: Identifier | None = Field(default=None, description="Send the same one when retrying")
    edit: EditBody | None = Field(
        default=None, description="Values typed into a plan that waits; `user_message` says the same in words"
    )


class CommandBody(StrictModel):
    """The operator's command to a plan: confirm, leave out a step, cancel, undo."""

    model_config = _example(user_id="operator-1", request_id="confirm-1")

    user_id: Identifier
    request_id: Identifier | None = Field(default=None, description="Send the same one when retrying")


class AnswerBody(StrictModel):
    """The answer to a blocking prompt."""

    model_config = _example(user_id="operator-1", user_message="in cash")

    user_id: Identifier
    user_message: Message
    prompt_id: Identifier | None = Field(default=None, description="May be left out while the plan has asked only once")
    request_id: Identifier | None = Field(default=None, description="Send the same one when retrying")
