"""Reading a snapshot: the reads an overlay declares, in order, each able to use the ones before it."""

import hashlib
import json
from typing import Any

from activities.venue_client import Answered, VenueClient, unreadable
from contracts.action import AtomicAction, HttpRequest
from contracts.base import Json
from reasoning import bounds
from registry import Scope, build_read


async def read_snapshot(
    venues: VenueClient, action: AtomicAction, scope: Scope, token_ref: str, trace_id: str,
    seen: dict[str, Answered] | None = None,
) -> tuple[Json, list[HttpRequest]]:  # fmt: skip
    """(the document, the requests made). `seen` saves repeated reads within one draft. Raises `VenueRefused`,
    `TemplateFault`."""
    assert action.snapshot is not None
    document: Any = {}
    asked: list[HttpRequest] = []
    for read in action.snapshot.reads:
        request = build_read(read, scope.with_(before=document))
        asked.append(request)
        key = _key(request)
        answer = seen.get(key) if seen is not None else None
        if answer is None:
            answer = await venues.send(
                str(scope.venue["base_url"]), request, token_ref, action=action, trace_id=trace_id
            )
            if seen is not None:
                seen[key] = answer
        document = answer.body if not read.name else {**document, read.name: answer.body}
    if bounds.size(document) > bounds.SNAPSHOT_BYTES:
        raise unreadable("too large to go back to")
    return document, asked


def subject_of(asked: list[HttpRequest]) -> str:
    """What was read, as a hash: two steps on one booking share it, and it tells nothing by itself."""
    text = json.dumps([r.model_dump(mode="json") for r in asked], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _key(request: HttpRequest) -> str:
    return request.model_dump_json()
