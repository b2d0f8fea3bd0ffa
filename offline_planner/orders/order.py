"""One order: what is asked for one or several bookings."""

from __future__ import annotations

from dataclasses import dataclass, field

from language.extraction import Mention, MentionKind
from offline_planner.orders.mentions import BookingMention
from offline_planner.orders.new_names import NewName

WHEN = frozenset({MentionKind.DAY, MentionKind.TIME})
_QUIET = frozenset({"pronoun", "polite", "function", "booking", "event", "many"})


@dataclass(slots=True)
class Order:
    """Represent what is asked for one or several bookings. `former` are claims that gave way or mark the booking,
    `verbs` the families that are not denied, `signs` all other senses. `strange` are words beside values that nothing
    explains, `plain` words of the language without a function, `vague` those of an unmeasured step: "later"."""

    mentions: list[BookingMention] = field(default_factory=list)
    claims: list[Mention] = field(default_factory=list)
    former: list[Mention] = field(default_factory=list)
    names: list[NewName] = field(default_factory=list)
    note: str | None = None
    verbs: set[str] = field(default_factory=set)
    denied: set[str] = field(default_factory=set)
    topics: set[str] = field(default_factory=set)
    signs: set[str] = field(default_factory=set)
    foreign: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    vague: list[str] = field(default_factory=list)
    text: str = ""

    @property
    def filled(self) -> bool:
        """Return whether the order states what to do: a value, a note, a name, or a cancellation."""
        return bool(
            self.claims or self.names or self.note is not None or "cancel" in self.verbs or "cancelled" in self.signs
        )

    @property
    def bare(self) -> bool:
        """Return whether the order is no more than bookings."""
        return not (self.filled or self.verbs or self.signs - _QUIET or self.foreign)

    def take(self, other: Order) -> None:
        """Add another clause about the same bookings."""
        self.verbs -= other.denied
        self.mentions += [m for m in other.mentions if m.whens or m.text not in [o.text for o in self.mentions]]
        self.claims += other.claims
        self.former += other.former
        self.names += other.names
        self.note = other.note if self.note is None else self.note
        for mine, more in (
            (self.verbs, other.verbs),
            (self.denied, other.denied),
            (self.topics, other.topics),
            (self.signs, other.signs),
        ):
            mine.update(more)
        self.foreign += other.foreign
        self.strange += other.strange
        self.plain += other.plain
        self.vague += other.vague
        self.text = f"{self.text} {other.text}".strip()
