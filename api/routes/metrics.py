"""`/metrics`: this process's metrics, in Prometheus' text format. If a service key is configured, the scraper sends it
as `X-Service-Key` or, by Prometheus' `authorization`, as a bearer token."""

from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Header, Request, Response

from api import errors
from api.auth.credentials import KeyGuessLimiter, ServiceKey, check_service_key
from clients.services import Services
from infra.http.http_server import TELEMETRY
from infra.temporal.sdk_metrics import measured

_TEXT = "text/plain; version=0.0.4; charset=utf-8"


async def scraper(
    request: Request, x_service_key: ServiceKey = None, authorization: Annotated[str | None, Header()] = None
) -> None:
    """Reject a scraper without the key. Raises `ApiError`: unauthorized, rate_limited."""
    scheme, _, token = (authorization or "").partition(" ")
    await check_service_key(request, x_service_key or (token.strip() if scheme.lower() == "bearer" else None))


router = APIRouter(tags=["health"], dependencies=[Depends(scraper)])


@router.get("/metrics", summary="What Prometheus scrapes", response_class=Response)
async def metrics(request: Request) -> Response:
    """Ours, and those of the Temporal SDK (`temporal_…`)."""
    services: Services = request.app.state.services
    await services.plan_gauges.refresh()
    return Response(services.prometheus.text() + await measured().text(), media_type=_TEXT)


def create_metrics_app(services: Services) -> FastAPI:
    """Return `/metrics` alone, for a process without the API."""
    app = FastAPI(title="iQ metrics", openapi_url=None, telemetry=TELEMETRY)
    app.state.services = services
    app.state.wrong_keys = KeyGuessLimiter(services.settings)
    errors.install(app)
    app.include_router(router)
    return app
