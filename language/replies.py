"""Short replies that code understands by itself, whatever the model: yes, no, wait, undo, cancel, what was changed.

A message is read phrase by phrase (`language.reply_words`), in both languages at once. One that is nothing else is a
short reply. Beside that

- a yes that opens a message, or a go-ahead that ends it, may have a few words of no list ("yes gorgeous"), none of
  which orders, denies, restricts or tells; what names a booking or an action is handed on, to be held against the plan;
- an end ("leave it as it was") may have chatter and reasons around it, since dropping a plan changes nothing;
- an undo that is a clause of its own may have chatter around it.

A question is none, but for those that ask for an undo or for what was changed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from contracts.aside import CANCEL, Aside
from contracts.enums import ParameterRole, ShortReply
from language.asides import aside_of, doing, is_a_thing
from language.counts import find_counts
from language.effects import asks_for_change
from language.lexer import fold, lex
from language.locales import SUPPORTED, get_locale
from language.reply_words import DEGREES, GLUE, TOWARDS, kinds

_FIRST = frozenset("undo undone undoing change first former modifica prima primo annullare annulla".split())
_SECOND = frozenset("booking party reservation second latter prenotazione festa seconda secondo both".split())
"""Words for either answer to a question with two."""
_REFLEXIVE = "si si"
"""Stands for a word that is in no list."""
_LONGEST = 10
"""Words of the longest phrase."""
_PART = frozenset(
    "the that those il lo la le i gli quel quella l to for at on in of her his their my about with di del della al "
    "alla alle a per".split()
)
"""What stands before a thing: "forget the note", "no need to ring her"."""
_FEW = 2
"""Words of no list that may stand in front of an end."""
_BARE = 3
"""Words of a value alone: "thursday at 4pm"."""
_MOST, _MOST_WITH_REASONS = 16, 40
"""Words of the longest reply that only says yes or no, and of one with its reasons."""
_UNFINISHED = frozenset(("and", "e", "ed"))
"""A yes that ends so goes on in the next message."""
_CONFIRMS = ("confirm", "conferma", "confermi")
_ENDS_A_BOOKING = ("annulla", "scrap", "drop", "bin", "ditch", "discard", "dump", "scratch")
_CALM = frozenset(("no", "weak", "wait", "polite", "filler"))
_DROPS = frozenset(("drop", "no_cancel", "no_move"))
_DENIED = frozenset(("dont", "do not", "please dont", "please do not", "not", "never", "non"))
_DENIES = frozenset("dont not never non cant wont shouldnt".split())
_DOUBTS = frozenset("if unless whether or should shall when why who how se oppure quando finche until before".split())
_CONTRASTS = frozenset("but only just except instead ma pero solo soltanto invece tranne".split())
_HOW_IT_WAS = frozenset(
    "as how the way it was before were to back com come era prima tutto dov they what where".split()
)
"""Words of phrases that say what to go back to, and not that it be done."""
_REASONS = re.compile(
    r"\b(?:please|wants?|wanted|needs?|changed|moved|booked|cancelled|cambiat[oa] idea|vuole|vogliono|per favore|"
    r"(?:the|that|this|my|last|la|una|quella) (?:change|move|update|booking|modifica))\b"
)
"""What is told of others, or said of the plan, in a reason."""
_THING = r"(?P<thing>number|time|date|day|email|e ?mail|phone|note|name|hour|numero|orario|data|giorno|nota|nome|ora)"
_PART_UNDONE = re.compile(
    rf"(?:put|change|set|switch|bring|go|restore|reinstate)(?: it| that)?(?: back)?(?: to)? the "
    rf"(?:old|previous|original|former) {_THING}(?: back)?|"
    rf"(?:va ripristinat[oa]|va rimess[oa]|ripristina|ripristini|rimetti|rimetta|riporta|torna a|torniamo a) "
    rf"(?:il |la |l )?(?:vecchi[oa] )?{_THING.replace('thing', 'cosa')}"
    rf"(?: precedente| di prima| originale| vecchi[oa])?"
)
"""Undoes by what is to be as before."""
_HEAD_ENDS = re.compile(
    r"[.,;:!\n…]+(?!\d)\s*|\s[-–—]+\s|\s+(?=(?:and|but|just|only|instead|e|ma|solo|soltanto|piuttosto)\b)",
    re.IGNORECASE,
)
"""Where words that drop what was asked for may end, in front of what is asked for instead."""
_LEADS_ON = re.compile(
    r"^(?:(?:and|but|so|just|only|instead|please|actually|i meant?|what i meant was|e|ma|allora|solo|soltanto|"
    r"piuttosto|invece|intendevo|volevo dire)\b[\s,:]*)+",
    re.IGNORECASE,
)
_DROPS_IN_FRONT = frozenset(
    ("not that", "not this", "non quello", "non questo", "cancel that", "cancel this", "annulla", "annulli", "cancella")
)
"""What drops a request only where another one follows; alone it may be said of a booking."""
_YES_SIGNS, _NO_SIGNS = (
    re.compile("[\U0001f44d\U0001f44c\u2705\u2714\U0001f4af]"),
    re.compile("[\U0001f44e\u274c\U0001f6d1\u270b]"),
)


_ASKS_FOR_CHANGES = re.compile(
    r"\bwhat (?:exactly )?(?:did|have|ve|do) (?:you|u|we) (?:just |actually )?(?:chang|do\b|done|alter|edit)|"
    r"\bwhat(?:s| is| was| has| have)? (?:just |been )+(?:chang|happen|done)|\bwhat did (?:that|it) (?:just )?change\b|"
    r"\bwhat (?:changed|was changed|got changed|has changed)\b|"
    r"\b(?:che )?cosa (?:hai|ha|avete|abbiamo|e stato|e) (?:appena )?(?:cambiat|modificat|fatto|successo)|"
    r"\bche (?:cosa )?(?:hai|ha|modifiche hai|modifiche ha) (?:appena )?(?:cambiat|modificat|fatto)"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a message means, and what it says of the plan it is for."""

    kind: ShortReply
    aside: Aside = field(default_factory=Aside)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A stretch without a stop: its phrases as (kind, phrase), "" being the kind of a word of no list."""

    phrases: tuple[tuple[str, str], ...]

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.phrases)

    def rest(self, without: int = -1) -> list[str]:
        """The words of no list, also those of the phrases that say neither yes nor no, but for the phrase `without`."""
        loose = ("", "yes", "go")
        return [
            w for n, (kind, said) in enumerate(self.phrases) if kind in loose and n != without for w in said.split()
        ]

    def place(self, *of: str) -> int:
        """Where the first phrase of these kinds stands, -1 where none does."""
        return next((n for n, (kind, _) in enumerate(self.phrases) if kind in of), -1)


def short_reply(text: str) -> ShortReply | None:
    """What a message means that code understands by itself, whatever plan it is for; None for every other message."""
    reply = read_reply(text)
    return reply.kind if reply is not None and reply.aside.empty else None


def read_reply(text: str) -> Reply | None:
    """What a message means that code understands by itself, and what it says of the plan; None for all others."""
    words = _words(text)
    if _ASKS_FOR_CHANGES.search(" ".join(words)):
        return Reply(ShortReply.WHAT_CHANGED)
    phrases = _phrases(words)
    said = {kind for kind, _ in phrases} - {"polite", "filler"}
    asks, clauses = "?" in text, _clauses(text)
    if said and "" not in said and len(words) <= _MOST:
        return _plain(clauses, said, asks)
    if (undo := _undoes(text, clauses)) is not None or asks:
        return undo
    return _drops(clauses) or _agrees(text, words, phrases)


def after_a_drop(text: str) -> str:
    """What a message asks for behind words that drop all that was asked for before: "move it to 4pm" of "forget that,
    just move it to 4pm". "" where it drops nothing, drops a part ("never mind the kids, …"), or asks for nothing."""
    for edge in _HEAD_ENDS.finditer(text):
        clauses = _clauses(text[: edge.start()])
        if clauses and _drops_all(clauses[-1]) and not _gives_a_value([w for c in clauses for w in c.rest()]):
            rest = _LEADS_ON.sub("", text[edge.end() :])
            return rest if _gives_a_value(_words(rest)) else ""
    return ""


def bare_value(text: str) -> frozenset[ParameterRole]:
    """What a message is a value of that is hardly more than one: "thursday", "alle 16", "12 kids please". Empty for one
    that says more."""
    own = [w for kind, said in _phrases(_words(text)) if kind not in ("polite", "filler", "weak") for w in said.split()]
    if len([w for w in own if w not in TOWARDS | GLUE]) > _BARE or asks_for_change(" ".join(own)):
        return frozenset()
    counted = any(find_counts(text, language) for language in SUPPORTED)
    kinds_said = (ParameterRole.COUNT,) if counted else (ParameterRole.DATE, ParameterRole.TIME)
    return frozenset(kinds_said) if _gives_a_value(own) else frozenset()


def _drops_all(clause: _Clause) -> bool:
    phrases = [(kind, said) for kind, said in clause.phrases if kind not in ("no", "weak", "wait", "polite")]
    while phrases and phrases[0][0] == "filler":
        phrases = phrases[1:]
    if " ".join(said for _, said in phrases) in _DROPS_IN_FRONT:
        return True
    kept = any(said.startswith("keep") for _, said in phrases) or _is_denied(clause.phrases, "drop")
    return not kept and "drop" in {kind for kind, _ in phrases} <= {"drop", "filler"}


def chose_undo(text: str) -> bool:
    """Whether an answer to "undo the change, or cancel the booking?" takes the first and not the second."""
    said = set(_words(text))
    return bool(_FIRST & said) and not _SECOND & said


def _plain(clauses: Sequence[_Clause], said: set[str], asks: bool) -> Reply | None:
    """What a message comes to that is phrases of our lists and nothing else."""
    if "undo" in said and not said & {"retry", "cancel", *_DROPS}:
        return None if any(_is_denied(c.phrases, "undo") for c in clauses) else Reply(ShortReply.UNDO)
    if asks or "order" in said or any(_is_denied(c.phrases, "drop") for c in clauses):
        return None
    if spared := said & {"no_cancel", "no_move"}:
        plain = said <= {"drop", "no", "wait", "weak", "stop", *spared}
        return Reply(ShortReply.NO, aside=Aside(does=_spared(spared))) if plain else None
    if said & {"yes", "go"} and clauses[-1].phrases[-1][1] in _UNFINISHED:
        return None
    kind = _meaning({"yes" if one == "go" else one for one in said})
    if "cancel" in said and any(_cancels_a_booking(clause) for clause in clauses):
        # An order of its own, unless the plan is to do that very thing.
        return Reply(kind, Aside(does=(CANCEL,))) if kind is ShortReply.YES_CANCEL else None
    return Reply(kind) if kind is not None else None


def _cancels_a_booking(clause: _Clause) -> bool:
    return any(one[0] == "cancel" and then[1] == "the booking" for one, then in pairwise(clause.phrases))


def _spared(said: set[str] | frozenset[str]) -> tuple[str, ...]:
    """What a plan must do that such words drop: "do not cancel it" drops a cancellation."""
    moves = (str(ParameterRole.DATE), str(ParameterRole.TIME)) if "no_move" in said else ()
    return (CANCEL, *moves) if "no_cancel" in said else moves


def _meaning(said: set[str]) -> ShortReply | None:
    """What phrases alone come to."""
    if said <= {"wait"}:
        return ShortReply.WAIT
    if "retry" in said:
        return ShortReply.RETRY if said <= {"retry", "yes", "weak"} else None
    if "cancel" in said:
        if "yes" in said:
            return ShortReply.YES_CANCEL if said <= {"yes", "weak", "cancel"} else None
        return ShortReply.CANCEL if said <= {"cancel", "no", "wait", "weak", "stop"} else None
    if "stop" in said:
        return ShortReply.STOP if "yes" not in said else None
    if "drop" in said:
        return ShortReply.NO if "yes" not in said else None
    if "no" in said:
        return ShortReply.NO if said <= {"no", "wait"} else None
    return ShortReply.YES if said <= {"yes", "weak"} else None


def _undoes(text: str, clauses: Sequence[_Clause]) -> Reply | None:
    """ "He's rung back, undo that": a clause that ends in an undo, the others telling no more than why."""
    for clause in clauses:
        others = [w for c in clauses if c is not clause for w in c.rest()]
        if any(c.kinds & {"drop", "cancel", "retry", "no_cancel"} for c in clauses) or _gives_a_value(others):
            continue
        named = _PART_UNDONE.search(" ".join(said for kind, said in clause.phrases if kind != "polite"))
        if named is not None and "?" not in text and not _DOUBTS & set(clause.rest()):
            return Reply(ShortReply.UNDO, Aside(does=doing(named["thing"] or named["cosa"])))
        place = clause.place("undo")
        behind = {kind for kind, _ in clause.phrases[place:]} - {"undo", "polite", "filler", "weak"}
        before = clause.rest(place)
        if place < 0 or behind or _is_denied(clause.phrases, "undo"):
            continue
        weak = _HOW_IT_WAS.issuperset(clause.phrases[place][1].split())
        if not before or not (weak or (_DENIES | _DOUBTS) & set(before) or _gives_a_value(before)):
            return Reply(ShortReply.UNDO)
    return None


def _drops(clauses: Sequence[_Clause]) -> Reply | None:
    """ "Nvm, she's going to think about it": an end, with chatter around it that gives no value. "Forget the note" and
    "never mind the cake, just do the time" are none: they drop a part."""
    said = {kind for clause in clauses for kind in clause.kinds}
    if not said & _DROPS or said & {"cancel", "undo", "yes", "go", "retry"}:
        return None
    if sum(len(p.split()) for c in clauses for _, p in c.phrases) > _MOST_WITH_REASONS:
        return None
    ends = [(clause, clause.place(*_DROPS)) for clause in clauses if clause.kinds & _DROPS]
    if not any(_is_an_end(clause, place) for clause, place in ends):
        return None
    flat = [phrase for clause in clauses for phrase in clause.phrases]
    first = next(n for n, (kind, _) in enumerate(flat) if kind in _DROPS)
    # "She's got the flu, scrap the lot" may be said of the booking.
    if flat[first][1].startswith(_ENDS_A_BOOKING) and sum(not kind for kind, _ in flat[:first]) > _FEW:
        return None
    rest = [w for c in clauses for w in c.rest()]
    contrasts = _CONTRASTS & {w for c in clauses for _, p in c.phrases for w in p.split()}
    if _gives_a_value(rest) or (contrasts and any(doing(w) for w in rest)):
        return None
    spared = said & {"no_cancel", "no_move"}
    return Reply(ShortReply.NO, Aside(does=_spared(spared) if "drop" not in said else ()))


def _is_an_end(clause: _Clause, place: int) -> bool:
    """Whether the phrase at this place of a clause drops all there is, and not a part of it."""
    before, behind = clause.phrases[:place], clause.phrases[place + 1 :]
    words = [w for _, said in before for w in said.split()]
    if _DENIES & set(words[-2:]) or _DOUBTS & set(words):
        return False
    calm = {kind for kind, _ in before} <= {*_CALM, ""} and sum(not kind for kind, _ in before) <= _FEW
    final = {kind for kind, _ in behind} <= {"polite", "filler", "weak"} and not any(p in _PART for _, p in behind)
    return final or (calm and bool(behind) and behind[0][1].split()[0] not in _PART)


def _agrees(text: str, words: Sequence[str], phrases: Sequence[tuple[str, str]]) -> Reply | None:
    """A yes that opens a message, or a go-ahead that ends it, with harmless words beside it."""
    kinds_said = [kind for kind, _ in phrases if kind not in ("polite", "filler", "weak")]
    if not kinds_said or len(words) > _MOST or not set(kinds_said) <= {"yes", "go", ""}:
        return None
    rest = [said for kind, said in phrases if not kind]
    last = _clauses(text)[-1]
    closes = kinds_said[-1] == "go" and "go" in last.kinds and GLUE.issuperset(last.rest(last.place("go")))
    if kinds_said[0] not in ("yes", "go") and not closes:
        return None
    if any(dated(word, language) for word in rest for language in SUPPORTED):
        return None
    # "Please confirm the time" wants to hear it.
    if any(said.startswith(_CONFIRMS) for kind, said in phrases if kind == "go") and any(is_a_thing(w) for w in rest):
        return None
    capitals = frozenset(fold(w) for w in re.findall(r"(?<=[a-z,;]\s)[A-Z][a-z]+", text))
    aside = aside_of(rest, words, capitals)
    return Reply(ShortReply.YES, aside) if aside is not None else None


def _is_denied(phrases: Sequence[tuple[str, str]], kind: str) -> bool:
    """ "Don't undo that": a no right in front of it."""
    place = next((n for n, (one, _) in enumerate(phrases) if one == kind), 0)
    return place > 0 and phrases[place - 1][1] in _DENIED


def _gives_a_value(words: Sequence[str]) -> bool:
    """Whether words say what to change to, or that something be changed: then they drop no more than a part."""
    text = " ".join(words)
    if any(char.isdigit() for char in text) or asks_for_change(_REASONS.sub(" ", text)):
        return True
    return any(dated(text, language) or find_counts(text, language) for language in SUPPORTED)


def dated(text: str, language: str) -> bool:
    """Whether a message names a day or a time of day by a word of its own."""
    symbols = {token.symbol for token in lex(text, get_locale(language)).tokens}
    return any(re.fullmatch(r"W\d|M\d+|R-?\d|H\w+|WE|P\w|NOON|MIDNIGHT", symbol) for symbol in symbols)


def _clauses(text: str) -> list[_Clause]:
    stretches = (_words(part) for part in re.split(r"[.,;:!?\n…]+(?!\d)|\s[-–—]+\s", text))
    return [_Clause(tuple(_phrases(words))) for words in stretches if words]


def _words(text: str) -> list[str]:
    plain = re.sub(r"(?<=\w)['’`](?=s\b|t\b|m\b|re\b|ve\b|ll\b|d\b)", "", fold(text))
    words = re.findall(r"[^\W_]+", plain)
    if not words and bool(_YES_SIGNS.search(text)) is not bool(_NO_SIGNS.search(text)):
        return ["yes" if _YES_SIGNS.search(text) else "no"]
    reflexive = _reflexive(text)
    words = [_REFLEXIVE if n in reflexive else w for n, w in enumerate(words)]
    # "Yesss", "siiii": letters that are held.
    return [re.sub(r"([a-z])\1{2,}", r"\1", word) for word in words]


def _reflexive(text: str) -> set[int]:
    """Which words are the Italian "si" of "si è pentito": without an accent, and nothing that goes on from a yes."""
    plain = re.sub(r"(?<=\w)['’`](?=s\b|t\b|m\b|re\b|ve\b|ll\b|d\b)", "", text)
    found = list(re.finditer(r"[^\W_]+", plain))
    firsts = _first_words()
    return {
        n
        for n, (word, after) in enumerate(pairwise(found))
        if word.group().lower() == "si"
        and not plain[word.end() : after.start()].strip()
        and (after.group().lower() in ("è", "é") or fold(after.group()) not in firsts)
    }


@cache
def _first_words() -> frozenset[str]:
    return frozenset(phrase.split()[0] for phrase in kinds())


def _phrases(words: Sequence[str]) -> list[tuple[str, str]]:
    """(kind, phrase) in order, the longest phrase first; the kind is "" for a word of no list."""
    known, place = kinds(), 0
    found: list[tuple[str, str]] = []
    while place < len(words):
        for length in range(min(_LONGEST, len(words) - place), 0, -1):
            said = words[place : place + length]
            kind = known.get(" ".join(said)) or _by_degrees(said)
            if kind or length == 1:
                break
        found.append((kind, " ".join(said)))
        place += length
    return found


def _by_degrees(said: Sequence[str]) -> str:
    """The kind of a phrase with words of degree inside it: "that is quite right"."""
    if said[0] in DEGREES:
        return "filler" if len(said) == 1 else ""
    lean = [word for word in said if word not in DEGREES]
    return kinds().get(" ".join(lean), "") if len(lean) < len(said) else ""
