"""The `iq` command."""

import asyncio
import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer

from cli import run
from cli.commands import actions, deploy, pack, restaurant, sandbox, usage, who
from cli.oncall import commands as oncall
from infra.temporal.task_queues import ALL_ROLES, Role

app = typer.Typer(
    help="Booking updates in plain language: planned by a model, confirmed once, run and undone by Temporal.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
sandboxes = typer.Typer(help="Local stand-ins for systems we do not own.", no_args_is_help=True)
app.add_typer(sandboxes, name="sandbox")
sandboxes.add_typer(sandbox.app)

keys = typer.Typer(help="Keys that payloads and tokens are encrypted with.", no_args_is_help=True)
app.add_typer(keys, name="keys")

evaluations = typer.Typer(help="How well the resolver or a planner does on a case file.", no_args_is_help=True)
app.add_typer(evaluations, name="eval")
models = typer.Typer(help="The model endpoint.", no_args_is_help=True)
app.add_typer(models, name="model")

app.add_typer(deploy.app, name="deploy")
app.add_typer(pack.app, name="pack")
app.add_typer(actions.app, name="actions")
app.add_typer(usage.venue, name="venue")
app.add_typer(usage.tariff, name="tariff")
app.add_typer(restaurant.app, name="restaurant")
app.command()(usage.usage)
app.command()(who.who)
for command in (oncall.stuck, oncall.plan, oncall.replay, oncall.resolve, oncall.whatif):
    app.command()(command)
keys.command("add")(oncall.keys_add)

CasesArgument = Annotated[Path, typer.Argument(help="A case file, one JSON object a line.")]
MissesOption = Annotated[bool, typer.Option("--misses", help="List every case that is not right.")]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder for all local state (default: .iq).")]
ControlsOption = Annotated[bool, typer.Option("--controls", help="Turn the sandbox's fault and journal endpoints on.")]


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"iq {version('iq-booking-updates')}")
        raise typer.Exit


@app.callback()
def iq(
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is, and end.")
    ] = False,
) -> None:
    """Options of all commands."""


@app.command()
def dev(
    port_base: Annotated[
        int,
        typer.Option(
            help="The facade's port. The sandboxes are at +1 and +7, the model at +4, Temporal at +5, its UI at +6."
        ),
    ] = 8700,
    data: DataOption = None,
    controls: ControlsOption = False,
) -> None:
    """Run everything embedded: Temporal with its UI, offline model, worker, API, and a sandbox for each pack of
    IQ_PACKS that has one and no address of its own in IQ_VENUE_URLS."""
    from cli.stack import dev as stack

    run.restrict_umask()
    settings = stack.data_folder(data, run.settings())
    run.run(stack.run(settings, stack.Ports(port_base), controls=controls))


@app.command()
def worker(
    role: Annotated[
        list[Role] | None,
        typer.Option(help="What it does; may be given several times. Everything where left out (docs/deploy.md)."),
    ] = None,
) -> None:
    """Run a worker against the Temporal service set by TEMPORAL_ADDRESS."""
    from cli.stack import processes

    run.restrict_umask()
    run.run(processes.run_worker(run.settings(machine=True), role or ALL_ROLES))


@app.command()
def api() -> None:
    """Run the API against the Temporal service set by TEMPORAL_ADDRESS."""
    from cli.stack import processes

    run.restrict_umask()
    run.run(processes.run_api(run.settings(machine=True)))


@app.command()
def mcp() -> None:
    """Offer the API's MCP tools over stdin and stdout, to a client that starts this program.

    Set in its environment: IQ_MCP_TOKEN (the operator's token), IQ_MCP_USER (the operator), and unless the defaults
    apply IQ_MCP_URL (the API, http://127.0.0.1:8700), IQ_MCP_VENUE (the default venue) and IQ_SERVICE_KEY. An API must
    be running. The command line has no options for these, because other users can read it. docs/mcp.md has an example.
    """
    from cli.commands import mcp as stdio

    run.run(stdio.run(run.settings()))


@sandboxes.command("roller")
def sandbox_roller(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8701,
    data: DataOption = None,
    controls: ControlsOption = False,
) -> None:
    """Serve a simulation of the ROLLER API with a day's worth of bookings."""
    from cli.stack import processes
    from sandbox import roller

    folder = data or run.settings().data
    folder.mkdir(parents=True, exist_ok=True)
    run.run(
        processes.serve_http(roller.create_app(database=folder / "roller.db", controls=controls), "127.0.0.1", port)
    )


@sandboxes.command("bookeo")
def sandbox_bookeo(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8707,
    data: DataOption = None,
    controls: ControlsOption = False,
) -> None:
    """Serve a simulation of the Bookeo API: a riding school with a few weeks' bookings."""
    from cli.stack import processes
    from sandbox import bookeo

    folder = data or run.settings().data
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Let in by BOOKEO_API_KEY={bookeo.API_KEY} BOOKEO_SECRET_KEY={bookeo.SECRET_KEY}", flush=True)
    run.run(
        processes.serve_http(bookeo.create_app(database=folder / "bookeo.db", controls=controls), "127.0.0.1", port)
    )


@sandboxes.command("calendar")
def sandbox_calendar(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8703,
    data: DataOption = None,
    controls: ControlsOption = False,
) -> None:
    """Serve a simulation of a team's meeting calendar, filled for the next two weeks."""
    from cli.stack import processes
    from sandbox import calendar

    folder = data or run.settings().data
    folder.mkdir(parents=True, exist_ok=True)
    run.run(
        processes.serve_http(calendar.create_app(database=folder / "calendar.db", controls=controls), "127.0.0.1", port)
    )


@sandboxes.command("first")
def sandbox_first(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8709,
    document: Annotated[bool, typer.Option("--document", help="Print its API document and end.")] = False,
) -> None:
    """Serve a tiny kayak school with three bookings, for a first pack (overlays/README.md)."""
    from cli.stack import processes
    from sandbox import kayak_school

    if document:
        print(kayak_school.DOCUMENT.read_text(encoding="utf-8"), end="")
        return
    run.run(processes.serve_http(kayak_school.create_app(), "127.0.0.1", port))


@sandboxes.command("model")
def sandbox_model(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8704,
    like: Annotated[
        Literal["", "gemini", "mistral", "vllm", "ollama", "llamacpp", "gpt-oss", "strict"],
        typer.Option(help="Write answers, and refuse requests, as this endpoint does (docs/models.md)."),
    ] = "",
) -> None:
    """Serve the offline planner: rules in the shape of a chat model, not a language model."""
    import offline_planner
    from cli.stack import processes

    run.run(processes.serve_http(offline_planner.create_app(like), "127.0.0.1", port))


@models.command("check")
def model_check(
    base_url: Annotated[str | None, typer.Option(help="The endpoint (default: IQ_MODEL_BASE_URL).")] = None,
    model: Annotated[str | None, typer.Option(help="The model's name there (default: IQ_MODEL).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a model endpoint before the product uses it: tool calling, schemas, time, costs, ten requests planned.

    The key is IQ_MODEL_API_KEY. Exits with 0, with 1 if it works with warnings, with 2 if it cannot be used.
    """
    from cli.commands import model as checking

    settings = run.settings()
    given = {name: value for name, value in (("model_base_url", base_url), ("model", model)) if value}
    sys.exit(run.run(checking.check(settings.model_copy(update=given), as_json=as_json)))


@evaluations.command("when")
def eval_when(file: CasesArgument, misses: MissesOption = False) -> None:
    """Score the day-and-time resolver. The last line is JSON: cases, right, asked, wrong."""
    from cli.commands import eval

    sys.exit(run.run(eval.run("when", run.settings(), file, misses)))


@evaluations.command("grounding")
def eval_grounding(file: CasesArgument, misses: MissesOption = False) -> None:
    """Score how the core judges a model's proposals. No model is called. The last line is JSON."""
    from cli.commands import eval

    sys.exit(run.run(eval.run("grounding", run.settings(), file, misses)))


@evaluations.command("utterances")
def eval_utterances(file: CasesArgument, misses: MissesOption = False) -> None:
    """Score the planner: the offline one, or the model set by IQ_MODEL_BASE_URL. The last line is JSON."""
    from cli.commands import eval

    sys.exit(run.run(eval.run("utterances", run.settings(), file, misses)))


@evaluations.command("dialogues")
def eval_dialogues(file: CasesArgument, misses: MissesOption = False) -> None:
    """Score chats of several turns through the whole stack, on the bookings beside the file. The last line is JSON."""
    from cli.commands import eval

    sys.exit(run.run(eval.run("dialogues", run.settings(), file, misses)))


@evaluations.command("all")
def eval_all(
    folders: Annotated[list[Path], typer.Argument(help="Folders with case files, of any kind.")],
    page: Annotated[Path | None, typer.Option("--page", help="A Markdown page whose table is replaced.")] = None,
) -> None:
    """Score every case file of some folders, in one table by class."""
    from cli.commands import eval

    sys.exit(run.run(eval.run_all(run.settings(), folders, page)))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Which one; leave it out for the list.")] = None,
) -> None:
    """Measure speed or size, each against its minimum or a peer in one run. The last line is JSON."""
    from infra.config.settings import ROOT

    known = sorted(path.stem for path in (ROOT / "bench").glob("*.py") if path.stem != "__init__")
    if name is None or name not in known:
        text = "Benchmarks (peers come with `pip install '.[bench]'`):\n  " + "\n  ".join(known)
        sys.exit(f"iq: there is no benchmark {name}.\n{text}" if name else print(text))
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", f"bench.{name}", *context.args])


@keys.command("new")
def keys_new() -> None:
    """Print a new key, for IQ_KEYS or a key file."""
    from infra.crypto.keyring import new_key_line

    print(new_key_line())


@keys.command("rotate")
def keys_rotate(data: DataOption = None) -> None:
    """Put a new key first in the key file. Restart the processes that use it; older keys stay for reading."""
    from infra.crypto.keyring import rotate_file

    found = run.settings()
    if found.keys:
        sys.exit(
            "iq: IQ_KEYS is set, and no file is read: put the line of `iq keys new` behind its own, by a comma, and "
            "first once all processes have it (docs/runbook.md)"
        )
    path = found.key_file or (data or found.data) / "keys"
    print(f"{path}: now encrypting with {rotate_file(path)}. Restart workers and facade to take it up.")


@app.command()
def conversation(
    session: Annotated[str, typer.Argument(help="A session's id, or its workflow's.")],
    debug: Annotated[bool, typer.Option("--debug", help="How it was reasoned, not what was shown.")] = False,
    venue: Annotated[str, typer.Option(help="The venue's id; the first pack's where left out.")] = "",
) -> None:
    """Show one chat, decrypted."""
    from cli.commands import conversation as conversations

    sys.exit(run.run(conversations.show(run.settings(), session, venue, debug=debug)))


@app.command()
def escalations(
    status: Annotated[str, typer.Option(help="open, resolved, lapsed, or all.")] = "open",
    resolve: Annotated[str | None, typer.Option(help="Answer the one with this reference or id.")] = None,
    message: Annotated[str, typer.Option(help="The answer, as the operator reads it.")] = "",
    by: Annotated[str, typer.Option(help="The name it is shown under.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, with all that is known.")] = False,
) -> None:
    """List escalations, decrypted, or answer one: the answer is shown in the chat that it came from."""
    from cli.commands import escalations as inbox
    from contracts.enums import EscalationStatus

    if resolve is not None:
        sys.exit(run.run(inbox.resolve(run.settings(), resolve, message, by)))
    known = [one.value for one in EscalationStatus]
    if status not in (*known, "all"):
        sys.exit(f"iq: there is no status {status}; there are {', '.join(known)}, and all")
    wanted = tuple(EscalationStatus) if status == "all" else (EscalationStatus(status),)
    sys.exit(run.run(inbox.listed(run.settings(), wanted, as_json=as_json)))


@app.command()
def demo(
    port_base: Annotated[int, typer.Option(help="First of seven ports.")] = 8720,
    data: DataOption = None,
) -> None:
    """Run a scripted tour of the stack and check every step; exits non-zero if any of it is wrong."""
    from cli.commands import demo as tour

    sys.exit(asyncio.run(tour.run(run.settings(), port_base, data)))


def main() -> NoReturn:
    """Entry point."""
    code: object = 0
    # Imported objects live as long as the process, and collecting garbage among them is a tenth of the start time.
    gc.set_threshold(50_000, 20, 50)
    try:
        app()
    except SystemExit as ending:
        code = ending.code
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # A client that has connected to Temporal may crash by a signal while the interpreter shuts down.
    os._exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
