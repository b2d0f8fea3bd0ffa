"""Converts confirmed values that a model writes in another form ("twelve" for 12, "28/11/2026" for 2026-11-28) to the
form in which they were confirmed.

The confirmed value is known, so the rules for operators' words only check whether the model's text grounds it.
Otherwise the value stays as it is, and the guard judges it (`reasoning/execution/guard.py`).
"""

from collections.abc import Mapping
from datetime import datetime

from contracts import limits
from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.enums import ParameterRole
from contracts.venue import VenueProfile
from language.extraction.mention import MentionKind
from reasoning.execution.guard import same_meaning
from reasoning.grounding.grounding import GroundedArguments, OperatorStatements

_SPOKEN = {
    ParameterRole.DATE: (MentionKind.DAY,),
    ParameterRole.TIME: (MentionKind.TIME, MentionKind.NUMBER),
    ParameterRole.COUNT: tuple(MentionKind),
}
"""By role, what a text may contain only once: "12 or 13" is ambiguous."""


def in_confirmed_form(
    action: AtomicAction,
    given: Mapping[str, Json],
    confirmed: Mapping[str, Json],
    now: datetime,
    profile: VenueProfile,
) -> dict[str, Json]:
    """Return the values, each in its confirmed form if it means the same. `now` is local to the venue."""
    return {
        name: confirmed[name]
        if (parameter := action.parameter(name)) is not None
        and name in confirmed
        and _is_meant(action, parameter, confirmed[name], value, now, profile)
        else value
        for name, value in given.items()
    }


def _is_meant(
    action: AtomicAction,
    parameter: ActionParameter,
    confirmed: Json,
    value: Json,
    now: datetime,
    profile: VenueProfile,
) -> bool:
    if same_meaning(parameter.role, confirmed, value):
        return True
    if parameter.role not in _SPOKEN or not isinstance(value, str) or len(value) > limits.PHRASE:
        return False
    read = OperatorStatements((value,), now, profile)
    if len(read.evidence.of(*_SPOKEN[parameter.role])) > 1:
        return False
    judged = read.ground(action, {parameter.name: confirmed}, None, {}, expected=parameter.role)
    return isinstance(judged, GroundedArguments) and judged.arguments[parameter.name] == confirmed
