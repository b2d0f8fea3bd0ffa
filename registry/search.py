"""Choosing among hundreds of actions: BM25 with stemming over what an action is called, does and is asked for.

One shot over a whole request misses the steps that it does not name, so each good match brings along what it needs:
the actions that produce its ids, which the document tells, the reads of its snapshot, and the one that undoes it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

from contracts.action import AtomicAction
from registry.produced import singular
from registry.words import words_of

FEW = 30
"""Below so many actions nothing is chosen: all of them are offered."""

_GAP = re.compile(r"{([^}]*)}")
_STOP = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "could", "do", "for", "from", "get", "give", "has", "have",
    "her", "his", "how", "i", "in", "is", "it", "its", "list", "many", "me", "my", "of", "on", "or", "our", "please",
    "show", "some", "tell", "that", "the", "their", "them", "there", "these", "they", "this", "to", "us", "was", "we",
    "were", "what", "when", "where", "which", "who", "will", "with", "would", "you", "your",
})  # fmt: skip
_LOOKING = frozenset({"search", "find", "list", "lookup", "query", "browse"})
_IDS = frozenset({"id", "ids", "uuid", "sid", "key", "uri", "number", "name", "code", "slug"})
# A word and what interfaces call the same thing. Written by hand, the film and music half of it with RestBench's
# requests in view: `bench/restbench.py` therefore prints its figures with and without this table.
_ALSO = {
    "song": "track", "music": "track", "film": "movie", "actor": "cast", "actress": "cast", "star": "cast",
    "director": "crew", "direct": "crew", "writer": "crew", "photo": "image", "picture": "image", "poster": "image",
    "logo": "image", "artwork": "image", "customer": "guest", "client": "guest", "reservation": "booking",
    "appointment": "booking", "reschedule": "move", "erase": "delete", "drop": "remove", "singer": "artist",
    "band": "artist", "show": "tv", "serie": "tv", "rank": "top", "best": "top", "hot": "popular", "people": "person",
    "act": "credit", "cast": "credit", "crew": "credit", "lead": "cast",
}  # fmt: skip


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    return import_module("Stemmer").Stemmer("english")


def _terms(words: Iterable[str]) -> list[str]:
    kept = [word for word in words if word not in _STOP and len(word) > 1]
    return [str(stem) for stem in _stemmer().stemWords(kept)]


class Search:
    """An index over a set of actions; making it costs milliseconds, so one is made for each version of a pack."""

    def __init__(self, actions: Sequence[AtomicAction], *, synonyms: bool = True) -> None:
        self._actions, self._synonyms = list(actions), synonyms
        self._names = {action.name: index for index, action in enumerate(self._actions)}
        self._needs = [needs_of(action) for action in self._actions]
        self._gives = [gives_of(action) for action in self._actions]

    @cached_property
    def _index(self) -> Any:
        bm25s = import_module("bm25s")
        index = bm25s.BM25(k1=1.2, b=0.4)
        index.index([_terms(_text(action)) or ["-"] for action in self._actions], show_progress=False)
        return index

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(term for action in self._actions for term in _terms(_text(action)))

    def scores(self, text: str) -> list[float]:
        """How well each action matches `text` by its words alone, from 0 to 1."""
        words = words_of(text)
        also = [more for word in words for more in _synonyms(word)] if self._synonyms else []
        terms = [term for term in _terms([*words, *also]) if term in self._known]
        if not terms:
            return [0.0] * len(self._actions)
        raw = [float(score) for score in self._index.get_scores(terms)]
        top = max(raw) or 1.0
        return [score / top for score in raw]

    def choose(self, text: str, limit: int) -> list[AtomicAction]:
        """At most `limit` actions for a request, the best first, with those that they need."""
        if len(self._actions) <= limit:
            return list(self._actions)
        own = self.scores(text)
        total = list(own)
        for _ in range(2):
            self._bring_along(own, total)
        order = sorted(range(len(total)), key=lambda i: (-total[i], -own[i], i))
        return [self._actions[i] for i in order[:limit]]

    def _bring_along(self, own: Sequence[float], total: list[float]) -> None:
        """Raise what a good match needs nearly as high as the match itself."""
        before = list(total)
        for index, score in enumerate(before):
            if score <= 0:
                continue
            for thing in self._needs[index]:
                for rank, producer in enumerate(self._producers(thing, own, index)):
                    total[producer] = max(total[producer], score * _SHARES[rank])
            for name in _companions(self._actions[index], self._names):
                total[self._names[name]] = max(total[self._names[name]], score * 0.95)

    def _producers(self, thing: str, own: Sequence[float], but: int) -> list[int]:
        found = [i for i, given in enumerate(self._gives) if thing in given and i != but]

        def quality(index: int) -> float:
            action = self._actions[index]
            direct = not self._needs[index]
            looking = not _LOOKING.isdisjoint([*words_of(action.name), *words_of(action.operation.path)])
            return own[index] + self._gives[index][thing] + 0.4 * direct + 0.4 * (looking and direct)

        return sorted(found, key=lambda i: -quality(i))[: len(_SHARES)]


_SHARES = (0.97, 0.8, 0.6)


def choose(actions: Sequence[AtomicAction], text: str, limit: int) -> list[AtomicAction]:
    """At most `limit` of `actions` for a request, with what they need brought along; all when they are few."""
    actions = list(actions)
    return actions if len(actions) < FEW and len(actions) <= max(limit, FEW) else Search(actions).choose(text, limit)


def catalogue(actions: Iterable[AtomicAction]) -> str:
    """One line for each action, name and purpose: so that a model knows of what it is not shown."""
    return "\n".join(f"{action.name}: {_purpose(action)}" for action in actions)


def needs_of(action: AtomicAction) -> tuple[str, ...]:
    """The things whose ids the action must be given: `playlist` for `/playlists/{playlist_id}`."""
    parts = action.operation.path.strip("/").split("/")
    found: list[str] = []
    for index, part in enumerate(parts):
        for gap in _GAP.findall(part):
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
    if action.operation.method != "GET" and not action.read_only:
        return dict.fromkeys(action.operation.gives, 0.1)
    found = dict.fromkeys(action.operation.gives, 0.2)
    parts = [p for p in action.operation.path.strip("/").split("/") if p]
    if parts and "{" not in parts[-1]:
        # A list: /tv/popular gives tv, /search/person a person, /albums/{id}/tracks a track.
        for part in parts[-2:]:
            for word in words_of(part) if "{" not in part else ():
                found[singular(word)] = max(
                    found.get(singular(word), 0), 0.6 if "{" not in action.operation.path else 0.4
                )
    return found


def _thing(gap: str, previous: str) -> str:
    words = [word for word in words_of(gap) if word not in _IDS]
    return singular(words[-1]) if words else singular(words_of(previous)[-1]) if words_of(previous) else ""


def _companions(action: AtomicAction, names: Mapping[str, int]) -> list[str]:
    """Names of actions beside `action` that share an operation with its reads or its undo."""
    return [name for name in action.companions if name in names]


def _purpose(action: AtomicAction) -> str:
    text = action.title if len(action.title) > 12 else action.description
    return text if len(text) <= 90 else text[:89].rstrip() + "…"


def _synonyms(word: str) -> list[str]:
    found, current = list[str](), singular(word)
    for stem in (word, current, *[word[: -len(end)] for end in ("ed", "ing", "d", "or") if word.endswith(end)]):
        while stem in _ALSO and _ALSO[stem] not in found:
            stem = _ALSO[stem]
            found.append(stem)
    return found


def _text(action: AtomicAction) -> list[str]:
    static = words_of(_GAP.sub(" ", action.operation.path))
    said = [word for example in action.examples for word in words_of(example.say)]
    gaps = [word for gap in _GAP.findall(action.operation.path) for word in words_of(gap)]
    return [
        *words_of(action.name), *words_of(action.title), *words_of(action.description), *words_of(action.when_to_use),
        *words_of(action.category), *static, *static, *gaps, *said, *said,
    ]  # fmt: skip
