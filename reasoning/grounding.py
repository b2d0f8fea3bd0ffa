"""Grounding: what a model proposes, held against what the operator said.

Whatever the model is, each value of a planned step with a critical role (day, time, head count, contact detail) must
come from the operator's words, from the booking as it was looked up, or from the plan being amended. Days and times are
worked out anew from the words. Where model and words disagree and the words leave no doubt, the words win; otherwise
the operator is asked (`docs/state-model.md`, "Never assumed").
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from contracts.venue import VenueProfile
from language import (
    CountError,
    Resolution,
    Status,
    VenuePolicy,
    check_email,
    find_counts,
    find_emails,
    find_phones,
    find_when,
)
from language.lexer import fold, lex
from language.locales import get_locale
from reasoning import placeholders


@dataclass(frozen=True, slots=True)
class Grounded:
    """The arguments, each of which the operator's words bear out."""

    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value that nothing bears out. `role` says what to ask for, `options` what the words could mean."""

    role: ParameterRole
    parameter: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """One thing the operator said, as values of one kind; `certain` when it can mean nothing else."""

    options: tuple[str, ...]
    certain: bool
    refused: bool = False


def policy_of(profile: VenueProfile) -> VenuePolicy:
    """How this venue reads what people leave out."""
    hours = profile.opening_hours
    return VenuePolicy(
        opening=((hours.opens, hours.closes),),
        date_order=profile.date_order,
        next_weekday=profile.next_weekday,
        after_midnight_until=profile.after_midnight_until,
    )


class Words:
    """What the operator said in the open request, latest first, with the venue's clock and habits."""

    def __init__(self, said: Sequence[str], now: datetime, profile: VenueProfile) -> None:
        self._said = tuple(said)
        self._profile = profile
        self._folded = " ".join(fold(text) for text in said)
        policy = policy_of(profile)
        self._when: list[Resolution] = []
        for text in said:
            # A time without a day is for the booking's: that 11 has passed today does not make it 11 at night.
            for found in find_when(
                text, now=now, tz=profile.time_zone, locale=profile.locale, policy=policy, any_day=True
            ):
                # "from Friday to Saturday" is a move between two points, "between 3 and 5" is no point at all.
                is_move = bool(found.ends) and found.marker == "FROM"
                self._when += [end.resolution for end in found.ends] if is_move else [found.resolution]
        self._counts = [found.count for text in said for found in find_counts(text, profile.locale)]

    def ground(
        self,
        action: AtomicAction,
        arguments: Mapping[str, Json],
        booking: BookingSummary | None,
        amended: Mapping[str, Json],
    ) -> Grounded | Doubt:
        """Bear out each argument by what was said. `amended` are the step's values in the plan being changed."""
        kept: dict[str, Json] = {}
        for name, value in arguments.items():
            parameter = action.parameter(name)
            check = self._CHECKS.get(parameter.role) if parameter and parameter.role else None
            if (
                parameter is None
                or check is None
                or placeholders.reference(value) is not None
                or amended.get(name) == value
            ):
                kept[name] = value
            else:
                judged = check(self, parameter, value, booking)
                if isinstance(judged, Doubt):
                    return judged
                if judged is not None:
                    kept[name] = judged
        return Grounded(kept)

    def _day(self, parameter: ActionParameter, value: Json, booking: BookingSummary | None) -> Json | Doubt:
        readings = [r for r in (self._day_reading(w, booking) for w in self._when) if r.options or r.refused]
        own = (booking.date,) if booking and booking.date else ()
        return _agree(parameter, ParameterRole.DATE, str(value), readings, own)

    def _time(self, parameter: ActionParameter, value: Json, booking: BookingSummary | None) -> Json | Doubt:
        readings = [r for r in (self._time_reading(w, booking) for w in self._when) if r.options or r.refused]
        own = (booking.start_time,) if booking and booking.start_time else ()
        return _agree(parameter, ParameterRole.TIME, str(value), readings, own)

    def _day_reading(self, said: Resolution, booking: BookingSummary | None) -> _Reading:
        if said.shift is not None and said.shift.days and booking and booking.date:
            return _Reading(((date.fromisoformat(booking.date) + timedelta(days=said.shift.days)).isoformat(),), True)
        if not said.date_stated:
            return _Reading((), False)
        days = [c.date.isoformat() for c in said.candidates if c.date is not None]
        if said.date is not None:
            days.insert(0, said.date.isoformat())
        refused = said.status in (Status.INVALID, Status.VAGUE, Status.NOT_UNDERSTOOD)
        options = tuple(dict.fromkeys(days))
        return _Reading(options, said.ok or len(options) == 1, refused)

    def _time_reading(self, said: Resolution, booking: BookingSummary | None) -> _Reading:
        if said.shift is not None and said.shift.minutes and booking and booking.start_time:
            at = datetime.combine(date(2000, 1, 2), time.fromisoformat(booking.start_time))
            return _Reading(((at + timedelta(minutes=said.shift.minutes)).strftime("%H:%M"),), True)
        if not said.time_stated:
            return _Reading((), False)
        times = [c.time.strftime("%H:%M") for c in said.candidates if c.time is not None]
        if said.time is not None:
            times.insert(0, said.time.strftime("%H:%M"))
        refused = said.status in (Status.INVALID, Status.VAGUE, Status.NOT_UNDERSTOOD)
        options = tuple(dict.fromkeys(times))
        return _Reading(options, said.time is not None and not refused, refused)

    def _count(self, parameter: ActionParameter, value: Json, booking: BookingSummary | None) -> Json | Doubt:
        current = booking.guest_count if booking else None
        totals, amounts = [], set()
        for count in self._counts:
            try:
                totals.append(count.apply(current))
            except CountError:
                continue
            if count.is_relative:
                amounts.add(int(count.amount))
        absolute = [int(c.amount) for c in self._counts if c.kind == "absolute"]
        allowed = {*totals, sum(absolute), *([current] if current is not None else [])}
        number = int(value) if isinstance(value, int | float) or str(value).isdigit() else None
        if number in allowed:
            return value
        if number in amounts and len(set(totals)) == 1:
            return totals[0]
        if number in self._numbers() and number not in amounts:
            return value
        return totals[0] if len(set(totals)) == 1 else Doubt(ParameterRole.COUNT, parameter.name)

    def _numbers(self) -> set[int]:
        """Every number said, in figures or in words."""
        grammar = get_locale(self._profile.locale)
        symbols = [token.symbol for text in self._said for token in lex(text, grammar).tokens]
        return {int(match[1]) for s in symbols if (match := re.fullmatch(r"(\d{1,6})w?", s))}

    def _email(self, parameter: ActionParameter, value: Json, booking: BookingSummary | None) -> Json | Doubt:
        checked = check_email(str(value))
        if not checked.ok:
            return Doubt(ParameterRole.EMAIL, parameter.name)
        if fold(str(value)) in self._folded:
            return checked.normalised
        said = {found.text for text in self._said for found in find_emails(text)}
        if len(said) == 1 and (normalised := check_email(said.copy().pop()).normalised) is not None:
            return normalised
        return Doubt(ParameterRole.EMAIL, parameter.name, tuple(sorted(said)))

    def _phone(self, parameter: ActionParameter, value: Json, booking: BookingSummary | None) -> Json | Doubt:
        said = [found.phone for text in self._said for found in find_phones(text, self._profile.country)]
        given = _tail(str(value))
        same = [reading for reading in said if given in (_tail(reading.digits), _tail(reading.e164 or ""))]
        for meant in (same, said):
            # However a model writes it, the venue keeps one form; a number that is in no plan stays as it was said.
            forms = {reading.e164 or reading.text for reading in meant}
            if len(forms) == 1:
                return forms.pop()
        return Doubt(ParameterRole.PHONE, parameter.name, tuple(reading.text for reading in said))

    def _name(self, parameter: ActionParameter, value: Json, booking: BookingSummary | None) -> Json | Doubt:
        parts = re.findall(r"[\w'’.-]+", fold(str(value)))
        if parts and all(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", self._folded) for part in parts):
            return value
        return Doubt(parameter.role or ParameterRole.FIRST_NAME, parameter.name)

    def _choice(self, parameter: ActionParameter, value: Json, booking: BookingSummary | None) -> Json | Doubt:
        """A choice nobody made is left out where it may be, and asked for where it may not."""
        said = re.sub(r"\W", "", self._folded)
        if re.sub(r"\W", "", fold(str(value))) in said:
            return value
        options = tuple(str(v) for v in parameter.json_schema.get("enum", ()) if v is not None)
        return Doubt(ParameterRole.CHOICE, parameter.name, options) if parameter.required else None

    _Check = Callable[["Words", ActionParameter, Json, BookingSummary | None], Json | Doubt]
    _CHECKS: Mapping[ParameterRole, _Check] = {
        ParameterRole.DATE: _day,
        ParameterRole.TIME: _time,
        ParameterRole.COUNT: _count,
        ParameterRole.EMAIL: _email,
        ParameterRole.PHONE: _phone,
        ParameterRole.FIRST_NAME: _name,
        ParameterRole.LAST_NAME: _name,
        ParameterRole.CHOICE: _choice,
    }


def _agree(
    parameter: ActionParameter, role: ParameterRole, value: str, readings: Sequence[_Reading], own: tuple[str, ...]
) -> Json | Doubt:
    """The model's value if the words allow it, the words' value if they leave no doubt, else a doubt."""
    for reading in readings:
        if value in reading.options and not reading.refused:
            return value
    if value in own and not any(reading.refused for reading in readings):
        return value
    meant = [reading for reading in readings if not set(reading.options) <= set(own)]
    sure = {reading.options[0] for reading in meant if reading.certain and not reading.refused}
    if len(sure) == 1 and not any(reading.refused for reading in meant):
        return sure.pop()
    options = tuple(dict.fromkeys(option for reading in meant for option in reading.options))
    return Doubt(role, parameter.name, options)


def _tail(number: str) -> str:
    """The digits that tell numbers apart, without country prefix or trunk zero."""
    return re.sub(r"\D", "", number).lstrip("0")[-8:]
