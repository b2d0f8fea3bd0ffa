"""Versions of the workers, as Temporal knows them: one deployment by the name of the task queue, a version for each
`IQ_BUILD_ID`. New plans begin on the current one; a plan ends on the version that it began on."""

from dataclasses import dataclass
from enum import StrEnum

from temporalio.api.enums.v1 import VersionDrainageStatus
from temporalio.api.workflowservice.v1 import (
    DescribeWorkerDeploymentRequest,
    SetWorkerDeploymentCurrentVersionRequest,
)
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode


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


async def make_current(client: Client, deployment: str, build_id: str) -> None:
    """Let new plans begin on this version. Raises `RPCError`: it has never polled, or does not poll all task queues
    that the version before polls."""
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
