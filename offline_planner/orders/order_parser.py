"""Parsing of a message into orders: bookings, verbs, values. A clause without a booking continues the last order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from language.dates.resolution import Span
from language.extraction import Assertion, Mention, MentionKind
from language.locales import LanguageData, alternatives, words_in_all
from language.requests.parts import RequestWord, request_words
from offline_planner.message import ParsedMessage
from offline_planner.orders.clauses import CONTACTS, go_on
from offline_planner.orders.mentions import BookingMention, free_runs, is_whose, mentions_in
from offline_planner.orders.order import WHEN, Order

_VALUES = frozenset(
    {
        MentionKind.DAY,
        MentionKind.TIME,
        MentionKind.SHIFT,
        MentionKind.COUNT,
        MentionKind.NUMBER,
        MentionKind.EMAIL,
        MentionKind.PHONE,
    }
)
_STOP = re.compile(r"[.;!?…]+(?=\s|$)|,(?=\s|$)|(?<=\s)[-–—]+(?=\s)|:(?=\s|$)")
_VERBS = ("move", "cancel", "change", "resize", "add", "rename")
_TOPICS = ("phone", "email", "surname", "first", "name", "contact", "count", "time", "day", "note")
_BESIDE = 3
_NOW = words_in_all("planner_orders", "NOW")
_COUNTED = re.compile(rf"\d|\b(?:{alternatives('planner_orders', 'COUNTED')})\b", re.IGNORECASE)
_ALLOWS = words_in_all("planner_orders", "ALLOWS")
_ASKED_ALL_THE_SAME = re.compile(rf"\b(?:{alternatives('planner_orders', 'ASKED_ALL_THE_SAME')})\b", re.IGNORECASE)
_PREPOSITION = re.compile(rf"(?:{alternatives('planner_orders', 'PREPOSITION')})\s", re.IGNORECASE)
_DENIED = re.compile(rf"\b(?:{alternatives('planner_orders', 'NOT')})\s+(?:\w+\s+)?$", re.IGNORECASE)
_CORRECTED = re.compile(rf"\s*,?\s*(?:{alternatives('planner_orders', 'CORRECTED')})\b", re.IGNORECASE)
_BY_CONTACT = re.compile(rf"(?:\b(?:{alternatives('planner_orders', 'BY_CONTACT')})|^)$", re.IGNORECASE)


def orders_of(message: ParsedMessage, locale: str) -> list[Order]:
    """Return the orders of a message, in text order."""
    orders: list[Order] = []
    spans = list(_segments(message, locale))
    corrects, corrected = request_words(locale).CORRECTS, False
    for span, joined in spans:
        clause = _clause(message, span, locale, alone=len(spans) == 1)
        go_on(orders, clause, "correct" if corrected and clause.mentions else joined, locale)
        corrected = (
            not clause.mentions and not clause.filled and re.search(corrects, clause.text, re.IGNORECASE) is not None
        )
    return orders


def _segments(message: ParsedMessage, locale: str) -> Iterator[tuple[Span, str]]:
    """Yield the place of each clause, with what joins it to the one before; reasons are left out."""
    data = request_words(locale)
    edges = [m.span() for m in _STOP.finditer(message.text)]
    edges += [m.span() for m in re.finditer(data.CONNECT, message.text, re.IGNORECASE)]
    held = [c.span for c in message.mentions] + [n.span for n in message.names]
    edges += _between_codes(message)
    edges = sorted(e for e in edges if not any(start < e[1] and e[0] < end for start, end in held))
    start, joined = 0, ""
    for edge in [*edges, (len(message.text), len(message.text))]:
        reason = re.search(data.BECAUSE, message.text[start : edge[0]], re.IGNORECASE)
        end = start + reason.start() if reason and start + reason.start() > start else edge[0]
        behind = [c.span[0] for c in message.mentions if c.is_asserted] + [c.span[0] for c in message.codes]
        keeps = reason is not None and any(start + reason.end() <= index < edge[0] for index in behind)
        end = edge[0] if keeps else end
        if message.text[start:end].strip() or _notes(message, (start, end)):
            yield (start, end), joined
        joined = message.text[slice(*edge)].strip().lower()
        start = edge[1]


def _between_codes(message: ParsedMessage) -> Iterator[Span]:
    """Yield the place of a verb between two references, which begins a new clause: "Cancel 1180 move 1181 to 2pm"."""
    for left, right in zip(message.codes, message.codes[1:], strict=False):
        verb = next(
            (
                p
                for p in message.parts
                if left.span[1] <= p.span[0] < right.span[0] and p.does("move", "cancel", "change")
            ),
            None,
        )
        if verb is not None:
            yield verb.span[0], verb.span[0]


def _notes(message: ParsedMessage, span: Span) -> bool:
    return message.note is not None and span[0] <= message.note_at <= span[1]


def _clause(message: ParsedMessage, span: Span, locale: str, alone: bool) -> Order:
    """Parse one clause by itself."""
    data = request_words(locale)
    parts = [p for p in message.parts if span[0] <= p.span[0] and p.span[1] <= span[1] and not _in_contact(message, p)]
    order = Order(text=message.text[slice(*span)].strip())
    if order.text and re.search(data.MONEY, order.text, re.IGNORECASE):
        order.foreign.append(order.text)
    order.note = message.note if _notes(message, span) else None
    order.names = [n for n in message.names if span[0] <= n.span[0] < span[1]]
    mentions = [c for c in message.mentions if span[0] <= c.span[0] < span[1] and c.kind in _VALUES]
    order.mentions = mentions_in(message, span, alone, data.CLITICS, data.GENERIC)
    named = [p for m in order.mentions if m.words for p in parts if m.span[0] <= p.span[0] and p.span[1] <= m.span[1]]
    for part in parts:
        if part in named or (
            (mention := message.covers(part.span)) is not None
            and mention.kind in WHEN
            and part.text.lower() not in _NOW
        ):
            continue
        if part.ordinary and not part.senses and part.text.isalpha() and message.covers(part.span) is None:
            order.plain.append(part.text)
            if _is_wished(message, part, parts):
                order.strange.append(part.text)
        if part.does("shift") and message.covers(part.span) is None:
            order.vague.append(part.text)
        _sort_in(order, part, _denied(message.text, span, part, data))
    _share(message, order, [_dated(message, c, order, data.ON_THE) for c in mentions], data, span)
    order.foreign += _foreign(order, [p for p in parts if p not in named])
    named_by = [m.span for m in order.mentions]
    for start, end in message.unread:
        if span[0] <= start < span[1] and not any(a <= start < b for a, b in named_by):
            order.strange.append(message.text[start:end])
    order.vague = order.vague if order.claims or not order.signs & {"state", "report"} else []
    order.strange += _strange(message, span, order, parts)
    if re.search(data.CANCELS, order.text, re.IGNORECASE):
        order.verbs = {"cancel"}
    if "cancel" in order.verbs and any(_takes_off(c, order, message) for c in order.claims):
        order.verbs = order.verbs - {"cancel"} | {"resize"}
    return order


def _takes_off(mention: Mention, order: Order, message: ParsedMessage) -> bool:
    """Return whether heads are taken off: "Cancel two of the kids"; "cancel Rossi, kid is sick" gives a reason."""
    if mention.count is None or not mention.count.is_relative:
        return False
    reason = not _COUNTED.search(message.text[max(0, mention.span[0] - 4) : mention.span[1]])
    return not (reason and any(m.span[1] <= mention.span[0] for m in order.mentions))


def _denied(text: str, span: Span, part: RequestWord, data: LanguageData) -> bool:
    """Return whether a negation precedes a word. "Can" only allows, but "can start at four instead" asks."""
    match = re.search(data.NEGATES, text[span[0] : part.span[0]], re.IGNORECASE)
    if match is None:
        return False
    allowed = match.group().strip().lower() in _ALLOWS
    return not (allowed and _ASKED_ALL_THE_SAME.search(text[part.span[1] : span[1]]))


def _foreign(order: Order, parts: list[RequestWord]) -> list[str]:
    """Return the words for what no tool does, where the clause asks for it: by its first word, behind a known verb or a
    wish, or with nothing else stated. "They're fixing the aircon" asks for nothing."""
    if order.note:
        return []
    heads = [p for p in parts if not p.does("polite") and (not p.does("function", "pronoun") or p.does(*_VERBS))]
    asked = bool(order.verbs or order.denied) or "want" in order.signs or not order.filled
    tells = bool(order.signs & {"state", "report"}) and not order.verbs
    return [p.text for p in parts if p.does("foreign") and (p is heads[0] or (asked and not tells))] if heads else []


def _is_wished(message: ParsedMessage, part: RequestWord, parts: list[RequestWord]) -> bool:
    """Return whether an ordinary word between wish and value is what is wished: "Wants to be picked up at 3pm"."""
    wishes = [p for p in parts if p.does("want") and p.span[1] <= part.span[0]]
    behind = any(c.span[0] >= part.span[1] for c in message.mentions)
    return bool(wishes) and behind and not any(p.does(*_VERBS) for p in parts)


def _in_contact(message: ParsedMessage, part: RequestWord) -> bool:
    mention = message.covers(part.span)
    return mention is not None and mention.kind in CONTACTS


def _sort_in(order: Order, part: RequestWord, negated: bool) -> None:
    for sense in part.senses:
        if sense in _VERBS:
            (order.denied if negated else order.verbs).add(sense)
        elif sense in _TOPICS:
            order.topics.add(sense)
        elif sense == "foreign":
            continue
        elif not (negated and sense in ("cancelled", "want")):
            order.signs.add(sense)
    order.topics |= {"note"} if part.does("note") else set()


def _share(message: ParsedMessage, order: Order, mentions: list[Mention], data: LanguageData, span: Span) -> None:
    """Sort mentions into values to set, former values and booking marks: "the party on the 3rd", "the 2pm one"."""
    remark = "report" in order.signs and not order.verbs and not order.signs & {"want", "now"} and not message.orders
    for mention in mentions:
        if mention.kind in WHEN and re.search(data.OFF, message.text[span[0] : mention.span[0]], re.IGNORECASE):
            order.strange.append(message.text[max(span[0], mention.span[0] - 8) : mention.span[1]].strip())
        if (
            mention.kind in WHEN
            and order.signs & {"absent", "refuse"}
            and not order.verbs
            and "want" not in order.signs
        ):
            order.former.append(replace(mention, assertion=Assertion.NEGATED))
            continue
        if remark and mention.count is not None and mention.count.is_relative:
            continue
        if mention.assertion is Assertion.REPORTED and not mention.vague and _orders_before(message, order, mention):
            order.claims.append(mention)
        elif re.search(data.INSTEAD_OF, message.text[span[0] : mention.span[0]] + _preposition(mention), re.IGNORECASE):
            order.former.append(replace(mention, assertion=Assertion.PAST))
        elif mention.assertion is Assertion.PAST and _is_target(message, mention, mentions, data.TARGET):
            order.claims.append(replace(mention, assertion=Assertion.ASSERTED))
        elif mention.assertion is not Assertion.ASSERTED:
            order.former.append(mention)
        elif mention.kind in CONTACTS and _names_booking(message, order, mention):
            order.mentions.append(BookingMention(mention.span, words=mention.text))
        elif (
            mention.kind in WHEN and not mention.is_target and _marks(message, order, mention, mentions, data.OF, span)
        ):
            order.former.append(mention)
        else:
            order.claims.append(mention)


def _preposition(mention: Mention) -> str:
    """Return the preposition with which a mention begins: "delle 15"."""
    first = _PREPOSITION.match(mention.text)
    return first.group() if first else ""


def _is_target(message: ParsedMessage, mention: Mention, mentions: list[Mention], target: str) -> bool:
    """Return whether the only value of its kind is a target, no range: "8231 to 12 guests and 8232 to 15"."""
    alone = not any(
        c is not mention and (c.kind is mention.kind or MentionKind.NUMBER in (c.kind, mention.kind)) for c in mentions
    )
    before = message.text[: mention.span[0]]
    denied = _DENIED.search(before) is not None
    corrected = _CORRECTED.match(message.text[mention.span[1] :])
    return alone and not denied and corrected is None and re.search(target, before, re.IGNORECASE) is not None


def _dated(message: ParsedMessage, mention: Mention, order: Order, on_the: str) -> Mention:
    """Return a bare number behind a booking as a day of some month, a mark: "The Fairweathers of the 17th"."""
    near = mention.kind is MentionKind.NUMBER and mention.values and 0 < int(mention.values[0]) < 32
    if not near or not order.mentions or not re.search(on_the, message.text[: mention.span[0]], re.IGNORECASE):
        return mention
    gap = message.text[order.mentions[-1].span[1] : mention.span[0]]
    if len(gap.split()) > 3:
        return mention
    return replace(
        mention,
        kind=MentionKind.DAY,
        assertion=Assertion.PAST,
        values=tuple(f"-{int(mention.values[0]):02}" for _ in (0,)),
    )


def _orders_before(message: ParsedMessage, order: Order, mention: Mention) -> bool:
    return message.orders or bool(order.verbs & {"move", "change", "resize"}) or "want" in order.signs


def _names_booking(message: ParsedMessage, order: Order, mention: Mention) -> bool:
    """Return whether a contact detail identifies the booking: "The booking under 0412 345 678"."""
    before = message.text[: mention.span[0]].rstrip()
    linked = _BY_CONTACT.search(before) is not None
    alone = message.text.strip(" .!?") == mention.text.strip(" .!?")
    return linked and not alone and not order.mentions and not order.topics & {"phone", "email", "contact"}


def _marks(
    message: ParsedMessage, order: Order, mention: Mention, mentions: list[Mention], of: str, span: Span
) -> bool:
    """Return whether a day or an hour beside a booking identifies it; right behind it, more must follow."""
    before = message.text[span[0] : mention.span[0]]
    others = "move" not in order.verbs and any(c.kind not in WHEN for c in mentions)
    in_front = any(m.words and 0 <= m.span[0] - mention.span[1] < _BESIDE for m in order.mentions)
    if mention.kind is MentionKind.DAY and others and in_front:
        return True
    if any(p.does("keep") and p.span[1] <= mention.span[0] for p in message.parts if p.span[0] >= span[0]):
        return True
    if "cancel" in order.verbs or "cancelled" in order.signs:
        return True
    nouns = [p.span for p in message.parts if p.does("booking", "event") and p.span[0] >= span[0]]
    ends = [m.span[1] for m in order.mentions] + [end for _, end in nouns]
    edge = max((end for end in ends if end <= mention.span[0]), default=None)
    if edge is None or len(message.text[edge : mention.span[0]].split()) > 2:
        return False
    between = [p for p in message.parts if edge <= p.span[0] and p.span[1] <= mention.span[0]]
    if any(p.does("state", "want", "now", *_VERBS) for p in between):
        return False
    behind = [c for c in mentions if c.span[0] >= mention.span[1] and c.is_asserted]
    if any(c.kind is MentionKind.SHIFT for c in behind) and mention.kind is MentionKind.DAY:
        return True
    close = not message.text[edge : mention.span[0]].strip()
    if close and mention.kind is MentionKind.DAY and any(c.kind is MentionKind.TIME and c.is_target for c in behind):
        return True
    beside = close and any(c.kind not in WHEN for c in behind)
    linked = beside or re.search(of, before, re.IGNORECASE) is not None
    if (
        linked
        and mention.kind is MentionKind.DAY
        and edge in [end for _, end in nouns]
        and _others_only(order, mentions)
    ):
        return True
    after = [p for p in message.parts if mention.span[1] <= p.span[0] < span[1]]
    acts = any(p.does("want", "move", "change", "cancelled", "state") for p in after)
    return linked and (acts or (bool(behind) and any(p.does("now") for p in after)))


def _others_only(order: Order, mentions: list[Mention]) -> bool:
    """Return whether a clause sets neither a day nor an hour: "use it for her booking on the ninth"."""
    contacts = any(c.kind in CONTACTS for c in mentions) or bool(order.topics & {"email", "phone"})
    return (contacts or order.note is not None) and "move" not in order.verbs


def _strange(message: ParsedMessage, span: Span, order: Order, parts: list[RequestWord]) -> list[str]:
    """Return runs of unknown words between the values, verb and booking of a clause; all around is chatter."""
    if not order.claims and not order.names:
        return []
    places = [c.span for c in order.claims] + [m.span for m in order.mentions] + [n.span for n in order.names]
    places += [p.span for p in parts if p.does(*_VERBS) and not p.slip]
    first, last = min(p[0] for p in places) if places else span[1], max(p[1] for p in places) if places else span[0]
    mine = [n.span for m in order.mentions for n in (m, *m.others)]
    found = []
    for run in free_runs(message, span):
        position = (run[0].span[0], run[-1].span[1])
        if any(start < position[1] and position[0] < end for start, end in mine) or any(
            p.text[:1].isupper() and p.ordinary for p in run
        ):
            continue
        if message.text[: position[0]].split()[-1:] and is_whose(message.text[: position[0]].split()[-1]):
            continue
        if first <= position[0] < last or (
            position[1] <= first and not order.verbs and not order.signs & {"want", "now"}
        ):
            found.append(message.text[slice(*position)])
    return found
