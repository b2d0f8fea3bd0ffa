"""The ids that an action requires and those that it returns, which tie one call to the next."""

import re

from contracts.action import AtomicAction
from registry.search.produced_ids import singular
from registry.search.responses import FIELD, VALUE
from registry.text import words_of

GAP = re.compile(r"{([^}]*)}")
LISTED = 0.4
"""The least weight of what an action lists; what its response only mentions has less."""

_IDS = frozenset({"id", "ids", "uuid", "sid", "key", "uri", "number", "name", "code", "slug"})
LOOKING = frozenset({"search", "find", "list", "lookup", "query", "browse"})


def required_ids(action: AtomicAction) -> tuple[str, ...]:
    """Return the resources whose ids the action requires: `playlist` for `/playlists/{playlist_id}`."""
    parts = action.operation.path.strip("/").split("/")
    found: list[str] = []
    for index, part in enumerate(parts):
        for gap in GAP.findall(part):
            previous = next((p for p in reversed(parts[:index]) if "{" not in p), "")
            found.append(_thing(gap, previous))
    for parameter in action.parameters:
        words = words_of(parameter.name)
        location = (parameter.target or "").partition(".")[0]
        if parameter.required and location != "path" and len(words) > 1 and words[-1] in ("id", "ids", "uuid", "sid"):
            found.append(singular(words[-2]))
    return tuple(dict.fromkeys(filter(None, found)))


def gives_of(action: AtomicAction) -> dict[str, float]:
    """Return the resources whose ids the response holds, with how much the action is about them."""
    operation = action.operation
    lines = [entry for entry in operation.gives if not entry.startswith((FIELD, VALUE))]
    if operation.method != "GET" and not action.read_only:
        return dict.fromkeys(lines, 0.1)
    found = dict.fromkeys(lines, 0.2)
    parts = [part for part in operation.path.strip("/").split("/") if part]
    if not parts or "{" in parts[-1]:
        return found
    # A list: /tv/popular gives tv, /search/person a person, /albums/{id}/tracks a track.
    share = LISTED if "{" in operation.path else 0.6
    words = [(singular(word), index) for index, part in enumerate(parts) if "{" not in part for word in words_of(part)]
    # Where the response names one of them, the others only qualify it: /genre/movie/list returns no movies.
    named = any(thing in lines for thing, _ in words)
    return found | {thing: share for thing, index in words if index >= len(parts) - 2 and (thing in lines or not named)}


def is_entry_point(action: AtomicAction) -> bool:
    """Return whether an action is a look-up that needs no id, so that a chain of calls can begin with it."""
    looks = not LOOKING.isdisjoint([*words_of(action.name), *words_of(action.operation.path)])
    return looks and not required_ids(action)


def detailed_by(action: AtomicAction) -> str:
    """Return the resource that the action returns in full, `track` for GET /tracks/{id}; "" for any other action."""
    needs = required_ids(action)
    last = action.operation.path.rstrip("/").rpartition("/")[2]
    return needs[-1] if needs and action.operation.method == "GET" and GAP.fullmatch(last) else ""


def _thing(gap: str, previous: str) -> str:
    words = [word for word in words_of(gap) if word not in _IDS]
    return singular(words[-1]) if words else singular(words_of(previous)[-1]) if words_of(previous) else ""
