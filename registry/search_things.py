"""Which things an action must be given and which it yields: the ids that tie one call to the next."""

import re

from contracts.action import AtomicAction
from registry.produced import singular
from registry.search_answers import FIELD, VALUE
from registry.words import words_of

GAP = re.compile(r"{([^}]*)}")
LISTED = 0.4
"""An action gives at least so much of what it lists; less of what its answer merely mentions."""

_IDS = frozenset({"id", "ids", "uuid", "sid", "key", "uri", "number", "name", "code", "slug"})
LOOKING = frozenset({"search", "find", "list", "lookup", "query", "browse"})


def needs_of(action: AtomicAction) -> tuple[str, ...]:
    """The things whose ids the action must be given: `playlist` for `/playlists/{playlist_id}`."""
    parts = action.operation.path.strip("/").split("/")
    found: list[str] = []
    for index, part in enumerate(parts):
        for gap in GAP.findall(part):
            previous = next((p for p in reversed(parts[:index]) if "{" not in p), "")
            found.append(_thing(gap, previous))
    for parameter in action.parameters:
        words = words_of(parameter.name)
        place = (parameter.target or "").partition(".")[0]
        if parameter.required and place != "path" and len(words) > 1 and words[-1] in ("id", "ids", "uuid", "sid"):
            found.append(singular(words[-2]))
    return tuple(dict.fromkeys(filter(None, found)))


def gives_of(action: AtomicAction) -> dict[str, float]:
    """The things whose ids the answer holds, with how much the action is about them."""
    operation = action.operation
    told = [entry for entry in operation.gives if not entry.startswith((FIELD, VALUE))]
    if operation.method != "GET" and not action.read_only:
        return dict.fromkeys(told, 0.1)
    found = dict.fromkeys(told, 0.2)
    parts = [part for part in operation.path.strip("/").split("/") if part]
    if not parts or "{" in parts[-1]:
        return found
    # A list: /tv/popular gives tv, /search/person a person, /albums/{id}/tracks a track.
    share = LISTED if "{" in operation.path else 0.6
    words = [(singular(word), index) for index, part in enumerate(parts) if "{" not in part for word in words_of(part)]
    # Where the answer itself names one of them, the others only say of what kind: /genre/movie/list gives no movies.
    named = any(thing in told for thing, _ in words)
    return found | {thing: share for thing, index in words if index >= len(parts) - 2 and (thing in told or not named)}


def starts(action: AtomicAction) -> bool:
    """True for a look-up that needs no id: where a chain of calls can begin."""
    looks = not LOOKING.isdisjoint([*words_of(action.name), *words_of(action.operation.path)])
    return looks and not needs_of(action)


def detailed_by(action: AtomicAction) -> str:
    """The thing of which the action tells all there is, `track` for GET /tracks/{id}; "" for any other action."""
    needs = needs_of(action)
    last = action.operation.path.rstrip("/").rpartition("/")[2]
    return needs[-1] if needs and action.operation.method == "GET" and GAP.fullmatch(last) else ""


def _thing(gap: str, previous: str) -> str:
    words = [word for word in words_of(gap) if word not in _IDS]
    return singular(words[-1]) if words else singular(words_of(previous)[-1]) if words_of(previous) else ""
