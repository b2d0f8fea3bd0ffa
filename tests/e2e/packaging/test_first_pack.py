"""`overlays/README.md` is true.

- A reader who follows its first part, command by command and line by line, sees what the page shows.
- Its reference names every key of the models, every filter and every field of a row, and none that does not exist.
"""

import re
from typing import get_args

import pytest
from pydantic import BaseModel

from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from registry.overlays.models import OverlayFile
from registry.overlays.venue import VenueFile
from registry.templating.filters import FILTERS
from tests.e2e.packaging.first_pack import END, PAGE, Command, reader, steps

pytestmark = pytest.mark.slow

TEXT = PAGE.read_text(encoding="utf-8")
REFERENCE = TEXT.partition(END)[2]
_WRITTEN_OTHERWISE = {"one", "many", "gender", "by_alias"}
"""Keys of forms that are written as a list: `[lezione, lezioni, f]`."""


def test_who_follows_the_page_sees_what_it_shows() -> None:
    done = list(steps(TEXT))
    assert sum(isinstance(step, Command) for step in done) >= 10
    with reader() as one:
        for step in done:
            printed = one.do(step)
            if isinstance(step, Command):
                assert printed == step.shown, step.line


def keys_of(model: type[BaseModel], seen: set[type[BaseModel]]) -> set[str]:
    """Return the keys that an author may write, of a model and of those inside it."""
    if model in seen:
        return set()
    seen.add(model)
    found: set[str] = set()
    for name, field in model.model_fields.items():
        if field.exclude:
            continue
        found.add(field.alias or name)
        waiting = [field.annotation]
        while waiting:
            kind = waiting.pop()
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                found |= keys_of(kind, seen)
            waiting += get_args(kind)
    return found


def table(heads: str) -> set[str]:
    """Return the names in the first column of every table with that head."""
    found: set[str] = set()
    for block in re.findall(rf"^\| {heads} \|.*\n\|[-|]+\n((?:\|.*\n)+)", REFERENCE, re.MULTILINE):
        for row in block.splitlines():
            first = row.split(" | ")[0]
            found |= {re.match(r"[\w.]+", name)[0] for name in re.findall(r"`([^`]+)`", first)}  # type: ignore[index]
    return found


def test_every_key_is_in_the_reference_and_nothing_else() -> None:
    keys = keys_of(OverlayFile, set()) | keys_of(VenueFile, set())
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`\n]+)`", REFERENCE)))) | {
        word for block in re.findall(r"```yaml\n(.*?)```", REFERENCE, re.DOTALL) for word in re.findall(r"\w+", block)
    }
    assert sorted(keys - named - _WRITTEN_OTHERWISE) == []
    listed = {part for name in table("key") for part in name.split(".")}
    assert sorted(listed - keys) == []


def test_every_filter_is_in_the_reference_and_nothing_else() -> None:
    assert sorted(FILTERS.keys() ^ table("filter")) == []


def test_every_field_of_a_row_is_in_the_reference_and_nothing_else() -> None:
    assert sorted(BookingSummary.model_fields.keys() ^ table("field")) == []


def test_every_role_is_in_the_reference() -> None:
    assert [role.value for role in ParameterRole if f"`{role.value}`" not in REFERENCE] == []
