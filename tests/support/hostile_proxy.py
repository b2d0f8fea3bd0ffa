"""A proxy in front of a venue that does what gateways do at their worst, and records what it did.

It forwards a call twice, or not at all, or after its client was answered; it answers with a status or an id that is not
the venue's; it sends interim answers (1xx) in floods; it cuts connections. What it does with a call is a `Trick`: a
script names the calls (`play`), or a hook that holds a call gives it one (`treat_with`).
"""

import asyncio
import json
import random
import re
from asyncio import StreamWriter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from cli.stack.dev import Ports, Stack
from infra.config.settings import Settings
from tests.support.stacks import SHORT, copied_pack, free_base
from tests.support.venue_proxy import Call, VenueProxy, status_of

STATUSES = (
    301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 410, 412, 422, 423, 425, 429, 499, 500, 502, 503, 504,
)  # fmt: skip
"""What a gateway answers in place of the venue."""
WRITES = "POST|PUT|PATCH|DELETE"

_INTERIM = (
    b"HTTP/1.1 100 Continue\r\n\r\n",
    b"HTTP/1.1 102 Processing\r\n\r\n",
    b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n",
)
_BODILESS = 304


@dataclass(frozen=True, slots=True)
class Trick:
    """The treatment of one call. `forwards`: how often it is forwarded, the last answer counts; `late`: seconds after
    the client's answer until it is forwarded; `status`: the client's answer instead, with an error message or the body
    `instead`, unless `bare`; `changed`: makes another body of the venue's; `misnamed`: the venue's body names another
    thing that the proxy has seen; `interim`: how many interim answers come first, so many seconds apart; `cut`: the
    connection is cut instead of answered."""

    forwards: int = 1
    late: float | None = None
    status: int | None = None
    bare: bool = False
    instead: Any = None
    changed: Callable[[Any], Any] | None = None
    misnamed: bool = False
    interim: int = 0
    apart: float = 0.0
    cut: bool = False

    @property
    def applies(self) -> bool:
        """Return whether the venue gets the call."""
        return self.forwards > 0 or self.late is not None

    def __str__(self) -> str:
        sent = f"sent on {self.late} s late" if self.late is not None else f"sent on {self.forwards} times"
        answered = "cut off" if self.cut else f"answered {self.status or 'as the venue does'}{' bare' * self.bare}"
        answered += " with another's id" * self.misnamed
        return f"{sent}, {answered}" + f", {self.interim} interim answers first" * bool(self.interim)


@dataclass(slots=True)
class Played:
    """One tricked call, and the venue's statuses for it; nothing for a connection that it cut."""

    call: Call
    trick: Trick
    venue: list[int] = field(default_factory=list)

    @property
    def effects(self) -> int:
        """Return how often the venue accepted it."""
        return sum(200 <= status < 300 for status in self.venue)


@dataclass(slots=True)
class _Part:
    trick: Trick
    method: str
    path: str
    body: Callable[[Any], bool]
    skip: int
    times: int

    def fits(self, call: Call) -> bool:
        return bool(
            re.fullmatch(self.method, call.method) and re.fullmatch(self.path, call.path) and self.body(call.body)
        )


class HostileProxy(VenueProxy):
    """A `VenueProxy` that tricks calls. Without a script it passes them on."""

    def __init__(self, port: int, upstream: int) -> None:
        super().__init__(port, upstream)
        self._script: list[_Part] = []
        self._in_hand: dict[int, Trick] = {}
        self.played: list[Played] = []

    def play(
        self,
        trick: Trick,
        *,
        method: str = WRITES,
        path: str = ".*",
        body: Callable[[Any], bool] = lambda _: True,
        skip: int = 0,
        times: int = 1,
    ) -> None:
        """Trick the next calls of a kind, except the first `skip`. `method` and `path` are patterns."""
        self._script.append(_Part(trick, method, path, body, skip, times))

    def treat_with(self, call: Call, trick: Trick) -> None:
        """Trick the call that is held (`before`)."""
        self._in_hand[id(call)] = trick

    def behave(self) -> None:
        """Clear the script and the played calls, and stop holding calls."""
        self._script.clear()
        self.played.clear()
        self.let_go()

    async def treat(self, call: Call, head: bytes, body: bytes, writer: StreamWriter) -> None:
        """See `VenueProxy.treat`."""
        trick = self._trick(call)
        if trick is None:
            await super().treat(call, head, body, writer)
            return
        played = Played(call, trick)
        self.played.append(played)
        answer = b""
        for _ in range(trick.forwards if trick.late is None else 0):
            answer = await self._sent_on(played, head, body)
        await self.after(call)
        if trick.misnamed:
            answer = self._misnamed(call, answer)
        await _give(writer, trick, _answer_to(trick, call, answer))
        if trick.late is not None:
            await asyncio.sleep(trick.late)
            for _ in range(trick.forwards):
                await self._sent_on(played, head, body)

    async def _sent_on(self, played: Played, head: bytes, body: bytes) -> bytes:
        answer = await self.forward(head, body)
        if answer:
            played.call.status = status_of(answer)
            played.venue.append(played.call.status)
        return answer

    def _misnamed(self, call: Call, answer: bytes) -> bytes:
        """Return the answer with the id of another thing of the same kind, the last one that was called for."""
        kind, _, own = call.path.rpartition("/")
        others = [one.path.rpartition("/")[2] for one in self.calls if one.path.startswith(f"{kind}/")]
        other = next((one for one in reversed(others) if one != own), own)
        body = answer.partition(b"\r\n\r\n")[2] or json.dumps({"uniqueId": own, "id": own}).encode()
        return _answer(status_of(answer), body.replace(own.encode(), other.encode())) if answer else answer

    def _trick(self, call: Call) -> Trick | None:
        if held := self._in_hand.pop(id(call), None):
            return held
        for part in self._script:
            if not part.fits(call):
                continue
            if part.skip:
                part.skip -= 1
                continue
            part.times -= 1
            if not part.times:
                self._script.remove(part)
            return part.trick
        return None


async def _give(writer: StreamWriter, trick: Trick, answer: bytes) -> None:
    """Answer the client, or cut it off."""
    try:
        for number in range(trick.interim):
            writer.write(_INTERIM[number % len(_INTERIM)])
            await writer.drain()
            await asyncio.sleep(trick.apart)
        if not answer or trick.cut:
            writer.transport.abort()
            return
        writer.write(answer)
        await writer.drain()
        writer.close()
    except ConnectionError:
        writer.transport.abort()


def _answer_to(trick: Trick, call: Call, answer: bytes) -> bytes:
    """Return the client's answer; the venue's own where the trick does not change it."""
    if trick.changed is not None:
        body = trick.changed(json.loads(answer.partition(b"\r\n\r\n")[2]))
        return _answer(status_of(answer), json.dumps(body).encode())
    if trick.status is None:
        return answer
    words = b""
    if not trick.bare and trick.status != _BODILESS:
        says = f"{HTTPStatus(trick.status).phrase if trick.status != 499 else 'Client Closed Request'} (gateway)"
        error = {"message": says, "errors": [{"name": "GatewayError", "message": says}]}
        words = json.dumps(trick.instead if trick.instead is not None else error).encode()
    more = f"Location: {call.path}\r\n" if 300 <= trick.status < 400 else ""
    more += "Retry-After: 1\r\n" if trick.status == HTTPStatus.TOO_MANY_REQUESTS else ""
    return _answer(trick.status, words, more)


def _answer(status: int, body: bytes, more: str = "") -> bytes:
    kind = "Content-Type: application/json\r\n" if body else ""
    head = f"HTTP/1.1 {status} Gateway\r\n{kind}{more}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


def a_trick(rng: random.Random, settles: float) -> Trick:
    """Return a trick for a write, whose effect comes within `settles` seconds if it comes late."""
    status, bare = rng.choice(STATUSES), rng.random() < 0.3
    return rng.choice(
        (
            Trick(forwards=2),
            Trick(forwards=2, status=409, bare=bare),
            Trick(status=status, bare=bare),
            Trick(status=status, bare=bare),
            Trick(forwards=0, status=status, bare=bare),
            Trick(late=round(rng.uniform(0.1, settles * 0.6), 2), status=status, bare=bare),
            Trick(late=round(rng.uniform(0.1, settles * 0.6), 2), cut=True),
            Trick(interim=rng.choice((3, 40, 400))),
            Trick(misnamed=True),
            Trick(forwards=rng.choice((0, 1, 2)), interim=rng.choice((0, 20)), cut=True),
        )
    )


class Proxied(Stack):
    """A stack in the test's own process, with each of its venues behind a hostile proxy."""

    def __init__(self, settings: Settings, ports: Ports, *, controls: bool) -> None:
        super().__init__(settings, ports, controls=controls)
        self.proxies = {pack: HostileProxy(free_base(1), ports.sandbox(pack)) for pack in self.simulated}
        addresses = {pack: f"http://127.0.0.1:{proxy.port}" for pack, proxy in self.proxies.items()}
        self.settings = self.settings.model_copy(update={"venue_urls": addresses})

    async def _start(self) -> None:
        for proxy in self.proxies.values():
            await self._closing.enter_async_context(proxy)
        await super()._start()


@asynccontextmanager
async def proxied(
    data: Path, pack: str, venue: Mapping[str, str], kind: type[Proxied] = Proxied, **settings: Any
) -> AsyncIterator[Proxied]:
    """Start such a stack with one pack, replacing each of these texts of its `venue.yaml` by another."""
    packs = (copied_pack(data, venue, pack),)
    found = Settings(_env_file=None, data=data, **{**SHORT, "packs": packs, **settings})
    async with kind(found, Ports(free_base()), controls=True) as running:
        yield running
