"""Keeps the last good version of an action in force when its file breaks, so that a typing error removes no working
action.

An action that was deleted, disabled or blocked on purpose is not retained, nor one that the current rules reject. When
the API document or the venue file is broken, the whole pack stays as it was.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import re2
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from contracts.action import AtomicAction, Finding
from contracts.venue import DayQuery
from registry.errors import YamlSyntaxError
from registry.lint.rules import check, check_blocked
from registry.loading.cache import CachedPack
from registry.openapi.schema_reading import parts_of
from registry.overlays.findings import Findings
from registry.overlays.fragments import read_fragments
from registry.overlays.models import is_torn
from registry.overlays.yaml_file import OVERLAY_BYTES, YamlFile, read_limited_yaml, read_regular_file

# For a file that is not YAML: its author wrote one of these lines to remove the action.
_OFF = re2.compile(r"""(?m)^["']?(iq_enabled["']?\s*:\s*["']?(false|False|FALSE)|safety["']?\s*:\s*["']?blocked)""")
_AWAY = "to take the action away, delete the file or set `iq_enabled: false`"


class RetainedAction(BaseModel):
    """An action that replaces one whose file is currently broken.

    `good_at` is when it was last read from the file, `since` since when it is the replacement: UTC, to the minute.
    """

    action: AtomicAction
    file: str
    good_at: str
    since: str


class LastGood(BaseModel):
    """The last good state of a pack: the last load with a usable document, its time and version, and the replacements
    in force by file."""

    whole: CachedPack | None = None
    at: str = ""
    version: str = ""
    held: dict[str, RetainedAction] = Field(default_factory=dict)

    @property
    def whole_names(self) -> set[str]:
        """Return the names of the actions of the last good pack."""
        return set(self.whole.actions) if self.whole else set()


_SHARED = TypeAdapter(dict[str, dict[str, RetainedAction]])


def shared_text(packs: Mapping[str, LastGood]) -> str:
    """Return the replacements by pack and file, serialised for other processes; "" when there are none."""
    retained = {name: good.held for name, good in packs.items() if good.held}
    return _SHARED.dump_json(retained).decode() if retained else ""


def shared_from(text: str) -> dict[str, dict[str, RetainedAction]]:
    """Return the replacements that another process shared; without those that cannot be read, as from another
    release."""
    try:
        return _SHARED.validate_json(text) if text else {}
    except ValidationError:
        return {}


def fill_from_last_good(
    folder: Path, pack: CachedPack, good: LastGood, shared: Mapping[str, RetainedAction]
) -> tuple[CachedPack, LastGood]:
    """Return `pack` with the last good version of every action whose file is broken, and the state for the next load.

    `shared` are the replacements of other processes. They take precedence, so that all processes use the same ones.
    """
    now = _now()
    known = {**_of_last_load(good, now), **good.held, **shared}
    by_name = {one.action.name: one for one in known.values()}
    actions, files, retained = dict(pack.actions), dict(pack.files), dict[str, RetainedAction]()
    findings = list(pack.findings)
    off = {*pack.blocked.values()}
    for label, name in pack.broken.items():
        old = known.get(label) or by_name.get(name)
        if old is None:
            if good.at:
                text = "no earlier version of it is known here, so there is no such action until it is mended"
                findings.append(Finding(level="info", file=label, action=name, message=text))
            continue
        if old.action.name in actions or old.action.name in off or was_disabled(folder / "actions" / Path(label).name):
            continue
        if why := _rejected_by_now(old.action, label, pack.blocked):
            text = f"its version of {old.good_at} is rejected by now: {why}"
            findings.append(Finding(level="info", file=label, action=old.action.name, message=text))
            continue
        retained[label] = old.model_copy(update={"file": label})
        actions[old.action.name], files[old.action.name] = old.action, label
        findings.append(_retained_finding(retained[label]))
    effective = pack.model_copy(
        update={
            "actions": actions,
            "files": files,
            "findings": tuple(findings),
            "skipped": tuple(name for name in pack.skipped if name not in actions),
            "day": pack.day or _day_that_stays(good, retained),
        }
    )
    return effective, LastGood(whole=effective, at=now, held=retained)


def last_good_pack(folder: Path, good: LastGood, why: str) -> tuple[CachedPack, Finding] | None:
    """Return the last good version of a pack whose document or venue file is broken, without what was removed since,
    and the finding about it; None when there is no good version."""
    if good.whole is None:
        return None
    blocked = _blocked(folder, good.whole)
    actions: dict[str, AtomicAction] = {}
    for name, action in good.whole.actions.items():
        label = good.whole.files.get(name, "")
        if not was_disabled(folder / "actions" / Path(label).name) and not _rejected_by_now(action, label, blocked):
            actions[name] = action
    stays = f"the pack of {good.at} stays in force until it is mended; what was deleted, disabled or blocked is gone"
    finding = Finding(level="error", file=folder.name, message=why[:1000], hint=stays)
    return good.whole.model_copy(update={"actions": actions}), finding


def was_disabled(path: Path) -> str:
    """Return how a file, as far as it can be read, says that its action is not wanted: "gone", "off", "blocked"; ""
    when it does not."""
    try:
        pieces, _ = read_fragments(path.parents[1])
        data = parts_of(pieces.applied(read_limited_yaml(path))[0].data)
    except FileNotFoundError:
        return "gone"
    except (OSError, YamlSyntaxError):
        try:
            found = _OFF.search(read_regular_file(path, OVERLAY_BYTES).decode("utf-8", "replace"))
        except (OSError, YamlSyntaxError):
            return ""
        return "" if found is None else "blocked" if "safety" in found.group() else "off"
    off = data.get("iq_enabled", False) is False and not is_torn(data)
    return "blocked" if data.get("safety") == "blocked" else "off" if off else ""


def _blocked(folder: Path, whole: CachedPack) -> dict[str, str]:
    """Return the operations that the files now block, where no document gives their keys: as written, and those of the
    actions that the same files defined."""
    found = dict(whole.blocked)
    names = {label: name for name, label in whole.files.items()}
    for path in sorted((folder / "actions").glob("*.yaml")):
        if was_disabled(path) != "blocked":
            continue
        name = names.get(f"{folder.name}/actions/{path.name}", "")
        if name:
            found[whole.actions[name].operation.key] = name
        try:
            found[str(parts_of(read_limited_yaml(path).data).get("operation"))] = name or path.stem
        except (OSError, YamlSyntaxError):
            continue
    return found


def _of_last_load(good: LastGood, now: str) -> dict[str, RetainedAction]:
    whole = good.whole
    if whole is None:
        return {}
    rows = [(whole.files[n], action) for n, action in whole.actions.items() if n in whole.files]
    return {file: RetainedAction(action=action, file=file, good_at=good.at, since=now) for file, action in rows}


def _rejected_by_now(action: AtomicAction, label: str, blocked: Mapping[str, str]) -> str:
    """Return why the current rules reject a retained action; "" when they do not."""
    found = Findings(YamlFile(Path(label), None, {}), label, action.name)
    check(action, found)
    check_blocked(action, blocked, found)
    return next((row.message for row in found.rows if row.level == "error"), "")


def _retained_finding(retained: RetainedAction) -> Finding:
    name, since = retained.action.name, retained.since
    text = f"{name} stays as it was on {retained.good_at} (UTC), since {since}: its file is broken now"
    return Finding(
        level="warning", file=retained.file, action=retained.action.name, message=text, hint=f"mend the file; {_AWAY}"
    )


def _day_that_stays(good: LastGood, retained: Mapping[str, RetainedAction]) -> DayQuery | None:
    """Return the read of a day, if the action that it uses is retained."""
    day = good.whole.day if good.whole is not None else None
    return day if day is not None and day.action in {one.action.name for one in retained.values()} else None


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
