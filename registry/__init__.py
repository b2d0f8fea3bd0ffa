"""OpenAPI documents and overlays become atomic actions: tools for a model, requests for a venue, and their undo.

    load.py      a pack's folder → actions and findings     venues.py    all packs, refresh
    document.py  one operation of an API document           overlay.py   the file an author writes
    compile.py   overlay + operation → AtomicAction         checks.py    what must hold of it
    tools.py     what a model sees                          arguments.py what it may fill in
    templates.py `{{ … }}` to values                        request.py   values to an HTTP request
    snapshot.py  drift and read-back                        undo.py      back to what was
    show.py      what an operator sees                      rules.py     what a refusal means

Nothing here talks to a network or a model.
"""

from registry.arguments import PLACEHOLDER, argument_problems, is_placeholder
from registry.faults import PackError, TemplateFault
from registry.load import Pack, load_pack
from registry.request import build_read, build_request
from registry.rules import (
    alternative_labels,
    error_rule,
    rule_message,
    rule_suggestions,
)
from registry.scope import Scope
from registry.show import candidates, observe, preview_lines, summary_line
from registry.snapshot import covered, digest, landed, marked
from registry.tools import tool_of
from registry.undo import compensation_request, manual_step
from registry.venues import Registry

__all__ = [
    "PLACEHOLDER",
    "Pack",
    "PackError",
    "Registry",
    "Scope",
    "TemplateFault",
    "alternative_labels",
    "argument_problems",
    "build_read",
    "build_request",
    "candidates",
    "compensation_request",
    "covered",
    "digest",
    "error_rule",
    "is_placeholder",
    "landed",
    "load_pack",
    "manual_step",
    "marked",
    "observe",
    "preview_lines",
    "rule_message",
    "rule_suggestions",
    "summary_line",
    "tool_of",
]
