"""What the last try of a reversal leaves for the plan to tell, by the activity itself against a small venue.

- What may pass is raised, to be tried again; its detail is why it failed, in words, and whether anything was sent.
- A token that the store has lost is told apart from one that the venue refuses.
"""

from typing import Any

import pytest
from temporalio.exceptions import ApplicationError

from tests.integration.activities import test_undo
from tests.integration.activities.test_undo import Bench, answering

pytestmark = pytest.mark.asyncio

bench = test_undo.bench


async def test_what_may_pass_is_tried_again_once_nothing_can_land(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 503, None)
    with pytest.raises(ApplicationError) as error:
        await bench.reverse()
    assert (error.value.type, error.value.next_retry_delay) == ("server_error", None)
    [told] = error.value.details
    assert (told.sent, told.failure.error_type) == (True, "server_error")


async def test_what_may_pass_is_told_with_the_failure_itself_and_that_nothing_was_sent(bench: Bench) -> None:
    """It is the last word where no other try comes: an answer that was unreadable is no connection problem."""
    bench.venue.parties["p-1"]["guests"] = 14
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    bench.venue.answers["GET party"] = [deep] * 20
    for look_only in (True, False):
        with pytest.raises(ApplicationError) as error:
            await bench.reverse(look_only=look_only)
        [told] = error.value.details
        assert (told.sent, told.failure.message) == (False, "The booking system's answer could not be read.")
        assert "back to 10" in told.manual


async def test_a_token_that_is_gone_is_no_no_of_the_venue(bench: Bench) -> None:
    bench.token = "a token that is gone"
    failure = (await bench.reverse()).failure
    assert failure is not None and (failure.error_type, failure.status) == ("unauthorized", None)
