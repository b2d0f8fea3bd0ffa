"""How many requests a stand-in was sent, by operation: what a client costs is part of what tests and quotas ask."""

from collections import Counter
from collections.abc import Callable

from fastapi import APIRouter, Response
from starlette.types import ASGIApp, Receive, Scope, Send


class Tally:
    """Requests since the start or the last reset; those that a fault struck and those that were refused count, too."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, operation: str) -> None:
        """One more."""
        self._counts[operation] += 1

    def counted(self) -> dict[str, int]:
        """By operation, and `total`."""
        return {**dict(sorted(self._counts.items())), "total": self._counts.total()}

    def clear(self) -> None:
        """Begin anew."""
        self._counts.clear()


class Counted:
    """ASGI middleware outside faults and gate. `operation_of` names an operation by method and path."""

    def __init__(self, app: ASGIApp, tally: Tally, operation_of: Callable[[str, str], str | None]) -> None:
        self._app, self._tally, self._operation_of = app, tally, operation_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count and pass on; `receive` stays the server's own, which a cut connection needs."""
        if scope["type"] == "http":
            operation = self._operation_of(scope["method"], scope["path"])
            if operation is not None:
                self._tally.count(operation)
        await self._app(scope, receive, send)


def tally_routes(tally: Tally) -> APIRouter:
    """`/_sandbox/requests`: GET the counts, DELETE begins anew."""
    router = APIRouter(prefix="/_sandbox")

    @router.get("/requests")
    async def read_requests() -> dict[str, int]:
        return tally.counted()

    @router.delete("/requests", status_code=204)
    async def clear_requests() -> Response:
        tally.clear()
        return Response(status_code=204)

    return router
