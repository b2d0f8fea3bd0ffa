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
    """What is asked for one or several bookings. `former` are claims that gave way, `verbs` the families said and not
    denied, `signs` whatever else is said of it. `strange` are words that nothing explains beside values, `plain` those
    of the language that do nothing in a request, `vague` those of a step that is not measured: "later"."""

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
        """Whether it says what to do: a value, a note, a name, or that it is cancelled."""
        return bool(
            self.claims or self.names or self.note is not None or "cancel" in self.verbs or "cancelled" in self.signs
        )

    @property
    def bare(self) -> bool:
        """Whether it is no more than bookings."""
        return not (self.filled or self.verbs or self.signs - _QUIET or self.foreign)

    def take(self, other: Order) -> None:
        """Go on with another clause about the same bookings."""
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
