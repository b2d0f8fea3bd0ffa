"""The actions that a planner is offered for an operator's words, and every operation of a document."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from authoring.all_operations import DocumentActions, actions_of_document
from contracts.action import AtomicAction
from registry import PackError
from registry.loading.time_limit import TimeLimiter
from registry.openapi.document import Document
from registry.search.search import FEW, Search

_MOST = 20


def show_found(
    name: str, actions: Mapping[str, AtomicAction], words: str, called: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Print the first actions for these words, in order."""
    few = f"; below {FEW} a planner is offered all of them" if len(actions) < FEW else ""
    print(f"{name}: {len(actions)} actions{few}")
    found = Search([*actions.values()], called).choose(words, _MOST) if actions else []
    width = max((len(action.name) for action in found), default=0)
    for number, action in enumerate(found, 1):
        print(f"  {number:>2}  {action.name:<{width}}  {action.title}")


def every(spec: Path) -> DocumentActions:
    """Return every usable operation of a document. Raises PackError, also if reading takes too much time or memory."""
    found: list[DocumentActions] = []
    # A command is a separate process, so it can have a time limit without starting another one.
    wrong = TimeLimiter(timed=True).over(
        spec.name, lambda: found.append(actions_of_document(Document.read(spec))), document=True
    )
    if wrong:
        raise PackError(f"{spec.name} {wrong}")
    return found[0]
