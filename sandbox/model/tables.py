"""A table that is asked for, "prenota un tavolo per 4 venerdì alle 20 a nome Anna Verdi", as a call of the tool that
books it.

Such a tool takes no booking; it needs a day, a time, how many come, a phone, and one text: whose it is. What is missing
is asked for in one question, and may come over several messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, time

from contracts.enums import ParameterRole as Role
from language import Count
from language.making import books_anew
from language.nouns import things_of
from language.plain import plain
from reasoning.evidence import Claim, Kind, Standing
from sandbox.model.bookings import Finder
from sandbox.model.mentions import free_runs
from sandbox.model.open_request import Chat
from sandbox.model.order import WHEN, Order
from sandbox.model.prompt import Brief, Step
from sandbox.model.protocol import Arguments, Call
from sandbox.model.said import Said
from sandbox.model.tools import Param, Tool, Toolbox
from sandbox.model.values import Moment, UnclearError, heads_of, moment_of, settled
from sandbox.model.wording import say

_NEEDS = (Role.DATE, Role.TIME, Role.COUNT, Role.PHONE)
_ASKED = {Role.DATE: "day", Role.TIME: "time", Role.COUNT: "heads", Role.PHONE: "phone"}
_LED = re.compile(
    r"\b(?:a nome(?: di)?|intestat[oa] a|si chiama|il nome e|nome|under(?: the name(?: of)?)?|in the name of|"
    r"the name is|name is|name|called)\s*:?\s+",
    re.IGNORECASE,
)
"""Behind these stands a name however it is written; behind "for" and "per" one with a capital."""
_FOR = re.compile(r"\b(?:for|per)\s+$", re.IGNORECASE)
_NAME_WORD = re.compile(r"[^\W\d_][^\W\d_'’-]*(?:['’-][^\W\d_]+)*\.?", re.UNICODE)
_NO_NAME = frozenset("and e ed at on in il la lo alle tel telefono phone numero number cell cellulare con with".split())
_PARTICLES = frozenset("de di del della van von der la lo dal".split())
_LONGEST = 4
_CHANGES = ("move", "cancel", "resize", "rename")


@dataclass(slots=True)
class Wish:
    """What has been said of the table so far, later words in the place of earlier ones."""

    name: str = ""
    phone: str = ""
    note: str = ""
    days: list[Claim] = field(default_factory=list)
    times: list[Claim] = field(default_factory=list)
    shifts: list[Claim] = field(default_factory=list)
    heads: int | None = None


def booker_of(toolbox: Toolbox) -> Tool | None:
    """The changing tool that books a table for somebody."""
    tools = (t for t in toolbox.writes if not t.with_role(Role.BOOKING))
    return next((t for t in tools if all(t.with_role(role) for role in _NEEDS) and _whose(t)), None)


def booked(chat: Chat, finder: Finder) -> list[Call] | None:
    """The call that books what is asked for; None where no table is asked for. Raises `UnclearError`, also with what
    is missing."""
    tool = booker_of(finder.toolbox)
    if tool is None or (chat.now.asks and _is_of_another(chat.now)):
        return None
    things = things_of(chat.brief.words, chat.brief.locale)
    # What was told beforehand ("there is no table then") is no question, and leaves the request open all the same.
    since = max(0, min(chat.open_since, len(chat.said) - 1 - chat.brief.open))
    texts = [chat.read(text) for text in chat.said[since:]]
    starts = [n for n, said in enumerate(texts) if books_anew(plain(said.text), things)]
    if starts and not (len(texts) - 1 > starts[-1] and texts[-1].does(*_CHANGES)):
        wish = Wish()
        for said in texts[starts[-1] :]:
            _take(wish, said, chat.brief, answers=said is not texts[starts[-1]])
        return [_call(tool, wish, chat.brief)]
    waiting = _waiting(chat.brief, tool)
    another = any(o.mentions for o in chat.orders) and _LED.search(chat.now.text) is None
    if waiting is None or chat.now.asks or another or chat.now.does("cancel"):
        return None
    wish = Wish(heads=_whole(waiting, tool.with_role(Role.COUNT)))
    was = wish.heads
    _take(wish, chat.now, chat.brief, answers=False)
    changed = _changed(tool, waiting, wish, chat.brief)
    return [changed] if wish.heads != was or dict(changed.arguments) != dict(waiting.arguments) else None


def _is_of_another(said: Said) -> bool:
    """ "Is there room on Friday?" asks, "can you book a table on Friday?" orders."""
    return said.does("look") or (said.does("room") and not said.orders)


def _whose(tool: Tool) -> Param | None:
    """The one text that the tool needs: whose the table is."""
    needed = [p for p in tool.params if p.required and p.role not in _NEEDS]
    texts = [p for p in needed if p.role is None and p.type == "string" and not p.choices]
    return texts[0] if len(texts) == 1 == len(needed) else None


def _waiting(brief: Brief, tool: Tool) -> Step | None:
    """The step that waits to book, or that has just failed to: "alle 21, allora" is said of it."""
    steps = brief.pending or brief.failed
    return steps[0] if len(steps) == 1 and steps[0].tool == tool.name else None


def _whole(step: Step, param: Param | None) -> int | None:
    value = step.arguments.get(param.name) if param is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _take(wish: Wish, said: Said, brief: Brief, *, answers: bool) -> None:
    """Put what a message says in the place of what was said before it. Raises `UnclearError`."""
    claims = [c for c in said.claims if c.standing in (Standing.SAID, Standing.CORRECTED) and c.kind is not Kind.OTHER]
    order = Order(claims=[c for c in claims if c.stands or c.kind in WHEN], text=said.text)
    known = {Kind.TIME: bool(wish.times), Kind.COUNT: wish.heads is not None}
    for claim in order.claims:
        known[claim.kind] = True
    order.claims = [_for_so_many(c, said) for c in order.claims]
    known[Kind.COUNT] = known[Kind.COUNT] or any(c.kind is Kind.COUNT for c in order.claims)
    if any(c.kind is Kind.NUMBER for c in order.claims):
        order = settled(order, said.text, brief, None, _expected(known))
        left = next((c for c in order.claims if c.kind is Kind.NUMBER), None)
        if left is not None:
            raise UnclearError("guests_or_time", left.text)
    days = [c for c in order.claims if c.kind is Kind.DAY]
    if days and wish.days:
        # "Friday 28 at 8", then "Saturday": only the day was in doubt.
        wish.times = [replace(c, doubtful=c.doubtful and len(c.values) != 1) for c in wish.times]
    wish.days = days or wish.days
    wish.times = [c for c in order.claims if c.kind is Kind.TIME] or wish.times
    wish.shifts = [c for c in order.claims if c.kind is Kind.SHIFT]
    heads = heads_of(order, said.text, brief, wish.heads)
    wish.heads = wish.heads if heads is None else heads
    phones = {c.values[0] for c in order.claims if c.kind is Kind.PHONE}
    if len(phones) > 1:
        raise UnclearError("which_phone", "")
    wish.phone = next(iter(phones), wish.phone)
    wish.note = said.note or wish.note
    wish.name = _name_in(said, answers=answers and not wish.name) or wish.name


def _for_so_many(claim: Claim, said: Said) -> Claim:
    """ "Per 4", "for 4": so many people, where a table is booked."""
    if claim.kind is not Kind.NUMBER or not _FOR.search(said.text[: claim.span[0]]):
        return claim
    heads = Count("absolute", float(claim.values[0]), claim.span)
    return replace(claim, kind=Kind.COUNT, values=(), count=heads)


def _expected(known: dict[Kind, bool]) -> Kind | None:
    """What a bare number must be where only one of the two is still to be said."""
    if known[Kind.TIME] is known[Kind.COUNT]:
        return None
    return Kind.COUNT if known[Kind.TIME] else Kind.TIME


def _name_in(said: Said, *, answers: bool) -> str:
    """Whose the table is; "" where nothing says. `answers`: we have asked, so that a bare word may be it."""
    led = _LED.search(said.text)
    if led is not None and (name := _from(said, led.end(), any_case=True)):
        return name
    few = answers and len(said.text.split()) <= _LONGEST + 1
    for run in free_runs(said, (0, len(said.text))):
        place = _first(said, run[0].span[0], any_case=few)
        capital = run[0].text[:1].isupper() and (place > 0 or answers or len(run) > 1)
        if capital or few:
            return _from(said, place, any_case=not capital)
    if few and not said.claims and not any(p.does("polite", "function") for p in said.parts):
        return _from(said, 0, any_case=True)
    behind = (m.end() for m in re.finditer(r"\b(?:for|per)\s+", said.text, re.IGNORECASE))
    return next((name for place in behind if (name := _from(said, place, any_case=False))), "")


def _first(said: Said, place: int, *, any_case: bool) -> int:
    """Where a name begins whose later words alone are nobody else's: "Mark Twain"."""
    while (before := re.search(r"([^\W\d_][^\W\d_'’-]*)\s$", said.text[:place])) is not None:
        part = next((p for p in said.parts if p.span == before.span(1)), None)
        called = before[1][:1].isupper() or (any_case and part is not None and (part.slip or not part.senses))
        if not called or plain(before[1]) in _NO_NAME or said.covers(before.span(1)) is not None:
            break
        if part is None or part.does("polite", "look", "booking", "event", "phone", "name", "want"):
            break
        place = before.start(1)
    return place


def _from(said: Said, place: int, *, any_case: bool) -> str:
    """The words of a name from here on: up to a stop, a value, or a word that is none."""
    words: list[str] = []
    end = place
    while len(words) < _LONGEST and (match := _NAME_WORD.match(said.text, place)):
        word = match.group()
        particle = word.lower() in _PARTICLES and words
        if said.covers(match.span()) is not None or (plain(word) in _NO_NAME and not particle):
            break
        if not (any_case or word[:1].isupper() or particle):
            break
        words.append(word)
        place = end = match.end()
        while place < len(said.text) and said.text[place] in " ":
            place += 1
        if place == end:
            break
    while words and words[-1].lower() in _PARTICLES:
        words.pop()
    return " ".join(words).rstrip(".")


def _call(tool: Tool, wish: Wish, brief: Brief) -> Call:
    whose = _whose(tool)
    assert whose is not None
    given = {
        Role.DATE: bool(wish.days), Role.TIME: bool(wish.times), Role.COUNT: wish.heads is not None,
        Role.PHONE: bool(wish.phone),
    }  # fmt: skip
    # What was said and cannot be used is asked about first: nobody repeats the rest to hear that the day was wrong.
    moment = moment_of(Order(claims=[*wish.days, *wish.times]), brief, None, Moment())
    missing = [_ASKED[role] for role in _NEEDS if not given[role]] + ([] if wish.name else ["whose"])
    if missing:
        raise UnclearError("table_lacks", say("table_parts", parts=missing))
    return Call(tool.name, {whose.name: wish.name, **_values(tool, wish, moment)})


def _values(tool: Tool, wish: Wish, moment: Moment) -> Arguments:
    by_role = {
        Role.DATE: moment.day.isoformat() if moment.day else None,
        Role.TIME: moment.at.strftime("%H:%M") if moment.at else None,
        Role.COUNT: wish.heads,
        Role.PHONE: wish.phone or None,
        Role.NOTE: wish.note or None,
    }
    spots = ((tool.with_role(role), value) for role, value in by_role.items())
    return {spot.name: value for spot, value in spots if spot is not None and value is not None}


def _changed(tool: Tool, waiting: Step, wish: Wish, brief: Brief) -> Call:
    """The call that waits, with what is said of it now."""
    whose = _whose(tool)
    assert whose is not None
    day, at = tool.with_role(Role.DATE), tool.with_role(Role.TIME)
    own = [waiting.arguments.get(p.name) if p else None for p in (day, at)]
    base = Moment(date.fromisoformat(str(own[0])), time.fromisoformat(str(own[1]))) if all(own) else Moment()
    moment = moment_of(Order(claims=[*wish.days, *wish.times, *wish.shifts]), brief, None, base)
    named = {whose.name: wish.name} if wish.name else {}
    return Call(tool.name, {**waiting.arguments, **named, **_values(tool, wish, moment)})
