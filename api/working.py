"""What goes on in a chat while a message is worked out."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from clients.chats import ChatClient
from clients.session_watching import Cursor, SessionEvent, SessionWatching
from contracts.messages import ShownEntry


class Working:
    """What the chat of one message is busy with."""

    def __init__(self, chats: ChatClient, sessions: SessionWatching, chat: str, user_id: str) -> None:
        self._chats, self._sessions, self._chat, self._user_id = chats, sessions, chat, user_id

    async def last(self) -> int:
        """The chat's newest entry; 0 where there is no chat yet. Raises `RequestError`."""
        shown = await self._chats.shown(self._chat, 0)
        return shown.last if shown is not None else 0

    async def told(self, turn: asyncio.Task[Any], request_id: str, after: int) -> AsyncGenerator[ShownEntry, None]:
        """What goes on for one message behind an entry, until its turn is done."""
        entries = self._sessions.follow(self._chat, self._user_id, Cursor(after))
        following: asyncio.Task[SessionEvent] | None = None
        try:
            while not turn.done():
                following = asyncio.ensure_future(anext(entries))
                await asyncio.wait({turn, following}, return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    return
                entry = following.result().entry
                if entry is not None and entry.kind == "progress" and entry.request_id == request_id:
                    yield entry
        except StopAsyncIteration:
            return
        finally:
            if following is not None and not following.done():
                following.cancel()
                await asyncio.wait({following})
            await entries.aclose()
