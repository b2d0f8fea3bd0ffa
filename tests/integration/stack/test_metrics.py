"""`/metrics` after one scenario: a plan that completes, one that is rolled back, one that is undone, an escalation and
a refused request. Guarantees:

- The ledger and Prometheus have the same numbers: the six key metrics, tokens and cost.
- Each event counts once, and an undo takes nothing back.
- Labels are venues, actions and closed sets of words: no id, no name and no text of a person is in a scrape.
- Every metric that the dashboard and the alerts name is in a scrape.
- Where there is a service key, a caller without it gets nothing.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families as families
from ruamel.yaml import YAML

from api.app import create_app
from api.routes.metrics import create_metrics_app
from cli.stack.dev import Stack
from clients.services import assemble
from infra.config.settings import ROOT
from infra.temporal.client import connect
from tests.support.asking import asking
from tests.support.errors import expect_error
from tests.support.escalating import ASKS, people_are_asked
from tests.support.operator import Operator
from tests.support.party import parties
from tests.support.roller import Roller, a_day, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import a_stack, own_token
from tests.support.waiting import LIMIT, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

VENUE = "counted-hall"
"""A venue of this stack alone: plans of other stacks in the process end when they do, and are recorded here, too."""
OPS: Path = ROOT / "docs" / "ops"
PHONE = ("update_contact", {"phone": "0412 345 678"})
NOTE = ("edit_note", {"note": "kanarienvogel"})


class Scrape(NamedTuple):
    """A scrape: the text, and its samples by name and sorted labels."""

    text: str
    samples: dict[tuple[str, tuple[tuple[str, str], ...]], float]

    def __call__(self, name: str, **labels: str) -> float:
        """Return the sum of the samples that have these labels."""
        wanted = labels.items()
        return sum(v for (n, reported), v in self.samples.items() if n == name and wanted <= dict(reported).items())


async def scraped(http: httpx.AsyncClient, **headers: str) -> Scrape:
    answer = await http.get("/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    found = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families(answer.text)
        for sample in family.samples
    }
    return Scrape(answer.text, found)


class Happened(NamedTuple):
    stack: Stack
    scrape: Scrape
    usage: dict[str, Any]
    private: tuple[str, ...]


@pytest.fixture(scope="module")
async def happened(
    model_url: str, scripted: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Happened]:
    with people_are_asked():
        async with a_stack(
            tmp_path_factory.mktemp("metrics"),
            venue={"venue_id: roller-demo": f"venue_id: {VENUE}"},
            model_base_url=model_url,
        ) as stack:
            yield await the_scenario(stack, scripted)


async def the_scenario(stack: Stack, scripted: ScriptedModel) -> Happened:
    base = f"http://127.0.0.1:{stack.ports.facade}"
    private: list[str] = []

    @asynccontextmanager
    async def somebody() -> AsyncIterator[Operator]:
        async with Operator(base, token=await own_token(stack)) as one:
            private.extend((one.user, one.session))
            yield one

    async with Roller(f"http://127.0.0.1:{stack.ports.roller}") as roller:
        party = parties(roller, scripted)
        for undo in (False, True):
            guest, _ = await party(NOTE)
            async with somebody() as one:
                plan = await one.plan_for(asking(guest, NOTE))
                await one.confirm(plan)
                assert (await one.settled(plan))["status"] == "completed"
                private.extend((guest, plan["plan_id"]))
                if undo:
                    assert (await one.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=one.user)).status_code == 202
                    await one.until(plan, lambda now: now["status"] == "rolled_back")

        guest, day = a_name(), a_day()
        await roller.book(guest)
        calls = [PHONE, ("reschedule_booking", {"new_date": day, "new_start_time": "17:00"})]
        scripted.script(guest, look_up(guest), then(*calls), obey)
        async with somebody() as one:
            plan = await one.plan_for(asking(guest, *calls))
            await roller.fill(day, "17:00")
            await one.confirm(plan)
            assert (await one.settled(plan))["status"] == "rolled_back"

    async with somebody() as one:
        assert (await one.say(f"{ASKS} can Mrs Smith bring her own cake?"))["type"] == "escalation"
        refused = await one.http.get("/v1/plans", params={"user_id": one.user}, headers={"Authorization": "Basic x"})
        assert refused.status_code == 401
        assert stack.services is not None
        sink, *_ = stack.services.observer._counters
        assert await asyncio.to_thread(sink._writer.flush, LIMIT)  # type: ignore[attr-defined]

        async def shown() -> bool:
            reported = await scraped(one.http)
            return (
                reported("iq_escalations_open") == 1
                and reported("iq_plans_open", phase="completed, can be undone") == 1
            )

        await soon(shown)
        usage = (await one.http.get("/v1/usage", params={"by": "venue"})).json()
        return Happened(stack, await scraped(one.http), usage, tuple(private))


async def test_prometheus_and_the_ledger_tell_the_same(happened: Happened) -> None:
    reported, [plans] = happened.scrape, [row for row in happened.usage["plans"] if row["name"] == VENUE]
    for name in ("planning_accuracy", "execution_success", "clarification_rate", "rollback_frequency"):
        counted = reported(f"iq_{name}_count", venue=VENUE)
        assert counted == plans["plans"] == 3, name
        assert reported(f"iq_{name}_sum", venue=VENUE) / counted == pytest.approx(plans[name]), name
    assert plans["execution_success"] == pytest.approx(2 / 3) and plans["rollback_frequency"] == pytest.approx(1 / 3)
    assert reported("iq_seconds_to_confirm_count", venue=VENUE) == 3
    assert reported("iq_seconds_to_confirm_bucket", venue=VENUE, le="5.0") == 3
    for row in happened.usage["actions"]:
        assert reported("iq_action_failure_count", action=row["action"]) == row["attempted"], row
        assert reported("iq_action_failure_sum", action=row["action"]) == row["failed"], row
    total = happened.usage["total"]
    assert reported("iq_model_tokens_total", kind="output") == total["output_tokens"] > 0
    together = reported("iq_model_tokens_total", kind="input") + reported("iq_model_tokens_total", kind="cached")
    assert together == total["input_tokens"] > 0
    assert reported("iq_model_cost_dollars_total") == pytest.approx(total["cost_usd"])
    assert reported("iq_model_seconds_count", outcome="ok") == total["calls"]


async def test_each_thing_is_counted_once(happened: Happened) -> None:
    reported = happened.scrape
    assert reported("iq_plans_total", venue=VENUE, status="confirmed") == 3
    assert reported("iq_plans_total", venue=VENUE, status="completed") == 2
    assert reported("iq_plans_total", venue=VENUE, status="rolled_back") == 2
    assert reported("iq_rollbacks_total", trigger="failure", outcome="complete") == 1
    assert reported("iq_rollbacks_total", trigger="undo", outcome="complete") == 1
    assert reported("iq_rollbacks_total", outcome="partial") == 0
    assert reported("iq_first_action_seconds_count", venue=VENUE) == 3
    assert reported("iq_step_seconds_count", action="edit_note") == 2
    assert reported("iq_escalations_total", venue=VENUE) == 1
    assert reported("iq_escalations_open") == 1
    assert reported("iq_refusals_total") >= 1
    assert reported("iq_vault_misses_total") == 0
    assert reported("iq_turn_seconds_count", came="plan") == 3
    assert reported("iq_turn_seconds_count", came="escalation") == 1
    assert reported("iq_plans_open", phase="completed, can be undone") == 1, "one within its time to be undone"
    assert reported("iq_prompts_open") == 0
    assert reported("iq_plan_counts_known") == 1
    assert 'status="pending_confirmation"' not in happened.scrape.text, "no plan comes to where all begin"


async def test_nothing_but_names_of_ours_is_in_a_scrape(happened: Happened) -> None:
    assert [word for word in (*happened.private, "kanarienvogel", "Smith") if word in happened.scrape.text] == []
    ours = [labels for (name, labels) in happened.scrape.samples if name.startswith("iq_")]
    assert not [v for labels in ours for _, v in labels if re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", v)]


def expressions(file: Path) -> str:
    """Return all expressions that a file sends to Prometheus."""
    if file.suffix == ".json":
        panels = json.loads(file.read_text())["panels"]
        return "\n".join(target["expr"] for panel in panels for target in panel["targets"])
    groups = YAML(typ="safe").load(file.read_text())["groups"]
    return "\n".join(rule["expr"] for group in groups for rule in group["rules"])


@pytest.mark.parametrize("file", ["dashboard.json", "alerts.yaml"])
async def test_whatever_is_drawn_or_alerted_of_is_in_a_scrape(happened: Happened, file: str) -> None:
    named = set(re.findall(r"\b(?:iq|temporal)_\w+", expressions(OPS / file)))
    assert len(named) > 8
    assert named - {name for name, _ in happened.scrape.samples} == set()


async def test_a_stranger_is_shown_nothing(happened: Happened) -> None:
    key = "the-service-key-of-this-test"
    given = happened.stack.settings.model_copy(update={"service_key": key})
    parts = assemble(given, await connect(given))
    try:
        for app in (create_app(parts), create_metrics_app(parts)):
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://iq.test") as one:
                expect_error(await one.get("/metrics"), 401, "unauthorized")
                expect_error(await one.get("/metrics", headers={"X-Service-Key": "wrong"}), 401, "unauthorized")
                for right in ({"X-Service-Key": key}, {"Authorization": f"Bearer {key}"}):
                    assert (await scraped(one, **right))("iq_plan_counts_known") == 1
    finally:
        await parts.close()
