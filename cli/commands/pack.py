"""`iq pack`: a new venue, from its API document."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from registry.openapi.document import Document

app = typer.Typer(
    help="A venue as a folder of files: start one from its API document. overlays/README.md goes on from there.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def _group() -> None:
    """Manage venues, each a folder of files: start one from its API document. overlays/README.md has the next steps."""


@app.command()
def init(
    document: Annotated[Path, typer.Argument(help="The venue's API: an OpenAPI 3 document, JSON or YAML.")],
    out: Annotated[Path | None, typer.Option("--out", help="The new folder (default: the pack's name, here).")] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="The venue's name (default: the document's title).")
    ] = None,
) -> None:
    """Write a whole pack to start from: the document, venue.yaml with its questions, and first drafts of actions.

    Nothing is enabled yet. Drafts are made for the operations that find, show, change, cancel and create the venue's
    main objects; `iq actions init` drafts any other.
    """
    from authoring.drafts.pack import draft_pack, pack_name
    from registry import PackError
    from registry.openapi.document import Document
    from registry.openapi.schema_reading import parts_of

    try:
        read = Document.read(document)
        title = name or str(parts_of(read.root.get("info")).get("title") or document.stem)
        folder = out or Path(pack_name(document, title))
        draft = draft_pack(read, folder.resolve().name, title)
        files: dict[str, str | bytes] = {**draft.files, **_documents(read, folder)}
    except PackError as error:
        sys.exit(f"iq: {error}")
    _write(folder, files)
    shown = "document" if len(read.references.files) == 1 else f"document in {len(read.references.files)} files"
    print(f"{folder}/: {shown}, venue.yaml, {len(draft.actions)} drafts in actions/")
    for action in draft.actions:
        print(f"  actions/{action}.yaml" + (": to be mended first, see its top" if action in draft.unloaded else ""))
    if draft.others:
        left = "1 other operation is" if draft.others == 1 else f"{draft.others} other operations are"
        print(f"{left} not drafted: `iq actions init OPERATION --pack {folder}` drafts one")
    if draft.unusable:
        print("Operations that cannot be used, so none of them is drafted:")
    for reason in draft.unusable:
        print(f"  {reason}")
    if draft.variables:
        print(f"To be set where the service runs: {', '.join(draft.variables)}")
    print(f"To be answered in venue.yaml: {', '.join(draft.questions)}")
    print(f"Next: read a file in {folder}/actions, set its iq_enabled to true, then `iq actions check --pack {folder}`")


def _documents(read: "Document", folder: Path) -> dict[str, str | bytes]:
    """Return the document and its referenced files, by their new names. Raises PackError for files elsewhere."""
    from registry import PackError

    first, *others = read.references.files
    found: dict[str, str | bytes] = {f"openapi{_suffix(first)}": first.read_bytes()}
    for path in others:
        try:
            found[str(path.resolve().relative_to(first.resolve().parent))] = path.read_bytes()
        except ValueError:
            raise PackError(f"{first.name} refers to {path}, outside its folder: put the two together first") from None
    return found


def _suffix(path: Path) -> str:
    return path.suffix if path.suffix in (".json", ".yml") else ".yaml"


def _write(folder: Path, files: dict[str, str | bytes]) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        sys.exit(f"iq: {folder} is there already and not empty; --out names another folder")
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        sys.exit(f"iq: {folder} cannot be written: {error.strerror}")
