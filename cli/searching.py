"""Which actions a planner is offered for an operator's words, and every operation of a document."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from contracts.action import AtomicAction
from registry import PackError
from registry.document import Document
from registry.every import Everything, actions_of_document
from registry.search import FEW, Search
from registry.watch import Watch

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


def every(spec: Path) -> Everything:
    """Every usable operation of a document. Raises PackError, also when that takes too long or too much."""
    found: list[Everything] = []
    # A command is a process of its own: it may have a time limit without another one.
    wrong = Watch(timed=True).over(
        spec.name, lambda: found.append(actions_of_document(Document.read(spec))), document=True
    )
    if wrong:
        raise PackError(f"{spec.name} {wrong}")
    return found[0]
