"""A pack as the rest of the product sees it, and how it comes of what was kept of its folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from contracts.action import AtomicAction, Finding, HttpRequest
from contracts.venue import DayRead, VenueKnowledge, VenueProfile, VenueRate, Webhook
from registry.cache import Kept
from registry.tariffs import read_tariffs, unknown_tariff


@dataclass(frozen=True)
class Pack:
    """One venue and what can be done there.

    `actions` are those enabled, valid and not blocked, `templates` stand for several; `findings` says what is wrong;
    `skipped` names the overlays that gave no action; `version` is a hash of the folder's content; `check` is the
    cheapest authenticated read; `variables` names what must be set where requests are sent from; `day` is how a
    day's bookings are read, `webhook` where escalations are told, `rate` how fast its API is asked, each where the
    venue says; `seconds` is how long loading took; `knowledge` is for guests.
    """

    profile: VenueProfile
    actions: Mapping[str, AtomicAction]
    templates: Mapping[str, AtomicAction]
    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]
    version: str
    check: HttpRequest
    variables: tuple[str, ...]
    day: DayRead | None
    seconds: float
    knowledge: VenueKnowledge = field(default_factory=VenueKnowledge)
    webhook: Webhook | None = None
    rate: VenueRate | None = None


def pack_of(made: Kept, version: str, seconds: float) -> Pack:
    """The pack that was read, with what is wrong beside its folder: that is never kept with it."""
    tariffs, _ = read_tariffs()
    return Pack(
        profile=made.profile,
        actions=MappingProxyType(made.actions),
        templates=MappingProxyType(made.templates),
        findings=(*made.findings, *unknown_tariff(made.profile, tariffs)),
        skipped=made.skipped,
        version=version,
        check=made.check,
        variables=made.variables,
        day=made.day,
        seconds=seconds,
        knowledge=made.knowledge,
        webhook=made.webhook,
        rate=made.rate,
    )
