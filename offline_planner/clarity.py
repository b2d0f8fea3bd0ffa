"""Clarity of an order: it states a change and leaves nothing open. Otherwise a question names the unclear words."""

from __future__ import annotations

import re

from language.extraction import Mention, MentionKind
from language.locales import alternatives
from language.requests.booking_names import quantified, strip_possessive
from language.requests.parts import request_words
from language.text.normalize import normalize_text, tokenize
from offline_planner.message import ParsedMessage
from offline_planner.orders.contacts import UnclearError
from offline_planner.orders.order import WHEN, Order

_STRONG = frozenset({"move", "change", "resize", "rename"})
_ADDED_AS = re.compile(alternatives("planner_orders", "ADDED_AS"), re.IGNORECASE)
_REMARKS = frozenset({"state", "report", "refuse", "look", "room"})


def check(order: Order, message: ParsedMessage, locale: str, follows: bool) -> None:
    """Raise `UnclearError` where the words leave open whether, or what, to change. `follows`: the order continues a
    request that an earlier message began."""
    if words := _unsaid(order, locale):
        raise UnclearError("unclear", words)
    if order.vague and not any(c.kind in (MentionKind.TIME, MentionKind.SHIFT) for c in order.claims):
        raise UnclearError("vague", order.vague[0])
    if cancels(order):
        _check_cancel(order)
        return
    if not follows:
        _check_change(order, message, locale)
    contacts = [c for c in order.claims if c.kind in (MentionKind.EMAIL, MentionKind.PHONE)]
    named = order.topics & {"email", "phone", "contact", "name"} or order.verbs
    old = re.search(request_words(locale).OLD_BEFORE, message.text[: contacts[0].span[0]], re.I) if contacts else None
    if contacts and ((old and len(contacts) == 1) or not (follows or named)):
        raise UnclearError("unclear", contacts[0].text)


def _is_for_many(order: Order, locale: str) -> bool:
    """Return whether an order is for bookings that it does not name: "cancel all bookings"."""
    words = " ".join(text for m in order.mentions for text in (m.words, *m.title))
    names = {strip_possessive(word.text) for word in tokenize(normalize_text(words))}
    return "many" in order.signs and not list(quantified(normalize_text(order.text), names, locale))


def _unsaid(order: Order, locale: str) -> str:
    """Return words that make it no order: a condition, a negation, room, what stays, what nothing explains; else ""."""
    # A denied "cancel" beside a wish is a change: "Don't cancel it, he wants the 19th instead".
    instead = order.denied <= {"cancel"} and bool(order.signs & {"want", "now"})
    denied = order.denied and not order.verbs and not order.note and not instead
    if order.signs & {"hedge"} or _is_for_many(order, locale) or (denied and order.claims):
        return order.text
    stays = "keep" in order.signs | order.verbs and not order.former and not order.verbs & _STRONG
    if order.claims and ("room" in order.signs or stays):
        return order.text
    return order.strange[0] if order.strange else ""


def _check_change(order: Order, message: ParsedMessage, locale: str) -> None:
    """Raise `UnclearError` unless a day, an hour or heads are stated as a change; a mere description is a remark."""
    moving = [c for c in order.claims if c.kind in WHEN]
    counts = [c for c in order.claims if c.kind in (MentionKind.COUNT, MentionKind.NUMBER)]
    values = [*moving, *counts]
    strong = _strong(order, values)
    strong = strong or _comes_then(order, moving, message, locale)
    if "refuse" in order.signs and not strong:
        raise UnclearError("unclear", order.text)
    remarks = bool(order.signs & _REMARKS) and not strong
    if remarks and (moving or (counts and not _copula(message, counts, locale))):
        raise UnclearError("remark", order.text)
    if (
        values
        and not strong
        and (order.plain or order.verbs - ({"add"} if order.note else set()))
        and not (counts == values and _copula(message, counts, locale))
    ):
        raise UnclearError("unclear", order.plain[0] if order.plain else order.text)
    stepped = any(c.count is not None and c.count.is_relative for c in counts) and len(counts) > 1
    if (
        counts
        and "absent" in order.signs
        and not stepped
        and not order.verbs & _STRONG
        and not _copula(message, counts, locale)
    ):
        raise UnclearError("remark", order.text)


def _comes_then(order: Order, moving: list[Mention], message: ParsedMessage, locale: str) -> bool:
    """Return whether a guest's coming on a day at an hour is a wish: "Rossi viene lunedì alle 17"."""
    comes = re.search(request_words(locale).COMES, order.text, re.IGNORECASE) is not None
    comes = comes or (message.orders and "state" in order.signs)
    whole = {c.kind for c in moving if not c.vague} >= frozenset(request_words(locale).COMES_AT)
    return comes and whole and bool(order.mentions) and not order.signs & {"report", "look", "room", "refuse", "absent"}


def cancels(order: Order) -> bool:
    """Return whether a booking is to be cancelled: by its own verb, or by words that it does not take place."""
    return "cancel" in order.verbs or "cancelled" in order.signs


def _check_cancel(order: Order) -> None:
    moves = "move" in order.verbs or any(c.kind is MentionKind.TIME for c in order.claims)
    targets = [c for c in order.claims if c.kind in WHEN and (c.is_target or moves)] or [
        c for c in order.claims if c.kind not in WHEN and not _says_why(c)
    ]
    if "note" in order.topics or (order.topics & {"email", "phone"} and not any(m.words for m in order.mentions)):
        raise UnclearError("unclear", order.text)
    if targets or order.names or order.denied & {"cancel"} or (order.note is not None):
        raise UnclearError("unclear", order.text)


def _says_why(mention: Mention) -> bool:
    """Return whether a count is a reason without a number: "It's off, the kid has chickenpox"."""
    return mention.count is not None and mention.count.is_relative and not re.search(r"\d", mention.text)


def _strong(order: Order, mentions: list[Mention]) -> bool:
    """Return whether the order states a change: a verb of change, a wish, "now", a target, a relative step."""
    if order.verbs & _STRONG or order.signs & {"want", "now", "same_hour", "same_day", "keep"} or "keep" in order.verbs:
        return True
    if "add" in order.verbs and _ADDED_AS.search(order.text):
        return True
    if "goes" in order.signs and "report" not in order.signs:
        return True
    if any(
        c.is_target or c.kind is MentionKind.SHIFT or (c.count is not None and c.count.is_relative) for c in mentions
    ):
        return True
    return any(
        c.kind is f.kind or MentionKind.NUMBER in (c.kind, f.kind)
        for c in mentions
        for f in order.former
        if f.assertion != "said" and not f.is_target
    )


def _copula(message: ParsedMessage, counts: list[Mention], locale: str) -> bool:
    """Return whether "to be" sets a head count: "The Bakers are 12"."""
    start, end = counts[0].span
    return (
        re.search(request_words(locale).COPULA, f"{message.text[:start]}|{message.text[start:end]}", re.IGNORECASE)
        is not None
    )
