"""Choosing among hundreds of actions: BM25 with stemming over what an action is called, does, is asked for and answers.

One shot over a whole request misses the steps that it does not name, so each good match brings along what it needs:
the actions that produce its ids, which the document tells, the reads of its snapshot, the one that undoes it, and the
one that tells more of what it found. Venue people have words of their own for most things, so what a request says in
other words than any action counts too (`language/thesaurus.py`), and where its words fit badly the net is cast by
resource: all that can be done with the things it speaks of. Nothing here knows what any one venue is about: every word
comes from its document, its overlays or that thesaurus.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

from contracts.action import AtomicAction
from language.thesaurus import TO, Thesaurus, languages_of
from registry.search_answers import FIELD, VALUE
from registry.search_left import left_out
from registry.search_meanings import BOOKING, GUEST, Asked, meanings_of
from registry.search_resources import Resources
from registry.search_things import GAP, LISTED, detailed_by, gives_of, needs_of, starts
from registry.words import unaccented, word_set, words_of

FEW = 30
"""Below so many actions nothing is chosen: all of them are offered."""

_STOP = word_set("""
    a an and are as at be by can could do for from get give has have her his how i in is it its list many me my of
    on or our please show some tell that the their them there these they this to us was we were what when where
    which who will with would you your
""")
# Round numbers in the middle of wide plateaus. Those of words, ids and companions were set mostly on RestBench's TMDB
# requests, seldom looking at Spotify's; those of meanings and resources on `evals/cases/search/requests_1.jsonl`.
_ANSWERED = 0.7
"""What a word in an action's answer counts, where one in its own text counts 1."""
_MEANT = 0.3
_DEED = 0.15
"""The same for what is to be done: many actions cancel or make something."""
"""What a word counts that no action says, where an action says another for the same thing."""
_PRODUCERS = (0.97, 0.8, 0.6)
"""The shares of a match's score that the best producers of an id that it needs are raised to."""
_BESIDE = 0.95
"""The same for what an overlay names beside its action: the undo, the reads of the snapshot."""
_DETAIL = 0.7
"""The same for the action that tells all of one thing, of the score of a list of such things."""
_SOMEBODY = 0.85
"""What the look-ups of guests and of bookings are raised to where a request names somebody."""
_SURE, _SURE_NAMED = 0.8, 0.15
"""The share of a request's words that the best action must say for its score to be trusted; the second where the
request says the name of a resource itself."""
_DOUBTED = 0.5
"""What the words count where they are not trusted; the rest is for what an action is about and does."""
_WEAK = 1.0
"""A best score below this is not taken for a good one."""
_PLURAL = 5
_SAMPLED = 40
"""Actions whose titles tell which language a pack is written in."""


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    return import_module("Stemmer").Stemmer("english")


def _terms(words: Iterable[str]) -> list[str]:
    kept = [word for word in words if word not in _STOP and len(word) > 1]
    # Italian marks the plural by the last vowel, where English stems of that length hardly ever end in one.
    stems = map(str, _stemmer().stemWords(kept))
    return [stem[:-1] if len(stem) >= _PLURAL and stem[-1] in "aeio" else stem for stem in stems]


class Search:
    """An index over a set of actions. It is made at the first request, for 400 actions in some 150 ms; a request then
    takes one or two. So one is kept for each version of a pack. `also_called` are a pack's own words
    (`VenueProfile.also_called`)."""

    def __init__(self, actions: Sequence[AtomicAction], also_called: Mapping[str, Sequence[str]] | None = None) -> None:
        self._actions = list(actions)
        called = {word: {"": others} for word, others in (also_called or {}).items()}
        self._called = Thesaurus(called) if called else None
        self._names = {action.name: index for index, action in enumerate(self._actions)}
        self._needs = [needs_of(action) for action in self._actions]
        self._gives = [gives_of(action) for action in self._actions]
        self._starts = [starts(action) for action in self._actions]
        needed = {thing for things in self._needs for thing in things}
        self._producers = {thing: [i for i, given in enumerate(self._gives) if thing in given] for thing in needed}
        self._details: dict[str, int] = {}
        for index, action in enumerate(self._actions):
            thing, known = detailed_by(action), self._details.get(detailed_by(action))
            if thing and (known is None or len(self._needs[index]) < len(self._needs[known])):
                self._details[thing] = index

    @cached_property
    def _texts(self) -> "_Index":
        return _Index([_terms(_text(action)) for action in self._actions])

    @cached_property
    def _answers(self) -> "_Index":
        # An answer says a word or it does not: long ones are no worse for being long.
        return _Index([list(dict.fromkeys(_terms(_answer(action)))) for action in self._actions], b=0.0)

    @cached_property
    def _meanings(self) -> "_Index":
        return _Index([meanings_of(action, self._languages) for action in self._actions])

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        # Names and paths are English nearly everywhere.
        titles = " ".join(action.title for action in self._actions[:_SAMPLED])
        return tuple(dict.fromkeys(("en", *languages_of(titles))))

    @cached_property
    def resources(self) -> Resources:
        """What the actions are about."""
        return Resources(self._actions, self._languages)

    def scores(self, text: str) -> list[float]:
        """How well each action matches `text` by its words alone, from 0 to 1."""
        return _share(self._scores(self._asked(text)))

    def choose(self, text: str, limit: int) -> list[AtomicAction]:
        """At most `limit` actions for a request, the best first, with those that they need; where fewer fit, a few of
        each resource."""
        if len(self._actions) <= limit:
            return list(self._actions)
        asked = self._asked(text)
        raw = self._scores(asked)
        own, total = _share(raw), self._widened(asked, raw)
        if asked.names or GUEST in asked.groups:
            for index in (*self.resources.look_ups(GUEST), *self.resources.look_ups(BOOKING)):
                total[index] = max(total[index], _SOMEBODY)
        producers = {thing: self._best(thing, own) for thing in self._producers}
        for _ in range(2):
            self._bring_along(producers, total)
        self._add_details(total)
        order = sorted(range(len(total)), key=lambda i: (-total[i], -own[i], not self._starts[i], i))
        fitting = [i for i in order if total[i] > 0][:limit]
        if len(fitting) < limit:
            others = [i for i in self.resources.spread(limit) if total[i] <= 0]
            fitting += others[: limit - len(fitting)]
        return [self._actions[i] for i in fitting]

    def left_out(self, sent: Container[str]) -> str:
        """What there is beside the actions named in `sent`, in one line a resource: so that a model knows of it."""
        order = self.resources.spread(len(self._actions))
        return left_out((self.resources.of[i], self._actions[i]) for i in order if self._actions[i].name not in sent)

    def _asked(self, text: str) -> Asked:
        """A request as it is read here: whoever says what a pack's author calls something says that, too."""
        if self._called is None:
            return Asked.of(text)
        meant = [name for name, _ in self._called.meant(words_of(unaccented(text)), languages_of(text))]
        return Asked.of(" ".join([text, *dict.fromkeys(meant)]))

    def _scores(self, asked: Asked) -> list[float]:
        terms = list(dict.fromkeys(_terms(asked.words)))
        known = {word for word in asked.words if not self._texts.known.isdisjoint(_terms([word]))}
        new = asked.unknown(known)
        done = self._meanings.scores(name for name in new if name.startswith(TO))
        meant = self._meanings.scores(name for name in new if not name.startswith(TO))
        rows = zip(self._texts.scores(terms), self._answers.scores(terms), meant, done, strict=True)
        return [own + _ANSWERED * answered + _MEANT * like + _DEED * does for own, answered, like, does in rows]

    def _widened(self, asked: Asked, raw: Sequence[float]) -> list[float]:
        """The scores, and where they are not to be trusted, half of each and half of what an action is about: all that
        can be done with what the request speaks of then comes before what shares a word with it by chance, and the
        deed counts for that thing alone."""
        terms = list(dict.fromkeys(_terms(word for word in asked.words if word not in asked.names)))
        best = max(range(len(raw)), key=raw.__getitem__)
        said = sum(self._texts.says(best, term) or self._answers.says(best, term) for term in terms)
        if said >= len(terms) * (_SURE_NAMED if self.resources.named(asked) else _SURE):
            return _share(raw)
        pairs = zip(_share(raw, _WEAK), self.resources.scores(asked), strict=True)
        return [_DOUBTED * score + (1 - _DOUBTED) * fits for score, fits in pairs]

    def _bring_along(self, producers: Mapping[str, Sequence[int]], total: list[float]) -> None:
        """Raise what a good match needs nearly as high as the match itself."""
        for index, score in enumerate(list(total)):
            if score <= 0:
                continue
            for thing in self._needs[index]:
                others = [producer for producer in producers[thing] if producer != index]
                for producer, share in zip(others, _PRODUCERS, strict=False):
                    total[producer] = max(total[producer], score * share)
            for name in self._actions[index].companions:
                if name in self._names:
                    total[self._names[name]] = max(total[self._names[name]], score * _BESIDE)

    def _add_details(self, total: list[float]) -> None:
        """What is looked up is often asked about: a good list of tracks raises the action that tells all of one."""
        before = list(total)
        for thing, detail in self._details.items():
            lists = [before[i] for i in self._producers[thing] if i != detail and self._gives[i][thing] >= LISTED]
            total[detail] = max(total[detail], _DETAIL * max(lists, default=0.0))

    def _best(self, thing: str, own: Sequence[float]) -> list[int]:
        def quality(index: int) -> float:
            direct = not self._needs[index]
            return own[index] + self._gives[index][thing] + 0.4 * direct + 0.4 * self._starts[index]

        # One more than are raised: an action does not produce what it needs itself.
        return sorted(self._producers[thing], key=lambda i: -quality(i))[: len(_PRODUCERS) + 1]


def _share(scores: Sequence[float], least: float = 0.0) -> list[float]:
    """The scores as shares of the best, or of `least` where the best is less."""
    top = max(*scores, least) or 1.0
    return [score / top for score in scores]


class _Index:
    """BM25 over rows of terms; `b` is how much longer rows are worth less."""

    def __init__(self, rows: Sequence[Sequence[str]], b: float = 0.75) -> None:
        self._rows = len(rows)
        self._said = [frozenset(row) for row in rows]
        self.known = frozenset(term for row in rows for term in row)
        self._model = import_module("bm25s").BM25(b=b)
        self._model.index([row or ["-"] for row in rows], show_progress=False)

    def says(self, row: int, term: str) -> bool:
        """Whether a row says a term."""
        return term in self._said[row]

    def scores(self, terms: Iterable[str]) -> list[float]:
        known = [term for term in terms if term in self.known]
        return [float(score) for score in self._model.get_scores(known)] if known else [0.0] * self._rows


def choose(actions: Sequence[AtomicAction], text: str, limit: int) -> list[AtomicAction]:
    """At most `limit` of `actions` for a request, with what they need brought along; all when they are few."""
    actions = list(actions)
    return actions if len(actions) < FEW and len(actions) <= max(limit, FEW) else Search(actions).choose(text, limit)


def _text(action: AtomicAction) -> list[str]:
    operation = action.operation
    static = GAP.sub(" ", operation.path)
    gaps = " ".join(GAP.findall(operation.path))
    # The path says what an operation is about more reliably than prose, and examples are what people really say.
    said = " ".join(example.say for example in action.examples)
    called = " ".join(action.also_called)
    names = {p.name: None for p in action.parameters if not (p.target or "").startswith("path.")}
    names |= {p.name: None for p in operation.parameters if p.location != "path"}
    own = (action.name, action.title, action.description, action.when_to_use, action.category)
    written = (*own, static, static, gaps, said, said, called, called)
    return [
        *(word for part in written for word in words_of(unaccented(part))),
        *dict.fromkeys(word for name in names for word in words_of(unaccented(name))),
    ]


def _answer(action: AtomicAction) -> list[str]:
    return words_of(unaccented(" ".join(entry for entry in action.operation.gives if entry.startswith((FIELD, VALUE)))))
