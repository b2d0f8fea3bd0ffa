"""The resource of an action, from its path: `subscription` for `/customers/{id}/subscriptions`, `invoice` for
`/invoices/{id}/void`. A request that names a resource, by whatever word, may need any of its actions: by the thesaurus,
a "bill" finds an invoice and "scrap" a cancellation. The ids that an action requires and those that it returns tie one
call to the next."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from contracts.action import AtomicAction
from language.text.names import find_names
from language.vocabulary.thesaurus import TO, languages_of, venue_words
from registry.text import is_plural, singular, unaccented, words_of

GUEST, BOOKING = "guest", "booking"
FIND, CREATE = f"{TO}find", f"{TO}create"


def meanings_of(action: AtomicAction, languages: Sequence[str]) -> list[str]:
    """Return the groups that an action mentions; those in its name and path are repeated."""
    path = groups_of(words_of(GAP.sub(" ", action.operation.path)), languages)
    texts = (action.title, action.description, action.when_to_use, *action.aliases)
    messages = groups_of([word for text in texts for word in words_of(unaccented(text))], languages)
    return [*groups_of(name_words(action), languages), *path * 2, *dict.fromkeys(messages), *audit_entries(action) * 2]


def name_words(action: AtomicAction) -> list[str]:
    """Return the words of an action's name without a leading method: `PostInvoices` sends nothing by post."""
    words = words_of(action.name)
    return words[1:] if words[:1] == [action.operation.method.lower()] else words


def groups_of(words: Sequence[str], languages: Iterable[str]) -> list[str]:
    """Return the groups of these words, as often as they occur."""
    return [name for name, _ in venue_words().meant(words, languages)]


def audit_entries(action: AtomicAction) -> list[str]:
    """Return what the request does by its method and path: a POST to a list creates an entry, a DELETE removes one. The
    words of `/invoices/{id}/void` describe a POST to it."""
    path, method = action.operation.path.rstrip("/"), action.operation.method
    before, _, last = path.rpartition("/")
    if method == "GET" or action.read_only:
        return [FIND]
    if method == "DELETE":
        return [f"{TO}remove", f"{TO}cancel"]
    if method in ("PUT", "PATCH") or GAP.search(last):
        return [f"{TO}change"]
    return [] if GAP.search(before.rpartition("/")[2]) and not is_plural(last) else [CREATE]


@dataclass(frozen=True)
class SearchQuery:
    """A parsed request: its `words`, lower-case and plain; their groups, each with the positions of the words; and
    those of the words that are a name."""

    words: tuple[str, ...]
    meant: tuple[tuple[str, tuple[int, ...]], ...]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "SearchQuery":
        """Return the parsed form of a text."""
        words = tuple(words_of(unaccented(text)))
        names = frozenset(find_names(text))
        found = venue_words().meant(words, languages_of(text))
        kept = tuple((name, indexes) for name, indexes in found if names.isdisjoint(words[index] for index in indexes))
        return cls(words, kept, names)

    @property
    def plain_words(self) -> frozenset[str]:
        """Return the words except names."""
        return frozenset(self.words) - self.names

    @property
    def groups(self) -> frozenset[str]:
        """Return all groups."""
        return frozenset(name for name, _ in self.meant)

    def unknown(self, known: Container[str]) -> list[str]:
        """Return the groups of words and phrases that no action contains."""
        return list({n: None for n, indexes in self.meant if len(indexes) > 1 or self.words[indexes[0]] not in known})


FIELD, VALUE = ".", "="
"""Prefixes of entries of `Operation.gives` that are no id but a field of the response, or a field's value."""

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


_NO_THING = re.compile(r"v?\d[\d.-]*|api|rest")
_ENDING = re.compile(r"\.(json|xml)$")
_MEANT = 0.7
"""The weight of a synonym of the resource; its own name counts 1."""
_START, _DEED = 0.25, 0.3
"""The weights of a look-up without an id, and of the requested verb, relative to the resource (1)."""
_LOOK_UPS = 2
_DEEPER = 0.04
"""The deduction for each id in a path."""


class Resources:
    """The resources of a set of actions; `of[i]` is that of the i-th."""

    def __init__(self, actions: Sequence[AtomicAction], languages: Iterable[str]) -> None:
        self._actions, self._languages = list(actions), tuple(languages)
        rows = [_segments(action) for action in self._actions]
        things = {row[i] for row in rows for i in range(len(row) - 1) if not _gap(row[i]) and _gap(row[i + 1])}
        for action, row in zip(self._actions, rows, strict=True):
            looks = action.operation.method == "GET"
            if row and looks and not _gap(row[-1]) and (len(row) == 1 or _gap(row[-2])):
                things.add(row[-1])
        pairs = zip(rows, self._actions, strict=True)
        self.of = [_resource(row, things - LOOKING) or action.category for row, action in pairs]
        self._deeds = [self._deeds_of(action) for action in self._actions]
        self._begins = [
            FIND in audit_entries(action) and not GAP.search(action.operation.path) for action in self._actions
        ]

    def _deeds_of(self, action: AtomicAction) -> frozenset[str]:
        messages = [*name_words(action), *words_of(action.operation.path.rpartition("/")[2])]
        return frozenset(audit_entries(action)) | {
            g for g in groups_of(messages, self._languages) if g.startswith(TO)
        } - {FIND}

    @cached_property
    def members(self) -> dict[str, list[int]]:
        """Return the indexes of each resource's actions, in order."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(self.of):
            found[name].append(index)
        return dict(found)

    @cached_property
    def _names_by_resource(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """Return the words of each resource's name, and their thesaurus groups."""
        return {name: (frozenset(name.split()), self._things(name)) for name in self.members}

    def _things(self, name: str) -> frozenset[str]:
        return frozenset(g for g in groups_of(name.split(), self._languages) if not g.startswith(TO))

    @cached_property
    def _rare(self) -> Counter[str]:
        """Return in how many resource names a word or a group occurs."""
        return Counter(
            entry
            for words, groups in self._names_by_resource.values()
            for entry in (*words, *(f"~{g}" for g in groups))
        )

    def scores(self, query: SearchQuery) -> list[float]:
        """Return how well each action fits by its resource and verb, from 0 to 1."""
        words, groups = {singular(word) for word in query.words}, query.groups
        named: dict[str, float] = {}
        for name, (own, meant) in self._names_by_resource.items():
            score = sum(self._weight(word) for word in own & words)
            score += _MEANT * sum(self._weight(f"~{group}") for group in meant if group in groups)
            named[name] = score / math.sqrt(len(own)) if own else 0.0
        top = max(named.values(), default=0.0)
        if not top:
            return [0.0] * len(self._actions)
        return [
            named[name] / top * self._fitness(index, groups) / (1 + _START + _DEED) if named[name] else 0.0
            for index, name in enumerate(self.of)
        ]

    def named(self, query: SearchQuery) -> bool:
        """Return whether a request contains the name of a resource."""
        return not {singular(word) for word in query.plain_words}.isdisjoint(self._rare)

    def spread(self, limit: int) -> list[int]:
        """Return all indexes, for a request about which nothing is known: first the look-ups, then the creating actions
        of as many resources as fit, those with the most actions first."""
        ranked = sorted(self.members, key=lambda name: -len(self.members[name]))
        first = {name: rank for rank, name in enumerate(ranked)}
        near = max(1, limit // 2)

        def key(index: int) -> tuple[bool, bool, int, int, int]:
            rank = first[self.of[index]]
            kind = 0 if self._begins[index] else 1 if CREATE in audit_entries(self._actions[index]) else 2
            searched = is_entry_point(self._actions[index])
            return rank >= near and not searched, not searched, kind, rank, index

        return sorted(range(len(self.of)), key=key)

    def look_ups(self, group: str) -> list[int]:
        """Return the look-ups that find the commonest resource of a thesaurus group, most needed first."""
        named = [name for name, (_, meant) in self._names_by_resource.items() if group in meant]
        best = max(named, key=lambda name: (self._needed[name], len(self.members[name])), default="")
        return [i for i in self.members.get(best, ()) if self._begins[i]][:_LOOK_UPS]

    @cached_property
    def _needed(self) -> Counter[str]:
        return Counter(thing for action in self._actions for thing in required_ids(action))

    def _weight(self, entry: str) -> float:
        return math.log(1 + len(self._names_by_resource) / self._rare[entry])

    def _fitness(self, index: int, groups: Container[str]) -> float:
        done = any(deed in groups for deed in self._deeds[index] if deed != FIND)
        depth = len(GAP.findall(self._actions[index].operation.path))
        return 1 + _START * self._begins[index] + _DEED * done - _DEEPER * depth


def _segments(action: AtomicAction) -> list[str]:
    path = _ENDING.sub("", action.operation.path.strip("/"))
    return [part for part in path.split("/") if part and not _NO_THING.fullmatch(part)]


def _gap(segment: str) -> bool:
    return "{" in segment


def _resource(row: Sequence[str], things: Container[str]) -> str:
    """Return the last path segment that is a resource, in the singular, with the plain ones directly before it."""
    indexes = [i for i, part in enumerate(row) if not _gap(part) and (part in things or is_plural(part))]
    if not indexes:
        plain = [part for part in row if not _gap(part)]
        return " ".join(_name(plain[0])) if plain else ""
    first = last = indexes[-1]
    while first and not _gap(row[first - 1]):
        first -= 1
    return " ".join(dict.fromkeys(word for part in row[first : last + 1] for word in _name(part)))


def _name(part: str) -> list[str]:
    return [singular(word) for word in words_of(part)]
