"""A request of the reservations needs a token that counts and the header `Property`."""

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.octotable.errors import error_body
from sandbox.octotable.operations import PATH
from sandbox.octotable.tokens import Tokens


class Gate:
    """ASGI middleware: 401 without a token, 400 without a property, 403 for another's. Tokens are asked for openly."""

    def __init__(self, app: ASGIApp, tokens: Tokens, property_id: str) -> None:
        self._app, self._tokens, self._property = app, tokens, property_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse or pass on."""
        guarded = scope["type"] == "http" and scope["path"].startswith(f"{PATH}/")
        refusal = self._refusal(scope) if guarded and not scope["path"].endswith("/oauth2/token") else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not self._tokens.valid(token.strip()):
            return _refused(401, "The access token is missing, unknown or has expired", "UnauthorizedException")
        property_id = headers.get("property")
        if property_id is None:
            return _refused(400, "The header Property is required", "BadRequestException")
        if property_id != self._property:
            return _refused(403, "The client has no such property", "ForbiddenException")
        return None


def _refused(status: int, message: str, class_name: str) -> JSONResponse:
    return JSONResponse(error_body(status, message, class_name), status_code=status)
