"""How English says the signs of an address and the figures of a number."""

MARKS = {"@": "at", ".": "dot point", "-": "dash hyphen minus", "_": "underscore", "+": "plus"}
FIGURES = {
    "0": "oh o zero nought", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
    "7": "seven", "8": "eight", "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
}  # fmt: skip
TIMES = {2: "double", 3: "triple treble"}
