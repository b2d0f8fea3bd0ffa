"""The registry: OpenAPI documents and overlays become atomic actions, with tools for a model, requests and their undo.

loading/       a pack's folder, read with limits      openapi/       documents to operations and neutral schemas
overlays/      what an author writes, compiled        lint/          the checks of a compiled action
templating/    `{{ … }}` to values                    http/          values to a request, error bodies parsed
verification/  outcome of a write, undo state         presentation/  the texts that an operator reads
tools/         tool definitions for the model         search/        choosing among hundreds of actions
secrets/       names of secrets, and what reaches one registry.py    all packs, refreshed

Nothing here calls a network or a model.
"""

from registry.errors import PackError, TemplateRenderError
from registry.http.compensation import compensation_request, manual_instruction
from registry.http.credentials import expand_variables, secret_variables, with_secrets
from registry.http.error_body import is_error_response, parse_error
from registry.http.paging import goes_on, joined, next_page
from registry.http.request import build_read, build_request
from registry.http.styles import encoded_body
from registry.loading.load import load_pack
from registry.loading.pack import Pack
from registry.overlays.day import day_arguments
from registry.presentation.error_rules import (
    alternatives,
    availability_error,
    availability_text,
    compensating,
    error_rule,
    preflight_rejection,
    rule_message,
    rule_suggestions,
)
from registry.presentation.preview import (
    answer_text,
    candidates,
    confirm_label,
    goal_lines,
    guest_name,
    is_cancelled,
    known_output,
    observation,
    preview_lines,
    state_lines,
    summary_line,
)
from registry.registry import Registry
from registry.search.search import FEW, Search
from registry.secrets.names import without_secrets
from registry.templating.scope import Scope, marker_of, with_undo_key
from registry.tools.arguments import argument_problems, fitted_arguments, is_placeholder
from registry.tools.dialects import openai_tool, tool_of
from registry.verification.snapshot import (
    covered,
    digest,
    fingerprints,
    has_marker,
    looks_for_new,
    matches_request,
    paths_inside,
    unchanged,
    with_request,
)
from registry.verification.undo_state import (
    UndoState,
    is_gone,
    is_ours,
    is_undone,
    left_digest,
    named_by_answer,
    own_changes_removed,
    own_changes_separable,
    shows,
    some_is_back,
    undo_state,
)

__all__ = [
    "FEW",
    "Pack",
    "PackError",
    "Registry",
    "Scope",
    "Search",
    "TemplateRenderError",
    "UndoState",
    "alternatives",
    "answer_text",
    "argument_problems",
    "availability_error",
    "availability_text",
    "build_read",
    "build_request",
    "candidates",
    "compensating",
    "compensation_request",
    "confirm_label",
    "covered",
    "day_arguments",
    "digest",
    "encoded_body",
    "error_rule",
    "expand_variables",
    "fingerprints",
    "fitted_arguments",
    "goal_lines",
    "goes_on",
    "guest_name",
    "has_marker",
    "is_cancelled",
    "is_error_response",
    "is_gone",
    "is_ours",
    "is_placeholder",
    "is_undone",
    "joined",
    "known_output",
    "left_digest",
    "load_pack",
    "looks_for_new",
    "manual_instruction",
    "marker_of",
    "matches_request",
    "named_by_answer",
    "next_page",
    "observation",
    "openai_tool",
    "own_changes_removed",
    "own_changes_separable",
    "parse_error",
    "paths_inside",
    "preflight_rejection",
    "preview_lines",
    "rule_message",
    "rule_suggestions",
    "secret_variables",
    "shows",
    "some_is_back",
    "state_lines",
    "summary_line",
    "tool_of",
    "unchanged",
    "undo_state",
    "with_request",
    "with_secrets",
    "with_undo_key",
    "without_secrets",
]
