"""The ledger through the whole stack: what a real plan leaves in it, who may read it, and that it delays nothing.
Guarantees:

- A plan's model calls and its end are in `/v1/usage` by mode, venue and day, under the tariff of its venue.
- A message and its plan cost by the mode that served the message, even if the venue switches before the plan runs.
- `/v1/usage` and `/v1/modes` require the service key, or a staff page that signed in with it: 401, 403 and 422 with the
  documented body; a page of another site is refused.
- A switch counts from the next message on.
- A ledger that is stalled or gone fails no plan. An API serves once its ledger has opened, or cannot be opened.
- No text of a chat and no person's name is in the file. Who asked, confirmed and undid is, by the ids of user and plan;
  a stranger's refused command is not.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.auth.staff_session import STAFF_COOKIE
from api.routes.static import POLICY
from cli.stack import processes
from cli.stack.dev import DEMO_TOKEN, Stack
from clients.modes import Modes
from clients.services import assemble
from contracts.enums import AiMode
from infra.errors import DependencyUnavailableError
from infra.ledger.audit_log import audit_entries
from infra.ledger.database import Database
from infra.observability.observer import ProcessObserver
from infra.temporal.client import connect
from tests.support.errors import expect_error
from tests.support.ledgers import Line, a_database, file_url
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.stacks import a_stack
from tests.support.waiting import LIMIT

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEY = "the-service-key-of-this-test"
SERVICE = {"X-Service-Key": KEY}
OURS = {"Sec-Fetch-Site": "same-origin"}
THERE = "https://iq.test"


@asynccontextmanager
async def staffed(stack: Stack, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that keeps cookies, before an API of its own with a service key."""
    given = stack.settings.model_copy(update={"service_key": KEY, **settings})
    services = assemble(given, await connect(stack.settings))
    await services.ledger.opened()
    transport = httpx.ASGITransport(app=create_app(services))
    try:
        async with httpx.AsyncClient(transport=transport, base_url=THERE) as one:
            yield one
    finally:
        await services.close()


@pytest.fixture(autouse=True)
def _plans_are_recorded_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process is one service, and its observer records its plans. Of several services in a test's process the last
    records them.
    """
    if "stack" in request.fixturenames:
        monkeypatch.setattr(ProcessObserver, "observer", request.getfixturevalue("stack").services.observer)


async def sign_in(one: httpx.AsyncClient, key: str = KEY, **headers: str) -> httpx.Response:
    return await one.post("/staff/session", json={"name": "Ada", "key": key}, headers={**OURS, **headers})


async def written(stack: Stack) -> None:
    """Wait until everything recorded so far is written."""
    assert stack.services is not None
    sink, *_ = stack.services.observer._counters
    assert await asyncio.to_thread(sink._writer.flush, LIMIT)  # type: ignore[attr-defined]


async def test_a_plan_and_its_calls_are_in_the_report(
    stack: Stack, operator: Operator, party: Party, roller: Roller
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    before = (await operator.http.get("/v1/usage", params={"by": "venue"})).json()
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    await written(stack)

    after = (await operator.http.get("/v1/usage", params={"by": "venue"})).json()
    assert after["total"]["calls"] - before["total"]["calls"] >= 2
    assert after["total"]["turns"] - before["total"]["turns"] == 1
    assert after["total"]["input_tokens"] > before["total"]["input_tokens"]
    assert after["all_plans"]["plans"] - before["all_plans"]["plans"] == 1
    assert after["all_plans"]["planning_accuracy"] is not None
    assert {row["name"] for row in after["usage"]} == {"roller-demo"}
    by_mode = (await operator.http.get("/v1/usage", params={"by": "mode"})).json()
    assert {row["name"]: row["multiplier"] for row in by_mode["usage"]}["adaptive"] == pytest.approx(1.2)
    sent = {row["action"]: row["attempted"] for row in after["actions"]}
    assert sent["edit_note"] >= 1
    today = datetime.now(UTC).date().isoformat()
    by_day = (await operator.http.get("/v1/usage", params={"by": "day"})).json()
    assert today in {row["name"] for row in by_day["usage"]}


async def test_a_switch_changes_what_later_messages_cost_and_no_earlier_one(
    stack: Stack, operator: Operator, party: Party, roller: Roller
) -> None:
    async def used() -> dict[str, tuple[int, float]]:
        await written(stack)
        report = (await operator.http.get("/v1/usage", params={"by": "mode"})).json()
        return {row["name"]: (row["turns"], row["multiplier"]) for row in report["usage"]}

    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    other, _ = await party(("edit_note", {"note": "bring hats"}))
    before = await used()
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    async with staffed(stack) as one:
        await sign_in(one)
        path = "/v1/modes/venue/roller-demo"
        assert (await one.put(path, json={"mode": "standard"}, headers=OURS)).status_code == 200
        try:
            await operator.confirm(plan)
            assert (await operator.settled(plan))["status"] == "completed"
            assert (await used()).get("standard") == before.get("standard"), "the plan is of the message that made it"
            async with Operator(operator.base_url) as later:
                await later.plan_for(f"note for {other}: bring hats")
        finally:
            assert (await one.put(path, json={"mode": None}, headers=OURS)).status_code == 200
    after = await used()
    assert after["adaptive"][1] == pytest.approx(1.2) and after["standard"][1] == pytest.approx(1.0)
    turns = {mode: after[mode][0] - before.get(mode, (0, 0))[0] for mode in ("adaptive", "standard")}
    assert turns == {"adaptive": 1, "standard": 1}


async def test_nothing_that_was_stated_is_in_the_file(stack: Stack, operator: Operator, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "kanarienvogel"}))
    plan = await operator.plan_for(f"note for {guest}: kanarienvogel", request_id="canary@example.com")
    await operator.confirm(plan)
    await operator.settled(plan)
    await written(stack)

    kept = b"".join(path.read_bytes() for path in stack.settings.data.glob("ledger.db*"))
    assert plan["plan_id"].encode() in kept
    for shown in (guest, guest.split()[-1], "kanarienvogel", "canary@example.com", operator.session):
        assert shown.encode() not in kept, shown


async def test_who_did_what_is_kept(stack: Stack, operator: Operator, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    refused = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id="somebody-else")
    assert refused.status_code == 403
    await operator.confirm(plan)
    await operator.settled(plan)
    undone = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert undone.status_code == 202, undone.text
    await operator.until(plan, lambda p: p["status"] == "rolled_back")
    await written(stack)

    assert stack.services is not None
    ledger = stack.services.ledger
    since = datetime.now(UTC) - timedelta(hours=1)
    shown = await ledger.ask(lambda c: audit_entries(c, plan_id=plan["plan_id"], user_id=None, since=since), 5)
    assert [(d.user_id, d.action.value) for d in shown] == [
        (operator.user, word) for word in ("asked", "confirmed", "undone")
    ]


async def test_who_may_read_and_switch(stack: Stack) -> None:
    async with staffed(stack) as one:
        for path in ("/v1/usage", "/v1/modes"):
            expect_error(await one.get(path), 401, "unauthorized")
            expect_error(await one.get(path, headers={"X-Service-Key": "wrong"}), 401, "unauthorized")
            assert (await one.get(path, headers=SERVICE)).status_code == 200
        for wrong in ({"by": "guest"}, {"from": "soon"}, {"from": "2026-11-02", "to": "2026-11-01"}):
            expect_error(await one.get("/v1/usage", params=wrong, headers=SERVICE), 422, "invalid_request")
        hosts = {**SERVICE, "Authorization": f"Bearer {DEMO_TOKEN}"}
        ticket = (await one.post("/v1/tickets", json={"user_id": "op"}, headers=hosts)).json()["ticket"]
        await one.post("/page/enter", data={"ticket": ticket})
        expect_error(await one.get("/v1/usage"), 403, "forbidden")
        expect_error(await one.put("/v1/modes/tariff/pro", json={"mode": None}, headers=OURS), 403, "forbidden")


async def test_signing_in_with_the_key_opens_a_short_session(stack: Stack) -> None:
    async with staffed(stack) as one:
        expect_error(await sign_in(one, "wrong"), 401, "unauthorized")
        expect_error(await sign_in(one, **{"Sec-Fetch-Site": "cross-site"}), 403, "forbidden")
        entered = await sign_in(one)
        assert entered.status_code == 200 and KEY not in entered.text
        shown = entered.headers["set-cookie"]
        assert shown.startswith(f"{STAFF_COOKIE}=") and KEY not in shown
        for part in ("HttpOnly", "SameSite=strict", "Secure", "Max-Age=3600"):
            assert part in shown, shown
        state = (await one.get("/staff/session")).json()
        assert (state["signed_in"], state["name"], state["needs_key"]) == (True, "Ada", True)
        assert state == entered.json() | {"expires_in": state["expires_in"]} and 3500 < state["expires_in"] <= 3600
        assert [venue["venue_id"] for venue in state["venues"]]
        assert (await one.get("/v1/usage")).status_code == 200
        foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
        expect_error(await one.put("/v1/modes/tariff/pro", json={"mode": None}, headers=foreign), 403, "forbidden")
        assert (await one.delete("/staff/session", headers=OURS)).status_code == 204
        expect_error(await one.get("/v1/usage"), 401, "unauthorized")


async def test_a_session_ends_with_the_key_that_opened_it(stack: Stack) -> None:
    async with staffed(stack) as one:
        await sign_in(one)
        app: Any = one._transport.app  # type: ignore[attr-defined]
        app.state.staff_sessions._settings = stack.settings.model_copy(update={"service_key": "another"})
        assert (await one.get("/staff/session")).json()["signed_in"] is False


async def test_the_page_comes_with_a_strict_policy(stack: Stack) -> None:
    async with staffed(stack) as one:
        page = await one.get("/staff/")
        assert (page.status_code, page.headers["content-security-policy"]) == (200, POLICY)
        assert (await one.get("/staff/main.js")).headers["content-security-policy"] == POLICY


async def test_a_switch_counts_from_the_next_message_on_and_is_noted(stack: Stack) -> None:
    assert stack.services is not None
    profile = stack.services.registries.registry.default_venue.profile
    path = f"/v1/modes/venue/{profile.venue_id}"
    async with staffed(stack) as one:
        await sign_in(one)
        assert await stack.services.modes.mode_of(profile) is AiMode.ADAPTIVE
        listed = await one.put(path, json={"mode": "standard"}, headers=OURS)
        assert listed.status_code == 200, listed.text
        assert await stack.services.modes.mode_of(profile) is AiMode.STANDARD
        assert (await one.put(path, json={"mode": "premium"}, headers=OURS)).status_code == 200
        assert await stack.services.modes.mode_of(profile) is AiMode.ADAPTIVE
        back = (await one.put(path, json={"mode": None}, headers=OURS)).json()
        assert [(c["by"], c["before"], c["after"]) for c in back["changes"][:3]] == [
            ("Ada", "adaptive", None), ("Ada", "standard", "adaptive"), ("Ada", None, "standard"),
        ]  # fmt: skip
        missing = await one.put("/v1/modes/tariff/prp", json={"mode": None}, headers=OURS)
        assert "pro" in expect_error(missing, 404, "not_found")["suggestions"][0]
        expect_error(await one.put(path, json={"mode": "clever"}, headers=OURS), 422, "invalid_request")


async def test_a_ledger_that_does_not_answer_is_reported_to_who_asks_it(stack: Stack) -> None:
    async with staffed(stack, ledger_url="postgresql://nobody@127.0.0.1:9/none") as one:
        error = expect_error(await one.get("/v1/usage", headers=SERVICE), 503, "service_unavailable")
        assert "ledger" in error["message"]
        expect_error(await one.get("/v1/modes", headers=SERVICE), 503, "service_unavailable")
        switched = await one.put("/v1/modes/venue/roller-demo", json={"mode": "standard"}, headers=SERVICE)
        assert "Nothing was switched" in expect_error(switched, 503, "service_unavailable")["message"]


async def test_a_switch_that_may_have_been_made_is_reported_so(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(*_: Any, **__: Any) -> None:
        raise DependencyUnavailableError("ledger", "the ledger did not answer in time", perhaps_written=True)

    async with staffed(stack) as one:
        monkeypatch.setattr(Modes, "switch", late)
        switched = await one.put("/v1/modes/venue/roller-demo", json={"mode": "standard"}, headers=SERVICE)
        message = expect_error(switched, 503, "service_unavailable")["message"]
        assert "may have been made, or may still be" in message and "does no harm" in message


@pytest.mark.parametrize("hidden", ["\x00", "\u202e"])
async def test_a_name_that_postgresql_would_not_have_is_refused_before(stack: Stack, hidden: str) -> None:
    with a_database() as url:
        async with staffed(stack, ledger_url=url) as one:
            path = "/v1/modes/venue/roller-demo"
            body = {"mode": "standard", "by": f"A{hidden}da"}
            error = expect_error(await one.put(path, json=body, headers=SERVICE), 422, "invalid_request")
            assert "by holds a character that is not seen" in error["message"]
            entry = {"name": f"A{hidden}da", "key": KEY}
            expect_error(await one.post("/staff/session", json=entry, headers=OURS), 422, "invalid_request")
            odd = await one.put("/v1/modes/venue/roller%00demo", json={"mode": "standard"}, headers=SERVICE)
            expect_error(odd, 422, "invalid_request")
            answered = await one.put(path, json={"mode": "standard", "by": "Zoë"}, headers=SERVICE)
            assert answered.status_code == 200 and answered.json()["changes"][0]["by"] == "Zoë"
            assert len(answered.json()["changes"]) == 1


@pytest.mark.parametrize("how", ["stalled", "cut"])
async def test_a_ledger_that_is_away_fails_no_plan(how: str, model_url: str, tmp_path: Any) -> None:
    with a_database() as url:
        line = Line()
        async with a_stack(tmp_path, model_base_url=model_url, ledger_url=line.through(url)) as running:
            base = f"http://127.0.0.1:{running.ports.facade}"
            async with Operator(base) as one, Roller(f"http://127.0.0.1:{running.ports.roller}") as venue:
                await written(running)
                (line.stall if how == "stalled" else line.cut)()
                guest = a_name()
                await venue.book(guest)
                plan = await one.plan_for(f"move {guest} to 3pm")
                await one.confirm(plan)
                assert (await one.settled(plan))["status"] == "completed"
                if how == "stalled":
                    line.go_on()
                    await written(running)
                    report = (await one.http.get("/v1/usage", params={"by": "venue"})).json()
                    assert report["all_plans"]["plans"] == 1
        line.cut()


async def test_a_ledger_is_opened_once_before_it_is_asked(tmp_path: Path) -> None:
    may_open = Event()

    def tables(_: object) -> None:
        may_open.wait(LIMIT)

    database = Database(file_url(tmp_path), tables=tables)
    opening = asyncio.create_task(database.opened())
    with pytest.raises(DependencyUnavailableError):
        await database.ask(lambda _: None, 0.1)
    assert not opening.done()
    may_open.set()
    await opening
    assert await database.ask(lambda _: "there", LIMIT) == "there"
    database.close()


@pytest.mark.parametrize("url", ["postgresql+psycopg://nobody@127.0.0.1:9/none", "no url at all"])
async def test_one_that_cannot_be_opened_keeps_no_one_from_starting(url: str) -> None:
    database = Database(url)
    await database.opened()
    database.close()


async def test_an_api_serves_once_its_ledger_was_opened(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    async def opened(_: Database) -> None:
        order.append("opened")

    async def serves(*_: object, **__: object) -> None:
        order.append("served")

    monkeypatch.setattr(Database, "opened", opened)
    monkeypatch.setattr(processes, "serve_http", serves)
    await processes.run_api(stack.settings)
    assert order == ["opened", "served"]


async def test_days_may_be_left_out(operator: Operator) -> None:
    shown = (await operator.http.get("/v1/usage")).json()
    last = datetime.now(UTC).date()
    assert (shown["since"], shown["until"]) == ((last - timedelta(days=29)).isoformat(), last.isoformat())
