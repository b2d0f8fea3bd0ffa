"""Whether there is room for a change, by the read that its overlay names (`room`): asked while a plan is drafted, and
again just before the write where that read is a step of the plan."""

import logging

from clients.reads import Reader
from clients.venue import unreadable
from contracts.action import AtomicAction, ErrorRule
from contracts.base import Json
from contracts.enums import ErrorType, Refusal
from contracts.errors import VenueFailure
from contracts.quick import QuickAction
from registry import Scope, UnrenderableError, alternatives, lacking_room, look_text, rule_message, rule_suggestions

log = logging.getLogger(__name__)


async def look_for_room(reader: Reader, action: AtomicAction, scope: Scope) -> VenueFailure | str:
    """Why there is none, with what there is instead; else what is said of it, which is "" where the read is no step.
    Raises `VenueError`, `UnrenderableError`."""
    assert action.room is not None
    answer = await reader.read(action, action.room.read, scope)
    try:
        rule = lacking_room(action, answer, scope)
        if rule is None:
            return look_text(action, answer, scope) if action.room.step else ""
        return await _lacking(reader, action, rule, scope, answer)
    except UnrenderableError as fault:
        log.warning("the room for %s was told in another way than the overlay reads: %s", action.name, fault.where)
        raise unreadable("of another kind") from None


async def _lacking(reader: Reader, action: AtomicAction, rule: ErrorRule, scope: Scope, answer: Json) -> VenueFailure:
    found: tuple[QuickAction, ...] = ()
    if rule.alternatives is not None:
        found = alternatives(action, rule, await reader.read(action, rule.alternatives, scope), scope)
    return VenueFailure(
        error_type=rule.error_type or ErrorType.CONFLICT,
        code=rule.code,
        refusal=Refusal.NO_ROOM,
        message=rule_message(action, rule, scope.with_(response=answer)) or "",
        suggestions=rule_suggestions(action, rule, scope),
        alternatives=tuple(one.label for one in found),
        quick_actions=tuple(one for one in found if one.say),
    )
