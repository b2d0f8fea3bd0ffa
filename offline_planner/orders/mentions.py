"""Mentions of bookings in a stretch of words: a number, a contact detail, a name, or the words of its title.

Words that nothing else explains are a name in the place of a name, else chatter; the look-up decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from language.dates.resolution import Span
from language.extraction import Mention, MentionKind
from language.locales import alternatives, get_locale, in_all, words_in_all
from language.requests.parts import RequestWord
from language.text.lexer import lex
from language.text.normalize import normalize_text
from offline_planner.message import ParsedMessage

_OWNED = 3
_PLACED = 2
_SURE = 2
LINKS = words_in_all("planner_mentions", "LINKS")
_ARTICLES = words_in_all("planner_mentions", "ARTICLES")
_TITLES = words_in_all("planner_mentions", "TITLES")
_WHOSE = words_in_all("planner_mentions", "WHOSE")
_BESIDE_VERBS = re.compile(rf"(?:{alternatives('planner_mentions', 'BESIDE_VERBS')})\s+$", re.IGNORECASE)
_PARTICLES = words_in_all("planner_mentions", "PARTICLES")
_CAPITAL = words_in_all("planner_mentions", "CAPITAL")
_ONE = words_in_all("planner_mentions", "ONE")
_FEASTS = [get_locale(code) for code in in_all("planner_mentions", "FEASTS")]


@dataclass(slots=True)
class BookingMention:
    """Represent a booking as mentioned. `words` name it, likeliest first for a search; `title` are the ordinary words
    beside them ("family", "birthday"); `whens` are its own days and times, where these distinguish several bookings."""

    span: Span
    code: str = ""
    words: str = ""
    title: tuple[str, ...] = ()
    whens: list[Mention] = field(default_factory=list)
    sure: bool = True
    others: list[BookingMention] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the booking as mentioned, for a question."""
        return self.code or self.words or " ".join(self.title)


def mentions_in(
    message: ParsedMessage, span: Span, alone: bool, clitics: Collection[str], generic: Collection[str]
) -> list[BookingMention]:
    """Return the bookings mentioned in a span, left to right. `alone`: the span is the whole message."""
    found = [BookingMention(code.span, code=code.text) for code in message.codes if _inside(code.span, span)]
    parts = [p for p in message.parts if _inside(p.span, span)]
    runs = _runs(message, parts)
    scored = [(_score(message, parts, run, alone, clitics), run) for run in runs]
    named = _one_of([(score, _named(message, parts, run, score)) for score, run in scored if score >= _SURE])
    if not found and not named:
        named = [m for m in [_titled(message, parts, generic)] if m is not None]
    return found or named


def _one_of(named: list[tuple[int, BookingMention]]) -> list[BookingMention]:
    """Return the likeliest of the names in a clause, the others as alternatives: they all name one booking."""
    if not named:
        return []
    ranked = [m for _, m in sorted(named, key=lambda pair: -pair[0])]
    ranked[0].others = ranked[1:]
    return ranked[:1]


def free_runs(message: ParsedMessage, span: Span) -> list[list[RequestWord]]:
    """Return the runs of words in a span that are in no list."""
    return _runs(message, [p for p in message.parts if _inside(p.span, span)])


def is_whose(word: str) -> bool:
    """Return whether a word is a possessive: "her", "sua"."""
    return normalize_text(word) in _WHOSE


def _inside(one: Span, other: Span) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _runs(message: ParsedMessage, parts: list[RequestWord]) -> list[list[RequestWord]]:
    """Return the runs of adjacent words that may be a name."""
    runs: list[list[RequestWord]] = []
    index = 0
    while index < len(parts):
        if not _may_name(message, parts, index):
            index += 1
            continue
        run = [parts[index]]
        while not run[-1].owner and index + len(run) < len(parts):
            following = parts[index + len(run)]
            joined = re.fullmatch(r"[\s'’-]", message.text[run[-1].span[1] : following.span[0]])
            capital = (
                following.text[:1].isupper() and run[0].text[:1].isupper() and message.covers(following.span) is None
            )
            small = following.text.lower() in _PARTICLES and _particle(message, parts, index + len(run), run)
            surname = _is_surname(message, following, run)
            if not joined or not (_may_name(message, parts, index + len(run)) or capital or small or surname):
                break
            run.append(following)
        runs.append(run)
        index += len(run)
    return runs


def _is_surname(message: ParsedMessage, part: RequestWord, run: list[RequestWord]) -> bool:
    """Return whether a "foreign" word behind a first name is a surname, unless it matches no one: "Daniel Price"."""
    first = not run[0].ordinary and not run[0].senses and len(run) == 1
    return (
        first
        and part.senses == {"foreign"}
        and " " not in part.text
        and normalize_text(part.text) not in message.strangers
    )


def _particle(message: ParsedMessage, parts: list[RequestWord], index: int, run: list[RequestWord]) -> bool:
    """Return whether a word is the particle inside a name: "Anna de Luca"."""
    behind = index + 1 < len(parts) and parts[index + 1].text[:1].isupper()
    return run[0].text[:1].isupper() and behind


def _may_name(message: ParsedMessage, parts: list[RequestWord], index: int) -> bool:
    part = parts[index]
    if normalize_text(part.text) in message.strangers or not any(char.isalpha() for char in part.text):
        return False
    if " " in part.text or part.text.lower() in _TITLES:
        return False
    mention = message.covers(part.span)
    if not message.asks and not part.text[:1].isupper() and _BESIDE_VERBS.search(message.text[: part.span[0]]):
        # "They've picked", "hanno scelto": a participle is no name.
        return False
    if not part.ordinary and not part.senses and not part.slip:
        return mention is None
    # "May Wong", "move Will to 4pm": a word of the language is a name by an unexpected capital.
    opens = re.search(r"(?:^|[.!?;:]\s*)\W*$", message.text[: part.span[0]]) is not None
    capital = part.text[:1].isupper() and len(part.text) > 1 and not part.text.isupper()
    if (
        not capital
        or part.does("pronoun")
        or (mention is not None and mention.unambiguous and mention.kind is not MentionKind.DAY)
    ):
        return False
    following = parts[index + 1] if index + 1 < len(parts) else None
    beside = following is not None and following.text[:1].isupper() and not following.ordinary
    before = message.text[: part.span[0]].split()[-1:]
    after_link = bool(before) and normalize_text(before[0]) in LINKS and not opens
    verb_before = index > 0 and parts[index - 1].does("move", "cancel", "change") and not opens
    if mention is not None:
        return beside
    return (
        (not opens and (beside or after_link or verb_before) and not part.does("polite"))
        or (not opens and not part.senses and part.text.lower() not in _CAPITAL)
        or (
            opens
            and beside
            and not part.does(
                "polite", "move", "cancel", "change", "add", "look", "booking", "event", "report", "function"
            )
        )
    )


def _score(
    message: ParsedMessage, parts: list[RequestWord], run: list[RequestWord], alone: bool, clitics: Collection[str]
) -> int:
    """Return how well a run fits the place of a name."""
    first, last = parts.index(run[0]), parts.index(run[-1])
    before = parts[first - 1] if first else None
    after = parts[last + 1] if last + 1 < len(parts) else None
    capitals = sum(p.text[:1].isupper() for p in run)
    score = _PLACED if capitals else 0
    if (
        last + 1 < len(parts)
        and after is not None
        and (after.does("booking", "event"))
        and _beside(message, run[-1], after)
    ):
        score += _OWNED
    if run[-1].owner:
        score += _OWNED
    if (
        before is None
        or alone
        or before.text.lower() in LINKS | _TITLES
        or before.does("move", "cancel", "event", "booking", "rename", "look")
    ):
        score += _PLACED
    elif before.text.lower() in _ARTICLES or before.does(
        "polite", "change", "resize", "keep", "note", "email", "phone"
    ):
        score += _PLACED if before.text.lower() in _ARTICLES or before.does("polite", "change", "keep", "resize") else 1
        if before.text.lower() in _ARTICLES and first > 1 and parts[first - 2].does("report", "state"):
            score -= 1
    if any(normalize_text(p.text) in message.people for p in run):
        return score + _OWNED
    if before is not None and before.text.lower() in _WHOSE and not capitals:
        return 0
    if first and any(p.does("report") for p in parts[:first]) and not capitals:
        score -= 1
    if before is not None and before.text.lower() in clitics and not capitals:
        score -= _OWNED
    if before is not None and before.does("want", "state") and not capitals:
        return 0
    if len(run) > 3 and not capitals:
        score -= _PLACED
    return score


def _beside(message: ParsedMessage, left: RequestWord, right: RequestWord) -> bool:
    return re.fullmatch(r"['’s]*\s", message.text[left.span[1] : right.span[0]]) is not None


def _named(message: ParsedMessage, parts: list[RequestWord], run: list[RequestWord], score: int) -> BookingMention:
    words = " ".join(p.text for p in run)
    words = re.sub(r"['’]s$", "", words)
    first, last = parts.index(run[0]), parts.index(run[-1])
    title = _title_before(message, parts, first) + _title_after(message, parts, last)
    return BookingMention((run[0].span[0], run[-1].span[1]), words=words, title=title, sure=score > _SURE)


def _title_before(message: ParsedMessage, parts: list[RequestWord], first: int) -> tuple[str, ...]:
    """Return the title words before a name: "toddler mornings Fiona", "compleanno Gatti", "la festa dei Colombo"."""
    words: list[str] = []
    for part in reversed(parts[:first]):
        if part.text.lower() in LINKS | _ARTICLES and not words:
            continue
        if not _describes(part) or message.covers(part.span) is not None:
            break
        words.insert(0, part.text)
    return tuple(words)


def _title_after(message: ParsedMessage, parts: list[RequestWord], last: int) -> tuple[str, ...]:
    words: list[str] = []
    for part in parts[last + 1 :]:
        if not _describes(part) or (message.covers(part.span) is not None and not part.does("event")):
            break
        words.append(part.text)
    return tuple(words)


def _describes(part: RequestWord) -> bool:
    """Return whether a word may be part of a booking's title: one with no other function in a request."""
    if part.does("event"):
        return True
    return part.ordinary and not part.senses and part.text.isalpha()


def _titled(message: ParsedMessage, parts: list[RequestWord], generic: Collection[str]) -> BookingMention | None:
    """Return a booking named by the ordinary words of its title alone: "the scouts outing", "the yr 4 excursion"."""
    for index, part in enumerate(parts):
        if not part.does("event", "booking") or part.does("note"):
            continue
        first = index
        while (
            first
            and _modifies(message, parts[first - 1])
            and re.fullmatch(r"[\s'’-]+", message.text[parts[first - 1].span[1] : parts[first].span[0]])
        ):
            first -= 1
        last = index
        while (
            last + 1 < len(parts)
            and parts[last + 1].does("event")
            and parts[last + 1].span[0] - parts[last].span[1] == 1
        ):
            last += 1
        words = [p for p in parts[first : last + 1] if not p.does("booking") or p.does("event")]
        words = [p for p in words if p.text.lower() not in _WHOSE | _ARTICLES]
        specific = (
            (len(words) == 1 and normalize_text(words[0].text) not in generic)
            or len(words) > 1
            or (first < index and words)
            or (words and index + 1 < len(parts) and parts[index + 1].text.lower() in _ONE)
        )
        if specific:
            return BookingMention((words[0].span[0], words[-1].span[1]), title=tuple(p.text for p in words), sure=True)
    return None


def _feast(part: RequestWord) -> bool:
    return any(t.symbol.startswith("H") for locale in _FEASTS for t in lex(part.text, locale).tokens)


def _modifies(message: ParsedMessage, part: RequestWord) -> bool:
    mention = message.covers(part.span)
    if mention is not None:
        # "The Christmas party" is a title, whatever the day of Christmas.
        return mention.kind is MentionKind.DAY and " " not in mention.text and _feast(part)
    return _describes(part) or (part.text.isdigit() and len(part.text) < 3) or (not part.ordinary and not part.senses)
