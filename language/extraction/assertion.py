"""Decide how a claim is meant: wanted, denied, withdrawn, the current state, or the time of another event.

The rules look at the cues around a claim in its own clause, and at the claims of its family beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from language.dates.resolution import Span
from language.extraction.corrections import of_the_venue, reconsidered
from language.extraction.mention import FAMILIES, Assertion, Mention, MentionKind
from language.extraction.message import Message
from language.extraction.other_events import is_of_another_event
from language.locales import alternatives, in_all
from language.requests.cues import find_cues

_REACH = 4
_NEAR = 2
_of = partial(alternatives, "extraction")


def classify_assertions(message: Message, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of one message, each with its assertion."""
    judged: list[Mention] = []
    for index, mention in enumerate(mentions):
        around = [c for c in mentions if c.span != mention.span]
        assertion = mention.assertion
        if assertion is Assertion.ASSERTED:
            assertion = classify_span(message, mention.span, around)
            # In "They've had two pull out" the change is wanted, although it is in the past.
            if _numbered_apart(mention, mention) and assertion in (Assertion.PAST, Assertion.REPORTED):
                assertion = Assertion.ASSERTED
        if assertion is Assertion.ASSERTED and of_the_venue(message, mention):
            assertion = Assertion.REPORTED
        when = mention.kind in (MentionKind.DAY, MentionKind.TIME) and not mention.is_target
        if assertion is Assertion.ASSERTED and when and is_of_another_event(message, mention, mentions):
            assertion = Assertion.REPORTED
        if (
            assertion is Assertion.ASSERTED
            and mention.is_current
            and mention.kind in (MentionKind.DAY, MentionKind.TIME, MentionKind.NUMBER, MentionKind.COUNT)
        ):
            assertion = _of_a_move(mention, mentions[index + 1 :])
        if assertion is Assertion.ASSERTED and _is_a_mark(message, mention, mentions):
            assertion = Assertion.PAST
        judged.append(replace(mention, assertion=assertion))
    judged = _chained(message, judged)
    judged = [_less_liked(message, claim, judged) for claim in judged]
    judged = [_were(message, claim, judged) for claim in judged]
    judged = [_from_behind(message, claim, judged) for claim in judged]
    judged = [_before_a_target(message, claim, judged) for claim in judged]
    judged = reconsidered(message, judged)
    return [_given_up(message, claim, judged) for claim in judged]


def classify_span(message: Message, span: Span, around: Sequence[Mention] = ()) -> Assertion:
    """Return the assertion of the words at a place by the cues around them. Another mention between the words and a cue
    takes the cue."""
    after = max((c.span[1] for c in around if c.span[1] <= span[0]), default=0)
    before = min((c.span[0] for c in around if c.span[0] >= span[1]), default=len(message.text))
    spoilt = message.cue_after(span, ("SPOILT",), _NEAR, before)
    if spoilt is not None or _is_spoilt_in_short(message, span):
        return Assertion.NEGATED
    cue = message.cue_before(span, ("NOT", "NOT_AT_ALL", "INSTEAD_OF"), _REACH, after)
    if cue is not None and cue.kind == "NOT" and not (_is_going(message, cue.span) or _is_pronoun(message, cue.span)):
        return Assertion.NEGATED
    if cue is not None and cue.kind == "INSTEAD_OF":
        return Assertion.PAST
    if _was(message, span, after):
        return Assertion.PAST
    report = message.cue_before(span, ("REPORT", "RESET"), 3, after)
    if report is not None and report.kind == "REPORT":
        return Assertion.REPORTED
    late = message.cue_after(span, ("REPORT", "RESET"), 2, before)
    if late is not None and late.kind == "REPORT":
        return Assertion.REPORTED
    return Assertion.ASSERTED


def _is_going(message: Message, span: Span) -> bool:
    """Return whether a cue of absence covers the place: in "One can't make it, so 8" the absence negates no number."""
    return any(cue.kind == "GOING" and cue.span[0] <= span[0] < cue.span[1] for cue in message.cues)


def _is_pronoun(message: Message, span: Span) -> bool:
    """Return whether a negation is only a pronoun: the Italian "ne" without its accent denies nothing ("Ne arrivano
    altri 2"), unless a "non" precedes it."""
    plain = message.text[slice(*span)].lower() in _PRONOUNS and not message.text[span[1] :].startswith(("'", "’"))
    denied = any(
        c.kind == "NOT" and c.span[1] <= span[0] and not message.parted(c.span[1], span[0]) for c in message.cues
    )
    return plain and not denied


_PRONOUNS = frozenset[str](chain(*in_all("extraction", "PRONOUNS")))


def _was(message: Message, span: Span, after: int) -> bool:
    cue = message.cue_before(span, ("WAS", "OLD", "HENCEFORTH", "TO", "RESET"), _NEAR, after)
    return cue is not None and cue.kind in ("WAS", "OLD")


def _of_a_move(mention: Mention, later: Sequence[Mention]) -> Assertion:
    """Return the assertion of "from 3": the current value if a target follows, else the requested one."""
    family = FAMILIES[mention.kind]
    return Assertion.PAST if any(c.kind in family and c.span != mention.span for c in later) else Assertion.ASSERTED


def _is_spoilt_in_short(message: Message, span: Span) -> bool:
    """Return whether a word with a shortened "is" is ruled out: "Tuesday's no good"."""
    if not message.plain[: span[1]].endswith("'s"):
        return False
    cues = find_cues(f"is{message.plain[span[1] :]}", message.locale)
    return any(cue.kind == "SPOILT" and cue.span[0] == 0 for cue in cues)


def _is_a_mark(message: Message, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Return whether a day, a time or a number identifies the booking: "the 2pm party", "Saturday's booking", "the one
    with the 14 guests"."""
    if (
        mention.kind not in (MentionKind.DAY, MentionKind.TIME, MentionKind.COUNT, MentionKind.NUMBER)
        or mention.is_target
    ):
        return False
    if message.plain[mention.span[1] :].startswith("'s "):
        return True
    if mention.kind is MentionKind.DAY and _of_a_noun(message, mention.span[0]):
        return True
    behind_it = [c.span[0] for c in mentions if c.span[0] >= mention.span[1] and c.kind is not MentionKind.OTHER]
    edge = min(behind_it, default=len(message.text))
    start = min(c.span[0] for c in mentions if _touch(message, c, mention))
    heads = mention.count if mention.kind is MentionKind.COUNT else None
    article = message.cue_before((mention.span[0], mention.span[0]), ("DEFINITE",), 0)
    if heads is not None and heads.kind == "absolute" and heads.noun and article is not None:
        return not _is_target(message, mention.span[0])
    noun = message.cue_after(mention.span, ("BOOKING",), 1, edge)
    if noun is not None and mention.kind in (MentionKind.DAY, MentionKind.TIME):
        return _definite(message, start) and not _is_target(message, start)
    cue = message.cue_before((start, mention.span[1]), ("BOOKING",), 1)
    behind = any(c.span[0] >= mention.span[1] and c.is_asserted and c.kind is not MentionKind.OTHER for c in mentions)
    named = cue is not None and _definite(message, cue.span[0]) and not _is_target(message, cue.span[0])
    return (
        named
        and behind
        and mention.kind in (MentionKind.DAY, MentionKind.TIME)
        and _a_target_behind(message, mention, mentions)
    )


_OF = re.compile(rf"\s+(?:{_of('OF_NOUN')})\s*(?:(?:{_of('OF_THE')})\s+)?")
_PUTS = re.compile(rf"\b(?:{_of('PUTS')})\b")
_DEMONSTRATIVE = re.compile(_of("DEMONSTRATIVE"))


def _of_a_noun(message: Message, index: int) -> bool:
    """Return whether a day belongs to a definite booking that no verb puts on it: "the one on the 11th, same
    number"."""
    noun = next((c for c in reversed(message.of_kind("BOOKING")) if c.span[1] <= index), None)
    if noun is None or not _OF.fullmatch(message.plain[noun.span[1] : index]):
        return False
    other = message.cue_before(noun.span, ("OTHER",), 0) or any(
        c.span[1] == noun.span[1] for c in message.of_kind("OTHER")
    )
    if not other and not _definite(message, noun.span[0]):
        return False
    start = max((stop + 1 for stop in message.stops if stop < noun.span[0]), default=0)
    return _PUTS.search(message.plain[start : noun.span[0]]) is None


def _touch(message: Message, left: Mention, right: Mention) -> bool:
    """Return whether two mentions are one description: "Saturday 2pm"."""
    return left.span == right.span or (
        left.span[1] <= right.span[0] and not message.distance(left.span[1], right.span[0])
    )


def _definite(message: Message, index: int) -> bool:
    """Return whether a definite noun starts here: "the …", "Emma's …", "quella …", or the first words of the
    message."""
    near = message.cue_before((index, index), ("DEFINITE",), 1)
    owner = message.plain[:index].rstrip().endswith("'s")
    itself = any(cue.kind in ("DEFINITE",) and cue.span[0] == index for cue in message.cues)
    demonstrative = _DEMONSTRATIVE.match(message.plain, index) is not None
    return near is not None or owner or itself or demonstrative or index == 0


def _is_target(message: Message, index: int) -> bool:
    """Return whether an identifying mark is a target: "to the 5pm session"."""
    return message.cue_before((index, index), ("TO", "INTO"), _NEAR) is not None


def _a_target_behind(message: Message, mention: Mention, mentions: Sequence[Mention]) -> bool:
    return any(
        c.span[0] >= mention.span[1] and (c.is_target or message.cue_before(c.span, ("TO", "CORRECT"), 1))
        for c in mentions
    )


_AND = frozenset[str](chain(*in_all("extraction", "AND")))


def _chained(message: Message, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions, with the second of a negated pair negated too: "not Friday or Saturday"."""
    judged: list[Mention] = []
    for mention in mentions:
        previous = next((c for c in reversed(judged) if c.span[1] <= mention.span[0] and c.kind is mention.kind), None)
        if (
            previous is not None
            and previous.assertion is Assertion.NEGATED
            and mention.assertion is Assertion.ASSERTED
            and message.distance(previous.span[1], mention.span[0]) == 1
            and message.cue_before(mention.span, ("OR",), 0, previous.span[1])
            and message.plain[previous.span[1] : mention.span[0]].strip() not in _AND
        ):
            judged.append(replace(mention, assertion=previous.assertion))
        else:
            judged.append(mention)
    return judged


_LESS_LIKED = frozenset[str](chain(*in_all("extraction", "LESS_LIKED")))


def _less_liked(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as not wanted if a preferred value is compared to it: the 3 of "they prefer 11 to 3"."""
    for other in mentions:
        if other.span[1] <= mention.span[0] and other.kind in FAMILIES[mention.kind] and other.is_asserted:
            liked = message.cue_before(other.span, ("PREFER",), _NEAR)
            if liked is not None and message.plain[other.span[1] : mention.span[0]].strip() in _LESS_LIKED:
                return replace(mention, assertion=Assertion.PAST)
    return mention


def _before_a_target(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as the current value if a target of its kind follows: "3pm to 4pm", "8 kids to 13"."""
    if mention.assertion is not Assertion.ASSERTED or mention.is_target:
        return mention
    for other in mentions:
        near = other.span[0] >= mention.span[1] and not _stops_between(message, mention, other)
        if near and other.kind in FAMILIES[mention.kind] and other.assertion is Assertion.ASSERTED and not other.vague:
            if _numbered_apart(mention, other) or _alternatives(message, mention, other) or _is_code(other, mention):
                continue
            to = other.is_target or message.cue_before(other.span, ("TO",), 1, mention.span[1]) is not None
            moved = mention.is_current and other.kind is mention.kind
            if to or moved:
                return replace(mention, assertion=Assertion.PAST)
    return mention


def _from_behind(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as the current value if it has "from" and follows a target: "up to 7 from 4"."""
    bare = mention.kind in (MentionKind.NUMBER, MentionKind.COUNT) and mention.is_asserted
    if not bare or message.cue_before(mention.span, ("FROM",), 0) is None:
        return mention
    target = any(
        c.span[1] <= mention.span[0] and c.is_asserted and c.kind in (MentionKind.NUMBER, MentionKind.COUNT)
        for c in mentions
    )
    return replace(mention, assertion=Assertion.PAST) if target else mention


_WERE_BEFORE = re.compile(rf"\b(?:{_of('WERE')})\s*$")
_WERE = re.compile(rf"(?:{_of('WERE')}) ")


def _were(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as the past value in "are 20 now, were 16". "We're" without its apostrophe is "were", but not
    after a current value."""
    before = any(c.span[1] <= mention.span[0] and c.is_asserted and c.kind in FAMILIES[mention.kind] for c in mentions)
    past = _WERE_BEFORE.search(message.plain[: mention.span[0]]) or _WERE.match(message.plain, mention.span[0])
    counted = mention.kind in (MentionKind.COUNT, MentionKind.NUMBER) and mention.is_asserted
    return replace(mention, assertion=Assertion.PAST) if counted and before and past else mention


def _is_code(other: Mention, mention: Mention) -> bool:
    """Return whether the longer number beside a short one is a reference and no target: "9 bimbi alla 5156"."""
    figures = [c.values[0] for c in (other, mention) if c.kind is MentionKind.NUMBER]
    return len(figures) > 0 and other.kind is MentionKind.NUMBER and len(figures[0]) > 3 >= len(figures[-1])


def _alternatives(message: Message, left: Mention, right: Mention) -> bool:
    """Return whether two mentions are alternatives, so that neither is the current value: "at 4 or at 5"."""
    return message.cue_before(right.span, ("OR",), 1, left.span[1]) is not None


def _numbered_apart(mention: Mention, other: Mention) -> bool:
    """Return whether one of the mentions changes a number: it neither yields to a total nor replaces one."""
    return any(count is not None and count.is_relative for count in (mention.count, other.count))


def _stops_between(message: Message, left: Mention, right: Mention) -> bool:
    ends = any(
        message.text[stop : stop + 1] in ".;\n!?" for stop in message.stops if left.span[1] <= stop < right.span[0]
    )
    return ends or any(
        left.span[1] <= cue.span[0] and cue.span[1] <= right.span[0] and _JOINED.search(message.plain[: cue.span[0]])
        for cue in message.of_kind("MOVE")
    )


_JOINED = re.compile(rf"\b(?:{_of('AND_ALSO')})\s+(?:(?:{_of('PLEASE')})\s+)?$")


def _given_up(message: Message, mention: Mention, mentions: Sequence[Mention]) -> Mention:
    """Return the mention, as corrected if a later one replaces it: "1pm no wait 2pm", "friday – actually make that
    thursday", "3pm, 4pm instead"."""
    if mention.assertion is not Assertion.ASSERTED:
        return mention
    for other in mentions:
        later = other.span[0] >= mention.span[1] and other.assertion is Assertion.ASSERTED
        if not later or other.kind not in FAMILIES[mention.kind] or _numbered_apart(mention, other):
            continue
        between = [
            c for c in message.of_kind("CORRECT", "NO") if mention.span[1] <= c.span[0] and c.span[1] <= other.span[0]
        ]
        rejected = any(c.kind == "CORRECT" or message.parted(mention.span[1], c.span[0] + 1) for c in between)
        if (
            rejected
            or message.cue_after(other.span, ("INSTEAD",), 1)
            or message.cue_before(other.span, ("INSTEAD",), 1)
        ):
            return replace(mention, assertion=Assertion.CORRECTED)
    return mention
