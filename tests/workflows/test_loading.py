"""What a run costs before it does anything: Temporal's sandbox imports its workflow again for each run.

- It imports the workflow's own module and at most one beside it (plus their packages); each module more costs every
  chat and every plan its memory and time.
- A test library that hooks into every import (beartype, which fastmcp brings) has no part in these.
"""

import sys

import pytest
from fastmcp import Client
from temporalio import workflow
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, _runner

from workflows.chat.workflow import ConversationWorkflow
from workflows.escalation.workflow import EscalationWorkflow
from workflows.plan.workflow import PlanWorkflow

_RESTRICTED = {"__main__", "asyncio", "datetime", "uuid"}
"""What the sandbox stands a guard before."""


@pytest.mark.parametrize("kind", [ConversationWorkflow, PlanWorkflow, EscalationWorkflow])
async def test_a_run_loads_its_own_module_again_and_hardly_another(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Client is not None, "it has had its say"
    made: list[_runner._Instance] = []
    begin = _runner._Instance.__init__

    def kept(self, *given) -> None:
        begin(self, *given)
        made.append(self)

    monkeypatch.setattr(_runner._Instance, "__init__", kept)
    SandboxedWorkflowRunner().prepare_workflow(workflow._Definition.must_from_class(kind))
    loaded = {name for name, module in made[0].importer.new_modules.items() if sys.modules.get(name) is not module}
    ours = {name for name in loaded if name.partition(".")[0] == "workflows"}
    assert loaded - ours <= _RESTRICTED
    assert kind.__module__ in ours
    assert len(ours) <= 4, "its packages, the workflow's own, and one"
