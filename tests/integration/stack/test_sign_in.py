"""A token that expires while a plan runs, over HTTP against the running stack. Guarantees:

- The step that gets a 401 fails the plan; its rollback waits for the operator instead of giving up.
- Meanwhile the expired token gets a 401; one that the venue accepts resumes the rollback, which then completes.
- A token that the venue does not accept, or that another user holds, never reaches the plan.
- When the token expires during a write, the worker searches for the write with a new token, if there is one; else the
  rollback waits for it.
- A token renewed while all goes well is used, too. In the end no token of the plan is left in the vault.
"""

import asyncio
import contextlib
import hashlib
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from cli.stack.dev import Stack
from clients.errors import api_error
from contracts.chat_messages import PlanView
from contracts.enums import RollbackState, ServiceErrorType
from infra.stores.token_vault import TokenMissingError
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name, content
from tests.support.scripted_model import ScriptedModel, held, look_up, obey, then
from tests.support.waiting import answered, soon

pytestmark = pytest.mark.asyncio

Steps = list[tuple[str, dict[str, Any]]]
Planned = tuple[dict[str, Any], dict[str, Any]]

TWO: Steps = [("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 14})]


UNANSWERED = 9.0
"""Seconds, longer than the suite's stacks wait for an answer (`stacks.SHORT`)."""


@dataclass
class Scene:
    """An operator with a token of their own, and a venue that may expire it."""

    stack: Stack
    operator: Operator
    roller: Roller
    scripted: ScriptedModel
    token: str

    async def fresh_token(self) -> str:
        """Return a new token that the venue accepts."""
        token = f"token-{uuid4().hex}"
        assert (await self.roller.http.post("/_sandbox/tokens", json={"token": token})).is_success
        return token

    def sign_in(self, token: str) -> None:
        """Use this token from now on."""
        self.operator.http.headers["Authorization"] = f"Bearer {token}"

    async def view(self, plan: dict[str, Any]) -> PlanView:
        """Return the plan as the service itself sees it."""
        assert self.stack.services is not None
        plans = self.stack.services.plans
        return await answered(lambda: plans.plan(plan["plan_id"]))

    async def kept(self) -> set[str]:
        """Return every token in the vault."""
        assert self.stack.services is not None
        services = self.stack.services
        found = set()
        for key in await services.store.redis.keys("iq:token:*"):
            with contextlib.suppress(TokenMissingError):
                found.add(await services.vault.get(key.rpartition(":")[2]))
        return found

    async def forgets(self, *tokens: str) -> None:
        """Wait until none of them is in the vault. A plan wipes them last of all."""

        async def forgotten() -> bool:
            return not set(tokens) & await self.kept()

        await soon(forgotten)

    async def planned(self, steps: Steps = TWO, text: str = "note: Cake at noon, and 14 guests") -> Planned:
        """Return (booking before, plan) of these steps."""
        guest = a_name()
        booking = await self.roller.book(guest)
        self.scripted.script(guest, look_up(guest), then(*steps), obey)
        return booking, await self.operator.plan_for(f"{text}, for {guest}")

    async def waiting(self, steps: Steps = TWO) -> Planned:
        """Return (booking before, plan) whose second step met an expired token and whose rollback waits."""
        booking, plan = await self.planned(steps)
        await self.roller.fault("update-a-booking", "expire_token", skip=1)
        await self.operator.confirm(plan)
        await self.waits(plan)
        return booking, plan

    async def waits(self, plan: dict[str, Any]) -> None:
        """Wait until the plan's rollback waits for a sign-in."""

        async def it_does() -> bool:
            rollback = (await self.view(plan)).plan.rollback
            return rollback is not None and rollback.state is RollbackState.WAITING_FOR_SIGN_IN

        await soon(it_does)

    async def loses_its_token_in_mid_write(self) -> Planned:
        """Return (booking before, plan) whose write landed without an answer, and whose token expires meanwhile."""
        booking, plan = await self.planned(TWO[1:], "14 guests")
        short = await self.fresh_token()
        self.sign_in(short)
        await self.roller.fault("update-a-booking", "delay", seconds=UNANSWERED)
        await self.operator.confirm(plan)
        await soon(lambda: self.roller.journal(booking))
        assert (await self.roller.http.post("/_sandbox/tokens", json={"token": short, "seconds": 0})).is_success
        return booking, plan


@pytest.fixture
async def scene(operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack) -> Scene:
    """A scene whose operator has a fresh token."""
    one = Scene(stack, operator, roller, scripted, "")
    one.token = await one.fresh_token()
    one.sign_in(one.token)
    return one


async def test_the_plan_stops_its_rollback_waits_and_a_new_sign_in_completes_it(scene: Scene) -> None:
    booking, plan = await scene.waiting()
    stopped = (await scene.view(plan)).plan
    assert stopped.status == "failed"
    assert stopped.failure is not None and stopped.failure.error_type == "unauthorized"
    assert [a.status for a in stopped.actions] == ["completed", "unknown"], "the look met the expired token, too"
    path, who = f"/v1/plans/{plan['plan_id']}", {"user_id": scene.operator.user}
    expect_error(await scene.operator.http.get(path, params=who), 401, "unauthorized")
    expect_error(await scene.operator.http.get(path, params=who), 401, "unauthorized")

    renewed = await scene.fresh_token()
    scene.sign_in(renewed)
    seen = await scene.operator.http.get(path, params=who)
    assert seen.status_code == 200, "signing in is all it takes"
    ended = await scene.operator.settled(plan)
    assert ended["status"] == "rolled_back"
    assert ended["rollback_report"]["outcome"] == "complete"
    assert ended["rollback_report"]["manual_steps"] == []
    assert content(await scene.roller.booking(booking["uniqueId"])) == content(booking)
    await scene.forgets(scene.token, renewed)


async def test_what_is_still_being_put_back_is_no_reason_to_leave_out_a_step(scene: Scene) -> None:
    """The message is the sign-in that the rollback waits for, so the booking's present state will not last."""
    booking, plan = await scene.waiting(TWO[::-1])
    await scene.roller.fault("update-a-booking", "rate_limit", seconds=1, times=100)
    scene.sign_in(await scene.fresh_token())
    turn = await scene.operator.say("try again")
    await scene.roller.clear_faults()
    assert "still changing" in turn["message"], turn
    assert "already" not in str(turn), turn
    ended = await scene.operator.settled(plan)
    assert ended["rollback_report"]["outcome"] == "complete"
    assert content(await scene.roller.booking(booking["uniqueId"])) == content(booking)


async def test_tokens_that_the_venue_does_not_know_are_never_taken(scene: Scene) -> None:
    booking, plan = await scene.waiting()
    before = (await scene.view(plan)).token_ref
    who = {"user_id": scene.operator.user}
    for token in ("never-heard-of", scene.token, "x" * 9000, "another-venue-s-token"):
        scene.sign_in(token)
        expect_error(await scene.operator.http.get(f"/v1/plans/{plan['plan_id']}", params=who), 401, "unauthorized")
    view = await scene.view(plan)
    assert view.token_ref == before
    assert view.plan.rollback is not None and view.plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN
    assert not {"never-heard-of", "another-venue-s-token"} & await scene.kept()
    scene.sign_in(await scene.fresh_token())
    assert (await scene.operator.settled(plan))["rollback_report"]["outcome"] == "complete"
    assert content(await scene.roller.booking(booking["uniqueId"])) == content(booking)


async def test_another_user_s_token_is_never_taken(scene: Scene) -> None:
    _, plan = await scene.waiting()
    before = (await scene.view(plan)).token_ref
    theirs = await scene.fresh_token()
    scene.sign_in(theirs)
    path = f"/v1/plans/{plan['plan_id']}"
    expect_error(await scene.operator.http.get(path, params={"user_id": "stranger"}), 403, "forbidden")
    assert (await scene.view(plan)).token_ref == before
    assert theirs not in await scene.kept()
    scene.sign_in(await scene.fresh_token())
    await scene.operator.settled(plan)


async def test_a_write_under_way_is_looked_for_with_the_new_token(scene: Scene) -> None:
    booking, plan = await scene.loses_its_token_in_mid_write()
    scene.sign_in(await scene.fresh_token())
    await scene.operator.look(plan)
    ended = await scene.operator.settled(plan)
    assert ended["status"] == "completed", ended
    changed = await scene.roller.booking(booking["uniqueId"])
    assert content(changed) != content(booking), "what the venue did is known, and stands"


@pytest.mark.slow
async def test_a_write_under_way_whose_token_is_gone_asks_for_a_sign_in(scene: Scene) -> None:
    booking, plan = await scene.loses_its_token_in_mid_write()
    await scene.waits(plan)
    scene.sign_in(await scene.fresh_token())
    await scene.operator.look(plan)
    ended = await scene.operator.settled(plan)
    assert ended["status"] == "rolled_back" and ended["rollback_report"]["outcome"] == "complete", ended
    assert content(await scene.roller.booking(booking["uniqueId"])) == content(booking)


async def test_a_token_renewed_while_all_goes_well_is_taken_up(scene: Scene) -> None:
    guest = a_name()
    booking = await scene.roller.book(guest)
    seen = asyncio.Event()
    scene.scripted.script(guest, look_up(guest), then(*TWO), held(seen, obey), obey)
    plan = await scene.operator.plan_for(f"note: Cake at noon, and 14 guests, for {guest}")
    await scene.operator.confirm(plan)
    renewed = await scene.fresh_token()
    scene.sign_in(renewed)
    await scene.operator.look(plan)
    seen.set()
    ended = await scene.operator.settled(plan)
    assert ended["status"] == "completed", ended
    last = (await scene.roller.journal(booking))[-1]
    assert hashlib.sha256(renewed.encode()).hexdigest().startswith(last["token"]), "the change was made with it"
    await scene.forgets(scene.token, renewed)


@pytest.mark.parametrize("how", ["completed", "failed", "cancelled"])
async def test_no_token_outlives_its_plan(scene: Scene, how: str) -> None:
    guest = a_name()
    await scene.roller.book(guest)
    scene.scripted.script(guest, look_up(guest), then(*TWO[:1]), obey)
    plan = await scene.operator.plan_for(f"note: Cake at noon, for {guest}")
    assert scene.token not in await scene.kept(), "a turn's token goes with the turn"
    if how == "failed":
        await scene.roller.fault("update-a-booking", "status", status=404)
    if how == "cancelled":
        await scene.operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=scene.operator.user)
    else:
        await scene.operator.confirm(plan)
    assert (await scene.operator.settled(plan))["status"] == how
    await scene.forgets(scene.token)


async def test_a_refused_confirmation_leaves_no_token(scene: Scene) -> None:
    guest = a_name()
    await scene.roller.book(guest)
    scene.scripted.script(guest, look_up(guest), then(*TWO[:1]), obey)
    plan = await scene.operator.plan_for(f"note: Cake at noon, for {guest}")
    await scene.operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=scene.operator.user)
    expect_error(
        await scene.operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=scene.operator.user), 409, "conflict"
    )
    assert scene.token not in await scene.kept()


async def test_a_plan_that_ends_while_the_operator_signs_in_is_simply_shown(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, plan = await scene.waiting()
    assert scene.stack.services is not None

    async def too_late(*_: object) -> None:
        raise api_error(ServiceErrorType.CONFLICT, "This plan has already ended.")

    monkeypatch.setattr(scene.stack.services.plans, "token_renewed", too_late)
    renewed = await scene.fresh_token()
    scene.sign_in(renewed)
    shown = await scene.operator.look(plan)
    assert shown["plan_id"] == plan["plan_id"]
    assert renewed not in await scene.kept(), "the token that nobody took is forgotten"
    monkeypatch.undo()
    await scene.operator.settled(plan)
