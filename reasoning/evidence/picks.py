"""Picks: "the second" after several days or hours were said, or after one was said too vaguely, chooses among those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from language.cues import function_words, ordinary_words
from language.places import IN_TIME, PLACES
from reasoning.evidence.claims import Claim, Kind, Standing
from reasoning.evidence.message import Message

_TWO = 2
_LONGEST, _AT_MOST = 3, 7
"""Words of a message that only picks: any, and those among which all others are ordinary ones."""


def picked(claims: Sequence[Claim], messages: Sequence[Message], today: date) -> list[Claim]:
    """The claims, those that the latest message picks from put in their place and what it picks made certain."""
    word = _pick(messages[0]) if messages else None
    if word is None:
        return list(claims)
    left, taken = list(claims), set()
    # "Sunday at 2 or 4": where the hours of a phrase are to choose from, its day is not.
    for kind in (Kind.TIME, Kind.DAY):
        older = [c for c in claims if c.kind is kind and c.message == 1 and c.standing is Standing.SAID and c.values]
        older = [c for c in older if c.span not in taken]
        chosen = _chosen(older, word, today)
        if chosen is None:
            continue
        taken |= {claim.span for claim in older}
        left = [c for c in left if c not in older and not (c.kind is kind and c.message == 0)] + [chosen]
    return left


def _chosen(older: Sequence[Claim], word: str, today: date) -> Claim | None:
    """What the word picks from these claims of a kind; None where they leave nothing open."""
    values = list(dict.fromkeys(value for claim in older for value in claim.values))
    # Of "the weekend" said on a Sunday, today is none of the two days that are spoken of.
    if len(values) > _TWO and today.isoformat() in values:
        values.remove(today.isoformat())
    if word not in PLACES:
        values.sort()
    place = PLACES.get(word, IN_TIME.get(word, 0))
    open_question = len(values) > 1 or any(claim.doubtful for claim in older)
    if not open_question or not -len(values) <= place < len(values):
        return None
    return replace(older[0], values=(values[place],), doubtful=False, certain=True, message=0)


def _pick(message: Message) -> str | None:
    """The word that picks, in a message that does nothing else."""
    words = [word.text for word in message.words]
    places = [word for word in words if word in PLACES or word in IN_TIME]
    ordinary = ordinary_words(message.locale) | function_words(message.locale) | PLACES.keys() | IN_TIME.keys()
    only = len(words) <= _LONGEST or (
        len(words) <= _AT_MOST
        and not message.of_kind("MOVE")
        and all(word.replace("'", "") in ordinary for word in words)
    )
    return places[0] if only and len(places) == 1 else None
