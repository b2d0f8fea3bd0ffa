"""The words and forms of conditions, fallbacks and optional parts in requests. A clause on whether something is
possible is classified by its words, not looked up whole; a clause with any other kind of word ("if he has paid") is
about something else.

The words stand in `language/locales/<language>/conditions.py`.
"""

import re
from functools import partial

from language.locales import alternatives, in_all, words_in_all

_of = partial(alternatives, "conditions")


def _set(name: str) -> frozenset[str]:
    return words_in_all("conditions", name)


IF = _of("IF")
"""Words that turn any clause into a condition."""

STRICT = _of("STRICT")
"""The same words in an unambiguous form."""

LOOSE = _of("LOOSE")
"""What makes one only before words that something cannot be had."""

NOT_ONE = re.compile(
    rf"""\b(?: (?: {_of("NO_CONDITION_BEHIND")} )
        | (?: {_of("ASKS")} ) (?:\s+(?!.*\b(?:{_of("JOIN")})\b)[\w'’]+){{0,4}} )\s+\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""Before it, an "if" asks or compares."""

POLITE = re.compile(
    rf"""(?: {_of("POLITE")} )(?=\s*(?:[,.;!?]|$|\b(?:{_of("POLITE_END")})\b))""", re.IGNORECASE | re.VERBOSE
)
"""Behind an "if": courtesy."""

POLITE_ORDER = re.compile(rf"(?P<lead>{_of('POLITE_LEAD')})[a-z]+|{_of('POLITE_ORDER')}", re.IGNORECASE)
"""Behind an "if" with an order in it: "if you could bring her forward to 9"."""

ABLE_ORDER = re.compile(rf"(?:{_of('ABLE_ORDER')})(?![\w'’])", re.IGNORECASE)
"""Behind an "and if" that follows another order: no courtesy, the second can be done without ("4pm, and if you can make
it 12 kids")."""

_FUNCTION, _DAYS, _FEASIBLE, _TAKEN = _set("FUNCTION"), _set("DAYS"), _set("FEASIBLE"), _set("TAKEN")
_ROOM, _NO_WAY, _NOT, _ABLE, _SOMEBODY = _set("ROOM"), _set("NO_WAY"), _set("NOT"), _set("ABLE"), _set("SOMEBODY")
_HAS, _TAKES, _CAN, _DONE = _set("HAS"), _set("TAKES"), _set("CAN"), _set("DONE")
_CANNOT = re.compile(_of("CANNOT"), re.IGNORECASE)
_NUMBER = re.compile(rf"\d{{1,2}}(?:[:.]\d\d)?(?:{_of('NUMBER_ENDING')})?")
_CONTRACTIONS = [
    (re.compile(pattern, re.DOTALL), parts)
    for pairs in in_all("conditions", "CONTRACTIONS")
    for pattern, parts in pairs
]


def parts_of(word: str) -> tuple[str, ...]:
    """Return the parts of a word: "isn't" is a word and a no, "6's" an hour."""
    word = word.casefold().replace("’", "'").strip("\"'“”‘()")
    if word in _NOT or word in _FUNCTION:
        return (word,)
    for pattern, parts in _CONTRACTIONS:
        if match := pattern.fullmatch(word):
            return tuple(match.expand(part) for part in parts)
    return (word,)


def known(word: str) -> bool:
    """Return whether a word may be part of a clause on whether something is possible."""
    return all(
        w in _FUNCTION or w in _DAYS or w in _FEASIBLE or w in _TAKEN or w in _NOT or bool(_NUMBER.fullmatch(w))
        for w in parts_of(word)
    )


def cannot_be_had(words: list[str]) -> bool:
    """Return whether these words mean that something is not possible: "that is not possible", "the 6th is booked
    out"."""
    messages = [part for word in words for part in parts_of(word)]
    if not messages or not all(known(w) for w in words):
        return False
    denied = any(w in _NOT for w in messages)
    if any(w in _TAKEN for w in messages) or ({*messages} & _SOMEBODY and {*messages} & _HAS and not denied):
        return not denied
    able = any(w in _FEASIBLE or w in _ABLE for w in messages) or bool(_DONE & {*messages})
    able = able or (bool(_TAKES & {*messages}) and any(_CANNOT.match(word) for word in words))
    return denied and (able or set(messages) <= _NOT)


def about_room(words: list[str]) -> bool:
    """Return whether the reason is lack of availability: "there's no space", "somebody has it"; not "if that's not
    possible"."""
    mentioned = {part for word in words for part in parts_of(word.strip(",;:.!?"))}
    return bool(mentioned & (_ROOM | _TAKEN - _NO_WAY)) or bool(mentioned & _SOMEBODY and mentioned & _HAS)


_SUITS_SOMEBODY = re.compile(
    rf"\b(?:{_of('SUITS')})\s+(?:(?:{_of('FOR')})\s+)?(?:{_of('GUEST')})\b|\b(?:{_of('SUITS_GUEST')})\b", re.IGNORECASE
)


def suits_somebody(words: list[str]) -> bool:
    """Return whether a clause is about a guest's preference, which no venue rejects: "if that doesn't suit her"."""
    return bool(_SUITS_SOMEBODY.search(" ".join(words)))


def only_no(words: list[str]) -> bool:
    """Return whether the words so far are only a no."""
    return {part for word in words for part in parts_of(word)} <= _NOT


def can_be_had(words: list[str], *, whole: bool) -> bool:
    """Return whether these words mean that something is possible: "possible", "there is any chance", "you're able".
    "They can" does if it is `whole`, and more words may follow."""
    messages = [part for word in words for part in parts_of(word)]
    if not messages or not all(known(w) for w in words) or any(w in _NOT or w in _TAKEN for w in messages):
        return False
    return any(w in _FEASIBLE or (w in _ABLE and (whole or w not in _CAN)) for w in messages)


_MORE = rf"[.;!?](?=\s|\Z) | \n | [,\s]\s*(?:{_of('AND')})\s+(?:{_of('MORE')})\b"
OTHER = re.compile(rf"\s*(?P<other>(?=\S).+?)(?P<rest>(?:{_MORE}).*)?\Z", re.IGNORECASE | re.VERBOSE | re.DOTALL)
"""The preferred request, up to where something else begins."""

LEAD = re.compile(rf"[\s,:]*(?: {_of('LEAD')} )", re.IGNORECASE | re.VERBOSE)
"""What leads to it."""

TAIL = re.compile(rf"[\s,]*(?: {_of('TAIL')} ) [\s.!]*\Z", re.IGNORECASE | re.VERBOSE)
"""What follows it."""

ELSE = re.compile(rf"(?<!\w)(?: {_of('ELSE')} )(?!\w)", re.IGNORECASE | re.VERBOSE)
"""Words for "instead" without a condition."""

NO_OTHER = re.compile(rf"[\s,:]*(?:(?:{_of('ALL_ELSE')})\s+)* (?: {_of('UNCHANGED')} )\b", re.IGNORECASE | re.VERBOSE)
"""Words that are no fallback request."""

RATHER = re.compile(
    rf"""(?<!\w)(?:{_of("HOWEVER")})\s+
      (?: (?: {_of("LIVES_WITH")} )(?P<one>[^,.;!?\n]+)
        | (?P<other>[^,.;!?\n]{{1,40}}?) (?: {_of("WORKS")} )
            \s*(?:(?:{_of("ALSO")})\s+)?(?:{_of("FINE")})?\s*(?:{_of("TOO")})?
            (?=\s*(?:[.,;!?]|\Z)) )""",
    re.IGNORECASE | re.VERBOSE,
)
""" "but he can live with 6", "but 6 is fine"."""

WHEN = re.compile(rf"\d|\b(?: {_of('WHEN')} )\b", re.IGNORECASE | re.VERBOSE)
"""A day, an hour or a number."""

PREFERRED = re.compile(
    rf"\b(?:{_of('FIRST')})\s+(?:{_of('CHOICE')})(?:\s+(?:{_of('IS')}))?\s*:?\s*|\b(?:{_of('IDEALLY')})\s*,?\s*",
    re.IGNORECASE,
)
"""Words that only mark the preferred request."""

NO_WISH = re.compile(rf"[\s,]*(?:{_of('NO_WISH')})\b", re.IGNORECASE)
"""Behind a condition: nothing to plan."""

_NICE = rf"\b(?: {_of('WOULD_BE_NICE')} )\b"
WOULD_BE_NICE = re.compile(_NICE, re.IGNORECASE | re.VERBOSE)
"""An optional part without an "if"."""

BUT_NICE = re.compile(rf"(?:{_of('BUT')})\s+(?:(?:{_of('IT_IS')})\s+)? {_NICE}", re.IGNORECASE | re.VERBOSE)
"""The same as a clause of its own."""

THAT_WOULD_BE = re.compile(rf"[\s,]*\b(?:{_of('THAT_WOULD_BE')})\b", re.IGNORECASE)
"""Courtesy behind an order."""

UNSEEN = re.compile(rf"(?<!\w)(?: {_of('UNSEEN')} )", re.IGNORECASE | re.VERBOSE)
"""A condition without an "if": on what another person has yet to decide, pay or allow."""
