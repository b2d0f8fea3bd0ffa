"""Changes to a pending plan: another value, more, less, or another booking. All its steps are called again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time

from contracts.enums import ParameterRole as Role
from language.contacts.contacts import spoken_phones
from language.extraction import Assertion, Mention, MentionKind
from language.locales import alternatives
from language.numbers.numbers import OTHER, nearer_to_step
from language.requests.parts import request_words
from language.text.normalize import normalize_text, tokenize
from offline_planner.bookings.booking_search import AmbiguousBookingError, BookingFinder, fits, matches
from offline_planner.brief import BriefStep, Row
from offline_planner.chat import ChatState
from offline_planner.clarity import cancels, check
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.follow_ups import completed
from offline_planner.orders.mentions import BookingMention
from offline_planner.orders.order import WHEN, Order
from offline_planner.orders.removals import without_dropped
from offline_planner.orders.requests import bookings_of, planned
from offline_planner.orders.values import Moment
from offline_planner.protocol import Call
from offline_planner.tool_calls import calls_for, joined

_OLD = re.compile(rf"\b(?:{alternatives('planner_follow_ups', 'NOT')})\b|,")


def amended(chat: ChatState, finder: BookingFinder) -> list[Call] | None:
    """Return the pending steps with the change made; None where the message is a separate request. Raises
    `UnclearError`, `AmbiguousBookingError`, `LookUpNeeded`."""
    data, message = request_words(chat.brief.locale), chat.now
    if (tail := _new_tail(chat, finder)) is not None:
        return tail
    mentions = [m for o in chat.orders for m in o.mentions]
    if re.search(data.WRONG_ONE, message.text, re.I) and not mentions:
        raise AmbiguousBookingError("", (Row(""),))
    meant = re.search(data.MEANT, message.text, re.I) or re.search(data.CORRECTS, message.text, re.I)
    asked = chat.open_since < len(chat.texts) - 1 and re.search(data.WRONG_ONE, chat.texts[-2], re.I)
    filled = any(o.filled for o in chat.orders)
    if mentions and not filled and re.search(data.SAME_FOR, message.text, re.I):
        return _same_for(mentions, chat, finder)
    if (meant or asked) and mentions and not filled:
        # "Wrong hamish, I meant buckley": the name behind "I meant" is the one.
        behind = [m for m in mentions if meant is not None and m.span[0] >= meant.end()]
        return _retargeted((behind or mentions)[0], chat, finder)
    if meant and not mentions and (row := _of_that_day(chat, finder)) is not None:
        return _retargeted(BookingMention((0, 0), code=row.booking_id), chat, finder)
    if re.fullmatch(data.BARE_CANCEL, " ".join(re.findall(r"[^\W_]+", normalize_text(message.text)))):
        raise UnclearError("cancel_what", message.text)
    kept = without_dropped(chat, finder.toolbox)
    if kept is not None:
        steps, rest = kept
        left = [Call(s.tool, dict(s.arguments)) for s in steps]
        more = replace(chat, texts=(*chat.texts[:-1], rest))
        if any(o.filled for o in more.orders):
            return _changed(left, more.orders, more, finder, denies=False)
        if not left:
            raise UnclearError("all_dropped", "")
        return left
    orders = chat.orders
    if not any(o.filled for o in orders):
        orders, _, _ = completed(chat, finder)
        if orders is chat.orders:
            return None
    if any(o.foreign for o in orders):
        return None
    answers = chat.open_since < len(chat.texts) - 1
    denies = not answers and re.search(data.DENY, message.text, re.I) and not re.search(data.ADDS, message.text, re.I)
    return _changed([Call(s.tool, dict(s.arguments)) for s in chat.brief.pending], orders, chat, finder, bool(denies))


def _changed(
    calls: list[Call], orders: list[Order], chat: ChatState, finder: BookingFinder, denies: bool
) -> list[Call] | None:
    """Return the calls with each order applied; None where the orders are about other bookings."""
    expected = _expected(calls, finder)
    filled = [o for o in orders if o.filled]
    for order in filled:
        check(order, chat.now, chat.brief.locale, follows=True)
    rows = [row for order in filled for row in _rows(order, calls, chat, finder)]
    if any(o.mentions for o in filled) and not _of_pending(rows, calls, finder) and not _adds(chat):
        return None
    ender = finder.toolbox.ender
    if ender is not None and any("cancel" in o.denied for o in orders):
        calls = [c for c in calls if c.name != ender.name]
    for amended in filled:
        for row in _rows(amended, calls, chat, finder):
            order = _stepped_again(amended, chat, calls, row, finder)
            fresh = finder.fresh(row) if _steps_from_booking(order, chat) or not row.date else row
            current = _as_pending(fresh, calls, order, chat, finder)
            base = Moment() if _steps_from_booking(order, chat) else _moment(row, calls, finder)
            made = calls_for(order, chat.now.text, current, chat.brief, finder.toolbox, base, expected)
            if cancels(order):
                return made
            calls = _worked_in(calls, made, denies, finder)
    return joined(calls, finder.toolbox)


def _worked_in(calls: list[Call], made: list[Call], denies: bool, finder: BookingFinder) -> list[Call]:
    """Return the pending calls with new ones merged in; after a "no", another kind of change replaces them."""
    keys = {_key(c, finder) for c in calls}
    if denies and not any(_key(c, finder) in keys for c in made):
        return made
    out = list(calls)
    for call in made:
        same = next((n for n, c in enumerate(out) if _key(c, finder) == _key(call, finder)), None)
        if same is None:
            out.append(call)
        else:
            out[same] = Call(call.name, {**out[same].arguments, **call.arguments})
    return out


def _key(call: Call, finder: BookingFinder) -> tuple[str, str]:
    return call.name, _booking(call.name, call.arguments, finder)


def _booking(name: str, arguments: dict[str, object], finder: BookingFinder) -> str:
    tool = finder.toolbox.get(name)
    spot = tool.with_role(Role.BOOKING) if tool else None
    return str(arguments.get(spot.name, "")) if spot is not None else ""


def _rows(order: Order, calls: Sequence[Call], chat: ChatState, finder: BookingFinder) -> list[Row]:
    """Return the bookings of an order: those of the plan where it names none."""
    pending = list(
        dict.fromkeys(_booking(c.name, c.arguments, finder) for c in calls or [_call(s) for s in chat.brief.pending])
    )
    known = {r.booking_id: r for r in chat.brief.known}
    rows = [known.get(b) or Row(b) for b in pending if b]
    if order.mentions:
        mine = [r for r in rows if any(matches(r, m) for m in order.mentions)]
        return mine if len(mine) == len(order.mentions) else bookings_of(order, chat.now, chat, finder)
    if len(rows) > 1:
        steps = [c for c in calls if _sets(c, order, finder)]
        rows = [r for r in rows if r.booking_id in {_booking(c.name, c.arguments, finder) for c in steps}] or rows[-1:]
        values = {
            repr({k: v for k, v in c.arguments.items() if v != _booking(c.name, c.arguments, finder)}) for c in steps
        }
        if len(rows) > 1 and len(values) > 1:
            raise AmbiguousBookingError("", tuple(rows))
    return rows


def _call(step: BriefStep) -> Call:
    return Call(step.tool, dict(step.arguments))


def _sets(call: Call, order: Order, finder: BookingFinder) -> bool:
    """Return whether a pending call sets what an order sets."""
    roles = roles_of(call, finder)
    kinds = {c.kind for c in order.claims}
    return bool(
        (
            kinds & {MentionKind.DAY, MentionKind.TIME, MentionKind.SHIFT, MentionKind.NUMBER}
            and roles & {Role.DATE, Role.TIME}
        )
        or (kinds & {MentionKind.COUNT, MentionKind.NUMBER} and Role.COUNT in roles)
    )


def roles_of(call: Call, finder: BookingFinder) -> set[Role]:
    """Return the roles of a call's values."""
    tool = finder.toolbox.get(call.name)
    return {p.role for p in tool.params if p.role and p.name in call.arguments} if tool else set()


def _expected(calls: Sequence[Call], finder: BookingFinder) -> MentionKind | None:
    """Return the one kind of value in the plan that a bare number can mean, or None."""
    roles = {r for c in calls for r in roles_of(c, finder)}
    timed, counted = bool(roles & {Role.DATE, Role.TIME}), Role.COUNT in roles
    return MentionKind.COUNT if counted and not timed else None


def _of_pending(rows: Sequence[Row], calls: Sequence[Call], finder: BookingFinder) -> bool:
    return bool({r.booking_id for r in rows} & {_booking(c.name, c.arguments, finder) for c in calls})


def _adds(chat: ChatState) -> bool:
    return any(re.search(request_words(chat.brief.locale).ADDS, text, re.I) for text in chat.texts[chat.open_since :])


def _steps_from_booking(order: Order, chat: ChatState) -> bool:
    """Return whether a corrected step counts from the booking again: "2 more, not 2 less"."""
    if "anew" in order.signs:
        return True
    relative = [
        c
        for c in order.former
        if c.assertion is Assertion.NEGATED and (c.kind is MentionKind.SHIFT or (c.count and c.count.is_relative))
    ]
    corrects = re.search(request_words(chat.brief.locale).CORRECTS, chat.now.text, re.I) is not None
    again = any(c.kind is MentionKind.SHIFT or (c.count is not None and c.count.is_relative) for c in order.claims)
    before = any(
        c.kind is MentionKind.SHIFT or (c.count is not None and c.count.is_relative)
        for _, orders in chat.earlier[:1]
        for o in orders
        for c in o.claims
    )
    return bool(relative) or (corrects and again and before)


def _stepped_again(order: Order, chat: ChatState, calls: Sequence[Call], row: Row, finder: BookingFinder) -> Order:
    """Return the order with a number nearer to the step than to the total as a step: "Take two off", then "three,
    sorry"."""
    bare = [c for c in order.claims if c.kind is MentionKind.NUMBER or (c.count is not None and c.count.noun is None)]
    earlier_orders = [o for _, orders in chat.earlier[:1] for o in orders]
    steps = [c.count for o in earlier_orders for c in o.claims if c.count is not None and c.count.is_relative]
    total = _heads_of(calls, row, finder)
    if len(bare) != 1 or len(order.claims) != 1 or len(steps) != 1 or total is None:
        return order
    mention, step = bare[0], steps[0]
    number = int(mention.count.amount if mention.count is not None else int(mention.values[0]))
    relative = mention.count is not None and mention.count.is_relative
    if relative or not nearer_to_step(number, int(step.amount), total):
        return order
    count = replace(step, amount=float(number), span=mention.span)
    mentions = [replace(mention, kind=MentionKind.COUNT, count=count, values=())]
    return replace(order, claims=mentions, signs=order.signs | {"anew"})


def _heads_of(calls: Sequence[Call], row: Row, finder: BookingFinder) -> int | None:
    """Return the head count that the plan sets for a booking, or None."""
    for call in calls:
        tool = finder.toolbox.get(call.name)
        spot = tool.with_role(Role.COUNT) if tool else None
        count = call.arguments.get(spot.name) if spot is not None else None
        if isinstance(count, int) and _booking(call.name, call.arguments, finder) == row.booking_id:
            return count
    return None


def _as_pending(row: Row, calls: Sequence[Call], order: Order, chat: ChatState, finder: BookingFinder) -> Row:
    """Return the booking with the plan's head count, from which "one more" counts."""
    if _steps_from_booking(order, chat):
        return row
    count = _heads_of(calls, row, finder)
    if count is not None:
        return replace(row, guest_count=count)
    return finder.fresh(row) if any(c.count is not None and c.count.is_relative for c in order.claims) else row


def _moment(row: Row, calls: Sequence[Call], finder: BookingFinder) -> Moment:
    """Return the day and time to which the plan moves the booking."""
    for call in calls:
        tool = finder.toolbox.get(call.name)
        day, at = (tool.with_role(Role.DATE), tool.with_role(Role.TIME)) if tool else (None, None)
        if (day or at) and _booking(call.name, call.arguments, finder) == row.booking_id:
            planned_day = call.arguments.get(day.name) if day else None
            planned_time = call.arguments.get(at.name) if at else None
            return Moment(
                date.fromisoformat(str(planned_day)) if planned_day else None,
                time.fromisoformat(str(planned_time)) if planned_time else None,
            )
    return Moment()


def _of_that_day(chat: ChatState, finder: BookingFinder) -> Row | None:
    """Return the booking of that day among those that earlier words find: "I meant the one on the 16th"."""
    marks = [c for o in chat.orders for c in (*o.former, *o.claims) if c.kind in WHEN and c.values]
    named = next((m for _, orders in chat.earlier for o in orders for m in o.mentions), None)
    if not marks or named is None or not any(o.signs & {"booking", "event"} for o in chat.orders):
        return None
    try:
        row = finder.settle(named, [replace(c, assertion=Assertion.PAST) for c in marks])
    except AmbiguousBookingError:
        return None
    return row if fits(row, marks) else None


def _retargeted(mention: BookingMention, chat: ChatState, finder: BookingFinder) -> list[Call]:
    """Return the plan for another booking; relative steps are counted again from that booking."""
    for message, orders in chat.earlier:
        filled = [o for o in orders if o.filled]
        if filled and any(
            c.kind is MentionKind.SHIFT or (c.count is not None and c.count.is_relative)
            for o in filled
            for c in o.claims
        ):
            for order in filled:
                order.mentions = [mention]
            return planned(filled, message, chat, finder, None, follows=True)
        if filled:
            break
    marks = [c for o in chat.orders for c in o.former if c.kind in WHEN]
    row = _settled(mention, marks, chat, finder)
    if len({_booking(s.tool, dict(s.arguments), finder) for s in chat.brief.pending}) > 1:
        raise AmbiguousBookingError("", (row,))
    calls = []
    for step in chat.brief.pending:
        tool = finder.toolbox.get(step.tool)
        spot = tool.with_role(Role.BOOKING) if tool else None
        calls.append(Call(step.tool, {**step.arguments, **({spot.name: row.booking_id} if spot else {})}))
    return calls


def _settled(mention: BookingMention, marks: Sequence[Mention], chat: ChatState, finder: BookingFinder) -> Row:
    """Return the booking now meant: "the other Megan" is the one that the plan is not for."""
    try:
        return finder.settle(mention, marks)
    except AmbiguousBookingError as which:
        waiting = {_booking(s.tool, dict(s.arguments), finder) for s in chat.brief.pending}
        left = [row for row in which.rows if row.booking_id not in waiting]
        if OTHER & {word.text for word in tokenize(normalize_text(chat.last))} and len(left) == 1:
            return left[0]
        raise


def _same_for(mentions: list[BookingMention], chat: ChatState, finder: BookingFinder) -> list[Call]:
    """Return the plan with the last request repeated for another booking: "And the same for the Bellandi party"."""
    for message, orders in chat.earlier:
        filled = [o for o in orders if o.filled]
        if filled:
            for order in filled:
                order.mentions = list(mentions)
            more = planned(filled, message, chat, finder, None, follows=True)
            return joined([*(_call(s) for s in chat.brief.pending), *more], finder.toolbox)
    raise AmbiguousBookingError("")


def _new_tail(chat: ChatState, finder: BookingFinder) -> list[Call] | None:
    """Return the calls with other last figures in the pending phone number: "Ends in 094, not 093"."""
    found = re.search(request_words(chat.brief.locale).ENDS, chat.now.text, re.I)
    if found is None:
        return None
    rest = _OLD.split(chat.now.text[found.end() :])[0]
    figures = re.sub(r"\D", "", rest) or _spoken(rest, chat.brief.locale)
    calls, changed = [], False
    for step in chat.brief.pending:
        tool = finder.toolbox.get(step.tool)
        spot = tool.with_role(Role.PHONE) if tool else None
        arguments = dict(step.arguments)
        if spot is not None and isinstance(old := arguments.get(spot.name), str) and 1 < len(figures) < len(old):
            arguments[spot.name], changed = old[: -len(figures)] + figures, True
        calls.append(Call(step.tool, arguments))
    return calls if changed else None


def _spoken(text: str, locale: str) -> str:
    """Return the figures of number words, parsed behind padding that makes them long enough for a phone number."""
    padded = spoken_phones(f"000000 {text}", locale)
    return padded[0].written[6:] if padded else ""
