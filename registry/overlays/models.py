"""The overlay file as its author writes it: strict models, so that a misspelt key is an error, never ignored.

`overlays/README.md` explains every key to people who do not code.
"""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from contracts.action import ActionExample
from contracts.base import Json, Parts, StrictModel
from contracts.enums import ErrorType, ParameterRole, SafetyTier

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Expression = Annotated[str, StringConstraints(min_length=1)]


class ParameterOverlay(StrictModel):
    """One thing a model may fill in. `in` is where it goes by itself: `path.uniqueId`, `query.date`, `body.name`.

    `thing` is the kind that a parameter of the role `booking` takes, where a venue has more kinds than bookings.
    `phrases`: the words by which an operator mentions a value, by value (`true`, `Cash`), in all languages together.
    `sensitive: false`: its name or place resembles a secret's, and it is none. `technical: true`: operators never
    mention it, so a change may send it without a line in its preview. `not_readable`: why no read shows it after the
    write, so that `verify` cannot compare it.
    """

    target: str | None = Field(default=None, alias="in")
    role: ParameterRole | None = None
    thing: Name | None = None
    describe: str = ""
    required: bool | None = None
    type: Literal["string", "integer", "number", "boolean", "array", "object"] | None = None
    format: str | None = None
    choices: list[Json] | None = None
    min_length: int | None = None
    max_length: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    phrases: dict[str, list[Text]] = Field(default_factory=dict)
    sensitive: Literal[False] | None = None
    technical: Literal[True] | None = None
    not_readable: Text | None = None


class ReadOverlay(StrictModel):
    """A read operation and its inputs. It is sent before any confirmation: `read_only: true` declares that one
    that is not a GET changes nothing."""

    operation: str
    inputs: dict[str, Json] = Field(default_factory=dict, alias="with")
    read_only: Literal[True] | None = None


class SnapshotOverlay(StrictModel):
    """What is read before acting: one operation, or several `reads` by name, each seeing the ones before it."""

    operation: str | None = None
    inputs: dict[str, Json] = Field(default_factory=dict, alias="with")
    read_only: Literal[True] | None = None
    reads: dict[Name, ReadOverlay] = Field(default_factory=dict)
    covers: list[str] = Field(min_length=1)
    ignore: list[str] = Field(default_factory=list)
    not_restored: list[str] = Field(default_factory=list)


class RequestOverlay(StrictModel):
    """How values become a request."""

    path: dict[str, Json] = Field(default_factory=dict)
    query: dict[str, Json] = Field(default_factory=dict)
    header: dict[str, Json] = Field(default_factory=dict)
    body: Json = None


class VerifyOverlay(StrictModel):
    """How a read-back proves that a write landed: two lists with the same content, or expressions that all hold.

    In `on`, `sessionStartTime=startTime` compares a field that has another name on the right. `reads` read what
    the write created; `known_by` identifies it as the requested one where no marker does; `gone` is true when it no
    longer exists; `covers` and `ignore` select what of it matters.
    """

    same: tuple[Expression, Expression] | None = None
    on: list[str] = Field(default_factory=list)
    all: list[Expression] = Field(default_factory=list)
    reads: dict[Name, ReadOverlay] = Field(default_factory=dict)
    known_by: list[Expression] = Field(default_factory=list)
    gone: list[Expression] = Field(default_factory=list)
    covers: list[str] = Field(default_factory=list)
    ignore: list[str] = Field(default_factory=list)


class PartialUndoOverlay(StrictModel):
    """How only the plan's own part is undone when another writer has changed the same thing since."""

    when: Expression
    request: RequestOverlay
    gone: list[Expression] = Field(min_length=1)


class CompensationOverlay(StrictModel):
    """How the action is undone: a request of its own, or another `action`, filled by `with`; `manual` in words. `when`:
    what the request would remove is there."""

    operation: str | None = None
    request: RequestOverlay | None = None
    when: Expression | None = None
    action: Name | None = None
    inputs: dict[str, Json] = Field(default_factory=dict, alias="with")
    partial_undo: PartialUndoOverlay | None = None
    manual: Text


class AlternativesOverlay(ReadOverlay):
    """A read whose rows would have worked; `say` is what an operator types to choose one."""

    rows: Expression | None = None
    label: Text
    say: Text | None = None


class ErrorOverlay(StrictModel):
    """The meaning of one refusal; `code` may list several. `undo`: a refusal of the compensation, not of the action.
    `unprocessed`: the venue checks this of the request itself before it does anything (a validation error), so one look
    shows that nothing was done. Never for no availability or a conflict: a first copy of the request may cause it."""

    status: int | None = Field(default=None, ge=100, le=599)
    code: str | list[str] | None = None
    undo: bool = False
    unprocessed: bool = False
    type: ErrorType | None = None
    message: Text | None = None
    suggestions: list[Text] = Field(default_factory=list)
    alternatives: AlternativesOverlay | None = None


class DetailOverlay(ReadOverlay):
    """A read of each booking that was found (`item`), and the expression on it (`detail`) that is true if the
    booking is cancelled."""

    cancelled: Expression


class GuestOverlay(ReadOverlay):
    """A read of the guest of each booking that was found (`item`; `detail` is what the booking's own read shows, else
    the answer), and the template of the name from it (`guest`)."""

    name: Text


class PagesOverlay(StrictModel):
    """A list that may exceed one answer: the expression on the `response` that is true if there is `more`; the changes
    for the request of the `next` page (`next_page` is its number, from 2), left out where the venue has none; and the
    path of the `rows` in the answer, left out where the answer is only the list."""

    more: Expression
    next: RequestOverlay | None = None
    rows: str = ""


class OutputOverlay(StrictModel):
    """What a model sees of the answer."""

    thing: Name | None = None
    fields_: list[str] = Field(default_factory=list, alias="fields")
    shape: Json = None
    candidates: Json = None
    detail: DetailOverlay | None = None
    guest: GuestOverlay | None = None
    pages: PagesOverlay | None = None


class RejectionOverlay(StrictModel):
    """What the venue always refuses: when the expression holds, the message is shown instead of a plan."""

    when: Expression
    message: Text


class PlannedReadOverlay(StrictModel):
    """A read that is shown as a step of its own, named `action`; `done` is its text where the change is possible,
    and sees the read's `response`; `lacking` is its text where it is not, by default the error's message."""

    action: Name
    title: Text
    done: Text
    lacking: str = ""


class AvailabilityOverlay(ReadOverlay):
    """How availability is checked in advance: a read, and what must hold of its `response`, by the code of the
    error that names what is free instead if it does not. With a `step` it is the plan's first step."""

    requires: dict[str, Expression] = Field(min_length=1)
    step: PlannedReadOverlay | None = None


class PreviewOverlay(StrictModel):
    """One line for the operator."""

    label: Text
    before: str | None = None
    after: str
    now: str | None = None
    irreversible: bool = False


class MarkerOverlay(StrictModel):
    """Where the write leaves its idempotency key, and how a read shows it: `present` is true if it is this
    write's, `value` is the value there, by any writer."""

    body: dict[str, Json]
    present: Expression
    value: str = ""


class SampleOverlay(StrictModel):
    """An example the overlay is tried on when it is loaded: arguments, snapshot before and after, or an answer; `seen`
    are the responses of its preview reads."""

    declined: bool = Field(default=False, exclude=True, description="True for `sample: none`")

    call: dict[str, Json] = Field(default_factory=dict)
    before: Json = None
    after: Json = None
    response: Json = None
    seen: dict[Name, Json] = Field(default_factory=dict)


def _declined(value: object) -> object:
    return SampleOverlay(declined=True) if value == "none" else value


class RetryOverlay(StrictModel):
    """How often a call is made in all while the venue fails, and the pause before the second, in seconds."""

    attempts: int = Field(default=3, ge=1, le=5)
    pause: float = Field(default=0.2, ge=0, le=5)


class OverlayFile(StrictModel):
    """One file of `actions/`."""

    action: Name
    operation: str
    iq_enabled: bool = False
    title: Text
    category: Text = "general"
    safety: SafetyTier | None = None
    description: Text
    when_to_use: str = ""
    read_only: bool | None = None
    reversible: bool | None = None
    parameters: dict[Name, ParameterOverlay] = Field(default_factory=dict)
    require_any: list[Name] = Field(default_factory=list)
    required: bool = True
    idempotent: bool = False
    retry: RetryOverlay | None = None
    cache_seconds: float = Field(default=0, ge=0, le=60)
    bound: dict[str, Json] = Field(default_factory=dict)
    request: RequestOverlay | None = None
    snapshot: SnapshotOverlay | None = None
    verify: VerifyOverlay | None = None
    compensation: CompensationOverlay | None = None
    irreversible_note: str = ""
    errors: list[ErrorOverlay] = Field(default_factory=list)
    output: OutputOverlay = Field(default_factory=OutputOverlay)
    preview_reads: dict[Name, ReadOverlay] = Field(default_factory=dict)
    preview: list[PreviewOverlay] = Field(default_factory=list)
    rejects_when: list[RejectionOverlay] = Field(default_factory=list)
    availability: AvailabilityOverlay | None = None
    confirm: str = ""
    summary: str = ""
    answer: str = ""
    marker: MarkerOverlay | None = None
    idempotency_header: str | None = None
    marker_format: Literal["text", "uuid"] | None = None
    examples: list[ActionExample] = Field(default_factory=list)
    aliases: list[Text] = Field(default_factory=list)
    labels: dict[str, Text] = Field(default_factory=dict)
    sample: Annotated[SampleOverlay | None, BeforeValidator(_declined)] = None


def is_torn(data: Parts) -> bool:
    """Return whether a file without `iq_enabled` lacks other keys, too: then it was cut off, not switched off."""
    if "iq_enabled" in data:
        return False
    try:
        OverlayFile.model_validate(data)
    except ValidationError:
        return True
    return False


def keys_at(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Return the keys allowed at the place of a validation error; [] where any key is."""
    current: type[BaseModel] | None = model
    for part in location:
        if current is None:
            return []
        if isinstance(part, int):
            continue
        field = next((f for n, f in current.model_fields.items() if part in (n, f.alias)), None)
        if field is not None:
            current = _model_in(field.annotation)
    return [f.alias or n for n, f in current.model_fields.items()] if current else []


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if (found := _model_in(inner))), None)
