"""`/v1/escalations`: escalations for the venue's staff, and the staff reply that is shown in the chat."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Literal
from uuid import uuid4

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BeforeValidator, Field, StringConstraints

from api.auth.credentials import IdempotencyKey, request_id_of
from api.auth.staff_session import StaffDep
from api.dependencies import ChatsDep, FromState, RegistriesDep
from api.errors import documented
from api.routes.messages import pack_of
from clients.errors import ApiError, api_error
from clients.registry import Registries
from clients.temporal.chats import ChatClient
from clients.temporal.escalations import EscalationClient
from contracts.base import Instant, StrictModel
from contracts.enums import EscalationReason, EscalationStatus
from contracts.enums import ServiceErrorType as E
from contracts.escalation import (
    ANSWER_MOST,
    BY_MOST,
    EscalationView,
    OmittedEscalation,
    Resolve,
    StaffAnswer,
    TranscriptLine,
)
from contracts.identifiers import Identifier, Seen, sanitize_display_text
from language.messages.catalogue import translate
from workflows.chat.escalate import last_lines

EscalationsDep = Annotated[EscalationClient, Depends(FromState(lambda app: app.services.escalations))]

router = APIRouter(prefix="/escalations", tags=["staff"])

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE)


class EscalationLine(StrictModel):
    """One line of a chat as its operator saw it; `role` is whose it is."""

    at: Instant
    role: Literal["user", "assistant", "person"]
    text: str


class AnsweredEscalation(StrictModel):
    """A person's answer, and the name under which it is shown; `in_chat` once it is there."""

    message: str
    by: str
    at: Instant
    in_chat: bool


class EscalationSummary(StrictModel):
    """A message that was handed to a person: what the operator asked, the `reply` to it, and `why`, in words, it was
    not answered. `reference` is what the operator sees of it. Open until `lapses_at`."""

    escalation_id: str
    reference: str
    venue_id: str
    session_id: str
    status: EscalationStatus
    reason: EscalationReason
    why: str
    asked: str
    reply: str
    opened_at: Instant
    lapses_at: Instant
    ended_at: Instant | None = None
    answer: AnsweredEscalation | None = None


class EscalationDetail(EscalationSummary):
    """The same with the last messages of its chat, as its operator sees them now where that can be known."""

    messages: list[EscalationLine]


class EscalationList(StrictModel):
    """Escalations, newest first. `left_out` are those that belong here and are missing: they did not answer just now,
    or cannot be opened with the keys of this service."""

    escalations: list[EscalationSummary]
    left_out: list[OmittedEscalation]


def _readable(message: object) -> object:
    return sanitize_display_text(message) if isinstance(message, str) else message


class ResolveBody(StrictModel):
    """The answer; `by` is the name it is shown under without a sign-in. The same `request_id` is for the same
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
) -> EscalationList:
    """List the newest 200 that are kept, closed ones for seven days. A new escalation or status may appear after a
    moment."""
    venue = pack_of(registries, venue_id).profile.venue_id if venue_id is not None else None
    found = await escalations.list_page(_statuses(status or ()), venue)
    return EscalationList(escalations=[_summary(view) for view in found.views], left_out=found.left_out)


@router.get("/{escalation_id}", response_model_exclude_none=True, responses=_ERRORS, summary="Look at one")
async def get_escalation(
    escalation_id: EscalationId, escalations: EscalationsDep, chats: ChatsDep, registries: RegistriesDep
) -> EscalationDetail:
    """Return an escalation with the last messages of its chat."""
    view = await escalations.view(escalation_id)
    _speak_as(registries, view)
    messages = [EscalationLine(**dict(line)) for line in await _lines(chats, view)]
    return EscalationDetail(**dict(_summary(view)), messages=messages)


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
    staff: StaffDep,
    idempotency_key: IdempotencyKey = None,
) -> EscalationSummary:
    """Send the answer to the chat as a person's message. It confirms nothing and answers no plan's question. 409 if the
    escalation is already answered or has lapsed; 422 if another answer was accepted under the same `request_id`."""
    request_id = request_id_of(body.request_id, idempotency_key) or str(uuid4())
    # The prefix separates this id from those of webhooks, whatever id a caller chooses.
    answer = Resolve(request_id=f"staff-{request_id}", message=body.message, by=staff or body.by)
    view = await escalations.resolve(escalation_id, answer)
    _speak_as(registries, view)
    return _summary(view)


def _speak_as(registries: Registries, view: EscalationView) -> None:
    """Activate the venue's language, if a pack still serves it."""
    if registries.registry.venue(view.start.venue_id) is not None:
        pack_of(registries, view.start.venue_id)


async def _lines(chats: ChatClient, view: EscalationView) -> Sequence[TranscriptLine]:
    try:
        transcript = await chats.transcript(view.start.conversation_id, 0)
    except ApiError:
        transcript = None
    # Never another user's lines: a chat that was started again may have another owner.
    if transcript is None or transcript.owner != view.start.user_id:
        return view.start.seen
    return last_lines(transcript.entries) or view.start.seen


def _statuses(asked: Sequence[str]) -> tuple[EscalationStatus, ...]:
    named = [name.strip() for text in asked for name in text.split(",") if name.strip()]
    try:
        return tuple(dict.fromkeys(map(EscalationStatus, named))) or (EscalationStatus.OPEN,)
    except ValueError:
        problem = translate("invalid.choice", field="status", choices=[s.value for s in EscalationStatus])
        raise api_error(
            E.INVALID_REQUEST, translate("refuse.invalid", problems=[problem]), translate("refuse.invalid_next")
        ) from None


def _summary(view: EscalationView) -> EscalationSummary:
    start = view.start
    return EscalationSummary(
        escalation_id=start.escalation_id,
        reference=start.reference,
        venue_id=start.venue_id,
        session_id=start.session_id,
        status=view.status,
        reason=start.reason,
        why=translate(f"escalation.reason_{start.reason}"),
        asked=start.asked,
        reply=start.reply,
        opened_at=start.opened_at,
        lapses_at=start.opened_at + timedelta(seconds=start.lapse_after),
        ended_at=view.ended_at,
        answer=_answered(view.answer, in_chat=view.delivered_at is not None),
    )


def _answered(answer: StaffAnswer | None, *, in_chat: bool) -> AnsweredEscalation | None:
    if answer is None:
        return None
    return AnsweredEscalation(message=answer.message, by=answer.by, at=answer.at, in_chat=in_chat)
