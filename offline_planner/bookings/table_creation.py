"""Booking of a table, "prenota un tavolo per 4 venerdì alle 20 a nome Anna Verdi", as a call of the tool for it.

Such a tool takes no booking; it needs a day, a time, a head count, a phone number, and one text: the guest's name. One
question asks for all that is missing, and several messages may answer it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, time

from contracts.enums import ParameterRole as Role
from language import Count
from language.extraction import Assertion, Mention, MentionKind
from language.locales import alternatives, words_in_all
from language.messages.nouns import things_of
from language.requests.creation import asks_to_book
from language.text.normalize import normalize_text
from offline_planner.bookings.booking_search import BookingFinder
from offline_planner.brief import Brief, BriefStep
from offline_planner.chat import ChatState
from offline_planner.message import ParsedMessage
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.mentions import free_runs
from offline_planner.orders.order import WHEN, Order
from offline_planner.orders.values import Moment, heads_of, moment_of, settled
from offline_planner.protocol import Arguments, Call
from offline_planner.replies import say
from offline_planner.tools import Param, Tool, Toolbox

_NEEDS = (Role.DATE, Role.TIME, Role.COUNT, Role.PHONE)
_ASKED = {Role.DATE: "day", Role.TIME: "time", Role.COUNT: "heads", Role.PHONE: "phone"}
_LED = re.compile(rf"\b(?:{alternatives('planner_tables', 'LED')})\s*:?\s+", re.IGNORECASE)
"""A name in any case follows these words; after "for" and "per" it needs a capital."""
_FOR = alternatives("planner_tables", "FOR")
_RIGHT_BEHIND_FOR = re.compile(rf"\b(?:{_FOR})\s+$", re.IGNORECASE)
_NAME_WORD = re.compile(r"[^\W\d_][^\W\d_'’-]*(?:['’-][^\W\d_]+)*\.?", re.UNICODE)
_NO_NAME = words_in_all("planner_tables", "NO_NAME")
_PARTICLES = words_in_all("planner_tables", "PARTICLES")
_LONGEST = 4
_CHANGES = ("move", "cancel", "resize", "rename")


@dataclass(slots=True)
class TableDraft:
    """Collect what the messages state about the table; later words replace earlier ones."""

    name: str = ""
    phone: str = ""
    note: str = ""
    days: list[Mention] = field(default_factory=list)
    times: list[Mention] = field(default_factory=list)
    shifts: list[Mention] = field(default_factory=list)
    heads: int | None = None


def booker_of(toolbox: Toolbox) -> Tool | None:
    """Return the changing tool that books a table for a guest, or None."""
    tools = (t for t in toolbox.writes if not t.with_role(Role.BOOKING))
    return next((t for t in tools if all(t.with_role(role) for role in _NEEDS) and _whose(t)), None)


def booked(chat: ChatState, finder: BookingFinder) -> list[Call] | None:
    """Return the call that books the table asked for; None where none is asked for. Raises `UnclearError`, also for
    what is missing."""
    tool = booker_of(finder.toolbox)
    if tool is None or (chat.now.asks and _is_of_another(chat.now)):
        return None
    things = things_of(chat.brief.words, chat.brief.locale)
    # An earlier reply ("there is no table then") is no question, yet the request stays open.
    since = max(0, min(chat.open_since, len(chat.texts) - 1 - chat.brief.open))
    texts = [chat.read(text) for text in chat.texts[since:]]
    starts = [n for n, parsed in enumerate(texts) if asks_to_book(normalize_text(parsed.text), things)]
    if starts and not (len(texts) - 1 > starts[-1] and texts[-1].does(*_CHANGES)):
        draft = TableDraft()
        for message in texts[starts[-1] :]:
            _take(draft, message, chat.brief, answers=message is not texts[starts[-1]])
        return [_call(tool, draft, chat.brief)]
    waiting = _waiting(chat.brief, tool)
    another = any(o.mentions for o in chat.orders) and _LED.search(chat.now.text) is None
    if waiting is None or chat.now.asks or another or chat.now.does("cancel"):
        return None
    draft = TableDraft(heads=_whole(waiting, tool.with_role(Role.COUNT)))
    was = draft.heads
    _take(draft, chat.now, chat.brief, answers=False)
    changed = _changed(tool, waiting, draft, chat.brief)
    return [changed] if draft.heads != was or dict(changed.arguments) != dict(waiting.arguments) else None


def _is_of_another(message: ParsedMessage) -> bool:
    """Return whether a question orders no table: "Is there room on Friday?", not "can you book a table on Friday?"."""
    return message.does("look") or (message.does("room") and not message.orders)


def _whose(tool: Tool) -> Param | None:
    """Return the one text that the tool needs: whose the table is."""
    needed = [p for p in tool.params if p.required and p.role not in _NEEDS]
    texts = [p for p in needed if p.role is None and p.type == "string" and not p.choices]
    return texts[0] if len(texts) == 1 == len(needed) else None


def _waiting(brief: Brief, tool: Tool) -> BriefStep | None:
    """Return the step that is pending, or that has just failed, to book: "alle 21, allora" refers to it."""
    steps = brief.pending or brief.failed
    return steps[0] if len(steps) == 1 and steps[0].tool == tool.name else None


def _whole(step: BriefStep, param: Param | None) -> int | None:
    value = step.arguments.get(param.name) if param is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _take(draft: TableDraft, message: ParsedMessage, brief: Brief, *, answers: bool) -> None:
    """Put what a message states in place of earlier values. Raises `UnclearError`."""
    mentions = [
        c
        for c in message.mentions
        if c.assertion in (Assertion.ASSERTED, Assertion.CORRECTED) and c.kind is not MentionKind.OTHER
    ]
    order = Order(claims=[c for c in mentions if c.is_asserted or c.kind in WHEN], text=message.text)
    known = {MentionKind.TIME: bool(draft.times), MentionKind.COUNT: draft.heads is not None}
    for mention in order.claims:
        known[mention.kind] = True
    order.claims = [_for_so_many(c, message) for c in order.claims]
    known[MentionKind.COUNT] = known[MentionKind.COUNT] or any(c.kind is MentionKind.COUNT for c in order.claims)
    if any(c.kind is MentionKind.NUMBER for c in order.claims):
        order = settled(order, message.text, brief, None, _expected(known))
        left = next((c for c in order.claims if c.kind is MentionKind.NUMBER), None)
        if left is not None:
            raise UnclearError("guests_or_time", left.text)
    days = [c for c in order.claims if c.kind is MentionKind.DAY]
    if days and draft.days:
        # "Friday 28 at 8", then "Saturday": only the day is in doubt, so the hour holds.
        draft.times = [replace(c, vague=c.vague and len(c.values) != 1) for c in draft.times]
    draft.days = days or draft.days
    draft.times = [c for c in order.claims if c.kind is MentionKind.TIME] or draft.times
    draft.shifts = [c for c in order.claims if c.kind is MentionKind.SHIFT]
    heads = heads_of(order, message.text, brief, draft.heads)
    draft.heads = draft.heads if heads is None else heads
    phones = {c.values[0] for c in order.claims if c.kind is MentionKind.PHONE}
    if len(phones) > 1:
        raise UnclearError("which_phone", "")
    draft.phone = next(iter(phones), draft.phone)
    draft.note = message.note or draft.note
    draft.name = _name_in(message, answers=answers and not draft.name) or draft.name


def _for_so_many(mention: Mention, message: ParsedMessage) -> Mention:
    """Return a bare number right behind "for" as a head count, because a table is booked: "Per 4", "for 4"."""
    if mention.kind is not MentionKind.NUMBER or not _RIGHT_BEHIND_FOR.search(message.text[: mention.span[0]]):
        return mention
    heads = Count("absolute", float(mention.values[0]), mention.span)
    return replace(mention, kind=MentionKind.COUNT, values=(), count=heads)


def _expected(known: dict[MentionKind, bool]) -> MentionKind | None:
    """Return the kind of a bare number where only one of hour and head count is missing."""
    if known[MentionKind.TIME] is known[MentionKind.COUNT]:
        return None
    return MentionKind.COUNT if known[MentionKind.TIME] else MentionKind.TIME


def _name_in(message: ParsedMessage, *, answers: bool) -> str:
    """Return whose the table is; "" where unknown. `answers`: the name was asked for, so a bare word may be it."""
    led = _LED.search(message.text)
    if led is not None and (name := _from(message, led.end(), any_case=True)):
        return name
    few = answers and len(message.text.split()) <= _LONGEST + 1
    for run in free_runs(message, (0, len(message.text))):
        index = _first(message, run[0].span[0], any_case=few)
        capital = run[0].text[:1].isupper() and (index > 0 or answers or len(run) > 1)
        if capital or few:
            return _from(message, index, any_case=not capital)
    if few and not message.mentions and not any(p.does("polite", "function") for p in message.parts):
        return _from(message, 0, any_case=True)
    behind = (m.end() for m in re.finditer(rf"\b(?:{_FOR})\s+", message.text, re.IGNORECASE))
    return next((name for place in behind if (name := _from(message, place, any_case=False))), "")


def _first(message: ParsedMessage, index: int, *, any_case: bool) -> int:
    """Return where a name begins when only its later words are unknown: "Mark Twain"."""
    while (before := re.search(r"([^\W\d_][^\W\d_'’-]*)\s$", message.text[:index])) is not None:
        part = next((p for p in message.parts if p.span == before.span(1)), None)
        called = before[1][:1].isupper() or (any_case and part is not None and (part.slip or not part.senses))
        if not called or normalize_text(before[1]) in _NO_NAME or message.covers(before.span(1)) is not None:
            break
        if part is None or part.does("polite", "look", "booking", "event", "phone", "name", "want"):
            break
        index = before.start(1)
    return index


def _from(message: ParsedMessage, index: int, *, any_case: bool) -> str:
    """Return the words of a name from `index` on, up to a stop, a value, or a word that is no name."""
    words: list[str] = []
    end = index
    while len(words) < _LONGEST and (match := _NAME_WORD.match(message.text, index)):
        word = match.group()
        particle = word.lower() in _PARTICLES and words
        if message.covers(match.span()) is not None or (normalize_text(word) in _NO_NAME and not particle):
            break
        if not (any_case or word[:1].isupper() or particle):
            break
        words.append(word)
        index = end = match.end()
        while index < len(message.text) and message.text[index] in " ":
            index += 1
        if index == end:
            break
    while words and words[-1].lower() in _PARTICLES:
        words.pop()
    return " ".join(words).rstrip(".")


def _call(tool: Tool, draft: TableDraft, brief: Brief) -> Call:
    whose = _whose(tool)
    assert whose is not None
    given = {
        Role.DATE: bool(draft.days), Role.TIME: bool(draft.times), Role.COUNT: draft.heads is not None,
        Role.PHONE: bool(draft.phone),
    }  # fmt: skip
    # An unusable value is asked about first: the operator need not repeat the rest to learn that the day is wrong.
    moment = moment_of(Order(claims=[*draft.days, *draft.times]), brief, None, Moment())
    missing = [_ASKED[role] for role in _NEEDS if not given[role]] + ([] if draft.name else ["whose"])
    if missing:
        raise UnclearError("table_lacks", say("table_parts", parts=missing))
    return Call(tool.name, {whose.name: draft.name, **_values(tool, draft, moment)})


def _values(tool: Tool, draft: TableDraft, moment: Moment) -> Arguments:
    by_role = {
        Role.DATE: moment.day.isoformat() if moment.day else None,
        Role.TIME: moment.at.strftime("%H:%M") if moment.at else None,
        Role.COUNT: draft.heads,
        Role.PHONE: draft.phone or None,
        Role.NOTE: draft.note or None,
    }
    spots = ((tool.with_role(role), value) for role, value in by_role.items())
    return {spot.name: value for spot, value in spots if spot is not None and value is not None}


def _changed(tool: Tool, waiting: BriefStep, draft: TableDraft, brief: Brief) -> Call:
    """Return the pending call with what the message now states."""
    whose = _whose(tool)
    assert whose is not None
    day, at = tool.with_role(Role.DATE), tool.with_role(Role.TIME)
    own = [waiting.arguments.get(p.name) if p else None for p in (day, at)]
    base = Moment(date.fromisoformat(str(own[0])), time.fromisoformat(str(own[1]))) if all(own) else Moment()
    moment = moment_of(Order(claims=[*draft.days, *draft.times, *draft.shifts]), brief, None, base)
    named = {whose.name: draft.name} if draft.name else {}
    return Call(tool.name, {**waiting.arguments, **named, **_values(tool, draft, moment)})
