"""`iq restaurant`: the reservations service of the tools contract, alone; and what it forgets."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    help="The restaurants' reservations service (docs/restaurant.md).",
    invoke_without_command=True,
    add_completion=False,
)

KbOption = Annotated[Path | None, typer.Option("--kb", help="Folder with a YAML file a restaurant.")]
DatabaseOption = Annotated[
    str | None, typer.Option("--database", help="PostgreSQL or sqlite:// URL for bookings; a file in the data folder.")
]


@app.callback()
def serve(
    context: typer.Context,
    kb: KbOption = None,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; beyond this machine it needs a secret.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on (default: 8702).")] = None,
    controls: Annotated[bool, typer.Option("--controls", help="Let an outside suite set the clock.")] = False,
    database: DatabaseOption = None,
    data: Annotated[Path | None, typer.Option("--data", help="Folder for all local state (default: .iq).")] = None,
) -> None:
    """Serve the nine tools until told to stop. With `purge`: forget bookings that are over."""
    settings = _with(kb=kb, host=host, port=port, controls=controls or None, database=database, data=data)
    context.obj = settings
    if context.invoked_subcommand is not None:
        return
    from cli import parts
    from cli.starting import run
    from cli.web import DRAIN
    from restaurant.app import create_app

    service = _assembled(settings)
    drain = service.desk.call_within + DRAIN
    run(parts.run_http(create_app(service), settings.restaurant_host, settings.restaurant_port, drain=drain))


@app.command()
def purge(context: typer.Context) -> None:
    """Forget the bookings of days before today less IQ_RESTAURANT_KEEP_DAYS, and say how many."""
    from cli.starting import run
    from restaurant.providers import ProviderError

    service = _assembled(context.obj)

    async def forget() -> None:
        try:
            for restaurant_id, number in (await service.purge()).items():
                print(f"{restaurant_id}: {'kept by its provider' if number is None else f'{number} forgotten'}")
        except ProviderError as error:
            sys.exit(f"iq: bookings could not be purged: {error}")
        finally:
            await service.close()

    run(forget())


def _with(*, data: Path | None, **given: Any) -> Any:
    """The settings with what the command line says instead."""
    from pydantic import ValidationError

    from cli import starting
    from infra.settings import Settings

    starting.settings()
    changed = {f"restaurant_{key}": value for key, value in given.items() if value is not None}
    if data is not None:
        changed["data"] = data
    try:
        return Settings(**changed)
    except ValidationError as error:
        sys.exit("iq: " + "; ".join(one["msg"] for one in error.errors()))


def _assembled(settings: Any) -> Any:
    from restaurant.doors import OpenDoorError
    from restaurant.knowledge import KnowledgeError
    from restaurant.service import assemble

    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        return assemble(settings)
    except (KnowledgeError, OpenDoorError, OSError) as error:
        sys.exit(f"iq: {error}")
