"""Claims as values: one day and time, one head count, contacts, names. What cannot be used is asked about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from types import ModuleType

from contracts.enums import ParameterRole as Role
from language import Count, CountError, check_email, parse_count
from language.counts import CountKind
from language.requests import data_of, parts_of
from language.resolution import Span
from reasoning.evidence import Claim, Kind, Standing
from sandbox.model.order import WHEN, Order
from sandbox.model.prompt import Brief, Row
from sandbox.model.protocol import Arguments
from sandbox.model.tools import Tool

_HOURS = 12
_HALF_HOURS = re.compile(r"(?:[1-9]|1\d|2[0-3])[0-5][05]")
_AFTERNOON = 8
"""The last hour of an afternoon: "Lindqvist to 5" is an hour, "to 11" may be heads."""


class UnclearError(Exception):
    """A value cannot be used as said; `code` is the sentence to ask with, `said` the words it names."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(code)
        self.code = code
        self.said = said


@dataclass(frozen=True, slots=True)
class Moment:
    """The day and the time that a booking should go to, None where it keeps its own."""

    day: date | None = None
    at: time | None = None


def settled(order: Order, text: str, brief: Brief, row: Row | None, expected: Kind | None) -> Order:
    """The order with its bare numbers read as hours or heads: by the words before, by what was asked, or by what the
    booking has now. Raises `UnclearError` where both are possible and `row` is known."""
    bare = [c for c in (*order.claims, *order.former) if _is_bare(c, order) and not _is_clock(c, text)]
    several = len([c for c in bare if c in order.claims]) > 1 or any(c.kind is Kind.COUNT for c in order.claims)
    apart = _each_apart(order, text, bare, brief) if several else {}
    if apart:
        return replace(order, claims=[_as(c, apart[c.span], text, brief) if c in bare else c for c in order.claims])
    kind = _kind_of(order, text, bare, brief, row, expected) if bare else None
    if kind is None and row is not None and any(c in order.claims for c in bare):
        said = next(c.text for c in bare if c in order.claims)
        raise UnclearError("guests_or_time", said)
    if kind is None:
        return order
    claims = [_as(c, kind, text, brief) if c in bare else c for c in order.claims]
    return replace(order, claims=claims)


def _each_apart(order: Order, text: str, bare: list[Claim], brief: Brief) -> dict[Span, Kind]:
    """ "Now 11, start 4": numbers whose own verbs tell them apart; {} where one does not."""
    found: dict[Span, Kind] = {}
    start = 0
    for claim in sorted((*order.claims, *order.former), key=lambda c: c.span):
        between, start = text[start : claim.span[0]], claim.span[1]
        if claim not in bare or claim not in order.claims:
            continue
        parts = parts_of(between, brief.locale)
        if any(p.does("move") for p in parts) and not any(p.does("resize", "count") for p in parts):
            found[claim.span] = Kind.TIME
        elif any(p.does("resize", "now", "count") for p in parts):
            found[claim.span] = Kind.COUNT
        else:
            return {}
    counted = any(c.kind is Kind.COUNT for c in order.claims)
    return found if len({*found.values(), *([Kind.COUNT] if counted else [])}) > 1 else {}


def _is_clock(claim: Claim, text: str) -> bool:
    """ "… e vengono alle 18": an hour by the word in front of it, whatever else is changed."""
    return (
        claim.kind is Kind.TIME and re.search(r"(?:\b(?:at|alle|ore)|@)\s*$", text[: claim.span[0]], re.I) is not None
    )


def _is_bare(claim: Claim, order: Order) -> bool:
    """A number that could be an hour or heads."""
    if claim.kind is Kind.NUMBER:
        return True
    plain = re.fullmatch(r"[\d]{1,3}", claim.text.strip()) is not None
    if plain and claim.kind in WHEN and "resize" in order.verbs and "move" not in order.verbs:
        return True
    return (
        claim.kind is Kind.TIME
        and plain
        and any(
            c.kind in (Kind.NUMBER, Kind.TIME) and c.text.strip().isdigit() and c.standing is not Standing.SAID
            for c in order.former
        )
    )


def _kind_of(
    order: Order, text: str, bare: list[Claim], brief: Brief, row: Row | None, expected: Kind | None
) -> Kind | None:
    wanted = [c for c in bare if c in order.claims] or bare
    before = [text[: c.span[0]] for c in wanted]
    either = all(_goes_either_way(b, brief) for b in before) and not any(c.kind is Kind.COUNT for c in order.claims)
    by_words = None if either else _by_its_words(order, text, bare, wanted, before, brief)
    by_words = by_words or _by_booking(order, bare, row)
    if by_words is not None:
        return by_words
    named = bool(order.mentions or order.former) or any(
        int(c.values[0]) > _HOURS for c in wanted if c.kind is Kind.NUMBER
    )
    if not brief.pending and named and _says_how_many(order, text, wanted, brief):
        return Kind.COUNT
    if expected is not None:
        return expected
    if brief.locale.startswith("en") and _goes_to(order, before, wanted, data_of(brief.locale)):
        return Kind.TIME
    most = _HOURS if brief.locale.startswith("en") and "move" not in order.verbs else 2 * _HOURS
    if any(c.values and c.values[0].isdigit() and int(c.values[0]) > most for c in wanted):
        return Kind.COUNT
    return Kind.TIME if any(c.kind is Kind.DAY for c in order.claims) and "move" in order.verbs else None


def _by_its_words(
    order: Order, text: str, bare: list[Claim], wanted: list[Claim], before: list[str], brief: Brief
) -> Kind | None:
    """What a bare number is by the words of its order."""
    data = data_of(brief.locale)
    if any(c.kind is Kind.COUNT for c in order.claims):
        goes = all(re.search(data.TARGET, b, re.I) and not re.search(data.RESIZED_TO, b, re.I) for b in before)
        return Kind.TIME if goes and order.text and "resize" not in order.verbs else Kind.COUNT
    if all(_is_moved(b, brief) for b in before):
        return Kind.TIME
    if (looks := _by_its_look(order, bare, wanted)) is not None:
        return looks
    doubtful = [c for c in order.claims if c.kind is Kind.TIME and c.doubtful]
    if any(
        c.values[:1] and any(_hour(c.values[0]) % 12 == _hour(d) % 12 for d in v.values)
        for c in wanted
        for v in doubtful
        if v is not c
    ):
        return Kind.TIME
    either = any(p.does("move") and p.does("resize") for p in parts_of(order.text, brief.locale))
    if any(c.kind in (Kind.NUMBER, Kind.COUNT) and _was_counted(c, text, data) for c in order.former):
        return Kind.COUNT
    if (
        "count" in order.topics
        or ("resize" in order.verbs and not either)
        or any(re.search(data.LOSES, b, re.I) or re.search(data.GAINS, b, re.I) for b in before)
        or ("move" not in order.verbs and all(re.search(data.RESIZED_TO, b, re.I) for b in before))
    ):
        return Kind.COUNT
    if all(re.search(data.AT, b, re.I) for b in before) or any(re.fullmatch(r"\d{4}", c.text) for c in wanted):
        return Kind.TIME
    if (
        "move" in order.verbs
        and not order.verbs & {"resize", "change"}
        and all(re.search(data.TARGET, b, re.I) for b in before)
    ):
        return Kind.TIME
    if any(
        c.kind is Kind.NUMBER and re.search(data.COPULA, f"{b}|{c.text}", re.I)
        for c, b in zip(wanted, before, strict=True)
    ):
        return Kind.COUNT
    return None


def _goes_to(order: Order, before: list[str], wanted: list[Claim], data: ModuleType) -> bool:
    """ "Lindqvist to 5": an hour of the afternoon."""
    to_it = all(re.search(data.TARGET, b, re.I) for b in before)
    early = all(c.values and c.values[0].isdigit() and int(c.values[0]) <= _AFTERNOON for c in wanted)
    return to_it and early and bool(order.mentions) and not order.verbs


def _by_its_look(order: Order, bare: list[Claim], wanted: list[Claim]) -> Kind | None:
    """ "4 o'clock, no, 430" is an hour, "6 ppl, sorry, 8" are heads: by what stands beside it."""
    beside = any(c.kind is Kind.TIME for c in (*order.claims, *order.former) if c not in bare)
    if beside and all(_HALF_HOURS.fullmatch(c.text.strip()) for c in wanted):
        return Kind.TIME
    corrected = any(c.kind is Kind.COUNT and c.standing is Standing.CORRECTED for c in order.former)
    return Kind.COUNT if corrected else None


def _was_counted(claim: Claim, text: str, data: ModuleType) -> bool:
    """ "They are not 6 but 9": what gave way was heads."""
    before = text[: claim.span[0]]
    return re.search(data.COPULA, f"{before}|{claim.text}", re.IGNORECASE) is not None


def _is_moved(before: str, brief: Brief) -> bool:
    """ "Push it back to 7, they knock off late": the verb of its own clause moves it there."""
    clause = re.split(r"[,;.:!?](?:\s|$)", before)[-1]
    parts = parts_of(clause, brief.locale)
    towards = re.search(data_of(brief.locale).TARGET, before, re.IGNORECASE) is not None
    return towards and any(p.does("move") for p in parts) and not any(p.does("resize", "count") for p in parts)


def _goes_either_way(before: str, brief: Brief) -> bool:
    """ "Porta Esposito a 9": the verb brings a table to an hour or to so many people, and no article tells."""
    clause = re.split(r"[,;.:!?](?:\s|$)", before)[-1]
    verbs = [p for p in parts_of(clause, brief.locale) if p.does("move")]
    return (
        re.search(r"\ba\s*$", clause, re.IGNORECASE) is not None
        and brief.locale.startswith("it")
        and bool(verbs)
        and all(p.does("change", "resize") for p in verbs)
        and not any(p.does("count", "time") for p in parts_of(clause, brief.locale))
    )


def _says_how_many(order: Order, text: str, wanted: list[Claim], brief: Brief) -> bool:
    """ "Now 11", "make it 16", "siamo in 18", with nothing of an hour about it."""
    if (
        "move" in order.verbs
        or order.topics & {"time", "day"}
        or any(c.kind in WHEN for c in order.claims if c not in wanted)
    ):
        return False
    befores = [text[: c.span[0]] for c in wanted]
    return all(re.search(data_of(brief.locale).HEADS, b, re.IGNORECASE) for b in befores)


def _hour(value: str) -> int:
    return int(value.split(":", maxsplit=1)[0])


def _by_booking(order: Order, bare: list[Claim], row: Row | None) -> Kind | None:
    """ "From 8 to 13" where eight are booked."""
    if row is None:
        return None
    gone = [c for c in bare if c in order.former and c.text.strip().isdigit()]
    if any(int(c.text) == row.guest_count for c in gone):
        return Kind.COUNT
    if row.start_time and any(int(c.text) % 12 == int(row.start_time[:2]) % 12 for c in gone):
        return Kind.TIME
    return None


def _as(claim: Claim, kind: Kind, text: str, brief: Brief) -> Claim:
    """The bare number as an hour or as heads."""
    data = data_of(brief.locale)
    figure = claim.values[0] if claim.kind is Kind.NUMBER else claim.text.strip()
    if kind is Kind.COUNT and len(figure) > 3:
        raise UnclearError("unclear", claim.text)
    if kind is Kind.COUNT:
        before = text[: claim.span[0]]
        less, more = re.search(data.LOSES, before, re.I), re.search(data.GAINS, before, re.I)
        change: CountKind = "subtract" if less else "add" if more else "absolute"
        return replace(
            claim, kind=Kind.COUNT, count=Count(change, float(figure), claim.span), values=(), doubtful=False
        )
    if claim.kind is Kind.TIME:
        return claim
    hour, minute = (int(figure[:-2]), int(figure[-2:])) if len(figure) in (3, 4) else (int(figure), 0)
    readings = [
        time(h, minute)
        for h in dict.fromkeys((hour, (hour + 12) % 24 if hour < 13 else hour))
        if h < 24 and minute < 60
    ]
    open_ = [at for at in readings if any(opens <= at < closes for opens, closes in brief.policy.opening)]
    return replace(claim, kind=Kind.TIME, values=tuple(at.strftime("%H:%M") for at in open_ or readings[:1]))


def moment_of(order: Order, brief: Brief, row: Row | None, base: Moment) -> Moment:
    """The day and time that an order sets; shifts count from `base`, else from the booking. Raises `UnclearError`."""
    past = [c for c in order.former if c.kind is Kind.DAY and c.standing is Standing.REPORTED and c.to]
    if past:
        raise UnclearError("in_past", past[0].text)
    claims = [c for c in order.claims if c.kind in WHEN]
    day = _one_day([c for c in claims if c.kind is Kind.DAY], brief)
    at = _one_time([c for c in claims if c.kind is Kind.TIME])
    shifts = [c for c in order.claims if c.kind is Kind.SHIFT and c.shift is not None]
    if not shifts:
        return Moment(day, at)
    if len({(c.shift.days, c.shift.minutes) for c in shifts if c.shift}) > 1:
        raise UnclearError("one_time", shifts[-1].text)
    shift = shifts[0].shift
    assert shift is not None
    start = _start(row, base, shifts[0].text, needs_time=bool(shift.minutes))
    moved = start + timedelta(days=shift.days, minutes=shift.minutes)
    moved_day = moved.date() if moved.date() != start.date() or base.day is not None else None
    return Moment(day or moved_day, at or (moved.time() if shift.minutes else None))


def _start(row: Row | None, base: Moment, said: str, needs_time: bool) -> datetime:
    day = base.day.isoformat() if base.day else row.date if row else None
    at = base.at.strftime("%H:%M") if base.at else row.start_time if row else None
    if day is None or (needs_time and at is None):
        raise UnclearError("when", said)
    return datetime.fromisoformat(f"{day[:10]}T{at or '00:00'}")


def _one_day(claims: list[Claim], brief: Brief) -> date | None:
    for claim in claims:
        if claim.doubtful or not claim.values:
            gone = len(claim.values) == 1 and claim.values[0] <= brief.now.date().isoformat()
            raise UnclearError("in_past" if gone else "which_day" if claim.values else "vague", claim.text)
    days = {_meant_day(c, brief) for c in claims}
    if len(days) > 1:
        raise UnclearError("which_day", claims[-1].text)
    return days.pop() if days else None


def _meant_day(claim: Claim, brief: Brief) -> date:
    """A weekday said on that same weekday means the next one, a week from today."""
    days = [date.fromisoformat(v) for v in claim.values]
    today = brief.now.date()
    if set(days) == {today, today + timedelta(days=7)}:
        return today + timedelta(days=7)
    if len(days) > 1:
        raise UnclearError("which_day", claim.text)
    return days[0]


def _one_time(claims: list[Claim]) -> time | None:
    firm = [c for c in claims if not c.doubtful]
    doubtful = [c for c in claims if c.doubtful and not any(set(c.values) & set(f.values) for f in firm)]
    if doubtful:
        raise UnclearError("vague", doubtful[0].text)
    if any(len(c.values) != 1 for c in firm):
        raise UnclearError("which_time", next(c.text for c in firm if len(c.values) != 1))
    times = {c.values[0] for c in firm}
    if len(times) > 1:
        raise UnclearError("one_time", firm[-1].text)
    return time.fromisoformat(times.pop()) if times else None


def heads_of(order: Order, text: str, brief: Brief, current: int | None) -> int | None:
    """The new total, None where no count is set. Raises `UnclearError`."""
    claims = [c for c in order.claims if c.kind is Kind.COUNT and c.count is not None]
    if not claims:
        return None
    if any(c.doubtful for c in claims):
        raise UnclearError("count", next(c.text for c in claims if c.doubtful))
    counts = [c.count for c in claims if c.count is not None]
    count: Count | None = counts[0]
    if len({(c.kind, c.amount) for c in counts}) > 1:
        alike = len({c.is_relative for c in counts}) == 1
        together = parse_count(text[claims[0].span[0] : claims[-1].span[1]], locale=brief.locale) if alike else None
        count = _agreeing(counts, current) or together
    try:
        total = count.apply(current) if count is not None else 0
    except CountError as fault:
        raise UnclearError("count", claims[-1].text) from fault
    if total < 1:
        raise UnclearError("count", claims[-1].text)
    return total


def _agreeing(counts: list[Count], current: int | None) -> Count | None:
    """ "Take two off the fifteen, so thirteen": the total where change and totals say the same."""
    totals = [c for c in counts if c.kind == "absolute"]
    if current is not None and len(totals) == len(counts) == 2 and totals[0].amount + totals[1].amount == current:
        # "Down to 6, two are sick", of eight.
        return max(totals, key=lambda c: c.amount)
    changes = [c for c in counts if c.is_relative]
    starts = [int(c.amount) for c in totals] + ([current] if current else [])
    for total in reversed(totals):
        if any(c.apply(start) == total.amount for c in changes for start in starts if start + 0 >= c.amount):
            return total
    return None


def contact_of(order: Order, tool: Tool) -> Arguments:
    """The new e-mail address, phone number and name. Raises `UnclearError`."""
    found: Arguments = {}
    for claim in order.claims:
        if claim.kind in (Kind.EMAIL, Kind.PHONE):
            role = Role.EMAIL if claim.kind is Kind.EMAIL else Role.PHONE
            if role is Role.EMAIL and not check_email(claim.values[0]).ok:
                raise UnclearError("bad_email", claim.text)
            found |= _put(tool, role, claim.values[0], claim.text)
    for name in order.names:
        words = name.text.split()
        if name.part == "whole" and len(words) < 2:
            raise UnclearError("name_part", name.text)
        if name.part in ("last", "whole"):
            found |= _put(tool, Role.LAST_NAME, " ".join(words[1:]) if name.part == "whole" else name.text, name.text)
        if name.part in ("first", "whole"):
            found = _put(tool, Role.FIRST_NAME, words[0] if name.part == "whole" else name.text, name.text) | found
    return found


def _put(tool: Tool, role: Role, value: str, said: str) -> Arguments:
    param = tool.with_role(role)
    if param is None:
        raise UnclearError("unclear", said)
    return {param.name: value}
