"""A run through a stack with most kinds of failures, with people whose names, addresses and numbers are known.

A scan can read everything: the stack stays up, its logs are recorded, and an OTLP endpoint on loopback receives its
traces.
"""

import asyncio
import gc
import io
import logging
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import Any

from cli.stack.dev import Ports, Stack
from infra.config.settings import Settings
from infra.observability.logging import handler, quiet_clients
from tests.support.langfuse import Langfuse, a_langfuse
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, says, then
from tests.support.stacks import free_base
from tests.support.waiting import pauses


class Logs(logging.Handler):
    """Every record of every logger, as it is written."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(handler(io.StringIO(), as_json=True).formatter)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the record."""
        self.lines.append(self.format(record))


@dataclass
class Scene:
    """The stack after the run."""

    stack: Stack
    token: str
    endpoint: Langfuse = field(default_factory=Langfuse)
    logs: Logs = field(default_factory=Logs)
    guest: str = field(default_factory=lambda: "Zélie " + a_name().split()[1])
    new_name: str = field(default_factory=lambda: a_name().split()[1])
    child: str = field(default_factory=lambda: a_name().split()[0])
    email: str = field(default_factory=lambda: f"{secrets.token_hex(4)}.new@example.org")
    phone: str = "0412 987 654"
    redis_url: str | None = None
    plans: list[dict[str, Any]] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Return the text by which the scripted model recognises this run."""
        return self.guest.split()[1]

    def secrets(self) -> dict[str, list[str]]:
        """Return what must occur nowhere, by kind, in every spelling."""
        first, last = self.guest.split()
        return {
            "token": [self.token],
            "e-mail": [self.email, f"{last.lower()}@example.com", "@example.org"],
            "phone": [self.phone, self.phone.replace(" ", ""), "987 654", "0491 570 156", "0491570156"],
            "names": [self.guest, first, "Z\\u00e9lie", "Z%C3%A9lie", last, last.lower(), self.new_name, self.child],
            "words": ["allergic to kiwi", "kiwi"],
        }


@asynccontextmanager
async def redis_of_our_own(folder: Path) -> AsyncIterator[str | None]:
    """A Redis for this run alone, or None where none is installed."""
    binary = which("redis-server")
    if binary is None:
        yield None
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        binary, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes",
        "--logfile", str(folder / "redis.log"),
    )  # fmt: skip
    try:
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionError:
                await asyncio.sleep(0.02)
                continue
            writer.close()
            break
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def after_the_run(scripted: ScriptedModel, model_url: str, data: Path) -> AsyncIterator[Scene]:
    """Start a stack in the folder `data` that logs and traces everything, run the scene, and keep it up."""
    logs = Logs()
    root, talkative = logging.getLogger(), [logging.getLogger(n) for n in ("httpx", "httpcore", "openai", "langfuse")]
    levels = [(logger, logger.level) for logger in (root, *talkative)]
    for logger, _ in levels:
        logger.setLevel(logging.DEBUG)
    quiet_clients()  # as `iq` does, whatever the log level
    root.addHandler(logs)
    async with redis_of_our_own(data) as redis_url, a_langfuse() as endpoint:
        settings = Settings(
            _env_file=None, data=data, model_base_url=model_url, redis_url=redis_url,
            langfuse_public_key="pk-leaks", langfuse_secret_key="sk-leaks", langfuse_host=endpoint.url,
            log_level="DEBUG",
        )  # fmt: skip
        async with Stack(settings, Ports(free_base()), controls=True) as stack:
            scene = Scene(stack, f"token-{secrets.token_hex(12)}", endpoint, logs, redis_url=redis_url)
            await _run(scene, scripted)
            assert stack.services is not None
            await asyncio.to_thread(stack.services.observer.flush)
            yield scene
    root.removeHandler(logs)
    for logger, level in levels:
        logger.setLevel(level)
    # Leftover Redis connections import modules when they are collected, which a later test's sandbox warns of.
    gc.collect()


async def _run(scene: Scene, scripted: ScriptedModel) -> None:
    base, venue = f"http://127.0.0.1:{scene.stack.ports.facade}", f"http://127.0.0.1:{scene.stack.ports.roller}"
    async with Operator(base, token=scene.token) as operator, Roller(venue) as roller:
        assert (await roller.http.post("/_sandbox/tokens", json={"token": scene.token})).is_success
        await roller.book(scene.guest)
        for act in (_a_question_and_a_rollback, _a_change_and_its_undo, _a_lost_write, _refusals, _an_expired_token):
            operator.session += "-next"
            await roller.clear_faults()
            await act(scene, operator, roller, scripted)


def _contact(scene: Scene) -> tuple[str, dict[str, Any]]:
    return "update_contact", {"last_name": scene.new_name, "email": scene.email, "phone": scene.phone}


def _note(scene: Scene) -> tuple[str, dict[str, Any]]:
    return "edit_note", {"note": f"{scene.child} is allergic to kiwi"}


def _contact_text(scene: Scene) -> str:
    return (
        f"change the last name of {scene.guest} to {scene.new_name}, her email to {scene.email} and her phone to "
        f"{scene.phone}"
    )


def _text(scene: Scene) -> str:
    return f"{_contact_text(scene)}, and add a note: {scene.child} is allergic to kiwi"


async def _a_question_and_a_rollback(scene: Scene, operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    question = {"ask_operator": {"question": f"Is {scene.child} the child of {scene.guest}?"}}
    scripted.script(scene.key, look_up(scene.guest), then(_contact(scene), _note(scene)), question, obey)
    shown = f"{scene.email} of {scene.guest} is not allowed with {scene.phone}"
    await roller.fault("update-a-booking", "status", status=409, body={"errors": [{"name": "X", "message": shown}]})
    plan = await operator.plan_for(_text(scene))
    await operator.confirm(plan)
    await operator.asked(plan)
    answer = await operator.answer(plan, f"yes, {scene.child}, call {scene.phone}")
    assert answer.status_code == 200, answer.text
    ended = await operator.settled(plan)
    assert ended["status"] == "rolled_back", ended
    scene.plans.append(ended)


async def _a_change_and_its_undo(scene: Scene, operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    scripted.script(scene.key, look_up(scene.guest), then(_contact(scene), _note(scene)), obey)
    plan = await operator.do(_text(scene))
    assert plan["status"] == "completed", plan
    booking = await roller.booking(plan["actions"][0]["parameters"]["booking_id"])
    place, theirs = f"/bookings/{booking['uniqueId']}", {"comments": f"{scene.child} is ill, call {scene.phone}"}
    assert (await roller.http.put(place, json=theirs)).is_success
    refused = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert refused.status_code == 409 and scene.child in refused.text, refused.text
    assert (await roller.http.put(place, json={"comments": booking["comments"]})).is_success
    undone = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert undone.status_code == 202, undone.text
    scene.plans.append(await operator.settled(plan))


async def _a_lost_write(scene: Scene, operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    scripted.script(scene.key, look_up(scene.guest), then(_contact(scene)), obey)
    plan = await operator.plan_for(_contact_text(scene))
    await roller.fault("update-guest-detail", "drop_before")
    await operator.confirm(plan)
    scene.plans.append(await operator.settled(plan))


async def _refusals(scene: Scene, operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    who = {"session_id": operator.session, "user_id": operator.user}
    odd = {**who, "user_message": _text(scene), scene.guest: scene.phone}
    assert (await operator.http.post("/v1/requests", json=odd)).status_code == 422
    long = {**who, "user_message": _text(scene) * 100}
    assert (await operator.http.post("/v1/requests", json=long)).status_code == 422
    scripted.script(scene.key, says(500, {"error": {"message": f"cannot think about {scene.guest}"}}))
    assert (await operator.post("/v1/requests", user_message=_text(scene), **who)).status_code == 503
    scripted.script(scene.key, f"I do not know any {scene.guest}, nor {scene.child}. Call {scene.phone}.")
    await operator.say(_text(scene))
    shown = {"errors": [{"name": "X", "message": f"no {scene.guest} here"}]}
    await roller.fault("search-for-bookings", "status", status=503, body=shown, times=50)
    scripted.script(scene.key, look_up(scene.guest))
    assert (await operator.post("/v1/requests", user_message=_text(scene), **who)).status_code == 503


async def _an_expired_token(scene: Scene, operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    scripted.script(scene.key, look_up(scene.guest), then(_note(scene), _contact(scene)), obey)
    plan = await operator.plan_for(_text(scene))
    await roller.fault("update-guest-detail", "expire_token")
    await operator.confirm(plan)
    # A plan whose rollback waits for a sign-in is shown only to a signed-in operator.
    for pause in pauses(0.1, 0.5):
        looked = await operator.http.get(f"/v1/plans/{plan['plan_id']}", params={"user_id": operator.user})
        if looked.status_code == 401:
            break
        assert looked.status_code == 200, looked.text
        await asyncio.sleep(pause)
    assert (await roller.http.post("/_sandbox/tokens", json={"token": scene.token})).is_success
    scene.plans.append(await operator.settled(plan))
