"""The state of the chat that a message depends on: what open questions ask, and the booking mentioned last."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from contracts.enums import ShortReply
from language.replies.short_replies import match_short_reply
from offline_planner.bookings.booking_search import AmbiguousBookingError, matches
from offline_planner.bookings.creation_details import is_a_clock
from offline_planner.brief import Brief, Row
from offline_planner.message import ParsedMessage, known_by, parse_message
from offline_planner.orders.mentions import BookingMention
from offline_planner.orders.order import Order
from offline_planner.orders.order_parser import orders_of
from offline_planner.protocol import ProtocolMessage

_LOOKS_BACK = 4


@dataclass(frozen=True)
class ChatState:
    """Hold the operator's messages, oldest first, and the brief. `open_since` is the index where the open request
    starts; without one, that of the last message. `strangers` are words for which look-ups find no one, `people` those
    that name someone."""

    texts: tuple[str, ...]
    open_since: int
    brief: Brief
    strangers: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()

    @staticmethod
    def of(messages: list[ProtocolMessage], brief: Brief) -> ChatState:
        """Read the state from a transcript."""
        spoken = [m for m in messages if m.role == "user" or (m.role == "assistant" and not m.calls)]
        users = [m.content for m in spoken if m.role == "user"] or [""]
        since, index = len(users) - 1, len(spoken) - 2
        while index >= 1 and spoken[index].role == "assistant" and spoken[index].content.rstrip().endswith("?"):
            if spoken[index - 1].role != "user":
                break
            since, index = since - 1, index - 2
        return ChatState(tuple(users), since, brief)

    @property
    def last(self) -> str:
        """Return the operator's last message."""
        return self.texts[-1]

    @cached_property
    def now(self) -> ParsedMessage:
        """Return the last message, parsed."""
        return self.read(self.last)

    @cached_property
    def orders(self) -> list[Order]:
        """Return the orders of the last message."""
        return orders_of(self.now, self.brief.locale)

    @cached_property
    def before(self) -> list[str]:
        """Return the messages that the last one may continue: an undo is none, what it took back is."""
        return [text for text in self.texts[:-1] if not _undoes(text)]

    @cached_property
    def earlier(self) -> list[tuple[ParsedMessage, list[Order]]]:
        """Return the earlier messages with their orders, latest first, `_LOOKS_BACK` at most."""
        found = []
        for text in reversed(self.before[-_LOOKS_BACK:]):
            message = self.read(text)
            found.append((message, orders_of(message, self.brief.locale)))
        return found

    def read(self, text: str) -> ParsedMessage:
        """Parse a message of this chat."""
        return known_by(parse_message(text, self.brief), self.strangers, self.people)

    def spoken_of(self) -> Row | BookingMention:
        """Return the booking that "it" means. Raises `AmbiguousBookingError`."""
        taken_back = [r for r in self.brief.known if r.booking_id in self.brief.taken_back]
        if taken_back:
            return taken_back[-1]
        for message, orders in self.earlier:
            mentions = [m for o in orders for m in o.mentions if m.code or m.words or m.title]
            mentions = [m for m in mentions if not is_a_clock(message, m.span)]
            if not mentions:
                continue
            known = [r for r in self.brief.known if any(matches(r, m) for m in mentions)]
            if len({m.text for m in mentions}) > 1 and len(known) != 1:
                if self.brief.known and not known:
                    break
                raise AmbiguousBookingError("")
            if known or not self.brief.known:
                return known[-1] if known else mentions[0]
            return self.brief.known[-1] if not mentions[0].sure or self._answered(mentions[0]) else mentions[0]
        if not self.brief.known:
            raise AmbiguousBookingError("")
        return self.brief.known[-1]

    def _answered(self, mention: BookingMention) -> bool:
        """Return whether a mention has only title words: no code and no name."""
        return not (mention.code or mention.words)


def _undoes(text: str) -> bool:
    reply = match_short_reply(text)
    return reply is not None and reply.kind is ShortReply.UNDO
