"""Combination of clauses: a clause continues the order before it, or begins a new one."""

from __future__ import annotations

import re
from dataclasses import replace

from language.extraction import Assertion, MentionKind
from language.locales import in_all
from language.requests.parts import request_words
from offline_planner.orders.order import WHEN, Order

CONTACTS = frozenset({MentionKind.EMAIL, MentionKind.PHONE})
_AND = frozenset(("&",)).union(*in_all("planner_mentions", "AND"))
_TOGETHER = frozenset(("&",)).union(*in_all("planner_mentions", "TOGETHER"))
_DASHES = ("-", "–", "—", ":")


def go_on(orders: list[Order], clause: Order, joined: str, locale: str) -> None:
    """Add a clause to the order that it continues, or begin a new one."""
    if not orders:
        orders.append(clause)
        return
    previous = orders[-1]
    if not clause.mentions:
        others = any(c.kind not in WHEN for c in clause.claims) or (clause.verbs and not clause.claims)
        if others and _only_tells_which(previous) and (clause.verbs or clause.signs & {"pronoun", "now", "want"}):
            _marked(previous)
        elif "booking" in clause.signs and "move" not in clause.verbs and _gives_others(previous):
            _marked(clause)
        previous.take(clause)
        return
    if _are_different(previous, clause, locale):
        previous.take(clause)
        return
    links = joined in _AND or joined in (",", "")
    kinds, more = {c.kind for c in previous.claims}, {c.kind for c in clause.claims}
    if joined == "correct" and clause.bare:
        _corrected(previous, clause)
    elif not previous.mentions:
        heads = kinds & more == {MentionKind.COUNT} and links
        goes_back = "pronoun" in previous.signs and previous.filled and clause.filled and not heads
        _join(orders, clause, together=(not kinds & more or heads) and not goes_back)
    elif _one_party(previous, clause, joined):
        previous.strange.append(f"{previous.mentions[-1].text} {joined} {clause.mentions[0].text}")
        previous.take(clause)
    elif previous.bare and joined in _DASHES and previous.mentions[0].words:
        previous.mentions[0].others += clause.mentions
        clause.mentions = []
        previous.take(clause)
    elif not previous.filled:
        _join(
            orders,
            clause,
            together=joined == ":"
            or (links and bool(previous.bare or previous.verbs) and "cancel" not in clause.verbs),
        )
    elif clause.bare and links and "pronoun" in clause.signs and not _also_of(clause, joined):
        previous.strange.append(clause.text)
    else:
        again = any(m.text in [p.text for p in previous.mentions] for m in clause.mentions)
        _join(orders, clause, together=again or (clause.bare and links))


def _are_different(previous: Order, clause: Order, locale: str) -> bool:
    """Return whether days distinguish two bookings; mark both: "Rossi on the 3rd and Rossi on the 15th, both at 6"."""
    alone = len(previous.mentions) == len(clause.mentions) == 1 and previous.mentions[0].text == clause.mentions[0].text
    both = re.search(request_words(locale).BOTH, clause.text, re.I) or (
        previous.verbs and any(c.is_target for c in clause.claims)
    )
    mine = [c for c in (*previous.former, *previous.claims) if c.kind in WHEN and not c.is_target]
    own = [c for c in clause.former if c.kind in WHEN and c.assertion in (Assertion.ASSERTED, Assertion.PAST)]
    if not (alone and both and own and mine) or len(previous.claims) > len(mine):
        return False
    previous.mentions[0].whens = [replace(c, assertion=Assertion.PAST) for c in mine]
    clause.mentions[0].whens = [replace(c, assertion=Assertion.PAST) for c in own]
    previous.claims, previous.former = [], []
    clause.former = [c for c in clause.former if c not in own]
    return True


def _also_of(clause: Order, joined: str) -> bool:
    """Return whether the article belongs to another number and is no pronoun: "Elimina la 9016 e la 9015"."""
    return joined in _AND and any(m.code for m in clause.mentions)


def _marked(order: Order) -> None:
    """Turn the order's days and hours into marks of the booking."""
    whens = [c for c in order.claims if c.kind in WHEN and not c.is_target]
    order.former += [replace(c, assertion=Assertion.PAST) for c in whens]
    order.claims = [c for c in order.claims if c not in whens]


def _gives_others(order: Order) -> bool:
    return bool(order.claims or order.names) and all(c.kind in CONTACTS for c in order.claims) and bool(order.mentions)


def _only_tells_which(order: Order) -> bool:
    """Return whether a clause is a day and an hour with a noun, and sets nothing: "the 3 o'clock birthday"."""
    whens = all(c.kind in WHEN and not c.is_target for c in order.claims)
    named = any(m.code or m.words for m in order.mentions)
    quiet = not order.verbs and not order.signs & {"want", "now", "report"}
    which = order.signs & {"event", "booking"} or order.former or len({c.kind for c in order.claims}) > 1
    return bool(order.claims) and whens and quiet and not named and bool(which)


def _join(orders: list[Order], clause: Order, together: bool) -> None:
    if together:
        orders[-1].take(clause)
    else:
        orders.append(clause)


def _corrected(previous: Order, clause: Order) -> None:
    """Replace the previous booking: "8231, no wait, 8232". A cancellation cannot be undone, so it is asked about."""
    if "cancel" in previous.verbs:
        previous.strange.append(clause.text)
    else:
        previous.mentions = clause.mentions


def _one_party(previous: Order, clause: Order, joined: str) -> bool:
    """Return whether two names may be one party: "Emma and Jack's party"."""
    names = [*previous.mentions[-1:], *clause.mentions[:1]]
    single = len(names) == 2 and all(m.words and len(m.words.split()) == 1 for m in names)
    owner = re.search(r"['’]s\b", clause.text) is not None
    return single and owner and not previous.filled and joined in _TOGETHER
