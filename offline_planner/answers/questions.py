"""Questions: the look-up that answers, then a short text; the core shows what was found."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from contracts.enums import ParameterRole as Role
from language.extraction import Mention, MentionKind
from language.locales import alternatives
from language.requests.parts import request_words
from offline_planner.bookings.booking_search import AmbiguousBookingError, BookingFinder, LookUpNeeded
from offline_planner.bookings.creation import whom_of
from offline_planner.bookings.table_creation import booker_of
from offline_planner.brief import Row
from offline_planner.chat import ChatState
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.mentions import BookingMention, free_runs
from offline_planner.orders.order import WHEN
from offline_planner.orders.slots import own_tool
from offline_planner.protocol import Arguments, Call
from offline_planner.replies import say, words_of

_TELL = alternatives("planner_answers", "TELL")
_COURTESY = f"(?:{alternatives('planner_answers', 'COURTESY')})".replace("{tell}", _TELL)
_ASKS = rf"(?:(?:{alternatives('planner_answers', 'AT')}) )?(?:{alternatives('planner_answers', 'ASKS')})\b"
_PREAMBLE = re.compile(
    rf"^.{{0,60}}?\b{_COURTESY}[\s,:]+"
    rf"(?:(?:{alternatives('planner_answers', 'POLITELY')})[\s,]+|(?:{alternatives('planner_answers', 'IF')}) )?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    rf"^[^,.!;:?\d]{{1,40}}[,.!;:]+\s*(?:(?:{alternatives('planner_answers', 'AND')}) )?(?={_ASKS})",
    re.IGNORECASE,
)
"""Words of address in front of a question: "Forgive me, but on which day", "Cara, quanti sono"."""
_REASON = re.compile(rf",\s*(?:{alternatives('planner_answers', 'REASON')})\b[^?]*", re.IGNORECASE)
"""The reason for a question."""
_OPENS = re.compile(rf"\b(?:{alternatives('planner_answers', 'OPENS')})\b", re.IGNORECASE)
"""Asks for opening hours, where tables are booked: the look-up of a day answers that."""
_WHATS_ON = re.compile(rf"^\W*(?:{alternatives('planner_answers', 'WHATS_ON')})\b", re.IGNORECASE)
"""Asks what there is on a day, by no word for a booking."""
_DATED = re.compile(rf"\b(?:{alternatives('planner_answers', 'DATED')})\s+$", re.IGNORECASE)
_CHANGES = {"change", "resize", "cancel", "rename", "add"}


def _question_of(chat: ChatState) -> ChatState:
    """Return the chat with only the question as its last message, without courtesies or reasons around it."""
    text = chat.last
    for wrapping in (_PREAMBLE, _ADDRESS):
        found = wrapping.match(text) if wrapping is _PREAMBLE or not re.match(_ASKS, text, re.IGNORECASE) else None
        rest = text[found.end() :] if found is not None else ""
        sure = wrapping is _PREAMBLE or text.rstrip().endswith("?") or not re.search(r"[,;]", rest)
        if sure and re.match(_ASKS, rest, re.IGNORECASE):
            text = rest
    if re.match(_ASKS, text, re.IGNORECASE):
        text = _REASON.sub("", text)
    if text == chat.last:
        return chat
    asked = replace(chat, texts=(*chat.texts[:-1], f"{text.rstrip(' .?!')}?"))
    return chat if _goes_on(asked) else asked


def _goes_on(chat: ChatState) -> bool:
    """Return whether an order follows the question: "tell me when it is and move it to 4"."""
    message, data = chat.now, request_words(chat.brief.locale)
    verbs = [p for p in message.parts if p.does("move", *_CHANGES) and not p.does("state", "look", "booking", "count")]
    joined = rf"(?:{data.CONNECT}|[,;.])\W*(?:\w+\W+)?$"
    return any(re.search(joined, message.text[: p.span[0]], re.IGNORECASE) for p in verbs)


def _asks_for_the_day(chat: ChatState) -> bool:
    """Return whether the message asks what there is on a day, and names nothing else: "what's on", "anything on"."""
    message, asks = chat.now, _WHATS_ON.match(chat.now.text)
    day = any(mention.kind is MentionKind.DAY for mention in message.mentions)
    return day and asks is not None and not free_runs(message, (asks.end(), len(message.text)))


def _asked_to_do(chat: ChatState) -> bool:
    """Return whether the message is an order in the shape of a question, by the clitic in front of its verb."""
    message = chat.now
    if re.match(_ASKS, message.text, re.IGNORECASE):
        return False
    words = words_of(chat.brief.locale, "answers")
    verb, clitic = words.get("ASKED_OF_YOU", "(?!)"), words.get("CLITIC", "(?!)")
    verbs = [p for p in message.parts if p.does("move", *_CHANGES) and re.fullmatch(verb, p.text, re.IGNORECASE)]
    return any(re.search(clitic, message.text[: p.span[0]], re.IGNORECASE) for p in verbs)


def is_read(chat: ChatState, finder: BookingFinder) -> bool:
    """Return whether the message only asks for information."""
    chat = _question_of(chat)
    message, orders = chat.now, chat.orders
    if any(o.names or o.note is not None for o in orders):
        return False
    if any(own_tool(o.text, finder.toolbox) for o in orders):
        return False
    steps = any(
        c.kind is MentionKind.SHIFT or (c.count is not None and c.count.is_relative) for o in orders for c in o.claims
    )
    if steps and any(o.mentions for o in orders) and not message.does("room"):
        return False
    verbs = {v for o in orders for v in o.verbs}
    first = next((p for p in message.parts if not p.does("polite", "function")), None)
    if message.asks and not message.orders and not _asked_to_do(chat):
        begins = first is not None and first.does("move", *_CHANGES) and not first.does("state", "look")
        return not begins
    shows = first is not None and first.does("look")
    if _asks_for_the_day(chat):
        return True
    room = message.does("room") and message.does("look") and not verbs & {"cancel"}
    if room and not any(o.mentions for o in orders):
        return True
    return shows and not (verbs & _CHANGES) and not any(o.claims and o.mentions and o.verbs for o in orders)


def is_room(chat: ChatState, finder: BookingFinder) -> bool:
    """Return whether the message asks what room a day has left."""
    whens = [c for o in chat.orders for c in (*o.claims, *o.former) if c.kind in WHEN]
    opens = booker_of(finder.toolbox) is not None and _OPENS.search(chat.now.text) is not None
    room = (chat.now.does("room") or opens) and finder.toolbox.checker is not None and bool(_days(whens, chat))
    return room and is_read(chat, finder)


def answered(chat: ChatState, finder: BookingFinder) -> str:
    """Return the reply once the look-ups are answered; "" where no rule here answers. Raises `LookUpNeeded`,
    `AmbiguousBookingError`, `UnclearError`."""
    chat = _question_of(chat)
    message, orders = chat.now, chat.orders
    whens = [_as_day(c, chat) for o in orders for c in (*o.claims, *o.former) if c.kind in WHEN or _is_dated(c, chat)]
    of_day = _asks_for_the_day(chat)
    mentions = [] if of_day else [m for o in orders for m in o.mentions] or _named(chat)
    if any(o.foreign for o in orders):
        return ""
    if is_room(chat, finder):
        return _room(chat, finder, whens)
    phones = [c.values[0] for c in message.mentions if c.kind is MentionKind.PHONE]
    lister = finder.toolbox.of_phone
    if phones and lister is not None:
        return _shown(finder.listed(lister, phones[0]))
    who = re.search(request_words(chat.brief.locale).WHO, message.text, re.IGNORECASE) is not None
    if mentions and not (who and not any(m.code or m.words for m in mentions)):
        return _shown(_found(mentions[0], whens, finder))
    listed = who or of_day or message.does("look", "booking", "event")
    if whens and _days(whens, chat) and listed:
        days = _days(whens, chat)
        times = [c.values[0] for c in whens if c.kind is MentionKind.TIME and len(c.values) == 1]
        return _shown(finder.search(finder.by(date=days[0], time=times[0] if times else "")))
    if any(o.foreign for o in orders) or not (
        message.does("pronoun", "count", "time", "look", "booking") and _in_hand(chat)
    ):
        return ""
    row = chat.spoken_of()
    finder.fresh(row) if isinstance(row, Row) else finder.settle(row)
    return say("found")


def _is_dated(mention: Mention, chat: ChatState) -> bool:
    """Return whether a bare number is a day, by its article: "Il 28 chi arriva?"."""
    before = chat.now.text[: mention.span[0]]
    dated = _DATED.search(before) is not None
    return mention.kind is MentionKind.NUMBER and dated and 0 < int(mention.values[0]) <= _DAYS_OF_MONTH


def _as_day(mention: Mention, chat: ChatState) -> Mention:
    """Return a bare number as the next day of that number; any other mention unchanged."""
    if mention.kind is not MentionKind.NUMBER:
        return mention
    today = chat.brief.now.date()
    ahead = (today + timedelta(days=n) for n in range(2 * _DAYS_OF_MONTH))
    day = next((d for d in ahead if d.day == int(mention.values[0])), today)
    return replace(mention, kind=MentionKind.DAY, values=(day.isoformat(),))


_DAYS_OF_MONTH = 31


def _named(chat: ChatState) -> list[BookingMention]:
    """Return the one run of a question's words that nothing explains, as a booking: "When does petrov come?"."""
    message = chat.now
    runs = free_runs(message, (0, len(message.text)))
    alone = len(runs) == 1 and not any(p.does("pronoun") for p in message.parts)
    return [BookingMention(runs[0][0].span, words=" ".join(p.text for p in runs[0]))] if alone else []


def _in_hand(chat: ChatState) -> bool:
    return bool(chat.brief.known or chat.brief.pending)


def _found(mention: BookingMention, whens: list[Mention], finder: BookingFinder) -> list[Row]:
    try:
        return [finder.settle(mention, [c for c in whens if c.kind in WHEN])]
    except AmbiguousBookingError as which:
        if not which.rows:
            raise
        return list(which.rows)


def _shown(rows: list[Row]) -> str:
    return say("found") if rows else say("found_none")


def _days(whens: list[Mention], chat: ChatState) -> list[str]:
    """Return the day asked about, [] for none; a weekday named on that weekday is next week's if it can be."""
    days = [c for c in whens if c.kind is MentionKind.DAY and c.values and not (c.vague and len(c.values) > 1)]
    today = chat.brief.now.date().isoformat()
    return [next((v for v in days[0].values if v != today), days[0].values[0])] if days else []


def _room(chat: ChatState, finder: BookingFinder, whens: list[Mention]) -> str:
    """Return the reply once the look-up of the day is answered. Raises `LookUpNeeded`, `UnclearError`."""
    checker = finder.toolbox.checker
    assert checker is not None
    if whom_of(checker) is not None:
        raise UnclearError("with_whom", "")
    days = _days(whens, chat)
    if not days:
        raise UnclearError("which_day", chat.now.text)
    times = [c.values[0] for c in whens if c.kind is MentionKind.TIME and len(c.values) == 1]
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
