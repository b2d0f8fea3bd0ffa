"""The context in which a proposed value is grounded. A rule returns the value in the form in which it is stored (None
omits the parameter), or why nothing grounds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from language.extraction import Extraction, Mention, MentionKind
from language.extraction.extraction import drops_all

ROLES = {
    MentionKind.DAY: (ParameterRole.DATE,),
    MentionKind.TIME: (ParameterRole.TIME,),
    MentionKind.SHIFT: (ParameterRole.DATE, ParameterRole.TIME),
    MentionKind.COUNT: (ParameterRole.COUNT,),
    MentionKind.EMAIL: (ParameterRole.EMAIL,),
    MentionKind.PHONE: (ParameterRole.PHONE,),
}
"""The roles that take a mention of each kind. A bare number may be anything, so it is missed only as a new value."""
ALL_ROLES = frozenset(role for roles in ROLES.values() for role in roles)


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """A value that nothing grounds. `role` says what to ask for, `options` what the words could mean, `label` is the
    display name of the parameter. `invisible` are invisible characters of the value ("U+202E"), `mixed_script` is its
    word that mixes alphabets: if set, that is the reason."""

    role: ParameterRole | None
    parameter: str
    options: tuple[str, ...] = ()
    label: str = ""
    invisible: tuple[str, ...] = ()
    mixed_script: str = ""


@dataclass(frozen=True, slots=True)
class GroundingContext:
    """The words about one booking, the venue's data of it, and the values that the pending plan sets.

    `expected` is the kind of value that our own last question asked for: a bare number answers that. `proposed` are the
    texts of the whole proposal, this value's among them. `before` are the words for the waiting plan. `taken` are the
    values of the plan's other steps: a number belongs to one of them.
    """

    evidence: Extraction
    booking: BookingSummary | None
    amended: Mapping[str, Json]
    expected: ParameterRole | None = None
    proposed: tuple[str, ...] = ()
    before: Extraction | None = None
    taken: frozenset[str] = frozenset()

    def pending(self, parameter: ActionParameter) -> Json:
        """Return the parameter's value in the plan being changed; None if there is none, or the message drops it."""
        dropped = any(drops_all(message) for message in self.evidence.messages[:1])
        return None if dropped else self.amended.get(parameter.name)

    def answers(self, mention: Mention, role: ParameterRole) -> bool:
        """Return whether a bare number may be a value of this role: not if another role was asked for."""
        return mention.message > 0 or self.expected is None or self.expected is role


def ungrounded(
    parameter: ActionParameter, options: tuple[str, ...] = (), role: ParameterRole | None = None
) -> Ungrounded:
    """Return a question for this parameter; `options` in the order mentioned, without duplicates."""
    return Ungrounded(role or parameter.role, parameter.name, tuple(dict.fromkeys(options)), parameter.display_name)


def carries(mention: Mention, value: str) -> bool:
    """Return whether a step's value is that of the mention. Grounding has checked shifts and relative numbers."""
    if mention.kind is MentionKind.SHIFT or mention.count is not None:
        return True
    return (
        mention.kind is MentionKind.PHONE
        or value.casefold() in {one.casefold() for one in mention.values}
        or not mention.unambiguous
    )
