"""How long something takes: a value stands when so many minutes were said, and not denied."""

from __future__ import annotations

from contracts.action import ActionParameter
from contracts.base import Json
from language.durations import find_durations
from reasoning.bearing.context import Context, Doubt, Held, doubt
from reasoning.evidence.claims import Standing
from reasoning.evidence.quotes import inside, only_reported


def minutes(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """Whole minutes, as the latest message that speaks of a duration has it; one that was not said is left out."""
    for message in context.evidence.messages:
        said = [
            found
            for found, span in find_durations(message.text)
            if context.evidence.meant(message, span) is Standing.SAID
            and not inside(span, message.names)
            and not only_reported(message, span)
        ]
        if value in said:
            return Held(value) if len(set(said)) == 1 else doubt(parameter, tuple(str(one) for one in said))
        if said:
            return doubt(parameter, tuple(str(one) for one in said))
    return doubt(parameter) if parameter.required else Held(None)
