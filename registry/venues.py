"""All packs of one service: which venue has which actions, and reading them again without a restart."""

import hashlib
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from registry.faults import PackError, nearest
from registry.load import Pack, load_pack

_LOG = logging.getLogger(__name__)


class Registry:
    """The packs in `folders`; the first is the default venue's. `base_urls` replaces addresses, by pack or venue id;
    `cache` is a folder that makes the next start quick; `is_set` tells whether a variable that packs name is set here,
    where requests are sent from.

    Raises PackError when a pack cannot be loaded, lacks a variable, or two packs claim one venue.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        base_urls: Mapping[str, str] | None = None,
        cache: Path | None = None,
        is_set: Callable[[str], bool] | None = None,
    ) -> None:
        if not folders:
            raise PackError("a registry needs at least one pack folder")
        self._folders, self._base_urls = tuple(folders), dict(base_urls or {})
        self._cache, self._is_set = cache, is_set
        self._lock = threading.Lock()
        self._packs = self._load()
        self._refuse_strangers()

    @property
    def packs(self) -> tuple[Pack, ...]:
        """Every pack, in the order of the folders."""
        return self._packs

    @property
    def default_venue(self) -> Pack:
        """The pack of the first folder."""
        return self._packs[0]

    @property
    def version(self) -> str:
        """A hash over the content of all packs: two workers with the same version offer the same actions."""
        return hashlib.sha256(" ".join(pack.version for pack in self._packs).encode()).hexdigest()[:16]

    def venue(self, venue_id: str) -> Pack | None:
        """The pack of that venue, or None."""
        return next((pack for pack in self._packs if pack.profile.venue_id == venue_id), None)

    def refresh(self) -> str:
        """Read all folders again and return the new version. On PackError what was loaded before stays in use."""
        with self._lock:
            self._packs = self._load()
            return self.version

    def _load(self) -> tuple[Pack, ...]:
        packs = tuple(self._load_one(folder) for folder in self._folders)
        ids = [pack.profile.venue_id for pack in packs]
        for venue_id in ids:
            if ids.count(venue_id) > 1:
                raise PackError(f"two packs claim the venue {venue_id}")
        for pack in packs:
            _log_findings(pack)
            missing = [name for name in pack.variables if self._is_set is not None and not self._is_set(name)]
            if missing:
                said = f"needs {', '.join(missing)}: set it in the environment, or in .env"
                raise PackError(f"the pack {pack.profile.pack} {said}")
        return packs

    def _refuse_strangers(self) -> None:
        """An address for a pack that is not there would leave a real one at its real address."""
        names = {n for pack in self._packs for n in (pack.profile.pack, pack.profile.venue_id)}
        for name in self._base_urls:
            if name not in names:
                said = f"an address is set for {name} (IQ_VENUE_URLS), and no pack of that name is served"
                raise PackError(f"{said}; {nearest(name, names)}".rstrip("; "))

    def _load_one(self, folder: Path) -> Pack:
        pack = load_pack(folder, base_url=self._base_urls.get(folder.name), cache=self._cache)
        moved = self._base_urls.get(pack.profile.venue_id)
        if moved and moved.rstrip("/") != pack.profile.base_url:
            return load_pack(folder, base_url=moved, cache=self._cache)
        return pack


def _log_findings(pack: Pack) -> None:
    levels = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.DEBUG}
    for finding in pack.findings:
        place = f"{finding.file}:{finding.line}" if finding.line else finding.file
        hint = f" ({finding.hint})" if finding.hint else ""
        _LOG.log(levels[finding.level], "%s: %s%s", place, finding.message, hint)
    name, seconds = pack.profile.pack, pack.seconds
    _LOG.info("pack %s: %d actions, %d skipped, %.0f ms", name, len(pack.actions), len(pack.skipped), seconds * 1000)
