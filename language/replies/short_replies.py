"""Recognise short replies in code, whatever the model: yes, no, wait, undo, cancel, "what has changed?".

A message is read phrase by phrase (`language.replies.phrases`), in all languages at once.
A message of listed phrases only is a short reply. Beyond that

- a yes that opens a message, or a go-ahead that ends it, may have a few unlisted words ("yes gorgeous"), none of
  which orders, denies, restricts or informs; names of a booking or an action are compared with the plan;
- an end ("leave it as it was") may have chatter and reasons around it, since dropping a plan changes nothing;
- an undo in a clause of its own may have chatter around it.

A question is no short reply, unless it asks for an undo or for what has changed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import pairwise, takewhile

from contracts.enums import CANCEL, ParameterRole, ShortReply
from contracts.message_reading import ReplyQualifiers
from language.locales import SUPPORTED, alternatives, get_locale, in_all, words_in_all
from language.numbers.counts import find_counts
from language.replies.effect_claims import asks_for_change
from language.replies.phrases import (
    BARS,
    DEGREES,
    GLUE,
    SIGNS,
    TOWARDS,
    action_of,
    is_a_thing,
    kinds,
    orders,
    qualifiers_of,
    reply_words,
)
from language.replies.polarity import negated
from language.text.lexer import fold, lex

_words_in = partial(alternatives, "short_replies")

_all = partial(words_in_all, "short_replies")
_FIRST, _SECOND = _all("FIRST"), _all("SECOND")
"""Words for either answer to a question with two options."""
_REFLEXIVE = tuple(in_all("short_replies", "REFLEXIVE"))
"""Pronouns with the same spelling as a yes."""
_REFLEXIVE_BEFORE = _all("REFLEXIVE_BEFORE")
_LONGEST = 10
"""Words of the longest phrase."""
_PART = _all("PART")
_FEW = 2
"""The most unlisted words in front of an end."""
_BARE = 3
"""The most words of a value alone: "thursday at 4pm"."""
_MOST, _MOST_WITH_REASONS = 16, 40
"""The most words of a reply that only gives a yes or no, and of one with its reasons."""
_UNFINISHED = _all("AND")
"""Endings of a yes that the next message continues."""
_CONFIRMS = tuple(_all("CONFIRMS"))
_ENDS_A_BOOKING = tuple(_all("ENDS_A_BOOKING"))
_CALM = frozenset(("no", "weak", "wait", "polite", "filler"))
_DROPS = frozenset(("drop", "no_cancel", "no_move"))
_DENIED = _all("NOT")
_DENIES = _all("DENIES")
_DOUBTS = _all("DOUBTS")
_CONTRASTS = _all("CONTRASTS")
_HOW_IT_WAS = _all("HOW_IT_WAS")
_KEEPS, _THE_BOOKING = tuple(reply_words("KEEPS")), reply_words("THE_BOOKING")
_REASONS = re.compile(rf"\b(?:{_words_in('REASONS')}|(?:{_words_in('LAST')}) (?:{_words_in('PLAN')}))\b")
_REMARK = re.compile(rf"(?!.*(?:{_words_in('INFORMS')}))(?:{_words_in('REMARKS')})\b")
_SPOKEN_OF = _all("SPOKEN_OF")
_PART_UNDONE = re.compile(rf"(?:{_words_in('RESTORES')})(?P<thing>{_words_in('RESTORED')})")
_HEAD_ENDS = re.compile(rf"[.,;:!\n…]+(?!\d)\s*|\s[-–—]+\s|\s+(?=(?:{_words_in('JOINS')})\b)", re.IGNORECASE)
"""The end of words that drop a request, in front of the replacing request."""
_LEADS_ON = re.compile(rf"^(?:(?:{_words_in('LEADS_ON')})\b[\s,:]*)+", re.IGNORECASE)
_DROPS_IN_FRONT = _all("DROPS_IN_FRONT")
"""Words that drop a request only if another request follows. Alone they may be about a booking."""
_ASKS_FOR_CHANGES = re.compile(_words_in("ASKS_FOR_CHANGES"))
_CONTRACTION = re.compile(rf"(?<=\w)['’`](?=(?:{_words_in('CONTRACTED')})\b)")
_SIGNS = {kind: re.compile(f"[{signs}]") for kind, signs in SIGNS.items()}


@dataclass(frozen=True, slots=True)
class ShortReplyMatch:
    """The meaning of a message, and the qualifiers it gives for its plan."""

    kind: ShortReply
    qualifiers: ReplyQualifiers = field(default_factory=ReplyQualifiers)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A stretch without a stop: its phrases as (kind, phrase), where "" is the kind of an unlisted word."""

    phrases: tuple[tuple[str, str], ...]

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.phrases)

    def rest(self, without: int = -1) -> list[str]:
        """Return the unlisted words, including those of phrases that mean neither yes nor no, except the phrase
        `without`."""
        loose = ("", "yes", "go")
        return [
            w for n, (kind, text) in enumerate(self.phrases) if kind in loose and n != without for w in text.split()
        ]

    def place(self, *of: str) -> int:
        """Return the index of the first phrase of these kinds, -1 if there is none."""
        return next((n for n, (kind, _) in enumerate(self.phrases) if kind in of), -1)


def short_reply(text: str) -> ShortReply | None:
    """Return the short reply of a message, whatever its plan; None for every other message."""
    reply = match_short_reply(text)
    return reply.kind if reply is not None and reply.qualifiers.empty else None


def match_short_reply(text: str) -> ShortReplyMatch | None:
    """Return the short reply of a message, with its qualifiers; None for every other message."""
    words = _words(text)
    if _ASKS_FOR_CHANGES.search(" ".join(words)):
        return ShortReplyMatch(ShortReply.WHAT_CHANGED)
    phrases = _phrases(words)
    meant = {kind for kind, _ in phrases} - {"polite", "filler"}
    asks, clauses = "?" in text, _clauses(text)
    if meant and "" not in meant and len(words) <= _MOST:
        return _plain(clauses, meant, asks)
    if (undo := _undoes(text, clauses)) is not None or asks:
        return undo
    return _drops(clauses) or _agrees(text, words, phrases) or _with_a_remark(clauses)


def after_a_drop(text: str) -> str:
    """Return the request after words that drop all earlier requests: "move it to 4pm" of "forget that, just move it to
    4pm". "" if the message drops nothing, drops a part ("never mind the kids, …"), or asks for nothing."""
    for edge in _HEAD_ENDS.finditer(text):
        clauses = _clauses(text[: edge.start()])
        if clauses and _drops_all(clauses[-1]) and not _gives_a_value([w for c in clauses for w in c.rest()]):
            rest = _LEADS_ON.sub("", text[edge.end() :])
            return rest if _gives_a_value(_words(rest)) else ""
    return ""


def bare_value(text: str) -> frozenset[ParameterRole]:
    """Return the kinds of value that make up a message: "thursday", "alle 16", "12 kids please". Empty if it has
    more."""
    own = [
        w
        for kind, message in _phrases(_words(text))
        if kind not in ("polite", "filler", "weak")
        for w in message.split()
    ]
    if len([w for w in own if w not in TOWARDS | GLUE]) > _BARE or asks_for_change(" ".join(own)):
        return frozenset()
    counted = any(find_counts(text, language) for language in SUPPORTED)
    roles = (ParameterRole.COUNT,) if counted else (ParameterRole.DATE, ParameterRole.TIME)
    return frozenset(roles) if _gives_a_value(own) else frozenset()


def _drops_all(clause: _Clause) -> bool:
    phrases = [(kind, text) for kind, text in clause.phrases if kind not in ("no", "weak", "wait", "polite")]
    while phrases and phrases[0][0] == "filler":
        phrases = phrases[1:]
    if " ".join(phrase for _, phrase in phrases) in _DROPS_IN_FRONT:
        return True
    kept = any(said.startswith(_KEEPS) for _, said in phrases) or _is_denied(clause.phrases, "drop")
    return not kept and "drop" in {kind for kind, _ in phrases} <= {"drop", "filler"}


def chose_undo(text: str) -> bool:
    """Return whether an answer to "undo the change, or cancel the booking?" picks the first and not the second."""
    spoken = set(_words(text))
    return bool(_FIRST & spoken) and not _SECOND & spoken


def _plain(clauses: Sequence[_Clause], meant: set[str], asks: bool) -> ShortReplyMatch | None:
    """Return the reply in a message that consists only of listed phrases."""
    if "undo" in meant and not meant & {"retry", "cancel", *_DROPS}:
        return None if any(_is_denied(c.phrases, "undo") for c in clauses) else ShortReplyMatch(ShortReply.UNDO)
    if asks or "order" in meant or any(_is_denied(c.phrases, "drop") for c in clauses):
        return None
    if spared := meant & {"no_cancel", "no_move"}:
        plain = meant <= {"drop", "no", "wait", "weak", "stop", *spared}
        return ShortReplyMatch(ShortReply.NO, qualifiers=ReplyQualifiers(does=_spared(spared))) if plain else None
    if meant & {"yes", "go"} and clauses[-1].phrases[-1][1] in _UNFINISHED:
        return None
    kind = _meaning({"yes" if one == "go" else one for one in meant})
    if "cancel" in meant and any(_cancels_a_booking(clause) for clause in clauses):
        # This is a separate request, unless the plan does exactly that.
        return ShortReplyMatch(kind, ReplyQualifiers(does=(CANCEL,))) if kind is ShortReply.YES_CANCEL else None
    return ShortReplyMatch(kind) if kind is not None else None


def _cancels_a_booking(clause: _Clause) -> bool:
    return any(one[0] == "cancel" and then[1] in _THE_BOOKING for one, then in pairwise(clause.phrases))


def _spared(meant: set[str] | frozenset[str]) -> tuple[str, ...]:
    """Return the action a plan must contain for such words to drop it: "do not cancel it" drops a cancellation."""
    moves = (str(ParameterRole.DATE), str(ParameterRole.TIME)) if "no_move" in meant else ()
    return (CANCEL, *moves) if "no_cancel" in meant else moves


def _meaning(meant: set[str]) -> ShortReply | None:
    """Return the meaning of phrases alone."""
    if meant <= {"wait"}:
        return ShortReply.WAIT
    if "retry" in meant:
        return ShortReply.RETRY if meant <= {"retry", "yes", "weak"} else None
    if "cancel" in meant:
        if "yes" in meant:
            return ShortReply.YES_CANCEL if meant <= {"yes", "weak", "cancel"} else None
        return ShortReply.CANCEL if meant <= {"cancel", "no", "wait", "weak", "stop"} else None
    if "stop" in meant:
        return ShortReply.STOP if "yes" not in meant else None
    if "drop" in meant:
        return ShortReply.NO if "yes" not in meant else None
    if "no" in meant:
        return ShortReply.NO if meant <= {"no", "wait"} else None
    return ShortReply.YES if meant <= {"yes", "weak"} else None


def _undoes(text: str, clauses: Sequence[_Clause]) -> ShortReplyMatch | None:
    """Return an undo if one clause ends in it and the others only give reasons: "he's rung back, undo that"."""
    for clause in clauses:
        others = [w for c in clauses if c is not clause for w in c.rest()]
        if any(c.kinds & {"drop", "cancel", "retry", "no_cancel"} for c in clauses) or _gives_a_value(others):
            continue
        named = _PART_UNDONE.search(" ".join(message for kind, message in clause.phrases if kind != "polite"))
        if named is not None and "?" not in text and not _DOUBTS & set(clause.rest()):
            return ShortReplyMatch(ShortReply.UNDO, ReplyQualifiers(does=action_of(named["thing"])))
        index = clause.place("undo")
        behind = {kind for kind, _ in clause.phrases[index:]} - {"undo", "polite", "filler", "weak"}
        before = clause.rest(index)
        if index < 0 or behind or _is_denied(clause.phrases, "undo"):
            continue
        weak = _HOW_IT_WAS.issuperset(clause.phrases[index][1].split())
        if not before or not (weak or (_DENIES | _DOUBTS) & set(before) or _gives_a_value(before)):
            return ShortReplyMatch(ShortReply.UNDO)
    return None


def _drops(clauses: Sequence[_Clause]) -> ShortReplyMatch | None:
    """Return an end with chatter around it that gives no value: "nvm, she's going to think about it". "Forget the note"
    and "never mind the cake, just do the time" drop only a part."""
    meant = {kind for clause in clauses for kind in clause.kinds}
    if not meant & _DROPS or meant & {"cancel", "undo", "yes", "go", "retry"}:
        return None
    if sum(len(p.split()) for c in clauses for _, p in c.phrases) > _MOST_WITH_REASONS:
        return None
    ends = [(clause, clause.place(*_DROPS)) for clause in clauses if clause.kinds & _DROPS]
    if not any(_is_an_end(clause, index) for clause, index in ends):
        return None
    flat = [phrase for clause in clauses for phrase in clause.phrases]
    first = next(n for n, (kind, _) in enumerate(flat) if kind in _DROPS)
    # "She's got the flu, scrap the lot" may be about the booking.
    if flat[first][1].startswith(_ENDS_A_BOOKING) and sum(not kind for kind, _ in flat[:first]) > _FEW:
        return None
    rest = [w for c in clauses for w in c.rest()]
    contrasts = _CONTRASTS & {w for c in clauses for _, p in c.phrases for w in p.split()}
    if _gives_a_value(rest) or (contrasts and any(action_of(w) for w in rest)):
        return None
    spared = meant & {"no_cancel", "no_move"}
    return ShortReplyMatch(ShortReply.NO, ReplyQualifiers(does=_spared(spared) if "drop" not in meant else ()))


def _is_an_end(clause: _Clause, index: int) -> bool:
    """Return whether the phrase at this index of a clause drops everything, not only a part."""
    before, behind = clause.phrases[:index], clause.phrases[index + 1 :]
    words = [w for _, text in before for w in text.split()]
    if _DENIES & set(words[-2:]) or _DOUBTS & set(words):
        return False
    calm = {kind for kind, _ in before} <= {*_CALM, ""} and sum(not kind for kind, _ in before) <= _FEW
    final = {kind for kind, _ in behind} <= {"polite", "filler", "weak"} and not any(p in _PART for _, p in behind)
    return final or (calm and bool(behind) and behind[0][1].split()[0] not in _PART)


def _agrees(text: str, words: Sequence[str], phrases: Sequence[tuple[str, str]]) -> ShortReplyMatch | None:
    """Return a yes that opens a message, or a go-ahead that ends it, with harmless words beside it."""
    meant = [kind for kind, _ in phrases if kind not in ("polite", "filler", "weak")]
    if not meant or len(words) > _MOST or not set(meant) <= {"yes", "go", ""}:
        return None
    rest = [message for kind, message in phrases if not kind]
    last = _clauses(text)[-1]
    closes = meant[-1] == "go" and "go" in last.kinds and GLUE.issuperset(last.rest(last.place("go")))
    if meant[0] not in ("yes", "go") and not closes:
        return None
    if any(mentions_date(word, language) for word in rest for language in SUPPORTED):
        return None
    # "Please confirm the time" asks for the time.
    if any(phrase.startswith(_CONFIRMS) for kind, phrase in phrases if kind == "go") and any(
        is_a_thing(w) for w in rest
    ):
        return None
    capitals = frozenset(fold(w) for w in re.findall(r"(?<=[a-z,;]\s)[A-Z][a-z]+", text))
    aside = qualifiers_of(rest, words, capitals)
    return ShortReplyMatch(ShortReply.YES, aside) if aside is not None else None


def _with_a_remark(clauses: Sequence[_Clause]) -> ShortReplyMatch | None:
    """Return a yes in clauses of its own with remarks behind it that ask for nothing and give no value: "yep do it,
    they're all super excited"."""
    assents = list(takewhile(lambda clause: {"yes", "go", "polite", "filler"} >= clause.kinds, clauses))
    remarks = clauses[len(assents) :]
    if not remarks or not any(clause.kinds & {"yes", "go"} for clause in assents):
        return None
    if assents[-1].phrases[-1][1] in _UNFINISHED or not all(map(_is_a_remark, remarks)):
        return None
    return ShortReplyMatch(ShortReply.YES)


def _is_a_remark(clause: _Clause) -> bool:
    words = [word for _, text in clause.phrases for word in text.split()]
    text, calm = " ".join(words), clause.kinds <= {"", "yes", "go", "polite", "filler", "weak"}
    if _REMARK.match(text) is None or not calm or negated(text):
        return False
    return not (BARS - _SPOKEN_OF) & set(words) and not any(map(orders, words)) and not _gives_a_value(words)


def _is_denied(phrases: Sequence[tuple[str, str]], kind: str) -> bool:
    """Return whether a no is directly in front of a phrase of this kind: "don't undo that"."""
    index = next((n for n, (one, _) in enumerate(phrases) if one == kind), 0)
    return index > 0 and phrases[index - 1][1] in _DENIED


def _gives_a_value(words: Sequence[str]) -> bool:
    """Return whether words give a new value or request a change, so that they drop only a part."""
    text = " ".join(words)
    if any(char.isdigit() for char in text) or asks_for_change(_REASONS.sub(" ", text)):
        return True
    return any(mentions_date(text, language) or find_counts(text, language) for language in SUPPORTED)


def mentions_date(text: str, language: str) -> bool:
    """Return whether a message names a day or a time of day by a word of its own."""
    symbols = {token.symbol for token in lex(text, get_locale(language)).tokens}
    return any(re.fullmatch(r"W\d|M\d+|R-?\d|H\w+|WE|P\w|NOON|MIDNIGHT", symbol) for symbol in symbols)


def _clauses(text: str) -> list[_Clause]:
    stretches = (_words(part) for part in re.split(r"[.,;:!?\n…]+(?!\d)|\s[-–—]+\s", text))
    return [_Clause(tuple(_phrases(words))) for words in stretches if words]


def _words(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+", _CONTRACTION.sub("", fold(text)))
    kinds_of_signs = [kind for kind, signs in _SIGNS.items() if signs.search(text)]
    if not words and len(kinds_of_signs) == 1:
        return kinds_of_signs
    reflexive = _reflexive(text)
    # A doubled word is in no list.
    words = [f"{w} {w}" if n in reflexive else w for n, w in enumerate(words)]
    # Repeated letters are reduced: "yesss", "siiii".
    return [re.sub(r"([a-z])\1{2,}", r"\1", word) for word in words]


def _reflexive(text: str) -> set[int]:
    """Return the places of pronouns such as the Italian "si" of "si è pentito": without the accent of the yes, and not
    followed by a word that continues a yes."""
    plain = _CONTRACTION.sub("", text)
    found = list(re.finditer(r"[^\W_]+", plain))
    firsts = _first_words()
    return {
        n
        for n, (word, after) in enumerate(pairwise(found))
        if word.group().lower() in _REFLEXIVE
        and not plain[word.end() : after.start()].strip()
        and (after.group().lower() in _REFLEXIVE_BEFORE or fold(after.group()) not in firsts)
    }


@cache
def _first_words() -> frozenset[str]:
    return frozenset(phrase.split()[0] for phrase in kinds())


def _phrases(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return (kind, phrase) in order, the longest phrase first; the kind is "" for an unlisted word."""
    known, index = kinds(), 0
    found: list[tuple[str, str]] = []
    while index < len(words):
        for length in range(min(_LONGEST, len(words) - index), 0, -1):
            messages = words[index : index + length]
            kind = known.get(" ".join(messages)) or _by_degrees(messages)
            if kind or length == 1:
                break
        found.append((kind, " ".join(messages)))
        index += length
    return found


def _by_degrees(messages: Sequence[str]) -> str:
    """Return the kind of a phrase that contains words of degree: "that is quite right"."""
    if messages[0] in DEGREES:
        return "filler" if len(messages) == 1 else ""
    lean = [word for word in messages if word not in DEGREES]
    return kinds().get(" ".join(lean), "") if len(lean) < len(messages) else ""
