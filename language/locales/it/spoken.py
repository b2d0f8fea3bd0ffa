"""How Italian says the signs of an address and the figures of a number."""

MARKS = {"@": "chiocciola at", ".": "punto", "-": "trattino meno", "_": "underscore sottolineato", "+": "piu"}
FIGURES = {
    "0": "zero", "1": "uno", "2": "due", "3": "tre", "4": "quattro", "5": "cinque", "6": "sei", "7": "sette",
    "8": "otto", "9": "nove", "10": "dieci", "11": "undici", "12": "dodici", "20": "venti", "30": "trenta",
    "40": "quaranta", "50": "cinquanta", "60": "sessanta", "70": "settanta", "80": "ottanta", "90": "novanta",
}  # fmt: skip
TIMES = {2: "doppio doppia", 3: "triplo triplice tripla"}
