"""Parsing of one message: mentions of values, the words around them, and quoted text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from contracts.venue import OpeningHours, VenueProfile
from language import find_emails, find_phones
from language.dates.resolution import Span
from language.extraction import Mention, MentionKind, extract
from language.locales import alternatives, get_locale
from language.messages.nouns import things_of
from language.requests.booking_names import MASK, masked, spans_naming_any
from language.requests.parts import RequestWord, expand_abbreviations, request_words, tag_words, without_courtesies
from language.text.lexer import lex
from language.text.normalize import normalize_text
from offline_planner.brief import Brief
from offline_planner.orders.new_names import NewName, find_names
from offline_planner.orders.notes import find_note

_BOOKING = alternatives("planner_message", "BOOKING").split("|")
_CODE = re.compile(
    r"(?<![\w/.:@+-])(?:#\s?(?P<hash>[A-Za-z0-9][\w-]*)|(?P<ref>[A-Za-z]{1,5}-[0-9]{2,})|"
    r"(?P<id>[a-z]{2,8}_(?=[a-z]*[0-9])[a-z0-9]{6,40})|"
    rf"(?:{'|'.join(rf'(?<={word} )' for word in _BOOKING)})(?P<long>[0-9]{{7,20}})|(?P<number>[0-9]{{4,6}}))"
    r"(?![\w/@]|[.,:-][0-9])"
)
_TIMED = re.compile(rf"(?:\b(?:{alternatives('planner_message', 'TIMED')})|@)\s*$", re.IGNORECASE)
_DATED = re.compile(rf"\b(?:\d{{1,2}}[/.]\d{{1,2}}|{alternatives('planner_message', 'DATED')})\s+$", re.IGNORECASE)
"""Precedes four figures that are an hour: "thu 26/11 1130"."""
_ORDINAL = rf"(?:{alternatives('planner_message', 'ORDINAL')})"
_MONTH_AND_DAY = re.compile(
    rf"([a-z]{{3,9}})\.?\s+(?:(?:{alternatives('planner_message', 'THE')})\s+)?\d{{1,2}}{_ORDINAL}?\s*,?\s*$",
    re.IGNORECASE,
)
"""Precedes a year in American dates: "Dec 10, 2026"."""
_MONTH = re.compile(
    rf"(?:[0-9]{_ORDINAL}?|\b(?:{alternatives('planner_message', 'OF')}))?\s*\b[a-z]{{3,9}}\.?,?\s*$", re.IGNORECASE
)
"""Precedes a year: a month."""
_INSTEAD = re.compile(rf"\s*,?\s*(?:{alternatives('planner_message', 'INSTEAD')})\b", re.IGNORECASE)
_INSTEAD_OF = re.compile(rf"\b(?:{alternatives('planner_message', 'INSTEAD_OF')})\s+$", re.IGNORECASE)
_MOST = 2000


@dataclass(frozen=True, slots=True)
class Code:
    """Represent a booking's number or reference, as written."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """Represent a message with its abbreviations expanded. `mentions` are those of values, without a quoted note, a new
    name or a reference. `unread` are figures that nothing explains. `note` is the text to write down, None without one,
    and `note_at` its place. `people` are words for which a look-up finds someone, `strangers` those for which it finds
    no one."""

    text: str
    mentions: tuple[Mention, ...]
    parts: tuple[RequestWord, ...]
    codes: tuple[Code, ...]
    names: tuple[NewName, ...]
    note: str | None = None
    note_at: int = 0
    unread: tuple[Span, ...] = ()
    asks: bool = False
    orders: bool = False
    people: frozenset[str] = frozenset()
    strangers: frozenset[str] = frozenset()

    def covers(self, span: Span) -> Mention | None:
        """Return the mention that overlaps a span, or None."""
        return next((c for c in self.mentions if c.span[0] < span[1] and span[0] < c.span[1]), None)

    def does(self, *senses: str) -> bool:
        """Return whether a word may have one of these senses."""
        return any(part.does(*senses) for part in self.parts)


def parse_message(raw: str, brief: Brief) -> ParsedMessage:
    """Parse one message of the operator."""
    raw = _with_numbers(" ".join(raw[:_MOST].split()), brief)
    noted = find_note(raw, brief.locale)
    before, after = (raw, "") if noted is None else (raw[: noted.span[0]], raw[noted.span[1] :])
    head = without_courtesies(expand_abbreviations(before, brief.locale), brief.locale)
    tail = without_courtesies(expand_abbreviations(after, brief.locale), brief.locale)
    text = f"{head} ; {tail}" if noted is not None else head
    codes = tuple(_codes(text, brief))
    covered = masked(text, [c.span for c in codes])
    names = tuple(find_names(covered, text, brief.locale))
    bare = masked(covered, [n.span for n in names])
    profile = _profile(brief)
    now = brief.now.replace(tzinfo=ZoneInfo(brief.zone))
    evidence = extract([masked(text, [n.span for n in names])], now, profile)
    return ParsedMessage(
        text=text,
        mentions=tuple(
            _unsettled(c, bare, brief.locale)
            for c in evidence.mentions
            if c.kind is not MentionKind.OTHER
            and not any(c.span[0] < code.span[1] and code.span[0] < c.span[1] for code in codes)
        ),
        parts=tuple(_known(p, brief) for p in tag_words(bare, brief.locale) if MASK * 2 not in p.text),
        codes=codes,
        names=names,
        unread=tuple(_unread(bare, [c.span for c in evidence.mentions])),
        note=noted.text if noted is not None else None,
        note_at=len(head),
        asks=_asks(text, brief.locale),
        orders=re.search(request_words(brief.locale).ORDER, text, re.IGNORECASE) is not None,
    )


def _with_numbers(text: str, brief: Brief) -> str:
    """Replace a booking's label by its number, so that it sets nothing: "Emma Clarke, Sat 28 Nov 3pm, 9 guests"."""
    for row in (*brief.offered, *brief.known):
        if row.label and row.reference:
            text = re.sub(rf"(?<!\w){re.escape(row.label)}(?!\w)", row.reference, text, flags=re.IGNORECASE)
    return text


def _known(part: RequestWord, brief: Brief) -> RequestWord:
    """Return the venue's own noun for a booking as one, whatever else it means: "sposta il tavolo di Rossi"."""
    own = normalize_text(part.text).removesuffix("'s") in things_of(brief.words, brief.locale)
    return replace(part, senses=part.senses - {"foreign"} | {"booking"}, ordinary=True, slip=False) if own else part


def known_by(message: ParsedMessage, strangers: frozenset[str], people: frozenset[str]) -> ParsedMessage:
    """Return the message after the look-ups: words that match no one are chatter, names are no slip of another word."""

    def adjusted(part: RequestWord) -> RequestWord:
        word = normalize_text(part.text)
        if part.slip and word in people:
            return replace(part, senses=frozenset(), slip=False)
        return replace(part, ordinary=True, owner=False) if not part.senses and word in strangers else part

    parts = tuple(adjusted(p) for p in message.parts)
    return replace(message, parts=parts, people=people, strangers=strangers)


def _unsettled(mention: Mention, text: str, locale: str) -> Mention:
    """Return a head count as its context demands: right behind "at" it may be an hour, "Coming at one"."""
    if mention.count is not None and mention.count.kind == "absolute" and mention.count.previous is None:
        figure = re.search(r"[0-9]", mention.text)
        if re.search(
            request_words(locale).LOSES, text[: mention.span[0] + (figure.start() if figure else 0)], re.IGNORECASE
        ):
            return replace(mention, count=replace(mention.count, kind="subtract"))
        if re.search(r"\w\s*$", text[: mention.span[0]]) and _number_before(text[: mention.span[0]], locale):
            return replace(mention, vague=True)
    plain = mention.count is not None and mention.count.kind == "absolute" and mention.count.noun is None
    if not plain or mention.count is None or mention.count.amount > 12:
        return mention
    if re.search(request_words(locale).AT, text[: mention.span[0]], re.IGNORECASE) is None:
        return mention
    return replace(mention, kind=MentionKind.NUMBER, values=(f"{mention.count.amount:g}",), count=None)


def _number_before(before: str, locale: str) -> bool:
    """Return whether a number word precedes the one that was read, the dozen in "Two dozen guests"."""
    last = before.split()[-1:]
    found = lex(last[0], get_locale(locale)).tokens if last else ()
    return len(found) == 1 and re.fullmatch(r"[0-9]+w", found[0].symbol) is not None


def _unread(text: str, read: list[Span]) -> Iterator[Span]:
    for match in re.finditer(r"[0-9]+", text):
        title = re.match(rf"{_ORDINAL}\b", text[match.end() :]) and int(match.group()) > 31
        if not title and not any(start < match.end() and match.start() < end for start, end in read):
            yield match.span()


def _asks(text: str, locale: str) -> bool:
    question = re.search(request_words(locale).QUESTION, text, re.IGNORECASE) is not None
    return question or text.rstrip(" .)").endswith("?")


def _codes(text: str, brief: Brief) -> list[Code]:
    """Return the references of bookings. A year, an hour in four figures and a phone number are none, but any number
    right behind "booking" is one."""
    taken = [e.span for e in find_emails(text)] + [p.span for p in find_phones(text, brief.country)]
    listed = (*brief.offered, *brief.known)
    found = [Code(text[slice(*span)], span) for span in spans_naming_any(text, listed)]
    found += [Code(m["code"], m.span("code")) for m in _named_code(brief).finditer(text)]
    for match in _CODE.finditer(text):
        if any(code.span[0] < match.end() and match.start() < code.span[1] for code in found):
            continue
        span, message = match.span(), next(filter(None, match.groups()))
        if not match.group("long") and any(start < span[1] and span[0] < end for start, end in taken):
            continue
        if match.group("number") and (
            _is_year(message, text[: span[0]], brief) or _is_hour(message, text[: span[0]], text[span[1] :])
        ):
            continue
        found.append(Code(message, span))
    return found


def _named_code(brief: Brief) -> re.Pattern[str]:
    """Return the pattern of a mixed code or a long id right behind a word for a booking: "il tavolo 3da066"."""
    things = "|".join(map(re.escape, {*things_of(brief.words, brief.locale), *_BOOKING}))
    mixed = r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{6,40}|[0-9a-f]{32}|[0-9]{6}"
    return re.compile(rf"\b(?:{things})\s+#?(?P<code>{mixed})(?![\w/@]|[.,:-][0-9])", re.IGNORECASE)


def _is_year(text: str, before: str, brief: Brief) -> bool:
    near = len(text) == 4 and abs(int(text) - brief.now.year) < 3
    if near and (day := _MONTH_AND_DAY.search(before)) is not None:
        tokens = lex(day[1], get_locale(brief.locale)).tokens
        return any(re.match(r"[Mm]\d", token.symbol) for token in tokens)
    return near and _MONTH.search(before) is not None and re.search(r"[0-9]", before[-14:]) is not None


def _is_hour(text: str, before: str, rest: str) -> bool:
    clock = len(text) == 4 and int(text[:2]) < 24 and int(text[2:]) < 60
    instead = _INSTEAD.match(rest) is not None
    turned = _INSTEAD_OF.search(before) is not None
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
