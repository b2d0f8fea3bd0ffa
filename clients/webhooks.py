"""Webhooks: notify a venue about an escalation, and read its answer if it resolves it at once.

A call is signed as Standard Webhooks defines (https://www.standardwebhooks.com): HMAC-SHA256 over its id, its sending
time and its body, so that a receiver can reject forged and replayed calls. Redirects are not followed, because a
signature is meant for one address. `docs/escalation.md` has the receiver's side.
"""

import asyncio
import base64
import binascii
import hashlib
import hmac
import ipaddress
import json
import logging
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import SplitResult, urlsplit, urlunsplit

import httpx

from contracts.escalation import ANSWER_MOST, BY_MOST, WebhookCall, WebhookReply
from contracts.identifiers import sanitize_display_text, strip_unprintable
from contracts.venue import Webhook
from infra.config.pack_variables import MissingVariableError, variable
from infra.http.bounded_body import IDENTITY, TooLargeError, UnsupportedEncodingError, read_bounded

log = logging.getLogger(__name__)

_WITHIN, _CONNECT = 10.0, 5.0
"""Seconds for the whole call, and for a connection."""
_BYTES = 64_000
_PREFIX = "whsec_"
"""The prefix of a secret that is written in base64 (Standard Webhooks)."""


class WebhookError(Exception):
    """The call failed, or its answer does not confirm it. The message is for the people who run the service and
    contains nothing of what was sent."""


class WebhookClient:
    """Calls webhooks. `private` allows addresses of a private network or of this machine. `lookup` returns a variable's
    value, and raises `MissingVariableError`. `timeout`: seconds for a whole call."""

    def __init__(self, *, private: bool, lookup: Callable[[str], str] = variable, timeout: float = _WITHIN) -> None:
        self._private, self._lookup, self._timeout = private, lookup, timeout
        # A proxy of the environment would resolve the name again, and could reach an address that was rejected here.
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(timeout, connect=_CONNECT), follow_redirects=False, trust_env=False
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def call(self, hook: Webhook, call: WebhookCall) -> WebhookReply:
        """Call the webhook once. Raises `WebhookError`."""
        body = body_of(call)
        headers = {"Content-Type": "application/json", **IDENTITY, **self._signed(hook, call.escalation_id, body)}
        try:
            async with asyncio.timeout(self._timeout):
                return _reply_in(await self._sent(urlsplit(hook.address), headers, body))
        except (TimeoutError, httpx.HTTPError) as error:
            raise WebhookError(f"no answer ({type(error).__name__})") from None

    def _signed(self, hook: Webhook, call_id: str, body: bytes) -> dict[str, str]:
        try:
            secret = self._lookup(hook.secret)
        except MissingVariableError:
            raise WebhookError(f"{hook.secret} is not set, so the call cannot be signed") from None
        return signed_headers(secret, call_id, int(time.time()), body)

    async def _sent(self, address: SplitResult, headers: dict[str, str], body: bytes) -> bytes:
        """Return the body of a 2xx answer. Raises `WebhookError`, and the errors of httpx."""
        host = address.hostname or ""
        port = address.port or (443 if address.scheme == "https" else 80)
        at = await self._resolved(host, port)
        # The checked address itself is called, because resolving the name again may give another one.
        where = urlunsplit(address._replace(netloc=f"{f'[{at}]' if ':' in at else at}:{port}"))
        request = self._http.build_request(
            "POST",
            where,
            content=body,
            headers={**headers, "Host": address.netloc},
            extensions={"sni_hostname": host},
        )
        response = await self._http.send(request, stream=True)
        try:
            if not response.is_success:
                raise WebhookError(f"answered {response.status_code}")
            return await read_bounded(response, _BYTES)
        except (UnsupportedEncodingError, TooLargeError) as unread:
            # The venue has received the call, and a retry would only duplicate it.
            log.warning("the answer of a webhook is not read: %s", unread)
            return b""
        finally:
            await response.aclose()

    async def _resolved(self, host: str, port: int) -> str:
        """Return an allowed address of the host. Raises `WebhookError`."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            raise WebhookError("its host is not known") from None
        addresses = [str(row[4][0]) for row in found]
        # A private address among public ones is a way to reach a private network by a public name.
        if not self._private and not all(ipaddress.ip_address(at.split("%")[0]).is_global for at in addresses):
            raise WebhookError("its host is on a private network (IQ_WEBHOOK_PRIVATE allows that)")
        return addresses[0]


def body_of(call: WebhookCall) -> bytes:
    """Return the body, which is signed byte by byte."""
    return json.dumps(call.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":")).encode()


def signed_headers(secret: str, call_id: str, at: int, body: bytes) -> dict[str, str]:
    """Return the headers that a receiver checks; `at` in seconds since 1970."""
    signature = hmac.new(_key_of(secret), f"{call_id}.{at}.".encode() + body, hashlib.sha256).digest()
    text = base64.b64encode(signature).decode()
    return {"webhook-id": call_id, "webhook-timestamp": str(at), "webhook-signature": f"v1,{text}"}


def _key_of(secret: str) -> bytes:
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise WebhookError(f"its secret begins with {_PREFIX} and is not base64 behind that") from None


def _reply_in(body: bytes) -> WebhookReply:
    """Return the reply in a 2xx answer. Without `resolve` it only confirms the receipt."""
    try:
        reply: Any = json.loads(body) if body.strip() else None
    except (ValueError, RecursionError):
        reply = None
    resolve = reply.get("resolve") if isinstance(reply, dict) else None
    if not isinstance(resolve, dict):
        return WebhookReply(called=True)
    message, by = resolve.get("message"), resolve.get("by", "")
    message = sanitize_display_text(message) if isinstance(message, str) else message
    if not isinstance(message, str) or not message.strip() or len(message) > ANSWER_MOST:
        # Not an error: the venue was notified, and staff may still answer in the inbox.
        log.warning("a webhook's `resolve` has no message of 1 to %d characters; it resolves nothing", ANSWER_MOST)
        return WebhookReply(called=True)
    return WebhookReply(called=True, message=message, by=strip_unprintable(by)[:BY_MOST] if isinstance(by, str) else "")
