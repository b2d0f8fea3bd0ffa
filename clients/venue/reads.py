"""The reads that an overlay declares for a step, in order. Each can use the results of those before it."""

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from clients.venue.client import VenueClient, VenueResponse
from clients.venue.errors import VenueError, malformed_response_error
from contracts import limits
from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Answer, Json
from contracts.credentials import HttpRequest
from contracts.enums import ErrorType, ParameterRole
from contracts.errors import VenueFailure
from contracts.step_activities import ExpectedState, StateFingerprint
from contracts.venue import VenueProfile
from registry import BoundAction, TemplateRenderError
from registry.http.request import goes_on, joined, next_page
from registry.presentation.error_rules import error_rule
from registry.verification.snapshot import covered, digest, fingerprints, lacks_field, paths_inside

_READ_AGAIN = (0.2, 0.5)
"""Seconds before a failed read is retried, if the overlay gives none: enough for a short failure while an operator
waits."""

_NO_LIST = "that there is no such list"

PAGES = 5
"""The maximum number of pages read of a list, because an operator waits and a venue counts calls. Above it, the search
must be narrowed."""


@dataclass(slots=True)
class Snapshot:
    """A snapshot: the whole `document`, and each answer by its read's name and by its key. `made` has the keys of what
    a write created, as another plan would read it."""

    document: Any = field(default_factory=dict)
    answers: list[tuple[str, str, Json]] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    def grounds_of(self, action: AtomicAction) -> tuple[StateFingerprint, ...]:
        """Return the state fingerprints of a step of this action."""
        assert action.snapshot is not None
        return fingerprints(action.snapshot, self.answers)

    def digest_of(self, expected: ExpectedState) -> str | None:
        """Return the current hash for an expected state; None if it was not read here."""
        if not expected.key:
            return digest(self.document, expected.covers, expected.ignore)
        found = (answer for _, key, answer in self.answers if key == expected.key)
        return next((digest(answer, expected.covers, expected.ignore) for answer in found), None)


class SnapshotReader:
    """Reads with one step's token, or with a given one. `kept` caches repeated reads within one draft."""

    def __init__(
        self,
        venues: VenueClient,
        token_ref: str,
        trace_id: str,
        kept: MutableMapping[str, VenueResponse] | None = None,
        token: str | None = None,
    ) -> None:
        self._venues = venues
        self._token_ref = token_ref
        self._trace_id = trace_id
        self._cache = kept
        self._token = token

    async def snapshot(self, bound: BoundAction, *, gone_is_none: bool = False) -> Snapshot:
        """Return the state that the action depends on. `gone_is_none`: a missing item is None instead of a failure. An
        answer of another type than in `bound.before` is a malformed answer, not a change. Raises `VenueError`,
        `TemplateRenderError`."""
        snapshot = Snapshot()
        covers = bound.action.snapshot.covers if bound.action.snapshot else ()
        for read in bound.action.snapshot.reads if bound.action.snapshot else ():
            request = bound.with_(before=snapshot.document).read(read)
            known = part_of(bound.before, read.name)
            body = await self._whole(bound, read, request, (known, covers), gone_is_none=gone_is_none)
            if isinstance(known, dict | list) and body is not None and type(body) is not type(known):
                raise malformed_response_error("not what it was")
            if isinstance(known, dict) and isinstance(body, dict) and _of_another(known, body, read, request):
                raise malformed_response_error("of another thing")
            snapshot.answers.append((read.name, read_key(request), body))
            snapshot.document = body if not read.name else {**snapshot.document, read.name: body}
        if limits.json_size(snapshot.document) > limits.SNAPSHOT_BYTES:
            raise malformed_response_error("too large to go back to")
        return snapshot

    async def read_back(self, bound: BoundAction) -> Snapshot:
        """Read the snapshot again, with what the write created; a missing item is None. Each of these reads sees the
        ones before it as `now`. Raises like `snapshot`."""
        reads = bound.action.verify.reads if bound.action.verify else ()
        # If other reads verify the outcome, the write's source may be gone, such as a cancelled booking.
        snapshot = await self.snapshot(bound, gone_is_none=bool(reads))
        if any("request" in read.model_dump_json(include={"inputs"}) for read in reads):
            bound = bound.with_request()
        for read in reads:
            request = bound.with_(now=snapshot.document).read(read)
            made = await self._made(bound, read, request)
            if made is not None and names_a_thing(bound.action, read):
                snapshot.made.append(read_key(request))
            base = snapshot.document if isinstance(snapshot.document, dict) else {}
            snapshot.document = {**base, read.name: made}
        return snapshot

    async def read(self, bound: BoundAction, read: ReadTemplate) -> Json:
        """Return the result of one declared read. Raises like `snapshot`; a not_found counts as missing only for a
        single item."""
        return await self._found(bound, read, bound.read(read))

    async def read_one(self, look_up: BoundAction) -> Json:
        """Return the result of a look-up action itself. Raises like `listed`."""
        return (await self.listed(look_up))[0]

    async def listed(self, look_up: BoundAction, first: Json = None) -> tuple[Json, bool]:
        """Return the result of a look-up action itself, the rows of all pages together, and whether there are more rows
        than were read; `first` is its first page if already read. Raises like `snapshot`; a not_found counts as missing
        for a single item, and as empty for a list if the overlay says so."""
        bound = look_up.with_request()
        body = page = await self._page(bound, bound.request()) if first is None else first
        bound = bound.with_(response=page)
        for number in range(2, PAGES + 1):
            further = next_page(bound, number)
            if further is None:
                break
            page = await self._page(bound, further)
            body, bound = joined(bound.action, body, page), bound.with_(response=page)
        return body, goes_on(bound)

    async def _page(self, look_up: BoundAction, request: HttpRequest) -> Json:
        try:
            return _json((await self._answer(look_up, request)).body)
        except VenueError as refused:
            if refused.failure.error_type is ErrorType.NOT_FOUND and not _may_find_none(
                look_up.action, refused.failure
            ):
                raise malformed_response_error(_NO_LIST) from None
            raise

    async def _made(self, bound: BoundAction, read: ReadTemplate, request: HttpRequest) -> Json:
        known, verify = part_of(bound.left, read.name), bound.action.verify
        covers = (verify.covers if verify else ()) or (read.name,)
        body = await self._whole(bound, read, request, (known, covers), gone_is_none=True)
        if isinstance(known, dict) and isinstance(body, dict) and _of_another(known, body, read, request):
            raise malformed_response_error("of another thing")
        return body

    async def _whole(
        self,
        bound: BoundAction,
        read: ReadTemplate,
        request: HttpRequest,
        before: tuple[Answer, Iterable[str]],
        *,
        gone_is_none: bool,
    ) -> Json:
        """Return what a read shows. If it lacks a field of those that are covered and were there `before`, it is read
        once more: a proxy or a replica may have answered without a part."""
        known, covers = before[0], paths_inside(before[1], read.name)
        body = await self._found(bound, read, request, gone_is_none=gone_is_none)
        if lacks_field(covered(known, covers), covered(body, covers)):
            await asyncio.sleep(_READ_AGAIN[0])
            body = await self._found(bound, read, request, gone_is_none=gone_is_none)
        return body

    async def _found(
        self, bound: BoundAction, read: ReadTemplate, request: HttpRequest, *, gone_is_none: bool = False
    ) -> Json:
        try:
            body = _json((await self._answer(bound, request)).body)
        except VenueError as refused:
            if refused.failure.error_type is not ErrorType.NOT_FOUND:
                raise
            if gone_is_none and names_a_thing(bound.action, read):
                return None
            if "{" not in read.operation.path:
                raise malformed_response_error(_NO_LIST) from None
            raise
        if not body and read.operation.path.endswith("}"):
            raise malformed_response_error("empty, and no such thing")
        return body

    async def _answer(self, bound: BoundAction, request: HttpRequest) -> VenueResponse:
        known = self._cache.get(read_key(request)) if self._cache is not None else None
        if known is not None:
            return known
        action, base_url = bound.action, bound.base_url
        token = self._token or await self._venues.get_token(self._token_ref, action=action)
        lasting = action.cache_seconds if action.read_only else 0
        kept = self._venues.read_cache.get(base_url, token, read_key(request)) if lasting else None
        answer = kept or await self._asked(base_url, request, token, action)
        if lasting and not kept:
            self._venues.read_cache.put(base_url, token, read_key(request), answer, lasting)
        if self._cache is not None:
            self._cache[read_key(request)] = answer
        return answer

    async def _asked(self, base_url: str, request: HttpRequest, token: str, action: AtomicAction) -> VenueResponse:
        """Send a read. A read changes nothing, so a failed one is retried a moment later, but not if the venue set a
        rate limit or the read already took too long."""
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
    """Return the body of a read. Only a 404 means that an item is missing; a 2xx without JSON may come from any proxy.
    Raises `VenueError`."""
    if body is None or isinstance(body, str):
        raise malformed_response_error("not JSON")
    return body


def _of_another(known: dict[str, Json], body: dict[str, Json], read: ReadTemplate, request: HttpRequest) -> bool:
    """Return whether the answer to a read by id is about another item than the known one: its id differs, or it has
    none of the known item's fields."""
    parts = zip(read.operation.path.split("/"), request.path.split("/"), strict=False)
    requested = {unquote(given) for part, given in parts if "{" in part}
    ids = [name for name, value in known.items() if isinstance(value, str | int) and str(value) in requested]
    other = bool(known and body) and not known.keys() & body.keys()
    return other or any(str(body.get(name)) != str(known[name]) for name in ids)


def part_of(document: Answer, name: str) -> Answer:
    """Return the answer of one read of a snapshot; the read "" is the whole snapshot."""
    if not name:
        return document
    return document.get(name) if isinstance(document, dict) else None


def names_a_thing(action: AtomicAction, read: ReadTemplate) -> bool:
    """Return whether a read is of a single item by its id, so that a 404 may mean that it is missing. A list that
    answers 404 says nothing about its items."""
    ids = {"response", "left", "now", "marker", *(p.name for p in action.with_role(ParameterRole.BOOKING))}
    texts = read.model_dump_json(include={"inputs"})
    return any(re.search(rf"\b{name}\b", texts) for name in ids)


def _may_find_none(read_action: AtomicAction, refused: VenueFailure) -> bool:
    """Return whether a 404 may mean an empty result. A misrouted gateway answers 404, too, and for a list that would
    hide all its items."""
    of_many = (ParameterRole.SEARCH, ParameterRole.DATE, ParameterRole.TIME)
    in_path = [p for p in read_action.parameters if (p.target or "").startswith("path.") and p.role not in of_many]
    rule = error_rule(read_action, refused.status, refused.code)
    declared = rule is not None and (rule.status, rule.code) != (None, None)
    return bool(in_path or read_action.with_role(ParameterRole.BOOKING)) or declared


def read_key(request: HttpRequest) -> str:
    """Return a hash of what is read. Two steps with the same read share it, and it reveals nothing by itself."""
    text = json.dumps(request.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


log = logging.getLogger(__name__)

_PATIENCE = 3.0
"""Seconds. An operator waits, and the preview can show a value as unknown."""


async def bind_look_up(
    venues: VenueClient,
    action: AtomicAction,
    arguments: Mapping[str, Json],
    profile: VenueProfile,
    token_ref: str,
    trace_id: str,
    now: datetime,
) -> BoundAction:
    """Return a look-up with its arguments, the venue's date, and the results of its own reads."""
    today = now.astimezone(ZoneInfo(profile.time_zone)).date().isoformat()
    bound = BoundAction.of(action, arguments, profile).with_(today=today)
    return bound.with_(seen=await read_for_preview(venues, bound, token_ref, trace_id, {}))


async def read_for_preview(
    venues: VenueClient, bound: BoundAction, token_ref: str, trace_id: str, seen: dict[str, VenueResponse]
) -> dict[str, Json]:
    """Return the results of the action's `preview_reads` by name, None for a failed read. `seen` caches repeated reads
    within one draft."""
    action = bound.action

    async def look(read: ReadTemplate) -> Json:
        try:
            request = bound.read(read)
            key = request.model_dump_json()
            if key not in seen:
                async with asyncio.timeout(_PATIENCE):
                    seen[key] = await venues.send(bound.base_url, request, token_ref, action=action, trace_id=trace_id)
            body = seen[key].body
            # A 2xx without JSON may come from any proxy and says nothing about the item.
            return None if isinstance(body, str) else body
        except (VenueError, TemplateRenderError, TimeoutError) as error:
            log.warning("%s does without %s: %s", action.name, read.name, type(error).__name__)
            return None

    answers = await asyncio.gather(*(look(read) for read in action.preview_reads))
    return {read.name: answer for read, answer in zip(action.preview_reads, answers, strict=True)}
