"""How a person is asked: by the client, with a form (elicitation).

On a connection of the handshake protocols the question is a request on the call's own stream, and the call waits. Since
2026-07-28 there is no such request: the call ends with an `InputRequiredResult`, and the client calls again with the
answer. What was asked travels with it, sealed; an answer to anything else is none.
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
    from api.mcp.caller import Context

log = logging.getLogger(__name__)

_NAME = "answer"


@dataclass(frozen=True)
class Question:
    """One form: what a person reads, and the one field of it. `seconds`: as long as an answer makes sense. Its `key`
    is that of all that is read, so that nothing else is answered by it."""

    about: str
    message: str
    field: str
    schema: dict[str, Any]
    seconds: float

    @property
    def key(self) -> str:
        """The same for the same words about the same thing."""
        text = json.dumps([self.about, self.message, self.field, self.schema])
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Reply:
    """What came of a question: `value` only of a form that was sent off. `none`: nobody answered it."""

    action: Literal["accept", "decline", "cancel", "none"]
    value: Any = None


class AskedError(Exception):
    """The call ends here, and its client is to call again with an answer."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("input required")
        self.result = result


def shows_forms(client: ClientCapabilities | None) -> bool:
    """Whether a client says that it shows forms. One that names no mode has the only one that there was."""
    shows = client.elicitation if client is not None else None
    return shows is not None and (shows.form is not None or shows.url is None)


class Asking:
    """The questions of one call. `waited`: seconds for which a person was waited for. `resumed`: whether it was called
    again with an answer."""

    def __init__(self, ctx: "Context", params: CallToolRequestParams) -> None:
        self._ctx = ctx
        self._modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        self._answered = _answered(params) if self._modern else None
        self.resumed = self._answered is not None
        self.waited = 0.0

    @property
    def possible(self) -> bool:
        """Whether the client says that it shows forms."""
        session = self._ctx.session
        return shows_forms(session.client_capabilities) and (self._modern or session.can_send_request)

    async def ask(self, question: Question) -> Reply:
        """What the person says. Raises `AskedError` where the client must call again with it."""
        asked = ElicitRequest(
            params=ElicitRequestFormParams(message=question.message, requested_schema=_form(question))
        )
        if not self._modern:
            return await self._wait(asked, question)
        if self._answered is not None and self._answered[0] == question.key:
            _, result = self._answered
            # The same question may have to be asked once more in this call.
            self._answered = None
            return _reply(result, question.field)
        raise AskedError(InputRequiredResult(input_requests={_NAME: asked}, request_state=question.key))

    async def _wait(self, asked: ElicitRequest, question: Question) -> Reply:
        began = asyncio.get_running_loop().time()
        try:
            result = await self._ctx.session.send_request(
                asked,
                ElicitResult,
                request_read_timeout_seconds=max(question.seconds, 1.0),
                metadata=ServerMessageMetadata(related_request_id=self._ctx.request_id),
            )
        except (MCPError, NoBackChannelError, ValidationError) as error:
            log.info("a question was not answered: %s", type(error).__name__)
            return Reply("none")
        finally:
            self.waited += asyncio.get_running_loop().time() - began
        return _reply(result, question.field)


def _form(question: Question) -> dict[str, Any]:
    return {"type": "object", "properties": {question.field: question.schema}, "required": [question.field]}


def _answered(params: CallToolRequestParams) -> tuple[str, ElicitResult] | None:
    """Which question a client answers, and how. An answer without what was asked is none."""
    result = (params.input_responses or {}).get(_NAME)
    if params.request_state is None or not isinstance(result, ElicitResult):
        return None
    return params.request_state, result


def _reply(result: ElicitResult, field: str) -> Reply:
    value = (result.content or {}).get(field) if result.action == "accept" else None
    return Reply(result.action, value)
