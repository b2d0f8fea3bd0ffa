"""The request of a run, validated before the run begins. An invalid request gets an HTTP error.

Of a `RunAgentInput` the thread, the messages, `resume` and `forwardedProps` are read. The client's tools, context and
state are ignored, because a client must not define what a plan may do or what its state is.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID, uuid5

from ag_ui.core import Message, ResumeEntry, RunAgentInput, TextPart, UserMessage
from fastapi import Body, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from api.schemas import RequestBody
from clients.errors import api_error
from contracts.base import StrictModel
from contracts.enums import ServiceErrorType
from contracts.identifiers import Identifier, Seen
from contracts.limits import exceeds_depth, sanitize_json
from language.messages.catalogue import translate

M = TypeVar("M", bound=BaseModel)

_NAMESPACE = UUID("5f1c6a3e-0f0a-4d59-9f0c-6f3f1f0b9f5e")

MESSAGE_ID = "message:"
"""Prefix of the id of a message that was restored from the chat's transcript; the id of its request follows."""

_RESTORED = re.compile(rf"{MESSAGE_ID}([\w.:@+\-]{{1,128}})")

_DEPTH = 40
"""Levels: our data that a client echoes has ten."""


class WatchPlan(StrictModel):
    """Follow a plan, or by default the thread's last one."""

    do: Literal["watch"]
    plan_id: Identifier | None = None


class SkipCommand(StrictModel):
    """Skip an optional step, until it starts."""

    do: Literal["skip"]
    plan_id: Identifier
    step: int = Field(ge=1, le=1000)


class CancelCommand(StrictModel):
    """Cancel a plan, or stop it before its next step."""

    do: Literal["cancel"]
    plan_id: Identifier


class UndoCommand(StrictModel):
    """Undo a completed plan."""

    do: Literal["undo"]
    plan_id: Identifier


Command = Annotated[WatchPlan | SkipCommand | CancelCommand | UndoCommand, Field(discriminator="do")]


class ForwardedProps(BaseModel):
    """The fields of `forwardedProps` that are read; front ends may add fields of their own."""

    model_config = ConfigDict(extra="ignore")

    user_id: Identifier
    venue_id: Identifier | None = None
    command: Command | None = None


class _Names(StrictModel):
    """The fields of an input that must be valid identifiers."""

    thread_id: Identifier = Field(alias="threadId")
    run_id: Annotated[str, Seen] = Field(alias="runId", min_length=1, max_length=200)


@dataclass(frozen=True)
class OperatorMessage:
    """A message of the operator: its `index` among the messages, and an id that stays the same on a resend."""

    index: int
    text: str
    request_id: str


@dataclass(frozen=True)
class RunRequest:
    """The validated request of one run."""

    thread_id: str
    run_id: str
    user_id: str
    venue_id: str | None
    messages: tuple[Message, ...]
    resume: tuple[ResumeEntry, ...]
    command: WatchPlan | SkipCommand | CancelCommand | UndoCommand | None
    message: OperatorMessage | None

    def body(self, message: OperatorMessage) -> RequestBody:
        """Return a message as `POST /v1/requests` accepts it."""
        return RequestBody(
            user_message=message.text, session_id=self.thread_id, user_id=self.user_id, venue_id=self.venue_id
        )


async def asked(request: Request, body: Annotated[RunAgentInput, Body()]) -> RunRequest:
    """Return the requested run. Raises `ApiError` and `RequestValidationError`: invalid_request."""
    raw = await request.json()
    if exceeds_depth(raw, _DEPTH):
        raise api_error(ServiceErrorType.INVALID_REQUEST, translate("refuse.unreadable"))
    given = RunAgentInput.model_validate(sanitize_json(raw))
    # Use the ids as they were sent, because an id without its invisible characters belongs to another user.
    sent = raw if isinstance(raw, dict) else {}
    _check(_Names, {"threadId": sent.get("threadId", given.thread_id), "runId": sent.get("runId", given.run_id)})
    own = sent.get("forwardedProps")
    props = _check(ForwardedProps, own if isinstance(own, dict) else {}, "forwardedProps")
    resume = tuple(given.resume or ())
    message = None if props.command is not None else _message_of(given.messages, only_last=bool(resume))
    if not resume and props.command is None and message is None:
        raise api_error(
            ServiceErrorType.INVALID_REQUEST, translate("ag_ui.nothing_said"), translate("ag_ui.nothing_said_next")
        )
    found = RunRequest(
        thread_id=given.thread_id,
        run_id=given.run_id,
        user_id=props.user_id,
        venue_id=props.venue_id,
        messages=tuple(given.messages),
        resume=resume,
        command=props.command,
        message=message,
    )
    if message is not None:
        _check(RequestBody, {"user_message": message.text, "session_id": found.thread_id, "user_id": found.user_id},
               f"messages.{message.index}")  # fmt: skip
    return found


def _check(model: type[M], values: object, *where: str) -> M:
    try:
        return model.model_validate(values)
    except ValidationError as wrong:
        problems = [{**problem, "loc": ("body", *where, *problem["loc"])} for problem in wrong.errors()]
        raise RequestValidationError(problems, body=values) from None


def _message_of(messages: list[Message], *, only_last: bool) -> OperatorMessage | None:
    """Return the user's last message with a text. With `only_last` return it only if no message follows it, because
    beside answers to interrupts an older message was answered long ago."""
    users = [index for index, message in enumerate(messages) if isinstance(message, UserMessage)]
    if not users or (only_last and users[-1] != len(messages) - 1):
        return None
    message = messages[users[-1]]
    assert isinstance(message, UserMessage)
    text = _text_of(message).strip()
    return OperatorMessage(users[-1], text, _request_id(message.id, text, len(users))) if text else None


def _text_of(message: UserMessage) -> str:
    """Return the message's text. Parts that are not text are skipped, as AG-UI requires of agents that cannot use
    them."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text for part in message.content if isinstance(part, TextPart))


def _request_id(message_id: str, text: str, ordinal: int) -> str:
    """Return an id that is the same for every run that sends this message again, whatever the run's id. Messages of a
    client that gives all of them one id still get different ids."""
    if restored := _RESTORED.fullmatch(message_id):
        return restored[1]
    return str(uuid5(_NAMESPACE, f"{message_id}\n{ordinal}\n{text}"))


def command_id(interrupt_id: str, answer: Any) -> str:
    """Return the id of a command's request: the same for the same answer to the same interrupt."""
    return hashlib.sha256(f"{interrupt_id}\n{answer}".encode()).hexdigest()
