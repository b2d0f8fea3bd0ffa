"""Availability checks by the read that an overlay names (`availability`): while a plan is drafted, and again just
before the write if that read is a step of the plan."""

import logging

from clients.venue.errors import malformed_response_error
from clients.venue.reads import SnapshotReader
from contracts.action import AtomicAction, ErrorRule
from contracts.base import Json, QuickAction
from contracts.enums import ErrorType, RefusalReason
from contracts.errors import VenueFailure
from registry import (
    Scope,
    TemplateRenderError,
    alternatives,
    availability_error,
    availability_text,
    rule_message,
    rule_suggestions,
)

log = logging.getLogger(__name__)


async def check_availability(reader: SnapshotReader, action: AtomicAction, scope: Scope) -> VenueFailure | str:
    """Return the failure with alternatives if there is no availability; else the text about it, which is "" if the read
    is no step. Raises `VenueError`, `TemplateRenderError`."""
    assert action.availability is not None
    answer = await reader.read(action, action.availability.read, scope)
    try:
        rule = availability_error(action, answer, scope)
        if rule is None:
            return availability_text(action, answer, scope) if action.availability.step else ""
        return await _lacking(reader, action, rule, scope, answer)
    except TemplateRenderError as fault:
        log.warning("the availability response for %s is not as the overlay reads it: %s", action.name, fault.where)
        raise malformed_response_error("of another kind") from None


async def _lacking(
    reader: SnapshotReader, action: AtomicAction, rule: ErrorRule, scope: Scope, answer: Json
) -> VenueFailure:
    found: tuple[QuickAction, ...] = ()
    if rule.alternatives is not None:
        found = alternatives(action, rule, await reader.read(action, rule.alternatives, scope), scope)
    return VenueFailure(
        error_type=rule.error_type or ErrorType.CONFLICT,
        code=rule.code,
        refusal=RefusalReason.NO_ROOM,
        message=rule_message(action, rule, scope.with_(response=answer)) or "",
        suggestions=rule_suggestions(action, rule, scope),
        alternatives=tuple(one.label for one in found),
        quick_actions=tuple(one for one in found if one.say),
    )
