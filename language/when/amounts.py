"""How long a quantity of units is: "an hour and a half", "1.5 hours", "a quarter of an hour"."""

from __future__ import annotations

from language.when.rules import Part

ELAPSED = {"s": 1 / 60, "mi": 1.0, "h": 60.0}
"""Minutes in the units that are elapsed time; days and longer are calendar time."""


def minutes_of(part: Part) -> float:
    """The elapsed minutes of a part; days and longer count nothing."""
    unit = ELAPSED.get(part.values.get("unit", "mi"), 0)
    minutes = unit * (fraction(part.values["frac"]) if "frac" in part.values else part.number)
    if "n2" in part.values:
        minutes += ELAPSED[part.values["unit2"]] * int(part.values["n2"].rstrip("w").replace("A", "1"))
    return minutes


def fraction(text: str) -> float:
    """ "1.5", "1,5" or "1/2" as a number; a division by nothing is 0."""
    if "/" in text:
        top, bottom = text.split("/")
        return int(top) / int(bottom) if int(bottom) else 0.0
    return float(text.replace(",", "."))
