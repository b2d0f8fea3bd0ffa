"""Days with names, by the symbols of the lexicons. Sources: the public calendars of the UK, Australia and Italy.

Where a name means another day in another country or state (Labour Day, Father's Day), the venue's time zone decides.
A day that its country does not keep is None: the caller asks.
"""

from __future__ import annotations

from datetime import date, timedelta

_FIXED = {
    "christmas": (12, 25),
    "christmaseve": (12, 24),
    "boxing": (12, 26),
    "newyear": (1, 1),
    "newyeareve": (12, 31),
    "valentine": (2, 14),
    "halloween": (10, 31),
    "patrick": (3, 17),
    "australia": (1, 26),
    "anzac": (4, 25),
    "independence": (7, 4),
    "guyfawkes": (11, 5),
    "ides": (3, 15),
    "epiphany": (1, 6),
    "joseph": (3, 19),
    "liberation": (4, 25),
    "labour": (5, 1),
    "republic": (6, 2),
    "assumption": (8, 15),
    "allsaints": (11, 1),
    "allsouls": (11, 2),
    "immaculate": (12, 8),
    "women": (3, 8),
    "ambrose": (12, 7),
    "john": (6, 24),
    "peterpaul": (6, 29),
    "lucy": (12, 13),
    "cinco": (5, 5),
    "fools": (4, 1),
    "remembrance": (11, 11),
}
_FROM_EASTER = {
    "easter": 0,
    "easterfriday": -2,
    "goodfriday": -2,
    "eastermonday": 1,
    "pentecost": 49,
    "shrovetuesday": -47,
    "ashwednesday": -46,
    "palmsunday": -7,
    "mothers": -21,
    "fatthursday": -52,
    "ascension": 39,
}
_NTH = {"thanksgiving": (11, 3, 4), "labor": (9, 0, 1), "mlk": (1, 0, 3), "melbournecup": (11, 1, 1)}
"""Month, weekday (0 is Monday) and rank in the month."""

_SECOND_MAY, _FIRST_SEPTEMBER, _THIRD_JUNE, _SECOND_JUNE = (5, 6, 2), (9, 6, 1), (6, 6, 3), (6, 0, 2)

_BY_ZONE: dict[str, dict[str, tuple[int, ...]]] = {
    "fathersday": {
        "Australia/": _FIRST_SEPTEMBER,
        "Pacific/Auckland": _FIRST_SEPTEMBER,
        "Europe/Rome": (3, 19),
        "Europe/London": _THIRD_JUNE,
        "Europe/Dublin": _THIRD_JUNE,
        "America/": _THIRD_JUNE,
    },
    "sovereign": {
        "Australia/Perth": (9, 0, -1),
        "Australia/Brisbane": (10, 0, 1),
        "Australia/Lindeman": (10, 0, 1),
        "Australia/": _SECOND_JUNE,
        "Pacific/Auckland": (6, 0, 1),
    },
    "labourday": {
        "Australia/Melbourne": (3, 0, 2),
        "Australia/Hobart": (3, 0, 2),
        "Australia/Perth": (3, 0, 1),
        "Australia/Sydney": (10, 0, 1),
        "Australia/Adelaide": (10, 0, 1),
        "Australia/Brisbane": (5, 0, 1),
        "Australia/Lindeman": (5, 0, 1),
        "Australia/Darwin": (5, 0, 1),
        "Pacific/Auckland": (10, 0, 4),
        "America/": (9, 0, 1),
        "Europe/Rome": (5, 1),
    },
}
"""By how the venue's zone begins, the first that fits: month and day, or month, weekday and rank (-1 the last)."""


def easter(year: int) -> date:
    """Easter Sunday of a Gregorian year (anonymous algorithm, Meeus, Astronomical Algorithms, ch. 8)."""
    golden, century, rest = year % 19, year // 100, year % 100
    leap, century_rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - correction + 15) % 30
    quarter, quarter_rest = divmod(rest, 4)
    weekday = (32 + 2 * century_rest + 2 * quarter - epact - quarter_rest) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


def holiday_on(name: str, year: int, zone: str) -> date | None:
    """Return the day a named holiday falls on where the clocks show `zone` (an IANA name), or None if it is not
    kept."""
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _FROM_EASTER:
        return easter(year) + timedelta(days=_FROM_EASTER[name])
    if name in _NTH:
        return _nth_in(_NTH[name], year)
    if name in _BY_ZONE:
        rule = next((kept for begins, kept in _BY_ZONE[name].items() if zone.startswith(begins)), None)
        return _by_rule(rule, year) if rule else None
    if name == "mothersday":
        return easter(year) - timedelta(days=21) if zone in _MOTHERING else _nth_in(_SECOND_MAY, year)
    if name == "blackfriday":
        return _nth_in(_NTH["thanksgiving"], year) + timedelta(days=1)
    if name == "memorial":
        return date(year, 5, 31) - timedelta(days=date(year, 5, 31).weekday())
    return None


_MOTHERING = ("Europe/London", "Europe/Dublin")
"""Where Mother's Day is the fourth Sunday in Lent."""


def _by_rule(rule: tuple[int, ...], year: int) -> date:
    return date(year, rule[0], rule[1]) if len(rule) == 2 else _nth_in((rule[0], rule[1], rule[2]), year)


def _nth_in(rule: tuple[int, int, int], year: int) -> date:
    month, weekday, rank = rule
    if rank < 0:
        last = date(year, month + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (rank - 1))
