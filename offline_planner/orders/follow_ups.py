"""Follow-ups: a message completes or corrects an earlier request."""

from __future__ import annotations

import re
from dataclasses import replace

from language.extraction import Assertion, Mention, MentionKind
from language.locales import alternatives
from language.numbers.numbers import counts_from_the_end, place_in
from language.replies.short_replies import match_short_reply
from language.requests.booking_names import chosen
from language.requests.parts import request_words
from language.text.normalize import normalize_text, tokenize
from offline_planner.bookings.booking_search import BookingFinder, matches, pick
from offline_planner.brief import summary_of
from offline_planner.chat import ChatState
from offline_planner.clarity import cancels
from offline_planner.message import ParsedMessage, parse_message
from offline_planner.orders.mentions import BookingMention, free_runs
from offline_planner.orders.order import WHEN, Order
from offline_planner.orders.order_parser import orders_of
from offline_planner.orders.removals import left_alone
from offline_planner.tool_calls import missing_of

_MOVING = WHEN | {MentionKind.SHIFT}
_CHANGES = frozenset({"move", "change", "resize", "rename"})

_PEOPLE = re.compile(rf"\b(?:{alternatives('planner_follow_ups', 'PEOPLE')})\b", re.IGNORECASE)
_HOUR = re.compile(rf"\b(?:{alternatives('planner_follow_ups', 'HOUR')})\b", re.IGNORECASE)
_MORE = re.compile(rf"\W*(?:{alternatives('planner_follow_ups', 'MORE')})\b|&", re.IGNORECASE)

Request = tuple[list[Order], ParsedMessage, MentionKind | None]
"""The current orders, the message to which their spans refer, and the kind of a bare number."""


def completed(chat: ChatState, finder: BookingFinder) -> Request:
    """Return the request of the last message, with what was open before it."""
    message, orders = chat.now, chat.orders
    _that_hour(chat, orders)
    earlier = list(chat.texts[chat.open_since : -1])
    if earlier and (choice := _choice_in_front(chat)) is not None:
        number, rest = choice
        return completed(replace(chat, texts=(*chat.texts[:-1], number, rest)), finder)
    if not earlier and _leans(chat, orders):
        earlier = chat.before[-1:]
    if not earlier:
        return orders, message, None
    base_message = chat.read(earlier[0])
    base = orders_of(base_message, chat.brief.locale)
    dictates = any(missing_of(o) == "note" and not o.filled for o in base) and not any(
        o.verbs and any(m.sure for m in o.mentions) for o in orders
    )
    if not dictates and _stands_alone(orders, chat):
        return orders, message, None
    expected = None
    for index, text in enumerate([*earlier[1:], chat.last]):
        latest = index == len(earlier) - 1
        again = message if latest else chat.read(text)
        more = orders if latest else orders_of(again, chat.brief.locale)
        if not latest and _stands_alone(more, chat):
            base, base_message = more, again
            continue
        expected = _expected(base)
        base, base_message = _put_in(base, base_message, more, again, chat, finder, latest)
    return base, base_message, _which_of_both(message) or _expected(base) or expected


_CHOICE_ENDS = re.compile(
    rf"[.,;:!]+\s+|\s[-–—]+\s|\s(?=(?:{alternatives('planner_follow_ups', 'THEN')})\b)", re.IGNORECASE
)


def _choice_in_front(chat: ChatState) -> tuple[str, str] | None:
    """Return the number of the booking that the first words of an answer choose, and the rest: "the first one, and move
    it to 4pm" is a choice and then an addition."""
    listed = [summary_of(row) for row in chat.brief.offered]
    for edge in _CHOICE_ENDS.finditer(chat.last):
        booking = chosen(chat.last[: edge.start()], listed, chat.brief.now)
        if booking is not None:
            return booking.reference or booking.booking_id, chat.last[edge.end() :]
    return None


def _which_of_both(message: ParsedMessage) -> MentionKind | None:
    """Return the kind of a number by the word that answers: "Do you mean 9 people or 9 o'clock?", "people"."""
    if message.mentions:
        return None
    count, hour = (
        message.does("count") or _PEOPLE.search(message.text),
        message.does("time") or _HOUR.search(message.text),
    )
    return None if bool(count) is bool(hour) else MentionKind.COUNT if count else MentionKind.TIME


def on_its_own(chat: ChatState) -> ChatState:
    """Return the chat with nothing open where the last message asks for something else than the open request: "cancel
    it", asked about, then "move it to 4pm". Neither is a part of the other."""
    earlier = chat.texts[chat.open_since : -1]
    whole = [o for o in chat.orders if cancels(o) or (o.verbs & _CHANGES and o.filled)]
    if not earlier or len(whole) != 1:
        return chat
    [order] = whole
    base = [o for o in orders_of(chat.read(earlier[-1]), chat.brief.locale) if o.verbs or cancels(o)]
    other = bool(base) and all(cancels(o) is not cancels(order) for o in base)
    return replace(chat, open_since=len(chat.texts) - 1) if other else chat


def _leans(chat: ChatState, orders: list[Order]) -> bool:
    """Return whether the message continues one that gave no plan: "sorry 12", "my bad, I meant Ruby"."""
    if chat.brief.pending or not chat.earlier:
        return False
    _, before = chat.earlier[0]
    if not any(o.filled or o.verbs for o in before):
        return False
    data = request_words(chat.brief.locale)
    meant = re.search(data.MEANT, chat.now.text, re.IGNORECASE) and any(o.mentions for o in orders)
    bare = [o for o in orders if o.claims and not o.mentions and not o.verbs and not o.topics - {"count"}]
    numbers = all(
        c.kind in (MentionKind.NUMBER, MentionKind.TIME, MentionKind.DAY, MentionKind.SHIFT)
        for o in bare
        for c in o.claims
    )
    corrects = re.search(data.CORRECTS, chat.now.text, re.IGNORECASE) is not None
    return bool(meant) or (
        bool(bare)
        and len(bare) == len([o for o in orders if o.filled])
        and (numbers or corrects)
        and not _executed(chat)
    )


def _executed(chat: ChatState) -> bool:
    _, before = chat.earlier[0]
    return not any(o.filled or o.verbs for o in before)


def _stands_alone(orders: list[Order], chat: ChatState) -> bool:
    """Return whether a message is a separate request although a question is open."""
    named = [o for o in orders if o.mentions and (o.filled or o.verbs)]
    if not named:
        return any(o.foreign for o in orders)
    full = [
        o
        for o in named
        if cancels(o) or ((o.verbs or "want" in o.signs or not chat.brief.offered) and o.filled) or missing_of(o)
    ]
    return bool(full)


def _expected(base: list[Order]) -> MentionKind | None:
    """Return the kind of a bare number that answers: what is missing, or doubtful."""
    for order in base:
        if any(c.kind is MentionKind.TIME and c.vague for c in order.claims):
            return MentionKind.TIME
        kinds = {c.kind for c in order.claims} & {MentionKind.TIME, MentionKind.COUNT}
        if len(kinds) == 1:
            return kinds.pop()
        lacks = missing_of(order)
        if lacks in ("when", "count"):
            return MentionKind.TIME if lacks == "when" else MentionKind.COUNT
        if any(c.kind is MentionKind.DAY for c in order.claims):
            return MentionKind.TIME
    return None


def _put_in(
    base: list[Order],
    base_message: ParsedMessage,
    more: list[Order],
    message: ParsedMessage,
    chat: ChatState,
    finder: BookingFinder,
    latest: bool,
) -> tuple[list[Order], ParsedMessage]:
    """Return the open orders with an answer merged in, and the message to which their spans refer."""
    if not base:
        return more, message
    corrects = re.search(request_words(chat.brief.locale).CORRECTS, message.text, re.IGNORECASE) is not None
    open_ = next((o for o in base if not o.filled and o.verbs), base[0])
    more_asked = _MORE.match(message.text)
    chosen_by_number = (named := _named(more)) is not None and bool(named.code)
    dictates = missing_of(open_) == "note" and not open_.filled and not chosen_by_number
    if dictates and not (more_asked and any(o.filled for o in more)):
        open_.note = message.text.strip() if match_short_reply(message.text) is None else None
        return base, base_message
    picked = _picked(more, message, chat, corrects) if latest else _placed(message, chat) or _named(more)
    mentions = [c for o in more for c in o.claims]
    if picked is not None:
        mentions = [c for c in mentions if c.kind not in WHEN | {MentionKind.NUMBER}]
        for order in _of_the_picked(base, picked, chat):
            order.mentions = [picked]
    # The merged text is the answer, then the old words: spans of old claims move behind the answer.
    shift = len(message.text) + 1
    old_text = base_message.text
    gone = left_alone(message.text, chat.brief.locale)
    for order in base:
        order.claims = [c for c in order.claims if c.kind not in gone]
        _moved(order, shift)
    for order in more:
        same = next((o for o in base if _kinds(o) & _kinds(order)), open_)
        if mentions:
            _replace(same, [c for c in order.claims if c in mentions], corrects, chat)
        same.names = order.names or same.names
        same.note = same.note if order.note is None else order.note
        same.former += order.former
        same.verbs |= order.verbs - {"change"}
        same.signs = (same.signs - {"vague", "hedge"}) | (order.signs & {"want", "now", "hedge", "vague", "cancelled"})
        if mentions or order.mentions or order.filled:
            same.strange = list(order.strange)
    return base, replace(base_message, text=f"{message.text} {old_text}")


def _of_the_picked(base: list[Order], picked: BookingMention, chat: ChatState) -> list[Order]:
    """Return the open orders to which a picked booking belongs: of those without a number, the ones that mention it,
    else the first, which was asked about; with each that refers to "it"."""
    rows = [r for r in (*chat.brief.offered, *chat.brief.known) if picked.code in (r.reference, r.booking_id)]
    open_ = [o for o in base if o.filled or o.verbs] or base[:1]
    vague = [o for o in open_ if o.mentions and not any(m.code for m in o.mentions)]
    fits = [o for o in vague if rows and any(matches(rows[0], m) for m in o.mentions)]
    fits = fits or [o for o in vague if o.mentions[0].text == vague[0].mentions[0].text]
    return [*fits, *(o for o in open_ if not o.mentions)] or open_


def _moved(order: Order, by: int) -> None:
    order.claims = [replace(c, span=(c.span[0] + by, c.span[1] + by)) for c in order.claims]
    order.former = [replace(c, span=(c.span[0] + by, c.span[1] + by)) for c in order.former]


def _kinds(order: Order) -> set[str]:
    return {
        "when" if c.kind in _MOVING else "count" if c.kind is MentionKind.COUNT else str(c.kind)
        for c in order.claims
        if c.kind is not MentionKind.NUMBER
    }


def _replace(order: Order, mentions: list[Mention], corrects: bool, chat: ChatState) -> None:
    """Replace claims by new ones of their kind; a correction by a shift replaces day, hour and shift together."""
    kinds = {c.kind for c in mentions}
    gone = set(kinds)
    if MentionKind.NUMBER in kinds:
        doubtful = {c.kind for c in order.claims if c.vague}
        gone |= doubtful or (
            {MentionKind.TIME, MentionKind.COUNT} & {c.kind for c in order.claims}
            if len(order.claims) == 1 or corrects
            else set()
        )
    if MentionKind.SHIFT in kinds and corrects:
        gone |= _MOVING
    if kinds & WHEN:
        gone.add(MentionKind.SHIFT)
    days = [c.span for c in order.claims if c.kind is MentionKind.DAY and c.vague and c.kind in gone]
    kept = [c for c in order.claims if c.kind not in gone and not any(_tells_what(new, c) for new in mentions)]
    # "Next week at 3pm" is vague only because of its week: with a day it is not.
    kept = [replace(c, vague=False) if c.span in days and len(c.values) == 1 else c for c in kept]
    order.claims = kept + mentions + _hours_beside(order, mentions, chat)


def _tells_what(new: Mention, old: Mention) -> bool:
    """Return whether a new value is the bare number asked about, in full: "9 people or 9 o'clock?", "9 people"."""
    if old.kind is not MentionKind.NUMBER or not old.values[0].isdigit():
        return False
    if new.kind is MentionKind.COUNT:
        return new.count is not None and not new.count.is_relative and int(old.values[0]) == int(new.count.amount)
    hours = {int(value.split(":")[0]) % 12 for value in new.values} if new.kind is MentionKind.TIME else set()
    return int(old.values[0]) % 12 in hours


def _hours_beside(order: Order, mentions: list[Mention], chat: ChatState) -> list[Mention]:
    """Return the hour that two possible days left unread: "Monday or Tuesday at 3pm", then "Tuesday"."""
    timed = any(c.kind in (MentionKind.TIME, MentionKind.SHIFT) for c in (*order.claims, *mentions))
    unsure = [c for c in order.claims if c.kind is MentionKind.DAY and len(c.values) > 1]
    if timed or not unsure or not any(c.kind is MentionKind.DAY for c in mentions):
        return []
    last = re.split(request_words(chat.brief.locale).OR, unsure[0].text, flags=re.IGNORECASE)[-1]
    hours = [c for c in parse_message(last, chat.brief).mentions if c.kind is MentionKind.TIME and c.is_asserted]
    return [replace(c, span=unsure[0].span) for c in hours]


def _named(more: list[Order]) -> BookingMention | None:
    """Return the booking that an earlier answer names, if it does nothing else."""
    mentions = [m for o in more for m in o.mentions]
    return mentions[0] if mentions and not any(o.filled or o.verbs for o in more) else None


def _placed(message: ParsedMessage, chat: ChatState) -> BookingMention | None:
    """Return the booking that an earlier answer only picked, by its place in the list that is still offered: "the last
    one". A day that follows is no second choice."""
    rows = chat.brief.offered if not message.mentions else ()
    index = place_in([w.text for w in tokenize(normalize_text(message.text))])
    inside = index is not None and -len(rows) <= index < len(rows)
    return BookingMention((0, 0), code=rows[index].booking_id) if index is not None and inside else None


def _picked(more: list[Order], message: ParsedMessage, chat: ChatState, corrects: bool) -> BookingMention | None:
    """Return the booking that an answer names or picks, or None."""
    mentions = [m for o in more for m in o.mentions]
    marks = [c for o in more for c in (*o.claims, *o.former) if c.kind in WHEN and not c.is_target]
    offered = chat.brief.offered
    if offered and not (corrects and not mentions and any(o.claims for o in more)):
        if counts_from_the_end([w.text for w in tokenize(normalize_text(message.text))]):
            # Past bookings are at the end of the list, and unlikely to be meant.
            now = chat.brief.now.strftime("%Y-%m-%d %H:%M")
            offered = tuple(r for r in offered if f"{r.date} {r.start_time}" >= now) or offered
        placed = any(_placed(chat.read(text), chat) for text in chat.texts[chat.open_since + 1 : -1])
        rows = []
        if mentions or not (placed and marks):
            rows = pick(message.text, mentions[0] if mentions else None, [] if corrects else marks, offered)
        if len(rows) == 1:
            return BookingMention((0, 0), code=rows[0].booking_id)
    if mentions:
        return mentions[0]
    runs = free_runs(message, (0, len(message.text)))
    values = [c for o in more for c in o.claims]
    if len(runs) == 1 and not values and not any(o.verbs for o in more):
        return BookingMention((0, 0), words=" ".join(p.text for p in runs[0]))
    return None


def _in_there(chat: ChatState, orders: list[Order]) -> None:
    for order in orders:
        if not order.mentions or order.verbs & {"cancel"} or any(c.kind in _MOVING for c in order.claims):
            continue
        for message, _ in chat.earlier[:3]:
            whens = [c for c in message.mentions if c.kind in WHEN and len(c.values) == 1 and not c.vague]
            if any(c.kind is MentionKind.TIME for c in whens):
                order.claims += [replace(c, span=(0, 0), assertion=Assertion.ASSERTED) for c in whens]
                order.verbs.add("move")
                break


def _that_hour(chat: ChatState, orders: list[Order]) -> None:
    """Add the hour, or the day and the hour, mentioned last: "Put her at that time", "put them in there"."""
    if re.search(request_words(chat.brief.locale).IN_THERE, chat.now.text, re.IGNORECASE):
        _in_there(chat, orders)
    if not re.search(request_words(chat.brief.locale).IN_THAT_WAY, chat.now.text, re.IGNORECASE):
        return
    for order in orders:
        if (
            "same_hour" not in order.signs
            or any(c.kind is MentionKind.TIME for c in order.claims)
            or "move" not in order.verbs | {"move" if "change" in order.verbs else ""}
        ):
            continue
        if any(c.kind is MentionKind.DAY for c in order.claims):
            continue
        for message, _ in chat.earlier[:2]:
            times = [c for c in message.mentions if c.kind is MentionKind.TIME and c.is_asserted]
            if times:
                order.claims.append(replace(times[-1], span=(0, 0)))
                break
