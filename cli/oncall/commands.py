"""The commands of on-call, as they are typed."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli import starting

IdArgument = Annotated[str, typer.Argument(help="A plan's id, with or without `plan-`, or a workflow's.")]


def stuck(
    minutes: Annotated[float, typer.Option(help="How long something may wait that ought to move by itself.")] = 5,
    hours: Annotated[float, typer.Option(help="How long a person may take to answer what was handed to them.")] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for machines.")] = False,
) -> None:
    """List only what needs a person: each with its age, the reason, and what to type next.

    The exit code is 0 where nothing does, 1 where something does, and 2 where it could not be looked at.
    """
    from cli.oncall import stuck as looks

    sys.exit(starting.run(looks.run(starting.settings(), minutes, hours, as_json=as_json)))


def plan(
    plan_id: Annotated[str, typer.Argument(help="A plan's id, with or without `plan-`.")],
    as_json: Annotated[bool, typer.Option("--json", help="The whole plan as JSON.")] = False,
) -> None:
    """Show one plan, decrypted: its booking, times, steps, attempts, errors, deadlines and where to see its history."""
    from cli.oncall import plan_page

    sys.exit(starting.run(plan_page.show(starting.settings(), plan_id, as_json=as_json)))


def replay(
    what: Annotated[
        str | None,
        typer.Argument(help="A plan's or workflow's id, or a file with a history; all open ones if left out."),
    ] = None,
) -> None:
    """Check that today's code takes the way that a history tells, and waits as long. Before a deploy: of all that is
    open."""
    from cli.oncall import replay as replaying

    sys.exit(starting.run(replaying.run(starting.settings(), what)))


def resolve(
    name: IdArgument,
    step: Annotated[int | None, typer.Option(help="The step that is decided, where nobody knew of it.")] = None,
    applied: Annotated[bool, typer.Option("--applied", help="The step stands.")] = False,
    not_applied: Annotated[bool, typer.Option("--not-applied", help="The step does not stand.")] = False,
    done: Annotated[bool, typer.Option("--done", help="What was left to do by hand was seen to.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try at once what waits for its next attempt.")] = False,
    end: Annotated[bool, typer.Option("--end", help="End a workflow whose tasks fail. Nothing is undone.")] = False,
    by: Annotated[str | None, typer.Option(help="Who decides; the name of this machine's user where left out.")] = None,
) -> None:
    """Say what a person has decided about what code could not settle. `iq stuck` prints the command to type."""
    from cli.oncall import resolve as resolving
    from contracts.decisions import Decision

    said = {Decision.APPLIED: applied, Decision.NOT_APPLIED: not_applied, Decision.DONE: done, Decision.ENDED: end}
    decisions = [decision for decision, chosen in said.items() if chosen]
    if len(decisions) + retry != 1:
        sys.exit("iq: say one of --applied, --not-applied, --done, --retry and --end")
    if retry:
        sys.exit(starting.run(resolving.retry(starting.settings(), name)))
    if (step is None) is (decisions[0] in (Decision.APPLIED, Decision.NOT_APPLIED)):
        sys.exit("iq: --step goes with --applied and --not-applied, and with nothing else")
    sys.exit(starting.run(resolving.decide(starting.settings(), name, decisions[0], step, by)))


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
    most: Annotated[int, typer.Option(help="Model calls that are asked anew at most.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, every call with both proposals.")] = False,
) -> None:
    """Ask another model, or with another prompt, what was asked before, and compare the proposals. Nothing is touched.

    What operators said goes to the model at IQ_MODEL_BASE_URL, as it did before.
    """
    from cli.oncall import recorded
    from cli.oncall import whatif as asking

    if bool(names) is (since is not None):
        sys.exit("iq: name plans or chats, or say --since 7d")
    if model is None and prompt is None:
        sys.exit("iq: say --model or --prompt: with neither there is nothing to compare")
    wanted = recorded.Wanted(tuple(names or ()), recorded.span(since) if since else None, most)
    sys.exit(starting.run(asking.run(starting.settings(), wanted, model, prompt, as_json=as_json)))


def keys_add(
    file: Annotated[Path, typer.Argument(help="A file with keys, such as a backup of a key file.")],
    data: Annotated[Path | None, typer.Option("--data", help="Folder for all local state (default: .iq).")] = None,
) -> None:
    """Put the keys of another file behind those in use, for reading. Restart the processes that need them."""
    from infra.keyring import KeyringError, add_to_file

    found = starting.settings()
    if found.keys:
        sys.exit("iq: IQ_KEYS is set, and no file is read: put the lines into it, by commas, behind its own")
    path = found.key_file or (data or found.data) / "keys"
    try:
        added = add_to_file(path, file)
    except (KeyringError, OSError) as error:
        sys.exit(f"iq: {error}")
    print(f"{path}: {', '.join(added) or 'nothing'} added. Restart workers and facade to take it up.")
