"""What a client asks of a run, checked before the run begins: what is wrong with it is an HTTP error.

Of a `RunAgentInput` the thread, the messages, `resume` and `forwardedProps` are read. Tools, context and state of the
client are ignored: what a plan may do, and how it stands, is not a client's to say.
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

from api.bodies import RequestBody
from clients.errors import refuse
from contracts.base import Edge
from contracts.bounds import cleaned, deeper
from contracts.enums import ServiceErrorType
from contracts.names import Identifier, Seen
from language.catalogue import say

M = TypeVar("M", bound=BaseModel)

_NAMESPACE = UUID("5f1c6a3e-0f0a-4d59-9f0c-6f3f1f0b9f5e")

SAID = "said:"
"""What the id of a message begins with that was restored from the chat's memory; its request's id follows."""

_RESTORED = re.compile(rf"{SAID}([\w.:@+\-]{{1,128}})")

_DEPTH = 40
"""Levels: what a client echoes of ours is ten deep."""


class Watch(Edge):
    """Follow a plan, or else the thread's last one, as it goes on."""

    do: Literal["watch"]
    plan_id: Identifier | None = None


class Skip(Edge):
    """Leave out a step that the plan can do without, until it starts."""

    do: Literal["skip"]
    plan_id: Identifier
    step: int = Field(ge=1, le=1000)


class Cancel(Edge):
    """Drop a plan, or stop it before its next step."""

    do: Literal["cancel"]
    plan_id: Identifier


class Undo(Edge):
    """Reverse a completed plan."""

    do: Literal["undo"]
    plan_id: Identifier


Command = Annotated[Watch | Skip | Cancel | Undo, Field(discriminator="do")]


class Props(BaseModel):
    """What is read of `forwardedProps`; front ends put things of their own beside it."""

    model_config = ConfigDict(extra="ignore")

    user_id: Identifier
    venue_id: Identifier | None = None
    command: Command | None = None


class _Names(Edge):
    """What of an input must be one of our names."""

    thread_id: Identifier = Field(alias="threadId")
    run_id: Annotated[str, Seen] = Field(alias="runId", min_length=1, max_length=200)


@dataclass(frozen=True)
class OperatorMessage:
    """A message of the operator: `place` in the messages, and the id that is the same however often it is sent."""

    place: int
    text: str
    request_id: str


@dataclass(frozen=True)
class Asked:
    """One run as it was asked for."""

    thread_id: str
    run_id: str
    user_id: str
    venue_id: str | None
    messages: tuple[Message, ...]
    resume: tuple[ResumeEntry, ...]
    command: Watch | Skip | Cancel | Undo | None
    said: OperatorMessage | None

    def body(self, said: OperatorMessage) -> RequestBody:
        """A message as `POST /v1/requests` takes it."""
        return RequestBody(
            user_message=said.text, session_id=self.thread_id, user_id=self.user_id, venue_id=self.venue_id
        )


async def asked(request: Request, body: Annotated[RunAgentInput, Body()]) -> Asked:
    """The run that is asked for. Raises `RequestError` and `RequestValidationError`: invalid_request."""
    raw = await request.json()
    if deeper(raw, _DEPTH):
        raise refuse(ServiceErrorType.INVALID_REQUEST, say("refuse.unreadable"))
    given = RunAgentInput.model_validate(cleaned(raw))
    # As they were sent: a name without its unseen characters is another's.
    sent = raw if isinstance(raw, dict) else {}
    _check(_Names, {"threadId": sent.get("threadId", given.thread_id), "runId": sent.get("runId", given.run_id)})
    own = sent.get("forwardedProps")
    props = _check(Props, own if isinstance(own, dict) else {}, "forwardedProps")
    resume = tuple(given.resume or ())
    said = None if props.command is not None else _said(given.messages, only_last=bool(resume))
    if not resume and props.command is None and said is None:
        raise refuse(ServiceErrorType.INVALID_REQUEST, say("ag_ui.nothing_said"), say("ag_ui.nothing_said_next"))
    found = Asked(
        thread_id=given.thread_id,
        run_id=given.run_id,
        user_id=props.user_id,
        venue_id=props.venue_id,
        messages=tuple(given.messages),
        resume=resume,
        command=props.command,
        said=said,
    )
    if said is not None:
        _check(RequestBody, {"user_message": said.text, "session_id": found.thread_id, "user_id": found.user_id},
               f"messages.{said.place}")  # fmt: skip
    return found


def _check(model: type[M], values: object, *where: str) -> M:
    try:
        return model.model_validate(values)
    except ValidationError as wrong:
        problems = [{**problem, "loc": ("body", *where, *problem["loc"])} for problem in wrong.errors()]
        raise RequestValidationError(problems, body=values) from None


def _said(messages: list[Message], *, only_last: bool) -> OperatorMessage | None:
    """The last message of the user that holds a text; with `only_last` only if nothing stands behind it: with answers
    to interrupts an older one was answered long ago."""
    users = [place for place, message in enumerate(messages) if isinstance(message, UserMessage)]
    if not users or (only_last and users[-1] != len(messages) - 1):
        return None
    message = messages[users[-1]]
    assert isinstance(message, UserMessage)
    text = _text_of(message).strip()
    return OperatorMessage(users[-1], text, _request_id(message.id, text, len(users))) if text else None


def _text_of(message: UserMessage) -> str:
    """Its text; a part that is no text is skipped, as AG-UI wants it of whoever cannot use one."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text for part in message.content if isinstance(part, TextPart))


def _request_id(message_id: str, text: str, ordinal: int) -> str:
    """The same for every run that sends this message again, whatever the run's id. A client that gives all its messages
    one id still says each."""
    if restored := _RESTORED.fullmatch(message_id):
        return restored[1]
    return str(uuid5(_NAMESPACE, f"{message_id}\n{ordinal}\n{text}"))


def word_id(interrupt_id: str, answer: Any) -> str:
    """The id of a word's request: the same for the same answer to the same interrupt."""
    return hashlib.sha256(f"{interrupt_id}\n{answer}".encode()).hexdigest()
