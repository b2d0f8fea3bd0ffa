"""Confirmed values that a model writes in another way ("twelve" for 12, "28/11/2026" for 2026-11-28), in the form in
which they were confirmed.

What was confirmed is known, so it is only asked whether a text bears it out, by the rules for operators' words. What
does not is left as it is, and the guard judges it (`reasoning/guard.py`).
"""

from collections.abc import Mapping
from datetime import datetime

from contracts import bounds
from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.enums import ParameterRole
from contracts.venue import VenueProfile
from reasoning.evidence.claims import Kind
from reasoning.grounding import Grounded, Words
from reasoning.guard import same_meaning

_SPOKEN = {
    ParameterRole.DATE: (Kind.DAY,),
    ParameterRole.TIME: (Kind.TIME, Kind.NUMBER),
    ParameterRole.COUNT: tuple(Kind),
}
"""By role, what a text may state once and no more: "12 or 13" leaves open which."""


def in_confirmed_form(
    action: AtomicAction,
    given: Mapping[str, Json],
    confirmed: Mapping[str, Json],
    now: datetime,
    profile: VenueProfile,
) -> dict[str, Json]:
    """The values, each as it was confirmed where it means the same. `now` is local to the venue."""
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
    if parameter.role not in _SPOKEN or not isinstance(value, str) or len(value) > bounds.PHRASE:
        return False
    read = Words((value,), now, profile)
    if len(read.evidence.of(*_SPOKEN[parameter.role])) > 1:
        return False
    judged = read.ground(action, {parameter.name: confirmed}, None, {}, expected=parameter.role)
    return isinstance(judged, Grounded) and judged.arguments[parameter.name] == confirmed
