"""The forms in which a language claims an effect: what each locale's `effect_claims` fills in."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """`certain` forms are claims wherever they stand; `stated` ones unless `unsettled` words (a negation, a condition,
    a modal verb) stand before them in their clause. `innocent` phrases are taken out first. `wishes` are verbs of
    change as an operator uses them."""

    certain: re.Pattern[str]
    stated: re.Pattern[str]
    unsettled: re.Pattern[str]
    innocent: re.Pattern[str]
    wishes: re.Pattern[str]

    def claims(self, sentence: str) -> bool:
        """Return whether a sentence, in small letters and plain quotes, claims an effect."""
        text = self.innocent.sub(" … ", sentence)
        if self.certain.search(text):
            return True
        for clause in re.split(r"([,;:]\s|\s[-–—]\s)", text):
            for found in self.stated.finditer(clause):
                if not self.unsettled.search(clause[: found.end()]):
                    return True
        return False


def words(*groups: str) -> str:
    """Alternatives for a verbose pattern, longest first; `_` is a space."""
    every = {word for group in groups for word in group.split()}
    return "(?:" + "|".join(sorted((w.replace("_", r"\ ") for w in every), key=len, reverse=True)) + ")"
