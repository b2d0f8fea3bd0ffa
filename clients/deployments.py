"""Versions of the workers, as Temporal knows them: one deployment by the name of the task queue, a version for each
`IQ_BUILD_ID`. New plans begin on the current one; a plan ends on the version that it began on."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from temporalio.api.enums.v1 import TaskQueueType, VersionDrainageStatus, WorkerVersioningMode
from temporalio.api.taskqueue.v1 import PollerInfo, TaskQueue
from temporalio.api.workflowservice.v1 import (
    DescribeTaskQueueRequest,
    DescribeWorkerDeploymentRequest,
    SetWorkerDeploymentCurrentVersionRequest,
)
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from infra.roles import EVERY, Role, queue_of

_POLLED_WITHIN = timedelta(seconds=75)
"""A worker's poll lasts a minute at most, so Temporal has seen one that lives within this. One that was killed is
missed sooner, by its own word (`infra.presence`)."""


class IncompleteError(ValueError):
    """A version lacks a part; the message says which, and what to do."""


class Standing(StrEnum):
    """How a version stands."""

    CURRENT = "current"
    DRAINING = "draining"
    DRAINED = "drained"
    NEVER_CURRENT = "never_current"


_DRAINAGE = {
    VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINING: Standing.DRAINING,
    VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINED: Standing.DRAINED,
}


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the workers."""

    build_id: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class Seen:
    """Who polls a task queue: the versions of its workers, "" of those without one; and which version is current."""

    builds: frozenset[str]
    current: str


async def seen_at(client: Client, role: Role, queue: str) -> Seen:
    """Who polls it by Temporal's account, within the last minute or so. Raises `RPCError`."""
    answer = await client.workflow_service.describe_task_queue(
        DescribeTaskQueueRequest(
            namespace=client.namespace,
            task_queue=TaskQueue(name=queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW
            if role is Role.PLAN
            else TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
        ),
        timeout=timedelta(seconds=1),
    )
    recent = datetime.now(UTC) - _POLLED_WITHIN
    builds = {_build_of(one) for one in answer.pollers if one.last_access_time.ToDatetime(UTC) > recent}
    return Seen(frozenset(builds), answer.versioning_info.current_deployment_version.build_id)


def _build_of(poller: PollerInfo) -> str:
    says = poller.deployment_options
    versioned = says.worker_versioning_mode == WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED
    return says.build_id if versioned else ""


async def make_current(client: Client, deployment: str, build_id: str) -> None:
    """Let new plans begin on this version. Raises `IncompleteError` where others poll a task queue that it does not:
    Temporal would take it, and new plans would wait there. Raises `RPCError`: it has never polled."""
    seen = {role: await seen_at(client, role, queue_of(deployment, role)) for role in EVERY}
    if any(build_id in one.builds for one in seen.values()):
        for role, one in seen.items():
            if build_id not in one.builds and (one.builds or role is Role.PLAN):
                raise IncompleteError(
                    f"no worker of version {build_id} polls {queue_of(deployment, role)}, so plans would wait there. "
                    f"Start one first: IQ_BUILD_ID={build_id} iq worker --role {role}"
                )
    await client.workflow_service.set_worker_deployment_current_version(
        SetWorkerDeploymentCurrentVersionRequest(
            namespace=client.namespace, deployment_name=deployment, build_id=build_id
        )
    )


async def versions(client: Client, deployment: str) -> list[Version]:
    """Those that ever polled and are still known, newest first. Temporal notices some minutes late that a version has
    no plans any more. Raises `RPCError`."""
    try:
        answer = await client.workflow_service.describe_worker_deployment(
            DescribeWorkerDeploymentRequest(namespace=client.namespace, deployment_name=deployment)
        )
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return []
        raise
    info = answer.worker_deployment_info
    now = info.routing_config.current_deployment_version.build_id
    found = sorted(info.version_summaries, key=lambda v: v.create_time.ToNanoseconds(), reverse=True)
    return [
        Version(build, Standing.CURRENT if build == now else _DRAINAGE.get(one.drainage_status, Standing.NEVER_CURRENT))
        for one in found
        for build in (one.deployment_version.build_id,)
    ]
