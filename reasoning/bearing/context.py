"""What a proposed value is held against, and what may come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from reasoning.evidence import Claim, Evidence


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value that nothing bears out. `role` says what to ask for, `options` what the words could mean, `told` how
    people call the parameter. `invisible` are invisible characters of the value ("U+202E"), `mixed_script` is its word
    that mixes alphabets: then that is the reason.
    """

    role: ParameterRole | None
    parameter: str
    options: tuple[str, ...] = ()
    told: str = ""
    invisible: tuple[str, ...] = ()
    mixed_script: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A value that stands, in the form in which it is kept. None leaves the parameter out."""

    value: Json


@dataclass(frozen=True, slots=True)
class Context:
    """The words about one booking, what the venue has of it, and what the pending plan would make of it.

    `expected` is the kind of value that our own last question asked for: a bare number answers that. `proposed` are
    the texts of the whole proposal, this value's among them. `before` is what was said for the plan that waits.
    `taken` are the values of the plan's other steps: a number belongs to one of them.
    """

    evidence: Evidence
    booking: BookingSummary | None
    amended: Mapping[str, Json]
    expected: ParameterRole | None = None
    proposed: tuple[str, ...] = ()
    before: Evidence | None = None
    taken: frozenset[str] = frozenset()

    def pending(self, parameter: ActionParameter) -> Json:
        """The parameter's value in the plan being changed; None where there is none."""
        return self.amended.get(parameter.name)

    def answers(self, claim: Claim, role: ParameterRole) -> bool:
        """Whether a bare number may be a value of this role: not if another was asked for."""
        return claim.message > 0 or self.expected is None or self.expected is role


def doubt(parameter: ActionParameter, options: tuple[str, ...] = (), role: ParameterRole | None = None) -> Doubt:
    """Ask for this parameter; `options` in the order said, none twice."""
    return Doubt(role or parameter.role, parameter.name, tuple(dict.fromkeys(options)), parameter.told)
