"""A fresh or completed request: each order's bookings are found, then all calls are made together."""

from __future__ import annotations

from dataclasses import replace

from reasoning.evidence import Claim, Kind, Standing
from sandbox.model.bookings import Finder, LookUpNeeded, WhichOneError, fits, narrow
from sandbox.model.clear import cancels, check
from sandbox.model.drafting import calls_for, joined, missing_of, row_for
from sandbox.model.mentions import Mention
from sandbox.model.open_request import Chat
from sandbox.model.order import WHEN, Order
from sandbox.model.orders import orders_of
from sandbox.model.prompt import Row
from sandbox.model.protocol import Call
from sandbox.model.said import Said, read_said
from sandbox.model.slots import own_tool
from sandbox.model.values import Moment, UnclearError


def planned(
    orders: list[Order], said: Said, chat: Chat, finder: Finder, expected: Kind | None, follows: bool = False
) -> list[Call]:
    """The calls of all orders; [] where nothing is asked for. Raises as `Finder` does, and `UnclearError`."""
    meant = [o for o in orders if _asks_something(o, finder)]
    if not meant:
        return _nothing(orders)
    rest = [o for o in orders if o not in meant and o.mentions and (o.verbs or any(m.code for m in o.mentions))]
    if rest:
        raise UnclearError(missing_of(rest[0]) or "what", rest[0].text)
    for order in meant:
        if own_tool(order.text, finder.toolbox) is None:
            check(order, said, chat.brief.locale, follows)
        if not order.filled and own_tool(order.text, finder.toolbox) is None:
            if order.mentions:
                bookings_of(order, said, chat, finder)  # Which booking comes before what to change it to.
            raise UnclearError(missing_of(order) or "what", order.text)
        if order.note == "":
            raise UnclearError("note", order.text)
    calls: list[Call] = []
    needed: list[Call] = []
    for place, order in enumerate(meant):
        before = meant[place - 1] if place else None
        try:
            for row in bookings_of(order, said, chat, finder):
                fresh = row_for(order, row, finder)
                _nothing_lost(order, fresh)
                calls += calls_for(
                    order, said.text, fresh, chat.brief, finder.toolbox, Moment(), expected or _kind_before(before)
                )
        except LookUpNeeded as look_ups:
            needed += [c for c in look_ups.calls if c not in needed]
    if needed:
        raise LookUpNeeded(needed)
    return joined(calls, finder.toolbox)


def _nothing_lost(order: Order, row: Row) -> None:
    """A day or an hour that is neither set nor the booking's own is asked about. Raises `UnclearError`."""
    kinds = {c.kind for c in order.claims}
    spans = [c for c in order.former if c.kind is Kind.TIME and c.of and c.standing is Standing.FORMER]
    if spans and not order.verbs and not any(fits(row, [c]) for c in spans) and Kind.TIME in kinds:
        raise UnclearError("range", spans[0].text)
    gone = [
        c
        for c in order.former
        if c.kind in (Kind.COUNT, Kind.EMAIL, Kind.PHONE) and c.standing is not Standing.REPORTED
    ]
    lost = [
        c for c in gone if not kinds & {c.kind, Kind.NUMBER} and not (c.count and c.count.amount == row.guest_count)
    ]
    if lost:
        raise UnclearError("unclear", lost[0].text)
    if kinds & {Kind.SHIFT, *WHEN}:
        return
    for claim in order.former:
        told = claim.kind in WHEN and claim.standing in (Standing.SAID, Standing.FORMER, Standing.NEGATED)
        if told and not fits(row, [replace(claim, standing=Standing.FORMER)]):
            raise UnclearError("unclear", claim.text)


def _kind_before(order: Order | None) -> Kind | None:
    """The kind of number that the order before set: "8231 to 12 guests and 8232 to 15"."""
    kinds = {c.kind for c in order.claims} & {Kind.COUNT, Kind.TIME} if order else set()
    return kinds.pop() if len(kinds) == 1 else None


def _asks_something(order: Order, finder: Finder) -> bool:
    if own_tool(order.text, finder.toolbox) is not None:
        return True
    if order.filled:
        return True
    return bool(missing_of(order)) and bool(order.verbs)


def _nothing(orders: list[Order]) -> list[Call]:
    """No value and no verb: a remark about a booking is asked about, all else is none of ours."""
    about = [o for o in orders if o.mentions and any(m.code or m.sure for m in o.mentions)]
    signs = {s for o in orders for s in o.signs}
    topics = {t for o in orders for t in o.topics}
    denied = any(o.denied for o in orders)
    if about or denied or signs & {"pronoun", "absent", "vague", "event", "booking"} or topics - {"day", "time"}:
        raise UnclearError("what", "")
    return []


def bookings_of(order: Order, said: Said, chat: Chat, finder: Finder) -> list[Row]:
    """The bookings of an order. Raises `WhichOneError`."""
    told = (Standing.SAID, Standing.FORMER, *((Standing.NEGATED,) if cancels(order) else ()))
    mine = [c for c in order.former if c.kind in WHEN and c.standing in told]
    marks = [replace(c, standing=Standing.FORMER) if c.standing is Standing.NEGATED else c for c in mine]
    if not order.mentions:
        which = order.signs & {"booking", "event"} or len({c.kind for c in marks}) > 1
        if any(c.kind is Kind.DAY for c in marks) and which:
            order.former = [c for c in order.former if c not in mine]
            return [_by_day(order, marks, said, finder)]
        try:
            spoken = chat.spoken_of()
        except WhichOneError:
            named = _named_in_note(order, chat)
            if named is None:
                raise
            spoken = named
        return [spoken if isinstance(spoken, Row) else finder.settle(spoken)]
    rows: list[Row] = []
    needed: list[Call] = []
    for mention in order.mentions:
        try:
            rows.append(_one(mention, order, mention.whens or marks, chat, finder))
        except LookUpNeeded as look_ups:
            needed += look_ups.calls
    if needed:
        raise LookUpNeeded(needed)
    return rows


def _by_day(order: Order, marks: list[Claim], said: Said, finder: Finder) -> Row:
    """The booking on a day, told from others there by what kind it is: "the birthday on the 28th"."""
    try:
        return finder.settle(Mention((0, 0)), marks)
    except WhichOneError as which:
        kinds = tuple(p.text for p in said.parts if p.does("event"))
        fit = narrow(which.rows, Mention((0, 0), title=kinds)) if kinds and which.rows else []
        if len(fit) == 1:
            return fit[0]
        raise


def _named_in_note(order: Order, chat: Chat) -> Mention | None:
    """ "Note that the Park party is bringing a cake"."""
    inside = orders_of(read_said(order.note, chat.brief), chat.brief.locale) if order.note else []
    return next((m for o in inside for m in o.mentions), None)


def _one(mention: Mention, order: Order, marks: list[Claim], chat: Chat, finder: Finder) -> Row:
    days = [c for c in order.claims if c.kind in WHEN and not c.to]
    others = [c for c in order.claims if c.kind not in WHEN]
    try:
        row = finder.settle(mention, marks)
    except WhichOneError as which:
        fit = [r for r in which.rows if days and fits(r, days)]
        if (others or cancels(order)) and len(fit) == 1:
            _marks_only(order, [c for c in days if c.kind is Kind.DAY])
            return fit[0]
        gone = {c.text for c in order.former if c.kind is Kind.NUMBER}
        gone |= {str(c.count.previous) for c in order.claims if c.count is not None and c.count.previous}
        fit = [r for r in which.rows if str(r.guest_count) in gone]
        if len(fit) == 1:
            return fit[0]
        marks_it = [c for c in days if c.kind is Kind.DAY]
        fit = [r for r in which.rows if marks_it and fits(r, marks_it)]
        if len(fit) == 1 and len(order.claims) > len(marks_it):
            _marks_only(order, marks_it)
            return fit[0]
        asked = _days_asked(chat, order)
        fit = [r for r in which.rows if asked and fits(r, asked)]
        if len(fit) == 1:
            return fit[0]
        raise
    if cancels(order) and marks and not fits(row, marks):
        raise WhichOneError(mention.said, (row,))
    return row


def _marks_only(order: Order, days: list[Claim]) -> None:
    """ "Okafor league on the 3rd, start it at 6.30": a day on which one of those found is tells which."""
    order.former += [replace(c, standing=Standing.FORMER) for c in days]
    order.claims = [c for c in order.claims if c not in days]


def _days_asked(chat: Chat, order: Order) -> list[Claim]:
    """The day that the message before asked about, or that "that day" is."""
    for said, orders in chat.earlier[:1]:
        if (said.asks and not said.orders) or "same_day" in order.signs:
            days = [c for o in orders for c in (*o.claims, *o.former) if c.kind is Kind.DAY and c.values]
            return days[:1]
    return []
