"""English words that pick one of a list, see `language.numbers.ordinals`. Letters are plain."""

PLACES = {0: "first 1st former", 1: "second 2nd", 2: "third 3rd", 3: "fourth 4th", 4: "fifth 5th", -1: "last latter"}
"""Words by their place; -1 is the last one."""
OTHER = ("other",)
EARLY, LATE = "earlier earliest sooner soonest", "later latest"
SMALL, LARGE = "smaller smallest", "bigger biggest larger largest"
MIDDLE = ("middle",)
PARTS = {
    "morning": ("00:00", "11:59"), "am": ("00:00", "11:59"), "afternoon": ("12:00", "17:29"),
    "arvo": ("12:00", "17:29"), "pm": ("12:00", "23:59"), "evening": ("17:00", "23:59"),
}  # fmt: skip
"""Parts of a day as they tell one booking from another, by first and last start."""
MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
)
ORDINAL = r"st|nd|rd|th"
ALONE = frozenset("later earlier sooner soonest morning evening".split())
"""Words that by themselves say something else than which one."""
BESIDE = frozenset(
    "the one ones of two both that this its it is s i mean meant booking party please if you pls ta thanks sorry in on "
    "for ah oh um yes ok group lot".split()
)
"""Words of an answer that only picks."""
