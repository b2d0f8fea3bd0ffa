"""The packs in use, as the other packages see them. `registry.loading` reads them from their folders."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from contracts.action import AtomicAction, Finding
from contracts.credentials import HttpRequest
from contracts.venue import DayQuery, VenueKnowledge, VenueProfile, VenueRate, Webhook


@dataclass(frozen=True)
class Pack:
    """One venue and the actions available there.

    `actions` are those enabled, valid and not blocked; `templates` each represent several. `findings` are the problems,
    `skipped` the overlays that gave no action, `version` a hash of the folder's content, `check` the cheapest
    authenticated read, `variables` what the sending process must set. `day` is how a day's bookings are read, `webhook`
    the receiver of escalations, `rate` the rate limit of its API, each if the venue declares it. `seconds` is how long
    loading took; `knowledge` is for guests.
    """

    profile: VenueProfile
    actions: Mapping[str, AtomicAction]
    templates: Mapping[str, AtomicAction]
    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]
    version: str
    check: HttpRequest
    variables: tuple[str, ...]
    day: DayQuery | None
    seconds: float
    knowledge: VenueKnowledge = field(default_factory=VenueKnowledge)
    webhook: Webhook | None = None
    rate: VenueRate | None = None


class Registry(ABC):
    """All packs in use. Refreshing reads them again, without a restart."""

    @property
    @abstractmethod
    def packs(self) -> tuple[Pack, ...]:
        """Return every pack; the first is the default venue's."""

    @property
    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """Return the problems and skipped files of all packs, and which packs stay as they were."""

    @property
    @abstractmethod
    def retained(self) -> tuple[str, ...]:
        """Return what is older than its files, naming only packs and actions."""

    @property
    @abstractmethod
    def shared(self) -> str:
        """Return the last good versions in force, for `refresh` in another process; "" when there are none."""

    @abstractmethod
    def refresh(self, shared: str = "") -> str:
        """Read all packs again and return the new version; `shared` are the last good versions in force in another
        process. On PackError the pack that cannot be loaded, or all of them where two have the same venue, stay as they
        were."""

    @property
    def default_venue(self) -> Pack:
        """Return the pack of the first folder."""
        return self.packs[0]

    @property
    def version(self) -> str:
        """Return a hash over the content of all packs: two workers with the same version offer the same actions."""
        return hashlib.sha256(" ".join(pack.version for pack in self.packs).encode()).hexdigest()[:16]

    def venue(self, venue_id: str) -> Pack | None:
        """Return the pack of that venue, or None."""
        return next((pack for pack in self.packs if pack.profile.venue_id == venue_id), None)

    def rate_for(self, base_url: str) -> VenueRate | None:
        """Return the rate limit of the API at an address; the lowest where several packs share it."""
        rates = [pack.rate for pack in self.packs if pack.profile.base_url == base_url and pack.rate is not None]
        return min(rates, key=lambda rate: rate.per_second, default=None)

    def venue_for(self, base_url: str) -> str:
        """Return the first venue with an API at that address, or the empty text."""
        return next((pack.profile.venue_id for pack in self.packs if pack.profile.base_url == base_url), "")
