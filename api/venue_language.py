"""Every answer is in the venue's language; before the venue is known, in the default one's."""

from starlette.types import ASGIApp, Receive, Scope, Send

from clients.registries import Registries
from language.catalogue import speak


class VenueLanguage:
    """ASGI middleware that lets each request begin in the default venue's language."""

    def __init__(self, app: ASGIApp, registries: Registries) -> None:
        self._app = app
        self._registries = registries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on. What the route speaks once it knows its venue ends with the request."""
        if scope["type"] == "http":
            speak(
                self._registries.registry.default_venue.profile.locale,
                self._registries.registry.default_venue.profile.words,
            )
        await self._app(scope, receive, send)
