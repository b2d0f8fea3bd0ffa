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
    """An action, and the values that its templates are rendered with. `sent` is the request, which templates see as
    `request`. `today` is the venue's day, YYYY-MM-DD, for look-ups alone, because a plan's effect must not depend on
    when it runs. `in_place_of`: it is requested because the preferred choice had no availability."""

    action: AtomicAction
    parameters: Mapping[str, Value] = field(default_factory=dict)
    before: Answer = None
    now: Answer = None
    left: Answer = None
    response: Answer = None
    sent: HttpRequest | None = None
    venue: Mapping[str, Value] = field(default_factory=dict)
    marker: str = ""
    seen: Mapping[str, Value] = field(default_factory=dict)
    today: str = ""
    in_place_of: bool = False

    @classmethod
    def of(
        cls, action: AtomicAction, arguments: Mapping[str, Value], venue: VenueProfile | None = None, marker: str = ""
    ) -> Self:
        """Return an action with its parameters, absent ones None, at a venue. `marker`: the idempotency key."""
        declared = {p.name: arguments.get(p.name) for p in action.parameters}
        profile = venue.model_dump(mode="json") if venue else {}
        return cls(action, declared, venue=profile, marker=marker_of(action, marker))

    def with_(self, **changes: Any) -> Self:
        """Return a copy with some values replaced."""
        return replace(self, **changes)

    @property
    def base_url(self) -> str:
        """Return the address of the venue's API."""
        return str(self.venue["base_url"])

    @property
    def creates(self) -> bool:
        """Return whether the write creates a new resource, which reads of its own find."""
        return self.action.verify is not None and bool(self.action.verify.reads)

    @property
    def can_be_read(self) -> bool:
        """Return whether a read can show the effect of the write."""
        return self.action.snapshot is not None or self.creates

    def names(self) -> dict[str, object]:
        """Return everything by name, every parameter of the action among them, absent ones None."""
        return {
            **{p.name: None for p in self.action.parameters},
            **self.parameters,
            "before": self.before,
            "now": self.now,
            "left": self.left,
            "response": self.response,
            "request": _seen(self.sent),
            "venue": self.venue,
            "marker": self.marker,
            "seen": dict(self.seen),
            "in_place_of": self.in_place_of,
            **({"today": self.today} if self.today else {}),
        }


def marker_of(action: AtomicAction, key: str) -> str:
    """Return an idempotency key in the form that the API wants: unchanged, or as a UUID derived from it."""
    return str(uuid5(_KEYS, key)) if key and action.marker_format == "uuid" else key


def _seen(request: HttpRequest | None) -> Value:
    if request is None:
        return None
    return {"method": request.method, "path": request.path, "query": dict(request.query), "body": request.body}
