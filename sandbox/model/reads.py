"""Questions: the look-up that answers, then a short text; the core shows what was found."""

from __future__ import annotations

import re

from contracts.enums import ParameterRole as Role
from language.requests import data_of
from reasoning.evidence import Claim, Kind
from sandbox.model.bookings import Finder, LookUpNeeded, WhichOneError
from sandbox.model.mentions import Mention
from sandbox.model.open_request import Chat
from sandbox.model.orders import WHEN
from sandbox.model.prompt import Row
from sandbox.model.protocol import Arguments, Call
from sandbox.model.slots import own_tool
from sandbox.model.values import UnclearError
from sandbox.model.wording import say

_CHANGES = {"change", "resize", "cancel", "rename", "add"}


def is_read(chat: Chat, finder: Finder) -> bool:
    """Whether the message only wants to know something."""
    said, orders = chat.now, chat.orders
    if any(o.names or o.note is not None for o in orders):
        return False
    if any(own_tool(o.text, finder.toolbox) for o in orders):
        return False
    verbs = {v for o in orders for v in o.verbs}
    first = next((p for p in said.parts if not p.does("polite", "function")), None)
    if said.asks and not said.orders:
        begins = first is not None and first.does("move", *_CHANGES) and not first.does("state", "look")
        return not begins
    shows = first is not None and first.does("look")
    room = said.does("room") and said.does("look") and not verbs & {"cancel"}
    if room and not any(o.mentions for o in orders):
        return True
    return shows and not (verbs & _CHANGES) and not any(o.claims and o.mentions and o.verbs for o in orders)


def is_room(chat: Chat, finder: Finder) -> bool:
    """Whether it asks what a day has left."""
    whens = [c for o in chat.orders for c in (*o.claims, *o.former) if c.kind in WHEN]
    room = chat.now.does("room") and finder.toolbox.checker is not None and bool(_days(whens, chat))
    return room and is_read(chat, finder)


def answered(chat: Chat, finder: Finder) -> str:
    """What is said once the look-ups are there; "" where nothing here tells. Raises `LookUpNeeded`, `WhichOneError`,
    `UnclearError`."""
    said, orders = chat.now, chat.orders
    whens = [c for o in orders for c in (*o.claims, *o.former) if c.kind in WHEN]
    mentions = [m for o in orders for m in o.mentions]
    if any(o.foreign for o in orders):
        return ""
    if is_room(chat, finder):
        return _room(chat, finder, whens)
    who = re.search(data_of(chat.brief.locale).WHO, said.text, re.IGNORECASE) is not None
    if mentions and not (who and not any(m.code or m.words for m in mentions)):
        return _shown(_found(mentions[0], whens, finder))
    if whens and _days(whens, chat) and (who or said.does("look", "booking", "event")):
        days = _days(whens, chat)
        times = [c.values[0] for c in whens if c.kind is Kind.TIME and len(c.values) == 1]
        return _shown(finder.search(finder.by(date=days[0], time=times[0] if times else "")))
    if any(o.foreign for o in orders) or not (
        said.does("pronoun", "count", "time", "look", "booking") and _in_hand(chat)
    ):
        return ""
    row = chat.spoken_of()
    finder.fresh(row) if isinstance(row, Row) else finder.settle(row)
    return say("found")


def _in_hand(chat: Chat) -> bool:
    return bool(chat.brief.known or chat.brief.pending)


def _found(mention: Mention, whens: list[Claim], finder: Finder) -> list[Row]:
    try:
        return [finder.settle(mention, [c for c in whens if c.kind in WHEN])]
    except WhichOneError as which:
        if not which.rows:
            raise
        return list(which.rows)


def _shown(rows: list[Row]) -> str:
    return say("found") if rows else say("found_none")


def _days(whens: list[Claim], chat: Chat) -> list[str]:
    """The day asked about; a weekday said on that weekday is next week's, unless it is about today."""
    days = [c for c in whens if c.kind is Kind.DAY and c.values and not (c.doubtful and len(c.values) > 1)]
    today = chat.brief.now.date().isoformat()
    return [next((v for v in days[0].values if v != today), days[0].values[0])] if days else []


def _room(chat: Chat, finder: Finder, whens: list[Claim]) -> str:
    """The look-up of what a day has. Raises `LookUpNeeded`."""
    checker = finder.toolbox.checker
    assert checker is not None
    days = _days(whens, chat)
    if not days:
        raise UnclearError("which_day", chat.now.text)
    times = [c.values[0] for c in whens if c.kind is Kind.TIME and len(c.values) == 1]
    counts = [
        int(c.count.amount) for o in chat.orders for c in o.claims if c.count is not None and c.count.kind == "absolute"
    ]
    arguments: Arguments = {}
    for role, value in (
        (Role.DATE, days[0]),
        (Role.TIME, times[0] if times else None),
        (Role.COUNT, counts[0] if counts else None),
    ):
        spot = checker.with_role(role)
        if spot is not None and value is not None:
            arguments[spot.name] = value
    call = Call(checker.name, arguments)
    if finder.transcript.answer(call) is None:
        raise LookUpNeeded([call])
    return say("found")
