"""In which mode a venue's messages are served: by its tariff, unless somebody has said otherwise."""

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from contracts.enums import AiMode
from contracts.tariff import Tariff
from contracts.usage import ModeChange, ModeRow
from contracts.venue import VenueProfile
from infra.ledger.database import Database, LedgerAwayError

if TYPE_CHECKING:
    from infra.ledger.toggles import Toggle

log = logging.getLogger(__name__)

Kind = Literal["venue", "tariff"]
"""What can be switched."""

_LEFT_ALONE = 2.0
"""Seconds for which a ledger that is away is not asked again."""


@dataclass(frozen=True)
class Patience:
    """How many seconds the ledger is waited for: by the first message of a process, when it is being opened just then;
    by any other message; by a person who looks or switches."""

    first: float = 2.0
    message: float = 0.25
    person: float = 3.0


class UnknownNameError(Exception):
    """There is no such venue or tariff; `known` are those that there are."""

    def __init__(self, kind: Kind, name: str, known: Iterable[str]) -> None:
        super().__init__(f"there is no {kind} {name}")
        self.kind, self.name, self.known = kind, name, sorted(known)


class Modes:
    """Asked before each turn; what it says holds for that turn. Without a ledger, the tariffs' file counts."""

    def __init__(
        self,
        tariffs: Mapping[str, Tariff] | None = None,
        ledger: Database | None = None,
        patience: Patience = Patience(),
    ) -> None:
        self.tariffs = dict(tariffs or {})
        self._ledger, self._patience = ledger, patience
        self._known: dict[str, AiMode | None] = {}
        self._not_before = 0.0

    async def mode_of(self, profile: VenueProfile) -> AiMode:
        """The mode of a venue's next turn. Never raises: what cannot be known just now is as it was last known."""
        if self._ledger is not None and time.monotonic() >= self._not_before:
            await self._look(self._ledger, profile)
        return self._known.get(profile.venue_id) or self.default_of(profile)

    def default_of(self, profile: VenueProfile) -> AiMode:
        """What the files say."""
        return self.tariff_of(profile).mode

    def tariff_of(self, profile: VenueProfile) -> Tariff:
        """What a venue pays for; one that names none, or one that there is not, is served in standard mode."""
        return self.tariffs.get(profile.tariff) or Tariff()

    async def _look(self, ledger: Database, profile: VenueProfile) -> None:
        from infra.ledger.toggles import mode_for

        venue_id = profile.venue_id
        # The file says which tariffs there are: one that it has no more may still have its row.
        tariff = profile.tariff if profile.tariff in self.tariffs else ""
        bound = self._patience.message if self._known or self._not_before else self._patience.first
        try:
            found = await ledger.ask(lambda connection: mode_for(connection, venue_id, tariff), bound)
        except Exception as error:
            self._not_before = time.monotonic() + _LEFT_ALONE
            known = "the last known mode" if venue_id in self._known else "the tariff's own mode"
            log.warning("the ledger does not tell modes, %s counts: %s", known, type(error).__name__)
        else:
            self._known[venue_id] = found

    async def rows(self, profiles: Iterable[VenueProfile]) -> list[ModeRow]:
        """Every tariff and these venues, as they stand. Raises `LedgerAwayError`."""
        from infra.ledger.toggles import SEEDED, toggles

        found = await self._asked().ask(toggles, self._patience.person)
        by_hand = {key: toggle for key, toggle in found.items() if toggle.by != SEEDED}
        rows = [_row("tariff", n, t.mode, t, by_hand.get(("tariff", n))) for n, t in sorted(self.tariffs.items())]
        of_tariffs = {row.name: row.mode for row in rows}
        for profile in profiles:
            default = of_tariffs.get(profile.tariff, AiMode.STANDARD)
            toggle, tariff = by_hand.get(("venue", profile.venue_id)), self.tariff_of(profile)
            row = _row("venue", profile.venue_id, default, tariff, toggle, profile.tariff)
            there = not profile.tariff or profile.tariff in self.tariffs
            rows.append(row.model_copy(update={"tariff_known": there}))
        return rows

    async def switch(
        self, kind: Kind, name: str, mode: AiMode | None, *, by: str, profiles: Iterable[VenueProfile]
    ) -> None:
        """Switch a venue or a tariff, or with None take the switch away; `by` is who says so. Takes effect with the
        next message, on every worker. Made again, the same switch changes nothing. Raises `UnknownNameError`,
        `LedgerAwayError`."""
        from infra.ledger.toggles import switch

        known = set(self.tariffs) if kind == "tariff" else {p.venue_id for p in profiles}
        if name not in known:
            raise UnknownNameError(kind, name, known)
        default = self.tariffs[name].mode if kind == "tariff" else AiMode.STANDARD
        await self._asked().ask(
            lambda connection: switch(connection, kind, name, mode, default=default, by=by),
            self._patience.person,
            writes=True,
        )

    async def changes(self) -> list[ModeChange]:
        """Who switched what when, the newest first. Raises `LedgerAwayError`."""
        from infra.ledger.toggles import changes

        return await self._asked().ask(changes, self._patience.person)

    def _asked(self) -> Database:
        if self._ledger is None:
            raise LedgerAwayError("there is no ledger")
        return self._ledger


def _row(kind: Kind, name: str, default: AiMode, pays: Tariff, toggle: "Toggle | None", tariff: str = "") -> ModeRow:
    mode = toggle.mode if toggle else default
    return ModeRow(
        kind=kind,
        name=name,
        mode=mode,
        default=default,
        toggled=toggle.mode if toggle else None,
        tariff=tariff,
        multiplier=pays.multiplier_in(mode),
        by=toggle.by if toggle else "",
        at=toggle.at if toggle else None,
    )
