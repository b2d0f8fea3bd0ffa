"""Planning: the operator's last message leads to look-ups, then to all changing calls in one reply, or a question."""

from __future__ import annotations

import re
from dataclasses import replace

from language.messages.nouns import things_of
from language.numbers.numbers import counts_from_the_end
from language.replies.message_reading import small_talk
from language.requests.creation import VAGUE, find_creation_request
from language.requests.parts import request_words
from language.text.language_detection import detect_language
from language.text.normalize import normalize_text, tokenize
from language.venue_facts.questions import asks_to_bring
from offline_planner.answers.questions import answered, is_read, is_room
from offline_planner.answers.unknown_words import acquainted, unfound
from offline_planner.bookings.booking_search import AmbiguousBookingError, BookingFinder, LookUpLog, LookUpNeeded, pick
from offline_planner.bookings.creation import free_when, made
from offline_planner.bookings.table_creation import booked
from offline_planner.brief import Brief
from offline_planner.chat import ChatState
from offline_planner.clarity import cancels
from offline_planner.message import ParsedMessage
from offline_planner.orders.amendments import amended
from offline_planner.orders.conditions import on_a_condition
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.follow_ups import completed, on_its_own
from offline_planner.orders.order import Order
from offline_planner.orders.requests import planned
from offline_planner.orders.slots import own_tool
from offline_planner.protocol import ASK, REFUSE, Call, ModelAnswer, ProtocolMessage
from offline_planner.replies import able, say
from offline_planner.tools import Toolbox, stem


def plan(messages: list[ProtocolMessage], brief: Brief, toolbox: Toolbox) -> ModelAnswer:
    """Return the next reply of a planning turn."""
    brief = replace(brief, locale=_tongue(messages, brief))
    return on_a_condition(messages, brief, toolbox, _plan) or _plan(messages, brief, toolbox)


def _tongue(messages: list[ProtocolMessage], brief: Brief) -> str:
    """Return the language of the last message, whose words are used to read it: a venue's staff write in their own. A
    one-word or numeric answer has the language of what it answers."""
    texts = [m.content for m in reversed(messages) if m.role == "user"][: 1 + brief.open]
    return next(
        (found for text in texts if (found := detect_language(text, brief.locale)) != brief.locale), brief.locale
    )


def _plan(messages: list[ProtocolMessage], brief: Brief, toolbox: Toolbox) -> ModelAnswer:
    chat = on_its_own(ChatState.of(messages, brief))
    talk = small_talk(chat.last)
    if talk is not None:
        return ModelAnswer(text=say(talk, can=able(brief.can, toolbox)))
    finder = BookingFinder(brief, toolbox, LookUpLog.of(messages, brief))
    if asks_to_bring(chat.last):
        return _refused(finder, "")
    try:
        return _replied(chat, finder)
    except LookUpNeeded as needed:
        return ModelAnswer(calls=needed.calls)
    except AmbiguousBookingError as which:
        return _asking(
            say("which") if which.rows else say("nobody", text=which.message) if which.message else say("no_ref")
        )
    except UnclearError as fault:
        return _asking(say(fault.code, text=fault.text))


def _replied(chat: ChatState, finder: BookingFinder) -> ModelAnswer:
    making = made(chat, finder) or booked(chat, finder)
    if making is not None:
        return ModelAnswer(calls=tuple(making))
    if free_when(chat, finder):
        return ModelAnswer(text=say("found"))
    if not any(o.foreign for o in chat.orders) and not is_room(chat, finder):
        heard, chat = chat, acquainted(chat, finder)
        open_ = [chat.last] if any(o.mentions for o in chat.orders) else chat.texts[chat.open_since :]
        for text in reversed(open_):
            if not _picks(text, chat) and (words := unfound(heard.read(text), chat.strangers)):
                raise AmbiguousBookingError(words)
    if is_read(chat, finder):
        text = answered(chat, finder)
        return ModelAnswer(text=text) if text else _refused(finder, "")
    if chat.brief.pending:
        calls = amended(chat, finder)
        if calls is not None:
            return ModelAnswer(calls=tuple(calls))
    if re.search(request_words(chat.brief.locale).UNDOES, chat.now.text, re.IGNORECASE) and not chat.now.mentions:
        raise UnclearError("what", "")
    orders, message, expected = completed(chat, finder)
    foreign = next((word for o in orders for word in o.foreign if not _flags(word, o, finder)), "")
    if foreign:
        return _refused(finder, foreign)
    if again := _again(message, finder):
        return _refused(finder, again)
    calls = planned(orders, message, chat, finder, expected, follows=message is not chat.now)
    return ModelAnswer(calls=tuple(calls)) if calls else _refused(finder, "")


def _again(message: ParsedMessage, finder: BookingFinder) -> str:
    """Return the words for a new thing that no tool of its own name makes; "" for none."""
    brief = finder.brief
    things = things_of(brief.words, brief.locale)
    letters = normalize_text(message.text)
    named = [m.span() for thing in things for m in re.finditer(rf"\b{re.escape(thing)}\b", letters)]
    booked = [p.span for p in message.parts if p.does("booking") and not p.slip and normalize_text(p.text) not in VAGUE]
    position = find_creation_request(letters, sorted({*named, *booked}))
    return message.text[slice(*position)] if position and own_tool(message.text, finder.toolbox) is None else ""


def _picks(text: str, chat: ChatState) -> bool:
    """Return whether a message picks one of the bookings offered: "the December one"."""
    messages = [w.text for w in tokenize(normalize_text(text))]
    return counts_from_the_end(messages) or len(pick(text, None, [], chat.brief.offered)) == 1


def _flags(word: str, order: Order, finder: BookingFinder) -> bool:
    """Return whether a word belongs to the tool called: "cancel it, the refund was in cash", "assign lockers"."""
    own = own_tool(order.text, finder.toolbox)
    tool = own or (finder.toolbox.ender if cancels(order) else None)
    return own is not None or (tool is not None and any(stem(word) in p.flag_words for p in tool.params))


def _refused(finder: BookingFinder, text: str) -> ModelAnswer:
    can = able(finder.brief.can, finder.toolbox)
    message = say("cannot_do", text=text, can=can) if text else say("cannot", can=can)
    return ModelAnswer(calls=(Call(REFUSE, {"message": message}),))


def _asking(question: str) -> ModelAnswer:
    return ModelAnswer(calls=(Call(ASK, {"question": question}),))
