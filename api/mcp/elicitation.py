"""Elicitation: the client asks a person with a form.

In the handshake protocols the question is a request on the call's own stream, and the call waits. Since protocol
version 2026-07-28 there is no such request: the call ends with an `InputRequiredResult`, and the client calls again
with the answer. The question is sent along, sealed; an answer to another question is ignored.
"""

import asyncio
import hashlib
import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

if TYPE_CHECKING:
    from api.mcp.auth import Context

log = logging.getLogger(__name__)

_NAME = "answer"


@dataclass(frozen=True)
class Question:
    """One form: its text, and its one field. `seconds`: how long an answer is useful. `key` covers all of the text, so
    that an answer to another text does not count."""

    about: str
    message: str
    field: str
    schema: dict[str, Any]
    seconds: float

    @property
    def key(self) -> str:
        """Return a hash: the same for the same text about the same subject."""
        text = json.dumps([self.about, self.message, self.field, self.schema])
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class ElicitationReply:
    """The answer to a question. `value` is set only for a form that was submitted. `none`: no person answered."""

    action: Literal["accept", "decline", "cancel", "none"]
    value: Any = None


class ElicitationPendingError(Exception):
    """Ends the call: its client must call again with an answer."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("input required")
        self.result = result


def shows_forms(client: ClientCapabilities | None) -> bool:
    """Return whether a client declares that it shows forms. A client without modes means the form mode, the only one
    that existed."""
    shows = client.elicitation if client is not None else None
    return shows is not None and (shows.form is not None or shows.url is None)


class Elicitor:
    """The questions of one call. `waited`: seconds spent waiting for a person. `resumed`: whether the client called
    again with an answer."""

    def __init__(self, ctx: "Context", params: CallToolRequestParams) -> None:
        self._ctx = ctx
        self._modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        self._answered = _answered(params) if self._modern else None
        self.resumed = self._answered is not None
        self.waited = 0.0

    @property
    def possible(self) -> bool:
        """Return whether the client declares that it shows forms."""
        session = self._ctx.session
        return shows_forms(session.client_capabilities) and (self._modern or session.can_send_request)

    async def elicit(self, question: Question) -> ElicitationReply:
        """Return the person's answer. Raises `ElicitationPendingError` if the client must call again with it."""
        request = ElicitRequest(
            params=ElicitRequestFormParams(message=question.message, requested_schema=_form(question))
        )
        if not self._modern:
            return await self._wait(request, question)
        if self._answered is not None and self._answered[0] == question.key:
            _, result = self._answered
            # The same question may have to be asked again in this call.
            self._answered = None
            return _reply(result, question.field)
        raise ElicitationPendingError(InputRequiredResult(input_requests={_NAME: request}, request_state=question.key))

    async def _wait(self, request: ElicitRequest, question: Question) -> ElicitationReply:
        began = asyncio.get_running_loop().time()
        try:
            result = await self._ctx.session.send_request(
                request,
                ElicitResult,
                request_read_timeout_seconds=max(question.seconds, 1.0),
                metadata=ServerMessageMetadata(related_request_id=self._ctx.request_id),
            )
        except (MCPError, NoBackChannelError, ValidationError) as error:
            log.info("a question was not answered: %s", type(error).__name__)
            return ElicitationReply("none")
        finally:
            self.waited += asyncio.get_running_loop().time() - began
        return _reply(result, question.field)


def _form(question: Question) -> dict[str, Any]:
    return {"type": "object", "properties": {question.field: question.schema}, "required": [question.field]}


def _answered(params: CallToolRequestParams) -> tuple[str, ElicitResult] | None:
    """Return the question that a client answers, and the answer. Without its question an answer is ignored."""
    result = (params.input_responses or {}).get(_NAME)
    if params.request_state is None or not isinstance(result, ElicitResult):
        return None
    return params.request_state, result


def _reply(result: ElicitResult, field: str) -> ElicitationReply:
    value = (result.content or {}).get(field) if result.action == "accept" else None
    return ElicitationReply(result.action, value)
