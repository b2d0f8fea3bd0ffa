"""`iq deploy`: the version of the workers that starts new plans, and the older ones that still run some."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli import run

if TYPE_CHECKING:
    from infra.config.settings import Settings

app = typer.Typer(help="Versions of the workers (docs/deploy.md).", no_args_is_help=True)


@app.command("current")
def current(build_id: Annotated[str, typer.Argument(help="The IQ_BUILD_ID of workers that poll.")]) -> None:
    """Let workers of this version start new plans and take over the chats. Plans stay on their version."""
    sys.exit(run.run(_make_current(run.settings(), build_id)))


@app.command("list")
def listed() -> None:
    """Show the versions, newest first, and whether the last plan of an older one has ended."""
    sys.exit(run.run(_list(run.settings())))


async def _make_current(settings: "Settings", build_id: str) -> int:
    from clients.temporal.deployments import IncompleteError, make_current
    from infra.temporal.client import connect

    try:
        await make_current(await connect(settings, wait=2), settings.task_queue, build_id)
    except IncompleteError as lacks:
        print(f"iq: {lacks}", file=sys.stderr)
        return 1
    print(f"New plans begin on workers of version {build_id}.")
    return 0


async def _list(settings: "Settings") -> int:
    from clients.temporal.deployments import VersionState, versions
    from infra.temporal.client import connect

    texts = {
        VersionState.CURRENT: "new plans begin here",
        VersionState.DRAINING: "may have plans: keep its workers",
        VersionState.DRAINED: "has no plans any more: its workers may be stopped",
        VersionState.NEVER_CURRENT: "was never current: it has no plans",
    }
    found = await versions(await connect(settings, wait=2), settings.task_queue)
    for one in found:
        print(f"{one.build_id:<30} {texts[one.state]}")
    if not found:
        print(f"No worker with an IQ_BUILD_ID has polled {settings.task_queue}.")
    return 0
