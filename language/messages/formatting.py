"""Format values as words: day and time labels, lists and counts, in the venue's language.

A label always names the weekday with its date, so that "Saturday" is never in doubt, and the year only when it is not
the year of `today`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from typing import Any

from language.locales import get_locale

_WITHOUT_CENTS = frozenset({"CLP", "ISK", "JPY", "KRW", "VND"})


def day_label(day: date, locale: str, *, today: date | None = None) -> str:
    """Return a day as "Thursday 19 February", "giovedì 19 febbraio", "domenica 1 marzo"; with the year when not that of
    `today`."""
    return _day(day, locale, today, "written_first")


def spoken_day_label(day: date, locale: str, *, today: date | None = None) -> str:
    """Return the label of `day_label` in spoken form: "domenica primo marzo"."""
    return _day(day, locale, today, "first")


def compact_day_label(day: date, locale: str, *, year: bool = True) -> str:
    """Return a day for lists and small screens, "Sat 28 Nov 2026", "Sat, Nov 28, 2026"; the day label where a language
    has no such form."""
    name = "compact_day_with_year" if year else "compact_day"
    if name not in _labels(locale):
        return day_label(day, locale, today=date.min if year else None)
    return _written(day, locale, name, "written_first")


def weekday_label(day: date, locale: str) -> str:
    """Return the name of a day's weekday: "Saturday", "sabato"."""
    return str(_labels(locale)["weekdays"][day.weekday()])


def _day(day: date, locale: str, today: date | None, first: str) -> str:
    return _written(day, locale, "day" if today is None or today.year == day.year else "day_with_year", first)


def _written(day: date, locale: str, form: str, first: str) -> str:
    labels = _labels(locale)
    template = labels[form]
    number = labels[first] if day.day == 1 else str(day.day)
    return str(
        template.format(
            weekday=labels["weekdays"][day.weekday()], day=number, month=labels["months"][day.month - 1], year=day.year
        )
    )


def relative_day_label(day: date, today: date, locale: str) -> str:
    """Return "today", "tomorrow" or "domani" where the language has such a word, else the day label."""
    word = _labels(locale)["relative"].get((day - today).days)
    return str(word) if word else day_label(day, locale, today=today)


def time_label(at: time, locale: str) -> str:
    """Return a wall time as written: "3pm", "8:30pm" in English, "3 PM" in the United States; "15:00" in Italian."""
    labels = _labels(locale)
    if labels["clock"] == "24":
        return f"{at:%H:%M}"
    minutes = f":{at.minute:02d}" if at.minute else ""
    return f"{at.hour % 12 or 12}{minutes}{labels['halves'][at.hour >= 12]}"


def spoken_time_label(at: time, locale: str) -> str:
    """Return a wall time in spoken form: "half past eight", "20 e 30", "mezzogiorno"."""
    labels = _labels(locale)
    if at.minute == 0 and at.hour in (0, 12):
        return str(labels["noon" if at.hour else "midnight"])
    if labels["clock"] == "24":
        return str(labels["spoken"].get(at.minute, labels["spoken_other"]).format(hour=at.hour, minute=at.minute))
    hours = labels["hours"]
    template = labels["spoken"].get(at.minute, labels["spoken_other"])
    spoken = labels["minutes"][at.minute]
    minute = labels["before_ten"].format(minute=spoken) if at.minute < 10 else spoken
    return str(template.format(hour=hours[at.hour % 12], next=hours[at.hour % 12 + 1], minute=minute))


def day_and_time_label(day: date, at: time | None, locale: str, *, today: date | None = None) -> str:
    """Return a day and a time, "Saturday 28 November at 3pm", "sabato 28 novembre alle 15:00"; the day alone without a
    time."""
    label = day_label(day, locale, today=today)
    if at is None:
        return label
    labels = _labels(locale)
    template = labels.get("day_at_one", labels["day_at"]) if at.hour == 1 else labels["day_at"]
    return str(template.format(day=label, time=time_label(at, locale)))


def join_labels(items: Sequence[str], locale: str, *, last: str = "and") -> str:
    """Return items as a list, "a", "a and b", "a, b and c"; `last` is "and" or "or"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {_labels(locale)[last]} {items[-1]}"


def count_label(count: int, noun: str, locale: str) -> str:
    """Return a number with its noun by the plural rule: "1 guest", "14 ospiti". `noun`: a key of the locale's nouns."""
    singular, plural = _labels(locale)["nouns"][noun]
    return f"{count} {singular if abs(count) == 1 else plural}"


def money_label(amount: float, currency: str, locale: str) -> str:
    """Return an amount with its currency (ISO 4217), "1,250.00 AUD", "1.250,00 EUR", "1,250 JPY"; without one only the
    number."""
    labels = _labels(locale)
    thousands, decimal = labels.get("thousands", ","), labels.get("decimal", ".")
    digits = f"{amount:,.{0 if currency in _WITHOUT_CENTS else 2}f}"
    number = digits.translate(str.maketrans({",": thousands, ".": decimal}))
    return f"{number} {currency}".strip()


def _labels(locale: str) -> dict[str, Any]:
    labels = dict(get_locale(locale).labels)
    region = locale.replace("_", "-").rpartition("-")[2].upper()
    own: dict[str, Any] = labels.get("regions", {}).get(region, {})
    return {**labels, **own}
