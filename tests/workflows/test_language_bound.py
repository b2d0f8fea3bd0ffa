"""Every entry point of a workflow or an activity that writes to an operator binds the language first.

- Every update of a workflow, and its validator, binds the language; so does a plan's run.
- Every activity whose text an operator may read binds it.
"""

import ast
from collections.abc import Iterator

from infra.config.settings import ROOT
from tests.support.tables import table

SILENT = frozenset({
    "wipe_token", "commit_command", "load_chat_memory", "plan_state", "request_prompt_slot", "owner_label",
    "match_bookings",     "record_escalation", "call_webhook", "deliver_staff_reply",
})  # fmt: skip
"""Activities that say nothing to an operator."""


def entered() -> Iterator[tuple[str, ast.AST]]:
    for path in (*ROOT.glob("workflows/**/*.py"), *ROOT.glob("activities/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in SILENT:
                how = " ".join(ast.unparse(one) for one in node.decorator_list)
                if "workflow.update" in how or ".validator" in how or "activity.defn" in how:
                    yield f"{path.parent.name}/{path.name}: {node.name}", node
                if "workflow.run" in how and path == ROOT / "workflows/plan/workflow.py":
                    yield f"{path.parent.name}/{path.name}: {node.name}", node


@table("place, node", list(entered()))
def test_the_language_is_bound_where_it_is_entered(place: str, node: ast.AST) -> None:
    text = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
    first = {
        name: min((c.lineno for c in text if ast.unparse(c.func) == name), default=None)
        for name in ("activate_locale", "translate")
    }
    assert first["activate_locale"] is not None, place
    assert first["translate"] is None or first["activate_locale"] < first["translate"], place
