"""How sure code is of a plan, and why these steps: from the operator's own words, before any model judges itself.

10   everything is said, in one message, in words that can mean nothing else
-2   a booking that no word of the message names: it was pointed at, or is the one that was spoken of
-1   a booking that only a part of its name, its day or its time tells
-1   values that could be read in another way, or that no words bear out
-1   what is asked for is spread over several messages
-1   a step whose value is known only when an earlier one is done
"""

from collections.abc import Sequence

from contracts.booking import BookingSummary
from contracts.effects import DraftedStep
from contracts.enums import ParameterRole as Role
from language.catalogue import say
from language.plain import plain, words
from reasoning import placeholders
from reasoning.evidence import Evidence, Kind

_MOST, _LEAST = 10, 1
_KINDS = {
    Role.DATE: (Kind.DAY, Kind.SHIFT),
    Role.TIME: (Kind.TIME, Kind.SHIFT),
    Role.COUNT: (Kind.COUNT, Kind.NUMBER),
    Role.EMAIL: (Kind.EMAIL,),
    Role.PHONE: (Kind.PHONE,),
}


def confidence_in(steps: Sequence[DraftedStep], evidence: Evidence) -> int:
    """1 (hardly) to 10 (surely)."""
    doubts = max((_of_booking(step.booking, evidence) for step in steps), default=0)
    doubts += any(_uncertain(step, evidence) for step in steps)
    doubts += len({claim.message for claim in evidence.claims if claim.stands}) > 1
    doubts += any(placeholders.present(step.parameters) for step in steps)
    return max(_LEAST, _MOST - doubts)


def reasoning_for(steps: Sequence[DraftedStep], said: str) -> str:
    """Why these steps, in words: what was said, and what each step makes of it."""
    told = [_told(step) for step in steps]
    return say("event.reasoning", said=" ".join(said.split()), steps=told)


def _told(step: DraftedStep) -> str:
    lines = [f"{line.field} → {line.after}" for line in step.preview if line.after and not line.lasting]
    whom = step.booking.guest_name or step.booking.label if step.booking else ""
    title = f"{step.action.title} ({whom})" if whom else step.action.title
    return f"{title}: {', '.join(lines)}" if lines else title


def _of_booking(booking: BookingSummary | None, evidence: Evidence) -> int:
    if booking is None:
        return 0
    said = {word.text for message in evidence.messages for word in message.words}
    if booking.reference and plain(booking.reference) in said:
        return 0
    name = {word.text for word in words(plain(booking.guest_name or booking.label))}
    if name and name <= {word.removesuffix("'s") for word in said}:
        return 0
    return 1 if name & {word.removesuffix("'s") for word in said} else 2


def _uncertain(step: DraftedStep, evidence: Evidence) -> bool:
    about = evidence.about(step.booking)
    for parameter in step.action.parameters:
        kinds = _KINDS.get(parameter.role) if parameter.role else None
        if kinds is None or step.parameters.get(parameter.name) is None:
            continue
        claims = about.standing(*kinds)
        if not claims or not all(claim.certain or claim.to for claim in claims):
            return True
    return False
