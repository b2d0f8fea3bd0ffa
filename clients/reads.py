"""Reading what a step is about: the reads an overlay declares, in order, each able to use the ones before it."""

import asyncio
import hashlib
import json
import re
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from clients.venue import Answered, VenueClient, VenueError, unreadable
from contracts import bounds
from contracts.action import AtomicAction, HttpRequest, ReadTemplate
from contracts.base import Answer, Json
from contracts.effects import Expectation, Ground
from contracts.enums import ErrorType, ParameterRole
from contracts.errors import VenueFailure
from registry import (
    Scope,
    build_read,
    build_request,
    digest,
    error_rule,
    goes_on,
    grounds,
    joined,
    next_page,
    with_request,
)

_READ_AGAIN = (0.2, 0.5)
"""Seconds before a read that a venue failed at is asked again, where the overlay does not say: enough for a blip, and
an operator may be waiting."""

_NO_LIST = "that there is no such list"

PAGES = 5
"""Pages of a list that are read: an operator waits, a venue counts calls, and who has more says what narrows it."""


@dataclass(slots=True)
class Seen:
    """A snapshot that was read: the whole `document`, and each answer by its read's name and by its key. `made` has the
    keys of what a write made anew, as another plan reads it."""

    document: Any = field(default_factory=dict)
    answers: list[tuple[str, str, Json]] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    def grounds_of(self, action: AtomicAction) -> tuple[Ground, ...]:
        """What a step of this action stands on here."""
        assert action.snapshot is not None
        return grounds(action.snapshot, self.answers)

    def digest_of(self, expected: Expectation) -> str | None:
        """What the ground that is expected hashes to now; None when it was not read here."""
        if not expected.key:
            return digest(self.document, expected.covers, expected.ignore)
        found = (answer for _, key, answer in self.answers if key == expected.key)
        return next((digest(answer, expected.covers, expected.ignore) for answer in found), None)


class Reader:
    """Reads with one step's token, or with one in hand. `kept` saves repeated reads within one draft."""

    def __init__(
        self,
        venues: VenueClient,
        token_ref: str,
        trace_id: str,
        kept: MutableMapping[str, Answered] | None = None,
        token: str | None = None,
    ) -> None:
        self._venues = venues
        self._token_ref = token_ref
        self._trace_id = trace_id
        self._kept = kept
        self._token = token

    async def snapshot(self, action: AtomicAction, scope: Scope, *, gone_is_none: bool = False) -> Seen:
        """What the action depends on. `gone_is_none`: what is there no more is None, and no failure. An answer of
        another kind than that in `scope.before` is an odd answer, and no change. Raises `VenueError`,
        `UnrenderableError`."""
        seen = Seen()
        for read in action.snapshot.reads if action.snapshot else ():
            request = build_read(read, scope.with_(before=seen.document))
            body = await self._found(action, read, scope, request, gone_is_none=gone_is_none)
            known = part_of(scope.before, read.name)
            if isinstance(known, dict | list) and body is not None and type(body) is not type(known):
                raise unreadable("not what it was")
            if isinstance(known, dict) and isinstance(body, dict) and _of_another(known, body, read, request):
                raise unreadable("of another thing")
            seen.answers.append((read.name, key_of(request), body))
            seen.document = body if not read.name else {**seen.document, read.name: body}
        if bounds.size(seen.document) > bounds.SNAPSHOT_BYTES:
            raise unreadable("too large to go back to")
        return seen

    async def after(self, action: AtomicAction, scope: Scope) -> Seen:
        """The snapshot again, with what the write made anew; what is not there is None. Each of these reads sees those
        above it as `now`. Raises as `snapshot`."""
        reads = action.verify.reads if action.verify else ()
        # Where other reads tell what became of it, what it was made of may be gone: a cancelled booking, say.
        seen = await self.snapshot(action, scope, gone_is_none=bool(reads))
        if any("request" in read.model_dump_json(include={"inputs"}) for read in reads):
            scope = with_request(action, scope)
        for read in reads:
            request = build_read(read, scope.with_(now=seen.document))
            made = await self._made(action, scope, read, request)
            if made is not None and names_a_thing(action, read):
                seen.made.append(key_of(request))
            base = seen.document if isinstance(seen.document, dict) else {}
            seen.document = {**base, read.name: made}
        return seen

    async def read(self, action: AtomicAction, read: ReadTemplate, scope: Scope) -> Json:
        """One read that an action declares. Raises as `snapshot`; that it is not there (not found) is believed of one
        thing alone."""
        return await self._found(action, read, scope, build_read(read, scope))

    async def one(self, look: AtomicAction, scope: Scope) -> Json:
        """What a look-up action itself answers. Raises as `listed`."""
        return (await self.listed(look, scope))[0]

    async def listed(self, look: AtomicAction, scope: Scope, first: Json = None) -> tuple[Json, bool]:
        """What a look-up action itself answers, the rows of all pages together, and whether there are more than were
        read; `first` is its first page, where that was read already. Raises as `snapshot`; that nothing is there (not
        found) is believed of one thing, and of a list where the overlay says that it is told so."""
        request = build_request(look, scope)
        body = page = await self._page(look, scope, request) if first is None else first
        scope = scope.with_(request=request, response=page)
        for number in range(2, PAGES + 1):
            further = next_page(look, scope, number) if goes_on(look, scope) else None
            if further is None:
                break
            page = await self._page(look, scope, further)
            body, scope = joined(look, body, page), scope.with_(response=page)
        return body, goes_on(look, scope)

    async def _page(self, look: AtomicAction, scope: Scope, request: HttpRequest) -> Json:
        try:
            return _json((await self._answer(look, scope, request)).body)
        except VenueError as refused:
            if refused.failure.error_type is ErrorType.NOT_FOUND and not _may_find_none(look, refused.failure):
                raise unreadable(_NO_LIST) from None
            raise

    async def _made(self, action: AtomicAction, scope: Scope, read: ReadTemplate, request: HttpRequest) -> Json:
        body, known = await self._found(action, read, scope, request, gone_is_none=True), part_of(scope.left, read.name)
        if isinstance(known, dict) and isinstance(body, dict) and _of_another(known, body, read, request):
            raise unreadable("of another thing")
        return body

    async def _found(
        self,
        action: AtomicAction,
        read: ReadTemplate,
        scope: Scope,
        request: HttpRequest,
        *,
        gone_is_none: bool = False,
    ) -> Json:
        try:
            body = _json((await self._answer(action, scope, request)).body)
        except VenueError as refused:
            if refused.failure.error_type is not ErrorType.NOT_FOUND:
                raise
            if gone_is_none and names_a_thing(action, read):
                return None
            if "{" not in read.operation.path:
                raise unreadable(_NO_LIST) from None
            raise
        if not body and read.operation.path.endswith("}"):
            raise unreadable("empty, and no such thing")
        return body

    async def _answer(self, action: AtomicAction, scope: Scope, request: HttpRequest) -> Answered:
        known = self._kept.get(key_of(request)) if self._kept is not None else None
        if known is not None:
            return known
        token = self._token or await self._venues.token_of(self._token_ref, action=action)
        base_url, lasting = str(scope.venue["base_url"]), action.cache_seconds if action.read_only else 0
        kept = self._venues.kept.get(base_url, token, key_of(request)) if lasting else None
        answer = kept or await self._asked(base_url, request, token, action)
        if lasting and not kept:
            self._venues.kept.keep(base_url, token, key_of(request), answer, lasting)
        if self._kept is not None:
            self._kept[key_of(request)] = answer
        return answer

    async def _asked(self, base_url: str, request: HttpRequest, token: str, action: AtomicAction) -> Answered:
        """A read changes nothing: one that a venue fails at is asked again, a moment later. Never where it asks for
        patience, nor where it took its time already."""
        own = action.retry if action.read_only else None
        for pause in own.pauses if own else _READ_AGAIN:
            try:
                return await self._venues.send_with_token(
                    base_url, request, token, action=action, trace_id=self._trace_id
                )
            except VenueError as refused:
                if (refused.failure.status or 0) < 500:
                    raise
            await asyncio.sleep(pause)
        return await self._venues.send_with_token(base_url, request, token, action=action, trace_id=self._trace_id)


def _json(body: Json) -> Json:
    """What a read was answered. Only a 404 says that a thing is not there: a 2xx without JSON may come from anything on
    the way. Raises `VenueError`."""
    if body is None or isinstance(body, str):
        raise unreadable("not JSON")
    return body


def _of_another(known: dict[str, Json], body: dict[str, Json], read: ReadTemplate, request: HttpRequest) -> bool:
    """Whether an answer to a read by an id is about another thing than the one that was read before: by that id, or
    since it has nothing of what that one has."""
    parts = zip(read.operation.path.split("/"), request.path.split("/"), strict=False)
    asked = {unquote(given) for part, given in parts if "{" in part}
    ids = [name for name, value in known.items() if isinstance(value, str | int) and str(value) in asked]
    other = bool(known and body) and not known.keys() & body.keys()
    return other or any(str(body.get(name)) != str(known[name]) for name in ids)


def part_of(document: Answer, name: str) -> Answer:
    """What one read of a snapshot answered; the read "" is the whole snapshot."""
    if not name:
        return document
    return document.get(name) if isinstance(document, dict) else None


def names_a_thing(action: AtomicAction, read: ReadTemplate) -> bool:
    """Whether a read is of one thing by its id, so that a 404 may mean that it is not there. A list that answers 404
    says nothing of what would be in it."""
    ids = {"response", "left", "now", "marker", *(p.name for p in action.with_role(ParameterRole.BOOKING))}
    texts = read.model_dump_json(include={"inputs"})
    return any(re.search(rf"\b{name}\b", texts) for name in ids)


def _may_find_none(look: AtomicAction, refused: VenueFailure) -> bool:
    """A gateway that has lost its way answers 404, too: of a list that would hide everything that is in it."""
    of_many = (ParameterRole.SEARCH, ParameterRole.DATE, ParameterRole.TIME)
    in_path = [p for p in look.parameters if (p.target or "").startswith("path.") and p.role not in of_many]
    rule = error_rule(look, refused.status, refused.code)
    declared = rule is not None and (rule.status, rule.code) != (None, None)
    return bool(in_path or look.with_role(ParameterRole.BOOKING)) or declared


def key_of(request: HttpRequest) -> str:
    """What is read, as a hash: two steps that read the same share it, and it tells nothing by itself."""
    text = json.dumps(request.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
