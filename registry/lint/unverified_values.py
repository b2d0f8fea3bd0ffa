"""Checks that `verify` compares every value that a change sends, because a change counts as carried out as requested
once `verify` holds.

A value that no read shows (an e-mail that is sent along) is declared `not_readable`, with the reason: the result then
says that it was not checked. Values of the path pick what is changed, and are no part of the change.
"""

from contracts.action import AtomicAction
from contracts.enums import ParameterRole, SafetyTier
from registry.errors import TemplateRenderError
from registry.lint.unpreviewed_values import names_beneath, parameters_at, paths_read
from registry.overlays.findings import Findings
from registry.overlays.models import OverlayFile
from registry.templating.templates import parsed


def check_verified(action: AtomicAction, overlay: OverlayFile, findings: Findings) -> None:
    """Add a finding for each parameter that is sent and never compared, and for each `not_readable` one that is."""
    if action.read_only or action.safety is SafetyTier.BLOCKED or action.verify is None:
        return
    sent, compared = _sent(action), _compared(action)
    for parameter in action.parameters:
        key, written = ("parameters", parameter.name), overlay.parameters[parameter.name]
        if parameter.role is ParameterRole.BOOKING or written.technical or parameter.name not in sent:
            continue
        if parameter.name not in compared and not parameter.not_readable:
            hint = (
                f"compare it in `verify`: `now.… == {parameter.name}`; or, if no read shows it, say `not_readable: why`"
                " beside it, and the result says that it was not checked"
            )
            findings.error(key, "is sent, and `verify` does not compare it: it would count as done unseen", hint)
        elif parameter.name in compared and parameter.not_readable:
            findings.error((*key, "not_readable"), "`verify` compares it, so a read shows it", "leave it out")


def _sent(action: AtomicAction) -> set[str]:
    """Return the parameters whose value is in the request, outside its path."""
    found = {p.name for p in action.parameters if p.target and not p.target.startswith("path.")}
    request = action.request
    for part in (request.query, request.header, request.body) if request is not None else ():
        found |= set(names_beneath(part, ()))
    return found


def _compared(action: AtomicAction) -> set[str]:
    found: set[str] = set()
    for text in action.verify.checks if action.verify else ():
        try:
            tree = parsed(text, "", expression=True)
        except TemplateRenderError:
            continue  # another check reports it
        for path, _ in paths_read(tree):
            found |= parameters_at(action, path)
    return found
