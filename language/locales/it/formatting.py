"""How Italian writes days, times and lists, and what to say instead of what was not understood."""

LABELS: dict[str, object] = {
    "weekdays": ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    "months": tuple(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split()
    ),
    "day": "{weekday} {day} {month}",
    "day_with_year": "{weekday} {day} {month} {year}",
    "first": "primo",
    "written_first": "1",
    "relative": {-1: "ieri", 0: "oggi", 1: "domani", 2: "dopodomani"},
    "day_at": "{day} alle {time}",
    "day_at_one": "{day} all’{time}",
    "noon": "mezzogiorno",
    "midnight": "mezzanotte",
    "and": "e",
    "or": "o",
    "thousands": ".",
    "decimal": ",",
    "clock": "24",
    "hours": (),
    "spoken": {0: "{hour}"},
    "spoken_other": "{hour} e {minute}",
    "nouns": {
        "guest": ("ospite", "ospiti"),
        "child": ("bambino", "bambini"),
        "adult": ("adulto", "adulti"),
        "booking": ("prenotazione", "prenotazioni"),
        "day": ("giorno", "giorni"),
        "minute": ("minuto", "minuti"),
        "hour": ("ora", "ore"),
        "action": ("azione", "azioni"),
        "note": ("nota", "note"),
    },
}

SUGGESTIONS: dict[str, tuple[str, ...]] = {
    "not_found": ("sabato alle 15", "28 novembre alle 14:30"),
    "unexplained": ("sabato alle 15", "28 novembre alle 14:30"),
    "vague_time": ("alle 20", "alle otto e mezza"),
    "vague_day": ("sabato", "28 novembre"),
    "range_not_supported": ("sabato alle 15",),
    "recurring_not_supported": ("sabato 28 novembre alle 15",),
}
