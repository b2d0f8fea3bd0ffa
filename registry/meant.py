"""An overlay whose keys are wrong, read as it was most likely meant: it gives no action, but the rest of its mistakes
are told in one go with the first."""

from copy import deepcopy
from typing import Any

from pydantic import ValidationError

from contracts.base import Node, Parts
from registry.faults import closest
from registry.overlay import OverlayFile, keys_at

Location = tuple[int | str, ...]

_FILLED: dict[str, Node] = {
    "covers": ["*.*"],
    **dict.fromkeys(("title", "description", "manual", "message", "label", "after"), "-"),
}
"""What may stand for a key that is missing and changes nothing of what the other keys say."""


def as_meant(data: Parts, error: ValidationError) -> tuple[OverlayFile | None, set[Location]]:
    """The overlay with misspelt keys as they should be, missing texts filled in and unknown words left out, None where
    more is wrong than that; and where keys are missing only because they are misspelt."""
    meant: Any = deepcopy(data)
    followed = set[Location]()
    # First what is misspelt: what it was to be is then missing no longer.
    for problem in sorted(error.errors(), key=lambda found: found["type"] != "extra_forbidden"):
        where, kind = problem["loc"], problem["type"]
        holder, name = _at(meant, where[:-1]), where[-1]
        if not isinstance(holder, dict):
            return None, followed
        if kind == "extra_forbidden":
            right = closest(str(name), keys_at(OverlayFile, where[:-1]))
            if right is None or right in holder:
                return None, followed
            holder[right] = holder.pop(name)
            followed.add((*where[:-1], right))
        elif kind == "missing" and where not in followed and str(name) in _FILLED:
            holder[name] = _FILLED[str(name)]
        elif kind in ("enum", "literal_error"):
            holder.pop(name, None)
        elif where not in followed:
            return None, followed
    try:
        return OverlayFile.model_validate(meant), followed
    except ValidationError:
        return None, followed


def _at(data: Any, where: Location) -> Any:
    for part in where:
        inside = isinstance(data, dict) and part in data
        listed = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if not inside and not listed:
            return None
        data = data[part]
    return data
