"""Requests as Langfuse gets them, rebuilt from what was sent over OTLP to a receiver on loopback. Guarantees:

- A plan that completes, one that fails and is rolled back, one that asks while it runs, one that is undone, one that is
  replaced, and a clarification are one trace each, whole, under the specification's names; every event type of the
  specification is in them, with its times.
- A retried request and a retried confirm add no span. A failed request that is sent again is the same trace: each
  attempt has its own times, and the root begins with the first.
- No attribute has a token, an e-mail address, a phone number or a guest's name, nor a typed name that matched nothing;
  products, actions, dates, times and counts are readable.
- The key metrics of each plan are scores, and their means are what the ledger reports and Prometheus exports.
- What belongs to no request, such as checking a token, is in no trace. Each time a process builds its registry, that is
  a trace of its own.
- A Langfuse that does not answer delays nothing: a plan completes meanwhile.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from statistics import fmean, median
from uuid import uuid4

import pytest
from fastapi import Response

from cli.stack.dev import Stack
from clients.registry import Registries
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from tests.support.langfuse import Langfuse, Node, a_langfuse
from tests.support.operator import Operator
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import a_stack, own_token
from tests.support.tracing import CONTACT, COUNT, EMAIL, PHONE, Scene, all_sent, counted, reported
from tests.support.waiting import LIMIT, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

STRANGER = "Zorbulina Quist"


@pytest.fixture(scope="module")
async def langfuse() -> AsyncIterator[Langfuse]:
    """The receiver of the traces."""
    async with a_langfuse() as one:
        yield one


@pytest.fixture(scope="module")
async def traced(model_url: str, langfuse: Langfuse, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack that traces."""
    async with a_stack(
        tmp_path_factory.mktemp("traced"),
        model_base_url=model_url,
        langfuse_public_key=f"pk-{uuid4().hex}",
        langfuse_secret_key="sk-traces",
        langfuse_host=langfuse.url,
        chat_idle=2.0,
    ) as running:
        yield running


@pytest.fixture(scope="module")
async def token(traced: Stack) -> str:
    return await own_token(traced)


@pytest.fixture
async def operator(traced: Stack, token: str) -> AsyncIterator[Operator]:
    async with Operator(f"http://127.0.0.1:{traced.ports.facade}", token=token) as one:
        yield one


@pytest.fixture
async def roller(traced: Stack) -> AsyncIterator[Roller]:
    async with Roller(f"http://127.0.0.1:{traced.ports.roller}") as one:
        yield one
        await one.clear_faults()


@pytest.fixture
def scene(operator: Operator, roller: Roller, scripted: ScriptedModel, langfuse: Langfuse) -> Scene:
    return Scene(operator, roller, scripted, langfuse)


def below(node: Node) -> list[str]:
    return [one.name for one in node.below]


async def test_a_plan_that_is_carried_out(scene: Scene) -> None:
    message = await scene.begin()
    plan = await scene.operator.plan_for(message, request_id="r-1")
    await asyncio.sleep(0.3)
    await scene.operator.confirm(plan)
    ended = await scene.operator.settled(plan)
    root = await scene.trace("r-1")

    assert ended["status"] == "completed"
    assert below(root) == ["intent_understanding", "plan_generation", "user_confirmation", "execution"]
    understanding, planning, confirmation, execution = root.below
    assert understanding.below[0].kind == "generation" and "find_bookings" in below(understanding)
    assert planning.below[0].kind == "generation"
    assert [a["action_id"] for a in planning.output["actions"]] == ["update_contact", "change_guest_count"]
    assert planning.output["action_count"] == 2 and planning.output["actions"][1]["parameters"]["guest_count"] == 14
    assert confirmation.output["outcome"] == "accepted" and confirmation.output["seconds_to_confirm"] >= 0
    assert confirmation.ended - confirmation.began > 0.3
    steps = [node for node in execution.below if node.kind == "tool"]
    assert [node.name for node in steps] == ["update_contact", "change_guest_count"]
    assert steps[1].input["guest_count"] == 14 and steps[1].output["status"] == "completed"
    assert [c.input["method"] for c in steps[1].below].count("PUT") == 1, "the one write"
    assert [n.name for n in execution.below if n.kind == "event"] == ["execution_started"]
    assert execution.output["outcome"] == root.output["outcome"] == "success"
    assert root.began <= understanding.began and root.ended >= execution.ended
    assert root.metadata("plan_id") == plan["plan_id"]


async def test_a_model_call_tells_which_prompt_it_was(scene: Scene) -> None:
    await scene.operator.do(await scene.begin())
    calls = [node for node in scene.langfuse.sent() if node.kind == "generation"]
    versions = {node.name: node.attributes["langfuse.version"] for node in calls}

    assert len(versions["plan"]) == len(versions["execute"]) == 12 and versions["plan"] != versions["execute"]
    assert all(node.attributes["gen_ai.request.model"] for node in calls)


async def test_a_plan_that_fails_and_is_put_back(scene: Scene) -> None:
    message = await scene.begin()
    shown = {"errors": [{"name": "X", "message": f"{scene.guest} is not allowed"}]}
    await scene.roller.fault("update-a-booking", "status", status=409, body=shown)
    plan = await scene.operator.plan_for(message, request_id="r-1")
    await scene.operator.confirm(plan)
    await scene.operator.settled(plan)
    root = await scene.trace("r-1")
    rollback = root.named("execution").named("rollback")

    assert root.output == {"outcome": "rollback", "error_type": "conflict"}
    failed = next(n for n in root.named("execution").below if n.name == "change_guest_count")
    assert failed.attributes["langfuse.observation.level"] == "ERROR" and failed.output["error_type"] == "conflict"
    assert rollback.output["trigger"] == "failure" and rollback.output["outcome"] == "complete"
    assert rollback.output["steps"] == [{"step": 1, "action_id": "update_contact", "outcome": "reversed"}]
    assert any(call.input["method"] == "PUT" for call in rollback.below), "what puts it back is below it"
    assert below(root)[-1] == "execution" and "undo" not in root.names()


async def test_a_clarification_belongs_to_the_request_that_it_is_about(scene: Scene) -> None:
    turn = await scene.operator.say(f"{STRANGER.lower()}: phone {PHONE}, 14 guests", request_id="r-1")
    again = await scene.operator.say(f"it is {STRANGER}", request_id="r-2")
    await scene.operator.do(await scene.begin())
    root = await scene.trace("r-1")
    first, second = (one for one in root.below if one.name == "clarification")

    assert turn["type"] == again["type"] == "clarification"
    assert [n for n in below(root) if n != "plan_generation"] == [
        "intent_understanding", "clarification", "intent_understanding", "clarification", "intent_understanding",
        "user_confirmation", "execution",
    ]  # fmt: skip
    assert root.named("intent_understanding").input == "[…]: phone […] guests"
    assert first.kind == "event" and first.output["asked_before"] == 0 and "No" in first.output["question"]
    assert first.output["unclear"] == ["booking"], "nothing was found"
    assert second.output["asked_before"] == 1
    assert root.output["outcome"] == "success" and root.metadata("clarifications") == 2
    assert root.input == root.named("intent_understanding").input, "it is told under its first message"
    assert root.began <= root.below[0].began, "the request began with its first message"


async def test_what_was_unclear_is_reported_of_a_question_in_a_models_words(scene: Scene) -> None:
    scene.booking = await scene.roller.book(scene.guest)
    asks = {"ask_operator": {"question": "How many guests should it be in all?"}}
    scene.scripted.script(scene.guest, look_up(scene.guest), asks)
    await scene.operator.say(f"change the guests of {scene.guest}", request_id="r-1")
    asked = (await scene.trace("r-1")).named("clarification").output

    assert asked["unclear"] == ["count"] and asked["question"].endswith("How many guests should it be in all?")


async def test_a_question_that_no_one_answers_ends_with_its_chat(scene: Scene) -> None:
    await scene.operator.say(f"{STRANGER.lower()}: phone {PHONE}, 14 guests", request_id="r-1")
    root = await scene.trace("r-1")

    assert root.output == {"outcome": "clarification"} and root.metadata("clarifications") == 1
    assert "clarification" in below(root) and "execution" not in below(root)
    plan = await scene.operator.plan_for(await scene.begin(), request_id="r-2")
    await scene.operator.confirm(plan)
    await scene.operator.settled(plan)
    assert (await scene.trace("r-2")).output["outcome"] == "success", "what is said later is another request"


async def test_a_question_of_a_running_plan(scene: Scene) -> None:
    question = {"ask_operator": {"question": f"Is this the phone number of {scene.guest}?"}}
    plan = await scene.operator.plan_for(await scene.begin(question, obey), request_id="r-1")
    await scene.operator.confirm(plan)
    await scene.operator.asked(plan)
    await asyncio.sleep(0.3)
    assert (await scene.operator.answer(plan, "yes")).status_code == 200
    await scene.operator.settled(plan)
    asked = (await scene.trace("r-1")).named("execution").named("clarification")

    assert asked.ended - asked.began > 0.3 and "number" in asked.output["question"]
    assert asked.output["unclear"] == ["phone"]


async def test_a_plan_that_is_taken_back(scene: Scene) -> None:
    plan = await scene.operator.plan_for(await scene.begin(), request_id="r-1")
    await scene.operator.confirm(plan)
    await scene.operator.settled(plan)
    await scene.trace("r-1")
    undone = await scene.operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=scene.operator.user)
    assert undone.status_code == 202
    await scene.operator.until(plan, lambda p: p["status"] == "rolled_back")

    async def shown() -> bool:
        return any(n.output and n.output.get("trigger") == "undo" for n in scene.langfuse.sent())

    await soon(shown)
    root = await scene.trace("r-1")

    assert below(root)[-1] == "rollback" and any(c.input["method"] == "PUT" for c in root.below[-1].below)
    assert root.output["outcome"] == "success"


async def test_a_plan_that_is_replaced(scene: Scene) -> None:
    await scene.begin()
    for count, number in ((14, "r-1"), (16, "r-2")):
        steps = then(("change_guest_count", {"guest_count": count}))
        scene.scripted.script(scene.guest, look_up(scene.guest), steps)
        new = await scene.operator.plan_for(f"make it {count} guests for {scene.guest}", request_id=number)
    root = await scene.trace("r-1")

    confirmation = root.named("user_confirmation").output
    assert confirmation["outcome"] == "modified" and confirmation["superseded_by"] == new["plan_id"]
    assert "execution" not in root.names() and root.output["outcome"] == "cancelled"


async def test_a_retry_adds_nothing(scene: Scene, traced: Stack) -> None:
    message = await scene.begin()
    plan = await scene.operator.plan_for(message, request_id="r-1")
    again = await scene.operator.plan_for(message, request_id="r-1")
    for _ in range(2):
        await scene.operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=scene.operator.user, request_id="c-1")
    await scene.operator.settled(plan)
    root = await scene.trace("r-1")
    await all_sent(traced)
    sent = [node.span_id for node in scene.langfuse.sent() if node.trace_id == root.trace_id]

    assert again["plan_id"] == plan["plan_id"]
    assert len(sent) == len(set(sent)) == len(root.all())


@pytest.mark.parametrize("answers", [False, True])
async def test_a_message_that_failed_and_is_stated_again(scene: Scene, answers: bool) -> None:
    if answers:
        await scene.operator.say(f"{STRANGER.lower()}: phone {PHONE}, 14 guests", request_id="r-1")
    message = await scene.begin()
    scene.scripted.script(scene.guest, Response(status_code=500))
    failed = await scene.post(message, "r-2")
    scene.scripted.script(scene.guest, look_up(scene.guest), then(CONTACT, COUNT), obey)
    again = await scene.post(message, "r-2")
    assert (failed.status_code, again.status_code) == (503, 200), again.text
    await scene.operator.confirm(again.json()["plan"])
    await scene.operator.settled(again.json()["plan"])
    first = "r-1" if answers else "r-2"
    async with asyncio.timeout(LIMIT):
        # The trace of the first attempt alone was sent before.
        while (root := await scene.trace(first)).output["outcome"] == "error":  # noqa: ASYNC110 - sent by a thread
            await asyncio.sleep(0.1)
    *_, vain, last = (one for one in root.below if one.name == "intent_understanding")

    assert vain.attributes["langfuse.observation.level"] == "ERROR" and vain.below, "what was asked in vain"
    assert all(vain.began <= call.began and call.ended <= vain.ended for call in vain.below)
    assert root.began <= vain.began and vain.ended <= last.began and root.output["outcome"] == "success"
    sent = [n for n in scene.langfuse.sent() if n.trace_id == root.trace_id and n.span_id != root.span_id]
    times = {(n.span_id, n.began, n.ended) for n in sent}
    assert len(times) == len({n.span_id for n in sent}), "none but the whole has two ends"


async def test_every_trace_is_whole_and_tells_no_one(scene: Scene, traced: Stack, token: str) -> None:
    await scene.operator.do(await scene.begin())
    await all_sent(traced)
    tops = scene.langfuse.traces()
    text = "\n".join(json.dumps(node.attributes, ensure_ascii=False) for node in scene.langfuse.sent())
    first, last = scene.guest.split()
    secrets = [
        token,
        EMAIL,
        "zelie",
        PHONE,
        "987 654",
        "0412987654",
        "0491 570",
        "0491570",
        "@example",
        *STRANGER.split(),
        first,
        last,
    ]

    assert [s for s in secrets if s.lower() in text.lower()] == []
    assert scene.operator.user not in text and scene.operator.session not in text
    for readable in ("Birthday Party", "update_contact", "guest_count", "10:00", "with the confirmed steps in order"):
        assert readable in text, readable
    known = [name for name, nodes in tops.items() if nodes[0].name.startswith(("user_request_", "registry_"))]
    assert {len(tops[name]) for name in known} == {1}
    assert all(node.attributes.get("langfuse.trace.name") for node in scene.langfuse.sent())
    assert "GET venues" not in text, "looking whether a token is good belongs to no request"


async def test_what_the_registry_was_made_of(traced: Stack, langfuse: Langfuse) -> None:
    assert traced.services is not None
    name = f"registry_{traced.services.registries.registry.version}"

    def made() -> list[Node]:
        return [nodes[0] for nodes in langfuse.traces().values() if nodes[0].name == name]

    async def started() -> bool:
        return bool(made())

    await soon(started)  # spans are sent in batches
    tops, before = made(), len(langfuse.sent())
    packs = [node for node in tops[0].below if node.name == "registry_transformation"]
    assert [node.output["venue_id"] for node in packs] == ["roller-demo"]
    assert "update_contact" in packs[0].output["actions"]
    # Built again, and by another process beside: the same version, and each sends its own trace.
    services = traced.services
    await services.registries.refresh()
    board = PublishedVersion(Store(), traced.settings.ring())
    Registries(services.registries.registry, board, services.observer)

    async def shown() -> bool:
        return len(made()) == len(tops) + 2

    await soon(shown)
    assert sorted(top.output["why"] for top in made()) == ["refresh", "start", "start"]
    assert all([one.name for one in top.below] == ["registry_transformation"] for top in made())
    spans = [(node.trace_id, node.span_id) for node in langfuse.sent()[before:] if node.name in (name, packs[0].name)]
    assert len(spans) == len(set(spans)) == 4, "no span has two beginnings"


async def test_the_scores_are_what_ledger_and_prometheus_tell(scene: Scene, traced: Stack) -> None:
    assert traced.services is not None
    await scene.operator.do(await scene.begin())
    await all_sent(traced)
    scores: dict[str, dict[str, float]] = {}
    for one in scene.langfuse.scores:
        scores.setdefault(one["name"], {})[one["id"]] = one["value"]
    report = await reported(traced)
    plans, actions = report["all_plans"], report["actions"]

    assert fmean(scores["planning_accuracy"].values()) == pytest.approx(plans["planning_accuracy"])
    assert fmean(scores["execution_success"].values()) == pytest.approx(plans["execution_success"])
    assert fmean(scores["clarification_rate"].values()) == pytest.approx(plans["clarification_rate"])
    assert fmean(scores["rollback_frequency"].values()) == pytest.approx(plans["rollback_frequency"])
    assert median(scores["seconds_to_confirm"].values()) == plans["median_seconds_to_confirm"]
    assert sum(scores["action_failure"].values()) == sum(row["failed"] for row in actions) > 0
    assert len(scores["action_failure"]) == sum(row["attempted"] for row in actions)
    assert len(scores["planning_accuracy"]) == plans["plans"] > 3
    assert {name: (len(values), sum(values.values())) for name, values in scores.items()} == await counted(traced)


async def test_a_langfuse_that_does_not_answer_delays_nothing(scene: Scene) -> None:
    message = await scene.begin()
    scene.langfuse.answering.clear()
    before = len(scene.langfuse.bodies)
    try:
        ended = await scene.operator.do(message)

        async def asked() -> bool:
            return len(scene.langfuse.paths) > len(scene.langfuse.bodies)

        await soon(asked)  # spans are sent in batches
    finally:
        unanswered = len(scene.langfuse.paths) - len(scene.langfuse.bodies)
        scene.langfuse.answering.set()

    assert ended["status"] == "completed"
    assert unanswered > 0 and len(scene.langfuse.bodies) == before, "it was asked, and did not answer"
