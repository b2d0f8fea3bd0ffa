"""The API that ROLLER iQ calls. It validates, forwards and phrases; all decisions are in workflows and `reasoning/`."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import Depends, FastAPI

from api import errors
from api.ag_ui import routes as ag_ui
from api.auth.credentials import KeyGuessLimiter, TokenCache, require_caller, service_key
from api.auth.page_session import PageSessions
from api.auth.rate_limits import RateLimits
from api.auth.staff_session import StaffSessions
from api.auth.staff_session import staff as for_staff
from api.health_history import HealthHistory
from api.mcp.app import PATH, McpApp
from api.mcp.auth import McpServices
from api.mcp.errors import refusal
from api.middleware.body_limit import BodyLimitMiddleware
from api.middleware.locale import LocaleMiddleware
from api.middleware.request_id import RequestIdMiddleware
from api.middleware.server_error import ServerErrorMiddleware
from api.openapi import add_documentation, operation_id
from api.routes import (
    actions,
    day,
    debug,
    escalations,
    events,
    health,
    messages,
    metrics,
    modes,
    page,
    plan_list,
    plans,
    sessions,
    staff,
    usage,
)
from api.routes.codec import create_codec_app
from api.routes.page import Demo, tickets
from api.routes.static import add_page
from api.shutdown import AnsweredAtShutdown, Shutdown
from api.sse import EventStreams
from api.turns import TurnService
from clients.admission import AdmissionControl
from clients.services import Services
from infra.http.http_server import TELEMETRY

_ABOUT = """
An operator's message becomes a plan; one confirmation carries it out; a failure undoes it.

1. `POST /v1/requests` with what the operator typed.
2. Show the plan; `POST /v1/plans/{id}/confirm`.
3. Watch `GET /v1/plans/{id}/events`, or poll `GET /v1/plans/{id}` until its status is terminal and `rollback.state`, if
   any, is `done`.
"""


def create_app(services: Services, demo: Demo | None = None) -> FastAPI:
    """Return the API over the services of this process; each route receives only what it uses. `demo`: the operator
    that a visitor of the page is signed in as."""
    settings, last_shown = services.settings, services.last_shown
    tokens, limits = TokenCache(services.venues), RateLimits(settings)
    sayings = TurnService(
        services.command_store,
        services.vault,
        services.commands,
        services.chats,
        services.plans,
        last_shown,
        settings.turn_budget,
        services.observer,
        AdmissionControl(settings.max_concurrent_turns, "message", services.observer),
    )
    mcp = McpApp(McpServices(services, tokens, last_shown, limits, sayings))

    @contextlib.asynccontextmanager
    async def serving(_: FastAPI) -> AsyncIterator[None]:
        async with mcp.open():
            yield

    app = FastAPI(
        title="iQ booking updates",
        version="1",
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=operation_id,
        telemetry=TELEMETRY,
        lifespan=serving,
    )
    app.state.services = services
    app.state.tokens = tokens
    app.state.shown = last_shown
    app.state.limits = limits
    app.state.wrong_keys = KeyGuessLimiter(settings)
    app.state.page_sessions = PageSessions(services.vault, settings.page_session)
    app.state.staff_sessions = StaffSessions(services.vault, settings)
    app.state.demo = demo
    app.state.streams = EventStreams(settings.max_streams_per_user)
    app.state.sayings = sayings
    app.state.unwell = HealthHistory()
    app.state.stopping = Shutdown()
    errors.install(app)
    _add_routes(app, services, mcp)
    _add_middleware(app, services)
    return app


def _add_routes(app: FastAPI, services: Services, mcp: McpApp) -> None:
    """Add the routes of every front end, each with its authentication."""
    for router in (messages.router, plan_list.router, plans.router, events.router, sessions.router, day.router):
        app.include_router(router, prefix="/v1", dependencies=[Depends(require_caller)])
    app.include_router(debug.router, prefix="/v1")
    for router in (actions.router, tickets, ag_ui.router):
        app.include_router(router, prefix="/v1", dependencies=[Depends(service_key)])
    for router in (usage.router, modes.router, escalations.router):
        app.include_router(router, prefix="/v1", dependencies=[Depends(for_staff)])
    app.router.routes.append(mcp.route())
    app.include_router(page.router)
    app.include_router(staff.router)
    add_page(app)
    app.include_router(health.router)
    app.include_router(metrics.router)
    add_documentation(app, needs_key=services.settings.service_key is not None)
    app.mount("/codec", create_codec_app(services, app.state.wrong_keys))


def _add_middleware(app: FastAPI, services: Services) -> None:
    """Add the middleware, the outermost last."""
    app.add_middleware(
        BodyLimitMiddleware,
        limit=services.settings.max_body,
        timeout=services.settings.body_timeout,
        renderers={PATH: refusal},
        count=lambda error: services.observer.count("refusal", error_type=error.error_type.value),
    )
    app.add_middleware(ServerErrorMiddleware, answered=errors.unexpected)
    app.add_middleware(
        AnsweredAtShutdown, stopping=app.state.stopping, forms={PATH: refusal}, answered=errors.error_response
    )
    app.add_middleware(LocaleMiddleware, registries=services.registries)
    app.add_middleware(RequestIdMiddleware)
