"""English words about numbers, see `language.extraction.numbers`, `language.numbers` and `language.dates.durations`.
Letters are plain."""

# language.extraction.numbers: what a number counts
CLOCK = r"[ap]\.?m\b|o'?clock"
"""Behind a number: an hour."""
AT = r"at"
"""In front of a number: an hour."""
RANGE = r"to|and|or"
PEOPLE = r"of (?:them|us|people|the kids)"
"""Behind a number: of people."""
BOTH = r"all the|both the"
RESIZED = r"from \d{1,3} (?:down|up) to"
COUNTED = frozenset("more less fewer extra hour day week kid guest person adult child".split())
"""Behind a "one" that counts."""
DATED = r"of the|on the"
"""In front of a day of the month."""
FROM_MORE_TO = r"to"
"""Behind "down", as in "14 down to 11"."""
MORE_WORDS = ("more", "extra", "another")
FEWER_WORDS = ("less", "fewer")
PUT_DOWN_AS = r"down (?:as|for)(?: only| just)?"
PLUS = r"plus"
MINUS = r"minus|less"
OPENING = r"and|oh|ok|ah"
"""How a message opens."""
ALSO_FIRST = r"also"
NOT_THAT = r"not|instead of|rather than"
HAS = r"has|is|needs|can't|cannot|uses|wants|with|who"
THERE_ARE = (
    r"there(?:'?s|'ll be| are| is| will be| would be)?|(?:they|we)(?: are|'?re| will be|'?ll be)|"
    r"(?:it|that)(?:'?s| is)|be"
)
ONLY = r"only|just|now|be"
DOZEN = r"(?:an? )?(?:round )?dozen"
PART = r"of (?:their|them|the|our|his|her|these|those|us|its|whom|which|my)|of [\w-]+'s"
"""Behind a number: only some of them."""
OH = r"oh|ah|ok"
JOINS = r"and|n|also|plus"
TOO = ("too", "as well")
ALSO = ("also",)

# language.numbers
MANNERS = frozenset("thanks thank thx please pls plz ta cheers mate tks".split())
ONLY_JOINS = r"and|plus|with"
NOUGHT = r"oh?"
"""A nought inside "two oh five", by itself no number."""
AND = r"and "
WORDS = {
    0: "zero none nothing", 1: "one", 2: "two both twice couple", 3: "three", 4: "four", 5: "five", 6: "six",
    7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve dozen noon", 13: "thirteen",
    14: "fourteen fortnight", 15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen",
    20: "twenty", 24: "midnight", 30: "thirty", 40: "forty", 50: "fifty half", 60: "sixty", 70: "seventy",
    80: "eighty", 90: "ninety", 100: "hundred",
}  # fmt: skip

# language.dates.durations
DURATION_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30,
    "forty": 40, "forty-five": 45, "sixty": 60, "ninety": 90,
}  # fmt: skip
HOURS = r"hours?|hrs?|h"
MINUTES = r"minutes?|mins?|min"
LONG = r"-long"
HALF_HOUR = r"half an hour|half[- ]hour"
AND_A_HALF = r"(?:and )?a half"
STEPS = r"later|earlier|sooner|before|after|ago|from now"
"""Behind a duration: it counts from another time."""
COUNTED_FROM_NOW = r"in|within|by|every"
