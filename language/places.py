"""Places in a list that was just read out, counted from 0 and from the end: "the second one", "l'ultima"."""

_ROWS = {
    0: "first 1st former prima primo",
    1: "second 2nd seconda secondo",
    2: "third 3rd terza terzo",
    3: "fourth 4th quarta quarto",
    4: "fifth 5th quinta quinto",
    -1: "last latter ultima ultimo",
}
PLACES = {word: place for place, words in _ROWS.items() for word in words.split()}
"""By word; -1 is the last one."""
OTHER = frozenset("other altra altro".split())
"""Of two, the one that was not spoken of: the second."""

_EARLY = "earlier earliest sooner soonest presto"
_LATE = "later latest tardi"
IN_TIME = dict.fromkeys(_EARLY.split(), 0) | dict.fromkeys(_LATE.split(), -1)
"""Places by the clock and the calendar, whatever the order in which they were read out: "the later one"."""
