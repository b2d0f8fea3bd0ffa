"""Italian words about numbers, see `language.extraction.numbers`, `language.numbers` and `language.dates.durations`.
Letters are plain."""

# language.extraction.numbers: what a number counts
RANGE = r"e|o|ai|a"
PEOPLE = r"di (?:persone|loro|ospiti|bambini|noi|invitati)"
"""Behind a number: of people."""
BOTH = r"tutti e|tutte e"
DATED = r"del"
"""In front of a day of the month."""
PLUS = r"piu"
MINUS = r"meno"
OPENING = r"e"
"""How a message opens."""
ALSO_FIRST = r"anche|inoltre"
NOT_THAT = r"non|invece di|anziche"
NOT_THAT_OF = r"di"
HAS = r"ha|e|usa|vuole|con|che|non"
THERE_ARE = r"saranno|sono|saremo|siamo|sarebbero"
ONLY = r"solo|soltanto|in"
DOZEN = r"(?:una )?(?:dozzina|decina|ventina|trentina)"
PART = r"di (?:loro|quelli|noi)|dei (?:suoi|loro|nostri)"
"""Behind a number: only some of them."""
JOINS = r"e|anche|poi"
TOO = ("anche", "pure")
ALSO = ("anche",)

# language.numbers
MANNERS = ("grazie",)
ONLY_JOINS = r"e|ed|con|più"
AND = r"e "
WORDS = {
    0: "niente", 1: "uno un'ora", 2: "due entrambi", 3: "tre", 4: "quattro", 5: "cinque", 6: "sei", 7: "sette",
    8: "otto", 9: "nove", 10: "dieci decina", 11: "undici", 12: "dodici dozzina mezzogiorno", 13: "tredici",
    14: "quattordici", 15: "quindici", 16: "sedici", 17: "diciassette", 18: "diciotto", 19: "diciannove", 20: "venti",
    24: "mezzanotte", 30: "trenta", 40: "quaranta", 50: "cinquanta meta mezzo", 60: "sessanta", 70: "settanta",
    80: "ottanta", 90: "novanta", 100: "cento",
}  # fmt: skip

# language.dates.durations
DURATION_NUMBERS = {
    "un": 1, "un'": 1, "una": 1, "due": 2, "tre": 3, "quattro": 4, "dieci": 10, "quindici": 15, "venti": 20,
    "trenta": 30, "quaranta": 40, "quarantacinque": 45, "sessanta": 60, "novanta": 90,
}  # fmt: skip
HOURS = r"or[ae]"
MINUTES = r"minut[oi]"
HALF_HOUR = r"mezz'? ?ora"
ONE_HOUR = r"(?:un'|una|1)(?=\s?ora\b)"
NOT_HOURS = r"\s?ora\b"
"""Behind a number that is no single hour: "due ora" is none."""
AND_A_HALF = r"e mezz[ao]"
STEPS = r"dopo|prima|fa|piu tardi|in anticipo"
"""Behind a duration: it counts from another time."""
COUNTED_FROM_NOW = r"tra|fra|di|entro|ogni"
