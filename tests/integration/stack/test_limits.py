"""How much a caller may request, over HTTP against the running stack (HTTP contract, `rate_limited` and `too_large`).
Guarantees:

- A user, and a venue, may send a limited number of messages; one more is a 429 with a retry time in body and header.
- One user's limit does not hold up another user; reading plans does not count.
- A body that is too large is a 413, announced or sent in chunks. The codec may take more.
- A `request_id` may have any letters; one that no header can hold is not sent back in one.
- A refused message changes nothing, and creates no chat.
- A caller with another user's id but no valid token uses up nothing of what that user may send.
- Commands are limited likewise: one too many is a 429 and is not passed on; a cancellation is always accepted.
- One message more than an API works on at a time is a 429 at once, before its venue is asked anything; where an API
  serves several venues, one venue leaves room for the others.
"""

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import httpx
import pytest

from api.app import create_app
from cli.stack.dev import Stack
from clients.admission import AdmissionControl
from clients.errors import ApiError
from contracts.commands import ConfirmPlan
from infra.ledger.records import PriceTable
from infra.observability.observer import Observer
from infra.observability.prometheus import PrometheusMetrics
from tests.support import http
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import a_name
from tests.support.scripted_model import ScriptedModel
from tests.support.waiting import answered

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def limited(stack: Stack, **limits: object) -> AsyncIterator[Operator]:
    """An operator of an API with these limits, over the running stack."""
    assert stack.services is not None
    parts = dataclasses.replace(stack.services, settings=stack.settings.model_copy(update=limits))
    async with Operator("http://iq.test") as one:
        headers = one.http.headers
        await one.http.aclose()
        one.http = http.client(
            transport=httpx.ASGITransport(app=create_app(parts)), base_url="http://iq.test", headers=headers
        )
        yield one


async def text(operator: Operator, message: str, **other: str) -> httpx.Response:
    """Send a message; return the answer, whatever its status."""
    return await operator.post(
        "/v1/requests", **{"user_message": message, "session_id": operator.session, "user_id": operator.user, **other}
    )


async def test_a_user_may_send_so_many_messages(stack: Stack, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    async with limited(stack, rate_user="3/hour") as one:
        # A busy machine may answer 503, which has nothing to do with the limit: none may be a 429.
        assert {(await text(one, key)).status_code for _ in range(3)} <= {200, 503}
        response = await text(one, key)
        error = expect_error(response, 429, "rate_limited")
        wait = error["retry_after_seconds"]
        assert 0 < wait <= 3600
        assert response.headers["Retry-After"] == str(round(wait))
        assert str(round(wait)) in error["message"], "told in words, too"
        assert error["suggestions"]
        other = await text(one, key, user_id=f"{one.user}-2", session_id=f"{one.session}-2")
        assert other.status_code in (200, 503), "somebody else at the same venue is not held up"
        path = f"/v1/sessions/{one.session}"
        assert (await one.http.get(path, params={"user_id": one.user})).status_code == 200, "looking does not count"


async def test_there_is_room_again_after_the_time_reported(
    stack: Stack, scripted: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    async with limited(stack, rate_user="1/hour") as one:
        assert (await text(one, key)).status_code == 200
        wait = expect_error(await text(one, key), 429, "rate_limited")["retry_after_seconds"]
        # The window moves: a message of an hour ago no longer counts.
        later = SimpleNamespace(time=lambda: time.time() + wait)
        monkeypatch.setattr("limits.aio.storage.memory.time", later)
        assert (await text(one, key)).status_code == 200


async def test_a_venue_may_send_so_many_messages(stack: Stack, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    async with limited(stack, rate_user="100/hour", rate_venue="4/hour") as one:
        for n in range(4):
            assert (await text(one, key, user_id=f"u-{n}", session_id=f"{one.session}-{n}")).status_code == 200
        error = expect_error(await text(one, key), 429, "rate_limited")
        assert 0 < error["retry_after_seconds"] <= 3600


async def test_a_message_too_many_leaves_no_trace(stack: Stack, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    async with limited(stack, rate_user="1/hour") as one:
        assert (await text(one, key)).status_code == 200
        expect_error(await text(one, key, session_id=f"{one.session}-2"), 429, "rate_limited")
        path = f"/v1/sessions/{one.session}-2"
        assert (await one.http.get(path, params={"user_id": one.user})).status_code == 404
        assert len(scripted.seen[key]) == 1


@pytest.mark.parametrize("path", ["/v1/requests", "/v1/plans/x/confirm", "/v1/nothing"])
async def test_a_large_body_that_is_announced_is_refused(operator: Operator, path: str) -> None:
    response = await operator.http.post(path, content=b" " * 70_000, headers={"Content-Type": "application/json"})
    error = expect_error(response, 413, "too_large")
    assert "64" in error["message"], "the limit is told"


async def test_a_large_body_in_chunks_is_refused(operator: Operator) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * 8192

    async with operator.http.stream(
        "POST", "/v1/requests", content=chunks(), headers={"Content-Type": "application/json"}
    ) as response:
        assert response.status_code == 413
        assert b"too_large" in await response.aread()


async def test_a_lie_about_the_length_does_not_help(stack: Stack) -> None:
    async with limited(stack, max_body=2048) as one:
        for announced in ("10", "-5", "x"):
            response = await one.http.post(
                "/v1/requests",
                content=b" " * 5000,
                headers={"Content-Type": "application/json", "Content-Length": announced},
            )
            assert response.status_code == 413, announced


async def test_a_body_at_the_limit_is_read(operator: Operator) -> None:
    body = b'{"user_message": "' + b"x" * 65_000 + b'"}'
    response = await operator.http.post("/v1/requests", content=body, headers={"Content-Type": "application/json"})
    expect_error(response, 422, "invalid_request")


async def test_the_codec_takes_a_whole_history(operator: Operator) -> None:
    payload = {"metadata": {"encoding": "anNvbi9wbGFpbg=="}, "data": "A" * 400_000}
    response = await operator.http.post("/codec/decode", json={"payloads": [payload]})
    assert response.status_code == 200
    huge = b" " * (65_536 * 100 + 1)
    refused = await operator.http.post("/codec/decode", content=huge, headers={"Content-Type": "application/json"})
    assert refused.status_code == 413


async def test_a_wrong_token_uses_up_nothing(stack: Stack, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    async with limited(stack, rate_user="3/hour") as one:
        right = one.http.headers.pop("Authorization")
        wrong = {"Authorization": "Bearer somebody-elses-guess"}
        body = {"user_message": key, "session_id": one.session, "user_id": one.user}
        for _ in range(5):
            expect_error(await one.http.post("/v1/requests", json=body, headers=wrong), 401, "unauthorized")
        one.http.headers["Authorization"] = right
        assert (await text(one, key)).status_code in (200, 503), "the victim still has all three"


async def test_one_message_too_many_at_a_time_is_reported_at_once(stack: Stack, scripted: ScriptedModel) -> None:
    key, asked, go_on = a_name(), asyncio.Event(), asyncio.Event()

    async def reply(_: dict[str, Any]) -> Any:
        asked.set()
        await go_on.wait()
        return "Hello there."

    scripted.script(key, reply)
    async with limited(stack, max_concurrent_turns=1) as one:
        first = asyncio.create_task(text(one, key))
        await asked.wait()
        response = await text(one, "and another", session_id=f"{one.session}-2")
        error = expect_error(response, 429, "rate_limited")
        assert (error["retry_after_seconds"], response.headers["Retry-After"]) == (2, "2")
        assert "not begun" in error["message"] and "Nothing was changed" in error["message"]
        go_on.set()
        assert (await first).status_code == 200
        scripted.script(key, "Hello again.")
        assert (await text(one, key)).status_code == 200, "its place is free again"


async def test_a_venue_leaves_room_for_the_others() -> None:
    figures = PrometheusMetrics(PriceTable())
    room = AdmissionControl(4, "message", Observer(counters=[figures]))
    async with AsyncExitStack() as held_places:
        for venue, refused in (("noisy", "noisy"), ("quiet", "third")):
            for _ in range(2):
                await held_places.enter_async_context(room.slot(venue, several=True))
            with pytest.raises(ApiError):
                await held_places.enter_async_context(room.slot(refused, several=True))
    for venue in ("noisy", "third"):
        assert f'iq_no_place_total{{kind="message",venue="{venue}"}} 1.0' in figures.text().decode()
    async with AsyncExitStack() as alone:
        for _ in range(4):
            await alone.enter_async_context(room.slot("only", several=False))


async def test_a_word_too_many_at_a_time_is_reported_at_once_and_changes_nothing(
    stack: Stack, operator: Operator, party: Party
) -> None:
    """One confirmation holds the only place. The API refuses the next, and accepts it once the place is free. It always
    accepts a cancellation.
    """
    plans = []
    for _ in range(2):
        guest, _ = await party(("edit_note", {"note": "Cake at noon"}))
        operator.session = f"s-{uuid4().hex}"
        plans.append(await operator.plan_for(f"note for {guest}: Cake at noon"))
    assert stack.services is not None
    words = stack.services.commands
    word = ConfirmPlan(user_id=operator.user, request_id="r-1")
    views = [await answered(partial(words._plans.plan, p["plan_id"])) for p in plans]
    venue = views[0].plan.venue_id
    words._admission, before = AdmissionControl(1, "command", Observer()), words._admission
    try:
        async with words.slot(venue, word):
            shown = await operator.post(
                f"/v1/plans/{plans[1]['plan_id']}/confirm", user_id=operator.user, request_id="r"
            )
            error = expect_error(shown, 429, "rate_limited")
            assert (error["retry_after_seconds"], shown.headers["Retry-After"]) == (2, "2")
            assert "not passed on" in error["message"]
            assert (await operator.look(plans[1]))["status"] == "pending_confirmation", "nothing was changed"
            cancelled = await operator.post(f"/v1/plans/{plans[0]['plan_id']}/cancel", user_id=operator.user)
            assert cancelled.status_code == 202
        again = await operator.post(f"/v1/plans/{plans[1]['plan_id']}/confirm", user_id=operator.user, request_id="r")
        assert again.status_code == 200, again.text
    finally:
        words._admission = before


async def test_a_message_s_name_may_be_in_any_letters(stack: Stack, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    async with limited(stack) as one:
        answer = await text(one, key, request_id="予約-1")
        assert answer.status_code in (200, 503), answer.text
        assert answer.headers["X-Request-Id"].isascii()
        assert (await text(one, key, request_id="予約-1")).json() == answer.json() or answer.status_code == 503
