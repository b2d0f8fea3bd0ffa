"""Tool calls of an order for one booking, by the roles of the tools' parameters."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from contracts.enums import ParameterRole as Role
from language.extraction import MentionKind, change_target
from offline_planner.bookings.booking_search import BookingFinder
from offline_planner.brief import Brief, Row
from offline_planner.clarity import cancels
from offline_planner.orders.contacts import UnclearError, contact_of
from offline_planner.orders.order import WHEN, Order
from offline_planner.orders.slots import extras, own_tool, own_values
from offline_planner.orders.values import Moment, heads_of, moment_of, settled
from offline_planner.protocol import Arguments, Call
from offline_planner.tools import Tool, Toolbox

_ASKS = {"phone": "phone", "email": "email", "surname": "name", "first": "name", "name": "name", "contact": "contact"}


def missing_of(order: Order) -> str:
    """Return what an order without values lacks, as the key of the question for it; "" when that is unknown."""
    if "note" in order.topics and order.verbs:
        return "note"
    topic = next(
        (
            key
            for name, key in _ASKS.items()
            if name in order.topics and not ("count" in order.topics and name == "phone")
        ),
        "",
    )
    if topic and (order.verbs or "want" in order.signs):
        return topic
    if "count" in order.topics or ("resize" in order.verbs - {"move"} and not order.verbs & {"move"}):
        return "count"
    if "move" in order.verbs or (order.topics & {"time", "day"} and order.verbs):
        return "when"
    return ""


def needs_row(order: Order) -> bool:
    """Return whether a value counts from what is booked: "2 more kids", "an hour later", "from 8 to 13"."""
    relative = any(c.count is not None and c.count.is_relative for c in order.claims)
    ranged = any(c.count is not None and c.count.kind == "vague" for c in order.claims)
    return (
        relative or ranged or any(c.kind in (MentionKind.SHIFT, MentionKind.NUMBER) or c.anchor for c in order.claims)
    )


def calls_for(
    order: Order, text: str, row: Row | None, brief: Brief, toolbox: Toolbox, base: Moment, expected: MentionKind | None
) -> list[Call]:
    """Return the calls of one order on one booking, in text order. Shifts count from `base` where a plan is pending.
    Raises `UnclearError`."""
    own = own_tool(order.text, toolbox)
    if own is not None:
        codes = {m.code for m in order.mentions}
        figures = [n for n in re.findall(r"(?<![\w-])\d+(?![\w-])", order.text) if n not in codes]
        return [_on(own, row, own_values(own, order.text, figures))]
    if cancels(order):
        ender = toolbox.ender
        if ender is None:
            raise UnclearError("unclear", order.text)
        return [_on(ender, row, extras(ender, order.text))]
    order = settled(order, text, brief, row, expected)
    order = _without_own(_day_by_shift(_counted_from(order, row), row), row)
    found: list[tuple[int, Call]] = []
    whens = [c for c in order.claims if c.kind in WHEN or c.kind is MentionKind.SHIFT]
    if whens:
        found.append((whens[0].span[0], _move(order, row, brief, toolbox, base)))
    counts = [c for c in order.claims if c.kind is MentionKind.COUNT]
    if counts:
        found.append((counts[0].span[0], _heads(order, text, row, brief, toolbox)))
    details = [c.span[0] for c in order.claims if c.kind in (MentionKind.EMAIL, MentionKind.PHONE)] + [
        n.span[0] for n in order.names
    ]
    if details:
        tool = toolbox.taking(Role.EMAIL, Role.PHONE, Role.LAST_NAME)
        if tool is None:
            raise UnclearError("unclear", order.text)
        found.append((min(details), _on(tool, row, contact_of(order, tool))))
    if order.note:
        found.append((len(text), _note(order, row, toolbox)))
    return [call for _, call in sorted(found, key=lambda pair: pair[0])]


def _counted_from(order: Order, row: Row | None) -> Order:
    """Return the order with its values counted from the booking's own: "The following Friday"."""
    if row is None or not row.date:
        return order
    own = date.fromisoformat(row.date[:10])
    mentions = [replace(c, values=(c.anchor.day(own).isoformat(),)) if c.anchor else c for c in order.claims]
    return replace(order, claims=[change_target(c, row.guest_count) for c in mentions])


def _day_by_shift(order: Order, row: Row | None) -> Order:
    """Return the order with a weekday that is also stated as a step from the booking's own day: "Thursday, the day
    before". Raises `UnclearError` where the two are different days."""
    steps = [c for c in order.claims if c.kind is MentionKind.SHIFT and c.shift is not None and c.shift.days]
    days = [c for c in order.claims if c.kind is MentionKind.DAY and c.values]
    if row is None or not row.date or len(steps) != 1 or len(days) != 1 or steps[0].shift is None:
        return order
    meant = date.fromisoformat(row.date[:10]) + timedelta(days=steps[0].shift.days)
    if all(date.fromisoformat(value[:10]).weekday() != meant.weekday() for value in days[0].values):
        raise UnclearError("unclear", days[0].text)
    rest = [c for c in order.claims if c not in (steps[0], days[0])]
    return replace(order, claims=[*rest, replace(days[0], values=(meant.isoformat(),), vague=False)])


def _without_own(order: Order, row: Row | None) -> Order:
    """Return the order without the booking's own day behind its name: beside another value, it sets nothing."""
    others = [c for c in order.claims if c.kind is not MentionKind.DAY]
    days = [c for c in order.claims if c.kind is MentionKind.DAY and not c.is_target]
    if row is None or not others or not days or not row.date:
        return order
    own = [c for c in days if row.date in c.values]
    return replace(order, claims=[c for c in order.claims if c not in own]) if own and len(days) > len(own) else order


def _move(order: Order, row: Row | None, brief: Brief, toolbox: Toolbox, base: Moment) -> Call:
    tool = toolbox.taking(Role.DATE, Role.TIME)
    if tool is None:
        raise UnclearError("unclear", order.text)
    moment = moment_of(order, brief, row, base)
    values: Arguments = {}
    for role, value in (
        (Role.DATE, moment.day and moment.day.isoformat()),
        (Role.TIME, moment.at and moment.at.strftime("%H:%M")),
    ):
        spot = tool.with_role(role)
        if value and spot is None:
            raise UnclearError("unclear", order.text)
        if value and spot is not None:
            values[spot.name] = value
    return _on(tool, row, values)


def _heads(order: Order, text: str, row: Row | None, brief: Brief, toolbox: Toolbox) -> Call:
    tool = toolbox.taking(Role.COUNT)
    spot = tool.with_role(Role.COUNT) if tool else None
    if tool is None or spot is None:
        raise UnclearError("unclear", order.text)
    return _on(tool, row, {spot.name: heads_of(order, text, brief, row.guest_count if row else None)})


def _note(order: Order, row: Row | None, toolbox: Toolbox) -> Call:
    tool = toolbox.taking(Role.NOTE)
    spot = tool.with_role(Role.NOTE) if tool else None
    if tool is None or spot is None:
        raise UnclearError("unclear", order.text)
    return _on(tool, row, {spot.name: order.note, **extras(tool, order.text)})


def _on(tool: Tool, row: Row | None, values: Arguments) -> Call:
    spot = tool.with_role(Role.BOOKING)
    named: Arguments = {spot.name: row.booking_id} if spot is not None and row is not None else {}
    return Call(tool.name, {**named, **values})


def joined(calls: list[Call], toolbox: Toolbox) -> list[Call]:
    """Merge calls of one tool and booking: a guest's phone and e-mail go together. Raises `UnclearError`."""
    out: list[Call] = []
    for call in calls:
        tool = toolbox.get(call.name)
        spot = tool.with_role(Role.BOOKING) if tool else None
        same = next((n for n, c in enumerate(out) if c.name == call.name and spot is not None
                     and c.arguments.get(spot.name) == call.arguments.get(spot.name)), None)  # fmt: skip
        if same is None:
            out.append(call)
            continue
        old = out[same].arguments
        clash = next((v for k, v in call.arguments.items() if old.get(k, v) != v), None)
        if clash is not None:
            raise UnclearError("unclear", str(clash))
        out[same] = Call(call.name, {**old, **call.arguments})
    return out


def row_for(order: Order, row: Row, finder: BookingFinder) -> Row:
    """Return the booking, as it is now where a value counts from it."""
    return finder.fresh(row) if needs_row(order) else row
