"""How a step is taken back: the request that restores what was, and what a person must do otherwise."""

import logging

from contracts.action import AtomicAction, HttpRequest
from language.catalogue import say
from registry.faults import UnrenderableError
from registry.request import render_request
from registry.scope import Scope
from registry.snapshot import with_request
from registry.templates import render_fields, render_text

_LOG = logging.getLogger(__name__)


def compensation_request(action: AtomicAction, scope: Scope, *, own_part: bool = False) -> HttpRequest:
    """The request that brings `now` back to `before`, or (`own_part`) takes only the plan's own part out of `now`.

    Raises UnrenderableError when a template fails, and when the action has no such compensation or `now` was not read.
    """
    where = f"{action.name}: compensation"
    undo = action.compensation
    if undo is None or undo.operation is None or undo.request is None:
        raise UnrenderableError(where, "this action cannot be undone by a request")
    if action.snapshot is not None and scope.now is None:
        raise UnrenderableError(where, "`now` must be read before undoing")
    if own_part:
        if undo.own_part is None:
            raise UnrenderableError(where, "this action cannot undo its own part alone")
        names = with_request(action, scope).names(action)
        return render_request(undo.operation, undo.own_part.request, names, f"{where}.own_part.request")
    names = scope.names(action)
    names |= render_fields(undo.values, names, f"{where}.with")
    return render_request(undo.operation, undo.request, names, f"{where}.request")


def manual_step(action: AtomicAction, scope: Scope) -> str:
    """What a person must do when the step cannot be taken back by a request. Never raises for a bad template:
    it then falls back to the title and the parameters, because this text is the last thing left to help."""
    source = (action.compensation.manual if action.compensation else "") or action.irreversible_note
    if source:
        try:
            sees = with_request(action, scope) if "request" in source else scope
            return render_text(source, sees.names(action), f"{action.name}: compensation.manual")
        except UnrenderableError as fault:
            _LOG.warning("manual step of %s could not be written in full", fault.where)
    given = [
        f"{name.replace('_', ' ')} {v if isinstance(v, str | int | float) else say('undo.as_asked')}"
        for name, v in scope.parameters.items()
        if v is not None
    ]
    return say("undo.by_hand", title=action.title, given=given)
