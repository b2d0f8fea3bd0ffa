"""Alternatives and optional parts of a request: "4pm, if there is no room 5pm", "and a note if possible"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from contracts.enums import ParameterRole
from language.locales import in_all
from language.requests.conditions import Alternatives, alternatives, optional_parts, without_conditions
from offline_planner.bookings.booking_search import AmbiguousBookingError, BookingFinder, LookUpLog, LookUpNeeded
from offline_planner.bookings.creation import made
from offline_planner.brief import Brief, BriefStep
from offline_planner.chat import ChatState
from offline_planner.orders.amendments import amended
from offline_planner.orders.contacts import UnclearError
from offline_planner.protocol import ARRANGE, ASK, REFUSE, Call, ModelAnswer, ProtocolMessage
from offline_planner.replies import say, words_of
from offline_planner.tools import Toolbox

_TRY = [(re.compile(way, re.IGNORECASE), verb) for way, verb in in_all("planner_orders", "TRY")]


class WhichPartError(Exception):
    """Report that the firm part gives other calls without the optional part: a value may belong to either."""


Planner = Callable[[list[ProtocolMessage], Brief, Toolbox], ModelAnswer]


def on_a_condition(
    messages: list[ProtocolMessage], brief: Brief, toolbox: Toolbox, plan: Planner
) -> ModelAnswer | None:
    """Return the reply to a message with a conditional part; None for every other message."""
    text = next((m.content for m in reversed(messages) if m.role == "user"), "")
    if not toolbox.arranges:
        bare = without_conditions(text)
        return plan(_replaced(messages, bare), brief, toolbox) if bare != text else None
    if (found := alternatives(text)) is not None:
        first = plan(_replaced(messages, _ordered(without_conditions(found.first))), brief, toolbox)
        return _with(first, toolbox, lambda: _instead(first.calls, found, messages, brief, toolbox))
    if parts := optional_parts(text):
        needed = text
        for part in parts:
            needed = needed.replace(part, " ")
        needed = without_conditions(" ".join(needed.split()).strip(" ,;"))
        whole = plan(_replaced(messages, without_conditions(text)), brief, toolbox)
        return _with(whole, toolbox, lambda: _optional(whole.calls, needed, messages, brief, toolbox, plan))
    return None


def _with(reply: ModelAnswer, toolbox: Toolbox, more: Callable[[], tuple[Call, ...]]) -> ModelAnswer:
    """Return a planning reply plus the calls that relate its steps; any other reply unchanged."""
    reads = {tool.name for tool in toolbox.tools if tool.reads}
    if not reply.calls or any(c.name in reads | {ASK, REFUSE} for c in reply.calls):
        return reply
    try:
        return ModelAnswer(calls=(*reply.calls, *more()))
    except LookUpNeeded as needed:
        return ModelAnswer(calls=needed.calls)
    except WhichPartError as unclear:
        return ModelAnswer(calls=(Call(ASK, {"question": say("unclear", text=str(unclear))}),))


def _instead(
    first: tuple[Call, ...], alternatives: Alternatives, messages: list[ProtocolMessage], brief: Brief, toolbox: Toolbox
) -> tuple[Call, ...]:
    """Return the calls made in place of the first, as if the operator then changed the plan. Raises `LookUpNeeded`."""
    pending = replace(brief, pending=tuple(BriefStep(c.name, dict(c.arguments)) for c in first))
    spoken = _replaced(messages, alternatives.first)
    spoken.insert(_last(spoken) + 1, ProtocolMessage("user", _as_an_hour(alternatives.instead, first, brief, toolbox)))
    try:
        chat, finder = ChatState.of(spoken, pending), BookingFinder(pending, toolbox, LookUpLog.of(spoken, pending))
        calls = made(chat, finder) or amended(chat, finder) or []
    except (AmbiguousBookingError, UnclearError):
        calls = []
    before = [(c.name, dict(c.arguments)) for c in first]
    changed = [c for c in calls if (c.name, dict(c.arguments)) not in before]
    names = [c.name for c in first]
    if not changed or any(c.name not in names for c in changed):
        return ()
    steps = [
        {"step": len(first) + index, "only_if_failed": names.index(call.name) + 1}
        for index, call in enumerate(changed, 1)
    ]
    return (*changed, Call(ARRANGE, {"steps": steps}))


def _ordered(text: str) -> str:
    """Replace verbs of trying by verbs of moving: "Try Ada at 4, no luck? then 5"."""
    for way, verb in _TRY:
        text = way.sub(verb, text, count=1)
    return text


def _as_an_hour(text: str, first: tuple[Call, ...], brief: Brief, toolbox: Toolbox) -> str:
    """Return a bare number in place of an hour as an hour: "4pm, or 5 if that's gone"."""
    roles = {p.name: p.role for tool in toolbox.tools for p in tool.params}
    timed = any(roles.get(name) is ParameterRole.TIME for call in first for name in call.arguments)
    hour = words_of(brief.locale, "orders").get("HOUR", "{}")
    return hour.format(text) if timed and re.fullmatch(r"\d{1,2}", text) else text


def _optional(
    calls: tuple[Call, ...], needed: str, messages: list[ProtocolMessage], brief: Brief, toolbox: Toolbox, plan: Planner
) -> tuple[Call, ...]:
    firm = plan(_replaced(messages, needed), brief, toolbox).calls if needed else ()
    kept, asked = {c.name for c in firm}, {(c.name, str(c.arguments)) for c in calls}
    if any((c.name, str(c.arguments)) not in asked for c in firm if c.name in {one.name for one in calls}):
        raise WhichPartError(needed)
    steps = [{"step": index, "optional": True} for index, call in enumerate(calls, 1) if call.name not in kept]
    return (Call(ARRANGE, {"steps": steps}),) if 0 < len(steps) < len(calls) else ()


def _replaced(messages: list[ProtocolMessage], words: str) -> list[ProtocolMessage]:
    """Return the transcript with other words as the last user message."""
    last = _last(messages)
    return [replace(m, content=words) if index == last else m for index, m in enumerate(messages)]


def _last(messages: list[ProtocolMessage]) -> int:
    return max(index for index, m in enumerate(messages) if m.role == "user")
