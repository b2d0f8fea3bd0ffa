"""Webhooks: telling a venue that a message was handed to a person, and hearing whether it answers at once.

A call is signed as Standard Webhooks has it (https://www.standardwebhooks.com): HMAC-SHA256 over its id, the moment it
is sent and its body, so that a receiver can tell it from a stranger's and from an old one that is played again. No
redirect is followed: what was signed was meant for one address. `docs/escalation.md` has the receiver's side.
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
from contracts.names import only_seen, readable
from contracts.venue import Webhook
from infra.answers import IDENTITY, PackedError, TooLargeError, read_within
from infra.variables import MissingVariableError, variable

log = logging.getLogger(__name__)

_WITHIN, _CONNECT = 10.0, 5.0
"""Seconds for the whole call, and for a connection."""
_BYTES = 64_000
_PREFIX = "whsec_"
"""Marks a secret that is written in base64 (Standard Webhooks)."""


class WebhookError(Exception):
    """The venue was not told, or its answer does not say that it was. The message is for whoever runs the service and
    holds nothing of what was sent."""


class WebhookClient:
    """Calls webhooks. `private`: they may be at addresses of a private network, or of this machine. `lookup` gives a
    variable's value, and raises `MissingVariableError`. `within`: seconds for a whole call."""

    def __init__(self, *, private: bool, lookup: Callable[[str], str] = variable, within: float = _WITHIN) -> None:
        self._private, self._lookup, self._within = private, lookup, within
        # A proxy of the environment would resolve the name anew, and reach what was refused here.
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(within, connect=_CONNECT), follow_redirects=False, trust_env=False
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    async def call(self, hook: Webhook, call: WebhookCall) -> WebhookReply:
        """Tell it once. Raises `WebhookError`."""
        body = body_of(call)
        headers = {"Content-Type": "application/json", **IDENTITY, **self._signed(hook, call.escalation_id, body)}
        try:
            async with asyncio.timeout(self._within):
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
        """The body of a 2xx answer. Raises `WebhookError`, and as httpx does."""
        host = address.hostname or ""
        port = address.port or (443 if address.scheme == "https" else 80)
        at = await self._resolved(host, port)
        # The very address that was looked at is called: a name that is resolved again may be another's by then.
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
            return await read_within(response, _BYTES)
        except (PackedError, TooLargeError) as unread:
            # The venue has it: calling again would only tell it twice.
            log.warning("the answer of a webhook is not read: %s", unread)
            return b""
        finally:
            await response.aclose()

    async def _resolved(self, host: str, port: int) -> str:
        """An address of the host that may be called. Raises `WebhookError`."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            raise WebhookError("its host is not known") from None
        addresses = [str(row[4][0]) for row in found]
        # One private address among public ones is how a private network is reached by a public name.
        if not self._private and not all(ipaddress.ip_address(at.split("%")[0]).is_global for at in addresses):
            raise WebhookError("its host is on a private network (IQ_WEBHOOK_PRIVATE allows that)")
        return addresses[0]


def body_of(call: WebhookCall) -> bytes:
    """What is sent, and signed byte by byte."""
    return json.dumps(call.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":")).encode()


def signed_headers(secret: str, call_id: str, at: int, body: bytes) -> dict[str, str]:
    """The headers that a receiver checks; `at` in seconds since 1970."""
    signature = hmac.new(_key_of(secret), f"{call_id}.{at}.".encode() + body, hashlib.sha256).digest()
    told = base64.b64encode(signature).decode()
    return {"webhook-id": call_id, "webhook-timestamp": str(at), "webhook-signature": f"v1,{told}"}


def _key_of(secret: str) -> bytes:
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise WebhookError(f"its secret begins with {_PREFIX} and is not base64 behind that") from None


def _reply_in(body: bytes) -> WebhookReply:
    """What a 2xx answer says. One that says nothing of `resolve` has heard, and that is all."""
    try:
        told: Any = json.loads(body) if body.strip() else None
    except (ValueError, RecursionError):
        told = None
    resolve = told.get("resolve") if isinstance(told, dict) else None
    if not isinstance(resolve, dict):
        return WebhookReply(called=True)
    message, by = resolve.get("message"), resolve.get("by", "")
    message = readable(message) if isinstance(message, str) else message
    if not isinstance(message, str) or not message.strip() or len(message) > ANSWER_MOST:
        # Not an error: the venue was told, and a person may still answer by the inbox.
        log.warning("a webhook's `resolve` has no message of 1 to %d characters; it resolves nothing", ANSWER_MOST)
        return WebhookReply(called=True)
    return WebhookReply(called=True, message=message, by=only_seen(by)[:BY_MOST] if isinstance(by, str) else "")
