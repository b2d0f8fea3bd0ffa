"""A message as orders: bookings, verbs, values. A clause without a booking goes on with the last one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

from language.requests import Part, data_of
from language.resolution import Span
from reasoning.evidence import Claim, Kind, Standing
from sandbox.model.joining import CONTACTS, go_on
from sandbox.model.mentions import Mention, free_runs, is_whose, mentions_in
from sandbox.model.order import WHEN, Order
from sandbox.model.said import Said

_VALUES = frozenset({Kind.DAY, Kind.TIME, Kind.SHIFT, Kind.COUNT, Kind.NUMBER, Kind.EMAIL, Kind.PHONE})
_STOP = re.compile(r"[.;!?…]+(?=\s|$)|,(?=\s|$)|(?<=\s)[-–—]+(?=\s)|:(?=\s|$)")
_VERBS = ("move", "cancel", "change", "resize", "add", "rename")
_TOPICS = ("phone", "email", "surname", "first", "name", "contact", "count", "time", "day", "note")
_BESIDE = 3


def orders_of(said: Said, locale: str) -> list[Order]:
    """The orders of a message, in the order spoken."""
    orders: list[Order] = []
    spans = list(_segments(said, locale))
    corrects, corrected = data_of(locale).CORRECTS, False
    for span, joined in spans:
        clause = _clause(said, span, locale, alone=len(spans) == 1)
        go_on(orders, clause, "correct" if corrected and clause.mentions else joined, locale)
        corrected = (
            not clause.mentions and not clause.filled and re.search(corrects, clause.text, re.IGNORECASE) is not None
        )
    return orders


def _segments(said: Said, locale: str) -> Iterator[tuple[Span, str]]:
    """Where each clause stands, with what joins it to the one before; reasons are left out."""
    data = data_of(locale)
    edges = [m.span() for m in _STOP.finditer(said.text)]
    edges += [m.span() for m in re.finditer(data.CONNECT, said.text, re.IGNORECASE)]
    held = [c.span for c in said.claims] + [n.span for n in said.names]
    edges += _between_codes(said)
    edges = sorted(e for e in edges if not any(start < e[1] and e[0] < end for start, end in held))
    start, joined = 0, ""
    for edge in [*edges, (len(said.text), len(said.text))]:
        reason = re.search(data.BECAUSE, said.text[start : edge[0]], re.IGNORECASE)
        end = start + reason.start() if reason and start + reason.start() > start else edge[0]
        behind = [c.span[0] for c in said.claims if c.stands] + [c.span[0] for c in said.codes]
        keeps = reason is not None and any(start + reason.end() <= place < edge[0] for place in behind)
        end = edge[0] if keeps else end
        if said.text[start:end].strip() or _notes(said, (start, end)):
            yield (start, end), joined
        joined = said.text[slice(*edge)].strip().lower()
        start = edge[1]


def _between_codes(said: Said) -> Iterator[Span]:
    """ "Cancel 1180 move 1181 to 2pm": a verb between two references begins anew."""
    for left, right in zip(said.codes, said.codes[1:], strict=False):
        verb = next(
            (p for p in said.parts if left.span[1] <= p.span[0] < right.span[0] and p.does("move", "cancel", "change")),
            None,
        )
        if verb is not None:
            yield verb.span[0], verb.span[0]


def _notes(said: Said, span: Span) -> bool:
    return said.note is not None and span[0] <= said.note_at <= span[1]


def _clause(said: Said, span: Span, locale: str, alone: bool) -> Order:
    """One stretch of words by itself."""
    data = data_of(locale)
    parts = [p for p in said.parts if span[0] <= p.span[0] and p.span[1] <= span[1] and not _in_contact(said, p)]
    order = Order(text=said.text[slice(*span)].strip())
    if order.text and re.search(data.MONEY, order.text, re.IGNORECASE):
        order.foreign.append(order.text)
    order.note = said.note if _notes(said, span) else None
    order.names = [n for n in said.names if span[0] <= n.span[0] < span[1]]
    claims = [c for c in said.claims if span[0] <= c.span[0] < span[1] and c.kind in _VALUES]
    order.mentions = mentions_in(said, span, alone, data.CLITICS, data.GENERIC)
    named = [p for m in order.mentions if m.words for p in parts if m.span[0] <= p.span[0] and p.span[1] <= m.span[1]]
    for part in parts:
        if part in named or (
            (claim := said.covers(part.span)) is not None and claim.kind in WHEN and part.text.lower() not in ("now",)
        ):
            continue
        if part.ordinary and not part.senses and part.text.isalpha() and said.covers(part.span) is None:
            order.plain.append(part.text)
            if _is_wished(said, part, parts):
                order.strange.append(part.text)
        if part.does("shift") and said.covers(part.span) is None:
            order.vague.append(part.text)
        _sort_in(order, part, _denied(said.text, span, part, data))
    _share(said, order, [_dated(said, c, order, data.ON_THE) for c in claims], data, span)
    order.foreign += _foreign(order, [p for p in parts if p not in named])
    named_by = [m.span for m in order.mentions]
    for start, end in said.unread:
        if span[0] <= start < span[1] and not any(a <= start < b for a, b in named_by):
            order.strange.append(said.text[start:end])
    order.vague = order.vague if order.claims or not order.signs & {"state", "report"} else []
    order.strange += _strange(said, span, order, parts)
    if re.search(data.CANCELS, order.text, re.IGNORECASE):
        order.verbs = {"cancel"}
    if "cancel" in order.verbs and any(_takes_off(c, order, said) for c in order.claims):
        order.verbs = order.verbs - {"cancel"} | {"resize"}
    return order


def _takes_off(claim: Claim, order: Order, said: Said) -> bool:
    """ "Cancel two of the kids", but "cancel Rossi, kid is sick" says why."""
    if claim.count is None or not claim.count.is_relative:
        return False
    reason = not re.search(r"\d|\bone\b|\bun[oa]?\b", said.text[max(0, claim.span[0] - 4) : claim.span[1]], re.I)
    return not (reason and any(m.span[1] <= claim.span[0] for m in order.mentions))


def _denied(text: str, span: Span, part: Part, data: ModuleType) -> bool:
    """Whether a no stands in front of a word. "Can" only allows, but "can start at four instead" asks."""
    match = re.search(data.NEGATES, text[span[0] : part.span[0]], re.IGNORECASE)
    if match is None:
        return False
    allowed = match.group().strip().lower() in ("can", "may", "might", "could")
    return not (allowed and re.search(r"\b(?:instead|now)\b", text[part.span[1] : span[1]], re.IGNORECASE))


def _foreign(order: Order, parts: list[Part]) -> list[str]:
    """What no tool of ours does, where the clause asks for it: by its first word, behind a verb of ours or a wish, or
    with nothing else said. "They're fixing the aircon" asks for nothing."""
    if order.note:
        return []
    heads = [p for p in parts if not p.does("polite") and (not p.does("function", "pronoun") or p.does(*_VERBS))]
    asked = bool(order.verbs or order.denied) or "want" in order.signs or not order.filled
    tells = bool(order.signs & {"state", "report"}) and not order.verbs
    return [p.text for p in parts if p.does("foreign") and (p is heads[0] or (asked and not tells))] if heads else []


def _is_wished(said: Said, part: Part, parts: list[Part]) -> bool:
    """ "Wants to be picked up at 3pm": an ordinary word between the wish and its value is what is wished."""
    wishes = [p for p in parts if p.does("want") and p.span[1] <= part.span[0]]
    behind = any(c.span[0] >= part.span[1] for c in said.claims)
    return bool(wishes) and behind and not any(p.does(*_VERBS) for p in parts)


def _in_contact(said: Said, part: Part) -> bool:
    claim = said.covers(part.span)
    return claim is not None and claim.kind in CONTACTS


def _sort_in(order: Order, part: Part, negated: bool) -> None:
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


def _share(said: Said, order: Order, claims: list[Claim], data: ModuleType, span: Span) -> None:
    """Claims are values to set, what gave way, or marks of the booking: "the party on the 3rd", "the 2pm one"."""
    remark = "report" in order.signs and not order.verbs and not order.signs & {"want", "now"} and not said.orders
    for claim in claims:
        if claim.kind in WHEN and re.search(data.OFF, said.text[span[0] : claim.span[0]], re.IGNORECASE):
            order.strange.append(said.text[max(span[0], claim.span[0] - 8) : claim.span[1]].strip())
        if claim.kind in WHEN and order.signs & {"absent", "refuse"} and not order.verbs and "want" not in order.signs:
            order.former.append(replace(claim, standing=Standing.NEGATED))
            continue
        if remark and claim.count is not None and claim.count.is_relative:
            continue
        if claim.standing is Standing.REPORTED and not claim.doubtful and _orders_before(said, order, claim):
            order.claims.append(claim)
        elif re.search(data.INSTEAD_OF, said.text[span[0] : claim.span[0]] + _preposition(claim), re.IGNORECASE):
            order.former.append(replace(claim, standing=Standing.FORMER))
        elif claim.standing is Standing.FORMER and _is_target(said, claim, claims, data.TARGET):
            order.claims.append(replace(claim, standing=Standing.SAID))
        elif claim.standing is not Standing.SAID:
            order.former.append(claim)
        elif claim.kind in CONTACTS and _names_booking(said, order, claim):
            order.mentions.append(Mention(claim.span, words=claim.text))
        elif claim.kind in WHEN and not claim.to and _marks(said, order, claim, claims, data.OF, span):
            order.former.append(claim)
        else:
            order.claims.append(claim)


def _preposition(claim: Claim) -> str:
    """The small word that a claim begins with: "delle 15"."""
    first = re.match(r"(?:d[a-z]+|of)\s", claim.text, re.IGNORECASE)
    return first.group() if first else ""


def _is_target(said: Said, claim: Claim, claims: list[Claim], target: str) -> bool:
    """ "8231 to 12 guests and 8232 to 15": no step from 12 to 15, where a clause has but one of them."""
    alone = not any(c is not claim and (c.kind is claim.kind or Kind.NUMBER in (c.kind, claim.kind)) for c in claims)
    before = said.text[: claim.span[0]]
    denied = re.search(r"\b(?:not|non)\s+(?:\w+\s+)?$", before, re.IGNORECASE) is not None
    corrected = re.match(
        r"\s*,?\s*(?:no|anzi|sorry|actually|wait|scusa|cioè)\b", said.text[claim.span[1] :], re.IGNORECASE
    )
    return alone and not denied and corrected is None and re.search(target, before, re.IGNORECASE) is not None


def _dated(said: Said, claim: Claim, order: Order, on_the: str) -> Claim:
    """ "The Fairweathers of the 17th" with a bare number: a day of some month, as a mark."""
    near = claim.kind is Kind.NUMBER and claim.values and 0 < int(claim.values[0]) < 32
    if not near or not order.mentions or not re.search(on_the, said.text[: claim.span[0]], re.IGNORECASE):
        return claim
    gap = said.text[order.mentions[-1].span[1] : claim.span[0]]
    if len(gap.split()) > 3:
        return claim
    return replace(
        claim, kind=Kind.DAY, standing=Standing.FORMER, values=tuple(f"-{int(claim.values[0]):02}" for _ in (0,))
    )


def _orders_before(said: Said, order: Order, claim: Claim) -> bool:
    return said.orders or bool(order.verbs & {"move", "change", "resize"}) or "want" in order.signs


def _names_booking(said: Said, order: Order, claim: Claim) -> bool:
    """ "The booking under 0412 345 678": a contact detail that tells whose booking it is."""
    before = said.text[: claim.span[0]].rstrip()
    linked = (
        re.search(r"(?:\b(?:under|for|of|from|booking|di|del|per|prenotazione)|^)$", before, re.IGNORECASE) is not None
    )
    alone = said.text.strip(" .!?") == claim.text.strip(" .!?")
    return linked and not alone and not order.mentions and not order.topics & {"phone", "email", "contact"}


def _marks(said: Said, order: Order, claim: Claim, claims: list[Claim], of: str, span: Span) -> bool:
    """Whether a day or an hour right behind a booking tells which one it is: more must follow."""
    before = said.text[span[0] : claim.span[0]]
    others = "move" not in order.verbs and any(c.kind not in WHEN for c in claims)
    in_front = any(m.words and 0 <= m.span[0] - claim.span[1] < _BESIDE for m in order.mentions)
    if claim.kind is Kind.DAY and others and in_front:
        return True
    if any(p.does("keep") and p.span[1] <= claim.span[0] for p in said.parts if p.span[0] >= span[0]):
        return True
    if "cancel" in order.verbs or "cancelled" in order.signs:
        return True
    nouns = [p.span for p in said.parts if p.does("booking", "event") and p.span[0] >= span[0]]
    ends = [m.span[1] for m in order.mentions] + [end for _, end in nouns]
    edge = max((end for end in ends if end <= claim.span[0]), default=None)
    if edge is None or len(said.text[edge : claim.span[0]].split()) > 2:
        return False
    between = [p for p in said.parts if edge <= p.span[0] and p.span[1] <= claim.span[0]]
    if any(p.does("state", "want", "now", *_VERBS) for p in between):
        return False
    behind = [c for c in claims if c.span[0] >= claim.span[1] and c.stands]
    if any(c.kind is Kind.SHIFT for c in behind) and claim.kind is Kind.DAY:
        return True
    close = not said.text[edge : claim.span[0]].strip()
    if close and claim.kind is Kind.DAY and any(c.kind is Kind.TIME and c.to for c in behind):
        return True
    beside = close and any(c.kind not in WHEN for c in behind)
    linked = beside or re.search(of, before, re.IGNORECASE) is not None
    if linked and claim.kind is Kind.DAY and edge in [end for _, end in nouns] and _others_only(order, claims):
        return True
    after = [p for p in said.parts if claim.span[1] <= p.span[0] < span[1]]
    acts = any(p.does("want", "move", "change", "cancelled", "state") for p in after)
    return linked and (acts or (bool(behind) and any(p.does("now") for p in after)))


def _others_only(order: Order, claims: list[Claim]) -> bool:
    """Whether what a clause sets is no day and no hour: "use it for her booking on the ninth"."""
    contacts = any(c.kind in CONTACTS for c in claims) or bool(order.topics & {"email", "phone"})
    return (contacts or order.note is not None) and "move" not in order.verbs


def _strange(said: Said, span: Span, order: Order, parts: list[Part]) -> list[str]:
    """Runs of unknown words between the values, the verb and the booking of a clause; before and behind is chatter."""
    if not order.claims and not order.names:
        return []
    places = [c.span for c in order.claims] + [m.span for m in order.mentions] + [n.span for n in order.names]
    places += [p.span for p in parts if p.does(*_VERBS) and not p.slip]
    first, last = min(p[0] for p in places) if places else span[1], max(p[1] for p in places) if places else span[0]
    mine = [n.span for m in order.mentions for n in (m, *m.others)]
    found = []
    for run in free_runs(said, span):
        place = (run[0].span[0], run[-1].span[1])
        if any(start < place[1] and place[0] < end for start, end in mine) or any(
            p.text[:1].isupper() and p.ordinary for p in run
        ):
            continue
        if said.text[: place[0]].split()[-1:] and is_whose(said.text[: place[0]].split()[-1]):
            continue
        if first <= place[0] < last or (place[1] <= first and not order.verbs and not order.signs & {"want", "now"}):
            found.append(said.text[slice(*place)])
    return found
