"""One message of the operator as extraction reads it: its plain words, its cues and where its clauses end; and where
and when it is read: the venue's clock and its habits."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from contracts.venue import VenueProfile
from language import Resolution, VenuePolicy, When, find_when, resolve
from language.dates.resolution import Span
from language.locales import get_locale
from language.messages.nouns import Words, things_of
from language.requests.cues import Cue, find_cues
from language.text.invisible import seen
from language.text.language_detection import detect_language
from language.text.lexer import MAX_CHARACTERS, Token, lex
from language.text.normalize import WordToken, normalize_text, tokenize

_STOP = re.compile(r"[.;!?](?=\s|$)|:(?=\s)|\n|,(?=\s|$)|\s[-–—]+\s|…|\.\.\.|[()\[\]]|,(?=[^\d])")


@dataclass(frozen=True, slots=True)
class Message:
    """`number` counts back from the latest message (0); `locale` is the language it is in. `stops` are the places where
    a clause may end, `tokens` what the grammar of days and counts makes of the words. `names` are the places where a
    name may look like a value, `quotes` those that quote somebody else: neither is a claim of the operator's.
    """

    text: str
    number: int
    plain: str
    words: tuple[WordToken, ...]
    cues: tuple[Cue, ...]
    stops: tuple[int, ...]
    tokens: tuple[Token, ...]
    locale: str
    names: tuple[Span, ...] = ()
    quotes: tuple[Span, ...] = ()

    def of_kind(self, *kinds: str) -> list[Cue]:
        """Return the cues of these kinds, left to right."""
        return [cue for cue in self.cues if cue.kind in kinds]

    def parted(self, start: int, end: int) -> bool:
        """Return whether a clause ends between two places."""
        return any(start <= stop < end for stop in self.stops)

    def distance(self, start: int, end: int) -> int:
        """Return how many words lie between two places."""
        return sum(start <= word.start and word.end <= end for word in self.words)

    def clause_at(self, index: int) -> int:
        """Return which clause a place is in, from 0."""
        return sum(stop < index for stop in self.stops)

    def cue_before(self, span: Span, kinds: tuple[str, ...], reach: int, after: int = 0) -> Cue | None:
        """Return the last cue of these kinds in front of a place: in its clause, not before `after`, `reach` words
        away."""
        for cue in reversed(self.cues):
            if cue.kind in kinds and after <= cue.span[0] and cue.span[1] <= span[0]:
                near = self.distance(cue.span[1], span[0]) <= reach and not self.parted(cue.span[1], span[0])
                if near:
                    return cue
        return None

    def cue_after(self, span: Span, kinds: tuple[str, ...], reach: int, before: int | None = None) -> Cue | None:
        """Return the first cue of these kinds behind a place, likewise."""
        limit = len(self.text) if before is None else before
        for cue in self.cues:
            if cue.kind in kinds and span[1] <= cue.span[0] and cue.span[1] <= limit:
                near = self.distance(span[1], cue.span[0]) <= reach and not self.parted(span[1], cue.span[0])
                if near:
                    return cue
        return None


def read_message(text: str, number: int, home: str, words_of_venue: Words | None = None) -> Message:
    """Read one message in its own language, `home` unless it is clearly in another, with the venue's own words for its
    things; what lies beyond the length that is read of any text is left out."""
    # Digits with something invisible between them look like one number, and are one.
    text = seen(text[:MAX_CHARACTERS])
    locale = detect_language(text, home)
    letters = normalize_text(text)
    cues = find_cues(letters, locale, things_of(words_of_venue or {}, locale))
    stops = sorted({m.start() for m in _STOP.finditer(text)} | {c.span[0] for c in cues if c.kind == "BUT"})
    tokens = lex(text, get_locale(locale)).tokens
    return Message(text, number, letters, tuple(tokenize(letters)), tuple(cues), tuple(stops), tokens, locale)


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
