"""Loaded packs kept as JSON under a hash of all that went into them: the next start need not read them again."""

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import PydanticSerializationError

from contracts.action import AtomicAction, Finding, HttpRequest
from contracts.venue import DayRead, VenueKnowledge, VenueProfile, VenueRate, Webhook
from registry.faults import YamlSyntaxError
from registry.yaml_file import read_bytes

_LOG = logging.getLogger(__name__)

Form = TypeVar("Form", bound=BaseModel)


class Kept(BaseModel):
    """What a pack's folder gives, as it is kept.

    `files` names the file of each action. `broken` names the action of each file that should give one and does not, as
    far as the file tells; `blocked` the blocked actions by the key of their operation.
    """

    profile: VenueProfile
    knowledge: VenueKnowledge = VenueKnowledge()
    actions: dict[str, AtomicAction]
    templates: dict[str, AtomicAction] = Field(default_factory=dict)
    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]
    check: HttpRequest
    variables: tuple[str, ...] = ()
    day: DayRead | None = None
    webhook: Webhook | None = None
    rate: VenueRate | None = None
    files: dict[str, str] = Field(default_factory=dict)
    broken: dict[str, str] = Field(default_factory=dict)
    blocked: dict[str, str] = Field(default_factory=dict)


@lru_cache(maxsize=1)
def code_version() -> str:
    """A hash over the sources that make packs and the models they are made of: other code never reads its cache."""
    rooms = (Path(__file__).parent, Path(__file__).parents[1] / "contracts")
    files = sorted(path for room in rooms for path in room.glob("*.py"))
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()


def cache_key(*parts: str | None) -> str:
    """The name under which what was made of `parts` by this code is kept."""
    return hashlib.sha256(json.dumps([code_version(), *parts]).encode()).hexdigest()[:32]


def kept(folder: Path, key: str, form: type[Form]) -> Form | None:
    """What is kept under `key`; None when there is nothing, or nothing usable."""
    try:
        return form.model_validate_json((folder / f"{key}.json").read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        _LOG.warning("the registry cache %s is not usable and is made anew: %s", key, type(error).__name__)
        return None


def keep(folder: Path, key: str, pack: BaseModel) -> None:
    """Keep a pack, or what else is known of one, under `key`; a folder that cannot be written costs only the time to
    load again."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(pack.model_dump_json())
        Path(name).replace(folder / f"{key}.json")
    except (OSError, UnicodeEncodeError, PydanticSerializationError) as error:
        _LOG.warning("the registry cache could not be written: %s", error)


def content_hash(folder: Path, more: Sequence[Path] = ()) -> str:
    """A hash over every YAML and JSON file of a pack, names included, and over `more`. Of a file that is too large to
    be read only its size counts; what is no regular file, only that it is there. Raises OSError."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))
    contents = [[str(path.relative_to(folder)), _digest(path)] for path in files if not path.is_dir()]
    contents += [["", _digest(path)] for path in more]
    return hashlib.sha256(json.dumps(contents).encode()).hexdigest()[:16]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except YamlSyntaxError as fault:
        return f"{fault.message} {path.stat().st_size}"
    except FileNotFoundError:
        return "a link to nothing"
