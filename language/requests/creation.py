"""Words that request a creation: "new booking for Saturday", "crea una prenotazione".

The caller finds the noun; this module handles the words around it. "The new booking", "move it to a new slot" and "a
new booking time" request nothing new. The words stand in `language/locales/<language>/words/extraction.toml`.
"""

import re
from collections.abc import Iterable
from functools import partial

from language.locales import alternatives, in_all, words_in_all

_of = partial(alternatives, "creation")

VAGUE = words_in_all("creation", "VAGUE")
"""Words for a booking that stand for an hour or for people, too: "a new slot", "a new group of 12"."""
_DEFINITE = words_in_all("creation", "DEFINITE")
_LEADS_THERE = words_in_all("creation", "LEADS_THERE")
"""Words that lead to an existing thing."""
_ARTICLE = rf"(?:{_of('ARTICLE')})"
_MAKES = rf"(?:{_of('MAKES')})"
_NEW = rf"(?:{_of('NEW')})"
_FRESH = re.compile(
    rf"(?:(?P<lead>[\w']+?'?)\s*)?(?<![\w'])(?:(?P<article>{_ARTICLE})\s*)?(?:(?:{_of('BRAND')})\s+)?{_NEW}\s+$"
)
_MADE = re.compile(rf"(?<![\w']){_MAKES}\s+(?:\w+\s+)?{_ARTICLE}\s*$")
_PUTS = re.compile(rf"\b(?:{_of('PUTS')})$")
_FRESH_BEHIND = re.compile(rf"\s+(?:{_of('NEW_BEHIND')})\b")
_ANOTHER_BEFORE = re.compile(rf"(?:(?P<lead>[\w']+?'?)\s*)?(?<![\w'])(?:{_ARTICLE}\s*)?$")
_MAKER = re.compile(rf"\b(?:{_MAKES}|{_of('MAKER')})\b")
_PART_BEHIND = re.compile(rf"(?:'s)?\s+(?:{_of('PART')})\b")

_MET = rf"(?:{_of('MET')})"
_ARRANGES = rf"(?:{_MAKES}|{_of('ARRANGES')})"
_WITH_SOMEBODY = re.compile(
    rf"^(?:(?P<before>.*?)\s)?(?:{_ARTICLE}\s*)?(?:{_of('NEW_MEETING')})?(?:{_of('LASTING')})?{_MET}\b"
)
_MEETS = re.compile(
    rf"\b(?:{_of('MEETS')})\s+(?:(?:{_of('WITH')})\s+)?(?!(?:{_of('NOBODY')})\b)\w|\b(?:{_of('MEETS_ALONE')})\b"
)
_WISHES = re.compile(rf"(?:^|\b(?:{_of('WISHES')})\b.*)$")
_PUT_WITH = re.compile(rf"\b(?:{_ARRANGES}|{_of('DOES')})\b(?:\W+[\w'-]+){{0,6}}?\W+(?:{_of('WITH')})\s+\w")
_ASKS_TO = re.compile(rf"(?:{_ARRANGES}|{_MET}|{_of('ASKS_TO')})")
_LAST_ARTICLE = re.compile(rf"(?:^|\s){_ARTICLE}(?:\s(?:{_of('BEHIND_ARTICLE')}))?$")
_DENIES = re.compile(rf"\b(?:{_of('DENIES')})\b")
_ARRANGED = re.compile(rf"\b{_ARRANGES}\b(?:\W+\w+)*$")
_DOES = re.compile(rf" (?:{_of('DOES')})\Z")


def asks_to_meet(letters: str) -> bool:
    """Return whether a plain text requests a meeting: "a meeting with Aviad", "schedule a call", "fissa una riunione";
    "my meeting" exists already."""
    found = _WITH_SOMEBODY.search(letters)
    if found is None:
        met = _MEETS.search(letters)
        if met is not None and not _DENIES.search(letters[: met.start()]):
            return _WISHES.search(letters[: met.start()].strip()) is not None
        put = _PUT_WITH.search(letters)
        return put is not None and not _DENIES.search(letters[: put.start()])
    before = _LAST_ARTICLE.sub("", (found["before"] or "").strip())
    if _DENIES.search(before):
        return False
    last = before.rsplit(" ", 1)[-1]
    if last in _DEFINITE or last.endswith(("'s", "s'")):
        return False
    return not before or _ARRANGED.search(before) is not None or _DOES.search(before) is not None


_BOOKS = re.compile(rf"(?:^|[,;.:!?]|\b(?:{_of('BEFORE_BOOKS')}))\s*(?:{_of('BOOKS')})\b(?!\s+(?:{_of('IN_OR_UP')})\b)")
_TAKES = rf"(?:^|[,;.:!?]\s*|\b(?:{_of('TAKES')})\s+)"
_THINGS = tuple(thing for things in in_all("creation", "THINGS") for thing in things)


def asks_to_book(letters: str, things: Iterable[str]) -> bool:
    """Return whether a plain text requests a booking of these things: "book a table", "un tavolo per 4 domani"; "the
    table of Rossi" exists already."""
    books = _BOOKS.search(letters)
    if books is not None and not _DENIES.search(letters[: books.end()]):
        return True
    named = "|".join(re.escape(thing) for thing in (*things, *_THINGS))
    taken = re.search(
        rf"{_TAKES}(?:{_ARTICLE}\s*)?(?:{_NEW}\s+)?(?:{named})(?:\s+(?:{_of('NEW_BEHIND')}))?"
        rf"(?=\s+(?:{_of('BEHIND_THING')})\b|\s*$|[,.])",
        letters,
    )
    return taken is not None and not _DENIES.search(letters[: taken.end()])


def says_to_make(word: str) -> bool:
    """Return whether a plain word only requests something new: "schedule", "a call", "could"."""
    return _ASKS_TO.fullmatch(word) is not None


def find_creation_request(letters: str, nouns: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the place, in a plain text, of the first of these nouns that is to be created, with the word for it."""
    for start, end in nouns:
        if _PART_BEHIND.match(letters, end):
            continue
        fresh = _FRESH.search(letters, 0, start)
        if fresh and (_free(fresh["lead"]) or _PUTS.search(letters, 0, fresh.end("lead"))):
            return fresh.start("article") if fresh["article"] else _word_before(letters, start), end
        if made := _MADE.search(letters, 0, start):
            return made.start(), end
        following = _FRESH_BEHIND.match(letters, end)
        led = _ANOTHER_BEFORE.search(letters, 0, start)
        if following and (led is None or _free(led["lead"])):
            return start, following.end()
    return None


def is_creation_title(title: str) -> bool:
    """Return whether a plain title is that of a creation: "Book a lesson", "Crea prenotazione"."""
    return _MAKER.search(title) is not None


def _free(lead: str | None) -> bool:
    """Return whether the words in front leave a thing new: no definite article and no owner."""
    return lead is None or not (lead in _DEFINITE or lead in _LEADS_THERE or lead.endswith(("'s", "s'")))


def _word_before(letters: str, index: int) -> int:
    return letters.rstrip()[:index].rstrip().rfind(" ") + 1
