"""Amounts whose direction another message gives: "postpone it" and then "by a week"."""

from __future__ import annotations

from collections.abc import Sequence

from language import Shift
from language.when.undirected import amount_alone
from reasoning.evidence.claims import Claim, Kind, stated
from reasoning.evidence.message import Message

_WAYS = {"POSTPONE": 1, "LATER": 1, "ADVANCE": -1, "EARLIER": -1}
_LONGEST = 9
"""Words of a message that may be an amount alone."""


def leaning_amount(messages: Sequence[Message], number: int) -> Claim | None:
    """The shift that a message states by an amount alone, in the direction of the message before it or after it."""
    message = messages[number]
    around = (*messages[number + 1 : number + 2], *messages[max(0, number - 1) : number])
    sign = next((way for other in around if (way := _way(other))), 0)
    found = amount_alone(message.text, message.locale) if sign and len(message.words) <= _LONGEST else None
    if found is None:
        return None
    shift, span = found
    towards = Shift(sign * shift.days, sign * shift.minutes)
    return stated(message, Kind.SHIFT, span, shift=towards, certain=True)


def _way(message: Message) -> int:
    """Later (1), earlier (-1) or neither (0): the last word that says one."""
    said = [(token.start, _WAYS[token.symbol]) for token in message.tokens if token.symbol in _WAYS]
    said += [(cue.span[0], _WAYS[cue.kind]) for cue in message.of_kind("LATER", "EARLIER")]
    return max(said)[1] if said else 0
