"""A pack as a third party writes it, end to end (`tests/integration/stack/salon.py`): its API creates appointments,
takes instants in UTC, requires an API key with every request and a credential in every body. Guarantees:

- The preview shows the venue's local time; the request carries UTC. iQ finds a created appointment by its new number.
- When the second step fails, the rollback deletes the first one's appointment by that number and verifies it. An undo
  after completion does the same. The operator reads the venue's own code and message of a rejection.
- A lost answer is not guessed: staff must check what iQ cannot look up without its number.
- The operator reads the pack's words, and is asked which client, never which booking.
- Neither the API key, nor the body's token, nor the operator's token is in any file, in Temporal's database or in a
  log. The venue never receives the operator's token.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import offline_planner
from cli.stack.dev import Ports, Stack
from infra.config.settings import Settings
from infra.http.http_server import http_server
from infra.observability.logging import quiet_clients
from tests.integration.leaks.scene import Logs
from tests.integration.stack.salon import KEY, TOKEN, Salon, write
from tests.support.operator import Operator
from tests.support.scripted_model import ScriptedModel, obey, then
from tests.support.stacks import SHORT, free_base

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

OPERATOR_TOKEN = "operator-token-5c1f"
WHEN = {"day": "2030-07-06", "start_time": "15:00"}
TEXT = "book Ada Byron on 6 July 2030 at 3pm and reserve the blue room"


@pytest.fixture(scope="module")
async def scripted() -> ScriptedModel:
    return ScriptedModel(offline_planner.create_app())


@pytest.fixture(scope="module")
async def running(
    scripted: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Stack, Salon, Path, Logs]]:
    folder, salon, logs = tmp_path_factory.mktemp("salon"), Salon(), Logs()
    venue_port, model_port = free_base(1), free_base(1)
    tasks = []
    for app, port in ((salon.app, venue_port), (scripted.app, model_port)):
        server = http_server(app, "127.0.0.1", port)
        tasks.append((server, asyncio.create_task(server.serve())))
        await server.until_started()
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    quiet_clients()
    root.addHandler(logs)
    settings = Settings(
        _env_file=None,
        data=folder / "data",
        packs=(write(folder / "salon"),),
        venue_urls={"salon": f"http://127.0.0.1:{venue_port}"},
        model_base_url=f"http://127.0.0.1:{model_port}/v1",
        **SHORT,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SALON_KEY", KEY)
        patch.setenv("SALON_TOKEN", TOKEN)
        async with Stack(settings, Ports(free_base()), controls=True) as stack:
            yield stack, salon, folder / "data", logs
    root.removeHandler(logs)
    root.setLevel(level)
    for server, task in tasks:
        server.should_exit = True
        await task


@pytest.fixture
async def operator(running: tuple[Stack, Salon, Path, Logs]) -> AsyncIterator[Operator]:
    async with Operator(f"http://127.0.0.1:{running[0].ports.facade}", token=OPERATOR_TOKEN) as one:
        yield one


def plans(scripted: ScriptedModel, *calls: tuple[str, dict[str, Any]]) -> None:
    """Return a model that finds Ada and plans these calls for her."""
    scripted.script("Ada", {"find_clients": {"keywords": "Ada Byron"}}, then(*calls), obey)


BOTH = (("make_appointment", WHEN), ("reserve_room", {"room": "blue"}))


async def test_a_new_thing_is_made_seen_and_undone(
    running: tuple[Stack, Salon, Path, Logs], operator: Operator, scripted: ScriptedModel
) -> None:
    _, salon, _, _ = running
    plans(scripted, *BOTH)
    plan = await operator.plan_for(TEXT)
    [first, second] = plan["actions"]
    assert [(line["field"], line["after"]) for line in first["preview"]] == [("Appointment", "Sat 6 Jul 2030, 3pm")]
    assert first["reversible"] and second["reversible"]
    await operator.confirm(plan)
    done = await operator.settled(plan)
    assert done["status"] == "completed", done
    made = list(salon.appointments.values())[-1]
    assert (made["startsAt"], made["clientId"], made["state"]) == ("2030-07-06T13:00:00Z", "c-1", "booked")
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)).status_code == 202
    undone = await operator.until(plan, lambda p: p["status"] == "rolled_back")
    assert undone["rollback_report"]["outcome"] == "complete", undone
    assert list(salon.appointments.values())[-1]["state"] == "cancelled"
    assert list(salon.rooms.values())[-1]["state"] == "released"


async def test_a_failing_second_step_takes_the_first_one_back(
    running: tuple[Stack, Salon, Path, Logs], operator: Operator, scripted: ScriptedModel
) -> None:
    _, salon, _, _ = running
    salon.closed = True
    plans(scripted, *BOTH)
    plan = await operator.plan_for(TEXT)
    await operator.confirm(plan)
    ended = await operator.settled(plan)
    salon.closed = False
    assert ended["status"] == "rolled_back" and ended["rollback_report"]["outcome"] == "complete", ended
    assert "The blue room is closed then." in ended["failure"]["message"]
    assert ended["failure"]["suggestions"][0] == "Take the other room."
    assert list(salon.appointments.values())[-1]["state"] == "cancelled"


async def test_a_lost_answer_is_no_guess(
    running: tuple[Stack, Salon, Path, Logs], operator: Operator, scripted: ScriptedModel
) -> None:
    """iQ does not know the number of what was made, and the venue has no search, so staff must check."""
    _, salon, _, _ = running
    salon.loses = True
    plans(scripted, BOTH[0])
    plan = await operator.plan_for("book Ada Byron on 6 July 2030 at 3pm")
    await operator.confirm(plan)
    ended = await operator.settled(plan)
    assert ended["status"] in ("failed", "rolled_back")
    assert ended["failure"]["error_type"] == "unknown_outcome", ended
    assert len([a for a in salon.appointments.values() if a["state"] == "booked"]) == 1, "sent once, and never again"
    manual = " ".join(ended["rollback_report"]["manual_steps"])
    assert "It is not certain whether" in ended["rollback_report"]["steps"][0]["message"]
    assert "Cancel the appointment of Sat 6 Jul 2030, 3pm in the salon book." in manual
    assert ended["failure"]["suggestions"] == ["Look at the client in the salon book before doing anything else"]
    plans(scripted, BOTH[0])
    again = await operator.say("try again")
    assert again["type"] == "plan", again
    assert again["message"].startswith("It is not certain whether this was done the last time: look at the salon book")


async def test_the_pack_s_own_words(operator: Operator, scripted: ScriptedModel) -> None:
    scripted.script("somebody", {"find_clients": {"keywords": "a"}}, then(BOTH[0]))
    turn = await operator.say("book somebody on 6 July 2030 at 3pm")
    assert turn["type"] == "clarification" and turn["question"] == "Which client do you mean?", turn
    assert [c["label"] for c in turn["candidates"]] == ["Ada Byron", "Bo Diaz"]


async def test_nothing_secret_is_left_behind(running: tuple[Stack, Salon, Path, Logs], operator: Operator) -> None:
    _, salon, data, logs = running
    await operator.say("hello")
    assert salon.refused == [], "every call had its key, and none the operator's token"
    secrets = [re.escape(s).encode() for s in (KEY, TOKEN, OPERATOR_TOKEN)]
    wanted = re.compile(b"|".join(secrets))
    files = [path for path in data.rglob("*") if path.is_file()]
    assert len(files) > 3, [path.name for path in files]
    found = [path.name for path in files if wanted.search(path.read_bytes())]
    assert found == []
    assert not any(wanted.search(line.encode()) for line in logs.lines) and len(logs.lines) > 20


async def test_when_the_service_s_own_key_is_taken_no_more(
    running: tuple[Stack, Salon, Path, Logs], operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator cannot fix the service's key, so no message asks for a sign-in."""
    monkeypatch.setenv("SALON_KEY", "revoked-key-0000")
    async with Operator(operator.base_url, token="another-operator") as other:
        answer = await other.post("/v1/requests", user_message="hello", session_id="s-9", user_id=other.user)
    error = answer.json()["error"]
    assert (answer.status_code, error["error_type"]) == (503, "service_unavailable"), error
    assert "its own credentials" in error["message"] and "sign" not in error["message"].lower()


async def test_one_kind_of_thing_is_never_taken_for_another(
    running: tuple[Stack, Salon, Path, Logs], operator: Operator, scripted: ScriptedModel
) -> None:
    """A client and a voucher may have the same number. The client that was found is no voucher."""
    _, salon, _, _ = running
    takes = {"extend_voucher": {"voucher": "c-1"}}
    scripted.script("extend Ada", {"find_clients": {"keywords": "Ada Byron"}}, takes, "I could not find that voucher.")
    turn = await operator.say("extend Ada Byron's voucher")
    assert turn["type"] != "plan", turn
    scripted.script("longer for Ada", {"find_vouchers": {"keywords": "Ada Byron"}}, takes, obey)
    plan = await operator.plan_for("Ada Byron's voucher, a year longer for Ada please: extend voucher")
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    assert salon.extended == ["c-1"]


async def test_a_check_that_is_not_there_says_nothing_of_bookings(
    running: tuple[Stack, Salon, Path, Logs], operator: Operator
) -> None:
    _, salon, _, logs = running
    salon.moved = True
    async with Operator(operator.base_url, token="a-third-operator") as other:
        answer = await other.post("/v1/requests", user_message="hello", session_id="s-8", user_id=other.user)
    salon.moved = False
    error = answer.json()["error"]
    assert answer.status_code == 503 and error["message"].startswith("The salon book is not available right now."), (
        error
    )
    assert any("salon/venue.yaml, check_operation: the venue answered 404" in line for line in logs.lines)
