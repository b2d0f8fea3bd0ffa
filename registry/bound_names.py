"""Names under `bound` that are sent although no operation declares them: a near miss of one that it does is most likely
a typing error, and the venue would never hear what was meant."""

from collections.abc import Collection
from difflib import SequenceMatcher

from contracts.action import AtomicAction, Operation
from registry.findings import Findings
from registry.overlay import OverlayFile

_ALIKE = 0.85
"""X-Client and X-Client-Id are less alike than that: both may well be meant."""


def check_bound_names(action: AtomicAction, overlay: OverlayFile, findings: Findings) -> None:
    """Add a finding for each name in an overlay's `bound` that is nearly one of the operation's."""
    given = {parameter.target or "" for parameter in action.parameters} | {*overlay.bound}
    if action.request is not None:
        given |= {f"header.{name}" for name in action.request.header}
    for target in overlay.bound:
        hint = near_miss(target, action.operation, given | {f"header.{action.idempotency_header}"})
        if hint and target.partition(".")[0] in ("header", "cookie"):
            findings.warning(
                ("bound", target), f"{action.operation.key} declares no such place, though it is sent", hint
            )


def near_miss(target: str, operation: Operation, given: Collection[str]) -> str:
    """A hint at what the operation takes under much the same name and nothing gives; "" where there is none."""
    place, _, name = target.partition(".")
    declared = [p.name for p in operation.parameters if p.location == place]
    if name.lower() in map(str.lower, declared):
        return ""
    given = {other.lower() for other in given}
    open_ = [other for other in declared if f"{place}.{other}".lower() not in given]
    scored = [(SequenceMatcher(None, name.lower(), other.lower()).ratio(), other) for other in open_]
    likeness, best = max(scored, default=(0.0, ""))
    return f"did you mean {place}.{best}?" if likeness >= _ALIKE else ""
