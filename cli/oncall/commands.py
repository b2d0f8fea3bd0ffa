"""The on-call commands and their options."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli import run

IdArgument = Annotated[str, typer.Argument(help="A plan's id, with or without `plan-`, or a workflow's.")]


def stuck(
    minutes: Annotated[float, typer.Option(help="How long something may wait that ought to move by itself.")] = 5,
    hours: Annotated[float, typer.Option(help="How long a person may take to answer what was handed to them.")] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for machines.")] = False,
) -> None:
    """List only what needs a person: each with its age, the reason, and the next command.

    The exit code is 0 if nothing does, 1 if something does, and 2 if the check failed.
    """
    from cli.oncall import stuck as looks

    sys.exit(run.run(looks.run(run.settings(), minutes, hours, as_json=as_json)))


def plan(
    plan_id: Annotated[str, typer.Argument(help="A plan's id, with or without `plan-`.")],
    as_json: Annotated[bool, typer.Option("--json", help="The whole plan as JSON.")] = False,
) -> None:
    """Show one plan, decrypted: its booking, times, steps, attempts, errors, deadlines and where to see its history."""
    from cli.oncall import plan as plan_page

    sys.exit(run.run(plan_page.show(run.settings(), plan_id, as_json=as_json)))


def replay(
    what: Annotated[
        str | None,
        typer.Argument(help="A plan's or workflow's id, or a file with a history; all open ones if left out."),
    ] = None,
) -> None:
    """Check that today's code takes the path that a history recorded, and waits as long. Before a deploy: check all
    open workflows."""
    from cli.oncall import replay as replaying

    sys.exit(run.run(replaying.run(run.settings(), what)))


def resolve(
    name: IdArgument,
    step: Annotated[int | None, typer.Option(help="The step of unknown outcome that is decided.")] = None,
    applied: Annotated[bool, typer.Option("--applied", help="The step was applied.")] = False,
    not_applied: Annotated[bool, typer.Option("--not-applied", help="The step was not applied.")] = False,
    done: Annotated[bool, typer.Option("--done", help="What was left to do by hand was seen to.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try at once what waits for its next attempt.")] = False,
    end: Annotated[bool, typer.Option("--end", help="End a workflow whose tasks fail. Nothing is undone.")] = False,
    by: Annotated[str | None, typer.Option(help="Who decides; the name of this machine's user where left out.")] = None,
) -> None:
    """Record a person's decision on what code could not settle. `iq stuck` prints the command to type."""
    from cli.oncall import resolve as resolving
    from contracts.plan import ManualDecisionKind

    texts = {
        ManualDecisionKind.APPLIED: applied,
        ManualDecisionKind.NOT_APPLIED: not_applied,
        ManualDecisionKind.DONE: done,
        ManualDecisionKind.ENDED: end,
    }
    decisions = [decision for decision, chosen in texts.items() if chosen]
    if len(decisions) + retry != 1:
        sys.exit("iq: say one of --applied, --not-applied, --done, --retry and --end")
    if retry:
        sys.exit(run.run(resolving.retry(run.settings(), name)))
    if (step is None) is (decisions[0] in (ManualDecisionKind.APPLIED, ManualDecisionKind.NOT_APPLIED)):
        sys.exit("iq: --step goes with --applied and --not-applied, and with nothing else")
    sys.exit(run.run(resolving.decide(run.settings(), name, decisions[0], step, by)))


def whatif(
    names: Annotated[list[str] | None, typer.Argument(help="Plans or chats, by their ids.")] = None,
    since: Annotated[str | None, typer.Option(help="All plans and chats begun since: 90m, 12h, 7d.")] = None,
    model: Annotated[str | None, typer.Option(help="Ask this model instead of IQ_MODEL.")] = None,
    prompt: Annotated[
        Path | None,
        typer.Option(
            help="A prompt instead of the one of the same name: plan.j2, adaptive.j2, execute.j2. "
            "Only what was asked with that one is asked again."
        ),
    ] = None,
    most: Annotated[int, typer.Option(help="Model calls that are repeated at most.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, every call with both proposals.")] = False,
) -> None:
    """Repeat recorded model calls with another model or prompt, and compare the proposals. Nothing is changed.

    The operators' messages are sent to the model at IQ_MODEL_BASE_URL, as they were before.
    """
    from cli.oncall import recorded_calls
    from cli.oncall import whatif as asking

    if bool(names) is (since is not None):
        sys.exit("iq: name plans or chats, or say --since 7d")
    if model is None and prompt is None:
        sys.exit("iq: say --model or --prompt: with neither there is nothing to compare")
    criteria = recorded_calls.CallFilter(tuple(names or ()), recorded_calls.span(since) if since else None, most)
    sys.exit(run.run(asking.run(run.settings(), criteria, model, prompt, as_json=as_json)))


def keys_add(
    file: Annotated[Path, typer.Argument(help="A file with keys, such as a backup of a key file.")],
    data: Annotated[Path | None, typer.Option("--data", help="Folder for all local state (default: .iq).")] = None,
) -> None:
    """Add the keys of another file after those in use, for reading. Restart the processes that need them."""
    from infra.crypto.keyring import KeyringError, add_to_file

    found = run.settings()
    if found.keys:
        sys.exit("iq: IQ_KEYS is set, and no file is read: put the lines into it, by commas, behind its own")
    path = found.key_file or (data or found.data) / "keys"
    try:
        added = add_to_file(path, file)
    except (KeyringError, OSError) as error:
        sys.exit(f"iq: {error}")
    print(f"{path}: {', '.join(added) or 'nothing'} added. Restart workers and facade to take it up.")
