"""The last good version of an action stays in force when its file breaks: nobody loses what worked to a slip of the
pen.

What was deleted, disabled or blocked on purpose is not kept, nor what today's rules no longer let in. When the API
document or the venue's file itself is broken, the whole pack stays as it was.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import re2
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from contracts.action import AtomicAction, Finding
from contracts.venue import DayRead
from registry.cache import Kept
from registry.checks import check, check_blocked
from registry.faults import YamlSyntaxError
from registry.findings import Findings
from registry.nodes import parts_of
from registry.overlay import is_torn
from registry.pieces import read_pieces
from registry.yaml_file import OVERLAY_BYTES, YamlFile, read_bytes, read_overlay

# For a file that is no YAML: whoever wrote one of these lines wanted the action gone.
_OFF = re2.compile(r"""(?m)^["']?(iq_enabled["']?\s*:\s*["']?(false|False|FALSE)|safety["']?\s*:\s*["']?blocked)""")
_AWAY = "to take the action away, delete the file or set `iq_enabled: false`"


class Held(BaseModel):
    """An action that stands in for what its file, as it is now, does not give.

    `good_at` is when it was last read from the file, `since` since when it stands in: UTC, to the minute.
    """

    action: AtomicAction
    file: str
    good_at: str
    since: str


class LastGood(BaseModel):
    """What is known of a pack's better days: the last load with a usable document, when that was and which version
    it made, and by file what stands in now."""

    whole: Kept | None = None
    at: str = ""
    version: str = ""
    held: dict[str, Held] = Field(default_factory=dict)

    @property
    def whole_names(self) -> set[str]:
        """The actions that there were."""
        return set(self.whole.actions) if self.whole else set()


_SHARED = TypeAdapter(dict[str, dict[str, Held]])


def shared_text(packs: Mapping[str, LastGood]) -> str:
    """What stands in, by pack and file, for other processes; "" when nothing does."""
    held = {name: good.held for name, good in packs.items() if good.held}
    return _SHARED.dump_json(held).decode() if held else ""


def shared_from(text: str) -> dict[str, dict[str, Held]]:
    """What another process has shared; nothing of what cannot be read, as from another release."""
    try:
        return _SHARED.validate_json(text) if text else {}
    except ValidationError:
        return {}


def completed(folder: Path, made: Kept, good: LastGood, shared: Mapping[str, Held]) -> tuple[Kept, LastGood]:
    """`made` with the last good version of every action whose file is broken, and what is to be known next time.

    `shared` is what stands in elsewhere: it comes first, so that all processes come to the same.
    """
    now = _now()
    known = {**_of_last_load(good, now), **good.held, **shared}
    by_name = {one.action.name: one for one in known.values()}
    actions, files, held = dict(made.actions), dict(made.files), dict[str, Held]()
    findings = list(made.findings)
    off = {*made.blocked.values()}
    for label, name in made.broken.items():
        old = known.get(label) or by_name.get(name)
        if old is None:
            if good.at:
                said = "no earlier version of it is known here, so there is no such action until it is mended"
                findings.append(Finding(level="info", file=label, action=name, message=said))
            continue
        if old.action.name in actions or old.action.name in off or switched(folder / "actions" / Path(label).name):
            continue
        if why := _no_longer_let_in(old.action, label, made.blocked):
            said = f"its version of {old.good_at} is no longer let in: {why}"
            findings.append(Finding(level="info", file=label, action=old.action.name, message=said))
            continue
        held[label] = old.model_copy(update={"file": label})
        actions[old.action.name], files[old.action.name] = old.action, label
        findings.append(_standing_in(held[label]))
    effective = made.model_copy(
        update={
            "actions": actions,
            "files": files,
            "findings": tuple(findings),
            "skipped": tuple(name for name in made.skipped if name not in actions),
            "day": made.day or _day_that_stays(good, held),
        }
    )
    return effective, LastGood(whole=effective, at=now, held=held)


def whole_pack(folder: Path, good: LastGood, why: str) -> tuple[Kept, Finding] | None:
    """The last good version of a pack whose document or venue file is broken, without what was taken away since, and
    what to say of it; None when no better days are known."""
    if good.whole is None:
        return None
    blocked = _blocked(folder, good.whole)
    actions: dict[str, AtomicAction] = {}
    for name, action in good.whole.actions.items():
        label = good.whole.files.get(name, "")
        if not switched(folder / "actions" / Path(label).name) and not _no_longer_let_in(action, label, blocked):
            actions[name] = action
    stays = f"the pack of {good.at} stays in force until it is mended; what was deleted, disabled or blocked is gone"
    finding = Finding(level="error", file=folder.name, message=why[:1000], hint=stays)
    return good.whole.model_copy(update={"actions": actions}), finding


def switched(path: Path) -> str:
    """How a file says, as well as it can, that its action is not wanted: "gone", "off", "blocked"; "" when it does
    not."""
    try:
        pieces, _ = read_pieces(path.parents[1])
        data = parts_of(pieces.applied(read_overlay(path))[0].data)
    except FileNotFoundError:
        return "gone"
    except (OSError, YamlSyntaxError):
        try:
            found = _OFF.search(read_bytes(path, OVERLAY_BYTES).decode("utf-8", "replace"))
        except (OSError, YamlSyntaxError):
            return ""
        return "" if found is None else "blocked" if "safety" in found.group() else "off"
    off = data.get("iq_enabled", False) is False and not is_torn(data)
    return "blocked" if data.get("safety") == "blocked" else "off" if off else ""


def _blocked(folder: Path, whole: Kept) -> dict[str, str]:
    """The operations that the files block now, where no document tells their keys: as they are written, and those of
    the actions that the same files gave."""
    found = dict(whole.blocked)
    names = {label: name for name, label in whole.files.items()}
    for path in sorted((folder / "actions").glob("*.yaml")):
        if switched(path) != "blocked":
            continue
        name = names.get(f"{folder.name}/actions/{path.name}", "")
        if name:
            found[whole.actions[name].operation.key] = name
        try:
            found[str(parts_of(read_overlay(path).data).get("operation"))] = name or path.stem
        except (OSError, YamlSyntaxError):
            continue
    return found


def _of_last_load(good: LastGood, now: str) -> dict[str, Held]:
    whole = good.whole
    if whole is None:
        return {}
    rows = [(whole.files[n], action) for n, action in whole.actions.items() if n in whole.files]
    return {file: Held(action=action, file=file, good_at=good.at, since=now) for file, action in rows}


def _no_longer_let_in(action: AtomicAction, label: str, blocked: Mapping[str, str]) -> str:
    """Why today's rules refuse an action of yesterday; "" when they do not."""
    found = Findings(YamlFile(Path(label), None, {}), label, action.name)
    check(action, found)
    check_blocked(action, blocked, found)
    return next((row.message for row in found.rows if row.level == "error"), "")


def _standing_in(held: Held) -> Finding:
    said = f"{held.action.name} stays as it was on {held.good_at} (UTC), since {held.since}: its file is broken now"
    return Finding(
        level="warning", file=held.file, action=held.action.name, message=said, hint=f"mend the file; {_AWAY}"
    )


def _day_that_stays(good: LastGood, held: Mapping[str, Held]) -> DayRead | None:
    """The read of a day, where the action that it is made by stands in."""
    day = good.whole.day if good.whole is not None else None
    return day if day is not None and day.action in {one.action.name for one in held.values()} else None


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
