"""OpenAPI documents and overlays become atomic actions: tools for a model, requests for a venue, and their undo.

    load.py      a pack's folder → actions and findings     venues.py    all packs, refresh
    document.py  one operation of an API document           overlay.py   the file an author writes
    compile.py   overlay + operation → AtomicAction         checks.py    what must hold of it
    tools.py     what a model sees                          arguments.py what it may fill in
    templates.py `{{ … }}` to values                        request.py   values to an HTTP request
    snapshot.py  drift and read-back                        undo.py      back to what was
    show.py      what an operator sees                      rules.py     what a refusal means
    schemas.py   neutral schemas                            references.py what a `$ref` names
    keywords.py  their plain keywords                       formats.py   what a `format` asks
    neutral.py   reading them                               nodes.py     reading what strangers wrote
    ecma.py      JavaScript's patterns                      prose.py     a document's prose, shortened
    every.py     a whole document without overlays          emit.py      tools for OpenAI and Gemini
    wire.py      values in OpenAPI's styles                 search.py    choosing among hundreds
    cache.py     packs kept between starts                  changes.py   what a new document breaks
    apart.py     a folder read with limits                  watch.py     one file at a time
    last_good.py what stays when a file breaks              work.py      how much a template may do
    contained.py which templates are taken                  validation.py JSON Schema in linear time
    draft.py     a first overlay                            published.py the overlays' JSON Schema
    venue_use.py what of it nobody uses
    venue_file.py the venue as its author writes it         credentials.py how requests are let in
    day_read.py  how a venue's day is read
    answer_paths.py paths into answers, checked             constants.py values written down, checked
    shapes.py    what an answer may hold                    sources.py   every template of an action
    template_paths.py paths in one template, followed
    identity.py  what tells one thing from another
    instants.py  moments with an offset                     refusals.py  what a refusal says
    sensitive.py names of secrets                           exposure.py  no model's value reaches one

Nothing here talks to a network or a model.
"""

from registry.arguments import argument_problems, is_placeholder
from registry.credentials import expanded, secret_variables, with_secrets
from registry.day_read import day_arguments
from registry.emit import openai_tool
from registry.faults import PackError, UnrenderableError
from registry.fitting import fitted_arguments
from registry.load import load_pack
from registry.pack import Pack
from registry.pages import goes_on, joined, next_page
from registry.refusals import reason_of, says_no
from registry.request import build_read, build_request
from registry.rules import (
    alternatives,
    always_refused,
    compensating,
    error_rule,
    lacking_room,
    look_text,
    rule_message,
    rule_suggestions,
)
from registry.scope import Scope, marker_of, with_undo_key
from registry.search import FEW, Search
from registry.sensitive import without_secrets
from registry.show import (
    answer_text,
    candidates,
    confirm_label,
    guest_name,
    intended_lines,
    is_cancelled,
    observe,
    preview_lines,
    settled_output,
    standing_lines,
    summary_line,
)
from registry.snapshot import (
    covered,
    digest,
    grounds,
    landed,
    looks_for_new,
    marked,
    paths_inside,
    unchanged,
    with_request,
)
from registry.standing import (
    Standing,
    is_gone,
    is_ours,
    left_digest,
    named_by_answer,
    own_part_gone,
    own_part_stands,
    shows,
    some_is_back,
    standing,
    undone,
)
from registry.tools import tool_of
from registry.undo import compensation_request, manual_step
from registry.venues import Registry
from registry.wire import encoded_body

__all__ = [
    "FEW",
    "Pack",
    "PackError",
    "Registry",
    "Scope",
    "Search",
    "Standing",
    "UnrenderableError",
    "alternatives",
    "always_refused",
    "answer_text",
    "argument_problems",
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
    "expanded",
    "fitted_arguments",
    "goes_on",
    "grounds",
    "guest_name",
    "intended_lines",
    "is_cancelled",
    "is_gone",
    "is_ours",
    "is_placeholder",
    "joined",
    "lacking_room",
    "landed",
    "left_digest",
    "load_pack",
    "look_text",
    "looks_for_new",
    "manual_step",
    "marked",
    "marker_of",
    "named_by_answer",
    "next_page",
    "observe",
    "openai_tool",
    "own_part_gone",
    "own_part_stands",
    "paths_inside",
    "preview_lines",
    "reason_of",
    "rule_message",
    "rule_suggestions",
    "says_no",
    "secret_variables",
    "settled_output",
    "shows",
    "some_is_back",
    "standing",
    "standing_lines",
    "summary_line",
    "tool_of",
    "unchanged",
    "undone",
    "with_request",
    "with_secrets",
    "with_undo_key",
    "without_secrets",
]
