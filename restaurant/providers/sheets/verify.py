"""Determines the outcome of a batch from the sheet as it is read after the write.

A new row is checked again against the rows above it, because those were written before, by any writer. A change is
checked against all others of its day. An operation that fails the check is undone before its caller gets the error.
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
from restaurant.providers.sheets.batch import WriteBatch
from restaurant.providers.sheets.operations import Any_, Cancel, Change, Create, when
from restaurant.providers.sheets.repair import mistaken
from restaurant.providers.sheets.rows import SheetRow
from restaurant.providers.sheets.snapshot import SheetSnapshot

_TRIES = 3
"""A cancellation that hit another row is retried, because its own row certainly still exists."""


@dataclass
class BatchResult:
    """Which requests were sent, and which of them got no success response."""

    parts: set[str] = field(default_factory=set)
    unknown: dict[str, OutcomeUnknownError] = field(default_factory=dict)
    failed: bool = False

    @property
    def nothing(self) -> bool:
        """Return whether certainly nothing was written."""
        return not self.parts


@dataclass
class VerifiedBatch:
    """The answers, and the repairs to make before they are given."""

    lost: list[SheetRow] = field(default_factory=list)
    blocks: dict[str, list[Any]] = field(default_factory=dict)
    withdrawn: list[SheetRow] = field(default_factory=list)
    again: list[Any_] = field(default_factory=list)
    answers: list[Callable[[], None]] = field(default_factory=list)
    refused: list[tuple[Any_, Exception]] = field(default_factory=list)
    """Operations to undo, with the reason, answered once they are undone."""

    def answer(self) -> None:
        """Answer every caller."""
        for operation, why in self.refused:
            operation.fail(why)
        for tell in self.answers:
            tell()

    def check(self, now: SheetSnapshot) -> None:
        """Check that the rows to delete are gone. A row that is still there is not answered as refused."""
        for row in self.withdrawn:
            if now.find(row.booking.booking_id) is not None:
                self._still_stands(row.booking.booking_id)

    def not_put_right(self, error: ProviderError) -> None:
        """Report the refused operations as unknown, because their rows may still be there."""
        self.refused = [(operation, error) for operation, _ in self.refused]

    def _still_stands(self, booking_id: str) -> None:
        error = AmbiguousError("google_sheets: a row over capacity was not deleted")
        self.refused = [
            (operation, error if isinstance(operation, Create) and operation.wanted.key == booking_id else why)
            for operation, why in self.refused
        ]


def all_shows(plan: WriteBatch, sent: BatchResult, now: SheetSnapshot) -> bool:
    """Return whether the sheet shows each write that got no success response."""
    left = "leaving" not in sent.unknown or not any(now.find(row.booking.booking_id) for row in plan.leaving)
    changed = "changes" not in sent.unknown or all(
        (row := now.find(change.before.booking_id)) and when(row.booking) == when(change.after)
        for change, _ in plan.changes
    )
    made = "creates" not in sent.unknown or all(now.find(create.wanted.key) for create in plan.creates)
    return left and changed and made


def settle(plan: WriteBatch, sent: BatchResult, after: SheetSnapshot) -> VerifiedBatch:
    """Check each operation that was sent."""
    settled = VerifiedBatch()
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


def _settle_cancel(settled: VerifiedBatch, cancel: Cancel, after: SheetSnapshot, unknown: ProviderError | None) -> None:
    cancel.tries += 1
    if after.find(cancel.booking_id) is None:
        settled.answers.append(lambda: cancel.succeed(None))
    elif unknown is not None:
        settled.answers.append(lambda: cancel.fail(unknown))
    elif settled.lost and cancel.tries < _TRIES:
        settled.again.append(cancel)
    else:
        why = AmbiguousError("google_sheets: the row was not deleted")
        settled.answers.append(lambda: cancel.fail(why))


def _settle_change(settled: VerifiedBatch, change: Change, after: SheetSnapshot, missed: ProviderError) -> None:
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


def _settle_creates(
    settled: VerifiedBatch, creates: list[Create], after: SheetSnapshot, unknown: ProviderError | None
) -> None:
    by_key = {create.wanted.key: create for create in creates}
    keys = set(by_key)
    kept: list[Booking] = []
    for row in after.rows:
        create = by_key.pop(row.booking.booking_id, None)
        if create is not None:
            try:
                create.admit([one for one in kept if one.day == create.wanted.day])
            except Exception as refused:
                settled.withdrawn.append(row)
                settled.refused.append((create, refused))
                continue
            settled.answers.append(lambda create=create, row=row: create.succeed(row.booking))  # type: ignore[misc]
        elif row.booking.booking_id in keys:
            # A gateway has sent the rows twice.
            settled.withdrawn.append(row)
            continue
        kept.append(row.booking)
    for create in by_key.values():
        why = unknown or AmbiguousError("google_sheets: the new row is not there")
        settled.answers.append(lambda create=create, why=why: create.fail(why))  # type: ignore[misc]
