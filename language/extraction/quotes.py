"""Quotes of other people in an operator's message.

"He asked: 'please cancel my booking'. What should I do?" contains the words of a request but is none. An operator's
report of a request ("Anna asked us to cancel") is a request, because operators report requests all day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from language.dates.resolution import Span
from language.extraction.message import Message
from language.locales import alternatives, words_in_all
from language.requests.booking_names import strip_possessive
from language.requests.cues import Cue, find_cues
from language.requests.parts import find_verb

_QUOTE = re.compile(
    r"\"(?P<straight>[^\"]+)(?:\"|$)|[“„](?P<curly>[^“”]+)(?:[”“]|$)|«(?P<angled>[^»]+)(?:»|$)"
    r"|(?<![\w])['‘](?P<single>(?:[^'’]|['’](?=\w))+)['’](?!\w)"
)
_LEADS = re.compile(r"[^.!?\n\"“„«]{0,40}?[\s:,]*")
"""The words allowed between a verb of speech and the quoted words: "she wrote to us by mail:"."""
_SPEAKER = re.compile(r"[\s,]*(?:[^\W\d]+\s+){1,3}")
"""The speaker, behind a quote: "…", emma clarke wrote."""
_COLON = re.compile(r"[^.!?\n:,]{0,40}:\s+")
_of = partial(alternatives, "extraction")
_MY_OWN = re.compile(rf"(?:\b(?:{_of('MY_OWN')})\s+)$")
_FIRST_PERSON = re.compile(rf"\b(?:{_of('FIRST_PERSON')})\b")
_REACH = 4
_HELPERS = words_in_all("extraction", "HELPERS")
_OBJECT = re.compile(rf"\W*(?:{_of('OBJECT')})\b")
_WANTED = re.compile(rf"\b(?:{_of('WANTED')})\b")


def quotes_of_others(message: Message) -> tuple[Span, ...]:
    """Find the places that quote another person; none if the operator adopts the words: "…, please do that"."""
    quoted = tuple(sorted(_quoted(message)))
    if not quoted or message.of_kind("ADVICE"):
        return quoted
    own = [c for c in message.of_kind("ENDORSED") if not inside(c.span, quoted)]
    return () if any(message.cue_before(c.span, ("NOT",), 1) is None for c in own) else quoted


def inside(span: Span, places: tuple[Span, ...]) -> bool:
    """Return whether a place is inside one of these places."""
    return any(start <= span[0] < end for start, end in places)


def taken_down(message: Message, texts: Sequence[str]) -> tuple[Span, ...]:
    """Find the words of a message that are the plain texts of notes."""
    found = ((message.plain.find(text), text) for text in texts if text)
    return tuple((start, start + len(text)) for start, text in found if start >= 0)


def only_reported(message: Message, span: Span) -> bool:
    """Return whether words report what another person wants or did, while the operator leaves open what to do."""
    if inside(span, message.quotes):
        return True
    asks = [c for c in message.of_kind("ADVICE") if c.span[0] >= span[1]]
    return bool(asks) and _reports(message, span)


def decides(message: Message, span: Span) -> bool:
    """Return whether a verb can decide a high-risk step: it is part of no name, quote or question, and its subject is
    not a person who only stays away."""
    asked = message.cue_before(span, ("WHETHER",), _REACH)
    return not (
        inside(span, message.names)
        or only_reported(message, span)
        or asked is not None
        or _of_a_companion(message, span)
    )


def _quoted(message: Message) -> Iterator[Span]:
    says = [cue for cue in message.of_kind("SAYS") if not _MY_OWN.search(message.plain[: cue.span[0]])]
    taken: list[Span] = []
    for match in _QUOTE.finditer(message.text):
        own = next(n for n, text in match.groupdict().items() if text is not None)
        position = match.span(own)
        if _attributed(message, match.span(), says) or _in_first_person(message, position):
            taken.append(position)
    yield from taken
    for cue in says:
        lead = _COLON.match(message.plain, cue.span[1])
        if lead and not inside((lead.end(), lead.end()), tuple(taken)) and not inside(cue.span, tuple(taken)):
            end = _line_end(message, lead.end())
            first = re.split(r"[.!?]", message.plain[lead.end() : end], maxsplit=1)[0]
            if _FIRST_PERSON.search(first):
                yield lead.end(), end


def _attributed(message: Message, quote: Span, says: list[Cue]) -> bool:
    """Return whether a verb of speech leads to a quote, or follows it: "…", she wrote."""
    for cue in says:
        if cue.span[1] <= quote[0] and _LEADS.fullmatch(message.text, cue.span[1], quote[0]):
            return True
        if quote[1] <= cue.span[0] and _SPEAKER.fullmatch(message.text, quote[1], cue.span[0]):
            return True
    return False


def _in_first_person(message: Message, place: Span) -> bool:
    """Return whether a quote holds a guest's words and not the text of a note: "got this: “please cancel our
    booking”"."""
    written = any(not place[0] <= span[0] < place[1] for span in find_verb("note", message.text))
    return not written and _FIRST_PERSON.search(message.plain[slice(*place)]) is not None


def _line_end(message: Message, start: int) -> int:
    ends = [n for n in (message.text.find("\n", start),) if n >= 0]
    ends += [cue.span[0] for cue in message.of_kind("ADVICE") if cue.span[0] >= start]
    return min(ends, default=len(message.text))


def _reports(message: Message, span: Span) -> bool:
    """Return whether a verb of speech or of wanting is in front, in the same sentence."""
    start = max((m.end() for m in re.finditer(r"[.!?\n]", message.text[: span[0]])), default=0)
    reporting = [c for c in message.of_kind("SAYS", "REPORT", "WHETHER") if start <= c.span[0] and c.span[1] <= span[0]]
    wanted = _WANTED.search(message.plain[start : span[0]])
    return bool(reporting) or wanted is not None


def _of_a_companion(message: Message, span: Span) -> bool:
    """Return whether a companion only stays away, so that the booking remains: "her friend cancelled", "two guests
    cancelled". A guest, a parent or a teacher acts for the booking, and so does any person who cancels it by name."""
    if _OBJECT.match(message.plain, span[1]):
        return False
    front = [word for word in message.words if word.end <= span[0]]
    while front and front[-1].text in _HELPERS:
        front.pop()
    if not front or message.parted(front[-1].end, span[0]):
        return False
    who = front[-1]
    kinds = {cue.kind for cue in find_cues(strip_possessive(who.text), message.locale)}
    symbols = {token.symbol for token in message.tokens if token.start == who.start}
    if "PERSON" not in kinds and "PEOPLE" not in symbols:
        return False
    counted = len(front) > 1 and any(
        token.symbol[0].isdigit() for token in message.tokens if token.start == front[-2].start
    )
    return counted or "SPEAKS_FOR" not in kinds
