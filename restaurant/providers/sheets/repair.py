"""Rows that were hit by mistake: a row's number is all that Google takes, and rows move up when somebody else deletes
one above in the moment between reading and writing.

Told by what is read afterwards. A row that was to be taken out and still stands, while one below it is gone: that one
was taken out in its place, and is put back at the end. The same for a change that was written into a row below.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from restaurant.providers.protocol import Booking
from restaurant.providers.sheets.operations import when
from restaurant.providers.sheets.rows import Row
from restaurant.providers.sheets.sheet import Snapshot


@dataclass
class Repair:
    """What to put right."""

    lost: list[Row] = field(default_factory=list)
    """Rows to put back, as they were."""
    overwritten: list[tuple[Row, Booking]] = field(default_factory=list)
    """Rows as they stand now, and the booking whose day, time and people belong there."""


def mistaken(
    before: Snapshot, after: Snapshot, leaving: Iterable[Row], changed: Iterable[tuple[Row, Booking]]
) -> Repair:
    """What was hit instead. `leaving` were to be taken out; `changed` were to become the booking beside them."""
    leaving = list(leaving)
    repair = Repair()
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
    asked = {row.booking.booking_id for row, _ in changed}
    for row, wanted in changed:
        now = after.find(row.booking.booking_id)
        if now is not None and when(now.booking) == when(wanted):
            continue
        for old in before.rows:
            found = after.find(old.booking.booking_id)
            if (
                old.number > row.number
                and old.booking.booking_id not in asked
                and found is not None
                and when(found.booking) != when(old.booking)
                and when(found.booking) == when(wanted)
            ):
                repair.overwritten.append((found, old.booking))
                break
    return repair
