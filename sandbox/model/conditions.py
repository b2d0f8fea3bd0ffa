"""What is wanted instead, and what can be done without: "4pm, if there is no room 5pm", "and a note if possible"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from language.conditions import Alternatives, alternatives, only_if_possible
from sandbox.model.amending import amended
from sandbox.model.bookings import Finder, LookUpNeeded, Transcript, WhichOneError
from sandbox.model.making import made
from sandbox.model.open_request import Chat
from sandbox.model.prompt import Brief, Step
from sandbox.model.protocol import ARRANGE, ASK, REFUSE, Call, Message, Reply
from sandbox.model.tools import Toolbox
from sandbox.model.values import UnclearError

_CLAUSES = re.compile(r"(?<=[,;.])\s+|\s+(?=(?:and|e|ed)\s)", re.IGNORECASE)

Planner = Callable[[list[Message], Brief, Toolbox], Reply]


def on_a_condition(messages: list[Message], brief: Brief, toolbox: Toolbox, plan: Planner) -> Reply | None:
    """The reply to a message that makes a part of itself depend on something; None for every other message."""
    said = next((m.content for m in reversed(messages) if m.role == "user"), "")
    if not toolbox.arranges:
        return None
    if (found := alternatives(said)) is not None:
        first = plan(_said_instead(messages, found.first), brief, toolbox)
        return _with(first, toolbox, lambda: _instead(first.calls, found, messages, brief, toolbox))
    if only_if_possible(said):
        clauses = _CLAUSES.split(said)
        needed = " ".join(c for c in clauses if not only_if_possible(c)).strip(" ,;")
        whole = plan(messages, brief, toolbox)
        return _with(whole, toolbox, lambda: _optional(whole.calls, needed, messages, brief, toolbox, plan))
    return None


def _with(reply: Reply, toolbox: Toolbox, more: Callable[[], tuple[Call, ...]]) -> Reply:
    """A reply that plans, with how its steps stand to one another; any other as it is."""
    reads = {tool.name for tool in toolbox.tools if tool.reads}
    if not reply.calls or any(c.name in reads | {ASK, REFUSE} for c in reply.calls):
        return reply
    try:
        return Reply(calls=(*reply.calls, *more()))
    except LookUpNeeded as needed:
        return Reply(calls=needed.calls)


def _instead(
    first: tuple[Call, ...], said: Alternatives, messages: list[Message], brief: Brief, toolbox: Toolbox
) -> tuple[Call, ...]:
    """The calls that are made in place of the first, as if the operator had then changed the plan. Raises
    `LookUpNeeded`."""
    pending = replace(brief, pending=tuple(Step(c.name, dict(c.arguments)) for c in first))
    spoken = _said_instead(messages, said.first)
    spoken.insert(_last(spoken) + 1, Message("user", said.instead))
    try:
        chat, finder = Chat.of(spoken, pending), Finder(pending, toolbox, Transcript.of(spoken))
        calls = made(chat, finder) or amended(chat, finder) or []
    except (WhichOneError, UnclearError):
        calls = []
    before = [(c.name, dict(c.arguments)) for c in first]
    changed = [c for c in calls if (c.name, dict(c.arguments)) not in before]
    names = [c.name for c in first]
    if not changed or any(c.name not in names for c in changed):
        return ()
    steps = [
        {"step": len(first) + place, "only_if_failed": names.index(call.name) + 1}
        for place, call in enumerate(changed, 1)
    ]
    return (*changed, Call(ARRANGE, {"steps": steps}))


def _optional(
    calls: tuple[Call, ...], needed: str, messages: list[Message], brief: Brief, toolbox: Toolbox, plan: Planner
) -> tuple[Call, ...]:
    kept = {c.name for c in plan(_said_instead(messages, needed), brief, toolbox).calls} if needed else set()
    steps = [{"step": place, "optional": True} for place, call in enumerate(calls, 1) if call.name not in kept]
    return (Call(ARRANGE, {"steps": steps}),) if 0 < len(steps) < len(calls) else ()


def _said_instead(messages: list[Message], words: str) -> list[Message]:
    """The transcript with other words in the place of the last that were said."""
    last = _last(messages)
    return [replace(m, content=words) if place == last else m for place, m in enumerate(messages)]


def _last(messages: list[Message]) -> int:
    return max(place for place, m in enumerate(messages) if m.role == "user")
