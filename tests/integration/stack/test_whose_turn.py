"""Two venues at one API, over HTTP (`clients/admission.py`; `iq bench fairness` measures the effect). Guarantees:

- While one venue's confirmations wait for their places, another venue's is accepted and carried out at once.
- The waiting ones are all accepted in the end, and each of their plans is carried out once.
- A confirmation without a place is refused before the API asks a worker or the venue anything, with when to retry. It
  has no effect, and a retry under its `request_id` is the same command.
- A caller without a token of the venue takes none of its places, and delays no caller who has one.
- The time in which Temporal reports an unknown plan does not count as a worker's response time.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import pytest

from cli.stack.dev import Stack
from clients.admission import AdmissionControl
from clients.services import Services
from clients.temporal.plans import PlanClient
from clients.venue.client import VenueClient
from contracts.commands import ConfirmPlan
from infra.http.http_server import http_server
from infra.observability.observer import Observer
from sandbox import roller
from tests.support import http
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party, parties
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import a_stack, copied_pack, free_base
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

_MANY = 6


@pytest.fixture(scope="module")
async def system(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The address of the API where both venues keep their bookings."""
    port = free_base(1)
    app = roller.create_app(database=tmp_path_factory.mktemp("system") / "venue.db", controls=True)
    server = http_server(app, "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    await task


@pytest.fixture(scope="module")
async def two(system: str, model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack of two venues."""
    folder, packs = tmp_path_factory.mktemp("two"), []
    for name in ("quiet", "noisy"):
        copied = copied_pack(folder / name, {"venue_id: roller-demo": f"venue_id: {name}"})
        packs.append(copied.rename(folder / name / name))
    urls = dict.fromkeys(("quiet", "noisy"), system)
    async with a_stack(folder, packs=tuple(packs), venue_urls=urls, model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def people(two: Stack, system: str) -> AsyncIterator[Operator]:
    """An operator of either venue."""
    token = f"token-{uuid4().hex}"
    async with http.client(base_url=system) as there:
        assert (await there.post("/_sandbox/tokens", json={"token": token})).is_success
    async with Operator(f"http://127.0.0.1:{two.ports.facade}", token=token) as one:
        yield one


@pytest.fixture
async def booked(system: str, scripted: ScriptedModel) -> AsyncIterator[Party]:
    """Return a function that books parties there."""
    async with Roller(system) as one:
        yield parties(one, scripted)


@pytest.fixture
def services(two: Stack) -> Services:
    """The services behind the API."""
    assert two.services is not None
    return two.services


@pytest.fixture
def places(services: Services, monkeypatch: pytest.MonkeyPatch) -> AdmissionControl:
    """Four places, two of them for one venue, and as long a wait as a test takes."""
    found = AdmissionControl(4, "command", Observer(), timeout=60)
    monkeypatch.setattr(services.commands, "_admission", found)
    # The load of this machine must not change the order.
    monkeypatch.setattr(found.share, "observe", lambda seconds: None)
    return found


async def drafted(people: Operator, booked: Party, venue: str) -> dict[str, Any]:
    guest, _ = await booked(("edit_note", {"note": "Cake at noon"}))
    people.session = f"s-{uuid4().hex}"
    return await people.plan_for(f"note for {guest}: Cake at noon", venue_id=venue)


async def hold(services: Services, venue: str, places: AsyncExitStack) -> None:
    """Take all places that a venue may have."""
    for n in range(2):
        await places.enter_async_context(
            services.commands.slot(venue, ConfirmPlan(user_id="another-user", request_id=f"held-{n}"))
        )


async def test_another_venue_is_heard_while_many_wait(
    services: Services, places: AdmissionControl, people: Operator, booked: Party
) -> None:
    plans = [await drafted(people, booked, "noisy") for _ in range(_MANY)]
    other = await drafted(people, booked, "quiet")
    async with AsyncExitStack() as held:
        await hold(services, "noisy", held)
        waiting = [asyncio.create_task(people.confirm(plan, request_id="r")) for plan in plans]

        async def all_wait() -> bool:
            return places.queued("noisy") == _MANY

        await soon(all_wait)
        await people.confirm(other)
        assert (await people.settled(other))["status"] == "completed"
        assert places.queued("noisy") == _MANY, "all of the others wait still"
        for plan in plans:
            assert (await people.look(plan))["status"] == "pending_confirmation"
    await asyncio.gather(*waiting)
    for plan in plans:
        ended = await people.settled(plan)
        assert [step["status"] for step in ended["results"]] == ["completed"]
    assert not places.queued("noisy") and not places.in_use("noisy")


async def test_no_one_is_asked_for_one_that_has_no_place(
    two: Stack,
    services: Services,
    places: AdmissionControl,
    people: Operator,
    booked: Party,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = await drafted(people, booked, "noisy")
    path, asked = f"/v1/plans/{plan['plan_id']}/confirm", []

    async def asking(*_: object, **__: object) -> Any:
        asked.append("somebody")
        raise AssertionError("nobody is to be asked")

    monkeypatch.setattr(places, "_timeout", 0.0)
    unknown = Operator(f"http://127.0.0.1:{two.ports.facade}", token="not-seen-before", user=people.user)
    async with AsyncExitStack() as held, unknown:
        await hold(services, "noisy", held)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(PlanClient, "plan", asking)
            patch.setattr(VenueClient, "send_with_token", asking)
            for one in (people, people, unknown):
                shown = await one.post(path, user_id=people.user, request_id="r")
                error = expect_error(shown, 429, "rate_limited")
                assert error["retry_after_seconds"] >= 2 and "not passed on" in error["message"]
        assert asked == []
        assert (await people.look(plan))["status"] == "pending_confirmation"
    for _ in range(2):
        again = await people.post(path, user_id=people.user, request_id="r")
        assert again.status_code == 200, again.text
    assert len((await people.settled(plan))["results"]) == 1


async def test_who_has_no_token_of_the_venue_takes_no_place(
    two: Stack, places: AdmissionControl, people: Operator, booked: Party
) -> None:
    plan = await drafted(people, booked, "noisy")
    had: list[int] = []
    async with Operator(f"http://127.0.0.1:{two.ports.facade}", token="a-guess", user=people.user) as stranger:
        for kind in ("confirm", "undo"):
            shown = asyncio.create_task(stranger.post(f"/v1/plans/{plan['plan_id']}/{kind}", user_id=people.user))
            while not shown.done():
                had.append(places.in_use("noisy"))
                await asyncio.sleep(0)
            expect_error(await shown, 401, "unauthorized")
    assert set(had) == {0}


async def test_who_has_no_token_of_the_venue_puts_no_one_off(
    two: Stack,
    services: Services,
    places: AdmissionControl,
    people: Operator,
    booked: Party,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = await drafted(people, booked, "noisy")
    path = f"/v1/plans/{plan['plan_id']}/confirm"
    monkeypatch.setattr(places, "_timeout", 0.0)
    monkeypatch.setitem(places._held, False, 4.0)
    async with AsyncExitStack() as held:
        await hold(services, "noisy", held)
        async with Operator(f"http://127.0.0.1:{two.ports.facade}", token="a-guess", user=people.user) as stranger:
            for _ in range(10):
                expect_error(await stranger.post(path, user_id=people.user), 429, "rate_limited")
        shown = [await people.post(path, user_id=people.user) for _ in range(3)]
    waits = [expect_error(one, 429, "rate_limited")["retry_after_seconds"] for one in shown]
    assert waits[0] == 2 and waits[2] > waits[0], "those who have one are put off each for the other"


async def test_what_temporal_says_by_itself_is_no_worker_s_answer(
    places: AdmissionControl, people: Operator, booked: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, felt = await drafted(people, booked, "noisy"), list[float]()
    monkeypatch.setattr(places.share, "observe", felt.append)
    unknown = await people.http.get(f"/v1/plans/{uuid4()}", params={"user_id": people.user})
    expect_error(unknown, 404, "not_found")
    assert felt == []
    await people.look(plan)
    assert len(felt) == 1
