"""Writes rows: one batch of calls after the other, each read, written and read again.

Google Sheets has no transactions, so two processes can both see the last free table. The race is narrowed: new rows are
appended, the sheet is read again, and of two that exceed the capacity the lower row, which both see to be later, is
deleted before its caller gets an answer. docs/restaurant-providers.md describes what remains of the race.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from restaurant.providers.errors import AmbiguousError, OutcomeUnknownError, ProviderError, ProviderUnavailableError
from restaurant.providers.http import looked_for
from restaurant.providers.sheets import rows
from restaurant.providers.sheets.batch import WriteBatch
from restaurant.providers.sheets.operations import Any_, Operation, T
from restaurant.providers.sheets.snapshot import Sheet, SheetSnapshot
from restaurant.providers.sheets.verify import BatchResult, VerifiedBatch, all_shows, settle
from restaurant.providers.timeouts import Deadline, Timeouts

log = logging.getLogger(__name__)

_MOST = 200
"""Operations of one batch, because the size of a request is limited."""


class SheetWriter:
    """All writes of one sheet in this process."""

    def __init__(self, sheet: Sheet, timeouts: Timeouts) -> None:
        self._sheet, self._timeouts = sheet, timeouts
        self._access = sheet.access
        self._waiting: list[Any_] = []
        self._at_work: asyncio.Task[None] | None = None

    async def carry_out(self, operation: Operation[T]) -> T:
        """Return the operation's answer. Raises the provider's errors, and `OutcomeUnknownError` if time runs out while
        it is being carried out."""
        self._waiting.append(operation)
        if self._at_work is None or self._at_work.done():
            self._at_work = asyncio.create_task(self._work())
        try:
            async with asyncio.timeout(Deadline.writing(self._timeouts.write).left()):
                return await asyncio.shield(operation.done)
        except TimeoutError:
            if operation in self._waiting:
                self._waiting.remove(operation)
                raise ProviderUnavailableError("google_sheets: other writes took too long") from None
            raise OutcomeUnknownError("google_sheets: no answer in time") from None

    async def close(self) -> None:
        """Finish the operations in progress."""
        if self._at_work is not None:
            await asyncio.gather(self._at_work, return_exceptions=True)

    async def _work(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._access.quota.gathering())
            gathered, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            try:
                await self._together(gathered)
            except ProviderError as error:
                _fail_all(gathered, error)
            except Exception as error:
                log.exception("google_sheets: a write failed")
                _fail_all(gathered, AmbiguousError(f"google_sheets: {type(error).__name__}"))

    async def _together(self, gathered: list[Any_]) -> None:
        # Less than a caller waits: a caller that got an unknown outcome should not be booked long after.
        deadline = Deadline(self._timeouts.write * 0.7)
        plan = WriteBatch(await self._sheet.fresh(deadline), gathered)
        sent = await self._send(plan, deadline)
        if sent.nothing:
            return
        after = await self._read_back(plan, sent, deadline)
        settled = settle(plan, sent, after)
        await self._put_right(settled, deadline)
        settled.answer()
        self._waiting += settled.again

    async def _read_back(self, plan: WriteBatch, sent: BatchResult, deadline: Deadline) -> SheetSnapshot:
        """Read back at once, and a few times more for writes without a success response that do not show."""
        seen: list[SheetSnapshot] = []

        async def look() -> SheetSnapshot | None:
            seen.append(await self._sheet.fresh(deadline))
            return seen[-1] if all_shows(plan, sent, seen[-1]) else None

        await looked_for(look, self._timeouts.looks, deadline)
        if not seen:
            raise next(iter(sent.unknown.values()), AmbiguousError("google_sheets: written, but not read back"))
        return seen[-1]

    async def _send(self, plan: WriteBatch, deadline: Deadline) -> BatchResult:
        """Send changed rows, deleted rows and new rows: each in one request, and none after one that failed."""
        sent = BatchResult()
        for part, send in (
            ("changes", self._changes(plan, deadline)),
            ("leaving", self._leaving(plan, deadline)),
            ("creates", self._creates(plan, deadline)),
        ):
            operations = plan.operations(part)
            if not operations:
                continue
            if sent.failed:
                _fail_all(operations, ProviderUnavailableError("google_sheets: what comes before it was not written"))
                continue
            try:
                await send()
                sent.parts.add(part)
            except OutcomeUnknownError as error:
                sent.parts.add(part)
                sent.unknown[part] = error
            except ProviderError as error:
                sent.failed = True
                _fail_all(operations, error)
            sent.failed |= part in sent.unknown
        return sent

    def _changes(self, plan: WriteBatch, deadline: Deadline) -> Callable[[], Awaitable[None]]:
        blocks = {rows.when_range(row.number): rows.when(change.after) for change, row in plan.changes}
        # A generated id depends on the fields that change. Writing it into the row keeps it.
        blocks |= {rows.id_range(row.number): [row.booking.booking_id] for _, row in plan.changes if not row.has_id}
        return lambda: self._access.update(blocks, deadline)

    def _leaving(self, plan: WriteBatch, deadline: Deadline) -> Callable[[], Awaitable[None]]:
        numbers = [row.number for row in plan.leaving]
        return lambda: self._access.delete(numbers, deadline)

    def _creates(self, plan: WriteBatch, deadline: Deadline) -> Callable[[], Awaitable[None]]:
        header = [list(rows.HEADER)] if plan.snapshot.empty else []
        new = header + [rows.written(create.wanted) for create in plan.creates]
        return lambda: self._access.append(new, deadline)

    async def _put_right(self, settled: VerifiedBatch, deadline: Deadline) -> None:
        """Delete rows that exceed the capacity, revert such changes, and restore rows that were hit by mistake. If a
        repair fails, the row stays as it is, and its caller does not get a refusal."""
        try:
            if settled.lost:
                log.warning("google_sheets: %d rows are put back that were taken out by mistake", len(settled.lost))
                await self._access.append([list(row.cells) for row in settled.lost], deadline)
            if settled.blocks:
                await self._access.update(settled.blocks, deadline)
            if settled.withdrawn:
                await self._access.delete([row.number for row in settled.withdrawn], deadline)
            if settled.lost or settled.blocks or settled.withdrawn:
                settled.check(await self._sheet.fresh(deadline))
        except ProviderError as error:
            log.warning("google_sheets: what was one too many was not taken back: %s", error)
            settled.not_put_right(AmbiguousError(f"google_sheets: one too many was not taken back: {error}"))


def _fail_all(operations: Sequence[Any_], error: ProviderError) -> None:
    for operation in operations:
        operation.fail(error)
