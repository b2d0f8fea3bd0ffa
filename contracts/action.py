"""The actions of a venue: one `AtomicAction` per overlay, complete enough to be run from a plan's history without the
registry that it came from (`docs/state-model.md`: definitions are frozen into the plan when it is drafted).

Templates inside are source text, `{{ … }}` in Jinja2 expressions; `registry/` renders them.
"""

from typing import Literal

from pydantic import Field

from contracts.base import FrozenModel, Json, Schema
from contracts.credentials import AuthScheme
from contracts.enums import ErrorType, ParameterRole, SafetyTier

Location = Literal["path", "query", "header", "cookie", "body"]
Level = Literal["error", "warning", "info"]


class WireParameter(FrozenModel):
    """One parameter of an operation as the API document declares it.

    `content_type` is set when the value travels as a document of that kind, JSON, instead of in a style.
    """

    name: str
    location: Location
    required: bool
    json_schema: Schema
    style: str = "simple"
    explode: bool = False
    content_type: str | None = None


class BodyEncoding(FrozenModel):
    """How one property of a form travels: in a style, or as a document of `content_type`; by its kind when neither."""

    style: str | None = None
    explode: bool = True
    content_type: str | None = None


class Operation(FrozenModel):
    """One HTTP operation of the venue's API, references resolved.

    `key` is the operationId, or `METHOD /path` where the document gives none. `encodings` holds, by property, how a
    form's body is written. `gives` is what its answer holds, for searching: ids by thing (`booking`), fields with a
    leading dot (`.startTime`), repeated values with `=` (`=Director`). `access` is what all its requests have in
    common: None where there is nothing but the operator's token.
    """

    key: str
    method: str
    path: str
    parameters: tuple[WireParameter, ...] = ()
    body_schema: Schema | None = None
    body_required: bool = False
    content_type: str | None = None
    encodings: dict[str, BodyEncoding] = Field(default_factory=dict)
    gives: tuple[str, ...] = ()
    access: AuthScheme | None = None


class ActionParameter(FrozenModel):
    """One argument a model may give.

    `target` is its place in the request, `path.uniqueId` or `body.name`; None when it only feeds templates.
    `json_schema` is plain JSON Schema without `description`. `phrases` lists, by value ("true", "Cash"), the words for
    it; a "*" at the end of a word matches any ending. `thing` is the kind of resource that a parameter of the role
    `booking` takes: only one of that kind may be given. `sensitive` is False where the overlay's author declares that a
    secret-sounding name is no secret. `label` is its display name. `not_readable`: no read shows the value that was
    sent, so the result does not claim it.
    """

    name: str
    target: str | None
    json_schema: Schema
    required: bool
    description: str
    role: ParameterRole | None = None
    phrases: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    thing: str = "booking"
    sensitive: Literal[False] | None = None
    label: str = ""
    not_readable: bool = False

    @property
    def display_name(self) -> str:
        """Return the parameter's name as people read it, in the middle of a sentence."""
        return self.label or self.name.replace("_", " ")


class RequestTemplate(FrozenModel):
    """How values become a request: JSON trees whose strings may be templates.

    `{for_each: expression, value: tree}` makes a list with `item` bound in turn; `when: expression` beside a
    `value` leaves the entry out unless the expression is true.
    """

    path: dict[str, Json] = Field(default_factory=dict)
    query: dict[str, Json] = Field(default_factory=dict)
    header: dict[str, Json] = Field(default_factory=dict)
    body: Json = None


class ReadTemplate(FrozenModel):
    """One read of a snapshot. `name` is where its answer is kept; "" means it is the whole snapshot. `read_only`: its
    author declares that the operation changes nothing, whatever its method."""

    name: str
    operation: Operation
    inputs: dict[str, Json]
    read_only: bool = False


class SnapshotTemplate(FrozenModel):
    """What is read before acting.

    `covers` lists dotted paths that are hashed for the drift check, `ignore` those left out because they change when
    nothing meaningful does, `not_restored` those that no undo brings back: they count before the write and in what it
    left, and not in whether it is undone.
    """

    reads: tuple[ReadTemplate, ...]
    covers: tuple[str, ...]
    ignore: tuple[str, ...] = ()
    not_restored: tuple[str, ...] = ()


class VerifyTemplate(FrozenModel):
    """How a read after a write proves that it was applied as requested: each `check` is an expression over `before`,
    `now`, `request` and the parameters; all must be true. False on `before`, true on `after`.

    `reads` are for what a write creates: they may use its `response`, their responses join `now` by name, and a 404
    means that the resource is missing. `gone` is true when it is gone though it can be read (a cancelled booking).
    `covers` and `ignore`, dotted paths that begin with a read's name, select what of it matters; the default is all of
    it. `known_by` identifies a new resource without a marker as the requested one, though it may not be as requested in
    every field; the default is `checks`.
    """

    checks: tuple[str, ...]
    reads: tuple[ReadTemplate, ...] = ()
    known_by: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class PartialUndoTemplate(FrozenModel):
    """How to undo only the plan's own part, when another writer has changed the same resource since.

    `when` is true while the plan's own part can be identified, `gone` (all must hold on a new read) when it is removed.
    """

    when: str
    request: RequestTemplate
    gone: tuple[str, ...]


class ErrorRule(FrozenModel):
    """What one kind of refusal by the venue means to an operator.

    Matches on `status`, and on `code` (a name in the body) where one is given. `alternatives` is a read whose
    rows are rendered by `alternative_label`, at most five, and by `alternative_say` to what asks for one. `undo`: it is
    the compensation that was refused. `unprocessed`: the venue refuses the request itself so before it does anything,
    so nothing can show later.
    """

    status: int | None = None
    code: str | None = None
    undo: bool = False
    unprocessed: bool = False
    error_type: ErrorType | None = None
    message: str | None = None
    suggestions: tuple[str, ...] = ()
    alternatives: ReadTemplate | None = None
    alternatives_rows: str | None = None
    alternative_label: str | None = None
    alternative_say: str | None = None


class CompensationTemplate(FrozenModel):
    """How a step is undone; `before` is the kept snapshot, `now` is read at undo time, `left` is what the step left.

    `when` must hold for `request` to be sent: what it would remove is there; "" where it removes nothing.
    `values` are rendered first and join (or replace) the names `request` sees: how another action serves as undo.
    `errors` are those of that other action: it is what the venue may refuse then.
    """

    operation: Operation | None
    request: RequestTemplate | None
    manual: str
    when: str = ""
    values: dict[str, Json] = Field(default_factory=dict)
    partial_undo: PartialUndoTemplate | None = None
    errors: tuple[ErrorRule, ...] = ()


class PagesTemplate(FrozenModel):
    """How a list goes on beyond one answer. `more` is an expression over the `response` that is true if it does;
    `next` are the changes that the request for the next page needs, None where the venue has none; `rows` is the dotted
    path of the list itself, "" where it is the whole answer."""

    more: str
    next: RequestTemplate | None = None
    rows: str = ""


class OutputTemplate(FrozenModel):
    """What a model sees of an answer: `fields` are dotted paths, or `shape` is a template tree over `response`.

    `candidates` is a template tree that makes `BookingSummary` rows, for look-ups that find bookings. `detail` reads
    one of them (`item`) where the answer itself does not show whether it is cancelled: `cancelled` is true if so.
    `guest` reads the guest of the booking, and `guest_name` is the template of the name. `thing` is the kind of
    what is found. `pages` describes a list that continues beyond one answer.
    """

    fields: tuple[str, ...] = ()
    shape: Json = None
    candidates: Json = None
    detail: ReadTemplate | None = None
    cancelled: str = ""
    guest: ReadTemplate | None = None
    guest_name: str = ""
    thing: str = "booking"
    pages: PagesTemplate | None = None


class RejectionRule(FrozenModel):
    """What the venue always rejects, known without a request: when the expression holds, the operator gets the message
    instead of a plan."""

    when: str
    message: str


class PlannedReadTemplate(FrozenModel):
    """A read that is shown as a step of its own: its purpose, the text when all is well, and the text for an error
    whose own message is too long. `name` is shown as its action."""

    name: str
    title: str
    done: str
    lacking: str = ""


class AvailabilityTemplate(FrozenModel):
    """How to check availability before a write: expressions over the read's `response`, each with the error code that
    applies where it does not hold. The first that does not hold counts. With a `step` the read is a step of the plan,
    made while it is drafted and again before the write."""

    read: ReadTemplate
    requires: tuple[tuple[str, str], ...]
    step: PlannedReadTemplate | None = None


class PreviewTemplate(FrozenModel):
    """One line of a plan's preview. `before` and `after` are templates, and so is `now`, for the current state when it
    is neither. No `before`: the earlier value is not shown. `irreversible`: no undo restores it."""

    label: str
    before: str | None
    after: str
    now: str | None = None
    irreversible: bool = False


class ActionExample(FrozenModel):
    """A sentence an operator might type and the arguments it means."""

    say: str
    call: dict[str, Json]


class MarkerTemplate(FrozenModel):
    """Where a write leaves its idempotency key, so that a later read proves that it was applied.

    `value` is the text written there. Where it is the same before and after, no write of ours was applied in between.
    Without it an absent marker proves less, because a later plan's may have replaced it.
    """

    body: dict[str, Json]
    present: str
    value: str = ""


class RetryTemplate(FrozenModel):
    """How often a call is made in all, and the pause before the second, in seconds, which doubles each time."""

    attempts: int = 3
    pause: float = 0.2

    @property
    def pauses(self) -> tuple[float, ...]:
        """Return the seconds before each further call."""
        return tuple(self.pause * 2**number for number in range(self.attempts - 1))


class TemplateStep(FrozenModel):
    """One step of a template: its action, and by that action's parameters those of the template that give their values.
    Steps count from 1."""

    action: str
    values: dict[str, str]
    required: bool = True
    only_if_failed: int | None = None
    only_if_done: int | None = None


class AtomicAction(FrozenModel):
    """One thing that can be done, with how to check it, show it and undo it.

    `preview_reads` are made while drafting only, for what the preview alone must know; a plan does not keep them, nor
    `rejects_when`, `availability` and `confirm`, which is what its confirm button says. `answer` says what a read
    shows, in an operator's words. `companions` names the actions that a model should be offered beside it: its undo,
    and the reads of its snapshot. `marker_format` is how the API wants the idempotency key written. `aliases` are its
    author's further words for it; it is only found by them. A plan goes on without an action that is not `required`,
    where the venue refuses it. `idempotent`: its author declares that the same request with the same key, sent twice,
    does what one does. `retry` is for a read, or for such a write; `cache_seconds` is how long a look-up's answer may
    be kept. With `steps` it is a template, which a model calls in place of all of them."""

    name: str
    pack: str
    title: str
    category: str
    description: str
    when_to_use: str = ""
    operation: Operation
    read_only: bool
    safety: SafetyTier
    reversible: bool
    parameters: tuple[ActionParameter, ...]
    require_any: tuple[str, ...] = ()
    required: bool = True
    idempotent: bool = False
    retry: RetryTemplate | None = None
    cache_seconds: float = 0
    bound: RequestTemplate = RequestTemplate()
    request: RequestTemplate | None = None
    snapshot: SnapshotTemplate | None = None
    verify: VerifyTemplate | None = None
    compensation: CompensationTemplate | None = None
    irreversible_note: str = ""
    errors: tuple[ErrorRule, ...] = ()
    output: OutputTemplate = OutputTemplate()
    preview: tuple[PreviewTemplate, ...] = ()
    preview_reads: tuple[ReadTemplate, ...] = ()
    rejects_when: tuple[RejectionRule, ...] = ()
    availability: AvailabilityTemplate | None = None
    confirm: str = ""
    summary: str = ""
    answer: str = ""
    marker: MarkerTemplate | None = None
    idempotency_header: str | None = None
    marker_format: Literal["text", "uuid"] = "text"
    examples: tuple[ActionExample, ...] = ()
    companions: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    steps: tuple[TemplateStep, ...] = ()
    version: str

    def parameter(self, name: str) -> ActionParameter | None:
        """Return the parameter of that name, or None."""
        return next((p for p in self.parameters if p.name == name), None)

    @property
    def thing(self) -> str:
        """Return the kind of thing that the action is about."""
        [first, *_] = [*(p.thing for p in self.with_role(ParameterRole.BOOKING)), self.output.thing]
        return first

    def with_role(self, role: ParameterRole) -> tuple[ActionParameter, ...]:
        """Return the parameters with `role`, in declared order."""
        return tuple(p for p in self.parameters if p.role is role)


class Finding(FrozenModel):
    """One fault of an API document or an overlay, and how to fix it."""

    level: Level
    file: str
    line: int | None = None
    pointer: str = ""
    action: str | None = None
    message: str
    hint: str = ""
