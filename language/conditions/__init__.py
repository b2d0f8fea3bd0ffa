"""On what an operator makes a part of a message depend (multi-step messaging, "Conditional Steps", "Step Skipping"):
what is wanted instead, should the first not be had ("4pm, if there's no room 5pm"), what can be done without ("and a
note if possible"), and what nobody here can know ("only if Emma agrees"). Told apart before days and hours are read:
what is wanted first and instead are both meant, one after the other, and neither corrects the other."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from language.conditions import forms as f
from language.conditions import words as w

_MARK = re.compile(
    rf"(?<![\w'’])(?:(?P<strict>{w.STRICT})|(?P<mark>{w.IF})|(?P<loose>{w.LOOSE}))(?![\w'’])", re.IGNORECASE
)
_TOKEN = re.compile(r"\d{1,2}[.:]\d\d\w*|[,.;:!?()\n]|(?<=\s)[–—-](?=\s)|[^\s,.;:!?()]+")
_OR = re.compile(r"[\s,;]*(?<!\w)(?:or|o|oppure|else)\s+(?P<other>[^,.;!?\n]+?)[\s,]*\Z", re.IGNORECASE)
_ASKED = re.compile(r"(?<=[.,;!\n–—-])\s*(?P<said>(?:[\w'’]+\s+){0,4}[\w'’]+)\s*\?\s*(?=\S)")
_PUNCTUATION = frozenset(",.;:!?()\n–—-")
_THEN = frozenset(("then", "allora"))
_TRAIL = frozenset("then left either anymore more out up at that it this them day time allora più".split())


@dataclass(frozen=True, slots=True)
class Alternatives:
    """`first` is what is wanted, with everything that goes on behind; `instead` what is wanted in its place; `for_room`
    where that is so for want of room alone ("if it's full", but not "if that doesn't work", "otherwise")."""

    first: str
    instead: str
    for_room: bool = False


def alternatives(text: str) -> Alternatives | None:
    """What is wanted first and instead; None where a message names no alternative."""
    ways = (_if_not, _or_else, _rather, _asked_back)
    found = sorted(((at, one) for way in ways if (one := way(text)) and (at := one[0]) > 0), key=lambda pair: pair[0])
    for _, (start, other, rest, for_room) in found:
        instead, before = _bare(other), f.PREFERRED.sub("", text[:start])
        first = re.sub(r"[\s,;.:–—-]*\b(?:or|o|oppure|but|ma|and|e)?[\s,;.:–—-]*\Z", "", before, flags=re.IGNORECASE)
        if first.strip() and instead and not f.NO_OTHER.match(other):
            more = rest if re.search(r"\w", rest) else ""
            return Alternatives(f"{first}{more}".strip(), instead, for_room)
    return None


_Found = tuple[int, str, str, bool]
"""Where the condition begins, what is wanted then, what goes on behind it, and whether it is about room."""


def _if_not(text: str) -> _Found | None:
    for mark, said in _clauses(text):
        end = _end_of(said, text)
        if end is None:
            continue
        about_room = w.about_room(text[mark.end() : end].split())
        if (behind := f.OTHER.match(text, end)) and _wanted(behind["other"]):
            return mark.start(), behind["other"], behind["rest"] or "", about_room
        before = re.search(
            r"[\s,;]*(?<!\w)(?:or|o|oppure|else)\s+(?P<other>[^,.;!?\n]+?)[\s,]*\Z", text[: mark.start()], re.I
        )
        if before:
            return before.start(), before["other"], text[end:], about_room
    return None


def _wanted(other: str) -> bool:
    return bool(_bare(other)) and not re.match(
        r"[\s,]*(?:please|pls|thanks|grazie|tell|let|ask|call|ring|avvis\w+|dimm\w+)\b", other, re.I
    )


def _or_else(text: str) -> _Found | None:
    for match in f.ELSE.finditer(text):
        behind = f.OTHER.match(text, match.end())
        if behind and text[: match.start()].strip():
            return match.start(), behind["other"], behind["rest"] or "", False
    return None


def _rather(text: str) -> _Found | None:
    match = f.RATHER.search(text)
    other = next((g for g in match.groups() if g), "") if match else ""
    return (match.start(), other, text[match.end() :], False) if match and f.WHEN.search(other) else None


def _asked_back(text: str) -> _Found | None:
    """ "3pm. taken? do 4pm"."""
    for match in re.finditer(
        r"(?:(?<=[.,;!\n–—-])|(?<=\d))\s*(?P<said>(?:[\w'’]+\s+){0,4}[\w'’]+)\s*\?\s*(?=\S)", text
    ):
        behind = f.OTHER.match(text, match.end())
        said = match["said"].split()
        if behind and w.cannot_be_had(said):
            return match.start(), behind["other"], behind["rest"] or "", w.about_room(said)
    return None


def _clauses(text: str) -> Iterator[tuple[re.Match[str], list[re.Match[str]]]]:
    """Each condition: its first word, and the words and marks behind it."""
    for mark in _MARK.finditer(text):
        rest = text[mark.end() :].lstrip()
        if mark["strict"] is None and (w.NOT_ONE.search(text[: mark.start()]) or w.POLITE.match(rest)):
            continue
        yield mark, list(_TOKEN.finditer(text, mark.end()))


def _end_of(said: list[re.Match[str]], text: str) -> int | None:
    """Where a clause ends that says that something cannot be had; None where it does not say so."""
    clause: list[re.Match[str]] = []
    for token in said:
        if token[0] in _PUNCTUATION or not w.known(token[0]):
            break
        clause.append(token)
    texts = [token[0] for token in clause]
    if w.suits_somebody(texts):
        return None
    then = next((n for n, one in enumerate(texts) if one.casefold() in _THEN and w.cannot_be_had(texts[:n])), None)
    if then is not None:
        return clause[then].end()
    closed = said[len(clause)] if len(clause) < len(said) else None
    if closed and closed[0] in ",:;–—-" and w.cannot_be_had(texts) and _goes_on(text[closed.end() :]):
        return closed.end()
    ends = [n for n in range(1, len(texts) + 1) if w.cannot_be_had(texts[:n])]
    if not ends:
        return None
    # "if not 5pm", but "if not possible 5pm": a bare no is all of it only where nothing more is said.
    short = next((n for n in ends if not w.only_no(texts[:n])), ends[0])
    while short < len(texts) and texts[short].casefold() in _TRAIL:
        short += 1
    return clause[short - 1].end()


def _goes_on(behind: str) -> bool:
    return bool(behind.strip()) and not re.match(r"\s*(?:and|plus|also|e|ed)\b", behind, re.IGNORECASE)


def _bare(other: str) -> str:
    """What is wanted, without what only leads to it or follows it."""
    said, before = other.strip(" ,;:.!?–—-"), None
    while said != before:
        before = said
        said = f.TAIL.sub("", f.LEAD.sub("", said, count=1) if f.LEAD.match(said) else said).strip(" ,;:.!?–—-")
    return said


_SEGMENT = re.compile(r"(?<=[,;.!?])\s+|\s+(?=(?:and|plus|also|e|ed|ma|but)[\s,])", re.IGNORECASE)
_LEADS = re.compile(r"(?:and|plus|also|e|ed|ma|but)\b[\s,]*", re.IGNORECASE)


_BUT = re.compile(rf"(?:but|ma)\s+(?:it['’]?s\s+)?{f.WOULD_BE_NICE.pattern}", re.IGNORECASE | re.VERBOSE)


def optional_parts(text: str) -> tuple[str, ...]:
    """The parts of a message that its author can do without: "if possible", "would be nice"."""
    parts: list[str] = []
    whole = alternatives(text)
    for part in _SEGMENT.split(whole.first if whole else text):
        alone = _is_optional(part) and _only_marks(part) and not _LEADS.match(part)
        if parts and (_only_marks(parts[-1]) or alone or _BUT.match(part)):
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    return tuple(part for part in parts if _is_optional(part))


def _only_marks(part: str) -> bool:
    """Whether a part says nothing of what is wanted: "and", "se possibile,"."""
    said = _LEADS.sub("", part, count=1) if _LEADS.match(part) else part
    if not re.search(r"\w", said):
        return True
    mark = _MARK.match(said.strip())
    return mark is not None and all(w.known(word) for word in re.findall(r"[\w'’]+", said.strip()[mark.end() :]))


def _is_optional(part: str) -> bool:
    again = _MARK.match(part, more.end()) if (more := _LEADS.match(part)) else None
    if again is not None and again["mark"] and w.ABLE_ORDER.match(part[again.end() :].lstrip()):
        return True
    for mark, said in _clauses(part):
        if not w.POLITE_ORDER.match(part[mark.end() :].lstrip()) and _optional_end(mark, said) is not None:
            return True
    polite = any(w.POLITE_ORDER.match(part[m.end() :].lstrip()) for m in _MARK.finditer(part))
    return bool(f.WOULD_BE_NICE.search(part)) and not polite


def only_if_possible(text: str) -> bool:
    """Whether somebody can do without a part of what they ask for."""
    return bool(optional_parts(text))


def plainly(text: str) -> str:
    """A message without the courtesies of its orders ("if you don't mind"), and without what only says that a part can
    be done without ("if possible")."""
    cuts: list[tuple[int, int]] = []
    for mark in _MARK.finditer(text):
        behind = len(text) - len(text[mark.end() :].lstrip())
        if mark["loose"] or w.NOT_ONE.search(text[: mark.start()]):
            continue
        order = w.POLITE_ORDER.match(text, behind)
        if (polite := w.POLITE.match(text, behind)) is not None:
            cuts.append((mark.start(), polite.end()))
        elif order is not None:
            able = w.ABLE_ORDER.match(text, behind)
            cuts.append((mark.start(), order.end("lead") if order["lead"] else able.end() if able else mark.start()))
        elif (end := _optional_end(mark, list(_TOKEN.finditer(text, mark.end())))) is not None:
            cuts.append((mark.start(), end))
    cuts += [
        m.span()
        for form in (f.WOULD_BE_NICE, f.THAT_WOULD_BE)
        for m in form.finditer(text)
        if cuts or form is f.WOULD_BE_NICE
    ]
    left, at = "", 0
    for start, end in sorted(cuts):
        left, at = left + text[at : max(start, at)], max(end, at)
    said = re.sub(r"\s*,(?:\s*,)+|\s+,", ",", left + text[at:])
    said = re.sub(r"\b(and|plus|also|e|ed)\s*,", r"\1", said, flags=re.IGNORECASE)
    return " ".join(said.split()).strip(" ,") if cuts else text


def _optional_end(mark: re.Match[str], said: list[re.Match[str]]) -> int | None:
    """Where a clause ends that says that something can be had; None where it does not say so."""
    stop = next((n for n, one in enumerate(said) if one[0] in _PUNCTUATION or not w.known(one[0])), len(said))
    texts, closed = [t[0] for t in said[:stop]], stop == len(said) or said[stop][0] in _PUNCTUATION
    ends = [n for n in range(1, stop + 1) if w.can_be_had(texts[:n], whole=closed and n == stop)]
    if mark["loose"] or not ends:
        return None
    return said[stop - 1 if closed else ends[0] - 1].end()


def unknowable(text: str) -> str:
    """The condition on something that nobody here can see, in the operator's words: "only if Emma agrees"; "" for
    none."""
    for mark, said in _clauses(text):
        rest = text[mark.end() :].lstrip()
        if mark["loose"] or (mark["strict"] is None and w.POLITE_ORDER.match(rest)):
            continue
        clause = []
        for token in said:
            if token[0] in _PUNCTUATION:
                break
            clause.append(token)
        texts = [token[0] for token in clause]
        having = any(_of_having(texts[:n], whole=n == len(texts)) for n in range(1, len(texts) + 1))
        if not texts or (having and not w.suits_somebody(texts)):
            continue
        return text[mark.start() : clause[-1].end()]
    unseen = f.UNSEEN.search(text)
    return unseen[0].strip() if unseen else ""


def _of_having(words: list[str], *, whole: bool) -> bool:
    return w.cannot_be_had(words) or w.can_be_had(words, whole=whole)


def on_a_condition(text: str) -> bool:
    """Whether a message makes a part of itself depend on whether it can be had."""
    return alternatives(text) is not None or only_if_possible(text)
