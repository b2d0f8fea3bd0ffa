"""How far one request walks: the files that it may pass, and the shapes that one plan takes on its way.

Run as `python -m bench.walk`. Files: the static import closure of the route `POST /v1/requests` and of the workflows
and activities that it leads to, without imports for types only and without packages that import nothing. Shapes: the
classes that carry the request, its calls or its steps from one stage to the next; a name that is gone is an error.
The last line is JSON: {"files": …, "lines": …, "shapes": …, "by_package": {…}}.
"""

import ast
import importlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
STARTS = (
    "api.routes.messages",
    "workflows.chat.workflow",
    "workflows.plan.workflow",
    "activities.look_up",
    "activities.drafting.activity",
    "activities.reason",
    "activities.chat_plan_bridge",
    "activities.steps",
    "activities.undo",
)
# `LookUpReply` is not among them: it holds only what the venue answered, no request, call or step.
SHAPES = {
    "api.schemas": ("RequestBody",),
    "contracts.chat_messages": ("TurnRequest", "TurnReply", "PlanStart"),
    "contracts.chat_completion": ("ReasonRequest", "ToolCall", "ModelReply"),
    "reasoning.modes.base": ("Prompt",),
    "contracts.drafting": ("LookUpRequest", "DraftRequest", "DraftReply"),
    "contracts.booking": ("FoundBookings",),
    "activities.drafting.state": ("DraftState", "DraftCall"),
    "language.extraction.extraction": ("Extraction",),
    "language.extraction.mention": ("Mention",),
    "contracts.step_activities": ("DraftedStep",),
    "workflows.chat.turn_result": ("TurnResult",),
    "contracts.plan": ("PlannedAction", "ExecutionPlan"),
    "contracts.turn": ("PlanTurn",),
}


def file_of(module: str) -> Path | None:
    """Return the file of one of our modules or packages; None for another's."""
    base = ROOT.joinpath(*module.split("."))
    return next((p for p in (base.with_suffix(".py"), base / "__init__.py") if p.is_file()), None)


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a file imports when it runs, and what it imports from them: that may be a module, too."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.Import(names=names):
                yield from (one.name for one in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (module, *(f"{module}.{one.name}" for one in names))
        yield from imported(node)


def closure(*starts: str) -> dict[str, Path]:
    """Return the files that these modules import, directly or not, by module."""
    found: dict[str, Path] = {}
    waiting = list(starts)
    while waiting:
        parts = waiting.pop().split(".")
        for module in (".".join(parts[:end]) for end in range(1, len(parts) + 1)):
            path = file_of(module)
            if path is not None and module not in found:
                found[module] = path
                waiting += imported(ast.parse(path.read_text("utf-8")))
    return {m: p for m, p in found.items() if p.name != "__init__.py" or "import " in p.read_text("utf-8")}


def main() -> None:
    """Print the files by package and the shapes, then both counts."""
    for module, names in SHAPES.items():
        assert all(hasattr(importlib.import_module(module), name) for name in names), (module, names)
    files = closure(*STARTS)
    by_package = dict(Counter(module.split(".")[0] for module in files).most_common())
    shapes = [name for names in SHAPES.values() for name in names]
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files.values())
    print("\n".join(f"{package:<12}{count:>5} files" for package, count in by_package.items()))
    print("shapes:", ", ".join(shapes))
    print(json.dumps({"files": len(files), "lines": lines, "shapes": len(shapes), "by_package": by_package}))


if __name__ == "__main__":
    main()
