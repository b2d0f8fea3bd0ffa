"""The resource of an action, from its path: `subscription` for `/customers/{id}/subscriptions`, `invoice` for
`/invoices/{id}/void`. A request that names a resource, by whatever word, may need any of its actions."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from functools import cached_property

from contracts.action import AtomicAction
from language.vocabulary.thesaurus import TO
from registry.search.dependencies import GAP, LOOKING, is_entry_point, required_ids
from registry.search.produced_ids import is_plural, singular
from registry.search.thesaurus import CREATE, FIND, SearchQuery, audit_entries, groups_of, name_words
from registry.text import words_of

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
