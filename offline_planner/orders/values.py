"""Values of claims: bare numbers as hours or heads, a day and time, a head count. Unusable ones are asked about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from language import Count, CountError, parse_count
from language.dates.resolution import Span
from language.extraction import Assertion, Mention, MentionKind
from language.locales import LanguageData, alternatives
from language.numbers.counts import CountKind
from language.requests.parts import request_words, tag_words
from offline_planner.brief import Brief, Row
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.order import WHEN, Order
from offline_planner.replies import words_of

_HOURS = 12
_HOURS_OF_A_DAY = 24
_HALF_HOURS = re.compile(r"(?:[1-9]|1\d|2[0-3])[0-5][05]")
_AFTERNOON = 8
"""The last hour of an afternoon: "Lindqvist to 5" is an hour, "to 11" may be heads."""
_CLOCK = re.compile(rf"(?:\b(?:{alternatives('planner_orders', 'AT')})|@)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Moment:
    """Hold the day and the time to which a booking moves, None where it keeps its own."""

    day: date | None = None
    at: time | None = None


def settled(order: Order, text: str, brief: Brief, row: Row | None, expected: MentionKind | None) -> Order:
    """Return the order with its bare numbers read as hours or heads: by the words before, by what was asked, or by the
    booking's current values. Raises `UnclearError` where both are possible and `row` is known."""
    bare = [c for c in (*order.claims, *order.former) if _is_bare(c, order) and not _is_clock(c, text)]
    several = len([c for c in bare if c in order.claims]) > 1 or any(c.kind is MentionKind.COUNT for c in order.claims)
    apart = _each_apart(order, text, bare, brief) if several else {}
    if apart:
        return replace(order, claims=[_as(c, apart[c.span], text, brief) if c in bare else c for c in order.claims])
    kind = _kind_of(order, text, bare, brief, row, expected) if bare else None
    if kind is None and row is not None and any(c in order.claims for c in bare):
        message = next(c.text for c in bare if c in order.claims)
        raise UnclearError("guests_or_time", message)
    if kind is None:
        return order
    mentions = [_as(c, kind, text, brief) if c in bare else c for c in order.claims]
    return replace(order, claims=mentions)


def _each_apart(order: Order, text: str, bare: list[Mention], brief: Brief) -> dict[Span, MentionKind]:
    """Return the kinds of numbers that their own verbs distinguish: "Now 11, start 4"; {} where one verb does not."""
    found: dict[Span, MentionKind] = {}
    start = 0
    for mention in sorted((*order.claims, *order.former), key=lambda c: c.span):
        between, start = text[start : mention.span[0]], mention.span[1]
        if mention not in bare or mention not in order.claims:
            continue
        parts = tag_words(between, brief.locale)
        if any(p.does("move") for p in parts) and not any(p.does("resize", "count") for p in parts):
            found[mention.span] = MentionKind.TIME
        elif any(p.does("resize", "now", "count") for p in parts):
            found[mention.span] = MentionKind.COUNT
        else:
            return {}
    counted = any(c.kind is MentionKind.COUNT for c in order.claims)
    return found if len({*found.values(), *([MentionKind.COUNT] if counted else [])}) > 1 else {}


def _is_clock(mention: Mention, text: str) -> bool:
    """Return whether the word in front makes a number an hour, whatever else changes: "… e vengono alle 18"."""
    return mention.kind is MentionKind.TIME and _CLOCK.search(text[: mention.span[0]]) is not None


def _is_bare(mention: Mention, order: Order) -> bool:
    """Return whether a number could be an hour or heads."""
    if mention.kind is MentionKind.NUMBER:
        return True
    plain = re.fullmatch(r"[\d]{1,3}", mention.text.strip()) is not None
    if plain and mention.kind in WHEN and "resize" in order.verbs and "move" not in order.verbs:
        return True
    return (
        mention.kind is MentionKind.TIME
        and plain
        and any(
            c.kind in (MentionKind.NUMBER, MentionKind.TIME)
            and c.text.strip().isdigit()
            and c.assertion is not Assertion.ASSERTED
            for c in order.former
        )
    )


def _kind_of(
    order: Order, text: str, bare: list[Mention], brief: Brief, row: Row | None, expected: MentionKind | None
) -> MentionKind | None:
    wanted = [c for c in bare if c in order.claims] or bare
    before = [text[: c.span[0]] for c in wanted]
    either = all(_goes_either_way(b, brief) for b in before) and not any(
        c.kind is MentionKind.COUNT for c in order.claims
    )
    by_words = None if either else _by_its_words(order, text, bare, wanted, before, brief)
    by_words = by_words or _by_booking(order, bare, row)
    if by_words is not None:
        return by_words
    named = bool(order.mentions or order.former) or any(
        int(c.values[0]) > _HOURS for c in wanted if c.kind is MentionKind.NUMBER
    )
    if not brief.pending and named and _says_how_many(order, text, wanted, brief):
        return MentionKind.COUNT
    if expected is not None:
        return expected
    own = words_of(brief.locale, "orders")
    if own.get("TO_MAY_BE_AN_HOUR") and _goes_to(order, before, wanted, request_words(brief.locale)):
        return MentionKind.TIME
    limit = own.get("CLOCK", _HOURS_OF_A_DAY) if "move" not in order.verbs else _HOURS_OF_A_DAY
    if any(c.values and c.values[0].isdigit() and int(c.values[0]) > limit for c in wanted):
        # "To 330" is an hour at least as likely as so many people.
        clocks = [c for c in wanted if _HALF_HOURS.fullmatch(c.text.strip())]
        return None if clocks and row is not None and row.guest_count else MentionKind.COUNT
    return MentionKind.TIME if any(c.kind is MentionKind.DAY for c in order.claims) and "move" in order.verbs else None


def _by_its_words(
    order: Order, text: str, bare: list[Mention], wanted: list[Mention], before: list[str], brief: Brief
) -> MentionKind | None:
    """Return the kind of a bare number by the words of its order, or None."""
    data = request_words(brief.locale)
    if any(c.kind is MentionKind.COUNT for c in order.claims):
        goes = all(re.search(data.TARGET, b, re.I) and not re.search(data.RESIZED_TO, b, re.I) for b in before)
        return MentionKind.TIME if goes and order.text and "resize" not in order.verbs else MentionKind.COUNT
    if all(_is_moved(b, brief) for b in before):
        return MentionKind.TIME
    if (looks := _by_its_look(order, bare, wanted)) is not None:
        return looks
    doubtful = [c for c in order.claims if c.kind is MentionKind.TIME and c.vague]
    if any(
        c.values[:1] and any(_hour(c.values[0]) % 12 == _hour(d) % 12 for d in v.values)
        for c in wanted
        for v in doubtful
        if v is not c
    ):
        return MentionKind.TIME
    either = any(p.does("move") and p.does("resize") for p in tag_words(order.text, brief.locale))
    if any(c.kind in (MentionKind.NUMBER, MentionKind.COUNT) and _was_counted(c, text, data) for c in order.former):
        return MentionKind.COUNT
    if (
        "count" in order.topics
        or ("resize" in order.verbs and not either)
        or any(re.search(data.LOSES, b, re.I) or re.search(data.GAINS, b, re.I) for b in before)
        or ("move" not in order.verbs and all(re.search(data.RESIZED_TO, b, re.I) for b in before))
    ):
        return MentionKind.COUNT
    if all(re.search(data.AT, b, re.I) for b in before) or any(re.fullmatch(r"\d{4}", c.text) for c in wanted):
        return MentionKind.TIME
    if (
        "move" in order.verbs
        and not order.verbs & {"resize", "change"}
        and all(re.search(data.TARGET, b, re.I) for b in before)
    ):
        return MentionKind.TIME
    if any(
        c.kind is MentionKind.NUMBER and re.search(data.COPULA, f"{b}|{c.text}", re.I)
        for c, b in zip(wanted, before, strict=True)
    ):
        return MentionKind.COUNT
    return None


def _goes_to(order: Order, before: list[str], wanted: list[Mention], data: LanguageData) -> bool:
    """Return whether a number is an hour of the afternoon: "Lindqvist to 5"."""
    to_it = all(re.search(data.TARGET, b, re.I) for b in before)
    early = all(c.values and c.values[0].isdigit() and int(c.values[0]) <= _AFTERNOON for c in wanted)
    return to_it and early and bool(order.mentions) and not order.verbs


def _by_its_look(order: Order, bare: list[Mention], wanted: list[Mention]) -> MentionKind | None:
    """Return the kind by the values beside it: "4 o'clock, no, 430" is an hour, "6 ppl, sorry, 8" are heads."""
    beside = any(c.kind is MentionKind.TIME for c in (*order.claims, *order.former) if c not in bare)
    beside = beside or "same_day" in order.signs
    if beside and all(_HALF_HOURS.fullmatch(c.text.strip()) for c in wanted):
        return MentionKind.TIME
    corrected = any(c.kind is MentionKind.COUNT and c.assertion is Assertion.CORRECTED for c in order.former)
    return MentionKind.COUNT if corrected else None


def _was_counted(mention: Mention, text: str, data: LanguageData) -> bool:
    """Return whether the replaced value is heads: "They are not 6 but 9"."""
    before = text[: mention.span[0]]
    return re.search(data.COPULA, f"{before}|{mention.text}", re.IGNORECASE) is not None


def _is_moved(before: str, brief: Brief) -> bool:
    """Return whether the verb of its own clause makes a number an hour: "Push it back to 7, they knock off late"."""
    clause = re.split(r"[,;.:!?](?:\s|$)", before)[-1]
    parts = tag_words(clause, brief.locale)
    towards = re.search(request_words(brief.locale).TARGET, before, re.IGNORECASE) is not None
    return towards and any(p.does("move") for p in parts) and not any(p.does("resize", "count") for p in parts)


def _goes_either_way(before: str, brief: Brief) -> bool:
    """Return whether the verb takes an hour or a head count, and no article decides: "Porta Esposito a 9"."""
    clause = re.split(r"[,;.:!?](?:\s|$)", before)[-1]
    verbs = [p for p in tag_words(clause, brief.locale) if p.does("move")]
    return (
        re.search(words_of(brief.locale, "orders").get("TO_AN_HOUR_OR_HEADS", "(?!)"), clause, re.IGNORECASE)
        is not None
        and bool(verbs)
        and all(p.does("change", "resize") for p in verbs)
        and not any(p.does("count", "time") for p in tag_words(clause, brief.locale))
    )


def _says_how_many(order: Order, text: str, wanted: list[Mention], brief: Brief) -> bool:
    """Return whether the words state a head count, and no hour: "Now 11", "make it 16", "siamo in 18"."""
    if (
        "move" in order.verbs
        or order.topics & {"time", "day"}
        or any(c.kind in WHEN for c in order.claims if c not in wanted)
    ):
        return False
    befores = [text[: c.span[0]] for c in wanted]
    return all(re.search(request_words(brief.locale).HEADS, b, re.IGNORECASE) for b in befores)


def _hour(value: str) -> int:
    return int(value.split(":", maxsplit=1)[0])


def _by_booking(order: Order, bare: list[Mention], row: Row | None) -> MentionKind | None:
    """Return the kind by the booking's current values: "From 8 to 13" where eight are booked."""
    if row is None:
        return None
    gone = [c for c in bare if c in order.former and c.text.strip().isdigit()]
    if any(int(c.text) == row.guest_count for c in gone):
        return MentionKind.COUNT
    if row.start_time and any(int(c.text) % 12 == int(row.start_time[:2]) % 12 for c in gone):
        return MentionKind.TIME
    return None


def _as(mention: Mention, kind: MentionKind, text: str, brief: Brief) -> Mention:
    """Return the bare number as an hour or as heads. Raises `UnclearError`."""
    data = request_words(brief.locale)
    figure = mention.values[0] if mention.kind is MentionKind.NUMBER else mention.text.strip()
    if kind is MentionKind.COUNT and len(figure) > 3:
        raise UnclearError("unclear", mention.text)
    if kind is MentionKind.COUNT:
        before = text[: mention.span[0]]
        less, more = re.search(data.LOSES, before, re.I), re.search(data.GAINS, before, re.I)
        change: CountKind = "subtract" if less else "add" if more else "absolute"
        return replace(
            mention, kind=MentionKind.COUNT, count=Count(change, float(figure), mention.span), values=(), vague=False
        )
    if mention.kind is MentionKind.TIME:
        return mention
    hour, minute = (int(figure[:-2]), int(figure[-2:])) if len(figure) in (3, 4) else (int(figure), 0)
    readings = [
        time(h, minute)
        for h in dict.fromkeys((hour, (hour + 12) % 24 if hour < 13 else hour))
        if h < 24 and minute < 60
    ]
    open_ = [at for at in readings if any(opens <= at < closes for opens, closes in brief.policy.opening)]
    return replace(mention, kind=MentionKind.TIME, values=tuple(at.strftime("%H:%M") for at in open_ or readings[:1]))


def moment_of(order: Order, brief: Brief, row: Row | None, base: Moment) -> Moment:
    """Return the day and time that an order sets; shifts count from `base`, else the booking. Raises `UnclearError`."""
    past = [c for c in order.former if c.kind is MentionKind.DAY and c.assertion is Assertion.REPORTED and c.is_target]
    if past:
        raise UnclearError("in_past", past[0].text)
    mentions = [c for c in order.claims if c.kind in WHEN]
    day = _one_day([c for c in mentions if c.kind is MentionKind.DAY], brief)
    at = _one_time([c for c in mentions if c.kind is MentionKind.TIME])
    shifts = [c for c in order.claims if c.kind is MentionKind.SHIFT and c.shift is not None]
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


def _start(row: Row | None, base: Moment, text: str, needs_time: bool) -> datetime:
    day = base.day.isoformat() if base.day else row.date if row else None
    at = base.at.strftime("%H:%M") if base.at else row.start_time if row else None
    if day is None or (needs_time and at is None):
        raise UnclearError("when", text)
    return datetime.fromisoformat(f"{day[:10]}T{at or '00:00'}")


def _one_day(mentions: list[Mention], brief: Brief) -> date | None:
    for mention in mentions:
        if mention.vague or not mention.values:
            gone = len(mention.values) == 1 and mention.values[0] <= brief.now.date().isoformat()
            raise UnclearError("in_past" if gone else "which_day" if mention.values else "vague", mention.text)
    days = {_meant_day(c, brief) for c in mentions}
    if len(days) > 1:
        raise UnclearError("which_day", mentions[-1].text)
    return days.pop() if days else None


def _meant_day(mention: Mention, brief: Brief) -> date:
    """Return the day meant; a weekday named on that weekday is a week from today. Raises `UnclearError`."""
    days = [date.fromisoformat(v) for v in mention.values]
    today = brief.now.date()
    if set(days) == {today, today + timedelta(days=7)}:
        return today + timedelta(days=7)
    if len(days) > 1:
        raise UnclearError("which_day", mention.text)
    return days[0]


def _one_time(mentions: list[Mention]) -> time | None:
    firm = [c for c in mentions if not c.vague]
    doubtful = [c for c in mentions if c.vague and not any(set(c.values) & set(f.values) for f in firm)]
    if doubtful:
        raise UnclearError("vague", doubtful[0].text)
    if any(len(c.values) != 1 for c in firm):
        raise UnclearError("which_time", next(c.text for c in firm if len(c.values) != 1))
    times = {c.values[0] for c in firm}
    if len(times) > 1:
        raise UnclearError("one_time", firm[-1].text)
    return time.fromisoformat(times.pop()) if times else None


def heads_of(order: Order, text: str, brief: Brief, current: int | None) -> int | None:
    """Return the new total, None where no count is set. Raises `UnclearError`."""
    mentions = [c for c in order.claims if c.kind is MentionKind.COUNT and c.count is not None]
    if not mentions:
        return None
    if any(c.vague for c in mentions):
        raise UnclearError("count", next(c.text for c in mentions if c.vague))
    counts = [c.count for c in mentions if c.count is not None]
    count: Count | None = counts[0]
    if len({(c.kind, c.amount) for c in counts}) > 1:
        alike = len({c.is_relative for c in counts}) == 1
        together = parse_count(text[mentions[0].span[0] : mentions[-1].span[1]], locale=brief.locale) if alike else None
        count = _agreeing(counts, current) or together
    try:
        total = count.apply(current) if count is not None else 0
    except CountError as fault:
        raise UnclearError("count", mentions[-1].text) from fault
    if total < 1:
        raise UnclearError("count", mentions[-1].text)
    return total


def _agreeing(counts: list[Count], current: int | None) -> Count | None:
    """Return the total on which a change and totals agree: "Take two off the fifteen, so thirteen"."""
    totals = [c for c in counts if c.kind == "absolute"]
    if current is not None and len(totals) == len(counts) == 2 and totals[0].amount + totals[1].amount == current:
        # "Down to 6, two are sick", of eight: the two numbers add up to the current total.
        return max(totals, key=lambda c: c.amount)
    changes = [c for c in counts if c.is_relative]
    starts = [int(c.amount) for c in totals] + ([current] if current else [])
    for total in reversed(totals):
        if any(c.apply(start) == total.amount for c in changes for start in starts if start + 0 >= c.amount):
            return total
    return None
