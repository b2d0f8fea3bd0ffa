"""Errors before a tool is called, in the one form whose text MCP clients read: a JSON-RPC error with the text in
`message` and the `ServiceError` in `data`, under the usual HTTP status.

The library's own protocol errors have no next step, so it is added here.
"""

import json
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_REQUEST
from starlette.responses import JSONResponse
from starlette.types import Message, Send

from api.errors import error_response
from clients.errors import api_error
from contracts.enums import ServiceErrorType as E
from contracts.errors import ServiceError
from language.messages.catalogue import translate

_REFUSED = -32050
"""A code of JSON-RPC's range for server-defined errors, to which MCP assigns no meaning; `data` has the error type."""

_KINDS = {404: E.NOT_FOUND, 409: E.CONFLICT, 413: E.TOO_LARGE, 500: E.SERVICE_UNAVAILABLE, 503: E.SERVICE_UNAVAILABLE}
_WORDS = {(404, INVALID_REQUEST): "no_session", (503, INTERNAL_ERROR): "many_sessions"}
"""The library's session errors (`StreamableHTTPSessionManager`), by status and code, as our message keys."""


def refusal(error: ServiceError) -> JSONResponse:
    """Return an error in the form of MCP clients."""
    plain = error_response(error)
    fields = {"code": _REFUSED, "message": _whole(error), "data": _data(error)}
    headers = {"Retry-After": plain.headers["Retry-After"]} if "Retry-After" in plain.headers else None
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": fields}, plain.status_code, headers)


class ErrorExplainer:
    """Forwards the library's responses, and adds a next step to its errors."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        """Send a message, as an ASGI `send`."""
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
    """Explain what to do about an answer to a question that is no longer open (middleware of the server)."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        if not isinstance(error.error.data, dict) or error.error.data.get("reason") != "invalid_request_state":
            raise
        answer = api_error(E.INVALID_REQUEST, translate("mcp.no_question"), translate("mcp.no_question_next")).answer
        raise MCPError(error.error.code, _whole(answer), {**error.error.data, **_data(answer)}) from None


def _with_a_way_out(status: int, body: bytes) -> bytes:
    try:
        sent = json.loads(body)
        error = sent["error"]
        words = error["message"]
    except (ValueError, KeyError, TypeError):
        words = body.decode(errors="replace")
        error = {"code": INVALID_REQUEST, "message": words}
        sent = {"jsonrpc": "2.0", "id": None}
    if error.get("data") is not None:
        return body
    kind = _KINDS.get(status, E.INVALID_REQUEST)
    ours = _WORDS.get((status, error.get("code")))
    if ours is not None:
        answer = api_error(kind, translate(f"mcp.{ours}"), translate(f"mcp.{ours}_next")).answer
    else:
        answer = api_error(kind, words, translate("mcp.protocol_next")).answer
    return json.dumps({**sent, "error": {**error, "message": _whole(answer), "data": _data(answer)}}).encode()


def _whole(error: ServiceError) -> str:
    texts = (error.message, *error.suggestions)
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts)


def _data(error: ServiceError) -> dict[str, Any]:
    return error.model_dump(mode="json", exclude_none=True)
