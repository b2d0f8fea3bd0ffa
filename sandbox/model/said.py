"""One message as the planner reads it: claims, the words around them, and what is quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from contracts.venue import OpeningHours, VenueProfile
from language import find_emails, find_phones
from language.booking_names import MASK, masked, spans_naming_any
from language.lexer import lex
from language.locales import get_locale
from language.new_names import NewName, find_names
from language.notes import find_note
from language.nouns import things_of
from language.plain import plain
from language.requests import Part, data_of, parts_of, spelled_out, without_courtesies
from language.resolution import Span
from reasoning.evidence import Claim, Kind, read_evidence
from sandbox.model.prompt import Brief

_CODE = re.compile(
    r"(?<![\w/.:@+-])(?:#\s?(?P<hash>[A-Za-z0-9][\w-]*)|(?P<ref>[A-Za-z]{1,5}-[0-9]{2,})|"
    r"(?P<id>[a-z]{2,8}_(?=[a-z]*[0-9])[a-z0-9]{6,40})|"
    r"(?:(?<=booking )|(?<=prenotazione ))(?P<long>[0-9]{7,20})|(?P<number>[0-9]{4,6}))(?![\w/@]|[.,:-][0-9])"
)
_TIMED = re.compile(r"(?:\b(?:at|start|starts|starting|from|till|alle|dalle|ore|h|inizio|inizia)|@)\s*$", re.IGNORECASE)
_DATED = re.compile(
    r"\b(?:\d{1,2}[/.]\d{1,2}|\d{1,2}(?:st|nd|rd|th)|mon|tue|wed|thu|fri|sat|sun|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\s+$",
    re.I,
)
"""In front of four figures that are an hour: "thu 26/11 1130"."""
_MONTH_AND_DAY = re.compile(r"([a-z]{3,9})\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\s*,?\s*$", re.IGNORECASE)
"""In front of a year, as Americans write it: "Dec 10, 2026"."""
_YEAR = re.compile(r"[a-z]{3,}\.?,?\s*$", re.IGNORECASE)
_MOST = 2000


@dataclass(frozen=True, slots=True)
class Code:
    """A booking's number or reference, as said."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Said:
    """A message, its hurried words spelled out. `claims` are those of values; a quoted note or new name, or a
    reference, is none of them. `unread` are figures that nothing explains. `note` is the text to write down, None
    without one; `note_at` is where it stood. `people` are words that a look-up
    found somebody for, `strangers` those that it found nobody for."""

    text: str
    claims: tuple[Claim, ...]
    parts: tuple[Part, ...]
    codes: tuple[Code, ...]
    names: tuple[NewName, ...]
    note: str | None = None
    note_at: int = 0
    unread: tuple[Span, ...] = ()
    asks: bool = False
    orders: bool = False
    people: frozenset[str] = frozenset()
    strangers: frozenset[str] = frozenset()

    def covers(self, span: Span) -> Claim | None:
        """The claim over a place."""
        return next((c for c in self.claims if c.span[0] < span[1] and span[0] < c.span[1]), None)

    def does(self, *senses: str) -> bool:
        """Whether some word may do one of these."""
        return any(part.does(*senses) for part in self.parts)


def read_said(raw: str, brief: Brief) -> Said:
    """Read one message of the operator."""
    raw = _with_numbers(" ".join(raw[:_MOST].split()), brief)
    noted = find_note(raw, brief.locale)
    before, after = (raw, "") if noted is None else (raw[: noted.span[0]], raw[noted.span[1] :])
    head = without_courtesies(spelled_out(before, brief.locale), brief.locale)
    tail = without_courtesies(spelled_out(after, brief.locale), brief.locale)
    text = f"{head} ; {tail}" if noted is not None else head
    codes = tuple(_codes(text, brief))
    covered = masked(text, [c.span for c in codes])
    names = tuple(find_names(covered, text, brief.locale))
    bare = masked(covered, [n.span for n in names])
    profile = _profile(brief)
    now = brief.now.replace(tzinfo=ZoneInfo(brief.zone))
    evidence = read_evidence([masked(text, [n.span for n in names])], now, profile)
    return Said(
        text=text,
        claims=tuple(
            _unsettled(c, bare, brief.locale)
            for c in evidence.claims
            if c.kind is not Kind.OTHER
            and not any(c.span[0] < code.span[1] and code.span[0] < c.span[1] for code in codes)
        ),
        parts=tuple(_known(p, brief) for p in parts_of(bare, brief.locale) if MASK * 2 not in p.text),
        codes=codes,
        names=names,
        unread=tuple(_unread(bare, [c.span for c in evidence.claims])),
        note=noted.text if noted is not None else None,
        note_at=len(head),
        asks=_asks(text, brief.locale),
        orders=re.search(data_of(brief.locale).ORDER, text, re.IGNORECASE) is not None,
    )


def _with_numbers(text: str, brief: Brief) -> str:
    """The text with a booking's number in place of its label: "Emma Clarke, Sat 28 Nov 3pm, 9 guests" sets nothing."""
    for row in (*brief.offered, *brief.known):
        if row.label and row.reference:
            text = re.sub(rf"(?<!\w){re.escape(row.label)}(?!\w)", row.reference, text, flags=re.IGNORECASE)
    return text


def _known(part: Part, brief: Brief) -> Part:
    """What the venue calls its bookings is a booking here, whatever it is elsewhere: "sposta il tavolo di Rossi"."""
    own = plain(part.text).removesuffix("'s") in things_of(brief.words, brief.locale)
    return replace(part, senses=part.senses - {"foreign"} | {"booking"}, ordinary=True, slip=False) if own else part


def known_by(said: Said, strangers: frozenset[str], people: frozenset[str]) -> Said:
    """The message as the look-ups tell it: words that name nobody are chatter, names are no slip of another word."""

    def told(part: Part) -> Part:
        word = plain(part.text)
        if part.slip and word in people:
            return replace(part, senses=frozenset(), slip=False)
        return replace(part, ordinary=True, owner=False) if not part.senses and word in strangers else part

    parts = tuple(told(p) for p in said.parts)
    return replace(said, parts=parts, people=people, strangers=strangers)


def _unsettled(claim: Claim, text: str, locale: str) -> Claim:
    """ "Coming at one": a head count without a word for people, right behind "at", may be an hour."""
    if claim.count is not None and claim.count.kind == "absolute" and claim.count.previous is None:
        figure = re.search(r"[0-9]", claim.text)
        if re.search(data_of(locale).LOSES, text[: claim.span[0] + (figure.start() if figure else 0)], re.IGNORECASE):
            return replace(claim, count=replace(claim.count, kind="subtract"))
        if re.search(r"\w\s*$", text[: claim.span[0]]) and _number_before(text[: claim.span[0]], locale):
            return replace(claim, doubtful=True)
    plain = claim.count is not None and claim.count.kind == "absolute" and claim.count.noun is None
    if not plain or claim.count is None or claim.count.amount > 12:
        return claim
    if re.search(data_of(locale).AT, text[: claim.span[0]], re.IGNORECASE) is None:
        return claim
    return replace(claim, kind=Kind.NUMBER, values=(f"{claim.count.amount:g}",), count=None)


def _number_before(before: str, locale: str) -> bool:
    """ "Two dozen guests" of which only the dozen was read."""
    last = before.split()[-1:]
    found = lex(last[0], get_locale(locale)).tokens if last else ()
    return len(found) == 1 and re.fullmatch(r"[0-9]+w", found[0].symbol) is not None


def _unread(text: str, read: list[Span]) -> Iterator[Span]:
    for match in re.finditer(r"[0-9]+", text):
        title = re.match(r"(?:st|nd|rd|th)\b", text[match.end() :]) and int(match.group()) > 31
        if not title and not any(start < match.end() and match.start() < end for start, end in read):
            yield match.span()


def _asks(text: str, locale: str) -> bool:
    question = re.search(data_of(locale).QUESTION, text, re.IGNORECASE) is not None
    return question or text.rstrip(" .)").endswith("?")


def _codes(text: str, brief: Brief) -> list[Code]:
    """References of bookings; a year, an hour in four figures and a phone number are none, but whatever number stands
    right behind "booking" is one."""
    taken = [e.span for e in find_emails(text)] + [p.span for p in find_phones(text, brief.country)]
    listed = (*brief.offered, *brief.known)
    found = [Code(text[slice(*span)], span) for span in spans_naming_any(text, listed)]
    found += [Code(m["code"], m.span("code")) for m in _named_code(brief).finditer(text)]
    for match in _CODE.finditer(text):
        if any(code.span[0] < match.end() and match.start() < code.span[1] for code in found):
            continue
        span, said = match.span(), next(filter(None, match.groups()))
        if not match.group("long") and any(start < span[1] and span[0] < end for start, end in taken):
            continue
        if match.group("number") and (
            _is_year(said, text[: span[0]], brief) or _is_hour(said, text[: span[0]], text[span[1] :])
        ):
            continue
        found.append(Code(said, span))
    return found


def _named_code(brief: Brief) -> re.Pattern[str]:
    """Letters and figures, or a long id, right behind a word for a booking: "il tavolo 3da066"."""
    things = "|".join(map(re.escape, {*things_of(brief.words, brief.locale), "booking", "prenotazione"}))
    mixed = r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{6,40}|[0-9a-f]{32}|[0-9]{6}"
    return re.compile(rf"\b(?:{things})\s+#?(?P<code>{mixed})(?![\w/@]|[.,:-][0-9])", re.IGNORECASE)


def _is_year(said: str, before: str, brief: Brief) -> bool:
    near = len(said) == 4 and abs(int(said) - brief.now.year) < 3
    if near and (day := _MONTH_AND_DAY.search(before)) is not None:
        tokens = lex(day[1], get_locale(brief.locale)).tokens
        return any(re.match(r"[Mm]\d", token.symbol) for token in tokens)
    return (
        near
        and re.search(r"(?:[0-9](?:st|nd|rd|th)?|\b(?:of|di|del))?\s*\b[a-z]{3,9}\.?,?\s*$", before, re.I) is not None
        and re.search(r"[0-9]", before[-14:]) is not None
    )


def _is_hour(said: str, before: str, behind: str) -> bool:
    clock = len(said) == 4 and int(said[:2]) < 24 and int(said[2:]) < 60
    instead = re.match(r"\s*,?\s*(?:instead of|rather than|not|invece)\b", behind, re.I) is not None
    turned = re.search(r"\b(?:instead of|rather than|invece (?:di|delle))\s+$", before, re.I) is not None
    return clock and (instead or turned or _TIMED.search(before) is not None or _DATED.search(before) is not None)


def _profile(brief: Brief) -> VenueProfile:
    [(opens, closes)] = brief.policy.opening
    return VenueProfile(
        venue_id="venue",
        pack="pack",
        name="venue",
        base_url="venue",
        time_zone=brief.zone,
        locale=brief.locale,
        country=brief.country,
        opening_hours=OpeningHours(opens=opens, closes=closes),
        check_operation="none",
    )
