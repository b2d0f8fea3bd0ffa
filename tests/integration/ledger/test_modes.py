"""The mode in which a venue is served, over SQLite and PostgreSQL. Guarantees:

- The venue's own switch counts, else its tariff's, else `overlays/tariffs.yaml`, else standard.
- A switch counts from the next message on, in every process; each is recorded with who, when, from and to.
- A default of the file follows the file; a person's switch stays.
- A tariff that the file no longer has applies to no venue, even if a person set its mode, and that is recorded; a file
  with a mistake in it removes nothing.
- With an unavailable ledger the last known mode counts, else the file's: while it is stalled, messages are answered.
"""

from dataclasses import replace

import pytest

from clients.modes import Modes, TurnBudget, UnknownNameError
from contracts.enums import AiMode
from contracts.venue import Tariff, VenueProfile
from infra.ledger.database import Database
from infra.ledger.mode_overrides import seed, toggles
from tests.support.ledgers import Line, a_database, a_ledger
from tests.unit.reasoning.actions import a_venue

UNHURRIED = TurnBudget(first=60, message=60, person=60)
S, A = AiMode.STANDARD, AiMode.ADAPTIVE
TARIFFS = {"basic": Tariff(mode=S), "pro": Tariff(mode=A, multiplier={A: 1.2, S: 1.1}), "enterprise": Tariff(mode=A)}


def venue(venue_id: str = "hall", tariff: str = "pro") -> VenueProfile:
    return a_venue().model_copy(update={"venue_id": venue_id, "tariff": tariff})


@pytest.fixture
def modes(ledger: Database) -> Modes:
    return Modes(TARIFFS, ledger, UNHURRIED)


async def switch(modes: Modes, kind: str, name: str, mode: AiMode | None, by: str = "ada") -> None:
    await modes.switch(kind, name, mode, by=by, profiles=[venue()])  # type: ignore[arg-type]


async def test_the_venue_counts_before_its_tariff_before_the_file_before_standard(modes: Modes) -> None:
    assert await modes.mode_of(venue(tariff="pro")) is A
    assert await modes.mode_of(venue(tariff="basic")) is S
    assert await modes.mode_of(venue(tariff="")) is S
    assert await modes.mode_of(venue(tariff="gone")) is S
    await switch(modes, "tariff", "pro", S)
    assert await modes.mode_of(venue(tariff="pro")) is S
    await switch(modes, "venue", "hall", A)
    assert await modes.mode_of(venue(tariff="pro")) is A
    await switch(modes, "venue", "hall", None)
    assert await modes.mode_of(venue(tariff="pro")) is S
    await switch(modes, "tariff", "pro", None)
    assert await modes.mode_of(venue(tariff="pro")) is A


async def test_a_toggle_counts_in_every_process_from_the_next_message_on(modes: Modes, url: str) -> None:
    with a_ledger(url) as elsewhere:
        other = Modes(TARIFFS, elsewhere, UNHURRIED)
        assert await other.mode_of(venue()) is A
        await switch(modes, "venue", "hall", S)
        assert await other.mode_of(venue()) is S


async def test_each_change_is_noted_and_no_change_is_not(modes: Modes) -> None:
    await switch(modes, "venue", "hall", S, by="ada")
    await switch(modes, "venue", "hall", S, by="bob")
    await switch(modes, "venue", "hall", A, by="bob")
    await switch(modes, "venue", "hall", None, by="cy")
    await switch(modes, "tariff", "pro", S, by="cy")
    shown = [(c.by, c.kind, c.name, c.before, c.after) for c in await modes.changes()]
    assert shown == [
        ("cy", "tariff", "pro", None, S),
        ("cy", "venue", "hall", A, None),
        ("bob", "venue", "hall", S, A),
        ("ada", "venue", "hall", None, S),
    ]


async def test_how_they_stand_is_reported_with_who_stated_so(modes: Modes) -> None:
    await switch(modes, "tariff", "pro", S)
    rows = {(r.kind, r.name): r for r in await modes.rows([venue(), venue("other", "basic")])}
    assert (rows["tariff", "pro"].mode, rows["tariff", "pro"].default, rows["tariff", "pro"].by) == (S, A, "ada")
    assert (rows["venue", "hall"].mode, rows["venue", "hall"].toggled, rows["venue", "hall"].tariff) == (S, None, "pro")
    assert rows["tariff", "enterprise"].toggled is None
    assert rows["tariff", "pro"].multiplier == rows["venue", "hall"].multiplier == 1.1, "that of its mode"
    await switch(modes, "tariff", "pro", None)
    rows = {(r.kind, r.name): r for r in await modes.rows([venue()])}
    assert rows["tariff", "pro"].multiplier == rows["venue", "hall"].multiplier == 1.2


async def test_nothing_else_can_be_switched(modes: Modes) -> None:
    with pytest.raises(UnknownNameError) as refused:
        await switch(modes, "tariff", "prp", S)
    assert refused.value.known == ["basic", "enterprise", "pro"]
    with pytest.raises(UnknownNameError):
        await switch(modes, "venue", "hal", S)


def test_what_the_file_says_follows_the_file_and_what_a_person_stated_stays(ledger: Database) -> None:
    ledger.run(lambda c: seed(c, {"basic": A, "pro": A}), 60, writes=True)
    assert ledger.run(toggles, 60)["tariff", "basic"].mode is A
    modes = Modes(TARIFFS, ledger, UNHURRIED)

    import asyncio

    asyncio.run(switch(modes, "tariff", "pro", S))
    ledger.run(lambda c: seed(c, {"basic": S, "pro": A}), 60, writes=True)
    found = ledger.run(toggles, 60)
    assert (found["tariff", "basic"].mode, found["tariff", "pro"].mode) == (S, S)


@pytest.mark.parametrize("by_hand", [False, True])
async def test_a_tariff_that_the_file_has_no_more_rules_no_one(ledger: Database, by_hand: bool) -> None:
    await ledger.ask(lambda c: seed(c, {"old": A, "pro": A}), 60, writes=True)
    modes = Modes({**TARIFFS, "old": Tariff(mode=A)}, ledger, UNHURRIED)
    if by_hand:
        await switch(modes, "tariff", "old", A)
    assert await modes.mode_of(venue(tariff="old")) is A
    # The row is still there, for instance by a process with the previous file.
    later = Modes(TARIFFS, ledger, UNHURRIED)
    assert await later.mode_of(venue(tariff="old")) is S
    row = next(r for r in await later.rows([venue(tariff="old")]) if r.kind == "venue")
    assert (row.mode, row.tariff, row.tariff_known) == (S, "old", False)
    await ledger.ask(lambda c: seed(c, {"pro": A}), 60, writes=True)
    assert ("tariff", "old") in await ledger.ask(toggles, 60), "a file that could not be read whole takes nothing away"
    for _ in range(2):
        await ledger.ask(lambda c: seed(c, {"pro": A}, whole=True), 60, writes=True)
    assert ("tariff", "old") not in await ledger.ask(toggles, 60)
    gone = [(c.by, c.kind, c.name, c.before, c.after) for c in await later.changes()]
    assert gone.count(("tariffs.yaml", "tariff", "old", A, None)) == 1


async def test_a_venues_own_switch_stays_when_its_tariff_goes(modes: Modes) -> None:
    await switch(modes, "venue", "hall", A)
    assert await modes.mode_of(venue(tariff="gone")) is A


async def test_a_stalled_ledger_leaves_the_last_known_mode() -> None:
    with a_database() as url:
        line = Line()
        with a_ledger(line.through(url)) as ledger:
            modes = Modes(TARIFFS, ledger, replace(UNHURRIED, message=0.25))
            await switch(modes, "venue", "hall", S)
            assert await modes.mode_of(venue()) is S
            line.stall()
            for _ in range(20):
                assert await modes.mode_of(venue()) is S
            assert await modes.mode_of(venue("unseen", "pro")) is A
            line.go_on()
            line.cut()


async def test_without_a_ledger_the_file_counts() -> None:
    assert await Modes(TARIFFS).mode_of(venue()) is A
    assert await Modes().mode_of(venue()) is S
