"""A pack's folder, read into actions. One bad overlay never costs the others."""

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from contracts.action import AtomicAction, CompensationTemplate, Finding, HttpRequest, ReadTemplate
from contracts.enums import SafetyTier
from contracts.venue import VenueProfile
from registry.cache import Kept, cache_key, content_hash, keep, kept
from registry.called import check_venue_words
from registry.checks import check_blocked, check_things
from registry.compile import Compiler
from registry.day_read import day_of
from registry.document import Document
from registry.faults import OperationError, PackError, UnrenderableError, YamlSyntaxError, nearest
from registry.findings import Findings, unreadable
from registry.link import as_compensation
from registry.meant import as_meant
from registry.nodes import parts_of
from registry.only_reads import WAY_OUT, OnlyReads
from registry.overlay import OverlayFile, is_torn, keys_at
from registry.pack import Pack, pack_of
from registry.pieces import FILE as PIECES
from registry.pieces import Pieces, read_pieces
from registry.request import build_read
from registry.scope import Scope
from registry.search_answers import Answers
from registry.step_templates import templates_of
from registry.tiers import is_read
from registry.translation import Translation, read_translation
from registry.venue_file import VenueFile, read_venue
from registry.venue_use import unused, variables_used
from registry.watch import Watch
from registry.whole import check_whole
from registry.yaml_file import YamlFile, read_overlay, read_yaml

Reader = Callable[[Path, str | None, Path | None], tuple[Kept, bool]]
"""As `read_here`, without its watch."""

_DOCUMENTS = ("openapi.yaml", "openapi.yml", "openapi.json")


@dataclass
class _Candidate:
    """An overlay on its way to becoming an action."""

    overlay: OverlayFile
    findings: Findings
    action: AtomicAction | None

    @property
    def usable(self) -> bool:
        """Whether it has become one."""
        return self.action is not None and not self.findings.fatal


@dataclass
class _OffLimits:
    """What no action may use: `actions` says why by name, `operations` names the blocked action by operation key,
    `broken` by its file the action that a mistake has cost; `meant` are overlays of wrong keys, which are only looked
    at."""

    actions: dict[str, str] = field(default_factory=dict)
    operations: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    meant: list[_Candidate] = field(default_factory=list)


def load_pack(
    folder: Path,
    *,
    base_url: str | None = None,
    document: Path | None = None,
    cache: Path | None = None,
    read: Reader | None = None,
) -> Pack:
    """Read the pack in `folder`: `openapi.yaml`, `venue.yaml` and `actions/*.yaml`.

    `base_url` replaces the venue's own, for a sandbox; `document` the pack's API document; `cache` is a
    folder in which what was read is kept for the next start; `read` does the reading, in this process where it is left
    out. Raises PackError when the folder, the document or the venue file cannot be used at all.
    """
    started = time.perf_counter()
    made, version = load(folder, base_url, document, cache, read or read_here)
    return pack_of(made, version, time.perf_counter() - started)


def load(
    folder: Path, base_url: str | None, document: Path | None, cache: Path | None, read: Reader
) -> tuple[Kept, str]:
    """What a pack's folder gives, and the version of its files. Raises PackError, as `load_pack`."""
    if not folder.is_dir():
        beside = folder.parent.iterdir() if folder.parent.is_dir() else ()
        hint = nearest(folder.name, [one.name for one in beside if (one / "venue.yaml").is_file()])
        raise PackError(f"there is no pack folder {folder}; {hint}".rstrip("; "))
    with _uncollected():
        try:
            version = content_hash(folder, [document] if document else [])
        except OSError as error:
            raise PackError(f"the pack {folder.name} cannot be read: {error.strerror}") from error
        key = cache_key(folder.name, version, base_url, str(document) if document else None)
        found = kept(cache, key, Kept) if cache is not None else None
        if found is None:
            found, whole = read(folder, base_url, document)
            # What a busy machine had no time for is tried again at the next start.
            if cache is not None and whole:
                keep(cache, key, found)
        return found, version


def read_here(folder: Path, base_url: str | None, other: Path | None, watch: Watch | None = None) -> tuple[Kept, bool]:
    """What a pack's folder gives, read in this process, and whether every file had its time. Raises PackError."""
    watch = watch or Watch()
    made: list[Kept] = []
    label = f"{folder.name}/{(other or document_path(folder)).name}"
    wrong = watch.over(label, lambda: made.append(_loaded(folder, base_url, other, watch)), document=True)
    if wrong:
        raise PackError(f"{label} {wrong}")
    return made[0], not watch.late


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold the garbage collector off: loading makes many small objects that all stay, a fifth of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _loaded(folder: Path, base_url: str | None, other: Path | None, watch: Watch) -> Kept:
    document = Document.read(other or document_path(folder))
    venue = read_venue(folder)
    address = (base_url or venue.base_url or document.server or "").rstrip("/")
    entry, words = venue.entry(document, address), read_translation(folder, venue.locale)
    profile = words.of_venue(venue.profile(folder.name, address))
    document.enter(entry)
    candidates, findings, off_limits = _candidates(folder, document, profile, words, watch)
    for name, candidate in candidates.items():
        if off_limits.actions.get(name) == "blocked":
            candidate.findings.error(("action",), f"another file blocks {name}", "remove one of the two")
        if candidate.action is not None:
            check_blocked(candidate.action, off_limits.operations, candidate.findings)
    only_reads = OnlyReads.by(c.action for c in candidates.values() if c.action is not None)
    for one in (*candidates.values(), *off_limits.meant):
        if one.action is not None:
            only_reads.check(one.action, one.findings)
    for candidate in candidates.values():
        _link(candidate, candidates, off_limits.actions)
    for name, candidate in candidates.items():
        if wrong := watch.over(candidate.findings.file, partial(_finish, candidate, profile, document)):
            candidate.findings.error((), wrong)
        findings += candidate.findings.rows
        if not candidate.usable and off_limits.actions.get(name) != "blocked":
            off_limits.broken[candidate.findings.file] = name
    for doomed in off_limits.meant:
        _link(doomed, candidates, off_limits.actions)
        watch.over(doomed.findings.file, partial(_finish, doomed, profile, document))
        findings += doomed.findings.rows
    check = _check_request(venue, folder, document, off_limits.operations, only_reads)
    findings += unused(venue, folder, entry, document, [c.action for c in candidates.values() if c.action is not None])
    usable = {n: c.action for n, c in candidates.items() if c.action is not None and c.usable}
    findings += check_venue_words(folder, profile, usable.values())
    templates = templates_of(folder, usable)
    findings += templates.findings
    day, wrong_day = day_of(venue, folder, profile, usable, {*candidates, *off_limits.actions})
    findings += wrong_day
    return Kept(
        profile=profile,
        knowledge=venue.knowledge(),
        actions={n: _with_companions(a, candidates[n].overlay, usable) for n, a in usable.items()},
        findings=tuple(findings),
        templates=templates.usable,
        skipped=tuple(sorted({*off_limits.actions, *(set(candidates) - set(usable)), *templates.skipped})),
        check=check,
        variables=variables_used(venue, usable.values()),
        day=day,
        webhook=venue.escalation.hook if venue.escalation else None,
        rate=venue.rate,
        files={n: candidates[n].findings.file for n in usable},
        broken=off_limits.broken,
        blocked={**off_limits.operations, **{n: n for n, why in off_limits.actions.items() if why == "blocked"}},
    )


def document_path(folder: Path) -> Path:
    """The API document of the pack in `folder`. Raises PackError when there is none."""
    found = next((folder / name for name in _DOCUMENTS if (folder / name).is_file()), None)
    if found is None:
        raise PackError(f"the pack {folder.name} has no openapi.yaml")
    return found


def _check_request(
    venue: VenueFile, folder: Path, document: Document, blocked: Mapping[str, str], only_reads: OnlyReads
) -> HttpRequest:
    line = read_yaml(folder / "venue.yaml").line("check_operation")
    where = f"{folder.name}/venue.yaml, line {line}, check_operation"
    if not venue.check.operation:
        raise PackError(f"{where}: names no operation; {WAY_OUT}")
    try:
        operation = document.operation(venue.check.operation)
        if operation.key in blocked and not is_read(operation.method):
            raise OperationError(f"{operation.key} is blocked by {blocked[operation.key]}")
        if problem := only_reads.problem(operation, declared=venue.check.read_only is True):
            raise PackError(f"{where}: {problem}; {WAY_OUT}")
        return build_read(ReadTemplate(name="check", operation=operation, inputs=venue.check.inputs), Scope())
    except OperationError as fault:
        raise PackError(f"{where}: {fault.message} {fault.hint}".strip()) from fault
    except UnrenderableError as fault:
        said = f"{fault.reason}; give its inputs: `check_operation: {{operation: …, with: {{…}}}}`"
        raise PackError(f"{where}: {said}") from fault


def _candidates(
    folder: Path, document: Document, profile: VenueProfile, words: Translation, watch: Watch
) -> tuple[dict[str, _Candidate], list[Finding], _OffLimits]:
    """Overlays by action name, findings of files that gave none, and why the others must not be used."""
    candidates: dict[str, _Candidate] = {}
    findings: list[Finding] = []
    off_limits = _OffLimits()
    made = partial(_made, document, Answers(document), profile.pack)
    pieces = Pieces()

    def pieced() -> None:
        nonlocal pieces
        pieces, wrong = read_pieces(folder)
        findings.extend(wrong)

    def taken(path: Path, label: str) -> None:
        file, wrong = pieces.applied(read_overlay(path))
        name = str(file.data.get("action") or path.stem) if isinstance(file.data, dict) else path.stem
        found = Findings(file, label, name)
        if isinstance(file.data, dict):
            for one in wrong if file.data.get("iq_enabled", False) is not False else ():
                found.error(*one)
            file = replace(file, data=words.applied(name, file.data, whole=not wrong))
        overlay, meant = _overlay(file, found, off_limits.actions, name)
        if off_limits.actions.get(name) == "blocked" and overlay is None:
            _block(document, file, name, off_limits.operations)
        if overlay is None:
            if off_limits.actions[name] in ("unreadable", "invalid") or is_torn(parts_of(file.data)):
                off_limits.broken[label] = name
            if meant is not None:
                off_limits.meant.append(made(meant, found))
            findings.extend(found.rows if meant is None else ())
        elif name in candidates:
            found.error(("action",), f"another file already defines {name}", "give one of them another name")
            findings.extend(found.rows)
        else:
            candidates[name] = made(overlay, found)

    if late := watch.over(f"{folder.name}/{PIECES}", pieced):
        pieces = Pieces(why=f"{PIECES} {late}")
        findings.append(Finding(level="error", file=f"{folder.name}/{PIECES}", message=late))
    for path in sorted((folder / "actions").glob("*.yaml")):
        label = f"{folder.name}/actions/{path.name}"
        if wrong := _read_over(watch, label, partial(taken, path, label)):
            findings.append(wrong)
            off_limits.actions[path.stem] = "unreadable"
            off_limits.broken[label] = path.stem
    unread = "unreadable" in off_limits.actions.values()
    return candidates, findings + words.finish() + ([] if unread else pieces.findings()), off_limits


def _made(document: Document, answers: Answers, pack: str, overlay: OverlayFile, findings: Findings) -> _Candidate:
    return _Candidate(overlay, findings, Compiler(document, answers, pack, findings).action(overlay))


def _read_over(watch: Watch, label: str, take: Callable[[], None]) -> Finding | None:
    """What is wrong with a file that cannot be read, or not in its time."""
    try:
        wrong = watch.over(label, take)
    except (OSError, YamlSyntaxError) as error:
        return unreadable(label, error)
    return Finding(level="error", file=label, message=wrong) if wrong else None


def _block(document: Document, file: YamlFile, name: str, operations: dict[str, str]) -> None:
    """Note the operation of a blocked overlay by its key, whichever of its names the overlay uses."""
    written = file.data.get("operation") if isinstance(file.data, dict) else None
    try:
        operations[document.operation(str(written)).key] = name
    except OperationError:
        return  # what the document does not offer, nothing else can name either


def _overlay(
    file: YamlFile, findings: Findings, off_limits: dict[str, str], name: str
) -> tuple[OverlayFile | None, OverlayFile | None]:
    """The overlay of a file, None where it gives none; and what it was most likely meant to be where its keys are
    wrong."""
    if not isinstance(file.data, dict):
        findings.error((), "must be a list of `name: value` lines")
        off_limits[name] = "unreadable"
        return None, None
    if file.data.get("safety") == SafetyTier.BLOCKED:
        findings.info("blocked: loads nowhere")
        off_limits[name] = "blocked"
        return None, None
    if file.data.get("iq_enabled", False) is False:
        findings.info("not enabled: `iq_enabled: true` turns it on")
        off_limits[name] = "not enabled"
        return None, None
    if findings.fatal:
        off_limits[name] = "invalid"
        return None, None
    try:
        return OverlayFile.model_validate(file.data), None
    except ValidationError as error:
        meant, followed = as_meant(file.data, error)
        for problem in error.errors():
            kind, where = problem["type"], problem["loc"]
            if kind != "missing" or where not in followed:
                _say(kind, where, problem["msg"], problem.get("input"), problem.get("ctx"), findings)
        off_limits[name] = "invalid"
        return None, meant


def _say(
    kind: str, loc: tuple[int | str, ...], message: str, given: object, context: object, findings: Findings
) -> None:
    if kind == "extra_forbidden":
        findings.error(loc, "is no key of an overlay", nearest(str(loc[-1]), keys_at(OverlayFile, loc[:-1])))
    elif kind in ("enum", "literal_error") and isinstance(context, dict):
        choices = [word.strip(" '") for word in str(context.get("expected", "")).replace(" or ", ",").split(",")]
        findings.error(loc, f"{given!r} is not one of its words", nearest(str(given), choices))
    else:
        findings.error(loc, message[:1].lower() + message[1:])


def _link(candidate: _Candidate, candidates: Mapping[str, _Candidate], off_limits: Mapping[str, str]) -> None:
    """Put the action that a compensation names in its place."""
    action, written = candidate.action, candidate.overlay.compensation
    if action is None or action.compensation is None or written is None or written.action is None:
        return
    key = ("compensation", "action")
    other = candidates.get(written.action)
    if other is None or other.action is None or other.findings.fatal:
        why = off_limits.get(written.action, "not valid" if other else "not there")
        hint = "" if why == "blocked" else nearest(written.action, candidates)
        candidate.findings.error(key, f"{written.action} is {why} and cannot undo anything", hint)
        return
    needed = [p.name for p in other.action.parameters if p.required and p.name not in written.inputs]
    missing = [name for name in needed if action.parameter(name) is None]
    if missing:
        candidate.findings.error(("compensation", "with"), f"{written.action} needs {', '.join(missing)}")
        return
    linked: CompensationTemplate = as_compensation(action, other.action, written.inputs, written.manual)
    candidate.action = action.model_copy(update={"compensation": linked})


def _with_companions(action: AtomicAction, overlay: OverlayFile, usable: Mapping[str, AtomicAction]) -> AtomicAction:
    """`action` with the names of what a model should be offered beside it: its undo, and its snapshot's reads."""
    undo = overlay.compensation.action if overlay.compensation else None
    reads = {read.operation.key for read in action.snapshot.reads} if action.snapshot else set()
    beside = [n for n, a in usable.items() if n == undo or (a.read_only and a.operation.key in reads)]
    names = tuple(n for n in beside if n != action.name)
    return action.model_copy(update={"companions": names}) if names else action


def _finish(candidate: _Candidate, profile: VenueProfile, document: Document) -> None:
    if candidate.action is not None:
        check_things(candidate.action, profile.words, candidate.findings)
        check_whole(candidate.action, candidate.overlay, document, profile, candidate.findings)
