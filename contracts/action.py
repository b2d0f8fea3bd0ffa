"""What can be done at a venue: one `AtomicAction` per overlay, complete enough to be run from a plan's history without
the registry it came from (`docs/state-model.md`: definitions are frozen into the plan when it is drafted).

Templates inside are source text, `{{ … }}` in Jinja2 expressions; `registry/` renders them.
"""

from typing import Literal

from pydantic import Field

from contracts.access import Access
from contracts.base import Frozen, Json, Schema
from contracts.enums import ErrorType, ParameterRole, SafetyTier

Location = Literal["path", "query", "header", "cookie", "body"]
Level = Literal["error", "warning", "info"]


class WireParameter(Frozen):
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


class BodyEncoding(Frozen):
    """How one property of a form travels: in a style, or as a document of `content_type`; by its kind when neither."""

    style: str | None = None
    explode: bool = True
    content_type: str | None = None


class Operation(Frozen):
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
    access: Access | None = None


class ActionParameter(Frozen):
    """One argument a model may give.

    `target` says where it goes by itself, `path.uniqueId` or `body.name`; None when it only feeds
    templates. `json_schema` is plain JSON Schema without `description`. `said` lists, by value ("true", "Cash"), the
    words that say it; a "*" at the end of a word stands for any ending. `thing` is the kind of thing that a parameter
    of the role `booking` takes: only one of that kind may be given. `sensitive` is False where the overlay's author
    says that what sounds like a secret is none. `label` is what people read for its name.
    """

    name: str
    target: str | None
    json_schema: Schema
    required: bool
    description: str
    role: ParameterRole | None = None
    said: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    thing: str = "booking"
    sensitive: Literal[False] | None = None
    label: str = ""

    @property
    def told(self) -> str:
        """Its name as people read it, in the middle of a sentence."""
        return self.label or self.name.replace("_", " ")


class RequestTemplate(Frozen):
    """How values become a request: JSON trees whose strings may be templates.

    `{for_each: expression, value: tree}` makes a list with `item` bound in turn; `when: expression` beside a
    `value` leaves the entry out unless the expression is true.
    """

    path: dict[str, Json] = Field(default_factory=dict)
    query: dict[str, Json] = Field(default_factory=dict)
    header: dict[str, Json] = Field(default_factory=dict)
    body: Json = None


class ReadTemplate(Frozen):
    """One read of a snapshot. `name` is where its answer is kept; "" means it is the whole snapshot. `read_only`: its
    author declares that the operation changes nothing, whatever its method."""

    name: str
    operation: Operation
    inputs: dict[str, Json]
    read_only: bool = False


class SnapshotTemplate(Frozen):
    """What is read before acting.

    `covers` lists dotted paths that are hashed for the drift check, `ignore` those left out because they change when
    nothing meaningful does.
    """

    reads: tuple[ReadTemplate, ...]
    covers: tuple[str, ...]
    ignore: tuple[str, ...] = ()


class VerifyTemplate(Frozen):
    """How a read-back tells that a write is as asked: each `check` is an expression over `before`, `now`, `request`
    and the parameters; all must be true. False on `before`, true on `after`.

    `reads` are for what a write makes anew: they may use its `response`, their answers join `now` by name, and one
    that answers 404 means that it is not there. `gone` tells that it is there no more though it can be read (a
    cancelled booking). `covers` and `ignore`, dotted paths from a read's name on, say what of it matters; all of it
    where nothing is said. `known_by` tells of a new thing without a marker that it is the one that was asked for,
    though it may not be as asked in all; `checks` tell where nothing is said.
    """

    checks: tuple[str, ...]
    reads: tuple[ReadTemplate, ...] = ()
    known_by: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class OwnPartTemplate(Frozen):
    """How to take back only what the plan did, when somebody else has changed the same thing since.

    `when` tells that the plan's own part can still be told apart, `gone` (all must hold on a new read) that it is out.
    """

    when: str
    request: RequestTemplate
    gone: tuple[str, ...]


class ErrorRule(Frozen):
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


class CompensationTemplate(Frozen):
    """How a step is undone; `before` is the kept snapshot, `now` is read at undo time, `left` is what the step left.

    `values` are rendered first and join (or replace) the names `request` sees: how another action serves as undo.
    `errors` are those of that other action: it is what the venue may refuse then.
    """

    operation: Operation | None
    request: RequestTemplate | None
    manual: str
    values: dict[str, Json] = Field(default_factory=dict)
    own_part: OwnPartTemplate | None = None
    errors: tuple[ErrorRule, ...] = ()


class PagesTemplate(Frozen):
    """How a list goes on beyond one answer. `more` is an expression that tells by the `response` that it does; `next`
    is what the request for the next page has otherwise, None where the venue gives none; `rows` the dotted path of the
    list itself, "" where it is the whole answer."""

    more: str
    next: RequestTemplate | None = None
    rows: str = ""


class OutputTemplate(Frozen):
    """What a model sees of an answer: `fields` are dotted paths, or `shape` a template tree over `response`.

    `candidates` is a template tree that makes `BookingSummary` rows, for look-ups that find bookings. `detail` reads
    one of them (`item`) where the answer itself does not say that it is cancelled: `cancelled` tells by it. `guest`
    reads whose booking it is, `guest_name` tells the name by it. `thing` is the kind of what is found. `pages` tells
    that there is more than one answer holds.
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


class RefusalTemplate(Frozen):
    """What the venue always refuses, known before it is asked: when the expression holds, the message is said instead
    of a plan."""

    when: str
    message: str


class LookTemplate(Frozen):
    """A read that is shown as a step of its own: what the step does, what is said of it when all is well, and, where
    the error's own message is too long for that, when it is not. `name` is told as its action."""

    name: str
    title: str
    done: str
    lacking: str = ""


class RoomTemplate(Frozen):
    """How it is told beforehand that there is room: expressions over the read's `response`, each with the code of the
    error that says so where it does not hold. The first that does not counts. With a `step` the read is a step of the
    plan, made while it is drafted, and again before the write."""

    read: ReadTemplate
    needs: tuple[tuple[str, str], ...]
    step: LookTemplate | None = None


class PreviewTemplate(Frozen):
    """One line of a plan as the operator sees it; `before` and `after` are templates, and so is `now`, for telling a
    person what is there when it is neither. No `before`: nothing is said of what was there. `lasting`: no undo brings
    it back."""

    label: str
    before: str | None
    after: str
    now: str | None = None
    lasting: bool = False


class ActionExample(Frozen):
    """A sentence an operator might type and the arguments it means."""

    say: str
    call: dict[str, Json]


class MarkerTemplate(Frozen):
    """Where a write leaves its idempotency key, so that a read-back can tell that it landed.

    `value` is what stands there. Where it is the same before and after, no write of ours landed in between; without it
    an absent marker tells less, since a later plan's may have replaced it.
    """

    body: dict[str, Json]
    present: str
    value: str = ""


class RetryTemplate(Frozen):
    """How often a call is made in all, and the pause before the second, in seconds, which doubles each time."""

    attempts: int = 3
    pause: float = 0.2

    @property
    def pauses(self) -> tuple[float, ...]:
        """Seconds before each further call."""
        return tuple(self.pause * 2**number for number in range(self.attempts - 1))


class TemplateStep(Frozen):
    """One step of a template: its action, and by that action's parameters those of the template that give their values.
    Steps count from 1."""

    action: str
    values: dict[str, str]
    required: bool = True
    only_if_failed: int | None = None
    only_if_done: int | None = None


class AtomicAction(Frozen):
    """One thing that can be done, with how to check it, show it and undo it.

    `preview_reads` are made while drafting only, for what the preview alone must know; a plan does not keep them, nor
    `refuses`, `room` and `confirm`, which is what its confirm button says. `answer` says what a read shows, in an
    operator's words.
    `companions` names the actions that a model should be offered beside it: its undo, and the reads of its snapshot.
    `marker_format` is how the API wants the idempotency key written.
    `also_called` are its author's further words for it; it is only found by them. A plan goes on without an action that
    is not `required`, where the venue refuses it. `idempotent`: its author declares that the same request with the same
    key, sent twice, does what one does. `retry` is for a read, or for such a write; `cache_seconds` is how long a
    look-up's answer may be kept. With `steps` it is none by itself but a template: what a model calls for them all.
    """

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
    refuses: tuple[RefusalTemplate, ...] = ()
    room: RoomTemplate | None = None
    confirm: str = ""
    summary: str = ""
    answer: str = ""
    marker: MarkerTemplate | None = None
    idempotency_header: str | None = None
    marker_format: Literal["text", "uuid"] = "text"
    examples: tuple[ActionExample, ...] = ()
    companions: tuple[str, ...] = ()
    also_called: tuple[str, ...] = ()
    steps: tuple[TemplateStep, ...] = ()
    version: str

    def parameter(self, name: str) -> ActionParameter | None:
        """The parameter of that name, or None."""
        return next((p for p in self.parameters if p.name == name), None)

    @property
    def thing(self) -> str:
        """The kind of thing that it is about."""
        [first, *_] = [*(p.thing for p in self.with_role(ParameterRole.BOOKING)), self.output.thing]
        return first

    def with_role(self, role: ParameterRole) -> tuple[ActionParameter, ...]:
        """The parameters that play `role`, in declared order."""
        return tuple(p for p in self.parameters if p.role is role)


class FormField(Frozen):
    """One field of a form: its name, its text, and its content type where it is not plain text."""

    name: str
    value: str
    content_type: str | None = None


class HttpRequest(Frozen):
    """An exact request, without host or credentials. `path` is percent-encoded.

    `form` is `body` as the fields of a form, in order, when `content_type` is a form's; None otherwise. `shown_path` is
    the path as it may be recorded, where that is another one: a secret stands in it. `access` says what has still to be
    put in when it is sent.
    """

    method: str
    path: str
    shown_path: str = ""
    query: tuple[tuple[str, str], ...] = ()
    headers: dict[str, str] = Field(default_factory=dict)
    body: Json = None
    content_type: str | None = None
    form: tuple[FormField, ...] | None = None
    access: Access | None = None


class Finding(Frozen):
    """One thing wrong with an API document or an overlay, and the way out."""

    level: Level
    file: str
    line: int | None = None
    pointer: str = ""
    action: str | None = None
    message: str
    hint: str = ""
