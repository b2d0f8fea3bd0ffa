"""`iq deploy`: which version of the workers begins new plans, and which older ones still carry some out."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli import starting

if TYPE_CHECKING:
    from infra.settings import Settings

app = typer.Typer(help="Versions of the workers (docs/deploy.md).", no_args_is_help=True)


@app.command("current")
def current(build_id: Annotated[str, typer.Argument(help="The IQ_BUILD_ID of workers that poll.")]) -> None:
    """Let workers of this version begin new plans and take over the chats. Plans go on where they began."""
    sys.exit(starting.run(_make_current(starting.settings(), build_id)))


@app.command("list")
def listed() -> None:
    """Show the versions, newest first, and whether the last plan of an older one has ended."""
    sys.exit(starting.run(_list(starting.settings())))


async def _make_current(settings: "Settings", build_id: str) -> int:
    from clients.deployments import IncompleteError, make_current
    from infra.temporal import connect

    try:
        await make_current(await connect(settings, wait=2), settings.task_queue, build_id)
    except IncompleteError as lacks:
        print(f"iq: {lacks}", file=sys.stderr)
        return 1
    print(f"New plans begin on workers of version {build_id}.")
    return 0


async def _list(settings: "Settings") -> int:
    from clients.deployments import Standing, versions
    from infra.temporal import connect

    said = {
        Standing.CURRENT: "new plans begin here",
        Standing.DRAINING: "may have plans: keep its workers",
        Standing.DRAINED: "has no plans any more: its workers may be stopped",
        Standing.NEVER_CURRENT: "was never current: it has no plans",
    }
    found = await versions(await connect(settings, wait=2), settings.task_queue)
    for one in found:
        print(f"{one.build_id:<30} {said[one.standing]}")
    if not found:
        print(f"No worker with an IQ_BUILD_ID has polled {settings.task_queue}.")
    return 0
