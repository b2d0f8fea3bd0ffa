"""Repairs rows that a write hit by mistake: Google addresses rows by number only, and rows move up if somebody else
deletes one above between our read and our write.

The read after the write shows it. If a row to delete is still there while one below it is gone, the lower row was
deleted in its place and is put back at the end. The same holds for a change that was written into a row below.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from restaurant.providers.protocol import Booking
from restaurant.providers.sheets.operations import when
from restaurant.providers.sheets.rows import SheetRow
from restaurant.providers.sheets.snapshot import SheetSnapshot


@dataclass
class RowRepair:
    """The repairs to make."""

    lost: list[SheetRow] = field(default_factory=list)
    """Rows to put back, as they were."""
    overwritten: list[tuple[SheetRow, Booking]] = field(default_factory=list)
    """Rows as they are now, and the booking whose day, time and people belong there."""


def mistaken(
    before: SheetSnapshot,
    after: SheetSnapshot,
    leaving: Iterable[SheetRow],
    changed: Iterable[tuple[SheetRow, Booking]],
) -> RowRepair:
    """Return the rows that were hit by mistake. `leaving` are the rows to delete; `changed` the rows to change, each
    with its new booking."""
    leaving = list(leaving)
    repair = RowRepair()
    meant = {row.booking.booking_id for row in leaving}
    gone = [
        row for row in before.rows if row.booking.booking_id not in meant and after.find(row.booking.booking_id) is None
    ]
    for row in leaving:
        if after.find(row.booking.booking_id) is None:
            continue
        instead = next((one for one in gone if one.number > row.number), None)
        if instead is not None:
            gone.remove(instead)
            repair.lost.append(instead)
    requested = {row.booking.booking_id for row, _ in changed}
    for row, wanted in changed:
        now = after.find(row.booking.booking_id)
        if now is not None and when(now.booking) == when(wanted):
            continue
        for old in before.rows:
            found = after.find(old.booking.booking_id)
            if (
                old.number > row.number
                and old.booking.booking_id not in requested
                and found is not None
                and when(found.booking) != when(old.booking)
                and when(found.booking) == when(wanted)
            ):
                repair.overwritten.append((found, old.booking))
                break
    return repair
