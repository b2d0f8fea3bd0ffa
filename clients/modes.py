"""The AI mode of a venue's messages: by its tariff, unless the venue or tariff was switched."""

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from contracts.enums import AiMode
from contracts.usage import ModeChange, ModeRow
from contracts.venue import Tariff, VenueProfile
from infra.errors import DependencyUnavailableError
from infra.ledger.database import Database

if TYPE_CHECKING:
    from infra.ledger.mode_overrides import ModeOverride

log = logging.getLogger(__name__)

Kind = Literal["venue", "tariff"]
"""The kinds of objects whose mode can be switched."""

_LEFT_ALONE = 2.0
"""Seconds for which an unavailable ledger is not asked again."""


@dataclass(frozen=True)
class TurnBudget:
    """Seconds to wait for the ledger: for the first message of a process, which may open the ledger; for any other
    message; for a person who views or switches modes."""

    first: float = 2.0
    message: float = 0.25
    person: float = 3.0


class UnknownNameError(Exception):
    """The venue or tariff does not exist; `known` lists those that do."""

    def __init__(self, kind: Kind, name: str, known: Iterable[str]) -> None:
        super().__init__(f"there is no {kind} {name}")
        self.kind, self.name, self.known = kind, name, sorted(known)


class Modes:
    """Read before each turn, and valid for that turn. Without a ledger, the tariff file applies."""

    def __init__(
        self,
        tariffs: Mapping[str, Tariff] | None = None,
        ledger: Database | None = None,
        budget: TurnBudget = TurnBudget(),
    ) -> None:
        self.tariffs = dict(tariffs or {})
        self._ledger, self._budget = ledger, budget
        self._known: dict[str, AiMode | None] = {}
        self._not_before = 0.0

    async def mode_of(self, profile: VenueProfile) -> AiMode:
        """Return the mode of a venue's next turn. Never raises: if the ledger is unavailable, the last known mode
        applies."""
        if self._ledger is not None and time.monotonic() >= self._not_before:
            await self._look(self._ledger, profile)
        return self._known.get(profile.venue_id) or self.default_of(profile)

    def default_of(self, profile: VenueProfile) -> AiMode:
        """Return the mode that the files define."""
        return self.tariff_of(profile).mode

    def tariff_of(self, profile: VenueProfile) -> Tariff:
        """Return a venue's tariff. A venue with no tariff, or an unknown one, is served in standard mode."""
        return self.tariffs.get(profile.tariff) or Tariff()

    async def _look(self, ledger: Database, profile: VenueProfile) -> None:
        from infra.ledger.mode_overrides import mode_for

        venue_id = profile.venue_id
        # The file defines which tariffs exist. A removed tariff may still have its row.
        tariff = profile.tariff if profile.tariff in self.tariffs else ""
        bound = self._budget.message if self._known or self._not_before else self._budget.first
        try:
            found = await ledger.ask(lambda connection: mode_for(connection, venue_id, tariff), bound)
        except Exception as error:
            self._not_before = time.monotonic() + _LEFT_ALONE
            known = "the last known mode" if venue_id in self._known else "the tariff's own mode"
            log.warning("the ledger does not tell modes, %s counts: %s", known, type(error).__name__)
        else:
            self._known[venue_id] = found

    async def rows(self, profiles: Iterable[VenueProfile]) -> list[ModeRow]:
        """Return every tariff and these venues with their current modes. Raises `DependencyUnavailableError`."""
        from infra.ledger.mode_overrides import SEEDED, toggles

        found = await self._asked().ask(toggles, self._budget.person)
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
        """Switch a venue or a tariff, or with None remove the switch; `by` names the person. Takes effect with the next
        message, on every worker. Idempotent. Raises `UnknownNameError`, `DependencyUnavailableError`."""
        from infra.ledger.mode_overrides import switch

        known = set(self.tariffs) if kind == "tariff" else {p.venue_id for p in profiles}
        if name not in known:
            raise UnknownNameError(kind, name, known)
        default = self.tariffs[name].mode if kind == "tariff" else AiMode.STANDARD
        await self._asked().ask(
            lambda connection: switch(connection, kind, name, mode, default=default, by=by),
            self._budget.person,
            writes=True,
        )

    async def changes(self) -> list[ModeChange]:
        """Return the recorded mode changes, newest first. Raises `DependencyUnavailableError`."""
        from infra.ledger.mode_overrides import changes

        return await self._asked().ask(changes, self._budget.person)

    def _asked(self) -> Database:
        if self._ledger is None:
            raise DependencyUnavailableError("ledger", "there is no ledger")
        return self._ledger


def _row(
    kind: Kind, name: str, default: AiMode, pays: Tariff, toggle: "ModeOverride | None", tariff: str = ""
) -> ModeRow:
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
