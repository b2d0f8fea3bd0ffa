"""`iq restaurant`: the reservations service of the tools contract, alone, and the deletion of its old bookings."""

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
    """Serve the nine tools until stopped. With `purge`: delete past bookings."""
    settings = _with(kb=kb, host=host, port=port, controls=controls or None, database=database, data=data)
    context.obj = settings
    if context.invoked_subcommand is not None:
        return
    from cli.run import run
    from cli.stack import processes
    from infra.http.http_server import DRAIN
    from restaurant.app import create_app

    service = _assembled(settings)
    drain = service.desk.call_within + DRAIN
    run(processes.serve_http(create_app(service), settings.restaurant_host, settings.restaurant_port, drain=drain))


@app.command()
def purge(context: typer.Context) -> None:
    """Delete the bookings of days before today minus IQ_RESTAURANT_KEEP_DAYS, and print how many."""
    from cli.run import run
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
    """Return the settings, overridden by the command line."""
    from pydantic import ValidationError

    from cli import run as starting
    from infra.config.settings import Settings

    starting.settings()
    changed = {f"restaurant_{key}": value for key, value in given.items() if value is not None}
    if data is not None:
        changed["data"] = data
    try:
        return Settings(**changed)
    except ValidationError as error:
        sys.exit("iq: " + "; ".join(one["msg"] for one in error.errors()))


def _assembled(settings: Any) -> Any:
    from restaurant.auth import MissingSecretError
    from restaurant.knowledge import KnowledgeError
    from restaurant.service import assemble

    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        return assemble(settings)
    except (KnowledgeError, MissingSecretError, OSError) as error:
        sys.exit(f"iq: {error}")
