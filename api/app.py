"""The facade: what ROLLER iQ talks to. It checks, forwards and phrases; it decides nothing."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import Depends, FastAPI

from api import (
    actions,
    day,
    debug,
    errors,
    escalations,
    events,
    health,
    metrics,
    modes,
    page,
    plan_list,
    plans,
    requests,
    sessions,
    staff,
    usage,
)
from api.ag_ui import route as ag_ui
from api.auth import TokenCache, caller, service_key
from api.body_limit import BodyLimit
from api.codec import create_codec_app
from api.documentation import add_documentation, operation_id
from api.limits import RateLimits
from api.mcp.caller import Parts
from api.mcp.door import PATH, McpDoor
from api.mcp.refusing import refusal
from api.page import Demo, tickets
from api.page_files import add_page
from api.page_session import PageSessions
from api.request_ids import RequestIds
from api.saying import Sayings
from api.shown import Shown
from api.staff_session import StaffSessions
from api.staff_session import staff as for_staff
from api.stopping import AnsweredAtAStop, Stopping
from api.streaming import Streams
from api.unexpected import Unexpected
from api.unwell import Unwell
from api.venue_language import VenueLanguage
from api.wrong_keys import WrongKeys
from clients.places import Places
from clients.services import Services
from infra.telemetry import TELEMETRY

_ABOUT = """
An operator's message becomes a plan; one confirmation carries it out; a failure undoes it.

1. `POST /v1/requests` with what the operator typed.
2. Show the plan; `POST /v1/plans/{id}/confirm`.
3. Watch `GET /v1/plans/{id}/events`, or poll `GET /v1/plans/{id}` until its status is terminal and `rollback.state`, if
   any, is `done`.
"""


def create_app(services: Services, demo: Demo | None = None) -> FastAPI:
    """The facade over the services of this process; each route is given only what it asks for. `demo`: whom a visitor
    of the page is signed in as."""
    settings, shown, tokens, limits = (
        services.settings,
        Shown(services.offers),
        TokenCache(services.venues),
        RateLimits(services.settings),
    )
    sayings = Sayings(
        services.claims,
        services.vault,
        services.words,
        services.chats,
        services.plans,
        shown,
        settings.turn_budget,
        services.observer,
        Places(settings.turns_at_once, "message", services.observer),
    )
    mcp = McpDoor(Parts(services, tokens, shown, limits, sayings))

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
    app.state.shown = shown
    app.state.limits = limits
    app.state.wrong_keys = WrongKeys(settings)
    app.state.page_sessions = PageSessions(services.vault, settings.page_session)
    app.state.staff_sessions = StaffSessions(services.vault, settings)
    app.state.demo = demo
    app.state.streams = Streams(settings.streams_user)
    app.state.sayings = sayings
    app.state.unwell = Unwell()
    app.state.stopping = Stopping()
    errors.install(app)
    _add_routes(app, services, mcp)
    _add_middleware(app, services)
    return app


def _add_routes(app: FastAPI, services: Services, mcp: McpDoor) -> None:
    """Every door, each with what lets a caller in."""
    for router in (requests.router, plan_list.router, plans.router, events.router, sessions.router, day.router):
        app.include_router(router, prefix="/v1", dependencies=[Depends(caller)])
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
    """What each call passes, the last added first."""
    app.add_middleware(
        BodyLimit,
        most=services.settings.max_body,
        within=services.settings.body_within,
        told={PATH: refusal},
        count=lambda error: services.observer.count("refusal", error_type=error.error_type.value),
    )
    app.add_middleware(Unexpected, answered=errors.unexpected)
    app.add_middleware(
        AnsweredAtAStop, stopping=app.state.stopping, forms={PATH: refusal}, answered=errors.error_response
    )
    app.add_middleware(VenueLanguage, registries=services.registries)
    app.add_middleware(RequestIds)
