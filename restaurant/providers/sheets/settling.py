"""What has become of a gathering, told by the sheet as it is read after it was written.

A new row that stands is judged once more by the rows above it: those were written before, by whomever. A change is
judged by all others of its day. What does not pass is taken back before its caller is told so.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from restaurant.providers.errors import (
    AmbiguousError,
    BookingNotFoundError,
    ConflictError,
    OutcomeUnknownError,
    ProviderError,
)
from restaurant.providers.protocol import Booking
from restaurant.providers.sheets import rows
from restaurant.providers.sheets.operations import Any_, Cancel, Change, Create, when
from restaurant.providers.sheets.plan import Plan
from restaurant.providers.sheets.repair import mistaken
from restaurant.providers.sheets.rows import Row
from restaurant.providers.sheets.sheet import Snapshot

_TRIES = 3
"""A cancellation that hit another row is tried again: its own row certainly stands."""


@dataclass
class Sent:
    """Which requests were sent, and which of them were not answered with success."""

    parts: set[str] = field(default_factory=set)
    unknown: dict[str, OutcomeUnknownError] = field(default_factory=dict)
    failed: bool = False

    @property
    def nothing(self) -> bool:
        """Nothing can have been written."""
        return not self.parts


@dataclass
class Settled:
    """The answers, and what must be put right before they are given."""

    lost: list[Row] = field(default_factory=list)
    blocks: dict[str, list[Any]] = field(default_factory=dict)
    withdrawn: list[Row] = field(default_factory=list)
    again: list[Any_] = field(default_factory=list)
    answers: list[Callable[[], None]] = field(default_factory=list)
    refused: list[tuple[Any_, Exception]] = field(default_factory=list)
    """Taken back, and why; told after it was."""

    def answer(self) -> None:
        """Tell every caller."""
        for operation, why in self.refused:
            operation.fail(why)
        for tell in self.answers:
            tell()

    def check(self, now: Snapshot) -> None:
        """Whether what was to leave has left: a row that still stands is not told as refused."""
        for row in self.withdrawn:
            if now.find(row.booking.booking_id) is not None:
                self._still_stands(row.booking.booking_id)

    def not_put_right(self, error: ProviderError) -> None:
        """What was refused may stand."""
        self.refused = [(operation, error) for operation, _ in self.refused]

    def _still_stands(self, booking_id: str) -> None:
        error = AmbiguousError("google_sheets: a row too many was not taken out")
        self.refused = [
            (operation, error if isinstance(operation, Create) and operation.wanted.key == booking_id else why)
            for operation, why in self.refused
        ]


def all_shows(plan: Plan, sent: Sent, now: Snapshot) -> bool:
    """Whether each write that was not answered with success shows."""
    left = "leaving" not in sent.unknown or not any(now.find(row.booking.booking_id) for row in plan.leaving)
    changed = "changes" not in sent.unknown or all(
        (row := now.find(change.before.booking_id)) and when(row.booking) == when(change.after)
        for change, _ in plan.changes
    )
    made = "creates" not in sent.unknown or all(now.find(create.wanted.key) for create in plan.creates)
    return left and changed and made


def settle(plan: Plan, sent: Sent, after: Snapshot) -> Settled:
    """Judge each operation that was sent."""
    settled = Settled()
    repair = mistaken(
        plan.snapshot,
        after,
        plan.leaving if "leaving" in sent.parts else [],
        [(row, change.after) for change, row in plan.changes] if "changes" in sent.parts else [],
    )
    settled.lost = repair.lost
    settled.blocks = {rows.when_range(row.number): rows.when(right) for row, right in repair.overwritten}
    if "leaving" in sent.parts:
        for cancel, _ in plan.cancels:
            _settle_cancel(settled, cancel, after, sent.unknown.get("leaving"))
        for purge, old in plan.purges:
            gone = sum(after.find(row.booking.booking_id) is None for row in old)
            settled.answers.append(lambda purge=purge, gone=gone: purge.succeed(gone))  # type: ignore[misc]
    if "changes" in sent.parts:
        for change, _ in plan.changes:
            missed = sent.unknown.get("changes") or (
                ConflictError("google_sheets: another row was in its place")
                if repair.overwritten
                else AmbiguousError("google_sheets: the row is not as it was asked for")
            )
            _settle_change(settled, change, after, missed)
    if "creates" in sent.parts:
        _settle_creates(settled, plan.creates, after, sent.unknown.get("creates"))
    return settled


def _settle_cancel(settled: Settled, cancel: Cancel, after: Snapshot, unknown: ProviderError | None) -> None:
    cancel.tries += 1
    if after.find(cancel.booking_id) is None:
        settled.answers.append(lambda: cancel.succeed(None))
    elif unknown is not None:
        settled.answers.append(lambda: cancel.fail(unknown))
    elif settled.lost and cancel.tries < _TRIES:
        settled.again.append(cancel)
    else:
        why = AmbiguousError("google_sheets: the row still stands")
        settled.answers.append(lambda: cancel.fail(why))


def _settle_change(settled: Settled, change: Change, after: Snapshot, missed: ProviderError) -> None:
    row = after.find(change.before.booking_id)
    if row is None:
        gone = BookingNotFoundError("google_sheets: the row was taken out meanwhile")
        settled.answers.append(lambda: change.fail(gone))
        return
    if when(row.booking) != when(change.after):
        settled.answers.append(lambda: change.fail(missed))
        return
    try:
        change.admit(after.of_day(change.after.day))
    except Exception as refused:
        settled.blocks[rows.when_range(row.number)] = rows.when(change.before)
        settled.refused.append((change, refused))
    else:
        booking: Booking = row.booking
        settled.answers.append(lambda: change.succeed(booking))


def _settle_creates(settled: Settled, creates: list[Create], after: Snapshot, unknown: ProviderError | None) -> None:
    by_key = {create.wanted.key: create for create in creates}
    keys = set(by_key)
    standing: list[Booking] = []
    for row in after.rows:
        create = by_key.pop(row.booking.booking_id, None)
        if create is not None:
            try:
                create.admit([one for one in standing if one.day == create.wanted.day])
            except Exception as refused:
                settled.withdrawn.append(row)
                settled.refused.append((create, refused))
                continue
            settled.answers.append(lambda create=create, row=row: create.succeed(row.booking))  # type: ignore[misc]
        elif row.booking.booking_id in keys:
            # A gateway sent the rows on twice.
            settled.withdrawn.append(row)
            continue
        standing.append(row.booking)
    for create in by_key.values():
        why = unknown or AmbiguousError("google_sheets: the new row is not there")
        settled.answers.append(lambda create=create, why=why: create.fail(why))  # type: ignore[misc]
