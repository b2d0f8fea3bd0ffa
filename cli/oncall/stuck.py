"""`iq stuck`: only what needs a person. A workflow that waits for its operator or its time is not listed."""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from temporalio.client import Client, WorkflowExecution
from temporalio.common import SearchAttributeKey
from temporalio.service import RPCError

from cli.oncall import closed_workflows
from cli.oncall.issue import Issue, IssueKind, iq
from cli.oncall.open_workflows import OPEN, OpenWorkflow, add_key
from clients.errors import ApiError, ServiceUnavailableError
from clients.ledger import open_ledger
from clients.temporal.calls import with_deadline
from clients.temporal.escalations import EscalationClient
from clients.temporal.executions import WorkflowInspector
from clients.temporal.search_attributes import how_to_register, missing_attributes
from infra.config.settings import Settings
from infra.errors import DependencyUnavailableError
from infra.ledger.manual_decisions import ManualDecisionTable
from infra.temporal.client import KEY_ID, QUICK, connect
from infra.temporal.search_attributes import PHASE, STATUS, VENUE
from workflows.workflow_ids import escalation_of_workflow

_MOST = 5000
"""Workflows that are checked, because a person cannot go through more at once."""
_SEARCH_WITHIN = 10.0
"""Seconds."""

_SEARCHED_BY = {STATUS.name, PHASE.name, VENUE.name}

NOTHING, SOMETHING, UNKNOWN = 0, 1, 2
"""Exit codes: nothing needs a person, something does, the check failed."""


async def run(settings: Settings, minutes: float, hours: float, *, as_json: bool) -> int:
    """Print what needs a person; the exit code, for cron, is nonzero if anything does. `minutes`: how long something
    may wait that should continue by itself; `hours`: how long staff may take to answer."""
    notes: list[str] = []
    try:
        client = await connect(settings, wait=2)
        found = await _found(settings, client, minutes, timedelta(hours=hours), notes)
    except (ConnectionError, ApiError) as away:
        print(f"iq: {away}", file=sys.stderr)
        return UNKNOWN
    found.sort(key=lambda one: one.since)
    if as_json:
        print(json.dumps([one.row() for one in found], indent=2, ensure_ascii=False))
    elif found:
        print("\n".join(line for one in found for line in one.lines()))
        print(f"\nNeeds a person: {len(found)}. docs/runbook.md says more of each; `iq plan ID` shows a plan.")
    else:
        print(f"Nothing needs a person at {settings.temporal_address}.")
    for note in notes:
        print(f"iq: {note}", file=sys.stderr)
    return SOMETHING if found else UNKNOWN if notes else NOTHING


async def _found(
    settings: Settings, client: Client, minutes: float, unanswered: timedelta, notes: list[str]
) -> list[Issue]:
    now, executions = datetime.now(UTC), WorkflowInspector(client)
    try:
        unknown = await missing_attributes(client, QUICK * 3)
    except RPCError:
        raise ServiceUnavailableError("temporal") from None
    missing = [_missing(client, key) for key in unknown]
    if _SEARCHED_BY & {key.name for key in unknown}:
        notes.append("nothing else was looked at: without it workflows cannot be searched")
        return missing
    running = await _rows(client, OPEN)
    rolled_back, cut = await _rows(client, closed_workflows.ROLLED_BACK), await _rows(client, closed_workflows.CUT_OFF)
    if max(len(running), len(rolled_back), len(cut)) >= _MOST:
        notes.append(f"there are more workflows than the {_MOST} that were looked at")
    decided = await _decided(settings, [row.id for row in (*rolled_back, *cut)], notes)
    known = settings.ring().ids
    unreadable = {row.id for row in (*running, *rolled_back) if _key_of(row) not in (None, *known)}
    return [
        *missing,
        *_locked([row for row in (*running, *rolled_back) if row.id in unreadable]),
        *await OpenWorkflow(executions, settings.task_queue, now, timedelta(minutes=minutes)).findings(running),
        *await closed_workflows.rolled_back([row for row in rolled_back if row.id not in unreadable], decided),
        *await closed_workflows.cut_off(executions, cut, decided),
        *await _unanswered(client, now - unanswered),
    ]


async def _rows(client: Client, query: str) -> list[WorkflowExecution]:
    async def all_of_them() -> list[WorkflowExecution]:
        rows = client.list_workflows(query, page_size=500, limit=_MOST, rpc_timeout=QUICK * 5)
        return [row async for row in rows]

    return await with_deadline(all_of_them(), _SEARCH_WITHIN, part="temporal")


async def _decided(settings: Settings, workflow_ids: Sequence[str], notes: list[str]) -> closed_workflows.Decided:
    if not workflow_ids:
        return {}
    database, _ = open_ledger(settings)
    try:
        return await ManualDecisionTable(database).of(workflow_ids, 10)
    except DependencyUnavailableError as away:
        notes.append(f"manual decisions are unavailable, so settled issues are listed, too: {away}")
        return {}
    finally:
        database.close()


def _missing(client: Client, key: SearchAttributeKey[Any]) -> Issue:
    return Issue(
        kind=IssueKind.ATTRIBUTE_MISSING,
        subject=f"search attribute {key.name}",
        since=datetime.now(UTC),
        reason="the Temporal cluster does not know it: what is started stops at its first task",
        commands=(how_to_register(key, client.service_client.config.target_host, client.namespace),),
    )


def _key_of(row: WorkflowExecution) -> str | None:
    payload = row.raw_info.memo.fields.get("plan")
    found = payload.metadata.get(KEY_ID) if payload is not None else None
    return found.decode(errors="replace") if found is not None else None


def _locked(rows: Iterable[WorkflowExecution]) -> list[Issue]:
    by_key: dict[str, list[WorkflowExecution]] = defaultdict(list)
    for row in rows:
        by_key[_key_of(row) or ""].append(row)
    return [
        Issue(
            kind=IssueKind.UNREADABLE,
            subject=f"key {key}",
            since=min(row.start_time for row in those),
            reason=f"{len(those)} plans are encrypted with it, {those[0].id} among them, and it is not on the ring of "
            "this environment: neither this command nor a worker with the same ring can open them",
            commands=(add_key(),),
        )
        for key, those in by_key.items()
    ]


async def _unanswered(client: Client, before: datetime) -> list[Issue]:
    waiting = await EscalationClient(client).list_older(before)
    return [
        Issue(
            kind=IssueKind.UNANSWERED,
            subject=row.id,
            since=row.start_time,
            venue=row.typed_search_attributes.get(VENUE) or "",
            reason="staff must answer it, and no answer has come (`iq escalations` shows the question)",
            commands=(
                iq("escalations", "--resolve", escalation_of_workflow(row.id)) + ' --message "…" --by "YOUR NAME"',
            ),
        )
        for row in waiting
    ]
