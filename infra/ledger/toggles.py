"""Which mode a venue, or the venues of a tariff, were switched to, by whom and when.

Tariffs stand here from the start, as `overlays/tariffs.yaml` says: a row that the file put here follows the file, one
that a person set stays until a person takes it away. A tariff that the file has no more has no row either, whoever
set it: it rules nobody, and its row would do so unseen on the day that the name comes back.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select

from contracts.enums import AiMode
from contracts.usage import ModeChange
from infra.ledger.schema import CHANGES, TOGGLES
from infra.ledger.writing import insert

Kind = Literal["venue", "tariff"]

SEEDED = "tariffs.yaml"
"""Who set what the file says."""


class Toggle:
    """One row: `mode`, and `by` whom since `at`."""

    def __init__(self, mode: AiMode, by: str, at: datetime) -> None:
        self.mode, self.by, self.at = mode, by, at


def seed(connection: Connection, modes: Mapping[str, AiMode], *, whole: bool = False) -> None:
    """Put down what the file says of each tariff, but where a person has said otherwise. `whole`: the file was read
    without a mistake, so that a tariff which is not among them is gone from it."""
    if whole:
        _drop_others(connection, modes)
    for name, mode in sorted(modes.items()):
        statement = insert(connection, TOGGLES).values(
            kind="tariff", name=name, mode=mode.value, set_by=SEEDED, set_at=datetime.now(UTC)
        )
        of_the_file = and_(TOGGLES.c.set_by == SEEDED, TOGGLES.c.mode != statement.excluded.mode)
        told = {"mode": statement.excluded.mode, "set_at": statement.excluded.set_at}
        connection.execute(
            statement.on_conflict_do_update(
                index_elements=[TOGGLES.c.kind, TOGGLES.c.name], set_=told, where=of_the_file
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
    """What a venue was switched to, else its tariff; None where neither stands here."""
    where = or_(_is("venue", venue_id), _is("tariff", tariff))
    found = {row.kind: row.mode for row in connection.execute(select(TOGGLES.c.kind, TOGGLES.c.mode).where(where))}
    mode = found.get("venue") or found.get("tariff")
    return AiMode(mode) if mode else None


def toggles(connection: Connection) -> dict[tuple[str, str], Toggle]:
    """All of them, by kind and name."""
    rows = connection.execute(select(TOGGLES))
    return {(r.kind, r.name): Toggle(AiMode(r.mode), r.set_by, r.set_at) for r in rows}


def switch(connection: Connection, kind: Kind, name: str, mode: AiMode | None, *, default: AiMode, by: str) -> None:
    """Switch it, or with None take the switch away; noted where that changes anything. `default` is what a tariff's
    file says."""
    row = connection.execute(select(TOGGLES).where(_is(kind, name)).with_for_update()).first()
    before = AiMode(row.mode) if row is not None and row.set_by != SEEDED else None
    if mode == before:
        return
    now = datetime.now(UTC)
    if mode is None and kind == "venue":
        connection.execute(delete(TOGGLES).where(_is(kind, name)))
    else:
        told = {"mode": (mode or default).value, "set_by": by if mode else SEEDED, "set_at": now}
        statement = insert(connection, TOGGLES).values(kind=kind, name=name, **told)
        connection.execute(statement.on_conflict_do_update(index_elements=[TOGGLES.c.kind, TOGGLES.c.name], set_=told))
    words = {"before": before.value if before else None, "after": mode.value if mode else None}
    connection.execute(CHANGES.insert().values(at=now, by=by, kind=kind, name=name, **words))


def changes(connection: Connection, most: int = 50) -> list[ModeChange]:
    """The audit trail, the newest first."""
    rows = connection.execute(select(CHANGES).order_by(CHANGES.c.number.desc()).limit(most))
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
