"""Watching a session: what is said in its chat and what happens to its plans, as one stream under one cursor.

The chat numbers its entries, each plan its events, and both follow from their histories alone. So the cursor is a place
in each: "12.3f2a9c1d:4" stands behind entry 12 and event 4 of that plan, with every other plan named so far told to its
end. Whoever comes back with it, to whichever facade, is given what follows and nothing twice.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from clients.chats import ChatClient
from clients.errors import RequestError, UnansweredError
from clients.shared_watches import SharedWatches
from clients.watching import Watching
from contracts.events import PlanEvent
from contracts.messages import NamedPlan, ShownEntry, ShownView
from contracts.plan import ExecutionPlan
from infra.wakes import Wakes

log = logging.getLogger(__name__)

_LOOK_EVERY, _AGAIN = 10.0, 0.5
"""Seconds after which a watch looks by itself: a wake-up may be lost. Sooner where it has not seen anything yet."""
_LOOK_WITHIN = _OWNER_WITHIN = 5.0
"""Seconds: nobody's phone waits for the beginning of a stream, and many may begin at once, as after a restart."""
_BACKLOG_WITHIN = 5.0
"""Seconds for the plans that were named before to tell what they have, so that it comes in the order of its time."""

_CURSOR = re.compile(r"(\d{1,9})((?:\.[0-9a-f]{8}:\d{1,6}){0,300})", re.ASCII)


@dataclass
class Cursor:
    """A place in a session: behind which entry, and behind which event of each plan that is not told to its end. A plan
    goes by the first eight digits of its id."""

    entry: int = 0
    plans: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str | None) -> Self:
        """The cursor as it was written; the very beginning for what is none."""
        match = _CURSOR.fullmatch(text or "")
        if match is None:
            return cls()
        pairs = (part.split(":") for part in match[2].split(".")[1:])
        return cls(int(match[1]), {plan: int(number) for plan, number in pairs})

    def __str__(self) -> str:
        return ".".join([str(self.entry), *(f"{plan}:{number}" for plan, number in self.plans.items())])


def short(plan_id: str) -> str:
    """What a cursor calls a plan."""
    return plan_id[:8]


def cursor_behind(view: ShownView, plans: Iterable[ExecutionPlan]) -> str:
    """The cursor of somebody who has seen these entries, and these plans as they stand. Each of them tells its events
    again from the first: a plan does not hold what it said, nor what was asked and answered."""
    return str(Cursor(view.last, {short(plan.plan_id): 0 for plan in plans}))


@dataclass(frozen=True)
class SessionEvent:
    """One event and the cursor behind it: an entry of the chat, an event of a plan, or (with neither) that the cursor
    no longer fits this chat, which must be looked at anew."""

    cursor: str
    entry: ShownEntry | None = None
    plan_id: str | None = None
    event: PlanEvent | None = None


@dataclass(frozen=True)
class _Told:
    """Something that is told but not yet passed on; `place` is where it stands in time."""

    place: tuple[datetime, int, int]
    entry: ShownEntry | None = None
    plan_id: str = ""
    event: PlanEvent | None = None
    over: bool = False


class _ChatWatch:
    """One chat that is watched, with all its entries so far."""

    def __init__(self, chat: str, chats: ChatClient, wakes: Wakes) -> None:
        self._chat, self._chats, self._wakes = chat, chats, wakes
        self.watchers = 0
        self.owner: str | None = None
        self.entries: list[ShownEntry] = []
        self.named: dict[str, NamedPlan] = {}
        self.last = 0
        self.times_begun = 0
        self.looked = asyncio.Event()
        self._looking = asyncio.Lock()
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Look at the chat whenever there may be something new."""
        with self._wakes.listen(self._chat) as rung:
            while True:
                rung.clear()
                try:
                    await self._look()
                except RequestError:
                    log.debug("a chat could not be watched for a moment")
                except Exception:
                    # Those who watch wait for the next look, which may find it mended.
                    log.exception("a chat could not be looked at")
                else:
                    self.looked.set()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY if self.looked.is_set() else _AGAIN):
                        await rung.wait()

    async def news(self, behind: int) -> None:
        """Wait until there is an entry behind this one, or the chat has begun anew."""
        begun = self.times_begun
        while self.last <= behind and begun == self.times_begun:
            await self._changed.wait()

    async def look_again(self) -> None:
        """Look now: somebody has heard more, elsewhere. Raises `RequestError`."""
        await self._look()

    async def _look(self) -> None:
        async with self._looking:
            await self._seen()

    async def _seen(self) -> None:
        view = await self._chats.shown(self._chat, self.last, _LOOK_WITHIN)
        if view is None or view.owner is None:
            return
        if view.last < self.last:
            self.entries, self.last = [], 0
            self.named = {}
            self.times_begun += 1
            await self._seen()
            return
        self.owner = view.owner
        self.named = {plan.plan_id: plan for plan in view.named}
        self.entries += view.entries
        if view.last > self.last:
            self.last = view.last
            self._changed.set()
            self._changed = asyncio.Event()


class SessionWatching:
    """The streams of one process."""

    def __init__(self, chats: ChatClient, watching: Watching, wakes: Wakes) -> None:
        self._watching = watching
        self._chats = SharedWatches(lambda chat: _ChatWatch(chat, chats, wakes))

    async def owner(self, chat: str) -> str | None:
        """Whose a chat is; None where it does not exist yet. Raises `UnansweredError`."""
        with self._chats.of(chat) as watch:
            try:
                async with asyncio.timeout(_OWNER_WITHIN):
                    await watch.looked.wait()
            except TimeoutError:
                raise UnansweredError("worker") from None
            return watch.owner

    async def follow(self, chat: str, user_id: str, cursor: Cursor) -> AsyncGenerator[SessionEvent, None]:
        """What happens in a chat behind a cursor, for its owner; a chat that does not exist yet is waited for. Ends
        after a `SessionEvent` that has neither entry nor event, and when the chat turns out to be another's."""
        with self._chats.of(chat) as watch:
            stream = _Stream(watch, self._watching, user_id, cursor)
            try:
                stream.begin()
                async for told in stream.told():
                    yield told
            finally:
                await stream.close()

    async def close(self) -> None:
        """End every watch."""
        await self._chats.close()


class _Stream:
    """One watcher's stream: a task for the chat, one for each plan that is not told to its end."""

    def __init__(self, chat: _ChatWatch, watching: Watching, user_id: str, cursor: Cursor) -> None:
        self._chat, self._watching, self._user_id, self._cursor = chat, watching, user_id, cursor
        self._known = 0
        self._named: dict[str, NamedPlan] = {}
        self._waiting: list[_Told] = []
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._behind: dict[str, asyncio.Event] = {}
        self._lost = self._ended = False

    def begin(self) -> None:
        """Start listening."""
        self._tasks.add(asyncio.create_task(self._hear_the_chat()))

    async def _hear_the_chat(self) -> None:
        await self._chat.looked.wait()
        await self._as_far_as_the_cursor()
        begun = self._chat.times_begun
        while True:
            if self._chat.owner is not None:
                self._ended = self._chat.owner != self._user_id
                self._lost = begun != self._chat.times_begun or self._chat.last < self._cursor.entry
                if self._ended or self._lost:
                    self._news.set()
                    return
                self._hear([entry for entry in self._chat.entries if entry.number > self._known])
                self._known = self._chat.last
            await self._chat.news(self._known)

    async def _as_far_as_the_cursor(self) -> None:
        """A cursor may come from a facade that has looked later than this one: only a look that succeeds can tell that
        it no longer fits."""
        while self._chat.last < self._cursor.entry:
            try:
                return await self._chat.look_again()
            except RequestError:
                await asyncio.sleep(_AGAIN)

    async def told(self) -> AsyncGenerator[SessionEvent, None]:
        """Everything, in the order of its time as far as it is known by then."""
        await self._news.wait()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_BACKLOG_WITHIN):
                await self._caught_up()
        while True:
            await self._news.wait()
            self._news.clear()
            if self._ended:
                return
            if self._lost:
                yield SessionEvent(cursor="0")
                return
            ready, self._waiting = sorted(self._waiting, key=lambda told: told.place), []
            for told in ready:
                if (event := self._passed_on(told)) is not None:
                    yield event

    async def close(self) -> None:
        """End every task."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _hear(self, entries: Iterable[ShownEntry]) -> None:
        for entry in entries:
            if entry.number > self._cursor.entry:
                self._tell(_Told((entry.at, 0, entry.number), entry))
        for plan in self._chat.named.values():
            if plan.plan_id not in self._named:
                self._named[plan.plan_id] = plan
                self._follow(plan.plan_id, new=plan.number > self._cursor.entry)
        known = {short(plan_id) for plan_id in self._named}
        for gone in [plan for plan in self._cursor.plans if plan not in known]:
            del self._cursor.plans[gone]

    def _follow(self, plan_id: str, *, new: bool) -> None:
        after = 0 if new else self._cursor.plans.get(short(plan_id))
        if after is not None:
            told = self._behind[plan_id] = asyncio.Event()
            self._tasks.add(asyncio.create_task(self._listen(plan_id, after, told)))

    async def _listen(self, plan_id: str, after: int, told: asyncio.Event) -> None:
        named = self._named[plan_id].at
        last = (named, 1, 0)
        with contextlib.suppress(RequestError):
            async with contextlib.aclosing(self._watching.batches(plan_id, after)) as batches:
                async for fresh in batches:
                    for event in fresh:
                        last = (max(event.at, named), 1, event.number)
                        self._tell(_Told(last, plan_id=plan_id, event=event))
                    told.set()
        told.set()
        self._tell(_Told(last, plan_id=plan_id, over=True))

    def _tell(self, told: _Told) -> None:
        self._waiting.append(told)
        self._news.set()

    async def _caught_up(self) -> None:
        """Every plan that was named before has told what it had."""
        await asyncio.gather(*(told.wait() for told in self._behind.values()))

    def _passed_on(self, told: _Told) -> SessionEvent | None:
        cursor = self._cursor
        if told.entry is not None:
            cursor.entry = told.entry.number
            plan = told.entry.plan_id
            if plan is not None and plan in self._named and self._named[plan].number == told.entry.number:
                cursor.plans.setdefault(short(plan), 0)
            return SessionEvent(str(cursor), entry=told.entry)
        if told.over or told.event is None:
            cursor.plans.pop(short(told.plan_id), None)
            return None
        cursor.plans[short(told.plan_id)] = told.event.number
        if told.event.in_chat:
            return None
        return SessionEvent(str(cursor), plan_id=told.plan_id, event=told.event)
