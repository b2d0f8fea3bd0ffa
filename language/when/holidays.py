"""Days with names, by the symbols of the lexicons. Sources: the public calendars of the UK, Australia and Italy."""

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
_NTH = {"thanksgiving": (11, 3, 4), "mothersday": (5, 6, 2), "labor": (9, 0, 1), "mlk": (1, 0, 3)}
"""Month, weekday (0 is Monday) and rank in the month."""


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


def holiday_on(name: str, year: int) -> date | None:
    """The day a named holiday falls on, or None for a name that no calendar here holds."""
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _FROM_EASTER:
        return easter(year) + timedelta(days=_FROM_EASTER[name])
    if name in _NTH:
        return _nth_in(name, year)
    if name == "blackfriday":
        return _nth_in("thanksgiving", year) + timedelta(days=1)
    if name == "memorial":
        return date(year, 5, 31) - timedelta(days=date(year, 5, 31).weekday())
    return None


def _nth_in(name: str, year: int) -> date:
    month, weekday, rank = _NTH[name]
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (rank - 1))
