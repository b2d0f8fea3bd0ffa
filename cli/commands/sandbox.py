"""`iq sandbox resos|octotable|sheets`: simulations of the systems in which restaurants keep their reservations."""

from pathlib import Path
from typing import Annotated, Literal

import typer

app = typer.Typer()

PortOption = Annotated[int, typer.Option(help="Port to listen on.")]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder for all local state (default: .iq).")]
ControlsOption = Annotated[bool, typer.Option("--controls", help="Turn the fault, journal and count endpoints on.")]


@app.command("resos")
def sandbox_resos(
    port: PortOption = 8707,
    data: DataOption = None,
    controls: ControlsOption = False,
    phone_filter: Annotated[
        Literal["honoured", "ignored"], typer.Option(help="How a query by phone is handled.")
    ] = "honoured",
    per_second: Annotated[int | None, typer.Option(help="Requests a second before a 429; none is no limit.")] = None,
) -> None:
    """Serve a simulation of the resOS API: one restaurant, three tables. `iq sandbox bookeo` has the same port."""
    from cli import run
    from cli.stack import processes
    from sandbox import resos

    database = _folder(data) / "resos.db"
    made = resos.create_app(database=database, controls=controls, phone_filter=phone_filter, per_second=per_second)
    print(f"Let in by IQ_RESOS_KEY={resos.API_KEY} at IQ_RESOS_URL=http://127.0.0.1:{port}/v1", flush=True)
    run.run(processes.serve_http(made, "127.0.0.1", port))


@app.command("octotable")
def sandbox_octotable(
    port: PortOption = 8708,
    data: DataOption = None,
    controls: ControlsOption = False,
    token_seconds: Annotated[float, typer.Option(help="How long an access token counts.")] = 1440,
) -> None:
    """Serve a simulation of the OctoTable API for one property."""
    from cli import run
    from cli.stack import processes
    from sandbox import octotable

    database = _folder(data) / "octotable.db"
    made = octotable.create_app(database=database, controls=controls, token_seconds=token_seconds)
    address = f"http://127.0.0.1:{port}"
    print(
        f"Let in by IQ_OCTOTABLE_CLIENT_ID={octotable.CLIENT_ID} IQ_OCTOTABLE_CLIENT_SECRET={octotable.CLIENT_SECRET}\n"
        f"for the property {octotable.PROPERTY} at IQ_OCTOTABLE_URL={address}{octotable.PATH}\n"
        f"with IQ_OCTOTABLE_AUTH_URL={address}{octotable.AUTH_PATH}",
        flush=True,
    )
    run.run(processes.serve_http(made, "127.0.0.1", port))


@app.command("sheets")
def sandbox_sheets(
    port: PortOption = 8709,
    data: DataOption = None,
    controls: ControlsOption = False,
    write_lag: Annotated[float, typer.Option(help="Seconds until a write takes effect, so that writers race.")] = 0,
) -> None:
    """Serve a simulation of a part of the Google Sheets API, with its quotas. `iq sandbox first` has the same port."""
    from cli import run
    from cli.stack import processes
    from sandbox import sheets

    database = _folder(data) / "sheets.db"
    made = sheets.create_app(database=database, controls=controls, write_lag=write_lag)
    print(
        f"Any bearer token lets in: IQ_SHEETS_TOKEN=sandbox-token at IQ_SHEETS_URL=http://127.0.0.1:{port}\n"
        f"for the spreadsheet {sheets.SPREADSHEET} with the empty sheet Bookings",
        flush=True,
    )
    run.run(processes.serve_http(made, "127.0.0.1", port))


def _folder(data: Path | None) -> Path:
    from cli import run

    folder: Path = data or run.settings().data
    folder.mkdir(parents=True, exist_ok=True)
    return folder
