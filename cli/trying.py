"""`iq actions try`: one action against a server, step by step, with what is read, sent, answered and undone."""

import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from cli.printed import show, show_request
from cli.told_arguments import NotUnderstoodError, arguments_for
from cli.tried_write import TriedWrite, tell_refusal
from clients.preview_reads import look_up_scope, read_for_preview
from clients.reads import Reader
from clients.venue import Answered, VenueClient, VenueError, Write
from contracts.action import AtomicAction, HttpRequest
from contracts.base import Value
from infra.keyring import new_key_line, parse_ring
from infra.observe import Observer
from infra.settings import Settings
from infra.vault import MemoryVault
from language.catalogue import speak
from registry import (
    Pack,
    Scope,
    UnrenderableError,
    always_refused,
    answer_text,
    argument_problems,
    build_request,
    candidates,
    confirm_label,
    fitted_arguments,
    observe,
    preview_lines,
)
from registry.anonymous import Anonymous
from registry.findings import Findings
from registry.nodes import parts_of
from registry.overlay import SampleOverlay
from registry.sample import SAMPLE_KEY, try_sample
from registry.sample_file import file_of, put_sample
from registry.scope import marker_of
from registry.usage import overlay_files

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Asked:
    """What is to be tried, and how far: `dry_run` sends nothing at all, `write` sends it, `undo` takes it back, `save`
    keeps it as the sample. `addressed`: where was said by whoever tries it, and not by the pack alone."""

    say: str | None
    call: dict[str, Value] | None
    token: str
    dry_run: bool
    write: bool
    undo: bool
    save: bool
    live: bool
    addressed: bool = False


class TryError(Exception):
    """It cannot be tried so; the message says what to do."""


class _Trial:
    """One action on its way."""

    def __init__(self, pack: Pack, action: AtomicAction, asked: Asked, venues: VenueClient, reference: str) -> None:
        self.pack, self.action, self.asked, self.venues, self.reference = pack, action, asked, venues, reference
        self.reader = Reader(venues, reference, "", token=asked.token)
        self.scope = Scope.of(action, {}, pack.profile)
        self.sample: dict[str, Value] = {}
        # A key of its own each time: an API that knows it already would answer with what an earlier try did.
        self.key = f"try-{uuid4().hex[:12]}"

    async def run(self, call: dict[str, Value], sample: SampleOverlay | None) -> bool:
        """All of it; whether it went as it should."""
        action = self.action
        call = fitted_arguments(action, call)
        show("Call", call)
        problems = argument_problems(action, call)
        if problems:
            raise TryError(f"these arguments do not do: {' '.join(problems)}")
        self.sample = {"call": call}
        self.scope = Scope.of(action, call, self.pack.profile, self.key)
        if self.asked.dry_run:
            before = sample.before if sample else None
            if action.snapshot is not None and before is None:
                raise TryError(
                    "--dry-run reads nothing, and the overlay has no `sample` with a `before` to take instead"
                )
            self.scope = self.scope.with_(before=before, seen=sample.seen if sample else {})
            show("Before", "(from the sample)" if action.snapshot else "nothing is read before")
        elif action.snapshot is not None:
            seen = await self.reader.snapshot(action, self.scope)
            self.scope = self.scope.with_(before=seen.document)
            self.sample["before"] = seen.document
            show("Before", seen.document)
        if action.read_only and not self.asked.dry_run:
            looked = await look_up_scope(
                self.venues, action, call, self.pack.profile, self.reference, "", datetime.now(UTC)
            )
            self.scope = self.scope.with_(today=looked.today, seen=looked.seen)
        request = build_request(action, self.scope)
        self.scope = self.scope.with_(request=request)
        show_request("Request", request)
        if action.read_only:
            return await self._look(request)
        if await self._preview():
            print("\nNothing was sent: it would never be planned (`refuses`).")
            return False
        if not self.asked.write or self.asked.dry_run:
            print("\nNothing was sent." + ("" if self.asked.dry_run else " --write sends it."))
            return True
        return await self._write(request)

    async def _preview(self) -> bool:
        """Show what an operator would see; whether that is a refusal, and no plan."""
        action = self.action
        if action.preview_reads and not self.asked.dry_run:
            looked = await read_for_preview(self.venues, action, self.scope, self.reference, "", {})
            self.scope = self.scope.with_(seen=looked)
            self.sample["seen"] = dict(looked)
        refused = always_refused(action, self.scope)
        if refused:
            show("The operator is told", refused)
            return True
        print("The operator is shown")
        for line in preview_lines(action, self.scope) or ():
            before = f"{line.before} → " if line.before is not None else ""
            print(f"  {line.field}: {before or ''}{line.after}")
        if not action.preview:
            print(f"  {action.title} (the overlay has no `preview`)")
        if action.confirm:
            print(f"  [{confirm_label(action, self.scope)}]")
        return False

    async def _look(self, request: HttpRequest) -> bool:
        if self.asked.dry_run:
            print("\nNothing was sent.")
            return True
        answer = await self._send(request, self.action)
        self.sample["response"] = answer.body
        show("Answer", answer.body, f"{answer.status} ")
        body, more = await self.reader.listed(self.action, self.scope, answer.body)
        scope = self.scope.with_(response=body)
        if body != answer.body:
            show("With the pages after it", body)
        if more:
            print("\nThere is more of it, which is not read.")
        show("A model sees", observe(self.action, body, scope))
        for row in candidates(self.action, body, scope):
            show("Row", row.model_dump(exclude_defaults=True))
        if self.action.answer:
            show("It is told", answer_text(self.action, body, scope))
        return True

    async def _write(self, request: HttpRequest) -> bool:
        settles = self.pack.profile.settle_seconds
        write = TriedWrite(self.action, self.scope, self.reader, self._send, key=self.key, settles=settles)
        went = await write.run(request, undo=self.asked.undo)
        self.sample |= write.sample
        return went

    async def _send(self, request: HttpRequest, action: AtomicAction) -> Answered:
        return await self.venues.send_with_token(
            self.pack.profile.base_url,
            request,
            self.asked.token,
            action=action,
            write=None if action.read_only else Write(),
        )

    def save(self, folder: Path) -> bool:
        """Write what was seen into the overlay as its sample, without the people in it."""
        ours, theirs = marker_of(self.action, self.key), marker_of(self.action, SAMPLE_KEY)
        self.sample = json.loads(json.dumps(self.sample).replace(ours, theirs))
        anonymous = Anonymous()
        anonymous.meet(self.sample)
        sample = anonymous.without(self.sample)
        assert isinstance(sample, dict)
        needs = {"response"} if self.action.read_only else {"after"}
        if not needs & sample.keys():
            raise TryError("there is no sample yet: --save-sample goes with --write, or with a look-up")
        file = file_of(folder, self.action.name)
        findings = Findings(file, file.path.name, self.action.name)
        try_sample(self.action, SampleOverlay.model_validate(sample), self.pack.profile, findings)
        if findings.fatal:
            said = "; ".join(f.message for f in findings.rows if f.level == "error")
            raise TryError(f"the sample was not saved, since the overlay does not hold on it: {said}")
        put_sample(file, sample)
        print(f"\n{file.path}: sample saved; replaced, since they may be somebody's: {anonymous.replaced}.")
        print("Read it through: whatever else tells who somebody is must go.")
        return True


async def run(settings: Settings, pack: Pack, folder: Path, action: AtomicAction, asked: Asked) -> int:
    """Try it; the exit code."""
    base_url = pack.profile.base_url
    if not asked.dry_run:
        _check_address(base_url, asked)
    speak(pack.profile.locale, pack.profile.words, action.thing)
    vault = MemoryVault(parse_ring(new_key_line()))
    venues = VenueClient(vault, Observer(), timeout=settings.call_timeout)
    print(f"{action.name}: {action.operation.method} {action.operation.path} at {base_url}")
    try:
        trial = _Trial(pack, action, asked, venues, await vault.put(asked.token, 600))
        sample = _sample_of(folder, action)
        call = await _call(settings, pack, action, asked, trial.reader, sample)
        went = await _refusals(trial, lambda: trial.run(call, sample))
        if asked.dry_run:
            print(f"Not known, since no server was asked: {'; '.join(_not_known(action, sample))}.")
        if asked.save and went:
            trial.save(folder)
        return 0 if went else 1
    except (NotUnderstoodError, UnrenderableError) as error:
        raise TryError(str(error)) from None
    finally:
        await venues.close()


def _check_address(base_url: str, asked: Asked) -> None:
    """A pack's own address is the real one: it is asked where that was said, and changed where that was said again."""
    if urlsplit(base_url).hostname in _LOOPBACK or asked.live:
        return
    if asked.write:
        raise TryError(
            f"{base_url} is not on this machine: --write changes what is really there; add --live if that is meant"
        )
    if not asked.addressed:
        raise TryError(
            f"{base_url} is not on this machine, and was not asked: --url names a sandbox (`iq dev` prints "
            "where its own are); add --live if the real one is meant"
        )


def _not_known(action: AtomicAction, sample: SampleOverlay | None) -> Iterator[str]:
    """What a dry run cannot tell."""
    yield "whether the token is good"
    if action.snapshot is not None:
        yield "what is there now (the sample stands in for it)"
    if action.preview_reads:
        names = ", ".join(read.name for read in action.preview_reads)
        seen = sample is not None and sample.seen
        yield f"what {names} would show" + (" (the sample stands in for it)" if seen else "")
    if action.room is not None:
        yield "whether there is room"
    yield "what the answer would be"


async def _call(
    settings: Settings, pack: Pack, action: AtomicAction, asked: Asked, reader: Reader, sample: SampleOverlay | None
) -> dict[str, Value]:
    if asked.call is not None:
        return asked.call
    if asked.say is not None:
        return await arguments_for(settings, pack, action, asked.say, None if asked.dry_run else reader)
    if sample is not None and asked.dry_run:
        return dict(sample.call)
    raise TryError('say what to do: --say "…", or --call with the arguments as JSON')


async def _refusals(trial: _Trial, attempt: Callable[[], Awaitable[bool]]) -> bool:
    """Run, and tell a refusal by the venue as an operator would be told it."""
    try:
        return await attempt()
    except VenueError as refused:
        tell_refusal(trial.action, trial.scope, refused.failure)
        return False


def _sample_of(folder: Path, action: AtomicAction) -> SampleOverlay | None:
    files = (parts_of(file.data) for file in overlay_files(folder))
    written = next((data.get("sample") for data in files if data.get("action") == action.name), None)
    return SampleOverlay.model_validate(written) if isinstance(written, dict) else None


def found_action(packs: list[tuple[Path, Pack]], name: str) -> tuple[Path, Pack, AtomicAction]:
    """The action of that name. Ends the program where there is none."""
    from registry.faults import nearest

    for folder, pack in packs:
        if name in pack.actions:
            return folder, pack, pack.actions[name]
    for _, pack in packs:
        for finding in pack.findings:
            if finding.action == name:
                print(f"{finding.file}:{finding.line or ''} {finding.level}: {finding.message}", file=sys.stderr)
    hint = nearest(name, [n for _, pack in packs for n in pack.actions])
    sys.exit(f"iq: there is no usable action {name}; {hint}".rstrip("; "))
