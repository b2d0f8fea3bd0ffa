"""Checks for `${VARIABLE}` where it is not replaced, because the venue or the operator would get those very
characters."""

from collections.abc import Iterator, Mapping

from contracts.base import Json
from registry.errors import PackError
from registry.http.credentials import check_variables, has_variables
from registry.overlays.findings import Findings
from registry.overlays.models import OverlayFile
from registry.overlays.venue import VenueFile
from registry.overlays.yaml_file import Key

_HINT = "it may stand under `bound`, in the overlay or in venue.yaml, and under `credentials` in venue.yaml"
_DATA = {"bound", "sample", "examples"}
"""The keys where variables are replaced, and those that only hold examples of messages and responses."""


def check_unfilled(overlay: OverlayFile, findings: Findings) -> None:
    """Add a finding for each variable outside `bound`, and for each malformed one inside it."""
    _check(overlay.model_dump(mode="json", by_alias=True, exclude=_DATA), findings)
    for target, value in overlay.bound.items():
        try:
            check_variables("", value)
        except PackError as fault:
            findings.error(("bound", target), str(fault).removeprefix(": "))


def check_venue_unfilled(venue: VenueFile, findings: Findings) -> None:
    """Add the same findings for venue.yaml."""
    _check(venue.model_dump(mode="json", by_alias=True, exclude={"bound", "credentials", "escalation"}), findings)


def _check(written: Json, findings: Findings) -> None:
    for key, text in _texts((), written):
        if has_variables(text):
            findings.error(key, f"{text[:80]!r} holds a variable, and nothing fills it in here", _HINT)


def _texts(key: Key, value: Json) -> Iterator[tuple[Key, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts((*key, str(name)), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts((*key, index), inner)
