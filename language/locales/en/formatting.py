"""How English writes days, times and lists, and what to say instead of what was not understood."""

from language.locales.en.calendar_words import TEENS, UNITS, numbers

LABELS: dict[str, object] = {
    "weekdays": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "months": tuple("January February March April May June July August September October November December".split()),
    "day": "{weekday} {day} {month}",
    "day_with_year": "{weekday} {day} {month} {year}",
    "compact_day": "{weekday:.3} {day} {month:.3}",
    "compact_day_with_year": "{weekday:.3} {day} {month:.3} {year}",
    "first": "1",
    "written_first": "1",
    "relative": {-1: "yesterday", 0: "today", 1: "tomorrow"},
    "day_at": "{day} at {time}",
    "noon": "midday",
    "midnight": "midnight",
    "and": "and",
    "or": "or",
    "clock": "12",
    "halves": ("am", "pm"),
    "hours": ("twelve", *UNITS[1:], *TEENS[:2], "twelve"),
    "spoken": {0: "{hour} o\u2019clock", 15: "quarter past {hour}", 30: "half past {hour}", 45: "quarter to {next}"},
    "spoken_other": "{hour} {minute}",
    "before_ten": "oh {minute}",
    "minutes": tuple(numbers()[f"{value}w"].partition("|")[0].replace(" ", "-") for value in range(60)),
    "nouns": {
        "guest": ("guest", "guests"),
        "child": ("child", "children"),
        "adult": ("adult", "adults"),
        "booking": ("booking", "bookings"),
        "day": ("day", "days"),
        "minute": ("minute", "minutes"),
        "hour": ("hour", "hours"),
        "action": ("action", "actions"),
        "note": ("note", "notes"),
    },
    # What is written otherwise in a country (ISO 3166).
    "regions": {
        "US": {
            "day": "{weekday}, {month} {day}",
            "day_with_year": "{weekday}, {month} {day}, {year}",
            "compact_day": "{weekday:.3}, {month:.3} {day}",
            "compact_day_with_year": "{weekday:.3}, {month:.3} {day}, {year}",
            "halves": (" AM", " PM"),
        },
    },
}

SUGGESTIONS: dict[str, tuple[str, ...]] = {
    "not_found": ("Saturday at 3pm", "28 November at 14:30"),
    "unexplained": ("Saturday at 3pm", "28 November at 14:30"),
    "vague_time": ("7pm", "half past eight"),
    "vague_day": ("Saturday", "28 November"),
    "range_not_supported": ("Saturday at 3pm",),
    "recurring_not_supported": ("Saturday 28 November at 3pm",),
}
