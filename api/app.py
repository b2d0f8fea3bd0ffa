"""The facade: what ROLLER iQ talks to. It checks, forwards and phrases; it decides nothing."""

from fastapi import Depends, FastAPI

from api import actions, errors, health, plans, requests, sessions
from api.auth import TokenCache, service_key
from api.codec import create_codec_app
from api.limits import BodyLimit, RateLimits
from api.request_ids import RequestIds
from api.shown import Shown
from api.venue_language import VenueLanguage
from clients.services import Services
from infra.telemetry import TELEMETRY

_ABOUT = """
An operator's message becomes a plan; one confirmation carries it out; a failure undoes it.

1. `POST /v1/requests` with what the operator typed.
2. Show the plan; `POST /v1/plans/{id}/confirm`.
3. Poll `GET /v1/plans/{id}` until its status is terminal and `rollback.state`, if any, is `done`.
"""


def create_app(parts: Services) -> FastAPI:
    """The facade over the parts of this process."""
    app = FastAPI(
        title="iQ booking updates",
        version="1",
        description=_ABOUT,
        docs_url="/docs",
        redoc_url=None,
        telemetry=TELEMETRY,
    )
    app.state.parts = parts
    app.state.tokens = TokenCache(parts)
    app.state.shown = Shown(parts.offers)
    app.state.limits = RateLimits(parts.settings)
    errors.install(app)
    for router in (requests.router, plans.router, sessions.router, actions.router):
        app.include_router(router, prefix="/v1", dependencies=[Depends(service_key)])
    app.include_router(health.router)
    app.mount("/codec", create_codec_app(parts))
    app.add_middleware(BodyLimit, most=parts.settings.max_body)
    app.add_middleware(VenueLanguage, registries=parts.registries)
    app.add_middleware(RequestIds)
    return app
