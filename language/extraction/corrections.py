"""Apply what one clause states about a claim in another: "… but that's off", "…, sorry, i typed 9", "… needs another
day"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from language.extraction.mention import FAMILIES, Assertion, Mention, MentionKind
from language.extraction.message import Message
from language.locales import alternatives
from language.requests.cues import Cue

_NEAR = 2
_of = partial(alternatives, "extraction")
_NO_THEN = re.compile(rf"\s*,?\s+(?:{_of('NO_SORRY')})\s+(?:(?:{_of('WAIT')})\s+)?(?:(?:{_of('TO_OR_AT')})\s+)?")
_HAVE = re.compile(rf"\W*(?:(?:{_of('BECAUSE')})\s+)?(?:{_of('HAVE')})\b")
_COMPARED = re.compile(rf"\s*(?:{_of('COMPARED')})")
_LEFT_OPEN: Mapping[str, frozenset[MentionKind]] = {
    "ANOTHER_DAY": frozenset({MentionKind.DAY}),
    "ANOTHER_TIME": frozenset({MentionKind.TIME, MentionKind.NUMBER}),
    "AFTER_THAT": frozenset({MentionKind.DAY, MentionKind.TIME, MentionKind.NUMBER}),
}


def reconsidered(message: Message, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of one message, each as corrected by the other clauses."""
    judged = [_with_earlier(message, mention, mentions) for mention in mentions]
    judged = [_put_right(message, claim, judged) for claim in judged]
    judged = [_withdrawn(message, claim, judged) for claim in judged]
    judged = [_of_their_own(message, claim, judged) for claim in judged]
    judged = [_unsure(message, claim) for claim in judged]
    judged = [_left_open(message, claim, judged) for claim in judged]
    return [_as_mentioned(message, claim, judged) for claim in judged]


def of_the_venue(message: Message, mention: Mention) -> bool:
    """Return whether a mention is the hour of something other than a booking: "we close at 9", "school finishes at
    3"."""
    timed = mention.kind in (MentionKind.TIME, MentionKind.NUMBER, MentionKind.DAY)
    return timed and message.cue_before(mention.span, ("OPENING",), _NEAR) is not None


def _with_earlier(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as the previous value beside the current one: the 9 of "16, sorry, i typed 9"."""
    if mention.assertion is not Assertion.ASSERTED or not message.cue_before(mention.span, ("SAID_BEFORE",), _NEAR):
        return mention
    rivals = [c for c in mentions if c.span != mention.span and c.is_asserted and c.kind in FAMILIES[mention.kind]]
    return replace(mention, assertion=Assertion.PAST) if rivals else mention


def _put_right(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as corrected if a value follows directly behind a no: "4 o'clock no 430"."""
    for other in mentions:
        between = message.plain[mention.span[1] : other.span[0]] if other.span[0] > mention.span[1] else ""
        family = other.kind in FAMILIES[mention.kind] or mention.kind in FAMILIES[other.kind]
        if mention.is_asserted and family and _NO_THEN.fullmatch(between):
            return replace(mention, assertion=Assertion.CORRECTED)
    return mention


def _withdrawn(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, negated if it is withdrawn and no other of its kind follows: "they were to be 14 but that's
    off"."""
    cue = _behind(message, mention, ("WITHDRAWN",))
    open_ended = cue is not None and not _followed(mention, cue, mentions)
    return replace(mention, assertion=Assertion.NEGATED) if open_ended and mention.is_asserted else mention


def _unsure(message: Message, mention: Mention) -> Mention:
    """Return the mention, without a claim if a number is open: "either 12 or 13, will confirm". A day remains one:
    "friday, time to be confirmed"."""
    counted = mention.kind in (MentionKind.COUNT, MentionKind.NUMBER) and mention.is_asserted
    cues = message.of_kind("UNSURE") if counted else ()
    return replace(mention, assertion=Assertion.REPORTED) if cues else mention


def _of_their_own(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, without a claim if it is a day of the guests' own plans: "to Tuesday, they've got school on
    the Monday"."""
    if mention.kind not in (MentionKind.DAY, MentionKind.TIME) or not mention.is_asserted or mention.is_target:
        return mention
    start = max((stop + 1 for stop in message.stops if stop < mention.span[0]), default=0)
    has = _HAVE.match(message.plain, start) is not None
    before = any(c.is_asserted and c.kind is mention.kind and c.is_target and c.span[1] <= start for c in mentions)
    moved = any(start <= cue.span[0] < mention.span[0] for cue in message.of_kind("MOVE", "PREFER", "TO"))
    return replace(mention, assertion=Assertion.REPORTED) if has and before and not moved else mention


def _compared(message: Message, cue: Cue) -> bool:
    """Return whether a cue only describes the hour: "5pm, a later slot than now"."""
    return _COMPARED.match(message.plain, cue.span[1]) is not None


def _left_open(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as not requested if the words behind it ask for another day: "her birthday is on the 1st, the
    party needs another day"."""
    kinds = tuple(kind for kind, of in _LEFT_OPEN.items() if mention.kind in of)
    cue = _behind(message, mention, kinds)
    if cue is None or not mention.is_asserted or _followed(mention, cue, mentions) or _compared(message, cue):
        return mention
    shifted = any(c.kind is MentionKind.SHIFT and c.is_asserted for c in mentions)
    return mention if shifted else replace(mention, assertion=Assertion.PAST)


def _as_mentioned(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as requested if the message asks for the value assumed before: "she thought it was at 4,
    change it to that"."""
    cue = _behind(message, mention, ("AS_SAID",))
    if cue is None or mention.assertion is not Assertion.PAST or mention.vague:
        return mention
    rivals = any(c.is_asserted and c.kind in FAMILIES[mention.kind] for c in mentions)
    last = not any(c.span[0] > mention.span[0] and c.kind in FAMILIES[mention.kind] for c in mentions)
    return replace(mention, assertion=Assertion.ASSERTED) if last and not rivals else mention


def _behind(message: Message, mention: Mention, kinds: tuple[str, ...]) -> Cue | None:
    """Return the first cue of these kinds in a clause behind the mention's own."""
    return next(
        (c for c in message.cues if c.kind in kinds and message.parted(mention.span[1], c.span[0] + 1)
         and c.span[0] >= mention.span[1]),
        None,
    )  # fmt: skip


def _followed(mention: Mention, cue: Cue, mentions: Sequence[Mention]) -> bool:
    return any(c.span[0] >= cue.span[1] and c.kind in FAMILIES[mention.kind] for c in mentions)
