"""The number of requests to a simulation, by operation, because tests and quotas check the cost of a client."""

from collections import Counter
from collections.abc import Callable

from fastapi import APIRouter, Response
from starlette.types import ASGIApp, Receive, Scope, Send


class RequestCounter:
    """Requests since the start or the last reset, including those that met a fault and those that were refused."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, operation: str) -> None:
        """Count one request."""
        self._counts[operation] += 1

    def counted(self) -> dict[str, int]:
        """Return the counts by operation, and `total`."""
        return {**dict(sorted(self._counts.items())), "total": self._counts.total()}

    def clear(self) -> None:
        """Reset the counts."""
        self._counts.clear()


class RequestCounterMiddleware:
    """ASGI middleware outside faults and authentication. `operation_of` returns the operation of a method and path."""

    def __init__(self, app: ASGIApp, tally: RequestCounter, operation_of: Callable[[str, str], str | None]) -> None:
        self._app, self._tally, self._operation_of = app, tally, operation_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count and pass on; `receive` stays the server's own, which a cut connection needs."""
        if scope["type"] == "http":
            operation = self._operation_of(scope["method"], scope["path"])
            if operation is not None:
                self._tally.count(operation)
        await self._app(scope, receive, send)


def tally_routes(tally: RequestCounter) -> APIRouter:
    """Return `/_sandbox/requests`: GET returns the counts, DELETE resets them."""
    router = APIRouter(prefix="/_sandbox")

    @router.get("/requests")
    async def read_requests() -> dict[str, int]:
        return tally.counted()

    @router.delete("/requests", status_code=204)
    async def clear_requests() -> Response:
        tally.clear()
        return Response(status_code=204)

    return router
