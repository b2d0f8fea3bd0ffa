"""What a registry was made of, as a trace of its own for each time that a process made it. Several make the same
version, and one may make it again: under one id they would be one span with several beginnings."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import uuid4

from contracts.tracing import REQUEST
from infra.spans import Span
from registry import Pack, Registry

Why = Literal["start", "refresh", "taken_up"]


def new_trace_id(registry: Registry) -> str:
    """What all that is traced of one making shares. Each is told once, so nothing has to find it again."""
    return f"registry {registry.version} {uuid4()}"


def spans_of(registry: Registry, why: Why, began: datetime) -> Iterator[Span]:
    """The documents that became actions, each pack with what was skipped and why, in the versions that are served."""
    name, now = f"registry_{registry.version}", datetime.now(UTC)
    for pack in registry.packs:
        yield from _pack(pack, name, now)
    told = {"why": why, "packs": len(registry.packs), "standing_in": list(registry.standing_in)}
    yield Span(REQUEST, name, began, now, fields={"output": told}, trace_name=name)


def _pack(pack: Pack, trace_name: str, now: datetime) -> Iterator[Span]:
    venue, key = pack.profile.venue_id, f"pack:{pack.profile.pack}"
    for overlay in pack.skipped:
        why = [f.message for f in pack.findings if overlay in (f.file, f.action) or f.file.endswith(overlay)]
        fields = {"output": {"why": why}, "level": "WARNING"}
        yield Span(
            f"{key}:{overlay}", "action_skipped", now, now, key, "event", None, {**fields, "input": overlay}, trace_name
        )
    told = {
        "venue_id": venue,
        "version": pack.version,
        "actions": sorted(pack.actions),
        "templates": sorted(pack.templates),
        "skipped": len(pack.skipped),
        "findings": len(pack.findings),
    }
    began = now - timedelta(seconds=pack.seconds)
    yield Span(key, "registry_transformation", began, now, fields={"output": told}, trace_name=trace_name)
