"""The figures that a text states, whether written in digits or in words: 5, "five", "cinque", 3pm."""

import re

from language.lexer import fold

_WORDS = {
    word: number
    for number, words in {
        0: "zero none nothing niente",
        1: "one uno un'ora", 2: "two both due entrambi twice couple", 3: "three tre", 4: "four quattro",
        5: "five cinque", 6: "six sei", 7: "seven sette", 8: "eight otto", 9: "nine nove", 10: "ten dieci decina",
        11: "eleven undici", 12: "twelve dodici dozen dozzina noon mezzogiorno", 13: "thirteen tredici",
        14: "fourteen quattordici fortnight", 15: "fifteen quindici", 16: "sixteen sedici", 17: "seventeen diciassette",
        18: "eighteen diciotto", 19: "nineteen diciannove", 20: "twenty venti", 24: "midnight mezzanotte",
        30: "thirty trenta", 40: "forty quaranta", 50: "fifty cinquanta half meta mezzo", 60: "sixty sessanta",
        70: "seventy settanta", 80: "eighty ottanta", 90: "ninety novanta", 100: "hundred cento",
    }.items()
    for word in words.split()
}  # fmt: skip
_FIGURE = re.compile(r"(?<![\w.,])(\d+)(?:[.,:](\d+))*(?:\s*([ap])\.?m\b)?|[^\W\d_]+")


def figures_in(text: str) -> frozenset[int]:
    """The whole numbers of a text; an hour of the afternoon as of 24."""
    found = set()
    for match in _FIGURE.finditer(fold(text)):
        if match[1] is None:
            found |= {_WORDS[match[0]]} if match[0] in _WORDS else set()
            continue
        first = int(match[1])
        found.add(first + 12 if match[3] == "p" and first < 12 else first)
        found |= {int(match[2])} if match[2] is not None and int(match[2]) else set()
    return frozenset(found)
