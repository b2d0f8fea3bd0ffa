"""What is refused before a tool is called, in the one form that MCP clients read the words of: a JSON-RPC error, its
words in `message` and the `ServiceError` in `data`, under the status that it has everywhere.

The protocol's own refusals come from the library, without a way out: it is added here.
"""

import json
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_REQUEST
from starlette.responses import JSONResponse
from starlette.types import Message, Send

from api.errors import error_response
from clients.errors import refuse
from contracts.enums import ServiceErrorType as E
from contracts.errors import ServiceError
from language.catalogue import say

_REFUSED = -32050
"""A code of JSON-RPC's range for errors that a server defines, which MCP gives no meaning; `data` tells which it is."""

_KINDS = {404: E.NOT_FOUND, 409: E.CONFLICT, 413: E.TOO_LARGE, 500: E.SERVICE_UNAVAILABLE, 503: E.SERVICE_UNAVAILABLE}
_WORDS = {(404, INVALID_REQUEST): "no_session", (503, INTERNAL_ERROR): "many_sessions"}
"""What the library says of sessions (`StreamableHTTPSessionManager`) by status and code, in our words."""


def refusal(error: ServiceError) -> JSONResponse:
    """An error, as an MCP client is told it."""
    plain = error_response(error)
    told = {"code": _REFUSED, "message": _whole(error), "data": _data(error)}
    headers = {"Retry-After": plain.headers["Retry-After"]} if "Retry-After" in plain.headers else None
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": told}, plain.status_code, headers)


class Explained:
    """Sends the library's answers on, its refusals with a way out."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        """An ASGI `send`."""
        if message["type"] == "http.response.start" and message["status"] >= 400:
            self._begun = message
            return
        if self._begun is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        begun, body = self._begun, _with_a_way_out(self._begun["status"], self._body)
        kept = [(k, v) for k, v in begun["headers"] if k.lower() not in (b"content-length", b"content-type")]
        new = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self._send({**begun, "headers": [*kept, *new]})
        await self._send({"type": "http.response.body", "body": body})


async def explain_answers(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Says what to do about an answer that belongs to no question that still stands (middleware of the server)."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        if not isinstance(error.error.data, dict) or error.error.data.get("reason") != "invalid_request_state":
            raise
        answer = refuse(E.INVALID_REQUEST, say("mcp.no_question"), say("mcp.no_question_next")).answer
        raise MCPError(error.error.code, _whole(answer), {**error.error.data, **_data(answer)}) from None


def _with_a_way_out(status: int, body: bytes) -> bytes:
    try:
        told = json.loads(body)
        error = told["error"]
        words = error["message"]
    except (ValueError, KeyError, TypeError):
        words = body.decode(errors="replace")
        error = {"code": INVALID_REQUEST, "message": words}
        told = {"jsonrpc": "2.0", "id": None}
    if error.get("data") is not None:
        return body
    kind = _KINDS.get(status, E.INVALID_REQUEST)
    ours = _WORDS.get((status, error.get("code")))
    if ours is not None:
        answer = refuse(kind, say(f"mcp.{ours}"), say(f"mcp.{ours}_next")).answer
    else:
        answer = refuse(kind, words, say("mcp.protocol_next")).answer
    return json.dumps({**told, "error": {**error, "message": _whole(answer), "data": _data(answer)}}).encode()


def _whole(error: ServiceError) -> str:
    texts = (error.message, *error.suggestions)
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts)


def _data(error: ServiceError) -> dict[str, Any]:
    return error.model_dump(mode="json", exclude_none=True)
