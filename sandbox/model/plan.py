"""Planning: the operator's last message becomes look-ups, then every changing call in one reply, or one question."""

from __future__ import annotations

import re
from dataclasses import replace

from language.making import VAGUE, asked_anew
from language.nouns import things_of
from language.places import counts_from_the_end
from language.plain import plain, words
from language.requests import data_of
from language.small_talk import small_talk
from language.tongue import tongue_of
from language.venue_asked import brings
from sandbox.model.amending import amended
from sandbox.model.bookings import Finder, LookUpNeeded, Transcript, WhichOneError, pick
from sandbox.model.clear import cancels
from sandbox.model.conditions import on_a_condition
from sandbox.model.follow_ups import completed, on_its_own
from sandbox.model.making import free_when, made
from sandbox.model.open_request import Chat
from sandbox.model.order import Order
from sandbox.model.prompt import Brief
from sandbox.model.protocol import ASK, REFUSE, Call, Message, Reply
from sandbox.model.reads import answered, is_read, is_room
from sandbox.model.requests import planned
from sandbox.model.said import Said
from sandbox.model.slots import own_tool
from sandbox.model.strangers import acquainted, unfound
from sandbox.model.tables import booked
from sandbox.model.tools import Toolbox, stem
from sandbox.model.values import UnclearError
from sandbox.model.wording import able, say


def plan(messages: list[Message], brief: Brief, toolbox: Toolbox) -> Reply:
    """The next reply of a planning turn."""
    brief = replace(brief, locale=_tongue(messages, brief))
    return on_a_condition(messages, brief, toolbox, _plan) or _plan(messages, brief, toolbox)


def _tongue(messages: list[Message], brief: Brief) -> str:
    """The language of what was said last, and so of the words to read it by: a venue's staff write in their own. An
    answer of a word or a number is in that of what it answers."""
    said = [m.content for m in reversed(messages) if m.role == "user"][: 1 + brief.open]
    return next((found for text in said if (found := tongue_of(text, brief.locale)) != brief.locale), brief.locale)


def _plan(messages: list[Message], brief: Brief, toolbox: Toolbox) -> Reply:
    chat = on_its_own(Chat.of(messages, brief))
    talk = small_talk(chat.last)
    if talk is not None:
        return Reply(text=say(talk, can=able(brief.can, toolbox)))
    finder = Finder(brief, toolbox, Transcript.of(messages))
    if brings(chat.last):
        return _refused(finder, "")
    try:
        return _replied(chat, finder)
    except LookUpNeeded as needed:
        return Reply(calls=needed.calls)
    except WhichOneError as which:
        return _asking(say("which") if which.rows else say("nobody", said=which.said) if which.said else say("no_ref"))
    except UnclearError as fault:
        return _asking(say(fault.code, said=fault.said))


def _replied(chat: Chat, finder: Finder) -> Reply:
    making = made(chat, finder) or booked(chat, finder)
    if making is not None:
        return Reply(calls=tuple(making))
    if free_when(chat, finder):
        return Reply(text=say("found"))
    if not any(o.foreign for o in chat.orders) and not is_room(chat, finder):
        heard, chat = chat, acquainted(chat, finder)
        open_ = [chat.last] if any(o.mentions for o in chat.orders) else chat.said[chat.open_since :]
        for text in reversed(open_):
            if not _picks(text, chat) and (words := unfound(heard.read(text), chat.strangers)):
                raise WhichOneError(words)
    if is_read(chat, finder):
        told = answered(chat, finder)
        return Reply(text=told) if told else _refused(finder, "")
    if chat.brief.pending:
        calls = amended(chat, finder)
        if calls is not None:
            return Reply(calls=tuple(calls))
    if re.search(data_of(chat.brief.locale).UNDOES, chat.now.text, re.IGNORECASE) and not chat.now.claims:
        raise UnclearError("what", "")
    orders, said, expected = completed(chat, finder)
    foreign = next((word for o in orders for word in o.foreign if not _flags(word, o, finder)), "")
    if foreign:
        return _refused(finder, foreign)
    if anew := _anew(said, finder):
        return _refused(finder, anew)
    calls = planned(orders, said, chat, finder, expected, follows=said is not chat.now)
    return Reply(calls=tuple(calls)) if calls else _refused(finder, "")


def _anew(said: Said, finder: Finder) -> str:
    """The words for a new thing that no tool of its own name makes; "" for none."""
    brief = finder.brief
    things = things_of(brief.words, brief.locale)
    letters = plain(said.text)
    named = [m.span() for thing in things for m in re.finditer(rf"\b{re.escape(thing)}\b", letters)]
    booked = [p.span for p in said.parts if p.does("booking") and not p.slip and plain(p.text) not in VAGUE]
    place = asked_anew(letters, sorted({*named, *booked}))
    return said.text[slice(*place)] if place and own_tool(said.text, finder.toolbox) is None else ""


def _picks(text: str, chat: Chat) -> bool:
    """Whether a message picks one of the bookings offered: "the December one"."""
    said = [w.text for w in words(plain(text))]
    return counts_from_the_end(said) or len(pick(text, None, [], chat.brief.offered)) == 1


def _flags(word: str, order: Order, finder: Finder) -> bool:
    """Whether a word belongs to the tool that an order calls: "cancel it, the refund was in cash", "assign lockers"."""
    own = own_tool(order.text, finder.toolbox)
    tool = own or (finder.toolbox.ender if cancels(order) else None)
    return own is not None or (tool is not None and any(stem(word) in p.flag_words for p in tool.params))


def _refused(finder: Finder, said: str) -> Reply:
    can = able(finder.brief.can, finder.toolbox)
    message = say("cannot_do", said=said, can=can) if said else say("cannot", can=can)
    return Reply(calls=(Call(REFUSE, {"message": message}),))


def _asking(question: str) -> Reply:
    return Reply(calls=(Call(ASK, {"question": question}),))
