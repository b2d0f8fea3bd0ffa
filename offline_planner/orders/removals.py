"""Removals from the pending plan: "forget the note", "just the numbers", "the time stays"."""

from __future__ import annotations

import re

from contracts.enums import ParameterRole as Role
from language.extraction import MentionKind
from language.locales import LanguageData, in_all
from language.requests.parts import request_words
from offline_planner.bookings.booking_search import matches
from offline_planner.brief import BriefStep
from offline_planner.chat import ChatState
from offline_planner.tools import Toolbox

_TAKEN_OUT = [pair for pairs in in_all("planner_orders", "TAKEN_OUT") for pair in pairs]
_ROLES: dict[str, frozenset[Role]] = {
    "time": frozenset({Role.TIME}),
    "day": frozenset({Role.DATE}),
    "move": frozenset({Role.DATE, Role.TIME}),
    "count": frozenset({Role.COUNT}),
    "email": frozenset({Role.EMAIL}),
    "phone": frozenset({Role.PHONE}),
    "name": frozenset({Role.FIRST_NAME, Role.LAST_NAME}),
    "note": frozenset({Role.NOTE}),
}

_KINDS = {MentionKind.COUNT: Role.COUNT, MentionKind.TIME: Role.TIME, MentionKind.DAY: Role.DATE}

Kept = tuple[list[BriefStep], str]
"""The rest of the plan, and the words of the message that remove nothing."""


def without_dropped(chat: ChatState, toolbox: Toolbox) -> Kept | None:
    """Return the rest of the plan and of the message; None where the message removes nothing."""
    data = request_words(chat.brief.locale)
    gone: set[Role] = set()
    only: set[Role] = set()
    bookings: set[str] = set()
    rest: list[str] = []
    last, pending = "", _pending_roles(chat, toolbox)
    joints = rf"[,;.!?]+(?=\s|$)|\s[-–—]\s|{data.CONNECT}"
    for clause in re.split(joints, chat.now.text, flags=re.IGNORECASE):
        out, alone = _read(clause, data, last)
        out, alone = out & pending, alone & pending
        mine = _bookings(clause, chat, toolbox) if re.search(data.DROP, clause, re.I) else set()
        if out or alone:
            gone |= out - alone
            only |= alone
            last = "only" if alone else "drop"
        elif mine and not re.search(r"\d", clause):
            bookings |= mine
        elif clause.strip():
            rest.append(clause.strip())
            last = ""
    if not (gone or only or bookings):
        return None
    steps = [s for step in chat.brief.pending if (s := _left(step, toolbox, gone, only, bookings)) is not None]
    return steps, ", ".join(rest)


def left_alone(text: str, locale: str) -> set[MentionKind]:
    """Return the kinds of values that a message leaves unchanged: "leave the kids, start at 9.30 instead"."""
    data = request_words(locale)
    clauses = re.split(rf"[,;.!?]+(?=\s|$)|\s[-–—]\s|{data.CONNECT}", text, flags=re.IGNORECASE)
    gone = {role for clause in clauses if not re.search(r"\d", clause) for role in _read(clause, data, "")[0]}
    return {kind for kind, role in _KINDS.items() if role in gone}


def _read(clause: str, data: LanguageData, last: str) -> tuple[set[Role], set[Role]]:
    """Return the roles a clause removes, and those it alone keeps; "the email" behind "drop the note" continues it."""
    drop, only, article = data.DROP, data.ONLY, data.ARTICLE
    kept = re.search(data.AS_IT_IS, clause, re.I) is not None
    gone: set[Role] = set()
    alone: set[Role] = set()
    for name, roles in _ROLES.items():
        words = data.PARTS[name]
        listed = last and re.fullmatch(rf"\W*{article}(?:{words})\W*", f" {clause.strip()}", re.I)
        around = "".join(rf"|{before}{article}(?:{words}){behind}" for before, behind in _TAKEN_OUT)
        following = re.search(rf"(?:{drop}){article}(?:{words})(?!\w){around}", clause, re.I)
        if re.search(rf"(?:{only}){article}(?:\d+\s+)?(?:{words})(?!\w)", clause, re.I) or (listed and last == "only"):
            alone |= roles
        elif (kept and re.search(rf"(?<!\w)(?:{words})(?!\w)", clause, re.I)) or following or listed:
            gone |= roles
    return gone, alone


def _pending_roles(chat: ChatState, toolbox: Toolbox) -> set[Role]:
    return {
        p.role
        for s in chat.brief.pending
        if (t := toolbox.get(s.tool))
        for p in t.params
        if p.role and p.name in s.arguments
    }


def _bookings(clause: str, chat: ChatState, toolbox: Toolbox) -> set[str]:
    """Return the bookings of the plan that a clause names, where the plan has others too."""
    ids = {_booking(s, toolbox) for s in chat.brief.pending}
    named = [m for o in chat.orders for m in o.mentions if m.text in clause]
    mine = {r.booking_id for r in chat.brief.known if r.booking_id in ids and any(matches(r, m) for m in named)}
    return mine if mine < ids else set()


def _booking(step: BriefStep, toolbox: Toolbox) -> str:
    tool = toolbox.get(step.tool)
    spot = tool.with_role(Role.BOOKING) if tool else None
    return str(step.arguments.get(spot.name, "")) if spot is not None else ""


def _left(step: BriefStep, toolbox: Toolbox, gone: set[Role], only: set[Role], bookings: set[str]) -> BriefStep | None:
    """Return what is left of a step; None when nothing is."""
    tool = toolbox.get(step.tool)
    if tool is None:
        return step
    if _booking(step, toolbox) in bookings:
        return None
    spot = tool.with_role(Role.BOOKING)
    dropped = {p.name for p in tool.params if p.role in gone or (only and p.role not in only)}
    kept = {k: v for k, v in step.arguments.items() if k not in dropped or (spot is not None and k == spot.name)}
    real = [k for k in kept if spot is None or k != spot.name]
    return (
        BriefStep(step.tool, kept, step.number, step.status)
        if real or (len(kept) == len(step.arguments) and not only)
        else None
    )
