"""Grounds head counts: totals, sums of totals, and changes to the pending or booked number."""

from __future__ import annotations

import re
from dataclasses import replace

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language import Count, CountError
from language.dates.resolution import Span
from language.extraction import Mention, MentionKind
from language.extraction.message import Message
from language.locales import data_of, get_locale
from language.numbers.numbers import nearer_to_step
from language.requests.parts import is_unknown_word
from language.text.spelling import same_but_a_slip
from reasoning.grounding.context import GroundingContext, Ungrounded, ungrounded

_CLOCK = re.compile(r"(?:0?[6-9]|1\d|2[0-3])[0-5][05]")
"""An hour without a colon: "so start 1015"."""
_HALF_HOURS = re.compile(r"(?:[1-9]|1\d|2[0-3])[0-5][05]")
"""One beside another hour: "4 o'clock, no, 430"."""


def ground_count(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a head count. A change that was read as the total is corrected; nothing else is replaced."""
    number = int(value) if isinstance(value, int | float) and not isinstance(value, bool) else _figure(value)
    own = context.booking.guest_count if context.booking else None
    pending = _figure(context.pending(parameter))
    mentions = [
        c for c in context.evidence.asserted(MentionKind.COUNT, MentionKind.NUMBER) if _may_count(context, parameter, c)
    ]
    stepped = _stepped_again(context, mentions, own)
    if stepped is not None:
        return value if number == stepped else ungrounded(parameter, (), ParameterRole.COUNT)
    totals = _totals(mentions)
    changes = [c.count for c in mentions if c.count is not None and c.count.is_relative]
    changed = _changed(changes, _bases(context, pending, own, totals))
    if number in totals or number in changed:
        return value
    if number is not None and not mentions and number in (own, pending):
        return value
    if len(mentions) == 1 and len(changed) == 1 and changes and number == int(changes[0].amount):
        return changed[0]
    return ungrounded(parameter, (), ParameterRole.COUNT)


def _stepped_again(context: GroundingContext, mentions: list[Mention], own: int | None) -> int | None:
    """Return the booked number changed by a corrected step ("Take two off", then "three, sorry"); None if a total is
    likelier."""
    bare = [c for c in mentions if c.message == 0 and c.kind is MentionKind.NUMBER]
    earlier = [c for c in context.evidence.of(MentionKind.COUNT) if c.message == 1]
    earlier = earlier or [c for c in (context.before.of(MentionKind.COUNT) if context.before else ()) if c.message == 0]
    steps = [c.count for c in earlier if c.count is not None and not c.vague]
    if own is None or len(bare) != 1 or len(mentions) != 1 or len(steps) != 1 or not steps[0].is_relative:
        return None
    number = int(bare[0].values[0])
    try:
        total = steps[0].apply(own)
        meant = replace(steps[0], amount=float(number)).apply(own)
    except CountError:
        return None
    return meant if nearer_to_step(number, int(steps[0].amount), total) else None


def _figure(value: Json) -> int | None:
    return int(str(value)) if value is not None and str(value).isdecimal() else None


def _strange_noun(message: Message, span: Span) -> str:
    """Return the plural right behind a number that the language does not know and that is no slip of a word for people:
    "20 cupcakes"; "" if there is none."""
    behind = next((word for word in message.words if word.start >= span[1]), None)
    if behind is None or message.plain[span[1] : behind.start].strip():
        return ""
    word, locale = behind.text, get_locale(message.locale)
    plural = word.endswith(tuple(data_of(locale.code, "numbers").PLURAL))
    people = (noun for noun, symbol in locale.words.items() if symbol == "PEOPLE")
    strange = plural and is_unknown_word(word, locale.code) and not any(same_but_a_slip(word, noun) for noun in people)
    return word if strange else ""


def _may_count(context: GroundingContext, parameter: ActionParameter, mention: Mention) -> bool:
    """Return whether a number may be the count: not if it counts something else ("20 cupcakes"), answers another
    question, or is a time or day to move to."""
    message = context.evidence.messages[mention.message]
    count = mention.count
    total = count is None or (count.noun is None and not count.is_relative)
    noun = _strange_noun(message, mention.span) if total else ""
    if noun and noun not in parameter.name.split("_"):
        return False
    if mention.kind is MentionKind.COUNT:
        return True
    if _CLOCK.fullmatch(mention.values[0]) and message.cue_before(mention.span, ("MOVE",), 1):
        return False
    timed = any(c.kind is MentionKind.TIME and c.message == mention.message for c in context.evidence.mentions)
    if timed and _HALF_HOURS.fullmatch(mention.values[0]):
        return False
    moved = message.cue_before(mention.span, ("MOVE",), 6) and message.cue_before(mention.span, ("TO",), 0)
    dated = message.cue_before(mention.span, ("DATED",), 0)
    return not moved and not dated and context.answers(mention, ParameterRole.COUNT)


def _totals(mentions: list[Mention]) -> list[int]:
    """Return each number of people mentioned, and the sum of all that have their own nouns: "12 kids and 3 adults"."""
    counts = [c.count for c in mentions if c.count is not None and c.count.kind == "absolute"]
    bare = [int(c.values[0]) for c in mentions if c.kind is MentionKind.NUMBER]
    each = [int(c.amount) for c in counts]
    return [*each, *bare, *([sum(each)] if len(each) > 1 else []), *([sum(each) + sum(bare)] if bare and each else [])]


def _bases(context: GroundingContext, pending: int | None, own: int | None, totals: list[int]) -> list[int]:
    """Return what "two more" is more than: the pending number, else one mentioned, else the booked one. "Make that +3"
    corrects the change itself, so it counts from the booked number."""
    corrects = any(cue.kind == "CORRECT" for cue in context.evidence.messages[0].cues) if own is not None else False
    if pending is not None and not corrects:
        return [pending, *totals]
    counts = [c.count for c in context.evidence.of(MentionKind.COUNT) if c.count is not None]
    former = [count.previous for count in counts if count.previous is not None]
    return [*totals, *([own] if own is not None else []), *former]


def _changed(changes: list[Count], bases: list[int]) -> list[int]:
    """Return every base with each change, and with all of them in sequence."""
    found: list[int] = []
    for base in bases:
        for some in [changes, *([change] for change in changes)]:
            number = base
            try:
                for change in some:
                    number = change.apply(number)
            except CountError:
                found += [_halved(number) + more for more in (0, 1) if any(_is_half(change) for change in some)]
                continue
            if some:
                found.append(number)
    return list(dict.fromkeys(found))


def _is_half(change: Count) -> bool:
    return change.kind == "multiply" and change.amount < 1


def _halved(number: int) -> int:
    """Return the two possible halves of an odd number of people."""
    return number // 2
