"""The values that templates can use."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from uuid import UUID, uuid5

from contracts.action import AtomicAction
from contracts.base import Answer, Value
from contracts.credentials import HttpRequest
from contracts.venue import VenueProfile

_KEYS = UUID("7f1b7f5e-3c53-5f4e-9c0a-1f6a4f3d8b21")
"""The namespace of idempotency keys in UUID form (RFC 9562, 5.5)."""

RESERVED = frozenset(
    {
        "before",
        "now",
        "left",
        "response",
        "request",
        "venue",
        "marker",
        "item",
        "index",
        "seen",
        "detail",
        "today",
        "in_place_of",
        "next_page",
    }
)
"""Names a parameter may not have."""


@dataclass(frozen=True)
class Scope:
    """The values templates are rendered with. `today` is the venue's day, YYYY-MM-DD, for look-ups alone, because a
    plan's effect must not depend on when it runs. `in_place_of`: it is requested because the preferred choice had no
    availability."""

    parameters: Mapping[str, Value] = field(default_factory=dict)
    before: Answer = None
    now: Answer = None
    left: Answer = None
    response: Answer = None
    request: HttpRequest | None = None
    venue: Mapping[str, Value] = field(default_factory=dict)
    marker: str = ""
    seen: Mapping[str, Value] = field(default_factory=dict)
    today: str = ""
    in_place_of: bool = False

    @classmethod
    def of(
        cls, action: AtomicAction, arguments: Mapping[str, Value], venue: VenueProfile | None = None, marker: str = ""
    ) -> Self:
        """Return a scope with every declared parameter, absent ones None; `build_read` needs that."""
        declared = {p.name: arguments.get(p.name) for p in action.parameters}
        profile = venue.model_dump(mode="json") if venue else {}
        return cls(parameters=declared, venue=profile, marker=marker_of(action, marker))

    def with_(self, **changes: Any) -> Self:
        """Return a copy with some values replaced."""
        return replace(self, **changes)

    def names(self, action: AtomicAction | None = None) -> dict[str, object]:
        """Return everything by name, every parameter of `action` among them, absent ones None."""
        declared = {p.name: None for p in action.parameters} if action else {}
        return {
            **declared,
            **self.parameters,
            "before": self.before,
            "now": self.now,
            "left": self.left,
            "response": self.response,
            "request": _seen(self.request),
            "venue": self.venue,
            "marker": self.marker,
            "seen": dict(self.seen),
            "in_place_of": self.in_place_of,
            **({"today": self.today} if self.today else {}),
        }


def marker_of(action: AtomicAction, key: str) -> str:
    """Return an idempotency key in the form that the API wants: unchanged, or as a UUID derived from it."""
    return str(uuid5(_KEYS, key)) if key and action.marker_format == "uuid" else key


def with_undo_key(action: AtomicAction, scope: Scope, key: str) -> Scope:
    """Return the scope of a compensation, with an idempotency key of its own, derived from its step's `key`."""
    return scope.with_(marker=marker_of(action, f"{key}-undo"))


def _seen(request: HttpRequest | None) -> Value:
    if request is None:
        return None
    return {"method": request.method, "path": request.path, "query": dict(request.query), "body": request.body}
