"""Which resource an action is about, as its path tells: `subscription` for `/customers/{id}/subscriptions`, `invoice`
for `/invoices/{id}/void`. A request that names a thing, by whatever word, may need any of what can be done with it."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from functools import cached_property

from contracts.action import AtomicAction
from language.thesaurus import TO
from registry.produced import is_plural, singular
from registry.search_meanings import CREATE, FIND, Asked, deeds_of, groups_of, name_words
from registry.search_things import GAP, LOOKING, needs_of, starts
from registry.words import words_of

_NO_THING = re.compile(r"v?\d[\d.-]*|api|rest")
_ENDING = re.compile(r"\.(json|xml)$")
_MEANT = 0.7
"""What a word that means the resource counts, where one that names it counts 1."""
_START, _DEED = 0.25, 0.3
"""What a look-up without an id, and the deed that is asked for, are worth beside the resource itself (1)."""
_LOOK_UPS = 2
_DEEPER = 0.04
"""What each id in a path takes away."""


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
        self._begins = [FIND in deeds_of(action) and not GAP.search(action.operation.path) for action in self._actions]

    def _deeds_of(self, action: AtomicAction) -> frozenset[str]:
        said = [*name_words(action), *words_of(action.operation.path.rpartition("/")[2])]
        return frozenset(deeds_of(action)) | {g for g in groups_of(said, self._languages) if g.startswith(TO)} - {FIND}

    @cached_property
    def members(self) -> dict[str, list[int]]:
        """The places of each resource's actions, in order."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(self.of):
            found[name].append(index)
        return dict(found)

    @cached_property
    def _said(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """The words of each resource's name, and the groups they mean."""
        return {name: (frozenset(name.split()), self._things(name)) for name in self.members}

    def _things(self, name: str) -> frozenset[str]:
        return frozenset(g for g in groups_of(name.split(), self._languages) if not g.startswith(TO))

    @cached_property
    def _rare(self) -> Counter[str]:
        """In how many resources' names a word or a group stands."""
        return Counter(entry for words, groups in self._said.values() for entry in (*words, *(f"~{g}" for g in groups)))

    def scores(self, asked: Asked) -> list[float]:
        """How well each action fits by what it is about and does, from 0 to 1."""
        said, groups = {singular(word) for word in asked.words}, asked.groups
        named: dict[str, float] = {}
        for name, (own, meant) in self._said.items():
            score = sum(self._weight(word) for word in own & said)
            score += _MEANT * sum(self._weight(f"~{group}") for group in meant if group in groups)
            named[name] = score / math.sqrt(len(own)) if own else 0.0
        top = max(named.values(), default=0.0)
        if not top:
            return [0.0] * len(self._actions)
        return [
            named[name] / top * self._fitness(index, groups) / (1 + _START + _DEED) if named[name] else 0.0
            for index, name in enumerate(self.of)
        ]

    def named(self, asked: Asked) -> bool:
        """Whether a request says the name of a resource itself."""
        return not {singular(word) for word in asked.plain_words}.isdisjoint(self._rare)

    def spread(self, limit: int) -> list[int]:
        """All places, for when nothing is known of what is asked: first the look-ups and then the makings of as many
        resources as there is room for, those with the most actions first."""
        ranked = sorted(self.members, key=lambda name: -len(self.members[name]))
        first = {name: rank for rank, name in enumerate(ranked)}
        near = max(1, limit // 2)

        def key(index: int) -> tuple[bool, bool, int, int, int]:
            rank = first[self.of[index]]
            kind = 0 if self._begins[index] else 1 if CREATE in deeds_of(self._actions[index]) else 2
            searched = starts(self._actions[index])
            return rank >= near and not searched, not searched, kind, rank, index

        return sorted(range(len(self.of)), key=key)

    def look_ups(self, group: str) -> list[int]:
        """The look-ups by which the commonest resource of a group of the thesaurus is found, most needed first."""
        named = [name for name, (_, meant) in self._said.items() if group in meant]
        best = max(named, key=lambda name: (self._needed[name], len(self.members[name])), default="")
        return [i for i in self.members.get(best, ()) if self._begins[i]][:_LOOK_UPS]

    @cached_property
    def _needed(self) -> Counter[str]:
        return Counter(thing for action in self._actions for thing in needs_of(action))

    def _weight(self, entry: str) -> float:
        return math.log(1 + len(self._said) / self._rare[entry])

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
    """The last segment that is a thing, in the singular, with the plain ones straight before it."""
    places = [i for i, part in enumerate(row) if not _gap(part) and (part in things or is_plural(part))]
    if not places:
        plain = [part for part in row if not _gap(part)]
        return " ".join(_name(plain[0])) if plain else ""
    first = last = places[-1]
    while first and not _gap(row[first - 1]):
        first -= 1
    return " ".join(dict.fromkeys(word for part in row[first : last + 1] for word in _name(part)))


def _name(part: str) -> list[str]:
    return [singular(word) for word in words_of(part)]
