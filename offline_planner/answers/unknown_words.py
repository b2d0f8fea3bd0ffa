"""Words in no list: a booking's name where a look-up finds it, chatter where it finds nothing."""

from __future__ import annotations

import re
from dataclasses import replace

from language.locales import alternatives, in_all, words_in_all
from language.replies.phrases import kinds
from language.requests.parts import RequestWord
from language.text.normalize import normalize_text
from language.text.spelling import same_but_a_slip
from offline_planner.bookings.booking_search import BookingFinder, LookUpNeeded, matches, rows_in
from offline_planner.chat import ChatState
from offline_planner.message import ParsedMessage, parse_message
from offline_planner.orders.mentions import BookingMention, free_runs
from offline_planner.protocol import Call

_JOINED = re.compile(rf"\s*(?:&|{alternatives('planner_answers', 'JOINED')})\s*", re.IGNORECASE)
_FOR = words_in_all("planner_answers", "NAMES")
_TO = frozenset(("", ":")).union(*in_all("planner_answers", "TO"))
_SHORTEST = 3
_LONG = 5
"""Minimum letters of a word whose slips are recognised."""
_AT_ONCE = 8
"""Maximum look-ups in one reply."""
_MOST = 14
"""Maximum names to look up; a message with more is mostly chatter."""


def acquainted(chat: ChatState, finder: BookingFinder) -> ChatState:
    """Return the chat with the unknown words of its open request as people or strangers. Raises `LookUpNeeded`."""
    if finder.toolbox.searcher is None:
        return chat
    runs = [
        run
        for message in (parse_message(text, chat.brief) for text in chat.texts[chat.open_since :])
        for run in free_runs(message, (0, len(message.text)))
    ][:_MOST]
    whole = {" ".join(p.text for p in run): run for run in runs}
    nameless = [run for text, run in whole.items() if text not in _named(list(whole), chat, finder)]
    words = {normalize_text(p.text): p.text for run in nameless for p in run}
    several = {w: text[:-1] for w, text in words.items() if re.fullmatch(r"\w{3,}[^\Ws]s", text)}
    slips = {
        normalize_text(p.text): p.text
        for text in chat.texts[chat.open_since :]
        for p in parse_message(text, chat.brief).parts
        if p.slip and " " not in p.text
    }
    named = _named([*words.values(), *several.values(), *slips.values()], chat, finder)
    named |= {words[w] for w, one in several.items() if one in named}
    strangers = frozenset(w for w, text in words.items() if text not in named and len(w) > 1)
    met = frozenset(normalize_text(p.text) for text, run in whole.items() if run not in nameless for p in run)
    met |= frozenset(w for w, text in words.items() if text in named)
    people = met | frozenset(w for w, text in slips.items() if text in named and _titled(text, chat, finder))
    return replace(chat, strangers=strangers, people=people)


def _titled(text: str, chat: ChatState, finder: BookingFinder) -> bool:
    """Return whether a booking found has the word itself in its title; otherwise a slip is likelier."""
    rows = [*chat.brief.known, *chat.brief.offered, *finder.search(finder.by(search=_searched(text)))]
    return any(matches(row, BookingMention((0, 0), words=_searched(text))) for row in rows)


def _named(texts: list[str], chat: ChatState, finder: BookingFinder) -> set[str]:
    """Return the texts that find a booking. Raises `LookUpNeeded` with the missing look-ups, `_AT_ONCE` at most."""
    known = (*chat.brief.known, *chat.brief.offered)
    named = {t for t in texts if any(matches(row, BookingMention((0, 0), words=t)) for row in known)}
    searcher = finder.toolbox.searcher
    assert searcher is not None
    calls = {
        t: Call(searcher.name, finder.by(search=_searched(t)))
        for t in texts
        if t not in named and len(_searched(t)) >= _SHORTEST
    }
    missing = [call for call in calls.values() if finder.transcript.answer(call) is None]
    if missing:
        raise LookUpNeeded(missing[:_AT_ONCE])
    return named | {t for t, call in calls.items() if rows_in(finder.transcript.answer(call) or "")}


def _searched(name: str) -> str:
    """Return a name without its possessive ending: "Emma's"."""
    return re.sub(r"['’]s?$", "", name)


def unfound(message: ParsedMessage, strangers: frozenset[str]) -> str:
    """Return the words in the place of a name that match no booking; "" where there are none."""
    parts = list(message.parts)
    runs = free_runs(message, (0, len(message.text)))
    found = [run for run in runs if not all(normalize_text(p.text) in strangers for p in run)]
    for run in runs:
        if run in found or all(_is_reply(p.text) for p in run):
            continue
        beside = any(_JOINED.fullmatch(message.text[f[-1].span[1] : run[0].span[0]]) for f in found)
        if beside or (not found and _must_name(message, parts, run)):
            return _searched(message.text[run[0].span[0] : run[-1].span[1]])
    return ""


def _is_reply(text: str) -> bool:
    """Return whether a word is that of a short reply, or one slip away from it: "Yeh", "sory". Alone, it is no name."""
    word = normalize_text(text)
    return word in kinds() or any(len(one) >= _LONG and same_but_a_slip(word, one) for one in kinds())


def _must_name(message: ParsedMessage, parts: list[RequestWord], run: list[RequestWord]) -> bool:
    first, last = parts.index(run[0]), parts.index(run[-1])
    before = parts[first - 1] if first else None
    after = parts[last + 1] if last + 1 < len(parts) else None
    if message.codes:
        return False
    if after is not None and after.does("booking", "event"):
        return True
    near = before is not None and not re.search(r"[.;:!?,]", message.text[before.span[1] : run[0].span[0]])
    led = (
        near and before is not None and (before.text.lower() in _FOR or before.does("move", "cancel", "resize", "look"))
    )
    value = next((c for c in message.mentions if c.span[0] >= run[-1].span[1]), None)
    gap = message.text[run[-1].span[1] : value.span[0]].strip() if value is not None else "?"
    return led or gap in _TO or len(parts) == len(run)
