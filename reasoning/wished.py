"""The operator's words, step by step, where they name an alternative: what is wanted first is held against the words
without it, what is wanted instead against its own, on top of the first, as a message that amends it would be."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.drafting import Arrangement
from contracts.model import ToolCall
from contracts.venue import VenueProfile
from language.conditions import alternatives, only_if_possible, unknowable
from reasoning.grounding import Words

_MARKS = " \"'“”‘’«»,.!?"


class Wishes:
    """The words for each call of a draft, by its place (from 0)."""

    def __init__(
        self,
        said: Sequence[str],
        calls: Sequence[ToolCall],
        arranged: Sequence[Arrangement],
        now: datetime,
        profile: VenueProfile,
        before: Sequence[str],
        bookings: Sequence[BookingSummary] = (),
    ) -> None:
        self._calls, self._arranged = calls, arranged
        self._stands_for = {o.step - 1: o.only_if_failed - 1 for o in arranged if o.only_if_failed is not None}
        self._said = said
        self._alternatives = [alternatives(text) for text in said]
        named = [found for text in (*said, *before) if (found := alternatives(text)) is not None]
        self._named = bool(named)
        self.for_room = bool(named) and named[0].for_room
        """Whether what is wanted instead is wanted for want of room alone."""
        self._can_do_without = any(only_if_possible(text) for text in (*said, *before))
        place = next((n for n, text in enumerate(said) if self._stands_for and alternatives(text)), None)
        found = alternatives(said[place]) if place is not None else None
        first = tuple(found.first if found and n == place else text for n, text in enumerate(said))
        self.first = Words(first, now, profile, before, bookings)
        self.instead = Words((found.instead, *first), now, profile, before, bookings) if found else self.first

    @property
    def unplanned(self) -> str:
        """What is wanted otherwise, where no call is for that; "" where there is one, or where it is a part of what is
        to be written."""
        found = next((f for f in self._alternatives if f is not None), None)
        if found is None or self._stands_for:
            return ""
        instead = found.instead.strip(_MARKS)
        return "" if self._written(instead) else instead

    @property
    def unknowable(self) -> str:
        """The condition that nobody here can see, on which the operator made a change; "" where there is none, or where
        it is a part of what is to be written."""
        found = next((u for text in self._said if (u := unknowable(text))), "").strip(_MARKS)
        return "" if self._written(found) else found

    @property
    def unmarked(self) -> bool:
        """Whether the operator can do without a part of what was asked for, and every one of several calls is firm."""
        firm = len(self._calls) > 1 and not any(one.optional or one.only_if_failed for one in self._arranged)
        return firm and any(only_if_possible(text) for text in self._said)

    def _written(self, words: str) -> bool:
        """Whether words stand in a text that a call writes."""
        wanted = " ".join(words.casefold().split())
        texts = (v for call in self._calls for v in call.arguments.values() if isinstance(v, str) and " " in v)
        return any(wanted in " ".join(text.casefold().split()) for text in texts)

    def of(self, place: int) -> Words:
        """What a call's values are held against."""
        return self.instead if place in self._stands_for else self.first

    def stands_for(self, place: int) -> int | None:
        """The place of the call that a call is the alternative to."""
        return self._stands_for.get(place)

    def has_alternative(self, place: int) -> bool:
        """Whether another call is to be made where the venue refuses this one."""
        return place in self._stands_for.values()

    def amended(self, place: int) -> Mapping[str, Json]:
        """What an alternative takes over from the call that it stands for."""
        first = self._stands_for.get(place)
        if first is None or not 0 <= first < len(self._calls) or self._calls[first].name != self._calls[place].name:
            return {}
        return self._calls[first].arguments

    def problems(self, arranged: Sequence[Arrangement]) -> list[str]:
        """What the operator never said of the steps, in words that a model can act on: a plan is not made less binding
        than it was asked for."""
        found = []
        if self._stands_for and not self._named:
            found.append("the operator named nothing to do instead: leave only_if_failed out")
        if any(one.optional for one in arranged) and not self._can_do_without:
            found.append("the operator did not say that a step may be left out: leave optional out")
        return found
