"""The ASGI application, where requests arrive. `create_app` joins the routes; no decision is made here.

POST /api/{tool}     nine tools; a tool's own body, or a message of Vapi's
POST /vapi           a message of Vapi's with calls of any tools but `faq`
GET  /staff/…        what the restaurant's staff see (`restaurant/staff/routes.py`)
GET  /counts         outcomes of calls, by tool and code
PUT  /control/clock  with the controls on: set the time
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from infra.http.http_server import TELEMETRY
from restaurant import messages_it, vapi
from restaurant.auth import TooManyGuessesError, UnauthorizedError
from restaurant.clock import read_moment
from restaurant.errors import Code, RefusalError
from restaurant.openapi import CountsAnswer, Denied, Health, document_of, post_kwargs
from restaurant.schemas import requests
from restaurant.schemas.responses import ErrorAnswer, of_refusal
from restaurant.service import RestaurantService
from restaurant.staff.routes import staff_routes
from restaurant.tools.context import BACKEND, RestaurantCaller
from restaurant.tools.dispatch import TOOLS, Tool, call

VERSION = "1.0.0"
CLOCK_HEADER = "x-restaurant-clock"
CALLER_HEADER = "x-caller-phone"


def create_app(service: RestaurantService) -> FastAPI:
    """Return the service over HTTP. The application closes `service` when it shuts down."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        forgetting = asyncio.create_task(service.keep_forgetting())
        yield
        forgetting.cancel()
        with suppress(asyncio.CancelledError):
            await forgetting
        await service.close()

    app = FastAPI(
        title="Restaurant tools",
        version=VERSION,
        description="Openings and bookings of restaurants, as tools of a voice assistant.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        # The document has a route of its own, with the same authentication as the others.
        openapi_url=None,
        redirect_slashes=False,
        telemetry=TELEMETRY,
    )
    app.state.service = service
    for tool in TOOLS.values():
        app.add_api_route(f"/api/{tool.name}", _tool_route(service, tool), methods=["POST"], **post_kwargs(tool))
    app.add_api_route("/vapi", _vapi_route(service), methods=["POST"], **post_kwargs(None))
    app.include_router(staff_routes(service))
    _add_own(app, service)
    for error in (
        HTTPException,
        RequestValidationError,
        UnauthorizedError,
        TooManyGuessesError,
        RefusalError,
        _TooLargeError,
    ):
        app.add_exception_handler(error, _render)
    app.openapi = lambda: document_of(app)  # type: ignore[method-assign]
    return app


Route = Callable[[Request], Awaitable[JSONResponse]]


def _tool_route(service: RestaurantService, tool: Tool) -> Route:
    async def route(request: Request) -> JSONResponse:
        await service.doors.check(request)
        with _clock(service, request):
            body = await _body(request, service.max_body)
            if vapi.is_envelope(body):
                found = await vapi.answer(service.desk, _mapping(body), _caller(service, request, body), tool)
                return _json(found)
            return _json(await call(service.desk, tool, body, _caller(service, request, None)))

    return route


def _vapi_route(service: RestaurantService) -> Route:
    async def route(request: Request) -> JSONResponse:
        await service.doors.check(request)
        with _clock(service, request):
            body = await _body(request, service.max_body)
            if not vapi.is_envelope(body):
                return _json(ErrorAnswer(error_code=Code.VALIDATION_ERROR, message=messages_it.NOT_JSON))
            return _json(await vapi.answer(service.desk, _mapping(body), _caller(service, request, body)))

    return route


class ClockBody(BaseModel):
    """A moment, or null for the real time."""

    now: str | None = None


def _add_own(app: FastAPI, service: RestaurantService) -> None:
    @app.get("/healthz", summary="Whether it runs")
    async def healthz() -> Health:
        return Health(ok=True)

    @app.get("/openapi.json", include_in_schema=False)
    async def document(request: Request) -> JSONResponse:
        await service.doors.check(request)
        return JSONResponse(app.openapi())

    @app.get(
        "/counts",
        summary="How calls ended, by tool and code",
        responses={401: {"model": Denied}, 429: {"model": Denied}},
    )
    async def counts(request: Request) -> CountsAnswer:
        await service.doors.check(request)
        return CountsAnswer(tools=service.desk.counts.by_tool())

    if service.controls:

        @app.put("/control/clock", include_in_schema=False)
        async def set_clock(request: Request, body: ClockBody) -> ClockBody:
            await service.doors.check(request)
            service.desk.clock.stopped_at = _moment(body.now) if body.now else None
            return body


def _moment(text: str) -> Any:
    try:
        return read_moment(text)
    except ValueError:
        raise RefusalError(Code.VALIDATION_ERROR, messages_it.wrong("now")) from None


def _clock(service: RestaurantService, request: Request) -> AbstractContextManager[None]:
    text = request.headers.get(CLOCK_HEADER)
    if text is None or not service.controls:
        return nullcontext()
    return service.desk.clock.for_this_request(_moment(text))


def _caller(service: RestaurantService, request: Request, body: object) -> RestaurantCaller:
    """Return the caller whose bookings may be read and changed: the calling number, from Vapi's message or the header.
    Without a number it is the operator's backend, which has sent the secret and may access all."""
    proven = vapi.caller_of(_mapping(body)) if body is not None else None
    if body is not None and proven is None and service.proven_callers:
        proven = RestaurantCaller("")
    text = request.headers.get(CALLER_HEADER)
    if text is not None:
        try:
            by_header = RestaurantCaller(requests.phone(text))
        except ValueError:
            by_header = RestaurantCaller("")
        # Two different numbers prove neither.
        return by_header if proven in (None, by_header) else RestaurantCaller("")
    return proven or BACKEND


def _mapping(body: object) -> dict[str, Any]:
    assert isinstance(body, dict)
    return body


class _TooLargeError(Exception):
    """A body longer than `IQ_MAX_BODY`. It is not read to its end."""


async def _body(request: Request, most: int) -> object:
    """Return the body as JSON, or None if it is not JSON. Raises `_TooLargeError`."""
    read = bytearray()
    async for piece in request.stream():
        read += piece
        if len(read) > most:
            raise _TooLargeError
    try:
        return json.loads(read)
    except (ValueError, RecursionError):
        return None


def _json(answer: BaseModel) -> JSONResponse:
    return JSONResponse(answer.model_dump(mode="json"))


def _asking_for_the_secret() -> JSONResponse:
    body = Denied(error_code="UNAUTHORIZED", message=messages_it.UNAUTHORIZED)
    answer = JSONResponse(body.model_dump(mode="json"), status_code=401)
    # Each scheme has a header of its own: Chromium accepts none from a list in one header, and the staff page would
    # show no password prompt.
    answer.headers.append("WWW-Authenticate", 'Basic realm="staff", charset="UTF-8"')
    answer.headers.append("WWW-Authenticate", "Bearer")
    return answer


async def _render(_: Request, error: Exception) -> JSONResponse:
    headers = None
    match error:
        case UnauthorizedError():
            return _asking_for_the_secret()
        case TooManyGuessesError():
            status, body = 429, Denied(error_code="TOO_MANY_GUESSES", message=messages_it.TOO_MANY)
            headers = {"Retry-After": "60"}
        case _TooLargeError():
            return _json(ErrorAnswer(error_code=Code.VALIDATION_ERROR, message=messages_it.TOO_LARGE))
        case RefusalError():
            return JSONResponse(of_refusal(error).model_dump(mode="json"), status_code=422)
        case HTTPException():
            wrong_method = error.status_code == 405
            code, message = (
                ("METHOD_NOT_ALLOWED", messages_it.METHOD) if wrong_method else ("NOT_FOUND", messages_it.NOT_A_PAGE)
            )
            status, body = error.status_code, Denied(error_code=code, message=message)
            headers = dict(error.headers) if error.headers else None
        case _:
            status, body = 422, Denied(error_code="VALIDATION_ERROR", message=messages_it.NOT_JSON)
    return JSONResponse(body.model_dump(mode="json"), status_code=status, headers=headers)
