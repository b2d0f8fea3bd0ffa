"""`iq stuck`: only what needs a person. Whatever waits for its operator, or for its time, is healthy and not told."""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from temporalio.client import Client, WorkflowExecution
from temporalio.common import SearchAttributeKey

from cli.oncall import ended
from cli.oncall.finding import Finding, Kind, iq
from cli.oncall.running import OPEN, Running, add_key
from clients.attributes import how_to_register, missing_attributes
from clients.errors import RequestError
from clients.escalations import EscalationClient
from clients.executions import Executions
from clients.ledger import open_ledger
from clients.temporal import bounded
from infra.codec import KEY_ID
from infra.ledger.database import LedgerAwayError
from infra.ledger.decisions import Decisions
from infra.search_attributes import PHASE, SINCE, STATUS, USER, VENUE
from infra.settings import Settings
from infra.temporal import QUICK, connect
from workflows.ids import escalation_of_workflow

_MOST = 5000
"""Workflows that are looked at: more at once are none that a person goes through."""
_SEARCH_WITHIN = 10.0
"""Seconds."""

_WITHOUT = {
    USER.name: "plans run, but `GET /v1/plans` answers 503, and plans from meanwhile are in no list of theirs",
    SINCE.name: "plans run, but nobody sees in Temporal since when they wait",
}
_WITHOUT_OTHERS = "what is started stops at its first task"
_SEARCHED_BY = {STATUS.name, PHASE.name, VENUE.name}

NOTHING, SOMETHING, UNKNOWN = 0, 1, 2
"""Exit codes: nothing needs a person, something does, it could not be looked at."""


async def run(settings: Settings, minutes: float, hours: float, *, as_json: bool) -> int:
    """Print what needs a person; the exit code says whether anything does, for cron. `minutes` is how long something
    may wait that ought to move by itself, `hours` how long a person may take to answer."""
    notes: list[str] = []
    try:
        client = await connect(settings, wait=2)
        found = await _found(settings, client, minutes, timedelta(hours=hours), notes)
    except (ConnectionError, RequestError) as away:
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
) -> list[Finding]:
    now, executions = datetime.now(UTC), Executions(client)
    unknown = await missing_attributes(client)
    missing = [_missing(client, key) for key in unknown]
    if _SEARCHED_BY & {key.name for key in unknown}:
        notes.append("nothing else was looked at: without it workflows cannot be searched")
        return missing
    running = await _rows(client, OPEN)
    rolled_back, cut = await _rows(client, ended.ROLLED_BACK), await _rows(client, ended.CUT_OFF)
    if max(len(running), len(rolled_back), len(cut)) >= _MOST:
        notes.append(f"there are more workflows than the {_MOST} that were looked at")
    decided = await _decided(settings, [row.id for row in (*rolled_back, *cut)], notes)
    known = settings.ring().ids
    unreadable = {row.id for row in (*running, *rolled_back) if _key_of(row) not in (None, *known)}
    return [
        *missing,
        *_locked([row for row in (*running, *rolled_back) if row.id in unreadable]),
        *await Running(executions, settings.task_queue, now, timedelta(minutes=minutes)).findings(running),
        *await ended.rolled_back([row for row in rolled_back if row.id not in unreadable], decided),
        *await ended.cut_off(executions, cut, decided),
        *await _unanswered(client, now - unanswered),
    ]


async def _rows(client: Client, query: str) -> list[WorkflowExecution]:
    async def all_of_them() -> list[WorkflowExecution]:
        rows = client.list_workflows(query, page_size=500, limit=_MOST, rpc_timeout=QUICK * 5)
        return [row async for row in rows]

    return await bounded(all_of_them(), _SEARCH_WITHIN, part="temporal")


async def _decided(settings: Settings, workflow_ids: Sequence[str], notes: list[str]) -> ended.Decided:
    if not workflow_ids:
        return {}
    database, _ = open_ledger(settings)
    try:
        return await Decisions(database).of(workflow_ids, 10)
    except LedgerAwayError as away:
        notes.append(f"what people have seen to already is not known, and told all the same: {away}")
        return {}
    finally:
        database.close()


def _missing(client: Client, key: SearchAttributeKey[Any]) -> Finding:
    return Finding(
        kind=Kind.ATTRIBUTE_MISSING,
        subject=f"search attribute {key.name}",
        since=datetime.now(UTC),
        reason=f"the Temporal cluster does not know it: {_WITHOUT.get(key.name, _WITHOUT_OTHERS)}",
        commands=(how_to_register(key, client.service_client.config.target_host, client.namespace),),
    )


def _key_of(row: WorkflowExecution) -> str | None:
    payload = row.raw_info.memo.fields.get("plan")
    found = payload.metadata.get(KEY_ID) if payload is not None else None
    return found.decode(errors="replace") if found is not None else None


def _locked(rows: Iterable[WorkflowExecution]) -> list[Finding]:
    by_key: dict[str, list[WorkflowExecution]] = defaultdict(list)
    for row in rows:
        by_key[_key_of(row) or ""].append(row)
    return [
        Finding(
            kind=Kind.UNREADABLE,
            subject=f"key {key}",
            since=min(row.start_time for row in those),
            reason=f"{len(those)} plans are encrypted with it, {those[0].id} among them, and it is not on the ring of "
            "this environment: neither this command nor a worker with the same ring can open them",
            commands=(add_key(),),
        )
        for key, those in by_key.items()
    ]


async def _unanswered(client: Client, before: datetime) -> list[Finding]:
    waiting = await EscalationClient(client).older_than(before)
    return [
        Finding(
            kind=Kind.UNANSWERED,
            subject=row.id,
            since=row.start_time,
            venue=row.typed_search_attributes.get(VENUE) or "",
            reason="it was handed to a person, and nobody has answered (`iq escalations` shows what was asked)",
            commands=(
                iq("escalations", "--resolve", escalation_of_workflow(row.id)) + ' --message "…" --by "YOUR NAME"',
            ),
        )
        for row in waiting
    ]
