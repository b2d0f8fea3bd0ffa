"""Requests of the nine tools: one model per tool, and how a missing or wrong field is reported.

Unknown fields are ignored, because a voice assistant may add some. null and blank text count as left out.
"""

import re
from datetime import date, time
from typing import Annotated, Any, TypeVar
from unicodedata import normalize

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema, model_validator

from language.contacts.contacts import one_number
from language.text.normalize import normalize_text, tokenize
from restaurant import messages_it
from restaurant.errors import Code, RefusalError

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}")
_COUNT = re.compile(r"[0-9]{1,6}")
_MOST = 999_999
_NAMES = ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica")
_WEEKDAYS = {normalize_text(name): number for number, name in enumerate(_NAMES)}


def day(value: object) -> date:
    """Return a day from YYYY-MM-DD. Anything else is rejected: "YYYY-MM-DD" itself, "{{day}}", "domani" and 30
    February."""
    if not isinstance(value, str) or not _DAY.fullmatch(value.strip()):
        raise ValueError("must be YYYY-MM-DD")
    return date.fromisoformat(value.strip())


def clock(value: object) -> time:
    """Return a time from HH:MM, 00:00 to 23:59."""
    if not isinstance(value, str) or not _TIME.fullmatch(value.strip()):
        raise ValueError("must be HH:MM")
    return time.fromisoformat(value.strip())


def count(value: object) -> int:
    """Return a whole number above zero, from a number or digits."""
    if isinstance(value, str) and _COUNT.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= _MOST:
        raise ValueError("must be a whole number above zero")
    return value


def phone(value: object) -> str:
    """Return a phone as E.164. "+39 333 123-4567" and "0039…" are converted; a number without a country code is
    rejected, because its country is unknown."""
    found = one_number(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError("must be a phone number in E.164 form")
    return found


def weekday(value: object) -> int:
    """Return the number of a weekday from its Italian name, 0 for Monday. Accents in any form, capitals, and words
    around the one name ("giovedì prossimo", "giovedì.") are accepted."""
    # An accent may be a separate character.
    words = tokenize(normalize_text(normalize("NFC", value))) if isinstance(value, str) else []
    found = {_WEEKDAYS[word.text] for word in words if word.text in _WEEKDAYS}
    if len(found) != 1:
        raise ValueError("must be the name of a weekday")
    return found.pop()


def text(value: object) -> str:
    """Return text that can be stored and spoken: no control characters, no surrogate halves."""
    if not isinstance(value, str):
        raise ValueError("must be text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("is not well-formed text") from None
    if any(ord(char) < 32 and char not in "\t\n\r" for char in value) or "\x7f" in value:
        raise ValueError("holds control characters")
    return " ".join(value.split())


_ISO_DAY = {"type": "string", "format": "date", "examples": ["2026-02-19"]}
_HH_MM = {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$", "examples": ["20:30"]}
_NUMBER = {
    "anyOf": [{"type": "integer", "minimum": 1, "maximum": _MOST}, {"type": "string", "pattern": r"^0*[1-9]\d{0,4}$"}],
    "examples": [4],
}

Day = Annotated[date, BeforeValidator(day), WithJsonSchema(_ISO_DAY)]
Clock = Annotated[time, BeforeValidator(clock), WithJsonSchema(_HH_MM)]
Count = Annotated[int, BeforeValidator(count), WithJsonSchema(_NUMBER)]
Phone = Annotated[
    str,
    BeforeValidator(phone),
    WithJsonSchema({"type": "string", "pattern": r"^\+[1-9]\d{6,14}$", "examples": ["+393331234567"]}),
]
Weekday = Annotated[
    int, BeforeValidator(weekday), WithJsonSchema({"type": "string", "enum": list(_NAMES), "examples": ["giovedì"]})
]
Identifier = Annotated[str, BeforeValidator(text), Field(min_length=1, max_length=128)]
Name = Annotated[str, BeforeValidator(text), Field(min_length=1, max_length=120)]
Words = Annotated[str, BeforeValidator(text), Field(min_length=1, max_length=500)]
Notes = Annotated[str, BeforeValidator(text), Field(max_length=1000)]


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


class ToolRequest(BaseModel):
    """The fields of every tool: the restaurant."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    restaurant_id: Identifier = Field(description="A restaurant of the knowledge base", examples=["roma"])

    @model_validator(mode="before")
    @classmethod
    def _blank_is_left_out(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: one for key, one in value.items() if not _blank(one)}


class CheckOpenings(ToolRequest):
    """Whether a day, or a time of it, can be booked."""

    day: Day
    time: Clock | None = None
    expected_weekday: Weekday | None = Field(None, description="The weekday that the guest named")


class CreateBooking(ToolRequest):
    """A table for some people."""

    day: Day
    time: Clock
    people: Count
    name: Name
    phone: Phone
    notes: Notes | None = None


class ListBookings(ToolRequest):
    """The bookings of a phone from today on."""

    phone: Phone


class ModifyBooking(ToolRequest):
    """A new day, time or number of people. `day`, `time` and `people` are aliases of the three; if both are given,
    those with `new_` count."""

    booking_id: Identifier
    new_day: Day | None = None
    new_time: Clock | None = None
    new_people: Count | None = None

    @model_validator(mode="before")
    @classmethod
    def _other_names(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        others = {f"new_{key}": value[key] for key in ("day", "time", "people") if not _blank(value.get(key))}
        return {**others, **{key: one for key, one in value.items() if not _blank(one)}}


class CancelBooking(ToolRequest):
    """A booking to cancel."""

    booking_id: Identifier


class Faq(ToolRequest):
    """A guest's question."""

    question: Words


class IsOpenNow(ToolRequest):
    """Whether the restaurant is open now."""


class ResolveRelativeDay(ToolRequest):
    """A day as it is spoken: "domani", "sabato", "tra 3 giorni"."""

    text: Words


class ResolveRelativeTime(ToolRequest):
    """A time as it is spoken: "tra mezz'ora", "20 e 30"."""

    text: Words


R = TypeVar("R", bound=ToolRequest)


def read(model: type[R], body: object) -> R:
    """Return a body as a tool's request. Raises `RefusalError`: VALIDATION_ERROR, for the first field that is missing
    or wrong in the order of the contract's table."""
    if not isinstance(body, dict):
        raise RefusalError(Code.VALIDATION_ERROR, messages_it.NOT_JSON)
    try:
        return model.model_validate(body)
    except ValidationError as error:
        order = list(model.model_fields)
        problems = [(str(one["loc"][0]) if one["loc"] else "", one["type"]) for one in error.errors()]
    problems.sort(key=lambda one: order.index(one[0]) if one[0] in order else len(order))
    field, kind = problems[0]
    text = messages_it.MISSING.get(field) if kind == "missing" else None
    raise RefusalError(Code.VALIDATION_ERROR, text or messages_it.wrong(field))
