"""A plan that waits: another value, more, less, or another booking. All its steps are called again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time

from contracts.enums import ParameterRole as Role
from language.places import OTHER
from language.plain import plain, words
from language.quantities import nearer_to_step
from language.requests import data_of
from language.spoken import spoken_phones
from reasoning.evidence import Claim, Kind, Standing
from sandbox.model.bookings import Finder, WhichOneError, fits, matches
from sandbox.model.clear import cancels, check
from sandbox.model.drafting import calls_for, joined
from sandbox.model.dropping import without_dropped
from sandbox.model.follow_ups import completed
from sandbox.model.mentions import Mention
from sandbox.model.open_request import Chat
from sandbox.model.order import WHEN, Order
from sandbox.model.prompt import Row, Step
from sandbox.model.protocol import Call
from sandbox.model.requests import bookings_of, planned
from sandbox.model.values import Moment, UnclearError


def amended(chat: Chat, finder: Finder) -> list[Call] | None:
    """The pending steps with the change made; None where the message is a request of its own. Raises `UnclearError`,
    `WhichOneError`, `LookUpNeeded`."""
    data, said = data_of(chat.brief.locale), chat.now
    if (tail := _new_tail(chat, finder)) is not None:
        return tail
    mentions = [m for o in chat.orders for m in o.mentions]
    if re.search(data.WRONG_ONE, said.text, re.I) and not mentions:
        raise WhichOneError("", (Row(""),))
    meant = re.search(data.MEANT, said.text, re.I) or re.search(data.CORRECTS, said.text, re.I)
    asked = chat.open_since < len(chat.said) - 1 and re.search(data.WRONG_ONE, chat.said[-2], re.I)
    filled = any(o.filled for o in chat.orders)
    if mentions and not filled and re.search(data.SAME_FOR, said.text, re.I):
        return _same_for(mentions, chat, finder)
    if (meant or asked) and mentions and not filled:
        # "Wrong hamish, I meant buckley": whoever is named behind that.
        behind = [m for m in mentions if meant is not None and m.span[0] >= meant.end()]
        return _retargeted((behind or mentions)[0], chat, finder)
    if meant and not mentions and (row := _of_that_day(chat, finder)) is not None:
        return _retargeted(Mention((0, 0), code=row.booking_id), chat, finder)
    if re.fullmatch(data.BARE_CANCEL, " ".join(re.findall(r"[^\W_]+", plain(said.text)))):
        raise UnclearError("cancel_what", said.text)
    kept = without_dropped(chat, finder.toolbox)
    if kept is not None:
        steps, rest = kept
        left = [Call(s.tool, dict(s.arguments)) for s in steps]
        more = replace(chat, said=(*chat.said[:-1], rest))
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
    answers = chat.open_since < len(chat.said) - 1
    denies = not answers and re.search(data.DENY, said.text, re.I) and not re.search(data.ADDS, said.text, re.I)
    return _changed([Call(s.tool, dict(s.arguments)) for s in chat.brief.pending], orders, chat, finder, bool(denies))


def _changed(calls: list[Call], orders: list[Order], chat: Chat, finder: Finder, denies: bool) -> list[Call] | None:
    """The calls with each order worked in."""
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
    for said in filled:
        for row in _rows(said, calls, chat, finder):
            order = _stepped_anew(said, chat, calls, row, finder)
            fresh = finder.fresh(row) if _steps_from_booking(order, chat) or not row.date else row
            current = _as_pending(fresh, calls, order, chat, finder)
            base = Moment() if _steps_from_booking(order, chat) else _moment(row, calls, finder)
            made = calls_for(order, chat.now.text, current, chat.brief, finder.toolbox, base, expected)
            if cancels(order):
                return made
            calls = _worked_in(calls, made, denies, finder)
    return joined(calls, finder.toolbox)


def _worked_in(calls: list[Call], made: list[Call], denies: bool, finder: Finder) -> list[Call]:
    """New calls over the pending ones of their tool and booking; after a "no", another kind of change is instead."""
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


def _key(call: Call, finder: Finder) -> tuple[str, str]:
    return call.name, _booking(call.name, call.arguments, finder)


def _booking(name: str, arguments: dict[str, object], finder: Finder) -> str:
    tool = finder.toolbox.get(name)
    spot = tool.with_role(Role.BOOKING) if tool else None
    return str(arguments.get(spot.name, "")) if spot is not None else ""


def _rows(order: Order, calls: Sequence[Call], chat: Chat, finder: Finder) -> list[Row]:
    """The bookings of an order: those of the plan where it names none."""
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
            raise WhichOneError("", tuple(rows))
    return rows


def _call(step: Step) -> Call:
    return Call(step.tool, dict(step.arguments))


def _sets(call: Call, order: Order, finder: Finder) -> bool:
    """Whether a pending call sets what an order sets."""
    roles = roles_of(call, finder)
    kinds = {c.kind for c in order.claims}
    return bool((kinds & {Kind.DAY, Kind.TIME, Kind.SHIFT, Kind.NUMBER} and roles & {Role.DATE, Role.TIME})
                or (kinds & {Kind.COUNT, Kind.NUMBER} and Role.COUNT in roles))  # fmt: skip


def roles_of(call: Call, finder: Finder) -> set[Role]:
    """What the values of a call stand for."""
    tool = finder.toolbox.get(call.name)
    return {p.role for p in tool.params if p.role and p.name in call.arguments} if tool else set()


def _expected(calls: Sequence[Call], finder: Finder) -> Kind | None:
    """The one thing in the plan that a bare number can mean."""
    roles = {r for c in calls for r in roles_of(c, finder)}
    timed, counted = bool(roles & {Role.DATE, Role.TIME}), Role.COUNT in roles
    return Kind.COUNT if counted and not timed else None


def _of_pending(rows: Sequence[Row], calls: Sequence[Call], finder: Finder) -> bool:
    return bool({r.booking_id for r in rows} & {_booking(c.name, c.arguments, finder) for c in calls})


def _adds(chat: Chat) -> bool:
    return any(re.search(data_of(chat.brief.locale).ADDS, text, re.I) for text in chat.said[chat.open_since :])


def _steps_from_booking(order: Order, chat: Chat) -> bool:
    """ "2 more, not 2 less": the step that was taken wrongly is taken anew from the booking."""
    if "anew" in order.signs:
        return True
    relative = [
        c
        for c in order.former
        if c.standing is Standing.NEGATED and (c.kind is Kind.SHIFT or (c.count and c.count.is_relative))
    ]
    corrects = re.search(data_of(chat.brief.locale).CORRECTS, chat.now.text, re.I) is not None
    again = any(c.kind is Kind.SHIFT or (c.count is not None and c.count.is_relative) for c in order.claims)
    before = any(
        c.kind is Kind.SHIFT or (c.count is not None and c.count.is_relative)
        for _, orders in chat.earlier[:1]
        for o in orders
        for c in o.claims
    )
    return bool(relative) or (corrects and again and before)


def _stepped_anew(order: Order, chat: Chat, calls: Sequence[Call], row: Row, finder: Finder) -> Order:
    """ "Take two off", then "three, sorry": nearer to the step than to the total, it is another step."""
    bare = [c for c in order.claims if c.kind is Kind.NUMBER or (c.count is not None and c.count.noun is None)]
    said = [o for _, orders in chat.earlier[:1] for o in orders]
    steps = [c.count for o in said for c in o.claims if c.count is not None and c.count.is_relative]
    total = _heads_of(calls, row, finder)
    if len(bare) != 1 or len(order.claims) != 1 or len(steps) != 1 or total is None:
        return order
    claim, step = bare[0], steps[0]
    number = int(claim.count.amount if claim.count is not None else int(claim.values[0]))
    relative = claim.count is not None and claim.count.is_relative
    if relative or not nearer_to_step(number, int(step.amount), total):
        return order
    count = replace(step, amount=float(number), span=claim.span)
    claims = [replace(claim, kind=Kind.COUNT, count=count, values=())]
    return replace(order, claims=claims, signs=order.signs | {"anew"})


def _heads_of(calls: Sequence[Call], row: Row, finder: Finder) -> int | None:
    """The head count that the plan would set for a booking."""
    for call in calls:
        tool = finder.toolbox.get(call.name)
        spot = tool.with_role(Role.COUNT) if tool else None
        count = call.arguments.get(spot.name) if spot is not None else None
        if isinstance(count, int) and _booking(call.name, call.arguments, finder) == row.booking_id:
            return count
    return None


def _as_pending(row: Row, calls: Sequence[Call], order: Order, chat: Chat, finder: Finder) -> Row:
    """The booking with the plan's head count, which "one more" counts from."""
    if _steps_from_booking(order, chat):
        return row
    count = _heads_of(calls, row, finder)
    if count is not None:
        return replace(row, guest_count=count)
    return finder.fresh(row) if any(c.count is not None and c.count.is_relative for c in order.claims) else row


def _moment(row: Row, calls: Sequence[Call], finder: Finder) -> Moment:
    """The day and time that the plan would move the booking to."""
    for call in calls:
        tool = finder.toolbox.get(call.name)
        day, at = (tool.with_role(Role.DATE), tool.with_role(Role.TIME)) if tool else (None, None)
        if (day or at) and _booking(call.name, call.arguments, finder) == row.booking_id:
            said_day = call.arguments.get(day.name) if day else None
            said_at = call.arguments.get(at.name) if at else None
            return Moment(
                date.fromisoformat(str(said_day)) if said_day else None,
                time.fromisoformat(str(said_at)) if said_at else None,
            )
    return Moment()


def _of_that_day(chat: Chat, finder: Finder) -> Row | None:
    """ "I meant the one on the 16th": of those that the words of before found, the one of that day."""
    marks = [c for o in chat.orders for c in (*o.former, *o.claims) if c.kind in WHEN and c.values]
    named = next((m for _, orders in chat.earlier for o in orders for m in o.mentions), None)
    if not marks or named is None or not any(o.signs & {"booking", "event"} for o in chat.orders):
        return None
    try:
        row = finder.settle(named, [replace(c, standing=Standing.FORMER) for c in marks])
    except WhichOneError:
        return None
    return row if fits(row, marks) else None


def _retargeted(mention: Mention, chat: Chat, finder: Finder) -> list[Call]:
    """The plan for another booking; steps from what was booked are taken anew."""
    for said, orders in chat.earlier:
        filled = [o for o in orders if o.filled]
        if filled and any(
            c.kind is Kind.SHIFT or (c.count is not None and c.count.is_relative) for o in filled for c in o.claims
        ):
            for order in filled:
                order.mentions = [mention]
            return planned(filled, said, chat, finder, None, follows=True)
        if filled:
            break
    marks = [c for o in chat.orders for c in o.former if c.kind in WHEN]
    row = _settled(mention, marks, chat, finder)
    if len({_booking(s.tool, dict(s.arguments), finder) for s in chat.brief.pending}) > 1:
        raise WhichOneError("", (row,))
    calls = []
    for step in chat.brief.pending:
        tool = finder.toolbox.get(step.tool)
        spot = tool.with_role(Role.BOOKING) if tool else None
        calls.append(Call(step.tool, {**step.arguments, **({spot.name: row.booking_id} if spot else {})}))
    return calls


def _settled(mention: Mention, marks: Sequence[Claim], chat: Chat, finder: Finder) -> Row:
    """The booking meant now: "the other Megan" is the one that the plan is not for."""
    try:
        return finder.settle(mention, marks)
    except WhichOneError as which:
        waiting = {_booking(s.tool, dict(s.arguments), finder) for s in chat.brief.pending}
        left = [row for row in which.rows if row.booking_id not in waiting]
        if OTHER & {word.text for word in words(plain(chat.last))} and len(left) == 1:
            return left[0]
        raise


def _same_for(mentions: list[Mention], chat: Chat, finder: Finder) -> list[Call]:
    """ "And the same for the Bellandi party": what was asked last, for another booking as well."""
    for said, orders in chat.earlier:
        filled = [o for o in orders if o.filled]
        if filled:
            for order in filled:
                order.mentions = list(mentions)
            more = planned(filled, said, chat, finder, None, follows=True)
            return joined([*(_call(s) for s in chat.brief.pending), *more], finder.toolbox)
    raise WhichOneError("")


def _new_tail(chat: Chat, finder: Finder) -> list[Call] | None:
    """ "Ends in 094, not 093": the last figures of the pending phone number."""
    found = re.search(data_of(chat.brief.locale).ENDS, chat.now.text, re.I)
    if found is None:
        return None
    rest = re.split(r"\bnot\b|\bnon\b|,", chat.now.text[found.end() :])[0]
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
    """Figures said as words; put behind others, they are long enough to be a number."""
    padded = spoken_phones(f"000000 {text}", locale)
    return padded[0].written[6:] if padded else ""
