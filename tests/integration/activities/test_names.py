"""Names that are recorded in the histories of running plans. Renaming one would strand every plan in flight.

Guarantees:
- The names of activities, workflows, signals, updates and queries are exactly these; a new one is added here, none is
  removed or renamed.
- Callers of a workflow use its methods; the names by which workflows call others exist.
"""

import re
from pathlib import Path

import pytest
from temporalio import activity, workflow

from contracts import persisted_names, signatures
from contracts.persisted_names import Signal
from infra.config.settings import ROOT
from workflows.chat.workflow import ConversationWorkflow
from workflows.escalation.workflow import EscalationWorkflow
from workflows.plan.workflow import PlanWorkflow

ACTIVITIES = {
    "reason", "look_up", "draft", "take_snapshot", "act", "read_back", "undo_step", "wipe_token", "load_chat_memory",
    "execute_command", "get_plan", "plan_state", "request_prompt_slot",
    "commit_command", "owner_label", "match_bookings", "critique", "record_escalation", "call_webhook",
    "deliver_staff_reply",
}  # fmt: skip
WORKFLOWS = {
    "Plan": {
        "updates": {"confirm", "skip_step", "cancel", "undo"},
        "signals": {"answer", "prompt_slot_granted", "token_renewed"},
        "queries": {"plan", "events"},
    },
    "Conversation": {
        "updates": {"handle_request"},
        "signals": {"request_prompt_slot", "staff_reply", "draft_begun"},
        "queries": {"session", "transcript", "debug"},
    },
    "Escalation": {"updates": {"resolve"}, "signals": set(), "queries": {"escalation"}},
}


def test_activity_names_are_pinned() -> None:
    found = (activity._Definition.from_callable(each) for each in vars(signatures).values() if callable(each))

    assert {definition.name for definition in found if definition} == ACTIVITIES


@pytest.mark.parametrize(
    "kind", [PlanWorkflow, ConversationWorkflow, EscalationWorkflow], ids=lambda kind: kind.__name__
)
def test_workflow_names_are_pinned(kind: type) -> None:
    definition = workflow._Definition.must_from_class(kind)
    assert definition.name is not None

    assert {
        "updates": set(definition.updates), "signals": set(definition.signals), "queries": set(definition.queries),
    } == WORKFLOWS[definition.name]  # fmt: skip


def test_search_attributes_are_pinned() -> None:
    from infra.temporal import search_attributes

    assert [(key.name, key.indexed_value_type.name) for key in search_attributes.ALL] == [
        ("IqStatus", "KEYWORD"), ("IqVenue", "KEYWORD"), ("IqPhase", "KEYWORD"), ("IqUser", "KEYWORD"),
        ("IqSince", "DATETIME"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "kind"),
    [("IqStatus", "Keyword"), ("IqVenue", "Keyword"), ("IqPhase", "Keyword"), ("IqUser", "Keyword"),
     ("IqSince", "Datetime")],
)  # fmt: skip
def test_the_dev_server_registers_every_search_attribute(key: str, kind: str) -> None:
    assert re.search(rf"^  {key}: {kind}$", (ROOT / "temporal-dev.yaml").read_text(), re.MULTILINE)


ASKS_BY_NAME = re.compile(
    r"""\.(?:query|signal|execute_update|start_update|start_update_with_start_workflow)\(\s*"(\w+)\""""
)


@pytest.mark.parametrize("room", ["api", "activities", "clients", "cli", "infra", "bench", "evals"])
def test_a_workflow_is_asked_by_its_methods_so_that_types_are_checked(room: str) -> None:
    by_name = {source.name for source in Path(ROOT, room).rglob("*.py") if ASKS_BY_NAME.search(source.read_text())}
    assert by_name == set()


def test_what_workflows_call_by_name_is_there() -> None:
    sources = [source.read_text() for source in Path(ROOT, "workflows").rglob("*.py")]
    assert [name for source in sources for name in ASKS_BY_NAME.findall(source)] == [], "a persisted name is a constant"
    called = {getattr(Signal, name) for source in sources for name in re.findall(r"\.signal\(Signal\.(\w+)\)", source)}
    assert called == {"prompt_slot_granted"} <= WORKFLOWS["Plan"]["signals"]


def test_persisted_names_are_all_in_one_place() -> None:
    def values(names: type) -> set[str]:
        return {value for name, value in vars(names).items() if name.isupper()}

    assert values(persisted_names.Activity) == ACTIVITIES
    assert values(persisted_names.WorkflowType) == WORKFLOWS.keys()
    for kind, names in (("updates", persisted_names.Update), ("signals", Signal), ("queries", persisted_names.Query)):
        assert values(names) == {name for workflow_names in WORKFLOWS.values() for name in workflow_names[kind]}, kind
