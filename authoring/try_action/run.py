"""`iq actions try`: one action against a server, step by step, with its reads, requests, responses and undo."""

import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from authoring.all_operations import overlay_files
from authoring.samples.anonymize import Anonymizer
from authoring.try_action.arguments import NotUnderstoodError, extract_arguments
from authoring.try_action.printing import show, show_request
from authoring.try_action.write import TriedWrite, tell_refusal
from authoring.yaml_writer import file_of, put_sample
from clients.venue.client import VenueClient, VenueResponse, Write
from clients.venue.errors import VenueError
from clients.venue.reads import SnapshotReader, bind_look_up, read_for_preview
from contracts.action import AtomicAction
from contracts.base import Value
from contracts.credentials import HttpRequest
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from language.messages.catalogue import activate_locale
from registry import BoundAction, Pack, TemplateRenderError, argument_problems, fitted_arguments
from registry.lint.sample import SAMPLE_KEY, try_sample
from registry.openapi.schema_reading import parts_of
from registry.overlays.findings import Findings
from registry.overlays.models import SampleOverlay
from registry.templating.scope import marker_of

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class TryOptions:
    """The options of a trial: `dry_run` sends nothing at all, `write` sends the write, `undo` undoes it, `save` records
    it as the sample. `addressed`: the author gave the address, not the pack alone."""

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
    """The action cannot be tried with these options; the message contains the fix."""


class _Trial:
    """One trial of one action."""

    def __init__(
        self, pack: Pack, action: AtomicAction, options: TryOptions, venues: VenueClient, reference: str
    ) -> None:
        self.pack, self.action, self.asked, self.venues, self.reference = pack, action, options, venues, reference
        self.reader = SnapshotReader(venues, reference, "", token=options.token)
        self.bound = BoundAction.of(action, {}, pack.profile)
        self.sample: dict[str, Value] = {}
        # A new key each time, because an API that knows the key would repeat the response of an earlier trial.
        self.key = f"try-{uuid4().hex[:12]}"

    async def run(self, call: dict[str, Value], sample: SampleOverlay | None) -> bool:
        """Run the whole trial and return whether it succeeded."""
        action = self.action
        call = fitted_arguments(action, call)
        show("Call", call)
        problems = argument_problems(action, call)
        if problems:
            raise TryError(f"these arguments do not do: {' '.join(problems)}")
        self.sample = {"call": call}
        self.bound = BoundAction.of(action, call, self.pack.profile, self.key)
        if self.asked.dry_run:
            before = sample.before if sample else None
            if action.snapshot is not None and before is None:
                raise TryError(
                    "--dry-run reads nothing, and the overlay has no `sample` with a `before` to take instead"
                )
            self.bound = self.bound.with_(before=before, seen=sample.seen if sample else {})
            show("Before", "(from the sample)" if action.snapshot else "nothing is read before")
        elif action.snapshot is not None:
            snapshot = await self.reader.snapshot(self.bound)
            self.bound = self.bound.with_(before=snapshot.document)
            self.sample["before"] = snapshot.document
            show("Before", snapshot.document)
        if action.read_only and not self.asked.dry_run:
            looked = await bind_look_up(
                self.venues, action, call, self.pack.profile, self.reference, "", datetime.now(UTC)
            )
            self.bound = self.bound.with_(today=looked.today, seen=looked.seen)
        self.bound = self.bound.with_request()
        show_request("Request", self.bound.request())
        if action.read_only:
            return await self._look()
        if await self._preview():
            print("\nNothing was sent: it would never be planned (`rejects_when`).")
            return False
        if not self.asked.write or self.asked.dry_run:
            print("\nNothing was sent." + ("" if self.asked.dry_run else " --write sends it."))
            return True
        return await self._write()

    async def _preview(self) -> bool:
        """Print the operator's preview and return whether it is a rejection instead of a plan."""
        action = self.action
        if action.preview_reads and not self.asked.dry_run:
            looked = await read_for_preview(self.venues, self.bound, self.reference, "", {})
            self.bound = self.bound.with_(seen=looked)
            self.sample["seen"] = dict(looked)
        refused = self.bound.preflight_rejection()
        if refused:
            show("Operator sees", refused)
            return True
        print("The operator is shown")
        for line in self.bound.preview() or ():
            before = f"{line.before} → " if line.before is not None else ""
            print(f"  {line.field}: {before or ''}{line.after}")
        if not action.preview:
            print(f"  {action.title} (the overlay has no `preview`)")
        if action.confirm:
            print(f"  [{self.bound.confirm_label()}]")
        return False

    async def _look(self) -> bool:
        if self.asked.dry_run:
            print("\nNothing was sent.")
            return True
        answer = await self._send(self.bound.request(), self.action)
        self.sample["response"] = answer.body
        show("Answer", answer.body, f"{answer.status} ")
        body, more = await self.reader.listed(self.bound, answer.body)
        bound = self.bound.with_(response=body)
        if body != answer.body:
            show("With the pages after it", body)
        if more:
            print("\nThere is more of it, which is not read.")
        show("A model sees", bound.observation())
        for row in bound.candidates():
            show("Row", row.model_dump(exclude_defaults=True))
        if self.action.answer:
            show("Operator sees", bound.answer_text())
        return True

    async def _write(self) -> bool:
        settles = self.pack.profile.settle_seconds
        write = TriedWrite(self.bound, self.reader, self._send, key=self.key, settles=settles)
        went = await write.run(undo=self.asked.undo)
        self.sample |= write.sample
        return went

    async def _send(self, request: HttpRequest, action: AtomicAction) -> VenueResponse:
        return await self.venues.send_with_token(
            self.pack.profile.base_url,
            request,
            self.asked.token,
            action=action,
            write=None if action.read_only else Write(),
        )

    def save(self, folder: Path) -> bool:
        """Write the responses into the overlay as its sample, without personal data."""
        ours, theirs = marker_of(self.action, self.key), marker_of(self.action, SAMPLE_KEY)
        self.sample = json.loads(json.dumps(self.sample).replace(ours, theirs))
        anonymous = Anonymizer()
        anonymous.learn(self.sample)
        sample = anonymous.without(self.sample)
        assert isinstance(sample, dict)
        needs = {"response"} if self.action.read_only else {"after"}
        if not needs & sample.keys():
            raise TryError("there is no sample yet: --save-sample goes with --write, or with a look-up")
        file = file_of(folder, self.action.name)
        findings = Findings(file, file.path.name, self.action.name)
        try_sample(self.action, SampleOverlay.model_validate(sample), self.pack.profile, findings)
        if findings.fatal:
            text = "; ".join(f.message for f in findings.rows if f.level == "error")
            raise TryError(f"the sample was not saved, since the overlay does not hold on it: {text}")
        put_sample(file, sample)
        print(f"\n{file.path}: sample saved; replaced, since they may be somebody's: {anonymous.replaced}.")
        print("Read it through: whatever else tells who somebody is must go.")
        return True


async def run(settings: Settings, pack: Pack, folder: Path, action: AtomicAction, options: TryOptions) -> int:
    """Run the trial and return the exit code."""
    base_url = pack.profile.base_url
    if not options.dry_run:
        _check_address(base_url, options)
    activate_locale(pack.profile.locale, pack.profile.words, action.thing)
    vault = Vault(Store(), parse_ring(new_key_line()))
    venues = VenueClient(vault, Observer(), timeout=settings.call_timeout)
    print(f"{action.name}: {action.operation.method} {action.operation.path} at {base_url}")
    try:
        trial = _Trial(pack, action, options, venues, await vault.put(options.token, 600))
        sample = _sample_of(folder, action)
        call = await _call(settings, pack, action, options, trial.reader, sample)
        went = await _refusals(trial, lambda: trial.run(call, sample))
        if options.dry_run:
            print(f"Not known, since no server was asked: {'; '.join(_not_known(action, sample))}.")
        if options.save and went:
            trial.save(folder)
        return 0 if went else 1
    except (NotUnderstoodError, TemplateRenderError) as error:
        raise TryError(str(error)) from None
    finally:
        await venues.close()


def _check_address(base_url: str, options: TryOptions) -> None:
    """Check that the author has confirmed the use of a pack's own address, which is the real one, and confirmed writes
    separately."""
    if urlsplit(base_url).hostname in _LOOPBACK or options.live:
        return
    if options.write:
        raise TryError(
            f"{base_url} is not on this machine: --write changes what is really there; add --live if that is meant"
        )
    if not options.addressed:
        raise TryError(
            f"{base_url} is not on this machine, and was not asked: --url names a sandbox (`iq dev` prints "
            "where its own are); add --live if the real one is meant"
        )


def _not_known(action: AtomicAction, sample: SampleOverlay | None) -> Iterator[str]:
    """Yield what a dry run cannot check."""
    yield "whether the token is good"
    if action.snapshot is not None:
        yield "what is there now (the sample is used instead)"
    if action.preview_reads:
        names = ", ".join(read.name for read in action.preview_reads)
        seen = sample is not None and sample.seen
        yield f"what {names} would show" + (" (the sample is used instead)" if seen else "")
    if action.availability is not None:
        yield "whether there is room"
    yield "what the answer would be"


async def _call(
    settings: Settings,
    pack: Pack,
    action: AtomicAction,
    options: TryOptions,
    reader: SnapshotReader,
    sample: SampleOverlay | None,
) -> dict[str, Value]:
    if options.call is not None:
        return options.call
    if options.say is not None:
        return await extract_arguments(settings, pack, action, options.say, None if options.dry_run else reader)
    if sample is not None and options.dry_run:
        return dict(sample.call)
    raise TryError('say what to do: --say "…", or --call with the arguments as JSON')


async def _refusals(trial: _Trial, attempt: Callable[[], Awaitable[bool]]) -> bool:
    """Run, and print a rejection by the venue as an operator would see it."""
    try:
        return await attempt()
    except VenueError as refused:
        tell_refusal(trial.bound, refused.failure)
        return False


def _sample_of(folder: Path, action: AtomicAction) -> SampleOverlay | None:
    files = (parts_of(file.data) for file in overlay_files(folder))
    written = next((data.get("sample") for data in files if data.get("action") == action.name), None)
    return SampleOverlay.model_validate(written) if isinstance(written, dict) else None


def found_action(packs: list[tuple[Path, Pack]], name: str) -> tuple[Path, Pack, AtomicAction]:
    """Return the action of that name. Ends the program if there is none."""
    from registry.errors import did_you_mean

    for folder, pack in packs:
        if name in pack.actions:
            return folder, pack, pack.actions[name]
    for _, pack in packs:
        for finding in pack.findings:
            if finding.action == name:
                print(f"{finding.file}:{finding.line or ''} {finding.level}: {finding.message}", file=sys.stderr)
    hint = did_you_mean(name, [n for _, pack in packs for n in pack.actions])
    sys.exit(f"iq: there is no usable action {name}; {hint}".rstrip("; "))
