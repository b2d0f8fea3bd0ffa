"""Availability checks by the read that an overlay names (`availability`): while a plan is drafted, and again just
before the write if that read is a step of the plan."""

import logging

from clients.venue.errors import malformed_response_error
from clients.venue.reads import SnapshotReader
from contracts.action import ErrorRule
from contracts.base import Json, QuickAction
from contracts.enums import ErrorType, RefusalReason
from contracts.errors import VenueFailure
from registry import BoundAction, TemplateRenderError

log = logging.getLogger(__name__)


async def check_availability(reader: SnapshotReader, bound: BoundAction) -> VenueFailure | str:
    """Return the failure with alternatives if there is no availability; else the text about it, which is "" if the read
    is no step. Raises `VenueError`, `TemplateRenderError`."""
    action = bound.action
    assert action.availability is not None
    answer = await reader.read(bound, action.availability.read)
    try:
        rule = bound.availability_error(answer)
        if rule is None:
            return bound.availability_text(answer) if action.availability.step else ""
        return await _lacking(reader, bound, rule, answer)
    except TemplateRenderError as fault:
        log.warning("the availability response for %s is not as the overlay reads it: %s", action.name, fault.where)
        raise malformed_response_error("of another kind") from None


async def _lacking(reader: SnapshotReader, bound: BoundAction, rule: ErrorRule, answer: Json) -> VenueFailure:
    found: tuple[QuickAction, ...] = ()
    if rule.alternatives is not None:
        found = bound.alternatives(rule, await reader.read(bound, rule.alternatives))
    return VenueFailure(
        error_type=rule.error_type or ErrorType.CONFLICT,
        code=rule.code,
        refusal=RefusalReason.NO_ROOM,
        message=bound.with_(response=answer).rule_message(rule) or "",
        suggestions=bound.rule_suggestions(rule),
        alternatives=tuple(one.label for one in found),
        quick_actions=tuple(one for one in found if one.say),
    )
