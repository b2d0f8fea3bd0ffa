"""The mode overrides of venues and tariffs: the mode, its author and its time.

Every tariff of `overlays/tariffs.yaml` has a row. A row that came from the file follows the file. A row that a person
set stays until a person removes it. A tariff that the file no longer has loses its row, even one that a person set,
because the row would take effect unnoticed once the name is used again.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select

from contracts.enums import AiMode
from contracts.usage import ModeChange
from infra.ledger.schema import CHANGES, TOGGLES
from infra.ledger.upserts import insert

Kind = Literal["venue", "tariff"]

SEEDED = "tariffs.yaml"
"""The author of the rows that come from the file."""


class ModeOverride:
    """One row: `mode`, set `by` its author `at` a time."""

    def __init__(self, mode: AiMode, by: str, at: datetime) -> None:
        self.mode, self.by, self.at = mode, by, at


def seed(connection: Connection, modes: Mapping[str, AiMode], *, whole: bool = False) -> None:
    """Write the file's mode of each tariff, except where a person has set another. `whole`: the file was read
    without an error, so a tariff that is missing from `modes` was removed from it."""
    if whole:
        _drop_others(connection, modes)
    for name, mode in sorted(modes.items()):
        statement = insert(connection, TOGGLES).values(
            kind="tariff", name=name, mode=mode.value, set_by=SEEDED, set_at=datetime.now(UTC)
        )
        of_the_file = and_(TOGGLES.c.set_by == SEEDED, TOGGLES.c.mode != statement.excluded.mode)
        fields = {"mode": statement.excluded.mode, "set_at": statement.excluded.set_at}
        connection.execute(
            statement.on_conflict_do_update(
                index_elements=[TOGGLES.c.kind, TOGGLES.c.name], set_=fields, where=of_the_file
            )
        )


def _drop_others(connection: Connection, modes: Mapping[str, AiMode]) -> None:
    gone = and_(TOGGLES.c.kind == "tariff", TOGGLES.c.name.not_in(list(modes)))
    for row in connection.execute(select(TOGGLES).where(gone).with_for_update()).all():
        connection.execute(delete(TOGGLES).where(_is("tariff", row.name)))
        note = {"kind": "tariff", "name": row.name, "before": row.mode, "after": None}
        noted = CHANGES.insert().values(at=datetime.now(UTC), by=SEEDED, **note)
        connection.execute(noted)


def mode_for(connection: Connection, venue_id: str, tariff: str) -> AiMode | None:
    """Return the mode of the venue, else of its tariff; None if neither has a row."""
    where = or_(_is("venue", venue_id), _is("tariff", tariff))
    found = {row.kind: row.mode for row in connection.execute(select(TOGGLES.c.kind, TOGGLES.c.mode).where(where))}
    mode = found.get("venue") or found.get("tariff")
    return AiMode(mode) if mode else None


def toggles(connection: Connection) -> dict[tuple[str, str], ModeOverride]:
    """Return all overrides, by kind and name."""
    rows = connection.execute(select(TOGGLES))
    return {(r.kind, r.name): ModeOverride(AiMode(r.mode), r.set_by, r.set_at) for r in rows}


def switch(connection: Connection, kind: Kind, name: str, mode: AiMode | None, *, default: AiMode, by: str) -> None:
    """Set the mode, or remove the override if `mode` is None. A change is added to the audit log. `default` is the mode
    of a tariff in the file."""
    row = connection.execute(select(TOGGLES).where(_is(kind, name)).with_for_update()).first()
    before = AiMode(row.mode) if row is not None and row.set_by != SEEDED else None
    if mode == before:
        return
    now = datetime.now(UTC)
    if mode is None and kind == "venue":
        connection.execute(delete(TOGGLES).where(_is(kind, name)))
    else:
        fields = {"mode": (mode or default).value, "set_by": by if mode else SEEDED, "set_at": now}
        statement = insert(connection, TOGGLES).values(kind=kind, name=name, **fields)
        connection.execute(
            statement.on_conflict_do_update(index_elements=[TOGGLES.c.kind, TOGGLES.c.name], set_=fields)
        )
    words = {"before": before.value if before else None, "after": mode.value if mode else None}
    connection.execute(CHANGES.insert().values(at=now, by=by, kind=kind, name=name, **words))


def changes(connection: Connection, limit: int = 50) -> list[ModeChange]:
    """Return the audit log of modes, the newest entry first."""
    rows = connection.execute(select(CHANGES).order_by(CHANGES.c.number.desc()).limit(limit))
    return [
        ModeChange(
            at=r.at,
            by=r.by,
            kind=r.kind,
            name=r.name,
            before=AiMode(r.before) if r.before else None,
            after=AiMode(r.after) if r.after else None,
        )
        for r in rows
    ]


def _is(kind: str, name: str) -> ColumnElement[bool]:
    return and_(TOGGLES.c.kind == kind, TOGGLES.c.name == name)
