"""How a claim is meant: wanted, denied, taken back, how things stand now, or when something else happened.

The rules look at the cues around a claim in its own clause, and at the claims of its family beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from language.resolution import Span
from reasoning.evidence.afterthoughts import of_the_venue, reconsidered
from reasoning.evidence.claims import Claim, Kind, Standing
from reasoning.evidence.families import FAMILIES
from reasoning.evidence.message import Message

_REACH = 4
_NEAR = 2


def in_message(message: Message, claims: Sequence[Claim]) -> list[Claim]:
    """The claims of one message, each with its standing."""
    judged: list[Claim] = []
    for place, claim in enumerate(claims):
        around = [c for c in claims if c.span != claim.span]
        standing = claim.standing
        if standing is Standing.SAID:
            standing = of_words(message, claim.span, around)
            # "They've had two pull out": a change is wanted whenever it came about.
            if _numbered_apart(claim, claim) and standing in (Standing.FORMER, Standing.REPORTED):
                standing = Standing.SAID
        if standing is Standing.SAID and of_the_venue(message, claim):
            standing = Standing.REPORTED
        if standing is Standing.SAID and claim.of and claim.kind in (Kind.DAY, Kind.TIME, Kind.NUMBER, Kind.COUNT):
            standing = _of_a_move(claim, claims[place + 1 :])
        if standing is Standing.SAID and _is_a_mark(message, claim, claims):
            standing = Standing.FORMER
        judged.append(replace(claim, standing=standing))
    judged = _chained(message, judged)
    judged = [_less_liked(message, claim, judged) for claim in judged]
    judged = [_were(message, claim, judged) for claim in judged]
    judged = [_from_behind(message, claim, judged) for claim in judged]
    judged = [_before_a_target(message, claim, judged) for claim in judged]
    judged = reconsidered(message, judged)
    return [_given_up(message, claim, judged) for claim in judged]


def of_words(message: Message, span: Span, around: Sequence[Claim] = ()) -> Standing:
    """How the words at a place are meant by the cues about them. Another claim between them and a cue takes the cue."""
    after = max((c.span[1] for c in around if c.span[1] <= span[0]), default=0)
    before = min((c.span[0] for c in around if c.span[0] >= span[1]), default=len(message.text))
    spoilt = message.cue_after(span, ("SPOILT",), _NEAR, before)
    if spoilt is not None:
        return Standing.NEGATED
    cue = message.cue_before(span, ("NOT", "NOT_AT_ALL", "INSTEAD_OF"), _REACH, after)
    if cue is not None and cue.kind == "NOT" and not (_is_going(message, cue.span) or _is_pronoun(message, cue.span)):
        return Standing.NEGATED
    if cue is not None and cue.kind == "INSTEAD_OF":
        return Standing.FORMER
    if _was(message, span, after):
        return Standing.FORMER
    report = message.cue_before(span, ("REPORT", "RESET"), 3, after)
    if report is not None and report.kind == "REPORT":
        return Standing.REPORTED
    late = message.cue_after(span, ("REPORT", "RESET"), 2, before)
    if late is not None and late.kind == "REPORT":
        return Standing.REPORTED
    return Standing.SAID


def _is_going(message: Message, span: Span) -> bool:
    """ "One can't make it, so 8": that somebody does not come denies no number."""
    return any(cue.kind == "GOING" and cue.span[0] <= span[0] < cue.span[1] for cue in message.cues)


def _is_pronoun(message: Message, span: Span) -> bool:
    """ "Ne arrivano altri 2": Italian "ne" without its accent denies nothing, unless a "non" goes before it."""
    plain = message.text[slice(*span)].lower() == "ne" and not message.text[span[1] :].startswith(("'", "’"))
    denied = any(
        c.kind == "NOT" and c.span[1] <= span[0] and not message.parted(c.span[1], span[0]) for c in message.cues
    )
    return plain and not denied


def _was(message: Message, span: Span, after: int) -> bool:
    cue = message.cue_before(span, ("WAS", "OLD", "HENCEFORTH", "TO", "RESET"), _NEAR, after)
    return cue is not None and cue.kind in ("WAS", "OLD")


def _of_a_move(claim: Claim, later: Sequence[Claim]) -> Standing:
    """ "From 3": where it is now, if the words go on to say where to; else where it is to be."""
    family = FAMILIES[claim.kind]
    return Standing.FORMER if any(c.kind in family and c.span != claim.span for c in later) else Standing.SAID


def _is_a_mark(message: Message, claim: Claim, claims: Sequence[Claim]) -> bool:
    """Whether a day, a time or a number tells which booking is meant: "the 2pm party", "Saturday's booking"."""
    if claim.kind not in (Kind.DAY, Kind.TIME, Kind.COUNT, Kind.NUMBER) or claim.to:
        return False
    if message.plain[claim.span[1] :].startswith("'s "):
        return True
    if claim.kind is Kind.DAY and _of_a_noun(message, claim.span[0]):
        return True
    behind_it = [c.span[0] for c in claims if c.span[0] >= claim.span[1] and c.kind is not Kind.OTHER]
    edge = min(behind_it, default=len(message.text))
    start = min(c.span[0] for c in claims if _touch(message, c, claim))
    noun = message.cue_after(claim.span, ("BOOKING",), 1, edge)
    if noun is not None and claim.kind in (Kind.DAY, Kind.TIME):
        return _definite(message, start) and not _is_target(message, start)
    cue = message.cue_before((start, claim.span[1]), ("BOOKING",), 1)
    behind = any(c.span[0] >= claim.span[1] and c.stands and c.kind is not Kind.OTHER for c in claims)
    named = cue is not None and _definite(message, cue.span[0]) and not _is_target(message, cue.span[0])
    return named and behind and claim.kind in (Kind.DAY, Kind.TIME) and _a_target_behind(message, claim, claims)


_OF = re.compile(r"\s+(?:on|of|from|del|dell'|di|dal|dall')\s*(?:the\s+)?")
_PUTS = re.compile(
    r"\b(?:put|book|have|get|do|make|place|slot|squeeze|fit|schedule|stick|pop|want\w*|need\w*|like|prefer\w*|move\w*|"
    r"shift\w*|bring|push|chang\w+|switch\w*|to|met\w+|fai\w*|fiss\w+|port\w+|spost\w+|vorr\w+|vuole|vogliono|"
    r"preferi\w+|\w+rebbe(?:ro)?)\b"
)


def _of_a_noun(message: Message, place: int) -> bool:
    """ "The one on the 11th, same number": the day of a certain booking, where nothing is put on it."""
    noun = next((c for c in reversed(message.of_kind("BOOKING")) if c.span[1] <= place), None)
    if noun is None or not _OF.fullmatch(message.plain[noun.span[1] : place]):
        return False
    other = message.cue_before(noun.span, ("OTHER",), 0) or any(
        c.span[1] == noun.span[1] for c in message.of_kind("OTHER")
    )
    if not other and not _definite(message, noun.span[0]):
        return False
    start = max((stop + 1 for stop in message.stops if stop < noun.span[0]), default=0)
    return _PUTS.search(message.plain[start : noun.span[0]]) is None


def _touch(message: Message, left: Claim, right: Claim) -> bool:
    """Whether two claims are one description: "Saturday 2pm"."""
    return left.span == right.span or (
        left.span[1] <= right.span[0] and not message.distance(left.span[1], right.span[0])
    )


def _definite(message: Message, place: int) -> bool:
    """Whether what starts here is a certain one: "the …", "Emma's …", "quella …", or the first words of all."""
    near = message.cue_before((place, place), ("DEFINITE",), 1)
    owner = message.plain[:place].rstrip().endswith("'s")
    itself = any(cue.kind in ("DEFINITE",) and cue.span[0] == place for cue in message.cues)
    demonstrative = message.plain[place:].startswith(("quell",))
    return near is not None or owner or itself or demonstrative or place == 0


def _is_target(message: Message, place: int) -> bool:
    """ "To the 5pm session": a mark that is where it should go."""
    return message.cue_before((place, place), ("TO", "INTO"), _NEAR) is not None


def _a_target_behind(message: Message, claim: Claim, claims: Sequence[Claim]) -> bool:
    return any(
        c.span[0] >= claim.span[1] and (c.to or message.cue_before(c.span, ("TO", "CORRECT"), 1)) for c in claims
    )


def _chained(message: Message, claims: list[Claim]) -> list[Claim]:
    """ "Not Friday or Saturday": the second shares the fate of the first."""
    judged: list[Claim] = []
    for claim in claims:
        previous = next((c for c in reversed(judged) if c.span[1] <= claim.span[0] and c.kind is claim.kind), None)
        if (
            previous is not None
            and previous.standing is Standing.NEGATED
            and claim.standing is Standing.SAID
            and message.distance(previous.span[1], claim.span[0]) == 1
            and message.cue_before(claim.span, ("OR",), 0, previous.span[1])
            and message.plain[previous.span[1] : claim.span[0]].strip() not in ("and", "e", "ed")
        ):
            judged.append(replace(claim, standing=previous.standing))
        else:
            judged.append(claim)
    return judged


def _less_liked(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "They prefer 11 to 3": what stands behind the "to" gives way."""
    for other in claims:
        if other.span[1] <= claim.span[0] and other.kind in FAMILIES[claim.kind] and other.stands:
            liked = message.cue_before(other.span, ("PREFER",), _NEAR)
            if liked is not None and message.plain[other.span[1] : claim.span[0]].strip() in ("to", "a", "alle", "al"):
                return replace(claim, standing=Standing.FORMER)
    return claim


def _before_a_target(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "3pm to 4pm", "8 kids to 13": what stands before a target of its family is what is there now."""
    if claim.standing is not Standing.SAID or claim.to:
        return claim
    for other in claims:
        near = other.span[0] >= claim.span[1] and not _stops_between(message, claim, other)
        if near and other.kind in FAMILIES[claim.kind] and other.standing is Standing.SAID and not other.doubtful:
            if _numbered_apart(claim, other) or _alternatives(message, claim, other) or _is_code(other, claim):
                continue
            to = other.to or message.cue_before(other.span, ("TO",), 1, claim.span[1]) is not None
            moved = claim.of and other.kind is claim.kind
            if to or moved:
                return replace(claim, standing=Standing.FORMER)
    return claim


def _from_behind(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "Up to 7 from 4": what stands behind a target with "from" is what is there now."""
    bare = claim.kind in (Kind.NUMBER, Kind.COUNT) and claim.stands
    if not bare or message.cue_before(claim.span, ("FROM",), 0) is None:
        return claim
    target = any(c.span[1] <= claim.span[0] and c.stands and c.kind in (Kind.NUMBER, Kind.COUNT) for c in claims)
    return replace(claim, standing=Standing.FORMER) if target else claim


def _were(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "Are 20 now, were 16": without its apostrophe "we're" is "were", but not behind what they are now."""
    before = any(c.span[1] <= claim.span[0] and c.stands and c.kind in FAMILIES[claim.kind] for c in claims)
    past = re.search(r"\bwere\s*$", message.plain[: claim.span[0]]) or message.plain[claim.span[0] :].startswith(
        "were "
    )
    counted = claim.kind in (Kind.COUNT, Kind.NUMBER) and claim.stands
    return replace(claim, standing=Standing.FORMER) if counted and before and past else claim


def _is_code(other: Claim, claim: Claim) -> bool:
    """ "9 bimbi alla 5156": a figure as long beside a short one is a reference, no target."""
    figures = [c.values[0] for c in (other, claim) if c.kind is Kind.NUMBER]
    return len(figures) > 0 and other.kind is Kind.NUMBER and len(figures[0]) > 3 >= len(figures[-1])


def _alternatives(message: Message, left: Claim, right: Claim) -> bool:
    """ "At 4 or at 5": neither is what is there now."""
    return message.cue_before(right.span, ("OR",), 1, left.span[1]) is not None


def _numbered_apart(claim: Claim, other: Claim) -> bool:
    """Whether one of them is a change to a number: it neither gives way to a total nor takes its place."""
    return any(count is not None and count.is_relative for count in (claim.count, other.count))


def _stops_between(message: Message, left: Claim, right: Claim) -> bool:
    ends = any(
        message.text[stop : stop + 1] in ".;\n!?" for stop in message.stops if left.span[1] <= stop < right.span[0]
    )
    return ends or any(
        left.span[1] <= cue.span[0] and cue.span[1] <= right.span[0] and _JOINED.search(message.plain[: cue.span[0]])
        for cue in message.of_kind("MOVE")
    )


_JOINED = re.compile(r"\b(?:and|also|then|plus|e|anche|poi)\s+(?:(?:please|pls|just)\s+)?$")


def _given_up(message: Message, claim: Claim, claims: Sequence[Claim]) -> Claim:
    """ "1pm no wait 2pm", "friday – actually make that thursday", "3pm, 4pm instead"."""
    if claim.standing is not Standing.SAID:
        return claim
    for other in claims:
        later = other.span[0] >= claim.span[1] and other.standing is Standing.SAID
        if not later or other.kind not in FAMILIES[claim.kind] or _numbered_apart(claim, other):
            continue
        between = [
            c for c in message.of_kind("CORRECT", "NO") if claim.span[1] <= c.span[0] and c.span[1] <= other.span[0]
        ]
        said_no = any(c.kind == "CORRECT" or message.parted(claim.span[1], c.span[0] + 1) for c in between)
        if said_no or message.cue_after(other.span, ("INSTEAD",), 1) or message.cue_before(other.span, ("INSTEAD",), 1):
            return replace(claim, standing=Standing.CORRECTED)
    return claim
