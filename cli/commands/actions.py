"""`iq actions`: for authors of overlays, and to see what a model sees."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from authoring.try_action import run as try_action
    from contracts.action import AtomicAction, Finding
    from registry import Pack

app = typer.Typer(
    help="What can be done at a venue: draft, check, list and try actions; see the tools a model is given.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

PackOption = Annotated[
    Path | None, typer.Option("--pack", help="A pack's folder, or its name under overlays/ (default: all set packs).")
]
SpecOption = Annotated[
    Path | None, typer.Option("--spec", help="An OpenAPI document, JSON or YAML; with --pack in place of its own.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON.")]


@app.command()
def check(spec: SpecOption = None, pack: PackOption = None, as_json: JsonOption = False) -> None:
    """Check packs, or with --spec every operation of a document. Exits with 1 if anything is wrong.

    Each finding has file:line, the mistake and the fix.
    """
    from cli.commands.search import every
    from registry import PackError

    findings: list[Finding] = []
    counts: list[str] = []
    try:
        if spec is not None and pack is None:
            found = every(spec)
            findings, total = found.findings, len(found.actions)
            counts.append(f"{spec.name}: {total} usable operations")
        else:
            for loaded in _packs(pack, spec):
                findings += loaded.findings
                counts.append(
                    f"pack {loaded.profile.pack}: {len(loaded.actions)} actions, {len(loaded.skipped)} skipped"
                )
    except PackError as error:
        findings = [_fatal(spec or pack, error)]
    _print_findings(findings, as_json)
    errors = sum(f.level == "error" for f in findings)
    if not as_json:
        print("; ".join([*counts, f"{errors} errors, {len(findings) - errors} other findings"]))
    sys.exit(1 if errors else 0)


@app.command("list")
def list_actions(spec: SpecOption = None, pack: PackOption = None) -> None:
    """List actions, one per line: name, safety, whether it can be undone, title."""
    for loaded in _usable(pack, spec):
        print(f"{loaded.profile.pack} ({loaded.profile.name})")
        width = max((len(name) for name in (*loaded.actions, *loaded.templates, *loaded.skipped)), default=0)
        for action in loaded.actions.values():
            undo = "look-up" if action.read_only else "can be undone" if action.reversible else "cannot be undone"
            print(f"  {action.name:<{width}}  {action.safety.value:<9}  {undo:<16}  {action.title}")
        for template in loaded.templates.values():
            print(f"  {template.name:<{width}}  template   {', '.join(step.action for step in template.steps)}")
        for name in loaded.skipped:
            reasons = [f.message for f in loaded.findings if f.action == name]
            print(f"  {name:<{width}}  skipped    {reasons[0] if reasons else ''}")


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="An action's name.")], pack: PackOption = None, spec: SpecOption = None
) -> None:
    """Show the exact tool that the model sees for one action, and its cost in tokens."""
    from authoring.token_count import counter, tokens
    from registry import openai_tool
    from registry.errors import did_you_mean

    packs = _usable(pack, spec)
    every = [{**p.actions, **p.templates} for p in packs]
    action = next((known[name] for known in every if name in known), None)
    if action is None:
        for loaded in packs:
            _print_findings([f for f in loaded.findings if f.action == name], False)
        hint = did_you_mean(name, [n for known in every for n in known])
        sys.exit(f"iq: there is no usable action {name}; {hint}".rstrip("; "))
    tool = openai_tool(action)
    print(json.dumps(tool, indent=2, ensure_ascii=False))
    print(f"\n{tokens(json.dumps(tool, ensure_ascii=False))} tokens ({counter()})")
    if action.steps:
        print(f"a template of {', '.join(step.action for step in action.steps)}, safety {action.safety.value}")
        return
    print(f"{action.operation.method} {action.operation.path}, safety {action.safety.value}, {_undo(action)}")


@app.command()
def tools(
    spec: SpecOption = None,
    every: Annotated[bool, typer.Option("--all", help="Every operation, with its required parameters only.")] = False,
    emit: Annotated[str, typer.Option("--emit", help="The dialect: openai or gemini.")] = "openai",
    pack: PackOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the tools of a document (--spec F --all) or of a pack.

    With --json: {"tools": [...], "findings": [...], "seconds": s, "tokens": n}.
    """
    from cli.commands.search import every as every_of
    from registry import PackError
    from registry.tools.dialects import emitted

    if emit not in ("openai", "gemini"):
        sys.exit(f"iq: --emit is openai or gemini, not {emit}")
    if every and spec is None:
        sys.exit("iq: --all needs --spec, the document whose operations are wanted")
    started = time.perf_counter()
    made: list[dict[str, Any]] = []
    findings: list[Finding] = []
    try:
        if every and spec is not None:
            found = every_of(spec)
            findings, actions = found.findings, list(found.actions.values())
        else:
            packs = _packs(pack, spec)
            findings = [f for p in packs for f in p.findings]
            actions = [a for p in packs for a in p.actions.values()]
        made = [emitted(action, "gemini" if emit == "gemini" else "openai") for action in actions]
    except PackError as error:
        findings = [_fatal(spec or pack, error)]
    _print_tools(made, findings, time.perf_counter() - started, as_json)
    sys.exit(0 if made or not any(f.level == "error" for f in findings) else 1)


@app.command()
def search(
    words: Annotated[str, typer.Argument(help="What an operator would type.")],
    pack: PackOption = None,
    spec: SpecOption = None,
) -> None:
    """Show the first 20 actions for these words, in the order in which a planner is offered them.

    With fewer than 30 actions there is no search: a planner is offered all of them.
    """
    from cli.commands.search import every, show_found
    from registry import PackError

    try:
        if spec is not None and pack is None:
            show_found(spec.name, every(spec).actions, words)
            return
    except PackError as error:
        sys.exit(f"iq: {error}")
    for loaded in _usable(pack, spec):
        show_found(loaded.profile.pack, loaded.actions, words, loaded.profile.aliases)


@app.command()
def init(
    operation: Annotated[str, typer.Argument(help='An operationId, or "METHOD /path".')],
    spec: SpecOption = None,
    pack: PackOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write (- for the screen).")] = None,
) -> None:
    """Write a first draft of an overlay into the pack's actions/ folder; with --spec alone, to the screen.

    The draft is disabled, but checked as if it were enabled: parts that would not load are left out.
    """
    from registry import PackError
    from registry.errors import OperationError

    folder = None if spec is not None and pack is None else _folders(pack)[0]
    try:
        name, text = _drafted(operation, spec, folder)
    except PackError as error:
        sys.exit(f"iq: {error}")
    except OperationError as fault:
        sys.exit(f"iq: {fault.message} {fault.hint}".strip())
    path = out or (folder / "actions" / f"{name}.yaml" if folder else Path("-"))
    if str(path) == "-":
        print(text, end="")
        return
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        sys.exit(f"iq: {path} is there already; --out names another file, `--out -` writes to the screen")
    except OSError as error:
        sys.exit(f"iq: {path} cannot be written: {error.strerror}")
    print(f"{path}: read it through, set iq_enabled to true, then `iq actions check`")


@app.command("try")
def try_one(
    name: Annotated[str, typer.Argument(help="An action's name.")],
    say: Annotated[str | None, typer.Option("--say", help="What an operator would type.")] = None,
    call: Annotated[str | None, typer.Option("--call", help="The arguments, as JSON.")] = None,
    pack: PackOption = None,
    url: Annotated[str | None, typer.Option("--url", help="Where the API is (default: IQ_VENUE_URLS).")] = None,
    token: Annotated[str, typer.Option("--token", envvar="IQ_TRY_TOKEN", help="The operator's token.")] = "try",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Ask no server: on the overlay's own sample.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Send it, and look whether it worked.")] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take it back afterwards, and look again (with --write).")
    ] = False,
    save: Annotated[bool, typer.Option("--save-sample", help="Keep what was seen as the overlay's sample.")] = False,
    live: Annotated[bool, typer.Option("--live", help="Go to a real address: the pack's own, or to --write.")] = False,
) -> None:
    """Try one action against a server: what is read, the exact request, what the operator is shown.

    Only --write sends anything that changes data. Secrets are shown by their names. Exits with 1 if it does not work as
    the overlay describes.
    """
    from authoring.try_action import run as try_action

    if undo and not write:
        sys.exit("iq: --undo takes back what --write sent: give both")
    try:
        given = None if call is None else json.loads(call)
    except ValueError as error:
        sys.exit(f"iq: --call is not JSON: {error}")
    if given is not None and not isinstance(given, dict):
        sys.exit('iq: --call is an object of arguments, \'{"note": "…"}\'')
    options = try_action.TryOptions(say, given, token, dry_run, write, undo, save, live)
    sys.exit(_tried(pack, url, name, options))


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(help="The API document in use.")],
    new: Annotated[Path, typer.Argument(help="The new one.")],
    pack: PackOption = None,
    every: Annotated[bool, typer.Option("--all", help="Every operation, not only those that actions use.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a new API document breaks for a pack's actions. Exits with 1 if anything breaks."""
    from authoring.all_operations import operations_used, overlay_files
    from authoring.diff import broken_by
    from registry import PackError
    from registry.openapi.document import Document

    findings: list[Finding] = []
    try:
        before, after = Document.read(old), Document.read(new)
        if every:
            findings = broken_by(before, after, before.keys)
        else:
            for folder in _folders(pack):
                for file in overlay_files(folder):
                    findings += broken_by(before, after, operations_used(file), file)
    except PackError as error:
        findings = [_fatal(new, error)]
    _print_findings(findings, as_json)
    errors = sum(f.level == "error" for f in findings)
    if not as_json:
        hurt = sorted({f.action for f in findings if f.level == "error" and f.action})
        print(f"breaks {', '.join(hurt)}" if hurt else "breaks nothing" if not errors else "")
    sys.exit(1 if errors else 0)


@app.command()
def fetch(
    address: Annotated[str, typer.Argument(help="The https address of an API document.")],
    allow: Annotated[list[str], typer.Option("--allow", help="A host that may be read from; may be repeated.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write; what it refers to goes below its folder.")],
    ca: Annotated[
        Path | None, typer.Option("--ca", help="A PEM file with a certificate authority to trust as well.")
    ] = None,
) -> None:
    """Fetch an API document and every file it refers to, from allowed hosts only. Packs themselves use no network.

    Nothing is written unless all of it could be fetched: a reference or a redirect to any other host is refused.
    """
    from authoring.fetch import FetchError
    from authoring.fetch import fetch as fetched

    try:
        files = fetched(address, allow, out, ca)
    except FetchError as error:
        sys.exit(f"iq: {error}")
    for path, size in files:
        print(f"{path}: {size} bytes")


def _drafted(operation: str, spec: Path | None, folder: Path | None) -> tuple[str, str]:
    """Return a draft, made with the pack's venue file. Raises PackError, OperationError."""
    from authoring.drafts.draft import NOWHERE, OverlayDrafter
    from registry.loading.load import document_path
    from registry.openapi.document import Document
    from registry.overlays.venue import read_venue

    document = Document.read(spec or document_path(folder or Path()))
    if folder is None:
        draft = OverlayDrafter(document).overlay(operation)
        return draft.name, draft.text
    profile = NOWHERE
    if (folder / "venue.yaml").is_file():
        venue = read_venue(folder)
        address = venue.base_url or document.server or ""
        document.enter(venue.entry(document, address))
        profile = venue.profile(folder.name, address)
    beside, above = folder / "schemas" / "overlay.json", folder.parent / "schema.json"
    schema = "../schemas/overlay.json" if beside.is_file() else "../../schema.json" if above.is_file() else ""
    prefix = f"{folder.resolve().name.upper().replace('-', '_')}_"
    draft = OverlayDrafter(document, profile, prefix=prefix, schema=schema).overlay(operation)
    return draft.name, draft.text


def _tried(pack: Path | None, url: str | None, name: str, asked: "try_action.TryOptions") -> int:
    import asyncio
    from dataclasses import replace

    from authoring.try_action import run as try_action
    from infra.config.settings import settings
    from registry import PackError
    from registry.loading.load import load_pack
    from registry.loading.subprocess_reader import read_in_subprocess

    at = {} if url else settings().venue_urls
    try:
        packs = [(f, load_pack(f, base_url=url or at.get(f.name), read=read_in_subprocess)) for f in _folders(pack)]
        folder, loaded, action = try_action.found_action(packs, name)
        asked = replace(asked, addressed=url is not None or folder.name in at)
        return asyncio.run(try_action.run(settings(), loaded, folder, action, asked))
    except (try_action.TryError, PackError) as error:
        sys.exit(f"iq: {error}")


def _folders(pack: Path | None) -> list[Path]:
    if pack is None:
        from infra.config.settings import settings

        return list(settings().packs)
    # A folder in the working directory may have the name of a pack, as restaurant/ has.
    ours = Path("overlays") / pack
    return [ours if ours.is_dir() or not pack.is_dir() else pack]


def _packs(pack: Path | None, spec: Path | None) -> "list[Pack]":
    from registry.loading.load import load_pack
    from registry.loading.subprocess_reader import read_in_subprocess

    return [load_pack(folder, document=spec, read=read_in_subprocess) for folder in _folders(pack)]


def _usable(pack: Path | None, spec: Path | None) -> "list[Pack]":
    from registry import PackError

    try:
        return _packs(pack, spec)
    except PackError as error:
        sys.exit(f"iq: {error}")


def _fatal(path: Path | None, error: Exception) -> "Finding":
    from contracts.action import Finding

    return Finding(level="error", file=path.name if path else "", message=str(error))


def _undo(action: "AtomicAction") -> str:
    if action.read_only:
        return "only looks"
    return "can be undone" if action.reversible else "cannot be undone"


def _print_findings(findings: "Iterable[Finding]", as_json: bool) -> None:
    if as_json:
        print(json.dumps([f.model_dump() for f in findings]))
        return
    for finding in findings:
        location = f"{finding.file}:{finding.line}" if finding.line else f"{finding.file} {finding.pointer}".strip()
        hint = f" ({finding.hint})" if finding.hint else ""
        who = f"{finding.action}: " if finding.action and not finding.message.startswith(finding.action) else ""
        print(f"{location}: {finding.level}: {who}{finding.message}{hint}")


def _print_tools(made: list[dict[str, Any]], findings: "list[Finding]", seconds: float, as_json: bool) -> None:
    from authoring.token_count import counter, tokens

    text = json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()
    if as_json:
        rows = [f.model_dump() for f in findings]
        print(json.dumps({"tools": made, "findings": rows, "seconds": round(seconds, 4), "tokens": tokens(text)}))
        return
    print(json.dumps(made, indent=2))
    print(f"{len(made)} tools, {tokens(text)} tokens ({counter()}), {seconds:.2f} s", file=sys.stderr)
    for finding in findings:
        print(f"{finding.level}: {finding.message} {finding.hint}".rstrip(), file=sys.stderr)
