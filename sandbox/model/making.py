"""Something new that is asked for, "a meeting with Aviad on Wednesday at 14:00", as calls of the tool that makes it.

Such a tool takes no booking; it needs a day, a time, and one text: whom it is with. Which words lead to which text is
learned from the tool's examples. Each word is explained, or asked about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

from contracts.enums import ParameterRole as Role
from language.labels import compact_day_label
from language.making import says_to_make, wanted_anew
from language.plain import plain
from language.recurring import recurs
from reasoning.evidence import Claim, Kind, week_named
from sandbox.model.bookings import Finder, LookUpNeeded
from sandbox.model.mentions import free_runs
from sandbox.model.open_request import Chat
from sandbox.model.order import WHEN, Order
from sandbox.model.prompt import Brief, Step
from sandbox.model.protocol import Arguments, Call, as_json
from sandbox.model.said import Said
from sandbox.model.told import Told, several_days, told_of
from sandbox.model.tools import Param, Tool, Toolbox
from sandbox.model.values import Moment, UnclearError, moment_of, settled

_AND_ME = re.compile(r"\bw/\s*|\bbetween (?:me|us) and\s+|\btra me e\s+", re.IGNORECASE)
"""Other ways of saying with whom."""
_FREE = re.compile(r"\b(?:free|available|availability|liber[oa]|disponibil\w+)\b")
_NOBODY = frozenset("who anyone anybody someone somebody everyone everybody we chi qualcuno tutti noi".split())
_SAYS_NOTHING = frozenset(("function", "polite"))
_WITH = re.compile(r"\b(?:with|con)\s+\w")
_CHANGES = ("move", "cancel", "resize", "rename")
_WEEK = 7


@dataclass(slots=True)
class Wish:
    """What has been said of the new thing so far, later words in the place of earlier ones. `texts` are by parameter,
    `week` is a week without a day."""

    texts: dict[str, object] = field(default_factory=dict)
    days: list[Claim] = field(default_factory=list)
    times: list[Claim] = field(default_factory=list)
    shifts: list[Claim] = field(default_factory=list)
    week: tuple[date, date] | None = None


def maker_of(toolbox: Toolbox) -> Tool | None:
    """The changing tool that makes something new with somebody."""
    tools = (t for t in toolbox.writes if t.with_role(Role.DATE) and not t.with_role(Role.BOOKING))
    return next((t for t in tools if whom_of(t)), None)


def made(chat: Chat, finder: Finder) -> list[Call] | None:
    """The calls that make what is asked for; None where nothing new is asked for. Raises `UnclearError`, with the free
    days of a week that was named without a day, `LookUpNeeded`."""
    tool = maker_of(finder.toolbox)
    if tool is None:
        return None
    texts = [chat.read(_AND_ME.sub("with ", text)) for text in chat.said[chat.open_since :]]
    starts = [
        place for place, said in enumerate(texts) if _wants(said) or (_only_with(said) and not chat.brief.pending)
    ]
    waiting = _waiting(chat.brief, tool)
    if starts and not (texts[-1].does(*_CHANGES) and starts[-1] < len(texts) - 1):
        wish = Wish()
        for said in texts[starts[-1] :]:
            _take(wish, said, tool, chat.brief, asked=said is not texts[starts[-1]])
        return _calls(tool, wish, finder)
    whens = [c for c in chat.now.claims if c.kind in (*WHEN, Kind.SHIFT)]
    if waiting is None or chat.now.asks or not whens or any(o.mentions for o in chat.orders):
        return None
    wish = Wish()
    _take(wish, chat.now, tool, chat.brief, asked=True)
    return [_changed(tool, waiting, wish, chat.brief)]


def free_when(chat: Chat, finder: Finder) -> bool:
    """Whether it is asked when somebody is free, and the look-up has told. Raises `LookUpNeeded`."""
    checker = finder.toolbox.checker
    if checker is None or whom_of(checker) is None or not _asks_for_time(chat.now):
        return False
    if any(p.does(*_CHANGES) and not _FREE.fullmatch(plain(p.text)) for p in chat.now.parts):
        return False
    runs = free_runs(chat.now, (0, len(chat.now.text)))
    days = [c for c in chat.now.claims if c.kind is Kind.DAY]
    if len(runs) != 1 or not days or all(_FREE.fullmatch(plain(part.text)) for part in runs[0]):
        return False
    words = [part.text for part in runs[0] if not _FREE.fullmatch(plain(part.text))]
    name = " ".join(words).removesuffix("'s").removesuffix("’s")
    if plain(name) in _NOBODY:
        raise UnclearError("with_whom", "")
    wish = Wish(texts={}, week=_week(chat.now, chat.brief))
    _take_whens(wish, chat.now, chat.brief, asked=False)
    _look(checker, name, wish, finder)
    return True


def _asks_for_time(said: Said) -> bool:
    return said.does("room", "look") or _FREE.search(plain(said.text)) is not None


def whom_of(tool: Tool) -> Param | None:
    """The one text that a tool needs: whom the new thing is with."""
    needed = [p for p in tool.params if p.required and p.role not in (Role.DATE, Role.TIME)]
    texts = [p for p in needed if p.role is None and p.type == "string" and not p.choices]
    return texts[0] if len(texts) == 1 == len(needed) else None


def _wants(said: Said) -> bool:
    changes = any(p.does("move", "cancel") and not says_to_make(plain(p.text)) for p in said.parts)
    return wanted_anew(plain(said.text)) and not changes


def _only_with(said: Said) -> bool:
    """ "Tuesday 3pm with Aviad": no more than with whom and when."""
    quiet = all(part.senses <= _SAYS_NOTHING for part in said.parts)
    return quiet and _WITH.search(plain(said.text)) is not None and any(c.kind in WHEN for c in said.claims)


def _waiting(brief: Brief, tool: Tool) -> Step | None:
    """The step that waits to make something, or that has just failed to: "4pm then" is said of it."""
    steps = brief.pending or brief.failed
    return steps[0] if len(steps) == 1 and steps[0].tool == tool.name else None


def _take(wish: Wish, said: Said, tool: Tool, brief: Brief, *, asked: bool) -> None:
    """Put what a message says in the place of what was said before it. Raises `UnclearError`."""
    if again := recurs(said.text):
        raise UnclearError("recurring", said.text[slice(*again)])
    if stretch := several_days(said):
        raise UnclearError("several_days", stretch)
    week = _week(said, brief)
    told = told_of(said, tool, [c for c in said.claims if c.kind in (*WHEN, Kind.SHIFT)])
    spot = whom_of(tool)
    if asked and spot is not None and not told.values and _is_name(said):
        told = Told({spot.name: said.text.strip(" .!,?")}, "")
    if told.unclear:
        raise UnclearError("unclear", told.unclear)
    wish.texts |= told.values
    wish.week = week or wish.week
    _take_whens(wish, said, brief, asked=asked)


def _is_name(said: Said) -> bool:
    """Whether a whole message is no more than a name: it answers who is meant."""
    runs = free_runs(said, (0, len(said.text)))
    return not said.claims and len(runs) == 1 and len(runs[0]) == len(said.parts)


def _take_whens(wish: Wish, said: Said, brief: Brief, *, asked: bool) -> None:
    claims = [c for c in said.claims if c.stands]
    if asked and any(c.kind is Kind.NUMBER for c in claims):
        claims = settled(Order(claims=claims, text=said.text), said.text, brief, None, Kind.TIME).claims
    doubtful = [c for c in said.claims if c.doubtful and c.kind in WHEN and not (wish.week and not c.values)]
    days = [c for c in (*claims, *doubtful) if c.kind is Kind.DAY]
    wish.days = days or wish.days
    wish.times = [c for c in (*claims, *doubtful) if c.kind is Kind.TIME] or wish.times
    wish.shifts = [c for c in claims if c.kind is Kind.SHIFT] or wish.shifts
    if wish.week is not None and days:
        wish.days = [_in_week(c, wish.week) for c in days]


def _in_week(claim: Claim, week: tuple[date, date]) -> Claim:
    """ "Next week", then "Friday": that week's."""
    first, last = week
    if len(claim.values) != 1 or first <= date.fromisoformat(claim.values[0]) <= last:
        return claim
    moved = date.fromisoformat(claim.values[0]) + timedelta(days=_WEEK)
    return replace(claim, values=(moved.isoformat(),)) if first <= moved <= last else claim


def _week(said: Said, brief: Brief) -> tuple[date, date] | None:
    """The first day still to come and the last of a week that is named without a day."""
    vague = next((c for c in said.claims if c.kind is Kind.DAY and c.doubtful and not c.values), None)
    now = brief.now.replace(tzinfo=ZoneInfo(brief.zone))
    week = week_named(vague.text, now, brief.locale) if vague is not None else None
    return (max(week[0], now.date()), week[1]) if week is not None else None


def _calls(tool: Tool, wish: Wish, finder: Finder) -> list[Call]:
    spot = whom_of(tool)
    assert spot is not None
    if not wish.texts.get(spot.name):
        raise UnclearError("with_whom", "")
    if not wish.days and wish.week is not None and finder.toolbox.checker is not None:
        free = _look(finder.toolbox.checker, str(wish.texts[spot.name]), wish, finder)
        raise UnclearError("free_days" if free else "no_free_day", free)
    if not wish.days:
        raise UnclearError("on_which_day" if wish.times else "on_when", "")
    if not wish.times:
        raise UnclearError("at_what_time", "")
    calls = []
    for claims in _each(wish):
        moment = moment_of(Order(claims=claims), finder.brief, None, Moment())
        calls.append(Call(tool.name, {**wish.texts, **_when(tool, moment)}))
    return calls


def _each(wish: Wish) -> list[list[Claim]]:
    """ "Monday and Wednesday at 10", "Monday at 10 and Wednesday at 3pm": a call for each."""
    firm = all(len(c.values) == 1 and not c.doubtful for c in wish.days)
    if not firm or len({c.values[0] for c in wish.days}) < len(wish.days):
        return [[*wish.days, *wish.times]]
    if len(wish.times) == len(wish.days):
        return [list(pair) for pair in zip(wish.days, wish.times, strict=True)]
    return [[day, *wish.times] for day in wish.days]


def _look(checker: Tool, name: str, wish: Wish, finder: Finder) -> str:
    """The days on which somebody is free, in words. Raises `LookUpNeeded` until that is known, `UnclearError`."""
    spot, days = whom_of(checker), [p for p in checker.params if p.role is Role.DATE]
    at = moment_of(Order(claims=wish.times), finder.brief, None, Moment()).at
    if spot is None or not (wish.days or wish.week) or (wish.week and len(days) < 2):
        raise UnclearError("on_which_day", "")
    first, last = wish.week or (None, None)
    if first is None:
        first = moment_of(Order(claims=wish.days), finder.brief, None, Moment()).day
    values: Arguments = {spot.name: name, days[0].name: str(first)}
    if last is not None:
        values[days[1].name] = last.isoformat()
    clock = checker.with_role(Role.TIME)
    if at is not None and clock is not None:
        values[clock.name] = at.strftime("%H:%M")
    call = Call(checker.name, values)
    answer = finder.transcript.answer(call)
    if answer is None:
        raise LookUpNeeded([call])
    return _days_in(as_json(answer), finder.brief.locale)


def _days_in(answer: object, locale: str) -> str:
    """The days that an observation lists, whatever the pack calls them, each once."""
    found = dict.fromkeys(re.findall(r"\b\d{4}-\d\d-\d\d\b", str(answer)))
    return "; ".join(compact_day_label(date.fromisoformat(day), locale, year=False) for day in found)


def _changed(tool: Tool, waiting: Step, wish: Wish, brief: Brief) -> Call:
    """The call that waits, with another day or time."""
    day, at = tool.with_role(Role.DATE), tool.with_role(Role.TIME)
    own = [waiting.arguments.get(p.name) if p else None for p in (day, at)]
    base = Moment(date.fromisoformat(str(own[0])), time.fromisoformat(str(own[1]))) if all(own) else Moment()
    moment = moment_of(Order(claims=[*wish.days, *wish.times, *wish.shifts]), brief, None, base)
    return Call(tool.name, {**waiting.arguments, **wish.texts, **_when(tool, moment)})


def _when(tool: Tool, moment: Moment) -> Arguments:
    day, at = tool.with_role(Role.DATE), tool.with_role(Role.TIME)
    values: Arguments = {}
    if day is not None and moment.day is not None:
        values[day.name] = moment.day.isoformat()
    if at is not None and moment.at is not None:
        values[at.name] = moment.at.strftime("%H:%M")
    return values
