"""What a message does to what was said before: it completes a request, or puts it right."""

from __future__ import annotations

import re
from dataclasses import replace

from contracts.booking import BookingSummary
from language.choosing import chosen
from language.places import counts_from_the_end
from language.plain import plain, words
from language.replies import read_reply
from language.requests import data_of
from reasoning.evidence import Claim, Kind, Standing
from sandbox.model.bookings import Finder, matches, pick
from sandbox.model.clear import cancels
from sandbox.model.drafting import missing_of
from sandbox.model.dropping import left_alone
from sandbox.model.mentions import Mention, free_runs
from sandbox.model.open_request import Chat
from sandbox.model.order import WHEN, Order
from sandbox.model.orders import orders_of
from sandbox.model.said import Said, read_said

_MOVING = WHEN | {Kind.SHIFT}
_CHANGES = frozenset({"move", "change", "resize", "rename"})

_PEOPLE = re.compile(r"\b(?:persone|ospiti|coperti|people|guests|covers)\b", re.IGNORECASE)
_HOUR = re.compile(r"\b(?:ore|ora|orario|o'clock|the time|hour)\b", re.IGNORECASE)

Request = tuple[list[Order], Said, Kind | None]
"""The orders as they stand, the message whose places their claims have, and what a bare number is."""


def completed(chat: Chat, finder: Finder) -> Request:
    """The request that the last message makes, with what was open before it."""
    said, orders = chat.now, chat.orders
    _that_hour(chat, orders)
    earlier = list(chat.said[chat.open_since : -1])
    if earlier and (choice := _choice_in_front(chat)) is not None:
        number, rest = choice
        return completed(replace(chat, said=(*chat.said[:-1], number, rest)), finder)
    if not earlier and _leans(chat, orders):
        earlier = chat.before[-1:]
    if not earlier:
        return orders, said, None
    base_said = chat.read(earlier[0])
    base = orders_of(base_said, chat.brief.locale)
    dictates = any(missing_of(o) == "note" and not o.filled for o in base) and not any(
        o.verbs and any(m.sure for m in o.mentions) for o in orders
    )
    if not dictates and _stands_alone(orders, chat):
        return orders, said, None
    expected = None
    for place, text in enumerate([*earlier[1:], chat.last]):
        latest = place == len(earlier) - 1
        again = said if latest else chat.read(text)
        more = orders if latest else orders_of(again, chat.brief.locale)
        if not latest and _stands_alone(more, chat):
            base, base_said = more, again
            continue
        expected = _expected(base)
        base, base_said = _put_in(base, base_said, more, again, chat, finder, latest)
    return base, base_said, _which_of_both(said) or _expected(base) or expected


_CHOICE_ENDS = re.compile(r"[.,;:!]+\s+|\s[-–—]+\s|\s(?=(?:and|but|e|ma)\b)", re.IGNORECASE)


def _choice_in_front(chat: Chat) -> tuple[str, str] | None:
    """The number of the booking that the first words of an answer choose, and the rest: "the first one, and move it to
    4pm" is a choice and then an addition."""
    listed = [
        BookingSummary(
            booking_id=r.booking_id, reference=r.reference, guest_name=r.name, date=r.date, start_time=r.start_time,
            guest_count=r.guest_count, label=r.label,
        )
        for r in chat.brief.offered
    ]  # fmt: skip
    for edge in _CHOICE_ENDS.finditer(chat.last):
        booking = chosen(chat.last[: edge.start()], listed, chat.brief.now)
        if booking is not None:
            return booking.reference or booking.booking_id, chat.last[edge.end() :]
    return None


def _which_of_both(said: Said) -> Kind | None:
    """ "Do you mean 9 people or 9 o'clock?", "people": a word that says what the number was."""
    if said.claims:
        return None
    count, hour = said.does("count") or _PEOPLE.search(said.text), said.does("time") or _HOUR.search(said.text)
    return None if bool(count) is bool(hour) else Kind.COUNT if count else Kind.TIME


def on_its_own(chat: Chat) -> Chat:
    """The chat with nothing open, where the last message asks for what the open request is not: "cancel it", asked
    about, then "move it to 4pm". Neither is a part of the other."""
    earlier = chat.said[chat.open_since : -1]
    whole = [o for o in chat.orders if cancels(o) or (o.verbs & _CHANGES and o.filled)]
    if not earlier or len(whole) != 1:
        return chat
    [order] = whole
    base = [o for o in orders_of(chat.read(earlier[-1]), chat.brief.locale) if o.verbs or cancels(o)]
    other = bool(base) and all(cancels(o) is not cancels(order) for o in base)
    return replace(chat, open_since=len(chat.said) - 1) if other else chat


def _leans(chat: Chat, orders: list[Order]) -> bool:
    """Whether the message goes on with the one before it, of which no plan came: "sorry 12", "my bad, I meant Ruby"."""
    if chat.brief.pending or not chat.earlier:
        return False
    _, before = chat.earlier[0]
    if not any(o.filled or o.verbs for o in before):
        return False
    data = data_of(chat.brief.locale)
    meant = re.search(data.MEANT, chat.now.text, re.IGNORECASE) and any(o.mentions for o in orders)
    bare = [o for o in orders if o.claims and not o.mentions and not o.verbs and not o.topics - {"count"}]
    numbers = all(c.kind in (Kind.NUMBER, Kind.TIME, Kind.DAY, Kind.SHIFT) for o in bare for c in o.claims)
    corrects = re.search(data.CORRECTS, chat.now.text, re.IGNORECASE) is not None
    return bool(meant) or (
        bool(bare)
        and len(bare) == len([o for o in orders if o.filled])
        and (numbers or corrects)
        and not _executed(chat)
    )


def _executed(chat: Chat) -> bool:
    _, before = chat.earlier[0]
    return not any(o.filled or o.verbs for o in before)


def _stands_alone(orders: list[Order], chat: Chat) -> bool:
    """Whether a message is a request of its own although a question is open."""
    named = [o for o in orders if o.mentions and (o.filled or o.verbs)]
    if not named:
        return any(o.foreign for o in orders)
    full = [
        o
        for o in named
        if cancels(o) or ((o.verbs or "want" in o.signs or not chat.brief.offered) and o.filled) or missing_of(o)
    ]
    return bool(full)


def _expected(base: list[Order]) -> Kind | None:
    """What a bare number that answers means: what is missing, or doubtful."""
    for order in base:
        if any(c.kind is Kind.TIME and c.doubtful for c in order.claims):
            return Kind.TIME
        kinds = {c.kind for c in order.claims} & {Kind.TIME, Kind.COUNT}
        if len(kinds) == 1:
            return kinds.pop()
        lacks = missing_of(order)
        if lacks in ("when", "count"):
            return Kind.TIME if lacks == "when" else Kind.COUNT
        if any(c.kind is Kind.DAY for c in order.claims):
            return Kind.TIME
    return None


def _put_in(
    base: list[Order], base_said: Said, more: list[Order], said: Said, chat: Chat, finder: Finder, latest: bool
) -> tuple[list[Order], Said]:
    """The open orders with an answer in them, and the words that claims now stand in."""
    if not base:
        return more, said
    corrects = re.search(data_of(chat.brief.locale).CORRECTS, said.text, re.IGNORECASE) is not None
    open_ = next((o for o in base if not o.filled and o.verbs), base[0])
    more_asked = re.match(r"\W*(?:and|n|also|plus|e|anche|poi)\b|&", said.text, re.IGNORECASE)
    chosen_by_number = (named := _named(more)) is not None and bool(named.code)
    dictates = missing_of(open_) == "note" and not open_.filled and not chosen_by_number
    if dictates and not (more_asked and any(o.filled for o in more)):
        open_.note = said.text.strip() if read_reply(said.text) is None else None
        return base, base_said
    picked = _picked(more, said, chat, corrects) if latest else _named(more)
    claims = [c for o in more for c in o.claims]
    if picked is not None:
        claims = [c for c in claims if c.kind not in WHEN | {Kind.NUMBER}]
        for order in _of_the_picked(base, picked, chat):
            order.mentions = [picked]
    # Claims of the answer stand in other words: the old words are put behind them.
    shift = len(said.text) + 1
    old_text = base_said.text
    gone = left_alone(said.text, chat.brief.locale)
    for order in base:
        order.claims = [c for c in order.claims if c.kind not in gone]
        _moved(order, shift)
    for order in more:
        same = next((o for o in base if _kinds(o) & _kinds(order)), open_)
        if claims:
            _replace(same, [c for c in order.claims if c in claims], corrects, chat)
        same.names = order.names or same.names
        same.note = same.note if order.note is None else order.note
        same.former += order.former
        same.verbs |= order.verbs - {"change"}
        same.signs = (same.signs - {"vague", "hedge"}) | (order.signs & {"want", "now", "hedge", "vague", "cancelled"})
        if claims or order.mentions or order.filled:
            same.strange = list(order.strange)
    return base, replace(base_said, text=f"{said.text} {old_text}")


def _of_the_picked(base: list[Order], picked: Mention, chat: Chat) -> list[Order]:
    """The open orders that a booking was picked for: of those that speak of no number yet, the ones that speak of it,
    else the first, which was asked about; with each that says "it"."""
    rows = [r for r in (*chat.brief.offered, *chat.brief.known) if picked.code in (r.reference, r.booking_id)]
    open_ = [o for o in base if o.filled or o.verbs] or base[:1]
    vague = [o for o in open_ if o.mentions and not any(m.code for m in o.mentions)]
    fits = [o for o in vague if rows and any(matches(rows[0], m) for m in o.mentions)]
    fits = fits or [o for o in vague if o.mentions[0].said == vague[0].mentions[0].said]
    return [*fits, *(o for o in open_ if not o.mentions)] or open_


def _moved(order: Order, by: int) -> None:
    order.claims = [replace(c, span=(c.span[0] + by, c.span[1] + by)) for c in order.claims]
    order.former = [replace(c, span=(c.span[0] + by, c.span[1] + by)) for c in order.former]


def _kinds(order: Order) -> set[str]:
    return {
        "when" if c.kind in _MOVING else "count" if c.kind is Kind.COUNT else str(c.kind)
        for c in order.claims
        if c.kind is not Kind.NUMBER
    }


def _replace(order: Order, claims: list[Claim], corrects: bool, chat: Chat) -> None:
    """New claims in place of those of their kind; a correction of one of day, hour and shift is of them all where it
    steps from what is booked."""
    kinds = {c.kind for c in claims}
    gone = set(kinds)
    if Kind.NUMBER in kinds:
        doubtful = {c.kind for c in order.claims if c.doubtful}
        gone |= doubtful or (
            {Kind.TIME, Kind.COUNT} & {c.kind for c in order.claims} if len(order.claims) == 1 or corrects else set()
        )
    if Kind.SHIFT in kinds and corrects:
        gone |= _MOVING
    if kinds & WHEN:
        gone.add(Kind.SHIFT)
    days = [c.span for c in order.claims if c.kind is Kind.DAY and c.doubtful and c.kind in gone]
    kept = [c for c in order.claims if c.kind not in gone and not any(_tells_what(new, c) for new in claims)]
    # "Next week at 3pm" was as vague as its week: with a day it is not.
    kept = [replace(c, doubtful=False) if c.span in days and len(c.values) == 1 else c for c in kept]
    order.claims = kept + claims + _hours_beside(order, claims, chat)


def _tells_what(new: Claim, old: Claim) -> bool:
    """ "9 people or 9 o'clock?", "9 people": the bare number that was asked about, said in full."""
    if old.kind is not Kind.NUMBER or not old.values[0].isdigit():
        return False
    if new.kind is Kind.COUNT:
        return new.count is not None and not new.count.is_relative and int(old.values[0]) == int(new.count.amount)
    hours = {int(value.split(":")[0]) % 12 for value in new.values} if new.kind is Kind.TIME else set()
    return int(old.values[0]) % 12 in hours


def _hours_beside(order: Order, claims: list[Claim], chat: Chat) -> list[Claim]:
    """ "Monday or Tuesday at 3pm", then "Tuesday": the hour was said, though two days left it unread."""
    timed = any(c.kind in (Kind.TIME, Kind.SHIFT) for c in (*order.claims, *claims))
    unsure = [c for c in order.claims if c.kind is Kind.DAY and len(c.values) > 1]
    if timed or not unsure or not any(c.kind is Kind.DAY for c in claims):
        return []
    last = re.split(data_of(chat.brief.locale).OR, unsure[0].text, flags=re.IGNORECASE)[-1]
    hours = [c for c in read_said(last, chat.brief).claims if c.kind is Kind.TIME and c.stands]
    return [replace(c, span=unsure[0].span) for c in hours]


def _named(more: list[Order]) -> Mention | None:
    """The booking that an earlier answer named, and did nothing else."""
    mentions = [m for o in more for m in o.mentions]
    return mentions[0] if mentions and not any(o.filled or o.verbs for o in more) else None


def _picked(more: list[Order], said: Said, chat: Chat, corrects: bool) -> Mention | None:
    """The booking that an answer names or picks."""
    mentions = [m for o in more for m in o.mentions]
    marks = [c for o in more for c in (*o.claims, *o.former) if c.kind in WHEN and not c.to]
    offered = chat.brief.offered
    if offered and not (corrects and not mentions and any(o.claims for o in more)):
        if counts_from_the_end([w.text for w in words(plain(said.text))]):
            # What is past stands at the end of the list, and is hardly what is meant.
            now = chat.brief.now.strftime("%Y-%m-%d %H:%M")
            offered = tuple(r for r in offered if f"{r.date} {r.start_time}" >= now) or offered
        rows = pick(said.text, mentions[0] if mentions else None, [] if corrects else marks, offered)
        if len(rows) == 1:
            return Mention((0, 0), code=rows[0].booking_id)
    if mentions:
        return mentions[0]
    runs = free_runs(said, (0, len(said.text)))
    values = [c for o in more for c in o.claims]
    if len(runs) == 1 and not values and not any(o.verbs for o in more):
        return Mention((0, 0), words=" ".join(p.text for p in runs[0]))
    return None


def _in_there(chat: Chat, orders: list[Order]) -> None:
    for order in orders:
        if not order.mentions or order.verbs & {"cancel"} or any(c.kind in _MOVING for c in order.claims):
            continue
        for said, _ in chat.earlier[:3]:
            whens = [c for c in said.claims if c.kind in WHEN and len(c.values) == 1 and not c.doubtful]
            if any(c.kind is Kind.TIME for c in whens):
                order.claims += [replace(c, span=(0, 0), standing=Standing.SAID) for c in whens]
                order.verbs.add("move")
                break


def _that_hour(chat: Chat, orders: list[Order]) -> None:
    """ "Put her at that time", "put them in there": the hour, or the day and the hour, last spoken of."""
    if re.search(data_of(chat.brief.locale).IN_THERE, chat.now.text, re.IGNORECASE):
        _in_there(chat, orders)
    if not re.search(data_of(chat.brief.locale).IN_THAT_WAY, chat.now.text, re.IGNORECASE):
        return
    for order in orders:
        if (
            "same_hour" not in order.signs
            or any(c.kind is Kind.TIME for c in order.claims)
            or "move" not in order.verbs | {"move" if "change" in order.verbs else ""}
        ):
            continue
        if any(c.kind is Kind.DAY for c in order.claims):
            continue
        for said, _ in chat.earlier[:2]:
            times = [c for c in said.claims if c.kind is Kind.TIME and c.stands]
            if times:
                order.claims.append(replace(times[-1], span=(0, 0)))
                break
