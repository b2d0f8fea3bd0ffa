"""Compensation of a step: the request that restores the earlier state, or the manual instruction where there is
none."""

import logging

from contracts.action import AtomicAction
from contracts.credentials import HttpRequest
from language.messages.catalogue import translate
from registry.errors import TemplateRenderError
from registry.http.request import render_request
from registry.templating.scope import Scope
from registry.templating.templates import render_fields, render_text
from registry.verification.snapshot import with_request

_LOG = logging.getLogger(__name__)


def compensation_request(action: AtomicAction, scope: Scope, *, own_part: bool = False) -> HttpRequest:
    """Return the request that brings `now` back to `before`, or (`partial_undo`) removes only the plan's own part from
    `now`.

    Raises TemplateRenderError when a template fails, when the action has no such compensation, or when `now` was not
    read.
    """
    where = f"{action.name}: compensation"
    undo = action.compensation
    if undo is None or undo.operation is None or undo.request is None:
        raise TemplateRenderError(where, "this action cannot be undone by a request")
    if action.snapshot is not None and scope.now is None:
        raise TemplateRenderError(where, "`now` must be read before undoing")
    if own_part:
        if undo.partial_undo is None:
            raise TemplateRenderError(where, "this action cannot undo its own part alone")
        names = with_request(action, scope).names(action)
        return render_request(undo.operation, undo.partial_undo.request, names, f"{where}.partial_undo.request")
    names = scope.names(action)
    names |= render_fields(undo.values, names, f"{where}.with")
    return render_request(undo.operation, undo.request, names, f"{where}.request")


def manual_instruction(action: AtomicAction, scope: Scope) -> str:
    """Return what staff must do when no request can undo the step. Never raises for a bad template: it falls back to
    the title and the parameters, because this text is the last help available."""
    source = (action.compensation.manual if action.compensation else "") or action.irreversible_note
    if source:
        try:
            sees = with_request(action, scope) if "request" in source else scope
            return render_text(source, sees.names(action), f"{action.name}: compensation.manual")
        except TemplateRenderError as fault:
            _LOG.warning("manual step of %s could not be written in full", fault.where)
    given = [
        f"{name.replace('_', ' ')} {v if isinstance(v, str | int | float) else translate('undo.as_asked')}"
        for name, v in scope.parameters.items()
        if v is not None
    ]
    return translate("undo.by_hand", title=action.title, given=given)
