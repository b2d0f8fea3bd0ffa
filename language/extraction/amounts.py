"""Amounts whose direction another message gives: "postpone it" and then "by a week"."""

from __future__ import annotations

from collections.abc import Sequence

from language import Shift
from language.dates.relative_to_booking import amount_alone
from language.extraction.mention import Mention, MentionKind, stated
from language.extraction.message import Message

_WAYS = {"POSTPONE": 1, "LATER": 1, "ADVANCE": -1, "EARLIER": -1}
_LONGEST = 9
"""Words of a message that may be an amount alone."""


def leaning_amount(messages: Sequence[Message], number: int) -> Mention | None:
    """Return the shift that a message states by an amount alone, in the direction of the message before it or after
    it."""
    message = messages[number]
    around = (*messages[number + 1 : number + 2], *messages[max(0, number - 1) : number])
    sign = next((way for other in around if (way := _way(other))), 0)
    found = amount_alone(message.text, message.locale) if sign and len(message.words) <= _LONGEST else None
    if found is None:
        return None
    shift, span = found
    towards = Shift(sign * shift.days, sign * shift.minutes)
    return stated(message, MentionKind.SHIFT, span, shift=towards, certain=True)


def _way(message: Message) -> int:
    """Later (1), earlier (-1) or neither (0): the last word that says one."""
    directions = [(token.start, _WAYS[token.symbol]) for token in message.tokens if token.symbol in _WAYS]
    directions += [(cue.span[0], _WAYS[cue.kind]) for cue in message.of_kind("LATER", "EARLIER")]
    return max(directions)[1] if directions else 0
