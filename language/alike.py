"""Two words that are the same but for a slip of the keyboard."""

from __future__ import annotations

from language.slips import one_slip

_SHORTEST = 5
"""Letters that a word must have to be told from its neighbours with one letter wrong."""


def same_but_a_slip(one: str, other: str) -> bool:
    """Whether two plain words are the same, a single slip aside; figures and short words allow none."""
    if one == other or one.replace("'", "") == other.replace("'", ""):
        return True
    return min(len(one), len(other)) >= _SHORTEST and (one + other).isalpha() and one_slip(one, other)
