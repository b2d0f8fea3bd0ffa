"""Checks of `aliases`, the other names of an action or of a resource of the venue. Each must contain a word and occur
once. They serve to find actions among many (`registry/search/search.py`)."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contracts.action import AtomicAction, Finding
from contracts.venue import VenueProfile
from registry.errors import did_you_mean
from registry.overlays.findings import Findings
from registry.overlays.yaml_file import Key, read_yaml
from registry.text import singular, unaccented, words_of

_KEY = "aliases"


def check_aliases(called: Sequence[str], findings: Findings) -> None:
    """Report entries of an action's `aliases` without a word in them, and duplicates."""
    _check_words((_KEY,), called, findings)


def check_venue_words(folder: Path, profile: VenueProfile, actions: Iterable[AtomicAction]) -> list[Finding]:
    """Return the findings for the `aliases` of a pack's `venue.yaml`, including a name that none of its `actions` uses
    and one that has two meanings. No action is removed for them."""
    if not profile.aliases:
        return []
    findings = Findings(read_yaml(folder / "venue.yaml"), f"{folder.name}/venue.yaml", None)
    used = {singular(word) for action in actions for word in _words_of(action)}
    taken: dict[str, str] = {}
    for thing, called in profile.aliases.items():
        key = (_KEY, thing)
        words = [singular(word) for word in words_of(unaccented(thing))]
        if not words or not called:
            findings.warning(
                key, "has no words", "write `voucher: [buono, gift pass]`: a word of the actions, its others"
            )
        elif unsaid := [word for word in words if word not in used]:
            findings.warning(
                key, f"no action says {unsaid[0]}, so nothing is found by it", did_you_mean(unsaid[0], used)
            )
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


def _words_of(action: AtomicAction) -> Iterator[str]:
    for text in (action.name, action.title, action.description, action.when_to_use, action.operation.path):
        yield from words_of(unaccented(text))
