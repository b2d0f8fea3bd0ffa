"""Every answer is in the venue's language; before the venue is known, in the default venue's."""

from starlette.types import ASGIApp, Receive, Scope, Send

from clients.registry import Registries
from language.messages.catalogue import activate_locale


class LocaleMiddleware:
    """ASGI middleware that starts each request in the default venue's language."""

    def __init__(self, app: ASGIApp, registries: Registries) -> None:
        self._app = app
        self._registries = registries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on. A language that the route activates for its venue ends with the request."""
        if scope["type"] == "http":
            activate_locale(
                self._registries.registry.default_venue.profile.locale,
                self._registries.registry.default_venue.profile.words,
            )
        await self._app(scope, receive, send)
