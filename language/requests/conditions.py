"""Conditions on parts of a message (multi-step messaging, "Conditional Steps", "Step Skipping"): a fallback ("4pm, if
there's no room 5pm"), an optional part ("and a note if possible"), and an unverifiable condition ("only if Emma
agrees"). They are separated before days and hours are read, because the preferred request and the fallback are both
meant, in sequence, and neither corrects the other."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from language.locales import alternatives as words_of
from language.locales import words_in_all
from language.requests import condition_words as w

_MARK = re.compile(
    rf"(?<![\w'’])(?:(?P<strict>{w.STRICT})|(?P<mark>{w.IF})|(?P<loose>{w.LOOSE}))(?![\w'’])", re.IGNORECASE
)
_TOKEN = re.compile(r"\d{1,2}[.:]\d\d\w*|[,.;:!?()\n]|(?<=\s)[–—-](?=\s)|[^\s,.;:!?()]+")
_AND, _BUT, _OR = (words_of("conditions", name) for name in ("AND", "BUT", "OR"))
_BEFORE = re.compile(
    rf"[\s,;]*(?<!\w)(?:{_OR}|{words_of('conditions', 'ELSE_OR')})\s+(?P<other>[^,.;!?\n]+?)[\s,]*\Z", re.IGNORECASE
)
_ENDS_JOINED = re.compile(
    rf"[\s,;.:–—-]*\b(?:{_OR}|{_BUT}|{words_of('conditions', 'JOIN')})?[\s,;.:–—-]*\Z", re.IGNORECASE
)
_PUNCTUATION = frozenset(",.;:!?()\n–—-")
_THEN = words_in_all("conditions", "THEN")
_TRAIL = words_in_all("conditions", "TRAIL")


@dataclass(frozen=True, slots=True)
class Alternatives:
    """`first` is the preferred request, with everything after it; `instead` the fallback; `for_room` whether the
    fallback applies only if there is no availability ("if it's full", but not "if that doesn't work", "otherwise")."""

    first: str
    instead: str
    for_room: bool = False


def alternatives(text: str) -> Alternatives | None:
    """Return the preferred request and the fallback; None if a message has no fallback."""
    ways = (_if_not, _or_else, _rather, _asked_back)
    found = sorted(((at, one) for way in ways if (one := way(text)) and (at := one[0]) > 0), key=lambda pair: pair[0])
    for _, (start, other, rest, for_room) in found:
        instead, before = _bare(other), w.PREFERRED.sub("", text[:start])
        first = _ENDS_JOINED.sub("", before)
        if first.strip() and instead and not w.NO_OTHER.match(other):
            more = rest if re.search(r"\w", rest) else ""
            return Alternatives(f"{first}{more}".strip(), instead, for_room)
    return None


_Found = tuple[int, str, str, bool]
"""Where the condition begins, the fallback, the rest after it, and whether it is about availability."""


def _if_not(text: str) -> _Found | None:
    for mark, clause in _clauses(text):
        end = _end_of(clause, text)
        if end is None:
            continue
        about_room = w.about_room(text[mark.end() : end].split())
        if (following := w.OTHER.match(text, end)) and _wanted(following["other"]):
            return mark.start(), following["other"], following["rest"] or "", about_room
        if before := _BEFORE.search(text[: mark.start()]):
            return before.start(), before["other"], text[end:], about_room
    return None


def _wanted(other: str) -> bool:
    return bool(_bare(other)) and not w.NO_WISH.match(other)


def _or_else(text: str) -> _Found | None:
    for match in w.ELSE.finditer(text):
        following = w.OTHER.match(text, match.end())
        if following and text[: match.start()].strip():
            return match.start(), following["other"], following["rest"] or "", False
    return None


def _rather(text: str) -> _Found | None:
    match = w.RATHER.search(text)
    other = next((g for g in match.groups() if g), "") if match else ""
    return (match.start(), other, text[match.end() :], False) if match and w.WHEN.search(other) else None


def _asked_back(text: str) -> _Found | None:
    """Return the fallback behind a question about availability: "3pm. taken? do 4pm"."""
    for match in re.finditer(
        r"(?:(?<=[.,;!\n–—-])|(?<=\d))\s*(?P<said>(?:[\w'’]+\s+){0,4}[\w'’]+)\s*\?\s*(?=\S)", text
    ):
        following = w.OTHER.match(text, match.end())
        messages = match["said"].split()
        if following and w.cannot_be_had(messages):
            return match.start(), following["other"], following["rest"] or "", w.about_room(messages)
    return None


def _clauses(text: str) -> Iterator[tuple[re.Match[str], list[re.Match[str]]]]:
    """Yield each condition: its first word, and the words and marks behind it."""
    for mark in _MARK.finditer(text):
        rest = text[mark.end() :].lstrip()
        if mark["strict"] is None and (w.NOT_ONE.search(text[: mark.start()]) or w.POLITE.match(rest)):
            continue
        yield mark, list(_TOKEN.finditer(text, mark.end()))


def _end_of(marks: list[re.Match[str]], text: str) -> int | None:
    """Return where a clause ends that states that something is not possible; None if it does not."""
    clause: list[re.Match[str]] = []
    for token in marks:
        if token[0] in _PUNCTUATION or not w.known(token[0]):
            break
        clause.append(token)
    texts = [token[0] for token in clause]
    if w.suits_somebody(texts):
        return None
    then = next((n for n, one in enumerate(texts) if one.casefold() in _THEN and w.cannot_be_had(texts[:n])), None)
    if then is not None:
        return clause[then].end()
    closed = marks[len(clause)] if len(clause) < len(marks) else None
    if closed and closed[0] in ",:;–—-" and w.cannot_be_had(texts) and _goes_on(text[closed.end() :]):
        return closed.end()
    ends = [n for n in range(1, len(texts) + 1) if w.cannot_be_had(texts[:n])]
    if not ends:
        return None
    # In "if not 5pm" the bare no is the whole condition, in "if not possible 5pm" it is not: another word follows.
    short = next((n for n in ends if not w.only_no(texts[:n])), ends[0])
    while short < len(texts) and texts[short].casefold() in _TRAIL:
        short += 1
    return clause[short - 1].end()


def _goes_on(rest: str) -> bool:
    return bool(rest.strip()) and not re.match(rf"\s*(?:{_AND})\b", rest, re.IGNORECASE)


def _bare(other: str) -> str:
    """Return the requested value, without the words that only lead to it or follow it."""
    text, before = other.strip(" ,;:.!?–—-"), None
    while text != before:
        before = text
        text = w.TAIL.sub("", w.LEAD.sub("", text, count=1) if w.LEAD.match(text) else text).strip(" ,;:.!?–—-")
    return text


_SEGMENT = re.compile(rf"(?<=[,;.!?])\s+|\s+(?=(?:{_AND}|{_BUT})[\s,])", re.IGNORECASE)
_LEADS = re.compile(rf"(?:{_AND}|{_BUT})\b[\s,]*", re.IGNORECASE)


def optional_parts(text: str) -> tuple[str, ...]:
    """Return the optional parts of a message: "if possible", "would be nice"."""
    parts: list[str] = []
    whole = alternatives(text)
    for part in _SEGMENT.split(whole.first if whole else text):
        alone = _is_optional(part) and _only_marks(part) and not _LEADS.match(part)
        if parts and (_only_marks(parts[-1]) or alone or w.BUT_NICE.match(part)):
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    return tuple(part for part in parts if _is_optional(part))


def _only_marks(part: str) -> bool:
    """Return whether a part contains no request: "and", "se possibile,"."""
    text = _LEADS.sub("", part, count=1) if _LEADS.match(part) else part
    if not re.search(r"\w", text):
        return True
    mark = _MARK.match(text.strip())
    return mark is not None and all(w.known(word) for word in re.findall(r"[\w'’]+", text.strip()[mark.end() :]))


def _is_optional(part: str) -> bool:
    again = _MARK.match(part, more.end()) if (more := _LEADS.match(part)) else None
    if again is not None and again["mark"] and w.ABLE_ORDER.match(part[again.end() :].lstrip()):
        return True
    for mark, clause in _clauses(part):
        if not w.POLITE_ORDER.match(part[mark.end() :].lstrip()) and _optional_end(mark, clause) is not None:
            return True
    polite = any(w.POLITE_ORDER.match(part[m.end() :].lstrip()) for m in _MARK.finditer(part))
    return bool(w.WOULD_BE_NICE.search(part)) and not polite


def only_if_possible(text: str) -> bool:
    """Return whether a part of the request is optional."""
    return bool(optional_parts(text))


def without_conditions(text: str) -> str:
    """Return a message without courtesies ("if you don't mind") and without the words that mark an optional part ("if
    possible")."""
    cuts: list[tuple[int, int]] = []
    for mark in _MARK.finditer(text):
        offset = len(text) - len(text[mark.end() :].lstrip())
        if mark["loose"] or w.NOT_ONE.search(text[: mark.start()]):
            continue
        order = w.POLITE_ORDER.match(text, offset)
        if (polite := w.POLITE.match(text, offset)) is not None:
            cuts.append((mark.start(), polite.end()))
        elif order is not None:
            able = w.ABLE_ORDER.match(text, offset)
            cuts.append((mark.start(), order.end("lead") if order["lead"] else able.end() if able else mark.start()))
        elif (end := _optional_end(mark, list(_TOKEN.finditer(text, mark.end())))) is not None:
            cuts.append((mark.start(), end))
    cuts += [
        m.span()
        for form in (w.WOULD_BE_NICE, w.THAT_WOULD_BE)
        for m in form.finditer(text)
        if cuts or form is w.WOULD_BE_NICE
    ]
    left, at = "", 0
    for start, end in sorted(cuts):
        left, at = left + text[at : max(start, at)], max(end, at)
    message = re.sub(r"\s*,(?:\s*,)+|\s+,", ",", left + text[at:])
    message = re.sub(rf"\b({_AND})\s*,", r"\1", message, flags=re.IGNORECASE)
    return " ".join(message.split()).strip(" ,") if cuts else text


def _optional_end(mark: re.Match[str], marks: list[re.Match[str]]) -> int | None:
    """Return where a clause ends that states that something is possible; None if it does not."""
    stop = next((n for n, one in enumerate(marks) if one[0] in _PUNCTUATION or not w.known(one[0])), len(marks))
    texts, closed = [t[0] for t in marks[:stop]], stop == len(marks) or marks[stop][0] in _PUNCTUATION
    ends = [n for n in range(1, stop + 1) if w.can_be_had(texts[:n], whole=closed and n == stop)]
    if mark["loose"] or not ends:
        return None
    return marks[stop - 1 if closed else ends[0] - 1].end()


def unverifiable_condition(text: str) -> str:
    """Return the unverifiable condition in the operator's words: "only if Emma agrees"; "" if there is none."""
    for mark, condition in _clauses(text):
        rest = text[mark.end() :].lstrip()
        if mark["loose"] or (mark["strict"] is None and w.POLITE_ORDER.match(rest)):
            continue
        clause = []
        for token in condition:
            if token[0] in _PUNCTUATION:
                break
            clause.append(token)
        texts = [token[0] for token in clause]
        having = any(_of_having(texts[:n], whole=n == len(texts)) for n in range(1, len(texts) + 1))
        if not texts or (having and not w.suits_somebody(texts)):
            continue
        return text[mark.start() : clause[-1].end()]
    unseen = w.UNSEEN.search(text)
    return unseen[0].strip() if unseen else ""


def _of_having(words: list[str], *, whole: bool) -> bool:
    return w.cannot_be_had(words) or w.can_be_had(words, whole=whole)


def on_a_condition(text: str) -> bool:
    """Return whether a message makes a part of itself depend on whether it is possible."""
    return alternatives(text) is not None or only_if_possible(text)
