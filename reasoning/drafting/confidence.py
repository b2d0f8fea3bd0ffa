"""How sure code is of a plan, and why these steps: from the operator's own words, before any model judges itself.

10   every value is mentioned, in one message, in unambiguous words
-2   a booking that no word of the message names: it was pointed at, or is the one that was spoken of
-1   a booking that only a part of its name, its day or its time tells
-1   values that are ambiguous or not grounded
-1   what is asked for is spread over several messages
-1   a step whose value is known only when an earlier one is done
"""

from collections.abc import Sequence

from contracts.booking import BookingSummary
from contracts.enums import ParameterRole as Role
from contracts.step_activities import DraftedStep
from language.extraction import Extraction, MentionKind
from language.messages.catalogue import translate
from language.text.normalize import normalize_text, tokenize
from reasoning.execution import placeholders

_MOST, _LEAST = 10, 1
_KINDS = {
    Role.DATE: (MentionKind.DAY, MentionKind.SHIFT),
    Role.TIME: (MentionKind.TIME, MentionKind.SHIFT),
    Role.COUNT: (MentionKind.COUNT, MentionKind.NUMBER),
    Role.EMAIL: (MentionKind.EMAIL,),
    Role.PHONE: (MentionKind.PHONE,),
}


def confidence_in(steps: Sequence[DraftedStep], evidence: Extraction) -> int:
    """Return the confidence in a plan, 1 (low) to 10 (high)."""
    doubts = max((_of_booking(step.booking, evidence) for step in steps), default=0)
    doubts += any(_uncertain(step, evidence) for step in steps)
    doubts += len({mention.message for mention in evidence.mentions if mention.is_asserted}) > 1
    doubts += any(placeholders.present(step.parameters) for step in steps)
    return max(_LEAST, _MOST - doubts)


def reasoning_for(steps: Sequence[DraftedStep], text: str) -> str:
    """Return the reasoning in words: what the operator wrote, and what each step makes of it."""
    lines = [_description(step) for step in steps]
    return translate("event.reasoning", text=" ".join(text.split()), steps=lines)


def _description(step: DraftedStep) -> str:
    lines = [f"{line.field} → {line.after}" for line in step.preview if line.after and not line.lasting]
    whom = step.booking.guest_name or step.booking.label if step.booking else ""
    title = f"{step.action.title} ({whom})" if whom else step.action.title
    return f"{title}: {', '.join(lines)}" if lines else title


def _of_booking(booking: BookingSummary | None, evidence: Extraction) -> int:
    if booking is None:
        return 0
    spoken = {word.text for message in evidence.messages for word in message.words}
    if booking.reference and normalize_text(booking.reference) in spoken:
        return 0
    name = {word.text for word in tokenize(normalize_text(booking.guest_name or booking.label))}
    if name and name <= {word.removesuffix("'s") for word in spoken}:
        return 0
    return 1 if name & {word.removesuffix("'s") for word in spoken} else 2


def _uncertain(step: DraftedStep, evidence: Extraction) -> bool:
    about = evidence.for_booking(step.booking)
    for parameter in step.action.parameters:
        kinds = _KINDS.get(parameter.role) if parameter.role else None
        if kinds is None or step.parameters.get(parameter.name) is None:
            continue
        mentions = about.asserted(*kinds)
        if not mentions or not all(mention.unambiguous or mention.is_target for mention in mentions):
            return True
    return False
