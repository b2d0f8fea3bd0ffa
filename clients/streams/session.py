"""Session event streams: a chat and its plans as one stream with one cursor.

The chat numbers its entries and each plan its events; both are derived from workflow histories alone. So the cursor is
a position in each: "12.3f2a9c1d:4" is after entry 12 and event 4 of that plan, with every other plan so far completely
sent. A client that reconnects with it, to any API process, gets what follows and no event twice.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from clients.errors import ApiError, ServiceUnavailableError
from clients.streams.plan import PlanStreams, SharedSubscriptions
from clients.temporal.chats import ChatClient
from contracts.chat_messages import PlanReference, TranscriptEntry, TranscriptView
from contracts.events import PlanEvent
from contracts.plan import ExecutionPlan
from infra.stores.notifications import Notifications

log = logging.getLogger(__name__)

_LOOK_EVERY, _AGAIN = 10.0, 0.5
"""Seconds between polls, because a notification may be lost. The second value applies until the first
successful query."""
_LOOK_WITHIN = _OWNER_WITHIN = 5.0
"""Seconds. They are generous because a stream may start late, and many may start at once, as after a restart."""
_BACKLOG_WITHIN = 5.0
"""Seconds for the earlier plans to send their backlog, so that it is in order of time."""

_CURSOR = re.compile(r"(\d{1,9})((?:\.[0-9a-f]{8}:\d{1,6}){0,300})", re.ASCII)


@dataclass
class Cursor:
    """A position in a session: after which entry, and after which event of each plan that is not completely sent. A
    plan is identified by the first eight digits of its id."""

    entry: int = 0
    plans: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str | None) -> Self:
        """Return the parsed cursor; the start of the session if the text is invalid."""
        match = _CURSOR.fullmatch(text or "")
        if match is None:
            return cls()
        pairs = (part.split(":") for part in match[2].split(".")[1:])
        return cls(int(match[1]), {plan: int(number) for plan, number in pairs})

    def __str__(self) -> str:
        return ".".join([str(self.entry), *(f"{plan}:{number}" for plan, number in self.plans.items())])


def short_id(plan_id: str) -> str:
    """Return a plan's id in a cursor."""
    return plan_id[:8]


def cursor_after(view: TranscriptView, plans: Iterable[ExecutionPlan]) -> str:
    """Return the cursor of a client that has these entries and these plans. The events of each plan are sent from the
    first, because a plan's state contains neither its messages nor its prompts and answers."""
    return str(Cursor(view.last, {short_id(plan.plan_id): 0 for plan in plans}))


@dataclass(frozen=True)
class SessionEvent:
    """One event and the cursor after it: an entry of the chat, an event of a plan, or (with neither) a sign that the
    cursor no longer fits this chat, which the client must reload."""

    cursor: str
    entry: TranscriptEntry | None = None
    plan_id: str | None = None
    event: PlanEvent | None = None


@dataclass(frozen=True)
class _Delivered:
    """An item that waits to be sent; `place` is its position in time."""

    place: tuple[datetime, int, int]
    entry: TranscriptEntry | None = None
    plan_id: str = ""
    event: PlanEvent | None = None
    over: bool = False


class _ChatSubscription:
    """One watched chat, with all its entries so far."""

    def __init__(self, chat: str, chats: ChatClient, wakes: Notifications) -> None:
        self._chat, self._chats, self._notifications = chat, chats, wakes
        self.watchers = 0
        self.owner: str | None = None
        self.entries: list[TranscriptEntry] = []
        self.named: dict[str, PlanReference] = {}
        self.last = 0
        self.times_begun = 0
        self.looked = asyncio.Event()
        self._looking = asyncio.Lock()
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Query the chat on each notification or timeout."""
        with self._notifications.listen(self._chat) as rung:
            while True:
                rung.clear()
                try:
                    await self._look()
                except ApiError:
                    log.debug("a chat could not be watched for a moment")
                except Exception:
                    # Watchers wait for the next query, which may succeed.
                    log.exception("a chat could not be looked at")
                else:
                    self.looked.set()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY if self.looked.is_set() else _AGAIN):
                        await rung.wait()

    async def news(self, offset: int) -> None:
        """Wait until there is an entry after this one, or the chat has restarted."""
        begun = self.times_begun
        while self.last <= offset and begun == self.times_begun:
            await self._changed.wait()

    async def look_again(self) -> None:
        """Query now, because a watcher has a later cursor from another process. Raises `ApiError`."""
        await self._look()

    async def _look(self) -> None:
        async with self._looking:
            await self._seen()

    async def _seen(self) -> None:
        view = await self._chats.transcript(self._chat, self.last, _LOOK_WITHIN)
        if view is None or view.owner is None:
            return
        if view.last < self.last:
            self.entries, self.last = [], 0
            self.named = {}
            self.times_begun += 1
            await self._seen()
            return
        self.owner = view.owner
        self.named = {plan.plan_id: plan for plan in view.plan_references}
        self.entries += view.entries
        if view.last > self.last:
            self.last = view.last
            self._changed.set()
            self._changed = asyncio.Event()


class SessionStreams:
    """The session streams of one process."""

    def __init__(self, chats: ChatClient, watching: PlanStreams, wakes: Notifications) -> None:
        self._plan_streams = watching
        self._chats = SharedSubscriptions(lambda chat: _ChatSubscription(chat, chats, wakes))

    async def owner(self, chat: str) -> str | None:
        """Return a chat's owner; None if it does not exist yet. Raises `ServiceUnavailableError`."""
        with self._chats.get(chat) as watch:
            try:
                async with asyncio.timeout(_OWNER_WITHIN):
                    await watch.looked.wait()
            except TimeoutError:
                raise ServiceUnavailableError("worker") from None
            return watch.owner

    async def subscribe(self, chat: str, user_id: str, cursor: Cursor) -> AsyncGenerator[SessionEvent, None]:
        """Yield what happens in a chat after a cursor, for its owner. A chat that does not exist yet is waited for.
        Ends after a `SessionEvent` that has neither entry nor event, and if the chat belongs to another user."""
        with self._chats.get(chat) as watch:
            stream = _Stream(watch, self._plan_streams, user_id, cursor)
            try:
                stream.begin()
                async for event in stream.events():
                    yield event
            finally:
                await stream.close()

    async def close(self) -> None:
        """Close every subscription."""
        await self._chats.close()


class _Stream:
    """One watcher's stream: a task for the chat, and one for each plan that is not completely sent."""

    def __init__(self, chat: _ChatSubscription, watching: PlanStreams, user_id: str, cursor: Cursor) -> None:
        self._chat, self._plan_streams, self._user_id, self._cursor = chat, watching, user_id, cursor
        self._known = 0
        self._named: dict[str, PlanReference] = {}
        self._waiting: list[_Delivered] = []
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._behind: dict[str, asyncio.Event] = {}
        self._lost = self._ended = False

    def begin(self) -> None:
        """Start the task of the chat."""
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
        """Query until the chat has reached the cursor or a query succeeds. The cursor may come from an API process that
        has read more, so only a successful query can prove that it no longer fits."""
        while self._chat.last < self._cursor.entry:
            try:
                return await self._chat.look_again()
            except ApiError:
                await asyncio.sleep(_AGAIN)

    async def events(self) -> AsyncGenerator[SessionEvent, None]:
        """Yield all events, in order of time as far as they are known."""
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
            ready, self._waiting = sorted(self._waiting, key=lambda one: one.place), []
            for delivered in ready:
                if (event := self._passed_on(delivered)) is not None:
                    yield event

    async def close(self) -> None:
        """Cancel every task."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _hear(self, entries: Iterable[TranscriptEntry]) -> None:
        for entry in entries:
            if entry.number > self._cursor.entry:
                self._tell(_Delivered((entry.at, 0, entry.number), entry))
        for plan in self._chat.named.values():
            if plan.plan_id not in self._named:
                self._named[plan.plan_id] = plan
                self._follow(plan.plan_id, new=plan.number > self._cursor.entry)
        known = {short_id(plan_id) for plan_id in self._named}
        for gone in [plan for plan in self._cursor.plans if plan not in known]:
            del self._cursor.plans[gone]

    def _follow(self, plan_id: str, *, new: bool) -> None:
        after = 0 if new else self._cursor.plans.get(short_id(plan_id))
        if after is not None:
            caught_up = self._behind[plan_id] = asyncio.Event()
            self._tasks.add(asyncio.create_task(self._listen(plan_id, after, caught_up)))

    async def _listen(self, plan_id: str, after: int, caught_up: asyncio.Event) -> None:
        named = self._named[plan_id].at
        last = (named, 1, 0)
        with contextlib.suppress(ApiError):
            async with contextlib.aclosing(self._plan_streams.batches(plan_id, after)) as batches:
                async for fresh in batches:
                    for event in fresh:
                        last = (max(event.at, named), 1, event.number)
                        self._tell(_Delivered(last, plan_id=plan_id, event=event))
                    caught_up.set()
        caught_up.set()
        self._tell(_Delivered(last, plan_id=plan_id, over=True))

    def _tell(self, delivered: _Delivered) -> None:
        self._waiting.append(delivered)
        self._news.set()

    async def _caught_up(self) -> None:
        """Wait until every plan mentioned earlier has sent its backlog."""
        await asyncio.gather(*(one.wait() for one in self._behind.values()))

    def _passed_on(self, delivered: _Delivered) -> SessionEvent | None:
        cursor = self._cursor
        if delivered.entry is not None:
            cursor.entry = delivered.entry.number
            plan = delivered.entry.plan_id
            if plan is not None and plan in self._named and self._named[plan].number == delivered.entry.number:
                cursor.plans.setdefault(short_id(plan), 0)
            return SessionEvent(str(cursor), entry=delivered.entry)
        if delivered.over or delivered.event is None:
            cursor.plans.pop(short_id(delivered.plan_id), None)
            return None
        cursor.plans[short_id(delivered.plan_id)] = delivered.event.number
        if delivered.event.in_chat:
            return None
        return SessionEvent(str(cursor), plan_id=delivered.plan_id, event=delivered.event)
