"""A new or completed request: each order's bookings are found, then all calls are made together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from language.extraction import Assertion, Mention, MentionKind
from language.messages.nouns import things_of
from language.requests.booking_names import means_all
from offline_planner.bookings.booking_search import AmbiguousBookingError, BookingFinder, LookUpNeeded, fits, narrow
from offline_planner.brief import Row, summary_of
from offline_planner.chat import ChatState
from offline_planner.clarity import cancels, check
from offline_planner.message import ParsedMessage, parse_message
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.mentions import BookingMention
from offline_planner.orders.order import WHEN, Order
from offline_planner.orders.order_parser import orders_of
from offline_planner.orders.slots import own_tool
from offline_planner.orders.values import Moment
from offline_planner.protocol import Call
from offline_planner.tool_calls import calls_for, joined, missing_of, row_for


def planned(
    orders: list[Order],
    message: ParsedMessage,
    chat: ChatState,
    finder: BookingFinder,
    expected: MentionKind | None,
    follows: bool = False,
) -> list[Call]:
    """Return the calls of all orders, [] where nothing is asked for. Raises `UnclearError`, and as `BookingFinder`."""
    meant = [o for o in orders if _asks_something(o, finder)]
    if not meant:
        return _nothing(orders)
    rest = [o for o in orders if o not in meant and o.mentions and (o.verbs or any(m.code for m in o.mentions))]
    if rest:
        raise UnclearError(missing_of(rest[0]) or "what", rest[0].text)
    for order in meant:
        if own_tool(order.text, finder.toolbox) is None:
            check(order, message, chat.brief.locale, follows)
        if not order.filled and own_tool(order.text, finder.toolbox) is None:
            if order.mentions:
                bookings_of(order, message, chat, finder)  # Which booking is asked before what to change.
            raise UnclearError(missing_of(order) or "what", order.text)
        if order.note == "":
            raise UnclearError("note", order.text)
    calls: list[Call] = []
    needed: list[Call] = []
    for index, order in enumerate(meant):
        before = meant[index - 1] if index else None
        try:
            for row in bookings_of(order, message, chat, finder):
                fresh = row_for(order, row, finder)
                _nothing_lost(order, fresh)
                calls += calls_for(
                    order, message.text, fresh, chat.brief, finder.toolbox, Moment(), expected or _kind_before(before)
                )
        except LookUpNeeded as look_ups:
            needed += [c for c in look_ups.calls if c not in needed]
    if needed:
        raise LookUpNeeded(needed)
    return joined(calls, finder.toolbox)


def _nothing_lost(order: Order, row: Row) -> None:
    """Raise `UnclearError` for a stated value that is neither set nor the booking's own."""
    kinds = {c.kind for c in order.claims}
    spans = [c for c in order.former if c.kind is MentionKind.TIME and c.is_current and c.assertion is Assertion.PAST]
    if spans and not order.verbs and not any(fits(row, [c]) for c in spans) and MentionKind.TIME in kinds:
        raise UnclearError("range", spans[0].text)
    gone = [
        c
        for c in order.former
        if c.kind in (MentionKind.COUNT, MentionKind.EMAIL, MentionKind.PHONE) and c.assertion is not Assertion.REPORTED
    ]
    lost = [
        c
        for c in gone
        if not kinds & {c.kind, MentionKind.NUMBER} and not (c.count and c.count.amount == row.guest_count)
    ]
    if lost:
        raise UnclearError("unclear", lost[0].text)
    if kinds & {MentionKind.SHIFT, *WHEN}:
        return
    for mention in order.former:
        stated = mention.kind in WHEN and mention.assertion in (Assertion.ASSERTED, Assertion.PAST, Assertion.NEGATED)
        if stated and not fits(row, [replace(mention, assertion=Assertion.PAST)]):
            raise UnclearError("unclear", mention.text)


def _kind_before(order: Order | None) -> MentionKind | None:
    """Return the kind of number that the order before sets: "8231 to 12 guests and 8232 to 15"."""
    kinds = {c.kind for c in order.claims} & {MentionKind.COUNT, MentionKind.TIME} if order else set()
    return kinds.pop() if len(kinds) == 1 else None


def _asks_something(order: Order, finder: BookingFinder) -> bool:
    if own_tool(order.text, finder.toolbox) is not None:
        return True
    if order.filled:
        return True
    return bool(missing_of(order)) and bool(order.verbs)


def _nothing(orders: list[Order]) -> list[Call]:
    """Return [] for orders without a value and a verb. Raises `UnclearError` for a remark about a booking."""
    about = [o for o in orders if o.mentions and any(m.code or m.sure for m in o.mentions)]
    signs = {s for o in orders for s in o.signs}
    topics = {t for o in orders for t in o.topics}
    denied = any(o.denied for o in orders)
    if about or denied or signs & {"pronoun", "absent", "vague", "event", "booking"} or topics - {"day", "time"}:
        raise UnclearError("what", "")
    return []


def bookings_of(order: Order, message: ParsedMessage, chat: ChatState, finder: BookingFinder) -> list[Row]:
    """Return the bookings of an order. Raises `AmbiguousBookingError`, `LookUpNeeded`."""
    items = (Assertion.ASSERTED, Assertion.PAST, *((Assertion.NEGATED,) if cancels(order) else ()))
    mine = [c for c in order.former if c.kind in WHEN and c.assertion in items]
    marks = [replace(c, assertion=Assertion.PAST) if c.assertion is Assertion.NEGATED else c for c in mine]
    if not order.mentions:
        which = order.signs & {"booking", "event"} or len({c.kind for c in marks}) > 1
        if any(c.kind is MentionKind.DAY for c in marks) and which:
            order.former = [c for c in order.former if c not in mine]
            return [_by_day(order, marks, message, finder)]
        try:
            spoken = chat.spoken_of()
        except AmbiguousBookingError:
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
        except AmbiguousBookingError as which:
            if not (every := _all_of(which.rows, message, chat)):
                raise
            rows += every
        except LookUpNeeded as look_ups:
            needed += look_ups.calls
    if needed:
        raise LookUpNeeded(needed)
    return rows


def _all_of(rows: Sequence[Row], message: ParsedMessage, chat: ChatState) -> list[Row]:
    """Return the upcoming bookings if the words ask for all of them: "both Petrov parties"; [] otherwise."""
    now = chat.brief.now.strftime("%Y-%m-%d %H:%M")
    ahead = [row for row in rows if f"{row.date} {row.start_time}" >= now]
    listed, things = [summary_of(row) for row in ahead], things_of(chat.brief.words, chat.brief.locale)
    asked = any(means_all(text, listed, chat.brief.locale, tuple(things)) for text in (chat.last, message.text))
    return ahead if asked else []


def _by_day(order: Order, marks: list[Mention], message: ParsedMessage, finder: BookingFinder) -> Row:
    """Return the booking on a day, distinguished by its kind from others there: "the birthday on the 28th"."""
    try:
        return finder.settle(BookingMention((0, 0)), marks)
    except AmbiguousBookingError as which:
        kinds = tuple(p.text for p in message.parts if p.does("event"))
        fit = narrow(which.rows, BookingMention((0, 0), title=kinds)) if kinds and which.rows else []
        if len(fit) == 1:
            return fit[0]
        raise


def _named_in_note(order: Order, chat: ChatState) -> BookingMention | None:
    """Return the booking that the note names: "Note that the Park party is bringing a cake"."""
    inside = orders_of(parse_message(order.note, chat.brief), chat.brief.locale) if order.note else []
    return next((m for o in inside for m in o.mentions), None)


def _one(mention: BookingMention, order: Order, marks: list[Mention], chat: ChatState, finder: BookingFinder) -> Row:
    days = [c for c in order.claims if c.kind in WHEN and not c.is_target]
    others = [c for c in order.claims if c.kind not in WHEN]
    try:
        row = finder.settle(mention, marks)
    except AmbiguousBookingError as which:
        fit = [r for r in which.rows if days and fits(r, days)]
        if (others or cancels(order)) and len(fit) == 1:
            _marks_only(order, [c for c in days if c.kind is MentionKind.DAY])
            return fit[0]
        gone = {c.text for c in order.former if c.kind is MentionKind.NUMBER}
        gone |= {str(c.count.previous) for c in order.claims if c.count is not None and c.count.previous}
        fit = [r for r in which.rows if str(r.guest_count) in gone]
        if len(fit) == 1:
            return fit[0]
        marks_it = [c for c in days if c.kind is MentionKind.DAY]
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
        raise AmbiguousBookingError(mention.text, (row,))
    return row


def _marks_only(order: Order, days: list[Mention]) -> None:
    """Turn a day that identifies one booking found into a mark: "Okafor league on the 3rd, start it at 6.30"."""
    order.former += [replace(c, assertion=Assertion.PAST) for c in days]
    order.claims = [c for c in order.claims if c not in days]


def _days_asked(chat: ChatState, order: Order) -> list[Mention]:
    """Return the day that the message before asks about, or that "that day" means."""
    for message, orders in chat.earlier[:1]:
        if (message.asks and not message.orders) or "same_day" in order.signs:
            days = [c for o in orders for c in (*o.claims, *o.former) if c.kind is MentionKind.DAY and c.values]
            return days[:1]
    return []
