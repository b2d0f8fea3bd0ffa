"""What one clause makes of a claim in another: "… but that's off", "…, sorry, i typed 9", "… needs another day"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from language.cues import Cue
from reasoning.evidence.claims import Claim, Kind, Standing
from reasoning.evidence.families import FAMILIES
from reasoning.evidence.message import Message

_NEAR = 2
_NO_THEN = re.compile(r"\s*,?\s+(?:no|nah|anzi|sorry|soz)\s+(?:wait\s+)?(?:to\s+|at\s+|alle\s+)?")
_HAVE = re.compile(
    r"\W*(?:(?:because|as|cos|since|and|but|perche|e|ma)\s+)?(?:(?:they|she|he|we|i)(?:'?ve|'?s| have| has| had)?\s+"
    r"(?:got|have|has|had|already)|(?:hanno|ha|abbiamo)\s+(?:gia|da|la|il|lo|un|una))\b"
)
_LEFT_OPEN: Mapping[str, frozenset[Kind]] = {
    "ANOTHER_DAY": frozenset({Kind.DAY}),
    "ANOTHER_TIME": frozenset({Kind.TIME, Kind.NUMBER}),
    "AFTER_THAT": frozenset({Kind.DAY, Kind.TIME, Kind.NUMBER}),
}


def reconsidered(message: Message, claims: Sequence[Claim]) -> list[Claim]:
    """The claims of one message, each as the other clauses leave it."""
    judged = [_said_before(message, claim, claims) for claim in claims]
    judged = [_put_right(message, claim, judged) for claim in judged]
    judged = [_withdrawn(message, claim, judged) for claim in judged]
    judged = [_of_their_own(message, claim, judged) for claim in judged]
    judged = [_unsure(message, claim) for claim in judged]
    judged = [_left_open(message, claim, judged) for claim in judged]
    return [_as_said(message, claim, judged) for claim in judged]


def of_the_venue(message: Message, claim: Claim) -> bool:
    """ "We close at 9", "school finishes at 3": the hour of something else than a booking."""
    timed = claim.kind in (Kind.TIME, Kind.NUMBER, Kind.DAY)
    return timed and message.cue_before(claim.span, ("OPENING",), _NEAR) is not None


def _said_before(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "16, sorry, i typed 9": what was given before, beside what is given now."""
    if claim.standing is not Standing.SAID or not message.cue_before(claim.span, ("SAID_BEFORE",), _NEAR):
        return claim
    rivals = [c for c in claims if c.span != claim.span and c.stands and c.kind in FAMILIES[claim.kind]]
    return replace(claim, standing=Standing.FORMER) if rivals else claim


def _put_right(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "4 o'clock no 430": what stands right behind a no is said instead."""
    for other in claims:
        between = message.plain[claim.span[1] : other.span[0]] if other.span[0] > claim.span[1] else ""
        family = other.kind in FAMILIES[claim.kind] or claim.kind in FAMILIES[other.kind]
        if claim.stands and family and _NO_THEN.fullmatch(between):
            return replace(claim, standing=Standing.CORRECTED)
    return claim


def _withdrawn(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "They were to be 14 but that's off": nothing of its kind comes after."""
    cue = _behind(message, claim, ("WITHDRAWN",))
    open_ended = cue is not None and not _followed(claim, cue, claims)
    return replace(claim, standing=Standing.NEGATED) if open_ended and claim.stands else claim


def _unsure(message: Message, claim: Claim) -> Claim:
    """ "Either 12 or 13, will confirm": no number yet; "friday, time to be confirmed" is a day all the same."""
    counted = claim.kind in (Kind.COUNT, Kind.NUMBER) and claim.stands
    cues = message.of_kind("UNSURE") if counted else ()
    return replace(claim, standing=Standing.REPORTED) if cues else claim


def _of_their_own(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "To Tuesday, they've got school on the Monday": what they have on another day is no day to go to."""
    if claim.kind not in (Kind.DAY, Kind.TIME) or not claim.stands or claim.to:
        return claim
    start = max((stop + 1 for stop in message.stops if stop < claim.span[0]), default=0)
    has = _HAVE.match(message.plain, start) is not None
    before = any(c.stands and c.kind is claim.kind and c.to and c.span[1] <= start for c in claims)
    moved = any(start <= cue.span[0] < claim.span[0] for cue in message.of_kind("MOVE", "PREFER", "TO"))
    return replace(claim, standing=Standing.REPORTED) if has and before and not moved else claim


def _compared(message: Message, cue: Cue) -> bool:
    """ "5pm, a later slot than now": that says what the hour is like."""
    return message.plain[cue.span[1] :].lstrip().startswith(("than", "di "))


def _left_open(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "Her birthday is on the 1st, the party needs another day": a day said in front of that is not the one."""
    kinds = tuple(kind for kind, of in _LEFT_OPEN.items() if claim.kind in of)
    cue = _behind(message, claim, kinds)
    if cue is None or not claim.stands or _followed(claim, cue, claims) or _compared(message, cue):
        return claim
    shifted = any(c.kind is Kind.SHIFT and c.stands for c in claims)
    return claim if shifted else replace(claim, standing=Standing.FORMER)


def _as_said(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "She thought it was at 4, change it to that": what was thought is what is wanted."""
    cue = _behind(message, claim, ("AS_SAID",))
    if cue is None or claim.standing is not Standing.FORMER or claim.doubtful:
        return claim
    rivals = any(c.stands and c.kind in FAMILIES[claim.kind] for c in claims)
    last = not any(c.span[0] > claim.span[0] and c.kind in FAMILIES[claim.kind] for c in claims)
    return replace(claim, standing=Standing.SAID) if last and not rivals else claim


def _behind(message: Message, claim: Claim, kinds: tuple[str, ...]) -> Cue | None:
    """The first cue of these kinds in a clause behind the claim's own."""
    return next(
        (c for c in message.cues if c.kind in kinds and message.parted(claim.span[1], c.span[0] + 1)
         and c.span[0] >= claim.span[1]),
        None,
    )  # fmt: skip


def _followed(claim: Claim, cue: Cue, claims: Sequence[Claim]) -> bool:
    return any(c.span[0] >= cue.span[1] and c.kind in FAMILIES[claim.kind] for c in claims)
