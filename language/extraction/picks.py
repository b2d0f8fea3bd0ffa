"""Picks: "the second" after several days or hours, or after a vague one, chooses among those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from language.extraction.mention import Assertion, Mention, MentionKind
from language.extraction.message import Message
from language.numbers.ordinals import IN_TIME, PLACES
from language.requests.cues import function_words, ordinary_words

_TWO = 2
_LONGEST, _AT_MOST = 3, 7
"""Words of a message that only picks: any, and those among which all others are ordinary ones."""


def apply_selection(mentions: Sequence[Mention], messages: Sequence[Message], today: date) -> list[Mention]:
    """Return the mentions, those that the latest message picks from put in their place and what it picks made
    certain."""
    word = _pick(messages[0]) if messages else None
    if word is None:
        return list(mentions)
    left, taken = list(mentions), set()
    # "Sunday at 2 or 4": where the hours of a phrase are to choose from, its day is not.
    for kind in (MentionKind.TIME, MentionKind.DAY):
        older = [
            c for c in mentions if c.kind is kind and c.message == 1 and c.assertion is Assertion.ASSERTED and c.values
        ]
        older = [c for c in older if c.span not in taken]
        chosen = _chosen(older, word, today)
        if chosen is None:
            continue
        taken |= {mention.span for mention in older}
        left = [c for c in left if c not in older and not (c.kind is kind and c.message == 0)] + [chosen]
    return left


def _chosen(older: Sequence[Mention], word: str, today: date) -> Mention | None:
    """Return what the word picks from these mentions of a kind; None if they leave nothing open."""
    values = list(dict.fromkeys(value for mention in older for value in mention.values))
    # "The weekend" mentioned on a Sunday excludes today.
    if len(values) > _TWO and today.isoformat() in values:
        values.remove(today.isoformat())
    if word not in PLACES:
        values.sort()
    index = PLACES.get(word, IN_TIME.get(word, 0))
    open_question = len(values) > 1 or any(claim.vague for claim in older)
    if not open_question or not -len(values) <= index < len(values):
        return None
    return replace(older[0], values=(values[index],), vague=False, unambiguous=True, message=0)


def _pick(message: Message) -> str | None:
    """Return the word that picks, in a message that does nothing else."""
    words = [word.text for word in message.words]
    places = [word for word in words if word in PLACES or word in IN_TIME]
    ordinary = ordinary_words(message.locale) | function_words(message.locale) | PLACES.keys() | IN_TIME.keys()
    only = len(words) <= _LONGEST or (
        len(words) <= _AT_MOST
        and not message.of_kind("MOVE")
        and all(word.replace("'", "") in ordinary for word in words)
    )
    return places[0] if only and len(places) == 1 else None
