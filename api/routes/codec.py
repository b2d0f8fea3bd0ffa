"""`/codec/*`: lets an authorised engineer read encrypted payloads in the Temporal UI (Temporal's remote codec
protocol).

The UI sends cookies but no custom headers. `/codec/sign-in` therefore takes the service key once and sets a cookie that
proves it. Without a configured key only local callers with a loopback name are accepted.
"""

import hashlib
import hmac
import time
from html import escape
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Form, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from temporalio.api.common.v1 import Payloads

from api import errors
from api.auth.credentials import KeyGuessLimiter, is_service_key
from api.auth.staff_session import refuse_strangers
from api.dependencies import SettingsDep
from clients.errors import api_error
from clients.services import Services
from contracts.base import Json
from contracts.enums import ServiceErrorType
from infra.http.http_server import TELEMETRY
from infra.temporal.client import EncryptionCodec
from language.messages.catalogue import translate

router = APIRouter(tags=["codec"])

_COOKIE = "iq_codec"
_SIGNED_IN_FOR = 12 * 3600
"""Seconds: one shift."""

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Read payloads</title>
<style>body{{font:16px/1.5 system-ui;max-width:26rem;margin:4rem auto;padding:0 1rem}}
input,button{{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin:.25rem 0}}</style>
<h1>Read payloads</h1><p>{message}</p>
<form method="post"><label>Service key <input type="password" name="key" autocomplete="current-password" required
autofocus>
</label><button>Sign in</button></form></html>"""


def _proof(service_key: str, until: int) -> str:
    mark = hmac.new(service_key.encode(), f"codec {until}".encode(), hashlib.sha256).hexdigest()
    return f"{until}.{mark}"


def _proven(service_key: str, cookie: str) -> bool:
    until, _, _ = cookie.partition(".")
    return (
        until.isascii()
        and until.isdecimal()
        and int(until) > time.time()
        and hmac.compare_digest(_proof(service_key, int(until)).encode(), cookie.encode())
    )


async def signed_in(request: Request, settings: SettingsDep) -> None:
    """Reject a caller that neither sends the service key nor has signed in with it; without a configured key, a remote
    caller. Raises `ApiError`: unauthorized."""
    if not settings.service_keys:
        refuse_strangers(request, settings)
        return
    if any(_proven(key, request.cookies.get(_COOKIE, "")) for key in settings.service_keys):
        return
    if await is_service_key(request, request.headers.get("X-Service-Key")):
        return
    raise api_error(
        ServiceErrorType.UNAUTHORIZED,
        translate("refuse.codec"),
        translate("refuse.codec_next", page=request.url_for("sign_in_page")),
    )


@router.get("/sign-in", response_class=HTMLResponse, summary="Sign in to read payloads")
async def sign_in_page() -> str:
    """Return a form for the service key."""
    return _PAGE.format(message="Enter the service key, then reload the page in the Temporal UI.")


@router.post("/sign-in", response_class=HTMLResponse, include_in_schema=False)
async def sign_in(request: Request, settings: SettingsDep, key: Annotated[str, Form()]) -> HTMLResponse:
    """Check the key and set the cookie."""
    if not settings.service_keys or not await is_service_key(request, key):
        return HTMLResponse(_PAGE.format(message=escape("That is not the service key.")), status_code=401)
    answer = HTMLResponse(_PAGE.format(message="You are signed in. Reload the page in the Temporal UI."))
    secure = request.url.scheme == "https"
    answer.set_cookie(
        _COOKIE,
        _proof(key, int(time.time()) + _SIGNED_IN_FOR),
        max_age=_SIGNED_IN_FOR,
        httponly=True,
        secure=secure,
        samesite="none" if secure else "lax",
        path="/codec",
    )
    return answer


@router.post("/decode", summary="Decrypt Temporal payloads", dependencies=[Depends(signed_in)])
async def decode(body: dict[str, Json], settings: SettingsDep) -> dict[str, Json]:
    """Return `{"payloads": […]}` decrypted. What cannot be read is returned unchanged."""
    codec = EncryptionCodec(settings.ring())
    return MessageToDict(Payloads(payloads=codec.decode_readable(_payloads(body).payloads)))


@router.post("/encode", summary="Encrypt Temporal payloads", dependencies=[Depends(signed_in)])
async def encode(body: dict[str, Json], settings: SettingsDep) -> dict[str, Json]:
    """Return `{"payloads": […]}` encrypted."""
    codec = EncryptionCodec(settings.ring())
    return MessageToDict(Payloads(payloads=await codec.encode(_payloads(body).payloads)))


def _payloads(body: dict[str, Json]) -> Payloads:
    try:
        return ParseDict(body, Payloads())
    except ParseError as error:
        raise api_error(ServiceErrorType.INVALID_REQUEST, translate("refuse.not_payloads", why=error)) from None


def create_codec_app(services: Services, wrong_keys: KeyGuessLimiter) -> FastAPI:
    """Return the codec as a separate application, so that only it accepts the Temporal UI's origin."""
    app = FastAPI(title="iQ payload codec", version="1", docs_url=None, redoc_url=None, telemetry=TELEMETRY)
    app.state.services = services
    app.state.wrong_keys = wrong_keys
    errors.install(app)
    app.include_router(router)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=list(services.settings.ui_origins),
        allow_credentials=True,
        allow_methods=["POST"],
        allow_headers=["content-type", "x-namespace", "authorization"],
    )
    return app
