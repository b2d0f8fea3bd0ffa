"""What a plan costs: from confirm to end, beside a bare Temporal workflow that makes the same remote calls.

Run as `iq bench plan [ROUNDS]`: a stack of its own, the sandbox venue, a model that answers at once. A plan of three
steps is confirmed over HTTP and runs to its end. Its peer makes as many calls to the model and to the venue, in the
order that a plan was seen to make them in and cut into activities as the plan's are (ask, read, write and look), with
no rule about any of them, on the same Temporal server and in the same worker process. Both take turns, 1 and 16 in
flight. The last line is JSON: medians in milliseconds, their ratio, the events and KB of a plan's history.
"""

import asyncio
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx
from pydantic import BaseModel
from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import Worker

from bench.acting import a_guest, booked, model_that_plans
from cli.stack.dev import Ports, Stack
from infra.config.settings import ROOT, Settings
from infra.http.http_server import http_server
from infra.temporal.client import connect
from sandbox import roller

IN_FLIGHT = (1, 16)
ROUNDS = 5
_SINGLES = 6
"""Turns of one in flight for each round."""
_WARM_UP = 2
_PORTS = 23_100
_VENUE_PORT, _MODEL_PORT = _PORTS + 8, _PORTS + 9
_VENUE, _MODEL = f"http://127.0.0.1:{_VENUE_PORT}", f"http://127.0.0.1:{_MODEL_PORT}"
_QUEUE = "bench"
_STEPS: dict[str, dict[str, Any]] = {
    "update_contact": {"phone": "0412 345 678"},
    "change_guest_count": {"guest_count": 14},
    "edit_note": {"note": "Cake at noon"},
}
_TEXT = "phone 0412 345 678, 14 guests, note: Cake at noon, for"

_http = httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=200, max_keepalive_connections=100))


class BareRun(BaseModel):
    """What the bare workflow does: for each activity the kinds of its calls, on one booking with one token."""

    activities: list[list[str]]
    booking: str
    token: str


class BareCalls(BaseModel):
    """One activity of it."""

    kinds: list[str]
    booking: str
    token: str


@activity.defn
async def make_calls(calls: BareCalls) -> int:
    """Make these calls one after the other; the last status."""
    status = 0
    for kind in calls.kinds:
        if kind == "model":
            answer = await _http.post(f"{_MODEL}/v1/chat/completions", json={"messages": [], "model": "bare"})
        else:
            headers = {"Authorization": f"Bearer {calls.token}"}
            body = {"comments": "Cake at noon"} if kind == "PUT" else None
            answer = await _http.request(kind, f"{_VENUE}/bookings/{calls.booking}", json=body, headers=headers)
        status = answer.raise_for_status().status_code
    return status


@workflow.defn(sandboxed=False)
class BareWorkflow:
    """The same remote calls with nothing between them."""

    @workflow.run
    async def run(self, run: BareRun) -> int:
        """Every activity in turn; the last status."""
        status = 0
        for kinds in run.activities:
            calls = BareCalls(kinds=kinds, booking=run.booking, token=run.token)
            status = await workflow.execute_activity(make_calls, calls, start_to_close_timeout=timedelta(seconds=60))
        return status


class Watched:
    """An ASGI application that notes the kind of each call it serves, in one list with others."""

    def __init__(self, app: Any, seen: list[str], kind: str | None = None) -> None:
        self._app, self._seen, self._kind = app, seen, kind

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Note it, and pass it on. Whether the venue knows a token is the facade's question, no plan's."""
        if scope["type"] == "http" and not scope["path"].startswith("/venues/"):
            self._seen.append(self._kind or scope["method"])
        await self._app(scope, receive, send)


class Stage:
    """A running stack on which both sides run; `seen` are the kinds of the remote calls made so far."""

    def __init__(self, facade: str, client: Client, seen: list[str]) -> None:
        self.facade = facade
        self._client = client
        self._shape: list[list[str]] = []
        self.seen = seen

    async def study(self) -> tuple[int, float]:
        """Carry out one plan, and remember what the other side has to do for the same; (events, KB) of its history."""
        plan_id, headers = await self.drafted()
        self.seen.clear()
        await self.carried_out(plan_id, headers)
        self._shape = cut(self.seen)
        description = await self._client.get_workflow_handle(f"plan-{plan_id}").describe()
        info = description.raw_description.workflow_execution_info
        return info.history_length, round(info.history_size_bytes / 1024, 1)

    @property
    def shape(self) -> list[list[str]]:
        """The bare side's activities."""
        return self._shape

    async def plan(self) -> Callable[[], Awaitable[None]]:
        """A plan ready to be confirmed; what it is to carry it out."""
        plan_id, headers = await self.drafted()
        return lambda: self.carried_out(plan_id, headers)

    async def bare(self) -> Callable[[], Awaitable[None]]:
        """A bare workflow ready to be started; what it is to run it."""
        booking, token = await booked(_http, _VENUE, a_guest())
        run = BareRun(activities=self._shape, booking=booking, token=token)

        async def carry_out() -> None:
            await self._client.execute_workflow(BareWorkflow.run, run, id=f"bare-{uuid4()}", task_queue=_QUEUE)

        return carry_out

    async def drafted(self) -> tuple[str, dict[str, str]]:
        """A plan that waits for its confirmation, and the headers of its operator."""
        guest = a_guest()
        headers = {"Authorization": f"Bearer {(await booked(_http, _VENUE, guest))[1]}"}
        body = {"user_message": f"{_TEXT} {guest}", "session_id": uuid4().hex, "user_id": "bench"}
        answer = await _http.post(f"{self.facade}/v1/requests", json=body, headers=headers)
        turn = answer.raise_for_status().json()
        if turn["type"] != "plan":
            raise RuntimeError(f"no plan was drafted: {turn}")
        return turn["plan"]["plan_id"], headers

    async def session_of(self, plan_id: str, headers: dict[str, str]) -> str:
        """The id of the session that a plan was drafted in."""
        url = f"{self.facade}/v1/plans/{plan_id}"
        answer = await _http.get(url, params={"user_id": "bench"}, headers=headers)
        session: str = answer.raise_for_status().json()["session_id"]
        return session

    async def history_length(self, plan_id: str) -> int:
        """How many events a plan's history has."""
        description = await self._client.get_workflow_handle(f"plan-{plan_id}").describe()
        return description.raw_description.workflow_execution_info.history_length

    async def carried_out(self, plan_id: str, headers: dict[str, str]) -> None:
        """Confirm it, and wait for its end. Raises `RuntimeError` when it does not complete."""
        url = f"{self.facade}/v1/plans/{plan_id}/confirm"
        (await _http.post(url, json={"user_id": "bench"}, headers=headers)).raise_for_status()
        ended: dict[str, Any] = await self._client.get_workflow_handle(f"plan-{plan_id}").result()
        if ended["status"] != "completed":
            raise RuntimeError(f"the plan ended as {ended['status']}: {ended.get('failure')}")


def cut(seen: list[str]) -> list[list[str]]:
    """The calls as a plan's activities make them: the model is asked, reads go before a write, looks come after it in
    the write's own activity."""
    groups: list[list[str]] = []
    for kind in seen:
        opens = not groups or kind != "GET" or groups[-1] == ["model"]
        groups.append([kind]) if opens else groups[-1].append(kind)
    return groups


@asynccontextmanager
async def a_stage(folder: Path) -> AsyncIterator[Stage]:
    """A running stack whose plans close at once when they are done, since nobody undoes them."""
    pack = Path(shutil.copytree(ROOT / "overlays" / "roller", folder / "roller"))
    profile = pack / "venue.yaml"
    written = re.sub(r"undo_window_seconds: .*", "undo_window_seconds: 0", profile.read_text())
    # In standard mode: what is measured here is what a plan costs, not what its model is asked about itself.
    profile.write_text(re.sub(r"tariff: .*", "tariff: basic", written))
    settings = Settings(
        _env_file=None,
        data=folder,
        packs=(pack,),
        venue_urls={"roller": _VENUE},
        model_base_url=f"{_MODEL}/v1",
        max_streams_per_user=10_000,
    )
    seen: list[str] = []
    venue = Watched(roller.create_app(database=folder / "venue.db", controls=True), seen)
    async with AsyncExitStack() as closing:
        for app, port in ((venue, _VENUE_PORT), (Watched(model_that_plans(_STEPS), seen, "model"), _MODEL_PORT)):
            server = http_server(app, "127.0.0.1", port)
            serving = asyncio.create_task(server.serve())
            await server.until_started()
            closing.push_async_callback(asyncio.wait, {serving}, timeout=5)
            closing.callback(setattr, server, "should_exit", True)
        stack = await closing.enter_async_context(Stack(settings, Ports(_PORTS), controls=False))
        client = await connect(stack.settings)
        bare = Worker(client, task_queue=_QUEUE, workflows=[BareWorkflow], activities=[make_calls])
        await closing.enter_async_context(bare)
        yield Stage(f"http://127.0.0.1:{stack.ports.facade}", client, seen)


Ready = Callable[[], Awaitable[Callable[[], Awaitable[None]]]]


async def timed(runs: Sequence[Callable[[], Awaitable[None]]]) -> list[float]:
    """Milliseconds of each, all begun at once."""

    async def one(run: Callable[[], Awaitable[None]]) -> float:
        began = perf_counter()
        await run()
        return (perf_counter() - began) * 1000

    return await asyncio.gather(*(one(run) for run in runs))


async def both(plan: Ready, bare: Ready, in_flight: int, turns: int) -> tuple[float, float, float]:
    """The medians of both sides, and that of their ratio turn by turn: what else the machine does meanwhile weighs on
    both sides of a turn. All of a turn's runs are made ready before the first one starts."""
    found: list[tuple[float, float]] = []
    for number in range(_WARM_UP + turns):
        took = [statistics.median(await timed([await side() for _ in range(in_flight)])) for side in (plan, bare)]
        if number >= _WARM_UP:
            found.append((took[0], took[1]))
    plans, bares = zip(*found, strict=True)
    return statistics.median(plans), statistics.median(bares), statistics.median(p / b for p, b in found)


async def measure(rounds: int) -> dict[str, Any]:
    """The figures."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="iq-bench-", ignore_cleanup_errors=True) as name:
        async with a_stage(Path(name)) as stage:
            events, size = await stage.study()
            print(f"remote calls: {' | '.join('+'.join(kinds) for kinds in stage.shape)}")
            for in_flight in IN_FLIGHT:
                turns = rounds if in_flight > 1 else rounds * _SINGLES
                plan_ms, bare_ms, ratio = await both(stage.plan, stage.bare, in_flight, turns)
                print(f"{in_flight} in flight, {turns} turns: a plan {plan_ms:.0f} ms, bare {bare_ms:.0f} ms")
                figures[f"plan_ms_{in_flight}"] = round(plan_ms, 1)
                figures[f"bare_ms_{in_flight}"] = round(bare_ms, 1)
                figures[f"ratio_{in_flight}"] = round(ratio, 2)
            return {**figures, "events": events, "kb": size}


def main() -> int:
    """Measure; the exit code."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(json.dumps(asyncio.run(measure(rounds))))
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # A client that has talked to Temporal may die by a signal while the interpreter shuts down.
    os._exit(status)
