"""The HTTP interface: OpenAI's chat completions, answered by rules. No language model is behind it.

POST /v1/chat/completions   tools, and `stream: true` as server-sent events
GET  /v1/models             the one model, `offline-planner`
GET  /                      a description of the server
"""

import json
import logging
import time

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from infra.http.http_server import TELEMETRY
from language.messages.catalogue import activate_locale
from offline_planner import endpoint_habits, protocol
from offline_planner.adaptive import adaptive, critique
from offline_planner.answers.venue_facts import answered
from offline_planner.brief import read_brief
from offline_planner.execute import execute
from offline_planner.plan import plan
from offline_planner.tools import read_toolbox

ABOUT = "The offline planner: rules in the shape of a chat model. Not a language model; for development and tests."
HEADERS = {"X-Sandbox": protocol.MODEL}
_MOST_BYTES = 4_000_000
_STARTED = 1_767_225_600

log = logging.getLogger(__name__)


def create_app(like: str = "") -> FastAPI:
    """Return the server. It keeps no state between calls. `like`: an endpoint whose peculiarities it imitates
    (`offline_planner.endpoint_habits`); `app.state.like` may be changed while it runs."""
    app = FastAPI(
        title="Offline planner (sandbox)", description=ABOUT, docs_url=None, redoc_url=None, telemetry=TELEMETRY
    )

    app.state.like = like

    @app.get("/")
    async def about() -> JSONResponse:
        return JSONResponse({"name": protocol.MODEL, "about": ABOUT}, headers=HEADERS)

    @app.get("/v1/models")
    async def models() -> JSONResponse:
        return JSONResponse({"object": "list", "data": [_MODEL]}, headers=HEADERS)

    @app.get("/v1/models/{name}")
    async def model(name: str) -> JSONResponse:
        if name != protocol.MODEL:
            return _failed(404, f"The model '{name}' does not exist; there is {protocol.MODEL}.", "model_not_found")
        return JSONResponse(_MODEL, headers=HEADERS)

    @app.post("/v1/chat/completions")
    async def completions(request: Request) -> Response:
        return _completed(await request.body(), app.state.like)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return _failed(error.status_code, str(error.detail))

    @app.exception_handler(Exception)
    async def broken(_: Request, error: Exception) -> JSONResponse:
        log.error("the offline planner failed: %s", type(error).__name__)
        return JSONResponse(protocol.error_body("The offline planner failed.", "server_error"), 500, headers=HEADERS)

    return app


def _completed(body: bytes, like: str) -> Response:
    """Return the completion for a request's body, or its refusal."""
    if len(body) > _MOST_BYTES:
        return _failed(413, "The request is too large.")
    try:
        query = protocol.read_request(body)
    except protocol.ProtocolError as fault:
        return _failed(400, str(fault))
    if like and (why := endpoint_habits.refusal(like, json.loads(body))):
        return _failed(400, why)
    reply, created = answer(query), int(time.time())
    if query.stream:
        chunks = iter(protocol.chunks(query, reply, created))
        return StreamingResponse(chunks, media_type="text/event-stream", headers=HEADERS)
    completion = protocol.completion(query, reply, created)
    return JSONResponse(endpoint_habits.written(like, completion) if like else completion, headers=HEADERS)


def answer(request: protocol.Request) -> protocol.ModelAnswer:
    """Return the reply to one request, by its task."""
    brief = read_brief(request.messages)
    if brief is None:
        return protocol.ModelAnswer(text=f"{ABOUT} It understands the system prompts of the booking assistant only.")
    activate_locale(brief.locale, brief.words)
    if brief.task == "critique":
        return critique(brief)
    toolbox = read_toolbox(request.tools, brief.reads)
    if brief.task == "execute":
        return execute(request.messages, brief, toolbox)
    if brief.adaptive:
        return adaptive(request.messages, brief, toolbox)
    last = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
    return answered(last, brief) or plan(request.messages, brief, toolbox)


def _failed(status: int, message: str, code: str | None = None) -> JSONResponse:
    return JSONResponse(protocol.error_body(message, code=code), status, headers=HEADERS)


_MODEL = {"id": protocol.MODEL, "object": "model", "created": _STARTED, "owned_by": "sandbox"}
