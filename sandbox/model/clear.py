"""Whether an order is one: said as a change, nothing left open. What is not becomes a question that names the words."""

from __future__ import annotations

import re

from language.requests import data_of
from reasoning.evidence import Claim, Kind
from sandbox.model.order import WHEN, Order
from sandbox.model.said import Said
from sandbox.model.values import UnclearError

_STRONG = frozenset({"move", "change", "resize", "rename"})
_REMARKS = frozenset({"state", "report", "refuse", "look", "room"})


def check(order: Order, said: Said, locale: str, follows: bool) -> None:
    """Raises `UnclearError` where the words leave it open whether, or what, to change. `follows`: it goes on with a
    request of which more was said before."""
    if words := _unsaid(order):
        raise UnclearError("unclear", words)
    if order.vague and not any(c.kind in (Kind.TIME, Kind.SHIFT) for c in order.claims):
        raise UnclearError("vague", order.vague[0])
    if cancels(order):
        _check_cancel(order)
        return
    if not follows:
        _check_change(order, said, locale)
    contacts = [c for c in order.claims if c.kind in (Kind.EMAIL, Kind.PHONE)]
    named = order.topics & {"email", "phone", "contact", "name"} or order.verbs
    old = re.search(data_of(locale).OLD_BEFORE, said.text[: contacts[0].span[0]], re.I) if contacts else None
    if contacts and ((old and len(contacts) == 1) or not (follows or named)):
        raise UnclearError("unclear", contacts[0].text)


def _unsaid(order: Order) -> str:
    """Words that make it no order: a condition, a no, a room, what stays, what nothing explains; "" where there are
    none."""
    # "Don't cancel it, he wants the 19th instead".
    instead = order.denied <= {"cancel"} and bool(order.signs & {"want", "now"})
    denied = order.denied and not order.verbs and not order.note and not instead
    if order.signs & {"hedge", "many"} or (denied and order.claims):
        return order.text
    stays = "keep" in order.signs | order.verbs and not order.former and not order.verbs & _STRONG
    if order.claims and ("room" in order.signs or stays):
        return order.text
    return order.strange[0] if order.strange else ""


def _check_change(order: Order, said: Said, locale: str) -> None:
    """A day, an hour or heads must be said as a change: what only tells how things are is a remark."""
    moving = [c for c in order.claims if c.kind in WHEN]
    counts = [c for c in order.claims if c.kind in (Kind.COUNT, Kind.NUMBER)]
    values = [*moving, *counts]
    strong = _strong(order, values)
    strong = strong or _comes_then(order, moving, said, locale)
    if "refuse" in order.signs and not strong:
        raise UnclearError("unclear", order.text)
    remarks = bool(order.signs & _REMARKS) and not strong
    if remarks and (moving or (counts and not _copula(said, counts, locale))):
        raise UnclearError("remark", order.text)
    if (
        values
        and not strong
        and (order.plain or order.verbs - ({"add"} if order.note else set()))
        and not (counts == values and _copula(said, counts, locale))
    ):
        raise UnclearError("unclear", order.plain[0] if order.plain else order.text)
    stepped = any(c.count is not None and c.count.is_relative for c in counts) and len(counts) > 1
    if (
        counts
        and "absent" in order.signs
        and not stepped
        and not order.verbs & _STRONG
        and not _copula(said, counts, locale)
    ):
        raise UnclearError("remark", order.text)


def _comes_then(order: Order, moving: list[Claim], said: Said, locale: str) -> bool:
    """ "Rossi viene lunedì alle 17": who comes on another day at an hour wants to."""
    comes = re.search(data_of(locale).COMES, order.text, re.IGNORECASE) is not None
    comes = comes or (said.orders and "state" in order.signs)
    whole = {c.kind for c in moving if not c.doubtful} >= data_of(locale).COMES_AT
    return comes and whole and bool(order.mentions) and not order.signs & {"report", "look", "room", "refuse", "absent"}


def cancels(order: Order) -> bool:
    """Whether a booking is to be cancelled: by its own verb, or by words that it does not take place."""
    return "cancel" in order.verbs or "cancelled" in order.signs


def _check_cancel(order: Order) -> None:
    moves = "move" in order.verbs or any(c.kind is Kind.TIME for c in order.claims)
    targets = [c for c in order.claims if c.kind in WHEN and (c.to or moves)] or [
        c for c in order.claims if c.kind not in WHEN and not _says_why(c)
    ]
    if "note" in order.topics or (order.topics & {"email", "phone"} and not any(m.words for m in order.mentions)):
        raise UnclearError("unclear", order.text)
    if targets or order.names or order.denied & {"cancel"} or (order.note is not None):
        raise UnclearError("unclear", order.text)


def _says_why(claim: Claim) -> bool:
    """ "It's off, the kid has chickenpox": who is ill, and no number."""
    return claim.count is not None and claim.count.is_relative and not re.search(r"\d", claim.text)


def _strong(order: Order, claims: list[Claim]) -> bool:
    """Whether something says that it is to change: a verb of change, a wish, "now", a target, a step from what is."""
    if order.verbs & _STRONG or order.signs & {"want", "now", "same_hour", "same_day", "keep"} or "keep" in order.verbs:
        return True
    if "add" in order.verbs and re.search(r"\bas\b", order.text, re.IGNORECASE):
        return True
    if "goes" in order.signs and "report" not in order.signs:
        return True
    if any(c.to or c.kind is Kind.SHIFT or (c.count is not None and c.count.is_relative) for c in claims):
        return True
    return any(
        c.kind is f.kind or Kind.NUMBER in (c.kind, f.kind)
        for c in claims
        for f in order.former
        if f.standing != "said" and not f.to
    )


def _copula(said: Said, counts: list[Claim], locale: str) -> bool:
    """ "The Bakers are 12": for heads, to be is to change."""
    start, end = counts[0].span
    return re.search(data_of(locale).COPULA, f"{said.text[:start]}|{said.text[start:end]}", re.IGNORECASE) is not None
