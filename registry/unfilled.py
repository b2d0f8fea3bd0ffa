"""`${VARIABLE}` where nothing fills it in: the venue would get, or a person read, those very characters."""

from collections.abc import Iterator, Mapping

from contracts.base import Json
from registry.credentials import check_variables, has_variables
from registry.faults import PackError
from registry.findings import Findings
from registry.overlay import OverlayFile
from registry.venue_file import VenueFile
from registry.yaml_file import Key

_HINT = "it may stand under `bound`, in the overlay or in venue.yaml, and under `credentials` in venue.yaml"
_DATA = {"bound", "sample", "examples"}
"""Where variables are filled in, and what is only an example of what people and venues say."""


def check_unfilled(overlay: OverlayFile, findings: Findings) -> None:
    """Add a finding for each variable outside `bound`, and for each in it that is not written as one."""
    _check(overlay.model_dump(mode="json", by_alias=True, exclude=_DATA), findings)
    for target, value in overlay.bound.items():
        try:
            check_variables("", value)
        except PackError as fault:
            findings.error(("bound", target), str(fault).removeprefix(": "))


def check_venue_unfilled(venue: VenueFile, findings: Findings) -> None:
    """The same of venue.yaml."""
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
