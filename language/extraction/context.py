"""Where and when the words are read: the venue's clock and its habits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from contracts.venue import VenueProfile
from language import Resolution, VenuePolicy, When, find_when, resolve


@dataclass(frozen=True, slots=True)
class ExtractionContext:
    """`now` is the venue's own time."""

    now: datetime
    profile: VenueProfile
    policy: VenuePolicy

    @property
    def locale(self) -> str:
        """Return the venue's language."""
        return self.profile.locale

    def spoken(self, locale: str) -> ExtractionContext:
        """Return the same clock and habits for words in this language."""
        return (
            self if locale == self.locale else replace(self, profile=self.profile.model_copy(update={"locale": locale}))
        )

    def phrases(self, text: str) -> list[When]:
        """Return every phrase about days and times. A time without a day is for the booking's own."""
        zone = self.profile.time_zone
        return find_when(text, now=self.now, tz=zone, locale=self.locale, policy=self.policy, any_day=True)

    def time_alone(self, text: str) -> Resolution:
        """Return a phrase that can only be a time."""
        return self._alone(text, "time")

    def alone(self, text: str) -> Resolution:
        """Return a phrase by itself."""
        return self._alone(text, "any")

    def _alone(self, text: str, expect: str) -> Resolution:
        return resolve(
            text,
            now=self.now,
            tz=self.profile.time_zone,
            locale=self.locale,
            policy=self.policy,
            expect="time" if expect == "time" else "any",
            any_day=True,
        )


def policy_of(profile: VenueProfile) -> VenuePolicy:
    """Return how this venue reads what people leave out."""
    hours = profile.opening_hours
    return VenuePolicy(
        opening=((hours.opens, hours.closes),),
        date_order=profile.date_order,
        next_weekday=profile.next_weekday,
        after_midnight_until=profile.after_midnight_until,
    )
