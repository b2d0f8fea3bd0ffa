"""Creation of something new, "a meeting with Aviad on Wednesday at 14:00", as calls of the tool that makes it.

Such a tool takes no booking; it needs a day, a time, and one text: whom it is with. The tool's examples show which
words lead to which text. Every word is explained, or asked about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

from contracts.enums import ParameterRole as Role
from language.dates.times import recurs
from language.extraction import Mention, MentionKind, week_named
from language.locales import alternatives, in_all, words_in_all
from language.messages.formatting import compact_day_label
from language.requests.creation import asks_to_meet, says_to_make
from language.text.normalize import normalize_text
from offline_planner.bookings.booking_search import BookingFinder, LookUpNeeded
from offline_planner.bookings.creation_details import CreationDetails, details_of, several_days
from offline_planner.brief import Brief, BriefStep
from offline_planner.chat import ChatState
from offline_planner.message import ParsedMessage
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.mentions import free_runs
from offline_planner.orders.order import WHEN, Order
from offline_planner.orders.values import Moment, moment_of, settled
from offline_planner.protocol import Arguments, Call, as_json
from offline_planner.tools import Param, Tool, Toolbox

_ALSO_WITH = [(re.compile(way, re.IGNORECASE), word) for way, word in in_all("planner_creation", "ALSO_WITH")]
_FREE = re.compile(rf"\b(?:{alternatives('planner_creation', 'FREE')})\b")
_NO_NAMES = words_in_all("planner_creation", "NO_NAMES")
_SAYS_NOTHING = frozenset(("function", "polite"))
_WITH = re.compile(rf"\b(?:{alternatives('planner_creation', 'WITH')})\s+\w")
_CHANGES = ("move", "cancel", "resize", "rename")
_WEEK = 7


@dataclass(slots=True)
class BookingDraft:
    """Collect what the messages state about the new booking; later words replace earlier ones. `texts` are by
    parameter, `week` is a week without a day."""

    texts: dict[str, object] = field(default_factory=dict)
    days: list[Mention] = field(default_factory=list)
    times: list[Mention] = field(default_factory=list)
    shifts: list[Mention] = field(default_factory=list)
    week: tuple[date, date] | None = None


def maker_of(toolbox: Toolbox) -> Tool | None:
    """Return the changing tool that makes something new with a person, or None."""
    tools = (t for t in toolbox.writes if t.with_role(Role.DATE) and not t.with_role(Role.BOOKING))
    return next((t for t in tools if whom_of(t)), None)


def made(chat: ChatState, finder: BookingFinder) -> list[Call] | None:
    """Return the calls that make what is asked for; None where nothing new is asked for. Raises `UnclearError`, with
    the free days of a week named without a day, and `LookUpNeeded`."""
    tool = maker_of(finder.toolbox)
    if tool is None:
        return None
    texts = [chat.read(_with_whom(text)) for text in chat.texts[chat.open_since :]]
    starts = [
        index for index, spoken in enumerate(texts) if _wants(spoken) or (_only_with(spoken) and not chat.brief.pending)
    ]
    waiting = _waiting(chat.brief, tool)
    if starts and not (texts[-1].does(*_CHANGES) and starts[-1] < len(texts) - 1):
        draft = BookingDraft()
        for message in texts[starts[-1] :]:
            _take(draft, message, tool, chat.brief, asked=message is not texts[starts[-1]])
        return _calls(tool, draft, finder)
    whens = [c for c in chat.now.mentions if c.kind in (*WHEN, MentionKind.SHIFT)]
    if waiting is None or chat.now.asks or not whens or any(o.mentions for o in chat.orders):
        return None
    draft = BookingDraft()
    _take(draft, chat.now, tool, chat.brief, asked=True)
    return [_changed(tool, waiting, draft, chat.brief)]


def _with_whom(text: str) -> str:
    """Return the text with every expression for "with" in one form."""
    for way, word in _ALSO_WITH:
        text = way.sub(word, text)
    return text


def free_when(chat: ChatState, finder: BookingFinder) -> bool:
    """Return whether the message asks when a person is free. Raises `LookUpNeeded` until known, `UnclearError`."""
    checker = finder.toolbox.checker
    if checker is None or whom_of(checker) is None or not _asks_for_time(chat.now):
        return False
    if any(p.does(*_CHANGES) and not _FREE.fullmatch(normalize_text(p.text)) for p in chat.now.parts):
        return False
    runs = free_runs(chat.now, (0, len(chat.now.text)))
    days = [c for c in chat.now.mentions if c.kind is MentionKind.DAY]
    if len(runs) != 1 or not days or all(_FREE.fullmatch(normalize_text(part.text)) for part in runs[0]):
        return False
    words = [part.text for part in runs[0] if not _FREE.fullmatch(normalize_text(part.text))]
    name = " ".join(words).removesuffix("'s").removesuffix("’s")
    if normalize_text(name) in _NO_NAMES:
        raise UnclearError("with_whom", "")
    draft = BookingDraft(texts={}, week=_week(chat.now, chat.brief))
    _take_whens(draft, chat.now, chat.brief, asked=False)
    _look(checker, name, draft, finder)
    return True


def _asks_for_time(message: ParsedMessage) -> bool:
    return message.does("room", "look") or _FREE.search(normalize_text(message.text)) is not None


def whom_of(tool: Tool) -> Param | None:
    """Return the one text that a tool needs: whom the new booking is with."""
    needed = [p for p in tool.params if p.required and p.role not in (Role.DATE, Role.TIME)]
    texts = [p for p in needed if p.role is None and p.type == "string" and not p.choices]
    return texts[0] if len(texts) == 1 == len(needed) else None


def _wants(message: ParsedMessage) -> bool:
    changes = any(p.does("move", "cancel") and not says_to_make(normalize_text(p.text)) for p in message.parts)
    return asks_to_meet(normalize_text(message.text)) and not changes


def _only_with(message: ParsedMessage) -> bool:
    """Return whether the message states only with whom and when: "Tuesday 3pm with Aviad"."""
    quiet = all(part.senses <= _SAYS_NOTHING for part in message.parts)
    return (
        quiet
        and _WITH.search(normalize_text(message.text)) is not None
        and any(c.kind in WHEN for c in message.mentions)
    )


def _waiting(brief: Brief, tool: Tool) -> BriefStep | None:
    """Return the step that is pending, or that has just failed, to make something: "4pm then" refers to it."""
    steps = brief.pending or brief.failed
    return steps[0] if len(steps) == 1 and steps[0].tool == tool.name else None


def _take(draft: BookingDraft, message: ParsedMessage, tool: Tool, brief: Brief, *, asked: bool) -> None:
    """Put what a message states in place of earlier values. Raises `UnclearError`."""
    if again := recurs(message.text):
        raise UnclearError("recurring", message.text[slice(*again)])
    if stretch := several_days(message):
        raise UnclearError("several_days", stretch)
    week = _week(message, brief)
    details = details_of(message, tool, [c for c in message.mentions if c.kind in (*WHEN, MentionKind.SHIFT)])
    spot = whom_of(tool)
    if asked and spot is not None and not details.values and _is_name(message):
        details = CreationDetails({spot.name: message.text.strip(" .!,?")}, "")
    if details.unclear:
        raise UnclearError("unclear", details.unclear)
    draft.texts |= details.values
    draft.week = week or draft.week
    _take_whens(draft, message, brief, asked=asked)


def _is_name(message: ParsedMessage) -> bool:
    """Return whether the whole message is a name, which answers with whom."""
    runs = free_runs(message, (0, len(message.text)))
    return not message.mentions and len(runs) == 1 and len(runs[0]) == len(message.parts)


def _take_whens(draft: BookingDraft, message: ParsedMessage, brief: Brief, *, asked: bool) -> None:
    mentions = [c for c in message.mentions if c.is_asserted]
    if asked and any(c.kind is MentionKind.NUMBER for c in mentions):
        mentions = settled(
            Order(claims=mentions, text=message.text), message.text, brief, None, MentionKind.TIME
        ).claims
    doubtful = [c for c in message.mentions if c.vague and c.kind in WHEN and not (draft.week and not c.values)]
    days = [c for c in (*mentions, *doubtful) if c.kind is MentionKind.DAY]
    draft.days = days or draft.days
    draft.times = [c for c in (*mentions, *doubtful) if c.kind is MentionKind.TIME] or draft.times
    draft.shifts = [c for c in mentions if c.kind is MentionKind.SHIFT] or draft.shifts
    if draft.week is not None and days:
        draft.days = [_in_week(c, draft.week) for c in days]


def _in_week(mention: Mention, week: tuple[date, date]) -> Mention:
    """Return a day as that of the week named before: "Next week", then "Friday"."""
    first, last = week
    if len(mention.values) != 1 or first <= date.fromisoformat(mention.values[0]) <= last:
        return mention
    moved = date.fromisoformat(mention.values[0]) + timedelta(days=_WEEK)
    return replace(mention, values=(moved.isoformat(),)) if first <= moved <= last else mention


def _week(message: ParsedMessage, brief: Brief) -> tuple[date, date] | None:
    """Return the first day still to come and the last day of a week named without a day, or None."""
    vague = next((c for c in message.mentions if c.kind is MentionKind.DAY and c.vague and not c.values), None)
    now = brief.now.replace(tzinfo=ZoneInfo(brief.zone))
    week = week_named(vague.text, now, brief.locale) if vague is not None else None
    return (max(week[0], now.date()), week[1]) if week is not None else None


def _calls(tool: Tool, draft: BookingDraft, finder: BookingFinder) -> list[Call]:
    spot = whom_of(tool)
    assert spot is not None
    if not draft.texts.get(spot.name):
        raise UnclearError("with_whom", "")
    if not draft.days and draft.week is not None and finder.toolbox.checker is not None:
        free = _look(finder.toolbox.checker, str(draft.texts[spot.name]), draft, finder)
        raise UnclearError("free_days" if free else "no_free_day", free)
    if not draft.days:
        raise UnclearError("on_which_day" if draft.times else "on_when", "")
    if not draft.times:
        raise UnclearError("at_what_time", "")
    calls = []
    for mentions in _each(draft):
        moment = moment_of(Order(claims=mentions), finder.brief, None, Moment())
        calls.append(Call(tool.name, {**draft.texts, **_when(tool, moment)}))
    return calls


def _each(draft: BookingDraft) -> list[list[Mention]]:
    """Return the mentions of each call: "Monday and Wednesday at 10", "Monday at 10 and Wednesday at 3pm"."""
    firm = all(len(c.values) == 1 and not c.vague for c in draft.days)
    if not firm or len({c.values[0] for c in draft.days}) < len(draft.days):
        return [[*draft.days, *draft.times]]
    if len(draft.times) == len(draft.days):
        return [list(pair) for pair in zip(draft.days, draft.times, strict=True)]
    return [[day, *draft.times] for day in draft.days]


def _look(checker: Tool, name: str, draft: BookingDraft, finder: BookingFinder) -> str:
    """Return the days on which a person is free, in words. Raises `LookUpNeeded` until known, `UnclearError`."""
    spot, days = whom_of(checker), [p for p in checker.params if p.role is Role.DATE]
    at = moment_of(Order(claims=draft.times), finder.brief, None, Moment()).at
    if spot is None or not (draft.days or draft.week) or (draft.week and len(days) < 2):
        raise UnclearError("on_which_day", "")
    first, last = draft.week or (None, None)
    if first is None:
        first = moment_of(Order(claims=draft.days), finder.brief, None, Moment()).day
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
    """Return the days that an observation lists, whatever fields the pack uses, each once."""
    found = dict.fromkeys(re.findall(r"\b\d{4}-\d\d-\d\d\b", str(answer)))
    return "; ".join(compact_day_label(date.fromisoformat(day), locale, year=False) for day in found)


def _changed(tool: Tool, waiting: BriefStep, draft: BookingDraft, brief: Brief) -> Call:
    """Return the pending call with another day or time."""
    day, at = tool.with_role(Role.DATE), tool.with_role(Role.TIME)
    own = [waiting.arguments.get(p.name) if p else None for p in (day, at)]
    base = Moment(date.fromisoformat(str(own[0])), time.fromisoformat(str(own[1]))) if all(own) else Moment()
    moment = moment_of(Order(claims=[*draft.days, *draft.times, *draft.shifts]), brief, None, base)
    return Call(tool.name, {**waiting.arguments, **draft.texts, **_when(tool, moment)})


def _when(tool: Tool, moment: Moment) -> Arguments:
    day, at = tool.with_role(Role.DATE), tool.with_role(Role.TIME)
    values: Arguments = {}
    if day is not None and moment.day is not None:
        values[day.name] = moment.day.isoformat()
    if at is not None and moment.at is not None:
        values[at.name] = moment.at.strftime("%H:%M")
    return values
