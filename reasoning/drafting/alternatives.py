"""Requests with a fallback ("4pm, or 5pm if full"). The preferred step is grounded in the message without the fallback
clause. The fallback step is grounded in the fallback clause, applied on top of the first as an amending message would
be."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.chat_completion import ToolCall
from contracts.drafting import StepDependency
from contracts.venue import VenueProfile
from language.extraction import Extraction, extract
from language.requests.conditions import alternatives, only_if_possible, unverifiable_condition

_MARKS = " \"'“”‘’«»,.!?"


class ConditionalRequest:
    """The words for each call of a draft, by its index (from 0)."""

    def __init__(
        self,
        messages: Sequence[str],
        calls: Sequence[ToolCall],
        arranged: Sequence[StepDependency],
        now: datetime,
        profile: VenueProfile,
        before: Sequence[str],
        bookings: Sequence[BookingSummary] = (),
    ) -> None:
        self._tool_calls, self._arranged = calls, arranged
        self._stands_for = {o.step - 1: o.only_if_failed - 1 for o in arranged if o.only_if_failed is not None}
        self._messages = messages
        self._alternatives = [alternatives(text) for text in messages]
        named = [found for text in (*messages, *before) if (found := alternatives(text)) is not None]
        self._named = bool(named)
        self.for_room = bool(named) and named[0].for_room
        """Whether the fallback applies only if there is no availability."""
        self._can_do_without = any(only_if_possible(text) for text in (*messages, *before))
        index = next((n for n, text in enumerate(messages) if self._stands_for and alternatives(text)), None)
        found = alternatives(messages[index]) if index is not None else None
        first = tuple(found.first if found and n == index else text for n, text in enumerate(messages))
        self.first = extract(first, now, profile, bookings, before=before)
        self.instead = extract((found.instead, *first), now, profile, bookings, before=before) if found else self.first

    @property
    def unplanned_alternative(self) -> str:
        """Return the requested fallback for which there is no call; "" if there is one, or if it is part of a text to
        be written."""
        found = next((f for f in self._alternatives if f is not None), None)
        if found is None or self._stands_for:
            return ""
        instead = found.instead.strip(_MARKS)
        return "" if self._written(instead) else instead

    @property
    def unverifiable_condition(self) -> str:
        """Return the unverifiable condition under which the operator requested a change; "" if there is none, or if it
        is part of a text to be written."""
        found = next((u for text in self._messages if (u := unverifiable_condition(text))), "").strip(_MARKS)
        return "" if self._written(found) else found

    @property
    def unmarked_optional(self) -> bool:
        """Return whether the operator made a part of the request optional although each of several calls is
        required."""
        firm = len(self._tool_calls) > 1 and not any(one.optional or one.only_if_failed for one in self._arranged)
        return firm and any(only_if_possible(text) for text in self._messages)

    def _written(self, words: str) -> bool:
        """Return whether a text that a call writes contains the words."""
        wanted = " ".join(words.casefold().split())
        texts = (v for call in self._tool_calls for v in call.arguments.values() if isinstance(v, str) and " " in v)
        return any(wanted in " ".join(text.casefold().split()) for text in texts)

    def words_for(self, index: int) -> Extraction:
        """Return the words that a call's values are grounded in."""
        return self.instead if index in self._stands_for else self.first

    def alternative_to(self, index: int) -> int | None:
        """Return the index of the call that a call is the fallback of."""
        return self._stands_for.get(index)

    def has_alternative(self, index: int) -> bool:
        """Return whether another call is to be made if the venue rejects this one."""
        return index in self._stands_for.values()

    def inherited_values(self, index: int) -> Mapping[str, Json]:
        """Return the values that a fallback inherits from the call that it replaces."""
        first = self._stands_for.get(index)
        if (
            first is None
            or not 0 <= first < len(self._tool_calls)
            or self._tool_calls[first].name != self._tool_calls[index].name
        ):
            return {}
        return self._tool_calls[first].arguments

    def problems(self, arranged: Sequence[StepDependency]) -> list[str]:
        """Return the fallbacks and options that the operator never mentioned, in words that a model can act on, because
        a plan must be as binding as the request."""
        found = []
        if self._stands_for and not self._named:
            found.append("the operator named nothing to do instead: leave only_if_failed out")
        if any(one.optional for one in arranged) and not self._can_do_without:
            found.append("the operator did not say that a step may be left out: leave optional out")
        return found
