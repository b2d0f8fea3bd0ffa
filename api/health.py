"""Liveness and readiness. `/readyz` answers 200 once every part that a request needs is there."""

import asyncio
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, Response
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client

from api.injected import PlansDep, RegistriesDep, SettingsDep, VaultDep
from clients.registries import Registries
from infra.vault import Vault

router = APIRouter(tags=["health"])

_POLLED_WITHIN = timedelta(seconds=75)
"""A worker's poll lasts a minute at most, so one that lives was seen within this."""


@router.get("/healthz", summary="Is the process alive?")
async def alive() -> dict[str, str]:
    """200 as long as the process answers."""
    return {"status": "ok"}


@router.get("/readyz", summary="Is every part ready?")
async def ready(
    plans: PlansDep, settings: SettingsDep, vault: VaultDep, registries: RegistriesDep, response: Response
) -> dict[str, object]:
    """200 with each part `ok`, else 503 with what is missing. `notes` tells of actions that are older than their files,
    since those are broken."""
    names = ("temporal", "worker", "vault", "registry")
    checks: tuple[Awaitable[str], ...] = (
        _temporal(plans.client),
        _worker(plans.client, settings.task_queue),
        _vault(vault),
        _registry(registries),
    )
    found = await asyncio.gather(*(_within(c) for c in checks))
    states = dict(zip(names, found, strict=True))
    good = all(state == "ok" for state in states.values())
    response.status_code = 200 if good else 503
    notes = list(registries.registry.standing_in)
    return {"status": "ready" if good else "not ready", "parts": states, **({"notes": notes} if notes else {})}


async def _within(check: Awaitable[str]) -> str:
    try:
        async with asyncio.timeout(1.5):
            return await check
    except Exception as error:
        return f"{type(error).__name__}"


async def _temporal(client: Client) -> str:
    return "ok" if await client.service_client.check_health(timeout=timedelta(seconds=1)) else "not serving"


async def _worker(client: Client, queue: str) -> str:
    answer = await client.workflow_service.describe_task_queue(
        DescribeTaskQueueRequest(
            namespace=client.namespace,
            task_queue=TaskQueue(name=queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        ),
        timeout=timedelta(seconds=1),
    )
    recent = datetime.now(UTC) - _POLLED_WITHIN
    seen = any(p.last_access_time.ToDatetime(UTC) > recent for p in answer.pollers)
    return "ok" if seen else "no worker polls"


async def _vault(vault: Vault) -> str:
    reference = await vault.put("probe", 1)
    await vault.wipe(reference)
    return "ok"


async def _registry(registries: Registries) -> str:
    await registries.take_up()
    return "ok" if all(pack.actions for pack in registries.registry.packs) else "a pack has no actions"
