"""Worker versions in Temporal: one deployment named like the task queue, with a version for each `IQ_BUILD_ID`. New
plans start on the current version; a plan ends on the version that it started on."""

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

from infra.temporal.task_queues import ALL_ROLES, Role, task_queue_for

_POLLED_WITHIN = timedelta(seconds=75)
"""A worker's poll lasts at most a minute, so Temporal has seen a live worker within this time. A killed worker is
detected earlier by its missing heartbeat (`infra.stores.worker_presence`)."""


class IncompleteError(ValueError):
    """A version lacks a part. The message names it and the next step."""


class VersionState(StrEnum):
    """The state of a version."""

    CURRENT = "current"
    DRAINING = "draining"
    DRAINED = "drained"
    NEVER_CURRENT = "never_current"


_DRAINAGE = {
    VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINING: VersionState.DRAINING,
    VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINED: VersionState.DRAINED,
}


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the workers."""

    build_id: str
    state: VersionState


@dataclass(frozen=True, slots=True)
class Pollers:
    """The pollers of a task queue: the versions of its workers, "" for workers without one; and the current version."""

    builds: frozenset[str]
    current: str


async def pollers(client: Client, role: Role, queue: str) -> Pollers:
    """Return the pollers of a queue within about the last minute, as Temporal reports them. Raises `RPCError`."""
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
    return Pollers(frozenset(builds), answer.versioning_info.current_deployment_version.build_id)


def _build_of(poller: PollerInfo) -> str:
    says = poller.deployment_options
    versioned = says.worker_versioning_mode == WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED
    return says.build_id if versioned else ""


async def make_current(client: Client, deployment: str, build_id: str) -> None:
    """Make this version current, so that new plans start on it. Raises `IncompleteError` if other versions poll a task
    queue that this one does not, because Temporal would accept it and new plans would wait there. Raises `RPCError` if
    it has never polled."""
    seen = {role: await pollers(client, role, task_queue_for(deployment, role)) for role in ALL_ROLES}
    if any(build_id in one.builds for one in seen.values()):
        for role, one in seen.items():
            if build_id not in one.builds and (one.builds or role is Role.PLAN):
                raise IncompleteError(
                    f"no worker of version {build_id} polls {task_queue_for(deployment, role)}, so plans would wait "
                    f"there. Start one first: IQ_BUILD_ID={build_id} iq worker --role {role}"
                )
    await client.workflow_service.set_worker_deployment_current_version(
        SetWorkerDeploymentCurrentVersionRequest(
            namespace=client.namespace, deployment_name=deployment, build_id=build_id
        )
    )


async def versions(client: Client, deployment: str) -> list[Version]:
    """Return the versions that have polled and are still known, newest first. Temporal detects with a delay of some
    minutes that a version has no more plans. Raises `RPCError`."""
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
        Version(
            build,
            VersionState.CURRENT if build == now else _DRAINAGE.get(one.drainage_status, VersionState.NEVER_CURRENT),
        )
        for one in found
        for build in (one.deployment_version.build_id,)
    ]
