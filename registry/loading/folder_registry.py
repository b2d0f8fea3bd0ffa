"""The registry of the packs in some folders: loading them, and loading them again without a restart."""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from contracts.action import Finding
from registry.errors import PackError, did_you_mean
from registry.loading.cache import load_cached, pack_of, store_cached
from registry.loading.last_good import (
    LastGood,
    RetainedAction,
    fill_from_last_good,
    last_good_pack,
    shared_from,
    shared_text,
)
from registry.loading.load import Reader, load, read_here
from registry.registry import Pack, Registry

_LOG = logging.getLogger(__name__)


class UnsetError(PackError):
    """A pack needs variables that are not set in this process."""


class FolderRegistry(Registry):
    """The packs in `folders`; the first is the default venue's. `base_urls` replaces addresses, by pack or venue id.
    `cache` is the folder of the cache and of the last good versions. `read` reads a folder
    (`registry.loading.subprocess_reader` does it with limits). `is_set` returns whether a variable is set in the
    process that sends requests.

    An action whose file is broken stays as it was, and so does a whole pack whose document or venue file is broken.
    Raises PackError when a pack cannot be loaded and never could, lacks a variable, or two packs have the same venue.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        base_urls: Mapping[str, str] | None = None,
        cache: Path | None = None,
        read: Reader = read_here,
        is_set: Callable[[str], bool] | None = None,
    ) -> None:
        if not folders:
            raise PackError("a registry needs at least one pack folder")
        self._folders, self._base_urls = tuple(folders), dict(base_urls or {})
        self._cache, self._read, self._is_set = cache, read, is_set
        self._lock = threading.Lock()
        self._good = {folder: self._remembered(folder) for folder in self._folders}
        self._packs: tuple[Pack, ...] = ()
        self._notes: dict[Path, Finding] = {}
        self._load({})
        self._refuse_strangers()

    @property
    def packs(self) -> tuple[Pack, ...]:
        """Return every pack, in the order of the folders."""
        return self._packs

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return those of the folders."""
        return (*(f for pack in self._packs for f in pack.findings), *self._notes.values())

    @property
    def retained(self) -> tuple[str, ...]:
        """Return what is older than its files."""
        messages = [f"{folder.name}: the whole pack is of {self._good[folder].at} (UTC)" for folder in self._notes]
        for folder in set(self._folders) - set(self._notes):
            for one in self._good[folder].held.values():
                messages.append(f"{folder.name}: {one.action.name} is of {one.good_at}, since {one.since} (UTC)")
        return tuple(sorted(messages))

    @property
    def shared(self) -> str:
        """Return the last good versions as text."""
        return shared_text({folder.name: good for folder, good in self._good.items()})

    def refresh(self, shared: str = "") -> str:
        """Read all folders again."""
        with self._lock:
            failed = self._load(shared_from(shared))
            if failed is not None:
                raise failed
            return self.version

    def _load(self, shared: Mapping[str, Mapping[str, RetainedAction]]) -> PackError | None:
        """Load the packs that can be loaded and return the first failure of one that stays as it was. Raises PackError
        when a pack has no earlier version."""
        failed: PackError | None = None
        packs: list[Pack] = []
        notes: dict[Path, Finding] = {}
        good = dict(self._good)
        for index, folder in enumerate(self._folders):
            try:
                pack, good[folder] = self._load_one(folder, shared.get(folder.name, {}))
            except PackError as error:
                if isinstance(error, UnsetError) and not self._packs:
                    raise  # its earlier version could not authenticate either
                before = self._packs[index] if self._packs else None
                pack, notes[folder] = self._as_it_was(folder, before, error)
                failed = failed or error
            packs.append(pack)
        ids = [pack.profile.venue_id for pack in packs]
        for venue_id in ids:
            if ids.count(venue_id) > 1:
                raise PackError(f"two packs claim the venue {venue_id}")
        for folder in set(self._folders) - set(notes):
            if self._cache is not None and good[folder] != self._good[folder]:
                store_cached(self._cache, self._key(folder), good[folder])
        self._packs, self._good, self._notes = tuple(packs), good, notes
        for pack in packs:
            _log_findings(pack)
        for note in notes.values():
            _LOG.error("%s: %s (%s)", note.file, note.message, note.hint)
        return failed

    def _refuse_strangers(self) -> None:
        """Raise PackError for a base URL of an unknown pack, because a misspelt name would leave a real pack at its
        real address."""
        names = {n for pack in self._packs for n in (pack.profile.pack, pack.profile.venue_id)}
        for name in self._base_urls:
            if name not in names:
                text = f"an address is set for {name} (IQ_VENUE_URLS), and no pack of that name is served"
                raise PackError(f"{text}; {did_you_mean(name, names)}".rstrip("; "))

    def _refuse_unset(self, pack: Pack) -> None:
        missing = [name for name in pack.variables if self._is_set is not None and not self._is_set(name)]
        if missing:
            text = f"needs {', '.join(missing)}: set it in the environment, or in .env"
            raise UnsetError(f"the pack {pack.profile.pack} {text}")

    def _load_one(self, folder: Path, shared: Mapping[str, RetainedAction]) -> tuple[Pack, LastGood]:
        started = time.perf_counter()
        cached, version = load(folder, self._base_urls.get(folder.name), None, self._cache, self._read)
        moved = self._base_urls.get(cached.profile.venue_id)
        if moved and moved.rstrip("/") != cached.profile.base_url:
            cached, version = load(folder, moved, None, self._cache, self._read)
        cached, good = fill_from_last_good(folder, cached, self._good[folder], shared)
        if good.held:
            older = sorted(f"{label} {one.action.version}" for label, one in good.held.items())
            version = hashlib.sha256(" ".join([version, *older]).encode()).hexdigest()[:16]
        pack = pack_of(cached, version, time.perf_counter() - started)
        self._refuse_unset(pack)
        return pack, good.model_copy(update={"version": version})

    def _as_it_was(self, folder: Path, before: Pack | None, why: PackError) -> tuple[Pack, Finding]:
        found = last_good_pack(folder, self._good[folder], str(why))
        if found is None:
            raise why
        pack, note = found
        if before is not None and before.actions.keys() == pack.actions.keys():
            return before, note
        gone = sorted(self._good[folder].whole_names - pack.actions.keys())
        version = " ".join([self._good[folder].version, *gone])
        return pack_of(pack, hashlib.sha256(version.encode()).hexdigest()[:16] if gone else version, 0.0), note

    def _key(self, folder: Path) -> str:
        """Return the key of a pack's last good version, without the code's version because a new release must not lose
        it."""
        return f"last-good-{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:32]}"

    def _remembered(self, folder: Path) -> LastGood:
        found = None if self._cache is None else load_cached(self._cache, self._key(folder), LastGood)
        return found or LastGood()


def _log_findings(pack: Pack) -> None:
    levels = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.DEBUG}
    for finding in pack.findings:
        location = f"{finding.file}:{finding.line}" if finding.line else finding.file
        hint = f" ({finding.hint})" if finding.hint else ""
        _LOG.log(levels[finding.level], "%s: %s%s", location, finding.message, hint)
    name, seconds = pack.profile.pack, pack.seconds
    _LOG.info("pack %s: %d actions, %d skipped, %.0f ms", name, len(pack.actions), len(pack.skipped), seconds * 1000)
