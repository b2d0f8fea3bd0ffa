"""Liveness and readiness. `/readyz` answers 200 once every part that a request needs is there."""

import asyncio
import logging
from collections.abc import Awaitable
from datetime import timedelta

from fastapi import APIRouter, Response
from redis.exceptions import RedisError
from temporalio.client import Client
from temporalio.service import RPCError

from api.injected import (
    AttributesDep,
    PlansDep,
    PresenceDep,
    RegistriesDep,
    SettingsDep,
    SetupsDep,
    StoppingDep,
    TemporalWatchDep,
    UnwellDep,
    VaultDep,
)
from api.unwell import OK
from clients.attributes import Attributes, told_missing
from clients.deployments import seen_at
from clients.registries import Registries
from infra.presence import Presence, polls
from infra.roles import EVERY, Role, queue_of
from infra.settings import Settings
from infra.setups import Setups, keys_apart, venues_apart
from infra.vault import StoreAwayError, Vault

log = logging.getLogger(__name__)

router = APIRouter(tags=["health"])

_WITHIN = 1.5
"""Seconds that each part has."""

_STORE_WITHIN = 1.0
"""Seconds: a Redis that hangs is named, too, and not the wait for it."""

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
    attributes: AttributesDep,
    setups: SetupsDep,
    watch: TemporalWatchDep,
    unwell: UnwellDep,
    stopping: StoppingDep,
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
        "search_attributes": _attributes(attributes),
        "keys": _keys(setups),
        "vault": _vault(vault, settings, presence),
        "registry": _registry(registries),
    }
    # All at once: who asks whether a process is ready waits no longer than for one part.
    found, apart = await asyncio.gather(asyncio.gather(*(_within(c) for c in checks.values())), _apart(setups))
    states = dict(zip(checks, found, strict=True))
    since = unwell.since(states, {"temporal": watch.away_since})
    good = not since
    response.status_code = 200 if good else 503
    notes = [*registries.registry.standing_in, *apart]
    told: dict[str, object] = {"status": "ready" if good else "not ready", "parts": states}
    return told | ({} if good else {"since": since}) | ({"notes": notes} if notes else {})


async def _within(check: Awaitable[str]) -> str:
    try:
        async with asyncio.timeout(_WITHIN):
            return await check
    except RPCError as error:
        return f"not known: Temporal does not say ({error.status.name})"
    except RedisError:
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


async def _workers(client: Client, settings: Settings, presence: Presence) -> str:
    """Whether somebody polls each queue at which plans that begin now ask."""
    queues = {role: queue_of(settings.task_queue, role) for role in (EVERY if settings.split_queues else (Role.PLAN,))}
    found = await asyncio.gather(*(_polling(client, role, queue, presence) for role, queue in queues.items()))
    return "; ".join(said for said in found if said) or OK


async def _polling(client: Client, role: Role, queue: str, presence: Presence) -> str:
    """What is wrong with a queue; nothing where a living worker polls it, of the version on which plans begin now."""
    seen = await seen_at(client, role, queue)
    wanted = seen.current
    if wanted in seen.builds and await presence.polled(polls(queue, wanted)) is not False:
        return ""
    others = sorted(build for build in seen.builds - {wanted} if build)
    missing = f"no worker of version {wanted}" if wanted else "no worker"
    return f"{missing} polls {queue}" + (f"; of {', '.join(others)} some do: `iq deploy current …`" if others else "")


async def _attributes(attributes: Attributes) -> str:
    missing = await attributes.missing()
    return "; ".join(told_missing(key) for key in missing) or OK


async def _keys(setups: Setups) -> str:
    """Whether anybody at work understands what this process writes. With some that do not it goes on serving: one
    worker that is set up wrongly must not take every facade away."""
    wrong = [keys_apart(setups.own, [one]) for one in await setups.workers()]
    if not wrong or not all(wrong):
        return OK
    return "; ".join(sorted({said for one in wrong for said in one})) + ": give all the same IQ_KEYS"


async def _apart(setups: Setups) -> list[str]:
    """How living workers are set up otherwise than this process."""
    try:
        workers = await setups.workers()
    except (RedisError, OSError):
        return []
    return [said for said in (*keys_apart(setups.own, workers), venues_apart(setups.own, workers)) if said]


async def _vault(vault: Vault, settings: Settings, presence: Presence) -> str:
    """Whether a token can be kept, and where a worker finds it."""
    here = polls(settings.task_queue, settings.build_id or "")
    if settings.redis_url is None and await presence.polled(here) is None:
        return "REDIS_URL is not set, so workers in other processes never see who is signed in: give all the same Redis"
    try:
        async with asyncio.timeout(_STORE_WITHIN):
            reference = await vault.put("probe", 1)
            await vault.wipe(reference)
    except (StoreAwayError, TimeoutError):
        return _NO_REDIS
    return OK


async def _registry(registries: Registries) -> str:
    await registries.take_up()
    return OK if all(pack.actions for pack in registries.registry.packs) else "a pack has no actions"
