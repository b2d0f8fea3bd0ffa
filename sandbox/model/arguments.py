"""Said values as arguments: days and times by the venue's clock, counts from what is booked, names in their parts."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from contracts.enums import ParameterRole as Role
from language import Count, CountError, PhoneReading, Resolution, When, check_email
from sandbox.model.kinds import Item, Kind
from sandbox.model.prompt import Brief, Row
from sandbox.model.protocol import Arguments
from sandbox.model.tools import Tool
from sandbox.model.wants import Want


class UnclearError(Exception):
    """A value cannot be used as said; `code` names the question to ask."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(code)
        self.code = code
        self.said = said


@dataclass(frozen=True, slots=True)
class Moment:
    """The day, the time, or both, that a booking should go to."""

    day: date | None
    at: time | None


def needs_booking_state(want: Want) -> bool:
    """Whether a value is relative to what is booked now: "2 more kids", "an hour later"."""
    count, when = want.values.get(Kind.COUNT), want.values.get(Kind.WHEN)
    relative = count is not None and isinstance(count.value, Count) and count.value.is_relative
    return relative or (when is not None and isinstance(when.value, When) and when.value.resolution.shift is not None)


def arguments_of(want: Want, row: Row | None, brief: Brief) -> Arguments:
    """The arguments of one call. Raises `UnclearError`."""
    arguments: Arguments = {}
    booking = want.tool.with_role(Role.BOOKING)
    if booking is not None and row is not None:
        arguments[booking.name] = row.booking_id
    for kind, item in want.values.items():
        arguments.update(_value(kind, item, want.tool, row, brief))
    return {**arguments, **want.extras}


def _value(kind: Kind, item: Item, tool: Tool, row: Row | None, brief: Brief) -> Arguments:
    match kind:
        case Kind.WHEN:
            return _when(item, tool, row, brief)
        case Kind.COUNT:
            return _put(tool, Role.COUNT, head_count(item, row))
        case Kind.EMAIL:
            if not check_email(item.text).ok:
                raise UnclearError("email", item.text)
            return _put(tool, Role.EMAIL, item.text)
        case Kind.PHONE:
            assert isinstance(item.value, PhoneReading)
            return _put(tool, Role.PHONE, item.value.e164 or item.text)
        case Kind.NOTE:
            return _put(tool, Role.NOTE, item.text)
        case _:
            return _name(item, tool)


def _put(tool: Tool, role: Role, value: object) -> Arguments:
    param = tool.with_role(role)
    return {param.name: value} if param is not None else {}


def _name(item: Item, tool: Tool) -> Arguments:
    """A first name and a surname; one word alone only where the operator said which of the two it is."""
    words = item.text.split()
    if item.sense in ("last_name", "first_name"):
        return _put(tool, Role(item.sense), item.text)
    if len(words) < 2:
        raise UnclearError("name_part", item.text)
    return _put(tool, Role.FIRST_NAME, words[0]) | _put(tool, Role.LAST_NAME, " ".join(words[1:]))


def head_count(item: Item, row: Row | None) -> int:
    """The new total. Raises `UnclearError`."""
    count = item.value
    assert isinstance(count, Count)
    if count.kind == "vague":
        raise UnclearError("count", item.text)
    try:
        total = count.apply(row.guest_count if row is not None else None)
    except CountError as fault:
        raise UnclearError("count", item.text) from fault
    if total < 1:
        raise UnclearError("count", item.text)
    return total


def _when(item: Item, tool: Tool, row: Row | None, brief: Brief) -> Arguments:
    when = item.value
    assert isinstance(when, When)
    moment = moment_of(when.resolution, item.text, row, brief)
    stated = {
        Role.DATE: moment.day and moment.day.isoformat(),
        Role.TIME: moment.at and moment.at.strftime("%H:%M"),
    }
    arguments: Arguments = {}
    for role, value in stated.items():
        if value is not None:
            if tool.with_role(role) is None:
                raise UnclearError(f"no_{role.value}", item.text)
            arguments |= _put(tool, role, value)
    return arguments


def moment_of(when: Resolution, said: str, row: Row | None, brief: Brief) -> Moment:
    """What a phrase about a day or a time sets. Raises `UnclearError` where it is not one day and one time."""
    if when.shift is not None:
        return _shifted(when, said, row)
    if when.time_stated and not when.date_stated and when.time is not None:
        return Moment(None, when.time)
    if when.ok:
        if not when.time_stated and when.date is not None and when.date < brief.now.date():
            raise UnclearError("in_past", said)
        return Moment(when.date if when.date_stated else None, when.time if when.time_stated else None)
    if when.error == "which_day" and (day := _next_weekday(when, brief)):
        return Moment(day, _time_on(day, when, said, brief))
    raise UnclearError(when.error or "unclear", said)


def _next_weekday(when: Resolution, brief: Brief) -> date | None:
    """A weekday said on that same weekday means the next one, a week from today (the prompt's rule)."""
    today = brief.now.date()
    days = {c.date for c in when.candidates if c.date is not None}
    return today + timedelta(days=7) if days == {today, today + timedelta(days=7)} else None


def _time_on(day: date, when: Resolution, said: str, brief: Brief) -> time | None:
    """The time that was said with a day that is settled, decided by the opening hours; never left out."""
    if not when.time_stated or when.time is not None:
        return when.time if when.time_stated else None
    times = {c.time for c in when.candidates if c.date == day and c.time is not None}
    open_ = {at for at in times if any(opens <= at <= closes for opens, closes in brief.policy.opening)}
    if len(open_) != 1:
        raise UnclearError("which_time", said)
    return open_.pop()


def _shifted(when: Resolution, said: str, row: Row | None) -> Moment:
    assert when.shift is not None
    if row is None or row.date is None or (when.shift.minutes and row.start_time is None):
        raise UnclearError("relative_to_booking", said)
    start = datetime.fromisoformat(f"{row.date[:10]}T{row.start_time or '00:00'}")
    moved = start + timedelta(days=when.shift.days, minutes=when.shift.minutes)
    return Moment(moved.date() if moved.date() != start.date() else None, moved.time() if when.shift.minutes else None)
