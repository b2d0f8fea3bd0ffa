"""Cache of loaded packs as JSON, under a hash of all their inputs, so that the next start need not read them again."""

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import PydanticSerializationError

from contracts.action import AtomicAction, Finding
from contracts.credentials import HttpRequest
from contracts.venue import DayQuery, VenueKnowledge, VenueProfile, VenueRate, Webhook
from registry.errors import YamlSyntaxError
from registry.overlays.yaml_file import read_regular_file
from registry.registry import Pack
from registry.tariffs import read_tariffs, unknown_tariff

_LOG = logging.getLogger(__name__)

Form = TypeVar("Form", bound=BaseModel)


class CachedPack(BaseModel):
    """The cached form of a pack's folder.

    `files` names the file of each action. `broken` names the action of each file that should define one and does not,
    as far as the file shows. `blocked` maps the key of an operation to its blocked action.
    """

    profile: VenueProfile
    knowledge: VenueKnowledge = VenueKnowledge()
    actions: dict[str, AtomicAction]
    templates: dict[str, AtomicAction] = Field(default_factory=dict)
    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]
    check: HttpRequest
    variables: tuple[str, ...] = ()
    day: DayQuery | None = None
    webhook: Webhook | None = None
    rate: VenueRate | None = None
    files: dict[str, str] = Field(default_factory=dict)
    broken: dict[str, str] = Field(default_factory=dict)
    blocked: dict[str, str] = Field(default_factory=dict)


def pack_of(pack: CachedPack, version: str, seconds: float) -> Pack:
    """Return the pack that was read, with the findings that do not come from its folder; those are never cached."""
    tariffs, _ = read_tariffs()
    return Pack(
        profile=pack.profile,
        actions=MappingProxyType(pack.actions),
        templates=MappingProxyType(pack.templates),
        findings=(*pack.findings, *unknown_tariff(pack.profile, tariffs)),
        skipped=pack.skipped,
        version=version,
        check=pack.check,
        variables=pack.variables,
        day=pack.day,
        seconds=seconds,
        knowledge=pack.knowledge,
        webhook=pack.webhook,
        rate=pack.rate,
    )


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return a hash over the sources that build packs and their models, because other code must not read this cache."""
    packages = (Path(__file__).parents[1], Path(__file__).parents[2] / "contracts")
    files = sorted(path for package in packages for path in package.rglob("*.py"))
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()


def cache_key(*parts: str | None) -> str:
    """Return the cache key of what this code builds from `parts`."""
    return hashlib.sha256(json.dumps([code_version(), *parts]).encode()).hexdigest()[:32]


def load_cached(folder: Path, key: str, form: type[Form]) -> Form | None:
    """Return the cached entry of `key`; None when there is none, or no usable one."""
    try:
        return form.model_validate_json((folder / f"{key}.json").read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        _LOG.warning("the registry cache %s is not usable and is built again: %s", key, type(error).__name__)
        return None


def store_cached(folder: Path, key: str, pack: BaseModel) -> None:
    """Store a pack, or other data about one, under `key`. If the folder is not writable, the next load only takes
    longer."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(pack.model_dump_json())
        Path(name).replace(folder / f"{key}.json")
    except (OSError, UnicodeEncodeError, PydanticSerializationError) as error:
        _LOG.warning("the registry cache could not be written: %s", error)


def content_hash(folder: Path, more: Sequence[Path] = ()) -> str:
    """Return a hash over every YAML and JSON file of a pack, names included, and over `more`. A file that is too large
    counts by its size only, a file that is not regular by its existence. Raises OSError."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))
    contents = [[str(path.relative_to(folder)), _digest(path)] for path in files if not path.is_dir()]
    contents += [["", _digest(path)] for path in more]
    return hashlib.sha256(json.dumps(contents).encode()).hexdigest()[:16]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(read_regular_file(path)).hexdigest()
    except YamlSyntaxError as fault:
        return f"{fault.message} {path.stat().st_size}"
    except FileNotFoundError:
        return "a link to nothing"
