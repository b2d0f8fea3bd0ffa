"""Questions: the look-up that answers, then a short text; the core shows what was found."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from contracts.enums import ParameterRole as Role
from language.requests import data_of
from reasoning.evidence import Claim, Kind
from sandbox.model.bookings import Finder, LookUpNeeded, WhichOneError
from sandbox.model.making import whom_of
from sandbox.model.mentions import Mention, free_runs
from sandbox.model.open_request import Chat
from sandbox.model.order import WHEN
from sandbox.model.prompt import Row
from sandbox.model.protocol import Arguments, Call
from sandbox.model.slots import own_tool
from sandbox.model.tables import booker_of
from sandbox.model.values import UnclearError
from sandbox.model.wording import say

_TELL = (
    r"(?:tell|remind|let|inform|show|advise) (?:me|us)(?: know)?|(?:check|confirm|find out|look up)(?: for (?:me|us))?|"
    r"(?:dir|indicar|ricordar|mostrar|confermar|far(?:mi)? sapere|verificar|controllar)\w*"
)
_COURTESY = (
    # "Could you possibly tell me", "would you be good enough to remind me", "do you know", "I was wondering"
    rf"(?:(?:can|could|would|will|might|may) (?:you|i|we) (?:[a-z]+ ){{0,7}}?(?:{_TELL}|ask)|"
    rf"(?:please |kindly |just )*(?:{_TELL})|"
    r"do you (?:happen to )?know|(?:i was|i am|i'm|we were|just) wondering|"
    r"i(?: would|'d) (?:like|love|need) to know|i (?:need|want) to know|remind me|any idea|"
    rf"(?:mi |ci |me lo )?(?:può|puo|puoi|potrebbe|potresti|sa|sai|saprebbe|sapresti|riesce a|riesci a) "
    rf"(?:\w+ ){{0,3}}?(?:{_TELL})|(?:mi|ci) (?:dice|dici|ricorda|ricordi|indica|indichi)|(?:sa|sai)|"
    r"vorrei (?:sapere|chiedere)|volevo (?:sapere|chiedere)|avrei bisogno di sapere|dimmi|mi dica)"
)
_ASKS = (
    r"(?:(?:at|on|for|by|in|from|under|with|a|in|per|di|da|con|sotto) )?(?:what|which|who|whose|whom|when|where|how|"
    r"che|chi|quale|quali|quando|dove|quant[aeio]|cosa)\b"
)
_PREAMBLE = re.compile(rf"^.{{0,60}}?\b{_COURTESY}[\s,:]+(?:please[\s,]+|per favore[\s,]+|if |se )?", re.IGNORECASE)
_ADDRESS = re.compile(rf"^[^,.!;:?\d]{{1,40}}[,.!;:]+\s*(?:but |and |so |ma |e |allora )?(?={_ASKS})", re.IGNORECASE)
"""Words to somebody in front of a question: "Forgive me, but on which day", "Cara, quanti sono"."""
_REASON = re.compile(r",\s*(?:che|perch[eé]|cos[iì]|siccome|because|cos|so|since|as i|i need)\b[^?]*", re.IGNORECASE)
"""Why somebody wants to know."""
_CLITIC = re.compile(r"(?:^|[\s,])(?:(?:me|te|ce|ve|glie) ?)?(?:l[aoei]|ne|mi|ci|gli)\s+$|\bl['’]$", re.IGNORECASE)
_ASKED_OF_YOU = re.compile(r"(?!(?:va|fa|sta|da|ha)$)\w+[ia]", re.IGNORECASE)
"""A verb as it asks somebody to do something, in the shape of a question: "me la sposti alle quattro?"."""
_OPENS = re.compile(
    r"\b(?:apr(?:e|ite|ono)|apert[oaie]|chius[oaie]|chiud(?:e|ete|ono)|orari|open|opens|opening|close[sd]?)\b",
    re.IGNORECASE,
)
"""Asks when somebody opens, where tables are booked: that is what the look-up of a day tells."""
_CHANGES = {"change", "resize", "cancel", "rename", "add"}


def _question_of(chat: Chat) -> Chat:
    """The chat with the question alone for its last message, where courtesies or reasons stand around one."""
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
    asked = replace(chat, said=(*chat.said[:-1], f"{text.rstrip(' .?!')}?"))
    return chat if _goes_on(asked) else asked


def _goes_on(chat: Chat) -> bool:
    """Whether an order stands behind the question: "tell me when it is and move it to 4"."""
    said, data = chat.now, data_of(chat.brief.locale)
    verbs = [p for p in said.parts if p.does("move", *_CHANGES) and not p.does("state", "look", "booking", "count")]
    joined = rf"(?:{data.CONNECT}|[,;.])\W*(?:\w+\W+)?$"
    return any(re.search(joined, said.text[: p.span[0]], re.IGNORECASE) for p in verbs)


def _asked_to_do(chat: Chat) -> bool:
    """An order in the shape of a question, by the small word in front of its verb."""
    said = chat.now
    if re.match(_ASKS, said.text, re.IGNORECASE):
        return False
    verbs = [p for p in said.parts if p.does("move", *_CHANGES) and _ASKED_OF_YOU.fullmatch(p.text)]
    return chat.brief.locale.startswith("it") and any(_CLITIC.search(said.text[: p.span[0]]) for p in verbs)


def is_read(chat: Chat, finder: Finder) -> bool:
    """Whether the message only wants to know something."""
    chat = _question_of(chat)
    said, orders = chat.now, chat.orders
    if any(o.names or o.note is not None for o in orders):
        return False
    if any(own_tool(o.text, finder.toolbox) for o in orders):
        return False
    steps = any(c.kind is Kind.SHIFT or (c.count is not None and c.count.is_relative) for o in orders for c in o.claims)
    if steps and any(o.mentions for o in orders) and not said.does("room"):
        return False
    verbs = {v for o in orders for v in o.verbs}
    first = next((p for p in said.parts if not p.does("polite", "function")), None)
    if said.asks and not said.orders and not _asked_to_do(chat):
        begins = first is not None and first.does("move", *_CHANGES) and not first.does("state", "look")
        return not begins
    shows = first is not None and first.does("look")
    room = said.does("room") and said.does("look") and not verbs & {"cancel"}
    if room and not any(o.mentions for o in orders):
        return True
    return shows and not (verbs & _CHANGES) and not any(o.claims and o.mentions and o.verbs for o in orders)


def is_room(chat: Chat, finder: Finder) -> bool:
    """Whether it asks what a day has left."""
    whens = [c for o in chat.orders for c in (*o.claims, *o.former) if c.kind in WHEN]
    opens = booker_of(finder.toolbox) is not None and _OPENS.search(chat.now.text) is not None
    room = (chat.now.does("room") or opens) and finder.toolbox.checker is not None and bool(_days(whens, chat))
    return room and is_read(chat, finder)


def answered(chat: Chat, finder: Finder) -> str:
    """What is said once the look-ups are there; "" where nothing here tells. Raises `LookUpNeeded`, `WhichOneError`,
    `UnclearError`."""
    chat = _question_of(chat)
    said, orders = chat.now, chat.orders
    whens = [_as_day(c, chat) for o in orders for c in (*o.claims, *o.former) if c.kind in WHEN or _is_dated(c, chat)]
    mentions = [m for o in orders for m in o.mentions] or _named(chat)
    if any(o.foreign for o in orders):
        return ""
    if is_room(chat, finder):
        return _room(chat, finder, whens)
    phones = [c.values[0] for c in said.claims if c.kind is Kind.PHONE]
    lister = finder.toolbox.of_phone
    if phones and lister is not None:
        return _shown(finder.listed(lister, phones[0]))
    who = re.search(data_of(chat.brief.locale).WHO, said.text, re.IGNORECASE) is not None
    if mentions and not (who and not any(m.code or m.words for m in mentions)):
        return _shown(_found(mentions[0], whens, finder))
    if whens and _days(whens, chat) and (who or said.does("look", "booking", "event")):
        days = _days(whens, chat)
        times = [c.values[0] for c in whens if c.kind is Kind.TIME and len(c.values) == 1]
        return _shown(finder.search(finder.by(date=days[0], time=times[0] if times else "")))
    if any(o.foreign for o in orders) or not (
        said.does("pronoun", "count", "time", "look", "booking") and _in_hand(chat)
    ):
        return ""
    row = chat.spoken_of()
    finder.fresh(row) if isinstance(row, Row) else finder.settle(row)
    return say("found")


def _is_dated(claim: Claim, chat: Chat) -> bool:
    """ "Il 28 chi arriva?": a bare number with an article is a day."""
    before = chat.now.text[: claim.span[0]]
    dated = re.search(r"\b(?:il|al|del|(?:on |for )?the)\s+$", before, re.IGNORECASE) is not None
    return claim.kind is Kind.NUMBER and dated and 0 < int(claim.values[0]) <= _DAYS_OF_MONTH


def _as_day(claim: Claim, chat: Chat) -> Claim:
    """The claim as the next day of that number."""
    if claim.kind is not Kind.NUMBER:
        return claim
    today = chat.brief.now.date()
    ahead = (today + timedelta(days=n) for n in range(2 * _DAYS_OF_MONTH))
    day = next((d for d in ahead if d.day == int(claim.values[0])), today)
    return replace(claim, kind=Kind.DAY, values=(day.isoformat(),))


_DAYS_OF_MONTH = 31


def _named(chat: Chat) -> list[Mention]:
    """ "When does petrov come?": the one word of a question that nothing explains."""
    said = chat.now
    runs = free_runs(said, (0, len(said.text)))
    alone = len(runs) == 1 and not any(p.does("pronoun") for p in said.parts)
    return [Mention(runs[0][0].span, words=" ".join(p.text for p in runs[0]))] if alone else []


def _in_hand(chat: Chat) -> bool:
    return bool(chat.brief.known or chat.brief.pending)


def _found(mention: Mention, whens: list[Claim], finder: Finder) -> list[Row]:
    try:
        return [finder.settle(mention, [c for c in whens if c.kind in WHEN])]
    except WhichOneError as which:
        if not which.rows:
            raise
        return list(which.rows)


def _shown(rows: list[Row]) -> str:
    return say("found") if rows else say("found_none")


def _days(whens: list[Claim], chat: Chat) -> list[str]:
    """The day asked about; a weekday said on that weekday is next week's, unless it is about today."""
    days = [c for c in whens if c.kind is Kind.DAY and c.values and not (c.doubtful and len(c.values) > 1)]
    today = chat.brief.now.date().isoformat()
    return [next((v for v in days[0].values if v != today), days[0].values[0])] if days else []


def _room(chat: Chat, finder: Finder, whens: list[Claim]) -> str:
    """The look-up of what a day has. Raises `LookUpNeeded`."""
    checker = finder.toolbox.checker
    assert checker is not None
    if whom_of(checker) is not None:
        raise UnclearError("with_whom", "")
    days = _days(whens, chat)
    if not days:
        raise UnclearError("which_day", chat.now.text)
    times = [c.values[0] for c in whens if c.kind is Kind.TIME and len(c.values) == 1]
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
