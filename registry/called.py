"""The words that an author says an action, or a thing of the venue, is also called: each must be a word, there once.
They are for finding actions among many (`registry/search.py`)."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contracts.action import AtomicAction, Finding
from contracts.venue import VenueProfile
from registry.faults import nearest
from registry.findings import Findings
from registry.produced import singular
from registry.words import unaccented, words_of
from registry.yaml_file import Key, read_yaml

_KEY = "also_called"


def check_called(called: Sequence[str], findings: Findings) -> None:
    """Report entries of an action's `also_called` without a word in them, and those that are there twice."""
    _check_words((_KEY,), called, findings)


def check_venue_words(folder: Path, profile: VenueProfile, actions: Iterable[AtomicAction]) -> list[Finding]:
    """What is wrong with the `also_called` of a pack's `venue.yaml`: also a word that none of its `actions` says, and
    one that stands for two things. Nothing here takes an action away."""
    if not profile.also_called:
        return []
    findings = Findings(read_yaml(folder / "venue.yaml"), f"{folder.name}/venue.yaml", None)
    said = {singular(word) for action in actions for word in _said(action)}
    taken: dict[str, str] = {}
    for thing, called in profile.also_called.items():
        key = (_KEY, thing)
        words = [singular(word) for word in words_of(unaccented(thing))]
        if not words or not called:
            findings.warning(
                key, "has no words", "write `voucher: [buono, gift pass]`: a word of the actions, its others"
            )
        elif unsaid := [word for word in words if word not in said]:
            findings.warning(key, f"no action says {unsaid[0]}, so nothing is found by it", nearest(unsaid[0], said))
        _check_words(key, called, findings)
        for index, entry in enumerate(called):
            other = taken.setdefault(_same(entry), thing)
            if other != thing:
                findings.warning((*key, index), f"{entry} stands for {other} too: both are then looked for")
    return findings.rows


def _check_words(key: Key, called: Sequence[str], findings: Findings) -> None:
    seen: set[str] = set()
    for index, entry in enumerate(called):
        if not _same(entry):
            findings.error(
                (*key, index),
                f"{entry!r} has no word that can be searched for",
                "write what people say, or leave it out",
            )
        elif _same(entry) in seen:
            findings.warning((*key, index), f"{entry} is there twice", "leave one of them out")
        seen.add(_same(entry))


def _same(entry: str) -> str:
    return " ".join(words_of(unaccented(entry)))


def _said(action: AtomicAction) -> Iterator[str]:
    for text in (action.name, action.title, action.description, action.when_to_use, action.operation.path):
        yield from words_of(unaccented(text))
