"""Writes that the venue accepted (2xx) and that do not show, by the activity itself against a small venue.

- What was accepted may take effect until the venue has settled: its outcome is then unknown, it is looked for that
  long, and no other plan writes to the same thing meanwhile.
- What shows, or was refused for certain, keeps no other plan out.
- A new thing that the answer does not name, and that nothing else tells, is not taken for made.
"""

from typing import Any

import pytest
from temporalio.testing import ActivityEnvironment

from activities.steps import Steps
from clients.venue import VenueClient
from contracts.effects import ActReply, ActRequest, Landing, StepScope
from infra.locks import BusyError, MemoryLocks, name_of
from registry import Pack
from tests.integration.activities.conftest import Small
from tests.support.small_venue import SmallVenue


class Bench:
    """The venue, its pack, and the locks of its parties."""

    def __init__(self, venue: SmallVenue, pack: Pack, venues: VenueClient, token: str) -> None:
        self.venue, self.pack, self.token = venue, pack, token
        self.locks = MemoryLocks()
        self.steps = Steps(venues, self.locks)

    async def act(self, name: str, **parameters: Any) -> ActReply:
        """Send one write."""
        scope = StepScope(
            profile=self.pack.profile, token_ref=self.token, action=self.pack.actions[name],
            parameters={"booking_id": "p-1", **parameters}, idempotency_key="plan-1", keys=("p-1",),
        )  # fmt: skip
        request = ActRequest(scope=scope, before=dict(self.venue.parties["p-1"]))
        return await ActivityEnvironment().run(self.steps.act, request)

    async def is_free(self) -> bool:
        """Whether another plan may write to the party."""
        try:
            async with self.locks.held([name_of(self.pack.profile.base_url, "p-1")], 0.05):
                return True
        except BusyError:
            return False


@pytest.fixture
async def bench(small: Small) -> Bench:
    return Bench(small.venue, small.pack, small.venues, await small.vault.put("operator", 60))


async def test_what_shows_keeps_no_other_plan_out(bench: Bench) -> None:
    assert (await bench.act("resize", guests=14)).landing is Landing.APPLIED
    assert await bench.is_free()


async def test_what_was_accepted_and_does_not_show_keeps_others_out(bench: Bench) -> None:
    bench.venue.answers["PUT party"] = [{"ok": True}]
    reply = await bench.act("resize", guests=14)
    assert (reply.landing, reply.accepted, reply.can_land_for) == (
        Landing.UNKNOWN, True, bench.pack.profile.settle_seconds,
    )  # fmt: skip
    assert not await bench.is_free()


async def test_what_was_accepted_and_cannot_be_looked_at_counts_as_done_and_keeps_others_out(bench: Bench) -> None:
    async def no_looks(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.fail("GET party", *[500] * 50)

    bench.venue.hook = no_looks
    assert (await bench.act("resize", guests=14)).landing is Landing.APPLIED
    assert not await bench.is_free()


@pytest.mark.parametrize("answer", [{}, {"ok": True}, {"order": None}, [], "OK"])
async def test_a_new_thing_that_the_answer_does_not_name_is_not_taken_for_made(bench: Bench, answer: Any) -> None:
    bench.venue.answers["POST order"] = [answer]
    reply = await bench.act("order_dessert", pieces=8)
    assert (reply.landing, reply.accepted) == (Landing.UNKNOWN, True)
    assert "does not say what it made" in reply.evidence
