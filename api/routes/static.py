"""The chat page's files in `api/web/`. Each has a route of its own, so that an unknown address is answered like any
other."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.staticfiles import StaticFiles

WEB = Path(__file__).parents[1] / "web"
_SERVED = frozenset({".html", ".js", ".css", ".svg", ".png", ".webmanifest"})

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
"""Content Security Policy Level 3: only our own files, and nothing inline."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Revalidated each time and mostly answered 304, so that a deploy shows at the next reload.
    "Cache-Control": "no-cache",
}


def add_page(app: FastAPI) -> None:
    """Serve the chat page at `/`, and the staff pages at `/staff/`."""
    files = StaticFiles(directory=WEB)
    for path in sorted(WEB.rglob("*")):
        if path.suffix in _SERVED:
            name = path.relative_to(WEB).as_posix()
            app.add_route(f"/{name}", _file(files, name), methods=["GET"], include_in_schema=False)
    app.add_route("/", _file(files, "index.html"), methods=["GET"], include_in_schema=False)
    app.add_route("/staff/", _file(files, "staff/index.html"), methods=["GET"], include_in_schema=False)


def _file(files: StaticFiles, name: str) -> Callable[[Request], Awaitable[Response]]:
    async def give(request: Request) -> Response:
        response = await files.get_response(name, request.scope)
        response.headers.update(_HEADERS)
        return response

    return give
