"""One step of a plan as the completeness check sees it, and whether it carries a mention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole as Role
from language.extraction import Mention, MentionKind

ROLES = {
    MentionKind.DAY: (Role.DATE,),
    MentionKind.TIME: (Role.TIME,),
    MentionKind.SHIFT: (Role.DATE, Role.TIME),
    MentionKind.COUNT: (Role.COUNT,),
    MentionKind.EMAIL: (Role.EMAIL,),
    MentionKind.PHONE: (Role.PHONE,),
}
"""The roles that take a mention of each kind. A bare number may be anything, so it is missed only as a new value."""


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One call as it would be planned, and the booking it is about."""

    action: AtomicAction
    arguments: Mapping[str, Json]
    booking: BookingSummary | None


ALL_ROLES = frozenset(role for roles in ROLES.values() for role in roles)


def carries(mention: Mention, value: str, step: PlannedStep) -> bool:
    """Return whether a step's value is that of the mention. Grounding has checked shifts and relative numbers."""
    if mention.kind is MentionKind.SHIFT or mention.count is not None:
        return True
    return (
        mention.kind is MentionKind.PHONE
        or value.casefold() in {one.casefold() for one in mention.values}
        or not mention.unambiguous
    )
