"""The chat as far as a message leans on it: what our questions left open, and which booking was spoken of last."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from contracts.enums import ShortReply
from language.replies import read_reply
from sandbox.model.bookings import WhichOneError, matches
from sandbox.model.mentions import Mention
from sandbox.model.order import Order
from sandbox.model.orders import orders_of
from sandbox.model.prompt import Brief, Row
from sandbox.model.protocol import Message
from sandbox.model.said import Said, known_by, read_said
from sandbox.model.told import is_a_clock

_LOOKS_BACK = 4


@dataclass(frozen=True)
class Chat:
    """The operator's messages, oldest first, and the brief. `open_since` is where the open request starts, in place of
    its last message where nothing is open. `strangers` are words that look-ups found nobody for, `people`
    those that name somebody."""

    said: tuple[str, ...]
    open_since: int
    brief: Brief
    strangers: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()

    @staticmethod
    def of(messages: list[Message], brief: Brief) -> Chat:
        """Read from a transcript."""
        spoken = [m for m in messages if m.role == "user" or (m.role == "assistant" and not m.calls)]
        users = [m.content for m in spoken if m.role == "user"] or [""]
        since, place = len(users) - 1, len(spoken) - 2
        while place >= 1 and spoken[place].role == "assistant" and spoken[place].content.rstrip().endswith("?"):
            if spoken[place - 1].role != "user":
                break
            since, place = since - 1, place - 2
        return Chat(tuple(users), since, brief)

    @property
    def last(self) -> str:
        """What was said now."""
        return self.said[-1]

    @cached_property
    def now(self) -> Said:
        """The last message, read."""
        return self.read(self.last)

    @cached_property
    def orders(self) -> list[Order]:
        """The orders of the last message."""
        return orders_of(self.now, self.brief.locale)

    @cached_property
    def before(self) -> list[str]:
        """The messages before the last that one can go on from: an undo is none, what it took back is."""
        return [text for text in self.said[:-1] if not _undoes(text)]

    @cached_property
    def earlier(self) -> list[tuple[Said, list[Order]]]:
        """The messages of before, latest first, as far back as one looks."""
        found = []
        for text in reversed(self.before[-_LOOKS_BACK:]):
            said = self.read(text)
            found.append((said, orders_of(said, self.brief.locale)))
        return found

    def read(self, text: str) -> Said:
        """A message of this chat."""
        return known_by(read_said(text, self.brief), self.strangers, self.people)

    def spoken_of(self) -> Row | Mention:
        """The booking that "it" means. Raises `WhichOneError`."""
        taken_back = [r for r in self.brief.known if r.booking_id in self.brief.taken_back]
        if taken_back:
            return taken_back[-1]
        for said, orders in self.earlier:
            mentions = [m for o in orders for m in o.mentions if m.code or m.words or m.title]
            mentions = [m for m in mentions if not is_a_clock(said, m.span)]
            if not mentions:
                continue
            known = [r for r in self.brief.known if any(matches(r, m) for m in mentions)]
            if len({m.said for m in mentions}) > 1 and len(known) != 1:
                if self.brief.known and not known:
                    break
                raise WhichOneError("")
            if known or not self.brief.known:
                return known[-1] if known else mentions[0]
            return self.brief.known[-1] if not mentions[0].sure or self._answered(mentions[0]) else mentions[0]
        if not self.brief.known:
            raise WhichOneError("")
        return self.brief.known[-1]

    def _answered(self, mention: Mention) -> bool:
        """Whether a mention is no more than words that nothing was found for."""
        return not (mention.code or mention.words)


def _undoes(text: str) -> bool:
    reply = read_reply(text)
    return reply is not None and reply.kind is ShortReply.UNDO
