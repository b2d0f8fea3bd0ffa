"""Reads a pack's folder into actions. One bad overlay never affects the others."""

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from contracts.action import AtomicAction, CompensationTemplate, Finding, ReadTemplate
from contracts.credentials import HttpRequest
from contracts.enums import SafetyTier
from contracts.venue import VenueProfile
from registry.errors import OperationError, PackError, TemplateRenderError, YamlSyntaxError, did_you_mean
from registry.http.request import build_read
from registry.lint.aliases import check_venue_words
from registry.lint.read_only import WAY_OUT, OnlyReads
from registry.lint.rules import check_blocked, check_things
from registry.lint.run import run_all_checks
from registry.lint.venue import unused, variables_used
from registry.loading.cache import CachedPack, cache_key, content_hash, load_cached, pack_of, store_cached
from registry.loading.time_limit import TimeLimiter
from registry.openapi.document import Document
from registry.openapi.responses import ResponseIndex
from registry.openapi.safety import is_read
from registry.openapi.schema_reading import parts_of
from registry.overlays.compensation_link import as_compensation
from registry.overlays.compile import Compiler
from registry.overlays.day import day_of
from registry.overlays.findings import Findings, unreadable
from registry.overlays.fragments import FILE as PIECES
from registry.overlays.fragments import Fragments, read_fragments
from registry.overlays.models import OverlayFile, is_torn, keys_at
from registry.overlays.step_templates import templates_of
from registry.overlays.translation import Translation, read_translation
from registry.overlays.venue import VenueFile, read_venue
from registry.overlays.yaml_file import YamlFile, read_limited_yaml, read_yaml, recover_overlay
from registry.registry import Pack

Reader = Callable[[Path, str | None, Path | None], tuple[CachedPack, bool]]
"""The signature of `read_here` without its time limiter."""

_DOCUMENTS = ("openapi.yaml", "openapi.yml", "openapi.json")


@dataclass
class _Candidate:
    """An overlay that is being compiled into an action."""

    overlay: OverlayFile
    findings: Findings
    action: AtomicAction | None

    @property
    def usable(self) -> bool:
        """Return whether it has become an action."""
        return self.action is not None and not self.findings.fatal


@dataclass
class _OffLimits:
    """What actions may not use. `actions` gives the reason by name, `operations` the blocked action by operation
    key, `broken` by file the action that a mistake disabled. `meant` are overlays with wrong keys, which are only
    checked."""

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

    `base_url` replaces the venue's own, for a sandbox; `document` is the pack's API document; `cache` is the cache
    folder for the next start; `read` does the reading, by default in this process. Raises PackError when the folder,
    the document or the venue file cannot be used at all.
    """
    started = time.perf_counter()
    pack, version = load(folder, base_url, document, cache, read or read_here)
    return pack_of(pack, version, time.perf_counter() - started)


def load(
    folder: Path, base_url: str | None, document: Path | None, cache: Path | None, read: Reader
) -> tuple[CachedPack, str]:
    """Return the content of a pack's folder and the version of its files. Raises PackError, as `load_pack`."""
    if not folder.is_dir():
        beside = folder.parent.iterdir() if folder.parent.is_dir() else ()
        hint = did_you_mean(folder.name, [one.name for one in beside if (one / "venue.yaml").is_file()])
        raise PackError(f"there is no pack folder {folder}; {hint}".rstrip("; "))
    with _uncollected():
        try:
            version = content_hash(folder, [document] if document else [])
        except OSError as error:
            raise PackError(f"the pack {folder.name} cannot be read: {error.strerror}") from error
        key = cache_key(folder.name, version, base_url, str(document) if document else None)
        found = load_cached(cache, key, CachedPack) if cache is not None else None
        if found is None:
            found, whole = read(folder, base_url, document)
            # A read that ran out of time on a busy machine is not cached, so that the next start tries again.
            if cache is not None and whole:
                store_cached(cache, key, found)
        return found, version


def read_here(
    folder: Path, base_url: str | None, other: Path | None, watch: TimeLimiter | None = None
) -> tuple[CachedPack, bool]:
    """Read a pack's folder in this process and return its content, and whether every file had its time. Raises
    PackError."""
    watch = watch or TimeLimiter()
    pack: list[CachedPack] = []
    label = f"{folder.name}/{(other or document_path(folder)).name}"
    wrong = watch.over(label, lambda: pack.append(_loaded(folder, base_url, other, watch)), document=True)
    if wrong:
        raise PackError(f"{label} {wrong}")
    return pack[0], not watch.late


@contextmanager
def _uncollected() -> Iterator[None]:
    """Disable the garbage collector, because loading makes many small objects that all stay; collecting takes a fifth
    of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _loaded(folder: Path, base_url: str | None, other: Path | None, watch: TimeLimiter) -> CachedPack:
    document = Document.read(other or document_path(folder))
    venue = read_venue(folder)
    address = (base_url or venue.base_url or document.server or "").rstrip("/")
    entry, words = venue.entry(document, address), read_translation(folder, venue.locale)
    profile = words.of_venue(venue.profile(folder.name, address))
    document.enter(entry)
    candidates, findings, off_limits = _candidates(folder, document, profile, words, watch)
    _check_off_limits(candidates, off_limits)
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
    return CachedPack(
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


def _check_off_limits(candidates: Mapping[str, _Candidate], off_limits: _OffLimits) -> None:
    """Report candidates that another file blocks, or that use a blocked operation."""
    for name, candidate in candidates.items():
        if off_limits.actions.get(name) == "blocked":
            candidate.findings.error(("action",), f"another file blocks {name}", "remove one of the two")
        if candidate.action is not None:
            check_blocked(candidate.action, off_limits.operations, candidate.findings)


def document_path(folder: Path) -> Path:
    """Return the path of the API document of the pack in `folder`. Raises PackError when there is none."""
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
        return build_read(ReadTemplate(name="check", operation=operation, inputs=venue.check.inputs), {})
    except OperationError as fault:
        raise PackError(f"{where}: {fault.message} {fault.hint}".strip()) from fault
    except TemplateRenderError as fault:
        text = f"{fault.reason}; give its inputs: `check_operation: {{operation: …, with: {{…}}}}`"
        raise PackError(f"{where}: {text}") from fault


def _candidates(
    folder: Path, document: Document, profile: VenueProfile, words: Translation, watch: TimeLimiter
) -> tuple[dict[str, _Candidate], list[Finding], _OffLimits]:
    """Return overlays by action name, findings of files that defined none, and why the others must not be used."""
    candidates: dict[str, _Candidate] = {}
    findings: list[Finding] = []
    off_limits = _OffLimits()
    made = partial(_made, document, ResponseIndex(document), profile.pack)
    pieces = Fragments()

    def pieced() -> None:
        nonlocal pieces
        pieces, wrong = read_fragments(folder)
        findings.extend(wrong)

    def taken(path: Path, label: str) -> None:
        file, wrong = pieces.applied(read_limited_yaml(path))
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
        pieces = Fragments(why=f"{PIECES} {late}")
        findings.append(Finding(level="error", file=f"{folder.name}/{PIECES}", message=late))
    for path in sorted((folder / "actions").glob("*.yaml")):
        label = f"{folder.name}/actions/{path.name}"
        if wrong := _read_over(watch, label, partial(taken, path, label)):
            findings.append(wrong)
            off_limits.actions[path.stem] = "unreadable"
            off_limits.broken[label] = path.stem
    unread = "unreadable" in off_limits.actions.values()
    return candidates, findings + words.finish() + ([] if unread else pieces.findings()), off_limits


def _made(
    document: Document, answers: ResponseIndex, pack: str, overlay: OverlayFile, findings: Findings
) -> _Candidate:
    return _Candidate(overlay, findings, Compiler(document, answers, pack, findings).action(overlay))


def _read_over(watch: TimeLimiter, label: str, take: Callable[[], None]) -> Finding | None:
    """Return the finding for a file that cannot be read, or not in its time; None when it was read."""
    try:
        wrong = watch.over(label, take)
    except (OSError, YamlSyntaxError) as error:
        return unreadable(label, error)
    return Finding(level="error", file=label, message=wrong) if wrong else None


def _block(document: Document, file: YamlFile, name: str, operations: dict[str, str]) -> None:
    """Record the operation of a blocked overlay by its key, whichever of its names the overlay uses."""
    written = file.data.get("operation") if isinstance(file.data, dict) else None
    try:
        operations[document.operation(str(written)).key] = name
    except OperationError:
        return  # an operation that the document lacks cannot be named elsewhere either


def _overlay(
    file: YamlFile, findings: Findings, off_limits: dict[str, str], name: str
) -> tuple[OverlayFile | None, OverlayFile | None]:
    """Return the overlay of a file, None where it defines none; and the most likely intended overlay where its keys are
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
        meant, followed = recover_overlay(file.data, error)
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
        findings.error(loc, "is no key of an overlay", did_you_mean(str(loc[-1]), keys_at(OverlayFile, loc[:-1])))
    elif kind in ("enum", "literal_error") and isinstance(context, dict):
        choices = [word.strip(" '") for word in str(context.get("expected", "")).replace(" or ", ",").split(",")]
        findings.error(loc, f"{given!r} is not one of its words", did_you_mean(str(given), choices))
    else:
        findings.error(loc, message[:1].lower() + message[1:])


def _link(candidate: _Candidate, candidates: Mapping[str, _Candidate], off_limits: Mapping[str, str]) -> None:
    """Replace the name of an action in a compensation by the action."""
    action, written = candidate.action, candidate.overlay.compensation
    if action is None or action.compensation is None or written is None or written.action is None:
        return
    key = ("compensation", "action")
    other = candidates.get(written.action)
    if other is None or other.action is None or other.findings.fatal:
        why = off_limits.get(written.action, "not valid" if other else "not there")
        hint = "" if why == "blocked" else did_you_mean(written.action, candidates)
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
    """Return `action` with the names of the actions to offer with it: its undo, and the reads of its snapshot."""
    undo = overlay.compensation.action if overlay.compensation else None
    reads = {read.operation.key for read in action.snapshot.reads} if action.snapshot else set()
    beside = [n for n, a in usable.items() if n == undo or (a.read_only and a.operation.key in reads)]
    names = tuple(n for n in beside if n != action.name)
    return action.model_copy(update={"companions": names}) if names else action


def _finish(candidate: _Candidate, profile: VenueProfile, document: Document) -> None:
    if candidate.action is not None:
        check_things(candidate.action, profile.words, candidate.findings)
        run_all_checks(candidate.action, candidate.overlay, document, profile, candidate.findings)
