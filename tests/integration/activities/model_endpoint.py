"""The model activity and its scripted endpoint, over the real OpenAI protocol."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from fastapi import FastAPI
from temporalio.testing import ActivityEnvironment

from activities.reason import ReasonActivity
from clients.model import ModelClient
from clients.modes import Modes
from clients.registry import Registries
from contracts.chat_completion import ChatMessage, ModelReply, ReasonRequest
from contracts.enums import AiMode, SafetyTier, StepStatus
from contracts.plan import PlannedAction
from infra.config.settings import ROOT, Settings
from infra.http.http_server import http_server
from infra.observability.observer import Observer
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from registry.loading.folder_registry import FolderRegistry
from tests.support.scripted_model import ScriptedModel
from tests.support.waiting import LIMIT

VENUE = "roller-demo"
TEXT = "Move John Smith's party to 3pm, john@example.com"


class Endpoint:
    """The scripted model as a test uses it."""

    def __init__(self, scripted: ScriptedModel, url: str, model: ReasonActivity) -> None:
        self.scripted, self.url, self.model = scripted, url, model

    async def reason(self, *replies: Any, within: float = LIMIT, **fields: Any) -> ModelReply:
        """Return the activity's answer when the model sends these replies, the last one repeated. `within`: the
        activity's timeout in seconds."""
        self.scripted.script("John", *replies)
        given = {
            "venue_id": VENUE,
            "now": datetime(2026, 11, 27, tzinfo=UTC),
            "messages": (user_message(TEXT),),
            "mode": AiMode.STANDARD,
        }
        environment = ActivityEnvironment()
        environment.info = replace(environment.info, start_to_close_timeout=timedelta(seconds=within))
        answer: ModelReply = await environment.run(self.model.reason, ReasonRequest(**{**given, **fields}))
        return answer

    @property
    def asked(self) -> dict[str, Any]:
        """Return the body of the last request."""
        return self.scripted.seen["John"][-1]


def a_goal(status: StepStatus = StepStatus.PENDING) -> PlannedAction:
    return PlannedAction(
        step=1, action_id="reschedule_booking", title="Reschedule", status=status, safety_tier=SafetyTier.NORMAL,
        parameters={"booking_id": "b-1", "new_start_time": "15:00"}, reversible=True,
    )  # fmt: skip


def user_message(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def a_model(url: str, pack: Path, **fields: Any) -> ReasonActivity:
    given = {"model_timeout": 60, **fields}
    settings = Settings(
        _env_file=None, model_base_url=url, model_api_key="sk-endpoint", model="scripted", service_key="svc-key",
        packs=(pack,), **given,
    )  # fmt: skip
    registries = Registries(FolderRegistry(settings.packs), PublishedVersion(Store()))
    return ReasonActivity(ModelClient(settings, Observer()), registries, Modes())


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ROLLER pack with one more action, which is blocked."""
    folder = Path(copytree(ROOT / "overlays" / "roller", tmp_path_factory.mktemp("packs") / "roller"))
    text = (folder / "actions" / "get_booking.yaml").read_text()
    blocked = text.replace("action: get_booking", "action: peek_booking")
    blocked = blocked.replace("iq_enabled: true", "iq_enabled: true\nsafety: blocked")
    (folder / "actions" / "peek_booking.yaml").write_text(blocked)
    return folder


@pytest.fixture(scope="module")
async def endpoint(pack: Path) -> AsyncIterator[Endpoint]:
    scripted = ScriptedModel(FastAPI())
    server = http_server(scripted.app, "127.0.0.1", 0, drain=0)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    model = a_model(url, pack)
    yield Endpoint(scripted, url, model)
    await model._client.close()
    server.should_exit = True
    await task
