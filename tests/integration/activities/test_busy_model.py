"""A model endpoint that asks its callers to wait (429, or 503 with a time) is obeyed within the time there is.

- A wait that fits is waited, and the call is made again, as often as asked.
- So it is where only the headers can be read: the body is cut off, too large, without an end or wrongly compressed.
- A longer one fails the activity at once, with the wait in seconds, and Temporal does not retry it.
- The call of a plan waits two seconds at most by itself: its workflow waits, where it can be seen and stopped.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.responses import StreamingResponse
from temporalio.exceptions import ApplicationError

from tests.integration.activities.model_endpoint import Endpoint, a_goal, endpoint, pack
from tests.support.scripted_model import busy
from tests.support.waiting import LIMIT

__all__ = ["endpoint", "pack"]

GOOGLE = b'[{"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.02s"}]}}]'
USED_UP = {
    "x_ratelimit_remaining_tokens": "0",
    "x_ratelimit_reset_tokens": "20ms",
    "x_ratelimit_remaining_requests": "9",
    "x_ratelimit_reset_requests": "6m0s",
}


async def endless(*, silent: bool) -> AsyncIterator[bytes]:
    """Yield the body of an error that never ends: more and more of it, or nothing after its first byte."""
    while True:
        yield b"{" if silent else b" " * 65_536
        await asyncio.sleep(0)  # the server that has lost its client never waits by itself
        if silent:
            await asyncio.Event().wait()


def busy_without_end(*, silent: bool) -> Any:
    return lambda _: StreamingResponse(endless(silent=silent), 429, headers={"retry-after-ms": "20"})


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(busy(retry_after_ms="20", content_encoding="gzip"), id="not compressed as it says"),
        pytest.param(busy(retry_after_ms="20", content_encoding="br"), id="unknown compression"),
        pytest.param(busy(retry_after_ms="20", content_length="500"), id="cut off"),
        pytest.param(busy_without_end(silent=False), id="more and more"),
        pytest.param(busy_without_end(silent=True), id="never ends"),
    ],
)
async def test_the_headers_of_an_error_count_where_its_body_cannot_be_read(endpoint: Endpoint, first: Any) -> None:
    reply = await endpoint.reason(first, "Which day?", within=LIMIT)
    assert (reply.text, len(endpoint.scripted.seen["John"])) == ("Which day?", 2)


@pytest.mark.parametrize(
    "first",
    [
        busy(retry_after_ms="20"),
        busy(retry_after="0"),
        busy(503, retry_after="0"),
        busy(**USED_UP),
        busy(body=GOOGLE),
    ],
)
async def test_a_wait_that_fits_is_waited(endpoint: Endpoint, first: Any) -> None:
    reply = await endpoint.reason(first, first, "Which day?", within=LIMIT)
    assert reply.text == "Which day?"
    assert len(endpoint.scripted.seen["John"]) == 3


@pytest.mark.parametrize(
    ("first", "seconds"),
    [
        (busy(retry_after="3600"), 3600.0),
        (busy(503, retry_after="90"), 90.0),
        (busy(x_ratelimit_reset="1h0m30s"), 3630.0),
        (busy(retry_after="99999999"), 86_400.0),
    ],
)
async def test_a_longer_wait_is_reported_at_once(endpoint: Endpoint, first: Any, seconds: float) -> None:
    with pytest.raises(ApplicationError) as error:
        await endpoint.reason(first, within=LIMIT)
    assert (error.value.type, error.value.details, error.value.non_retryable) == ("model_busy", (seconds,), True)
    assert len(endpoint.scripted.seen["John"]) == 1


async def test_a_plan_waits_in_its_workflow(endpoint: Endpoint, pack: Path) -> None:
    with pytest.raises(ApplicationError) as error:
        await endpoint.reason(busy(retry_after="4"), goal=(a_goal(),), within=LIMIT)
    assert (error.value.type, error.value.details) == ("model_busy", (4.0,))
    assert len(endpoint.scripted.seen["John"]) == 1
