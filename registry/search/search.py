"""Selects the relevant ones among hundreds of actions: BM25 with stemming over an action's name, effect, inputs and
response.

One search for a whole request misses the steps that it does not name. So each good match adds the actions that it
needs: those that produce its ids (from the document), the reads of its snapshot, its undo, and the one that returns
more of what it found. Venue people have words of their own, so synonyms count too (`language/vocabulary/thesaurus.py`).
Where the words of a request fit badly, the search is by resource: all actions on the resources that it mentions.
Nothing here is specific to a venue: every word comes from its document, its overlays or that thesaurus.

Which entry answers a question is another task (`language/venue_facts/matching.py`): one of few, or none. Tried in place
of BM25, that matcher scored above 0 for 12 of the 90 requests of `evals/cases/search`, and all needs of 60 were among
20 actions: about as many as with no score of words at all (59), by resources alone. With BM25 it is 65.

Summary for the model of the actions that it is not shown: one line a resource, within a size limit.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

from contracts.action import AtomicAction
from language.vocabulary.thesaurus import TO, Thesaurus, languages_of
from registry.search.resources import (
    BOOKING,
    FIELD,
    GAP,
    GUEST,
    LISTED,
    VALUE,
    Resources,
    SearchQuery,
    detailed_by,
    gives_of,
    is_entry_point,
    meanings_of,
    required_ids,
)
from registry.text import unaccented, word_set, words_of

_MOST = 5_000
"""Characters in all: some 1,200 tokens."""
_NAMED = 3
"""Actions named in a line; all of them where leaving the last one out would be no shorter."""
_SHORT = 2_000
"""Characters reserved for the resources without a line of their own."""


def summarize_rest(actions: Iterable[tuple[str, AtomicAction]]) -> str:
    """Return lines such as `invoice: 14 more actions, among them …`, those with the most actions first. `actions` are
    the ones left out, each with its resource, the likeliest first. The last line counts what does not fit."""
    left: defaultdict[str, list[str]] = defaultdict(list)
    for resource, action in actions:
        left[resource or "other"].append(action.name)
    ranked = sorted(left.items(), key=lambda row: -len(row[1]))
    lines: list[str] = []
    room = _MOST - _SHORT
    while ranked and len(line := _line(*ranked[0])) < room:
        lines.append(line)
        room -= len(line) + 1
        ranked.pop(0)
    return "\n".join([*lines, *_rest(ranked, room + _SHORT)])


def _line(resource: str, names: list[str]) -> str:
    if len(names) <= _NAMED + 1:
        return f"{resource}: {', '.join(names)}"
    return f"{resource}: {len(names)} more actions, among them {', '.join(names[:_NAMED])}"


def _rest(ranked: list[tuple[str, list[str]]], room: int) -> list[str]:
    if not ranked:
        return []
    messages: list[str] = []
    room -= len("also on , and on 1000 other things")
    for resource, names in ranked:
        entry = f"{resource} ({len(names)})"
        if room < len(entry) + 2:
            return [f"also on {', '.join(messages)}, and on {len(ranked) - len(messages)} other things"]
        messages.append(entry)
        room -= len(entry) + 2
    return [f"also on {', '.join(messages)}"]


FEW = 30
"""Below this number of actions all of them are offered without a selection."""

_STOP = word_set("""
    a an and are as at be by can could do for from get give has have her his how i in is it its list many me my of
    on or our please show some tell that the their them there these they this to us was we were what when where
    which who will with would you your
""")
# Round numbers in the middle of wide plateaus. Those of words, ids and companions were set mostly on RestBench's TMDB
# requests, seldom looking at Spotify's; those of meanings and resources on `evals/cases/search/requests_1.jsonl`.
_ANSWERED = 0.7
"""The weight of a word in an action's response, where one in its own text counts 1."""
_MEANT = 0.3
_DEED = 0.15
"""The same for the verb, because many actions cancel or create something."""
"""What a word counts that no action says, where an action says another for the same thing."""
_PRODUCERS = (0.97, 0.8, 0.6)
"""The shares of a match's score that the best producers of an id that it needs are raised to."""
_BESIDE = 0.95
"""The same for what an overlay names beside its action: the undo, the reads of the snapshot."""
_DETAIL = 0.7
"""The same for the action that returns one resource in full, of the score of a list of such resources."""
_SOMEBODY = 0.85
"""What the look-ups of guests and of bookings are raised to where a request names a person."""
_SURE, _SURE_NAMED = 0.8, 0.15
"""The share of a request's words that the best action must contain for its score to be trusted; the second where the
request contains the name of a resource itself."""
_DOUBTED = 0.5
"""The weight of the words where they are not trusted; the rest is for an action's resource and verb."""
_WEAK = 1.0
"""A best score below this does not count as good."""
_PLURAL = 5
_SAMPLED = 40
"""Actions whose titles determine the language of a pack."""


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    return import_module("Stemmer").Stemmer("english")


def _terms(words: Iterable[str]) -> list[str]:
    kept = [word for word in words if word not in _STOP and len(word) > 1]
    # Italian marks the plural by the last vowel, where English stems of that length hardly ever end in one.
    stems = map(str, _stemmer().stemWords(kept))
    return [stem[:-1] if len(stem) >= _PLURAL and stem[-1] in "aeio" else stem for stem in stems]


class Search:
    """An index over a set of actions. Building it at the first request takes some 150 ms for 400 actions; a request
    then takes one or two. So one is cached for each version of a pack. `aliases` are a pack's own words
    (`VenueProfile.aliases`)."""

    def __init__(self, actions: Sequence[AtomicAction], aliases: Mapping[str, Sequence[str]] | None = None) -> None:
        self._actions = list(actions)
        called = {word: {"": others} for word, others in (aliases or {}).items()}
        self._called = Thesaurus(called) if called else None
        self._names = {action.name: index for index, action in enumerate(self._actions)}
        self._needs = [required_ids(action) for action in self._actions]
        self._gives = [gives_of(action) for action in self._actions]
        self._starts = [is_entry_point(action) for action in self._actions]
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
        # A response contains a word or it does not, so long ones are not penalised.
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
        """Return the resources of the actions."""
        return Resources(self._actions, self._languages)

    def scores(self, text: str) -> list[float]:
        """Return how well each action matches `text` by its words alone, from 0 to 1."""
        return _share(self._scores(self._asked(text)))

    def choose(self, text: str, limit: int) -> list[AtomicAction]:
        """Return at most `limit` actions for a request, the best first, with those that they need; where fewer fit, a
        few of each resource."""
        if len(self._actions) <= limit:
            return list(self._actions)
        query = self._asked(text)
        raw = self._scores(query)
        own, total = _share(raw), self._widened(query, raw)
        if query.names or GUEST in query.groups:
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
        """Return a summary of the actions not named in `sent`, one line a resource, so that a model knows of them."""
        order = self.resources.spread(len(self._actions))
        return summarize_rest(
            (self.resources.of[i], self._actions[i]) for i in order if self._actions[i].name not in sent
        )

    def _asked(self, text: str) -> SearchQuery:
        """Return a parsed request, with the pack author's words added for each of the pack's aliases in it."""
        if self._called is None:
            return SearchQuery.of(text)
        meant = [name for name, _ in self._called.meant(words_of(unaccented(text)), languages_of(text))]
        return SearchQuery.of(" ".join([text, *dict.fromkeys(meant)]))

    def _scores(self, query: SearchQuery) -> list[float]:
        terms = list(dict.fromkeys(_terms(query.words)))
        known = {word for word in query.words if not self._texts.known.isdisjoint(_terms([word]))}
        new = query.unknown(known)
        done = self._meanings.scores(name for name in new if name.startswith(TO))
        meant = self._meanings.scores(name for name in new if not name.startswith(TO))
        rows = zip(self._texts.scores(terms), self._answers.scores(terms), meant, done, strict=True)
        return [own + _ANSWERED * answered + _MEANT * like + _DEED * does for own, answered, like, does in rows]

    def _widened(self, query: SearchQuery, raw: Sequence[float]) -> list[float]:
        """Return the scores. Where they are not trusted, return half of each plus half of the score by resource and
        verb: all actions on the mentioned resource then precede chance matches of a word, and the verb counts for that
        resource alone."""
        terms = list(dict.fromkeys(_terms(word for word in query.words if word not in query.names)))
        best = max(range(len(raw)), key=raw.__getitem__)
        matched = sum(self._texts.says(best, term) or self._answers.says(best, term) for term in terms)
        if matched >= len(terms) * (_SURE_NAMED if self.resources.named(query) else _SURE):
            return _share(raw)
        pairs = zip(_share(raw, _WEAK), self.resources.scores(query), strict=True)
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
        """Raise the action that returns one resource in full for a good list of such resources, because requests often
        need both."""
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
    """Return the scores as shares of the best, or of `least` where the best is less."""
    top = max(*scores, least) or 1.0
    return [score / top for score in scores]


class _Index:
    """BM25 over rows of terms; `b` is the penalty of longer rows."""

    def __init__(self, rows: Sequence[Sequence[str]], b: float = 0.75) -> None:
        self._rows = len(rows)
        self._words_of_row = [frozenset(row) for row in rows]
        self.known = frozenset(term for row in rows for term in row)
        self._model = import_module("bm25s").BM25(b=b)
        self._model.index([row or ["-"] for row in rows], show_progress=False)

    def says(self, row: int, term: str) -> bool:
        """Return whether a row contains a term."""
        return term in self._words_of_row[row]

    def scores(self, terms: Iterable[str]) -> list[float]:
        known = [term for term in terms if term in self.known]
        return [float(score) for score in self._model.get_scores(known)] if known else [0.0] * self._rows


def choose(actions: Sequence[AtomicAction], text: str, limit: int) -> list[AtomicAction]:
    """Return at most `limit` of `actions` for a request, with what they need added; all when they are few."""
    actions = list(actions)
    return actions if len(actions) < FEW and len(actions) <= max(limit, FEW) else Search(actions).choose(text, limit)


def _text(action: AtomicAction) -> list[str]:
    operation = action.operation
    static = GAP.sub(" ", operation.path)
    gaps = " ".join(GAP.findall(operation.path))
    # The path describes an operation more reliably than prose, and examples are what people really write.
    text = " ".join(example.say for example in action.examples)
    called = " ".join(action.aliases)
    names = {p.name: None for p in action.parameters if not (p.target or "").startswith("path.")}
    names |= {p.name: None for p in operation.parameters if p.location != "path"}
    own = (action.name, action.title, action.description, action.when_to_use, action.category)
    written = (*own, static, static, gaps, text, text, called, called)
    return [
        *(word for part in written for word in words_of(unaccented(part))),
        *dict.fromkeys(word for name in names for word in words_of(unaccented(name))),
    ]


def _answer(action: AtomicAction) -> list[str]:
    return words_of(unaccented(" ".join(entry for entry in action.operation.gives if entry.startswith((FIELD, VALUE)))))
