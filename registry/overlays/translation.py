"""A pack's texts in another language: `languages/it.yaml` repeats, action by action, only the texts for people.

It is applied to the overlays of a venue with that locale before any other step reads them, so a translated template is
checked and run on the sample like any other. Only texts for people can be replaced: a translation cannot change what an
action does. Under `venue.yaml` it repeats that file's texts for people.
"""

from collections.abc import Mapping
from pathlib import Path

from contracts.action import Finding
from contracts.base import Node, Parts
from contracts.venue import VenueFacts, VenueProfile
from registry.errors import YamlSyntaxError, did_you_mean
from registry.openapi.schema_reading import entries_of, parts_of
from registry.overlays.findings import Findings, unreadable
from registry.overlays.yaml_file import Key, YamlFile, read_limited_yaml

_SPOKEN: dict[Key, frozenset[str]] = {
    (): frozenset({"title", "category", "confirm", "summary", "answer", "irreversible_note"}),
    ("compensation",): frozenset({"manual"}),
    ("preview",): frozenset({"label", "before", "after", "now"}),
    ("errors",): frozenset({"message", "suggestions"}),
    ("errors", "alternatives"): frozenset({"label", "say"}),
    ("rejects_when",): frozenset({"message"}),
    ("availability", "step"): frozenset({"title", "done", "lacking"}),
    ("output", "candidates"): frozenset({"label"}),
    ("output", "candidates", "value"): frozenset({"label"}),
}
"""The keys of an overlay that hold texts for people, without list indexes."""

_VENUE = "venue.yaml"
"""The key of the venue's own file; no action can have this name."""
_SPOKEN_OF_VENUE = frozenset({"defaults", "quick_actions"})

_LABELS = "labels"
"""The label of each parameter."""


class Translation:
    """One language of one pack. Empty when the pack has no file for it: its own texts are then used."""

    def __init__(self, file: YamlFile | None, label: str, findings: list[Finding]) -> None:
        self._file, self._label = file, label
        self.findings = findings
        self._used: set[str] = set()

    def applied(self, name: str, data: Parts, *, whole: bool = True) -> Parts:
        """Return an overlay's data with this language's texts. Each misfit is a finding and leaves the text unchanged.
        Not `whole`: a fragment of the overlay could not be read, so a misfit may be right."""
        if self._file is None:
            return data
        self._used.add(name)
        found = Findings(self._file, self._label, None if name == _VENUE else name)
        words = parts_of(self._file.data).get(name)
        if words is None:
            found.warning((), f"says nothing for {name}, which keeps its own words")
        result = (
            dict(data) if words is None else _laid(data, _with_known_labels(words, data, name, found), (name,), found)
        )
        self.findings += found.rows if whole else ()
        return result if isinstance(result, Mapping) else data

    def of_venue(self, profile: VenueProfile) -> VenueProfile:
        """Return the venue with this language's texts."""
        under = profile.model_dump(mode="json", include=set(VenueFacts.model_fields))
        texts = [v for v in profile.defaults.values() if isinstance(v, str)]
        if self._file is None or not (texts or profile.quick_actions or _VENUE in parts_of(self._file.data)):
            return profile
        laid = parts_of(self.applied(_VENUE, under))
        defaults, quick = parts_of(laid.get("defaults")), entries_of(laid.get("quick_actions"))
        return profile.model_copy(update={"defaults": dict(defaults), "quick_actions": tuple(map(str, quick))})

    def finish(self) -> list[Finding]:
        """Return all findings, including texts for actions that do not exist."""
        if self._file is not None:
            for name in parts_of(self._file.data).keys() - self._used:
                found = Findings(self._file, self._label, None)
                found.warning((name,), "is no action of this pack", did_you_mean(name, self._used))
                self.findings += found.rows
        return self.findings


def read_translation(folder: Path, locale: str) -> Translation:
    """Return the pack's texts for a locale such as "it-IT"; a file that cannot be read is a finding."""
    path = folder / "languages" / f"{locale.split('-', maxsplit=1)[0].lower()}.yaml"
    label = f"{folder.name}/languages/{path.name}"
    if not path.is_file():
        return Translation(None, label, [])
    try:
        file = read_limited_yaml(path)
    except (OSError, YamlSyntaxError) as error:
        return Translation(None, label, [unreadable(label, error)])
    if not isinstance(file.data, dict):
        found = Finding(level="error", file=label, message="must be a list of `action:` blocks")
        return Translation(None, label, [found])
    return Translation(file, label, [])


def _with_known_labels(words: Node, data: Parts, name: str, found: Findings) -> Node:
    known = parts_of(data.get("parameters"))
    labels = parts_of(parts_of(words).get(_LABELS))
    for strange in labels.keys() - known.keys():
        found.error((name, _LABELS, strange), "is no parameter of this action", did_you_mean(strange, known))
    if not isinstance(words, Mapping) or labels.keys() <= known.keys():
        return words
    return {**words, _LABELS: {k: v for k, v in labels.items() if k in known}}


def _laid(under: Node, over: Node, key: Key, found: Findings) -> Node:
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        result = dict(under)
        for name, words in over.items():
            if name in under:
                result[name] = _laid(under[name], words, (*key, name), found)
            elif key[0] != _VENUE and _is_label(key, name, words):
                # A name that reads well in the overlay's own language has no label there.
                result[name] = words
            else:
                who = _VENUE if key[0] == _VENUE else "the overlay"
                found.error((*key, name), f"is nothing that {who} says", did_you_mean(name, under))
        return result
    if isinstance(under, list) and isinstance(over, list):
        if len(over) > len(under):
            found.error(key, f"has {len(over)} entries where the overlay has {len(under)}")
            return under
        return [_laid(u, over[i], (*key, i), found) if i < len(over) else u for i, u in enumerate(under)]
    if over is None:
        return under
    if not isinstance(over, str) or not isinstance(under, str):
        found.error(key, "is not built as in the overlay")
        return under
    if not _is_spoken(key):
        found.error(key, "is not a text for people, so no translation may change it")
        return under
    return over


def _is_label(key: Key, name: str, words: Node) -> bool:
    return key[1:] == (_LABELS,) or (len(key) == 1 and name == _LABELS and isinstance(words, dict))


def _is_spoken(key: Key) -> bool:
    """Return whether a key holds a text for people."""
    path = tuple(part for part in key[1:] if isinstance(part, str))
    if key[0] == _VENUE:
        return path[0] in _SPOKEN_OF_VENUE
    return path[-1] in _SPOKEN.get(path[:-1], frozenset()) or path[:-1] == (_LABELS,)
