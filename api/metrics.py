"""`/metrics`: what this process has counted, in Prometheus' text format. Whoever scrapes shows the service key where
one is configured, as `X-Service-Key` or, as Prometheus' `authorization` sends it, as a bearer token."""

from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Header, Request, Response

from api import errors
from api.auth import ServiceKey, check_service_key
from api.wrong_keys import WrongKeys
from clients.services import Services
from infra.sdk_metrics import measured
from infra.telemetry import TELEMETRY

_TEXT = "text/plain; version=0.0.4; charset=utf-8"


async def scraper(
    request: Request, x_service_key: ServiceKey = None, authorization: Annotated[str | None, Header()] = None
) -> None:
    """Refuse strangers. Raises `RequestError`: unauthorized, rate_limited."""
    scheme, _, token = (authorization or "").partition(" ")
    await check_service_key(request, x_service_key or (token.strip() if scheme.lower() == "bearer" else None))


router = APIRouter(tags=["health"], dependencies=[Depends(scraper)])


@router.get("/metrics", summary="What Prometheus scrapes", response_class=Response)
async def metrics(request: Request) -> Response:
    """Ours, and those of the Temporal SDK (`temporal_…`)."""
    services: Services = request.app.state.services
    await services.standing.look()
    return Response(services.figures.text() + await measured().text(), media_type=_TEXT)


def create_metrics_app(services: Services) -> FastAPI:
    """`/metrics` alone, for a process that has no facade."""
    app = FastAPI(title="iQ metrics", openapi_url=None, telemetry=TELEMETRY)
    app.state.services = services
    app.state.wrong_keys = WrongKeys(services.settings)
    errors.install(app)
    app.include_router(router)
    return app
