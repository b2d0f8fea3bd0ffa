"""Which booking a stretch of words speaks of: a number, a contact detail, a name, or the words of its title.

Words that nothing else explains are a name where a name would stand, else chatter; the look-up has the last word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from language.lexer import lex
from language.locales import get_locale
from language.plain import plain
from language.requests import Part
from language.resolution import Span
from reasoning.evidence import Claim, Kind
from sandbox.model.said import Said

_OWNED = 3
_PLACED = 2
_SURE = 2
LINKS = frozenset("for of under per x di del della dei degli dello d dell delle with con by from da".split())
_ARTICLES = frozenset("the i gli la lo il le l".split())
_TITLES = frozenset(
    "mr mrs ms miss dr mister sir madam signora signor sig sigra dott dottor dottoressa professor nonna nonno".split()
)
_WHOSE = frozenset("her his their my our its sua suo loro mia mio nostra nostro tua tuo a an un una uno".split())
_BESIDE_VERBS = re.compile(
    r"(?:\b(?:his|her|their|they|we|she|he|you|have|has|had|been|gonna|hanno|ha|abbiamo|avete|hai|ho)|['’](?:ve|ll|d|re)|"
    r"\b(?:they|we|you|i)(?:ve|ll|re))\s+$",
    re.IGNORECASE,
)
_PARTICLES = frozenset("van von de di della del da der den la le el al bin dos du o e".split())


@dataclass(slots=True)
class Mention:
    """A booking as spoken of. `words` name it, likeliest first for a search; `title` are the ordinary words beside
    them ("family", "birthday"); `whens` are its own days and times, where several are told apart by them."""

    span: Span
    code: str = ""
    words: str = ""
    title: tuple[str, ...] = ()
    whens: list[Claim] = field(default_factory=list)
    sure: bool = True
    others: list[Mention] = field(default_factory=list)

    @property
    def said(self) -> str:
        """As it is spoken of, for a question."""
        return self.code or self.words or " ".join(self.title)


def mentions_in(said: Said, span: Span, alone: bool, clitics: frozenset[str], generic: frozenset[str]) -> list[Mention]:
    """The bookings spoken of between two places, left to right. `alone`: it is all that is said."""
    found = [Mention(code.span, code=code.text) for code in said.codes if _inside(code.span, span)]
    parts = [p for p in said.parts if _inside(p.span, span)]
    runs = _runs(said, parts)
    scored = [(_score(said, parts, run, alone, clitics), run) for run in runs]
    named = _one_of([(score, _named(said, parts, run, score)) for score, run in scored if score >= _SURE])
    if not found and not named:
        named = [m for m in [_titled(said, parts, generic)] if m is not None]
    return found or named


def _one_of(named: list[tuple[int, Mention]]) -> list[Mention]:
    """Names in one clause are names for one booking: the likeliest, the others where it is nobody's."""
    if not named:
        return []
    ranked = [m for _, m in sorted(named, key=lambda pair: -pair[0])]
    ranked[0].others = ranked[1:]
    return ranked[:1]


def free_runs(said: Said, span: Span) -> list[list[Part]]:
    """The runs of words between two places that no list has."""
    return _runs(said, [p for p in said.parts if _inside(p.span, span)])


def is_whose(word: str) -> bool:
    """Whether a word says that what follows is somebody's: "her", "sua"."""
    return plain(word) in _WHOSE


def _inside(one: Span, other: Span) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _runs(said: Said, parts: list[Part]) -> list[list[Part]]:
    """Words side by side that may be a name."""
    runs: list[list[Part]] = []
    place = 0
    while place < len(parts):
        if not _may_name(said, parts, place):
            place += 1
            continue
        run = [parts[place]]
        while not run[-1].owner and place + len(run) < len(parts):
            following = parts[place + len(run)]
            joined = re.fullmatch(r"[\s'’-]", said.text[run[-1].span[1] : following.span[0]])
            capital = following.text[:1].isupper() and run[0].text[:1].isupper() and said.covers(following.span) is None
            small = following.text.lower() in _PARTICLES and _particle(said, parts, place + len(run), run)
            surname = _is_surname(said, following, run)
            if not joined or not (_may_name(said, parts, place + len(run)) or capital or small or surname):
                break
            run.append(following)
        runs.append(run)
        place += len(run)
    return runs


def _is_surname(said: Said, part: Part, run: list[Part]) -> bool:
    """ "Daniel Price": what another service is called by, behind a first name, until nobody is found by it."""
    first = not run[0].ordinary and not run[0].senses and len(run) == 1
    return first and part.senses == {"foreign"} and " " not in part.text and plain(part.text) not in said.strangers


def _particle(said: Said, parts: list[Part], place: int, run: list[Part]) -> bool:
    """The small word inside "Anna de Luca"."""
    behind = place + 1 < len(parts) and parts[place + 1].text[:1].isupper()
    return run[0].text[:1].isupper() and behind


def _may_name(said: Said, parts: list[Part], place: int) -> bool:
    part = parts[place]
    if plain(part.text) in said.strangers or not any(char.isalpha() for char in part.text):
        return False
    if " " in part.text or part.text.lower() in _TITLES:
        return False
    claim = said.covers(part.span)
    if not said.asks and not part.text[:1].isupper() and _BESIDE_VERBS.search(said.text[: part.span[0]]):
        # "They've picked", "hanno scelto": what somebody did.
        return False
    if not part.ordinary and not part.senses and not part.slip:
        return claim is None
    # "May Wong", "move Will to 4pm": a word of the language with a capital where none is due.
    opens = re.search(r"(?:^|[.!?;:]\s*)\W*$", said.text[: part.span[0]]) is not None
    capital = part.text[:1].isupper() and len(part.text) > 1 and not part.text.isupper()
    if not capital or part.does("pronoun") or (claim is not None and claim.certain and claim.kind is not Kind.DAY):
        return False
    following = parts[place + 1] if place + 1 < len(parts) else None
    beside = following is not None and following.text[:1].isupper() and not following.ordinary
    before = said.text[: part.span[0]].split()[-1:]
    after_link = bool(before) and plain(before[0]) in LINKS and not opens
    verb_before = place > 0 and parts[place - 1].does("move", "cancel", "change") and not opens
    if claim is not None:
        return beside
    return (
        (not opens and (beside or after_link or verb_before) and not part.does("polite"))
        or (not opens and not part.senses and part.text.lower() not in ("i",))
        or (
            opens
            and beside
            and not part.does(
                "polite", "move", "cancel", "change", "add", "look", "booking", "event", "report", "function"
            )
        )
    )


def _score(said: Said, parts: list[Part], run: list[Part], alone: bool, clitics: frozenset[str]) -> int:
    """How much a run stands where a name stands."""
    first, last = parts.index(run[0]), parts.index(run[-1])
    before = parts[first - 1] if first else None
    after = parts[last + 1] if last + 1 < len(parts) else None
    capitals = sum(p.text[:1].isupper() for p in run)
    score = _PLACED if capitals else 0
    if (
        last + 1 < len(parts)
        and after is not None
        and (after.does("booking", "event"))
        and _beside(said, run[-1], after)
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
    if any(plain(p.text) in said.people for p in run):
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


def _beside(said: Said, left: Part, right: Part) -> bool:
    return re.fullmatch(r"['’s]*\s", said.text[left.span[1] : right.span[0]]) is not None


def _named(said: Said, parts: list[Part], run: list[Part], score: int) -> Mention:
    words = " ".join(p.text for p in run)
    words = re.sub(r"['’]s$", "", words)
    first, last = parts.index(run[0]), parts.index(run[-1])
    title = _title_before(said, parts, first) + _title_after(said, parts, last)
    return Mention((run[0].span[0], run[-1].span[1]), words=words, title=title, sure=score > _SURE)


def _title_before(said: Said, parts: list[Part], first: int) -> tuple[str, ...]:
    """ "toddler mornings Fiona", "compleanno Gatti", "la festa dei Colombo"."""
    words: list[str] = []
    for part in reversed(parts[:first]):
        if part.text.lower() in LINKS | _ARTICLES and not words:
            continue
        if not _describes(part) or said.covers(part.span) is not None:
            break
        words.insert(0, part.text)
    return tuple(words)


def _title_after(said: Said, parts: list[Part], last: int) -> tuple[str, ...]:
    words: list[str] = []
    for part in parts[last + 1 :]:
        if not _describes(part) or (said.covers(part.span) is not None and not part.does("event")):
            break
        words.append(part.text)
    return tuple(words)


def _describes(part: Part) -> bool:
    """Whether a word may be part of a booking's title: one that does nothing else in a request."""
    if part.does("event"):
        return True
    return part.ordinary and not part.senses and part.text.isalpha()


def _titled(said: Said, parts: list[Part], generic: frozenset[str]) -> Mention | None:
    """A booking named by the ordinary words of its title alone: "the scouts outing", "the yr 4 excursion"."""
    for place, part in enumerate(parts):
        if not part.does("event", "booking") or part.does("note"):
            continue
        first = place
        while (
            first
            and _modifies(said, parts[first - 1])
            and re.fullmatch(r"[\s'’-]+", said.text[parts[first - 1].span[1] : parts[first].span[0]])
        ):
            first -= 1
        last = place
        while (
            last + 1 < len(parts)
            and parts[last + 1].does("event")
            and parts[last + 1].span[0] - parts[last].span[1] == 1
        ):
            last += 1
        words = [p for p in parts[first : last + 1] if not p.does("booking") or p.does("event")]
        words = [p for p in words if p.text.lower() not in _WHOSE | _ARTICLES]
        specific = (
            (len(words) == 1 and plain(words[0].text) not in generic)
            or len(words) > 1
            or (first < place and words)
            or (words and place + 1 < len(parts) and parts[place + 1].text.lower() in ("one", "ones"))
        )
        if specific:
            return Mention((words[0].span[0], words[-1].span[1]), title=tuple(p.text for p in words), sure=True)
    return None


def _feast(part: Part) -> bool:
    return any(t.symbol.startswith("H") for t in lex(part.text, get_locale("en")).tokens)


def _modifies(said: Said, part: Part) -> bool:
    claim = said.covers(part.span)
    if claim is not None:
        # "The Christmas party" is called so, whatever the day of Christmas.
        return claim.kind is Kind.DAY and " " not in claim.text and _feast(part)
    return _describes(part) or (part.text.isdigit() and len(part.text) < 3) or (not part.ordinary and not part.senses)
