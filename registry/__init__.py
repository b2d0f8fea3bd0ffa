"""The registry: OpenAPI documents and overlays become atomic actions, with tools for a model, requests and their undo.

loading/       a pack's folder, read with limits      openapi/         documents to operations and neutral schemas
overlays/      what an author writes, compiled        lint/            the checks of a compiled action
templating/    `{{ … }}` to values                    http/            values to a request, error bodies parsed
verification/  outcome of a write, undo state         presentation/    the texts that an operator reads
tools/         tool definitions for the model         search/          choosing among hundreds of actions
secrets/       names of secrets, and what reaches one bound_action.py  an action at run time, for its callers
registry.py    the packs in use

What is exported here is what is done with an action at run time; loading packs is imported from `registry.loading`.
Nothing here calls a network or a model.
"""

from registry.bound_action import BoundAction
from registry.errors import PackError, TemplateRenderError
from registry.registry import Pack, Registry
from registry.search.search import Search
from registry.tools.arguments import argument_problems, fitted_arguments
from registry.tools.dialects import openai_tool

__all__ = [
    "BoundAction",
    "Pack",
    "PackError",
    "Registry",
    "Search",
    "TemplateRenderError",
    "argument_problems",
    "fitted_arguments",
    "openai_tool",
]
