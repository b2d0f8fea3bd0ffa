"""Something new that is asked for, "a meeting with Aviad on Wednesday at 14:00", as calls of the tool that makes it.

Such a tool takes no booking; it needs a day, a time, and whom it is with. Each word is explained, or asked about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from contracts.enums import ParameterRole as Role
from language.lexer import lex
from language.locales import get_locale
from language.making import wanted_anew
from language.plain import plain
from reasoning.evidence import Claim, Kind
from sandbox.model.bookings import Finder
from sandbox.model.open_request import Chat
from sandbox.model.order import WHEN, Order
from sandbox.model.prompt import Brief, Step
from sandbox.model.protocol import Arguments, Call
from sandbox.model.said import Said
from sandbox.model.tools import Param, Tool, Toolbox
from sandbox.model.values import Moment, UnclearError, moment_of

_WITH = re.compile(r"\b(?:with|con)\s+", re.IGNORECASE)
_ENDS = re.compile(
    r"[,.;:!?]|\s(?:on|at|for|about|in|titled|title|to|by|per|il|alle|alla|ore|su|a|di|and|e)\s", re.IGNORECASE
)
_RECURS = frozenset({"EVERY", "RECUR"})
_TO = re.compile(r"\s*(?:to|through|thru|until|till|-|–|a|al|fino a|fino al)\s*", re.IGNORECASE)
_CHANGES = frozenset({"move", "cancel", "resize", "rename"})


@dataclass(slots=True)
class Wish:
    """What has been said of the new thing so far, later words in the place of earlier ones."""

    whom: str = ""
    days: list[Claim] = field(default_factory=list)
    times: list[Claim] = field(default_factory=list)


def maker_of(toolbox: Toolbox) -> Tool | None:
    """The changing tool that makes something new with somebody."""
    return next((t for t in toolbox.writes if t.with_role(Role.DATE) and _whom_of(t) and not _booked(t)), None)


def made(chat: Chat, finder: Finder) -> list[Call] | None:
    """The calls that make what is asked for; None where nothing new is asked for. Raises `UnclearError`."""
    tool = maker_of(finder.toolbox)
    if tool is None:
        return None
    texts = [chat.read(text) for text in chat.said[chat.open_since :]]
    starts = [place for place, said in enumerate(texts) if _wants(said)]
    waiting = _waiting(chat.brief, tool)
    if not starts and waiting is None:
        return None
    if chat.now.does(*_CHANGES) and not (starts and starts[-1] == len(texts) - 1):
        return None
    wish = Wish()
    if starts:
        for said in texts[starts[-1] :]:
            _take(wish, said, chat.brief, asked=said is not texts[starts[-1]])
        return _calls(tool, wish, chat.brief)
    assert waiting is not None
    if chat.now.asks or not any(c.kind in WHEN for c in chat.now.claims) or any(o.mentions for o in chat.orders):
        return None
    _take(wish, chat.now, chat.brief, asked=True)
    return _changed(tool, waiting, wish, chat.brief)


def _wants(said: Said) -> bool:
    return wanted_anew(plain(said.text)) and not said.does("move", "cancel")


def _waiting(brief: Brief, tool: Tool) -> Step | None:
    return brief.pending[0] if len(brief.pending) == 1 and brief.pending[0].tool == tool.name else None


def _booked(tool: Tool) -> bool:
    return tool.with_role(Role.BOOKING) is not None


def _whom_of(tool: Tool) -> Param | None:
    """The one text that a tool needs: whom the new thing is with."""
    needed = [p for p in tool.params if p.required and p.role not in (Role.DATE, Role.TIME)]
    texts = [p for p in needed if p.role is None and p.type == "string" and not p.choices]
    return texts[0] if len(texts) == 1 == len(needed) else None


def _take(wish: Wish, said: Said, brief: Brief, *, asked: bool) -> None:
    """Put what a message says in the place of what was said before it. Raises `UnclearError`."""
    whens = [c for c in said.claims if c.kind in WHEN]
    for claim in whens:
        symbols = {t.symbol for t in lex(claim.text, get_locale(brief.locale)).tokens}
        if symbols & _RECURS:
            raise UnclearError("recurring", claim.text)
    _refuse_several_days(said, [c for c in whens if c.kind is Kind.DAY])
    days = [c for c in whens if c.kind is Kind.DAY and c.stands]
    times = [c for c in whens if c.kind is Kind.TIME and c.stands]
    if asked and not times:
        times = [replace(c, kind=Kind.TIME) for c in said.claims if c.kind is Kind.TIME]
    wish.days, wish.times = days or wish.days, times or wish.times
    whom = _whom(said)
    wish.whom = whom or (_answer(said) if asked and not wish.whom else "") or wish.whom


def _refuse_several_days(said: Said, days: list[Claim]) -> None:
    for one, other in pairwise(days):
        if _TO.fullmatch(said.text[one.span[1] : other.span[0]]):
            raise UnclearError("several_days", said.text[one.span[0] : other.span[1]])


def _whom(said: Said) -> str:
    """The words behind "with", up to a day, a time, or another small word."""
    found = _WITH.search(said.text)
    if found is None:
        return ""
    ends = [c.span[0] for c in said.claims if c.span[0] >= found.end()]
    rest = said.text[found.end() : min(ends, default=len(said.text))]
    stop = _ENDS.search(f"{rest} ")
    return (rest[: stop.start()] if stop else rest).strip(" '’\"")


def _answer(said: Said) -> str:
    """A whole message that is no more than a name."""
    return "" if said.claims or len(said.parts) > 4 else said.text.strip(" .!,")


def _calls(tool: Tool, wish: Wish, brief: Brief) -> list[Call]:
    spot = _whom_of(tool)
    assert spot is not None
    if not wish.whom:
        raise UnclearError("with_whom", "")
    if not wish.days and not wish.times:
        raise UnclearError("on_when", "")
    if not wish.days:
        raise UnclearError("on_which_day", "")
    days = _each(wish.days)
    calls = []
    for claims in days:
        moment = _moment([*claims, *wish.times], brief)
        if moment.at is None:
            raise UnclearError("at_what_time", "")
        calls.append(Call(tool.name, {spot.name: wish.whom, **_when(tool, moment)}))
    return calls


def _each(days: list[Claim]) -> list[list[Claim]]:
    """ "Monday and Wednesday": a call for each."""
    if all(len(c.values) == 1 and not c.doubtful for c in days):
        return [[c] for c in {c.values[0]: c for c in days}.values()]
    return [days]


def _changed(tool: Tool, waiting: Step, wish: Wish, brief: Brief) -> list[Call]:
    """The call that waits, with another day or time."""
    moment = _moment([*wish.days, *wish.times], brief)
    return [Call(tool.name, {**waiting.arguments, **_when(tool, moment)})]


def _moment(claims: list[Claim], brief: Brief) -> Moment:
    return moment_of(Order(claims=claims), brief, None, Moment())


def _when(tool: Tool, moment: Moment) -> Arguments:
    day, at = tool.with_role(Role.DATE), tool.with_role(Role.TIME)
    values: Arguments = {}
    if day is not None and moment.day is not None:
        values[day.name] = moment.day.isoformat()
    if at is not None and moment.at is not None:
        values[at.name] = moment.at.strftime("%H:%M")
    return values
