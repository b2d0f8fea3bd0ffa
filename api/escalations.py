"""`/v1/escalations`: what was handed to a person, for the venue's staff, and the answer that goes into the chat."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Literal
from uuid import uuid4

from fastapi import APIRouter, Path, Query
from pydantic import BeforeValidator, Field, StringConstraints

from api.auth import IdempotencyKey, id_of
from api.errors import documented
from api.injected import ChatsDep, EscalationsDep, RegistriesDep
from api.requests import pack_of
from api.staff_session import StaffDep
from clients.chats import ChatClient
from clients.errors import RequestError, refuse
from clients.registries import Registries
from contracts.base import Edge, Instant
from contracts.enums import EscalationReason, EscalationStatus
from contracts.enums import ServiceErrorType as E
from contracts.escalation import ANSWER_MOST, BY_MOST, EscalationView, LeftOut, PersonsAnswer, Resolve, SeenLine
from contracts.names import Identifier, Seen, readable
from language.catalogue import say
from workflows.escalating import seen_of

router = APIRouter(prefix="/escalations", tags=["staff"])

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE)


class Line(Edge):
    """One line of a chat as its operator saw it; `role` is whose it is."""

    at: Instant
    role: Literal["user", "assistant", "person"]
    text: str


class Answered(Edge):
    """A person's answer, and the name under which it is shown; `in_chat` once it is there."""

    message: str
    by: str
    at: Instant
    in_chat: bool


class Escalation(Edge):
    """A message that was handed to a person: what the operator asked, what they were told, and `why`, in words, it was
    not answered. `reference` is what the operator sees of it. Open until `lapses_at`."""

    escalation_id: str
    reference: str
    venue_id: str
    session_id: str
    status: EscalationStatus
    reason: EscalationReason
    why: str
    asked: str
    told: str
    opened_at: Instant
    lapses_at: Instant
    ended_at: Instant | None = None
    answer: Answered | None = None


class EscalationDetail(Escalation):
    """The same with the last messages of its chat, as its operator sees them now where that can be known."""

    messages: list[Line]


class Escalations(Edge):
    """Escalations, newest first. `left_out` are those that belong here and are missing: they did not answer just now,
    or cannot be opened with the keys of this service."""

    escalations: list[Escalation]
    left_out: list[LeftOut]


def _readable(message: object) -> object:
    return readable(message) if isinstance(message, str) else message


class ResolveBody(Edge):
    """The answer; `by` is the name it is shown under where nobody is signed in. The same `request_id` is for the same
    answer."""

    message: Annotated[
        str, BeforeValidator(_readable), StringConstraints(strip_whitespace=True, min_length=1, max_length=ANSWER_MOST)
    ]
    by: Annotated[str, Field(max_length=BY_MOST), Seen] = ""
    request_id: Identifier | None = None


EscalationId = Annotated[str, Path(max_length=64, description="`escalation_id`"), Seen]


@router.get("", response_model_exclude_none=True, responses=_ERRORS, summary="List what was handed to a person")
async def listed(
    escalations: EscalationsDep,
    registries: RegistriesDep,
    status: Annotated[list[str] | None, Query(description="Only these, repeated or by commas; else open")] = None,
    venue_id: Annotated[Identifier | None, Query(description="Of one venue; else of all")] = None,
) -> Escalations:
    """The newest 200 that are kept: a closed one for seven days. One that was just opened or answered may take a moment
    to be found so."""
    venue = pack_of(registries, venue_id).profile.venue_id if venue_id is not None else None
    found = await escalations.some(_statuses(status or ()), venue)
    return Escalations(escalations=[_told(view) for view in found.views], left_out=found.left_out)


@router.get("/{escalation_id}", response_model_exclude_none=True, responses=_ERRORS, summary="Look at one")
async def look(
    escalation_id: EscalationId, escalations: EscalationsDep, chats: ChatsDep, registries: RegistriesDep
) -> EscalationDetail:
    """With the last messages of its chat."""
    view = await escalations.view(escalation_id)
    _speak_as(registries, view)
    messages = [Line(**dict(line)) for line in await _lines(chats, view)]
    return EscalationDetail(**dict(_told(view)), messages=messages)


@router.post(
    "/{escalation_id}/resolve",
    response_model_exclude_none=True,
    responses={**_ERRORS, **documented(E.CONFLICT)},
    summary="Answer one",
)
async def resolve(
    escalation_id: EscalationId,
    body: ResolveBody,
    escalations: EscalationsDep,
    registries: RegistriesDep,
    who: StaffDep,
    idempotency_key: IdempotencyKey = None,
) -> Escalation:
    """The answer goes into the chat as a message of a person's. It confirms nothing and answers no plan's question. A
    409 where it was answered already, or nobody had answered in time; a 422 where another answer was taken under the
    same `request_id`."""
    request_id = id_of(body.request_id, idempotency_key) or str(uuid4())
    # Apart from what a webhook answers, whatever a caller calls its request.
    answer = Resolve(request_id=f"staff-{request_id}", message=body.message, by=who or body.by)
    view = await escalations.resolve(escalation_id, answer)
    _speak_as(registries, view)
    return _told(view)


def _speak_as(registries: Registries, view: EscalationView) -> None:
    """Speak the venue's language, where a pack still serves it."""
    if registries.registry.venue(view.start.venue_id) is not None:
        pack_of(registries, view.start.venue_id)


async def _lines(chats: ChatClient, view: EscalationView) -> Sequence[SeenLine]:
    try:
        shown = await chats.shown(view.start.conversation_id, 0)
    except RequestError:
        shown = None
    # Nobody else's lines: a chat that was begun anew may be another's.
    if shown is None or shown.owner != view.start.user_id:
        return view.start.seen
    return seen_of(shown.entries) or view.start.seen


def _statuses(asked: Sequence[str]) -> tuple[EscalationStatus, ...]:
    named = [name.strip() for text in asked for name in text.split(",") if name.strip()]
    try:
        return tuple(dict.fromkeys(map(EscalationStatus, named))) or (EscalationStatus.OPEN,)
    except ValueError:
        problem = say("invalid.choice", field="status", choices=[s.value for s in EscalationStatus])
        raise refuse(E.INVALID_REQUEST, say("refuse.invalid", problems=[problem]), say("refuse.invalid_next")) from None


def _told(view: EscalationView) -> Escalation:
    start = view.start
    return Escalation(
        escalation_id=start.escalation_id,
        reference=start.reference,
        venue_id=start.venue_id,
        session_id=start.session_id,
        status=view.status,
        reason=start.reason,
        why=say(f"escalation.reason_{start.reason}"),
        asked=start.asked,
        told=start.told,
        opened_at=start.opened_at,
        lapses_at=start.opened_at + timedelta(seconds=start.lapse_after),
        ended_at=view.ended_at,
        answer=_answered(view.answer, in_chat=view.delivered_at is not None),
    )


def _answered(answer: PersonsAnswer | None, *, in_chat: bool) -> Answered | None:
    if answer is None:
        return None
    return Answered(message=answer.message, by=answer.by, at=answer.at, in_chat=in_chat)
