"""Liveness and readiness. `/readyz` answers 200 once every part that a request needs is available."""

import asyncio
import logging
from collections.abc import Awaitable
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from temporalio.client import Client
from temporalio.service import RPCError

from api.dependencies import FromState, PlansDep, RegistriesDep, SettingsDep
from api.health_history import OK, HealthHistory
from api.shutdown import Shutdown
from clients.registry import Registries
from clients.temporal.deployments import pollers
from clients.temporal.search_attributes import missing_attributes, missing_message
from infra.config.settings import Settings
from infra.errors import DependencyUnavailableError
from infra.stores.store import answer_within
from infra.stores.token_vault import Vault
from infra.stores.worker_config import WorkerConfigs, key_mismatch, venue_mismatch
from infra.stores.worker_presence import WorkerPresence, polls
from infra.temporal.health import TemporalHealth
from infra.temporal.task_queues import ALL_ROLES, Role, task_queue_for

log = logging.getLogger(__name__)

HealthHistoryDep = Annotated[HealthHistory, Depends(FromState(lambda app: app.unwell))]
ShutdownDep = Annotated[Shutdown, Depends(FromState(lambda app: app.stopping))]
WorkerConfigsDep = Annotated[WorkerConfigs, Depends(FromState(lambda app: app.services.worker_configs))]
PresenceDep = Annotated[WorkerPresence, Depends(FromState(lambda app: app.services.worker_presence))]
TemporalHealthDep = Annotated[TemporalHealth, Depends(FromState(lambda app: app.services.temporal))]
VaultDep = Annotated[Vault, Depends(FromState(lambda app: app.services.vault))]

router = APIRouter(tags=["health"])

_WITHIN = 1.5
"""Seconds for the check of each part."""

_NO_REDIS = "no answer at REDIS_URL"


@router.get("/healthz", summary="Is the process alive?")
async def alive() -> dict[str, str]:
    """200 as long as the process answers."""
    return {"status": "ok"}


@router.get("/readyz", summary="Is every part ready?")
async def ready(
    plans: PlansDep,
    settings: SettingsDep,
    vault: VaultDep,
    registries: RegistriesDep,
    presence: PresenceDep,
    setups: WorkerConfigsDep,
    watch: TemporalHealthDep,
    unwell: HealthHistoryDep,
    stopping: ShutdownDep,
    response: Response,
) -> dict[str, object]:
    """200 with each part `ok`, else 503 with what is missing: a worker that was killed within ten seconds, a search
    attribute that Temporal does not know at once, and that no living worker has this process's keys. `since` tells when
    this process saw it first, `notes` of actions that are older than their files, since those are broken, and of
    workers that are set up otherwise. 503 with the status `stopping` once this process is stopping."""
    if stopping.begun:
        response.status_code = 503
        return {"status": "stopping"}
    checks: dict[str, Awaitable[str]] = {
        "temporal": _temporal(plans.client),
        "worker": _workers(plans.client, settings, presence),
        "search_attributes": _attributes(plans.client),
        "keys": _keys(setups),
        "vault": _vault(vault, settings, presence),
        "registry": _registry(registries),
    }
    # All at once, so that the caller waits no longer than for one part.
    found, apart = await asyncio.gather(asyncio.gather(*(_within(c) for c in checks.values())), _apart(setups))
    states = dict(zip(checks, found, strict=True))
    since = unwell.since(states, {"temporal": watch.away_since})
    good = not since
    response.status_code = 200 if good else 503
    notes = [*registries.registry.retained, *apart]
    fields: dict[str, object] = {"status": "ready" if good else "not ready", "parts": states}
    return fields | ({} if good else {"since": since}) | ({"notes": notes} if notes else {})


async def _within(check: Awaitable[str]) -> str:
    try:
        async with asyncio.timeout(_WITHIN):
            return await check
    except RPCError as error:
        return f"not known: Temporal does not say ({error.status.name})"
    except DependencyUnavailableError:
        return f"not known: {_NO_REDIS}"
    except TimeoutError:
        return f"no answer within {_WITHIN:g} s"
    except Exception as error:
        log.exception("what /readyz asks has failed")
        return f"not known ({type(error).__name__}): the log of this process says more"


async def _temporal(client: Client) -> str:
    try:
        serving = await client.service_client.check_health(timeout=timedelta(seconds=1))
    except (RPCError, RuntimeError) as error:
        why = error.status.name if isinstance(error, RPCError) else type(error).__name__
        return f"no answer at TEMPORAL_ADDRESS ({why})"
    return OK if serving else "Temporal says that it is not serving"


async def _workers(client: Client, settings: Settings, presence: WorkerPresence) -> str:
    """Return `ok` if every queue of new plans has a worker, else the problem."""
    queues = {
        role: task_queue_for(settings.task_queue, role)
        for role in (ALL_ROLES if settings.split_queues else (Role.PLAN,))
    }
    found = await asyncio.gather(*(_polling(client, role, queue, presence) for role, queue in queues.items()))
    return "; ".join(text for text in found if text) or OK


async def _polling(client: Client, role: Role, queue: str, presence: WorkerPresence) -> str:
    """Return the problem of a queue; empty if a living worker polls it, of the version on which new plans begin."""
    seen = await pollers(client, role, queue)
    wanted = seen.current
    if wanted in seen.builds and await presence.is_alive(polls(queue, wanted)) is not False:
        return ""
    others = sorted(build for build in seen.builds - {wanted} if build)
    missing = f"no worker of version {wanted}" if wanted else "no worker"
    return f"{missing} polls {queue}" + (f"; of {', '.join(others)} some do: `iq deploy current …`" if others else "")


async def _attributes(client: Client) -> str:
    return "; ".join(missing_message(key) for key in await missing_attributes(client)) or OK


async def _keys(setups: WorkerConfigs) -> str:
    """Return `ok` if a living worker has matching keys, else the problem. If only some workers do not, the check
    passes, because one misconfigured worker must not make every API process unavailable."""
    wrong = [key_mismatch(setups.own, [one]) for one in await setups.workers()]
    if not wrong or not all(wrong):
        return OK
    return "; ".join(sorted({text for one in wrong for text in one})) + ": give all the same IQ_KEYS"


async def _apart(setups: WorkerConfigs) -> list[str]:
    """Return how living workers are configured differently from this process."""
    try:
        workers = await setups.workers()
    except DependencyUnavailableError:
        return []
    return [text for text in (*key_mismatch(setups.own, workers), venue_mismatch(setups.own, workers)) if text]


async def _vault(vault: Vault, settings: Settings, presence: WorkerPresence) -> str:
    """Return `ok` if a token can be stored where workers read it, else the problem."""
    here = polls(settings.task_queue, settings.build_id or "")
    if settings.redis_url is None and await presence.is_alive(here) is None:
        return "REDIS_URL is not set, so workers in other processes never see who is signed in: give all the same Redis"
    try:
        # A hanging Redis must be reported by its name, not as a timeout of the check.
        async with answer_within():
            await vault.wipe(await vault.put("probe", 1))
    except DependencyUnavailableError:
        return _NO_REDIS
    return OK


async def _registry(registries: Registries) -> str:
    await registries.take_up()
    return OK if all(pack.actions for pack in registries.registry.packs) else "a pack has no actions"
