"""What is wanted instead, and what can be done without: "4pm, if there is no room 5pm", "and a note if possible"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from contracts.enums import ParameterRole
from language.conditions import Alternatives, alternatives, optional_parts, plainly
from sandbox.model.amending import amended
from sandbox.model.bookings import Finder, LookUpNeeded, Transcript, WhichOneError
from sandbox.model.making import made
from sandbox.model.open_request import Chat
from sandbox.model.prompt import Brief, Step
from sandbox.model.protocol import ARRANGE, ASK, REFUSE, Call, Message, Reply
from sandbox.model.tools import Toolbox
from sandbox.model.values import UnclearError
from sandbox.model.wording import say

_TRY = re.compile(r"^\W*(?:(?:pls|please)\s+)?(?:try|prova)\s+(?!to\b|a\b)", re.IGNORECASE)


class WhichPartError(Exception):
    """What is firm comes out otherwise beside what is not: whose a value is cannot be told."""


Planner = Callable[[list[Message], Brief, Toolbox], Reply]


def on_a_condition(messages: list[Message], brief: Brief, toolbox: Toolbox, plan: Planner) -> Reply | None:
    """The reply to a message that makes a part of itself depend on something; None for every other message."""
    said = next((m.content for m in reversed(messages) if m.role == "user"), "")
    if not toolbox.arranges:
        bare = plainly(said)
        return plan(_said_instead(messages, bare), brief, toolbox) if bare != said else None
    if (found := alternatives(said)) is not None:
        first = plan(_said_instead(messages, _ordered(plainly(found.first))), brief, toolbox)
        return _with(first, toolbox, lambda: _instead(first.calls, found, messages, brief, toolbox))
    if parts := optional_parts(said):
        needed = said
        for part in parts:
            needed = needed.replace(part, " ")
        needed = plainly(" ".join(needed.split()).strip(" ,;"))
        whole = plan(_said_instead(messages, plainly(said)), brief, toolbox)
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
    except WhichPartError as unclear:
        return Reply(calls=(Call(ASK, {"question": say("unclear", said=str(unclear))}),))


def _instead(
    first: tuple[Call, ...], said: Alternatives, messages: list[Message], brief: Brief, toolbox: Toolbox
) -> tuple[Call, ...]:
    """The calls that are made in place of the first, as if the operator had then changed the plan. Raises
    `LookUpNeeded`."""
    pending = replace(brief, pending=tuple(Step(c.name, dict(c.arguments)) for c in first))
    spoken = _said_instead(messages, said.first)
    spoken.insert(_last(spoken) + 1, Message("user", _as_an_hour(said.instead, first, brief, toolbox)))
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


def _ordered(said: str) -> str:
    """ "Try Ada at 4, no luck? then 5": to be tried is to be moved."""
    return _TRY.sub("move ", said, count=1)


def _as_an_hour(said: str, first: tuple[Call, ...], brief: Brief, toolbox: Toolbox) -> str:
    """A bare number in place of an hour is an hour: "4pm, or 5 if that's gone"."""
    roles = {p.name: p.role for tool in toolbox.tools for p in tool.params}
    timed = any(roles.get(name) is ParameterRole.TIME for call in first for name in call.arguments)
    at = "alle" if brief.locale.startswith("it") else "at"
    return f"{at} {said}" if timed and re.fullmatch(r"\d{1,2}", said) else said


def _optional(
    calls: tuple[Call, ...], needed: str, messages: list[Message], brief: Brief, toolbox: Toolbox, plan: Planner
) -> tuple[Call, ...]:
    firm = plan(_said_instead(messages, needed), brief, toolbox).calls if needed else ()
    kept, asked = {c.name for c in firm}, {(c.name, str(c.arguments)) for c in calls}
    if any((c.name, str(c.arguments)) not in asked for c in firm if c.name in {one.name for one in calls}):
        raise WhichPartError(needed)
    steps = [{"step": place, "optional": True} for place, call in enumerate(calls, 1) if call.name not in kept]
    return (Call(ARRANGE, {"steps": steps}),) if 0 < len(steps) < len(calls) else ()


def _said_instead(messages: list[Message], words: str) -> list[Message]:
    """The transcript with other words in the place of the last that were said."""
    last = _last(messages)
    return [replace(m, content=words) if place == last else m for place, m in enumerate(messages)]


def _last(messages: list[Message]) -> int:
    return max(place for place, m in enumerate(messages) if m.role == "user")
