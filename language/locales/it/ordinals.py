"""Italian words that pick one of a list, see `language.numbers.ordinals`. Letters are plain."""

PLACES = {0: "prima primo", 1: "seconda secondo", 2: "terza terzo", 3: "quarta quarto", 4: "quinta quinto",
          -1: "ultima ultimo"}  # fmt: skip
"""Words by their place; -1 is the last one."""
ELIDED = r"l'"
"""In front of a word: "l'ultima"."""
OTHER = ("altra", "altro")
EARLY, LATE = "presto", "tardi"
SMALL, LARGE = "piccola piccolo", "grande"
MIDDLE = ("mezzo", "centrale")
PARTS = {
    "mattina": ("00:00", "11:59"), "mattino": ("00:00", "11:59"), "mattutina": ("00:00", "11:59"),
    "pomeriggio": ("12:00", "18:29"), "pomeridiana": ("12:00", "18:29"), "sera": ("17:30", "23:59"),
    "serale": ("17:30", "23:59"),
}  # fmt: skip
"""Parts of a day as they tell one booking from another, by first and last start."""
MONTHS = ("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",)
ALONE = frozenset("presto tardi sera mattina grande".split())
"""Words that by themselves say something else than which one."""
BESIDE = frozenset(
    "um quella quello la il le delle dei due di del della per favore piu e intendo intendevo prenotazione festa grazie "
    "scusa si a al alla ok in i".split()
)
"""Words of an answer that only picks."""
