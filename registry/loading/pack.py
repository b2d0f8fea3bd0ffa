"""A pack as the other packages use it, built from the cached content of its folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from contracts.action import AtomicAction, Finding
from contracts.credentials import HttpRequest
from contracts.venue import DayQuery, VenueKnowledge, VenueProfile, VenueRate, Webhook
from registry.loading.cache import CachedPack
from registry.tariffs import read_tariffs, unknown_tariff


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
