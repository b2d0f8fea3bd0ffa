"""Where rows are written: one gathering of calls after the other, each read, written and read again.

Google Sheets has no transactions, so two processes can both see the last free table. The race is narrowed: new rows are
put at the end, the sheet is read again, and of two that were one too many the later row, which both see to be later, is
taken out before anybody is told that it was booked. What is left of it stands in docs/restaurant-providers.md.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from restaurant.providers.errors import AmbiguousError, OutcomeUnknownError, ProviderError, UnavailableError
from restaurant.providers.looking import looked_for
from restaurant.providers.patience import Deadline, Patience
from restaurant.providers.sheets import rows
from restaurant.providers.sheets.operations import Any_, Operation, T
from restaurant.providers.sheets.plan import Plan
from restaurant.providers.sheets.settling import Sent, Settled, all_shows, settle
from restaurant.providers.sheets.sheet import Sheet, Snapshot

log = logging.getLogger(__name__)

_MOST = 200
"""Operations of one gathering: a request's size has bounds."""


class Writer:
    """All writes of one sheet in this process."""

    def __init__(self, sheet: Sheet, patience: Patience) -> None:
        self._sheet, self._patience = sheet, patience
        self._access = sheet.access
        self._waiting: list[Any_] = []
        self._at_work: asyncio.Task[None] | None = None

    async def carry_out(self, operation: Operation[T]) -> T:
        """Its answer. Raises what a provider raises, `OutcomeUnknownError` when time is up while it is under way."""
        self._waiting.append(operation)
        if self._at_work is None or self._at_work.done():
            self._at_work = asyncio.create_task(self._work())
        try:
            async with asyncio.timeout(Deadline.writing(self._patience.write).left()):
                return await asyncio.shield(operation.done)
        except TimeoutError:
            if operation in self._waiting:
                self._waiting.remove(operation)
                raise UnavailableError("google_sheets: other writes took too long") from None
            raise OutcomeUnknownError("google_sheets: no answer in time") from None

    async def close(self) -> None:
        """Finish what is under way."""
        if self._at_work is not None:
            await asyncio.gather(self._at_work, return_exceptions=True)

    async def _work(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._access.pace.gathering())
            gathered, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            try:
                await self._together(gathered)
            except ProviderError as error:
                _fail_all(gathered, error)
            except Exception as error:
                log.exception("google_sheets: a write failed")
                _fail_all(gathered, AmbiguousError(f"google_sheets: {type(error).__name__}"))

    async def _together(self, gathered: list[Any_]) -> None:
        # Less than a caller waits: whoever is told that nobody knows should not be booked long after.
        deadline = Deadline(self._patience.write * 0.7)
        plan = Plan(await self._sheet.fresh(deadline), gathered)
        sent = await self._send(plan, deadline)
        if sent.nothing:
            return
        after = await self._read_back(plan, sent, deadline)
        settled = settle(plan, sent, after)
        await self._put_right(settled, deadline)
        settled.answer()
        self._waiting += settled.again

    async def _read_back(self, plan: Plan, sent: Sent, deadline: Deadline) -> Snapshot:
        """Look at once, and a few times more for what was not answered with success and does not show."""
        seen: list[Snapshot] = []

        async def look() -> Snapshot | None:
            seen.append(await self._sheet.fresh(deadline))
            return seen[-1] if all_shows(plan, sent, seen[-1]) else None

        await looked_for(look, self._patience.looks, deadline)
        if not seen:
            raise next(iter(sent.unknown.values()), AmbiguousError("google_sheets: written, but not read back"))
        return seen[-1]

    async def _send(self, plan: Plan, deadline: Deadline) -> Sent:
        """Rows that change, rows that leave, new rows: each in one request, and none after one that failed."""
        sent = Sent()
        for part, send in (
            ("changes", self._changes(plan, deadline)),
            ("leaving", self._leaving(plan, deadline)),
            ("creates", self._creates(plan, deadline)),
        ):
            operations = plan.operations(part)
            if not operations:
                continue
            if sent.failed:
                _fail_all(operations, UnavailableError("google_sheets: what comes before it was not written"))
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

    def _changes(self, plan: Plan, deadline: Deadline) -> Callable[[], Awaitable[None]]:
        blocks = {rows.when_range(row.number): rows.when(change.after) for change, row in plan.changes}
        # The id of a row without one is made of what changes: it is kept by writing it down.
        blocks |= {rows.id_range(row.number): [row.booking.booking_id] for _, row in plan.changes if not row.has_id}
        return lambda: self._access.update(blocks, deadline)

    def _leaving(self, plan: Plan, deadline: Deadline) -> Callable[[], Awaitable[None]]:
        numbers = [row.number for row in plan.leaving]
        return lambda: self._access.delete(numbers, deadline)

    def _creates(self, plan: Plan, deadline: Deadline) -> Callable[[], Awaitable[None]]:
        header = [list(rows.HEADER)] if plan.snapshot.empty else []
        new = header + [rows.written(create.wanted) for create in plan.creates]
        return lambda: self._access.append(new, deadline)

    async def _put_right(self, settled: Settled, deadline: Deadline) -> None:
        """Rows that were one too many leave, changes that were are put back, rows hit by mistake are restored. What
        cannot be done stands: then nobody is told that it was refused."""
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
