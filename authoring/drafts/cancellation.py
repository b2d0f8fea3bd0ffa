"""Drafts the reads of a cancellation, deletion or similar change: the state before, and the check after it."""

from authoring.drafts import wording
from authoring.drafts.inputs import Inputs
from authoring.drafts.reads import MatchingRead, off_checks
from authoring.drafts.titles import OperationTitle
from authoring.drafts.undo_strategy import UndoStrategy, snapshot_of
from contracts.base import Value
from registry.text import spoken_name

_MOST_COVERED = 6
_WITHOUT_READ = ("The document has no GET of the same path, so nothing is read before, or shows that it worked.",)
_DELETED = (
    "What is deleted can mostly not be read any more, so no read shows that it worked; and nothing makes it as it was.",
    'Does the venue keep it, with a state? Then: verify: {all: ["now.… == …"]}',
)
_NO_STATE = (
    "The document does not say what a read shows after this. Try it once, and say it here:",
    'verify: {all: ["now.… == …"]}',
)


def called_off(inputs: Inputs, name: OperationTitle, matching: MatchingRead | None, *, deleted: bool) -> UndoStrategy:
    """Return a strategy without an undo that at least reads the resource and its state before and after."""
    if matching is None:
        return UndoStrategy(why=_WITHOUT_READ)
    at = matching.prefix
    state, value, off = off_checks(matching.answer, f"now.{at}")
    ends = name.verb in wording.CALLS_OFF or deleted
    known = telling(matching)
    covers = [f"{at}{one}" for one in dict.fromkeys([*([state] if state else []), *known])][:_MOST_COVERED]
    keys = snapshot_of(matching, inputs, covers or ["*"])
    done = wording.DONE.get(name.verb, "Deleted" if deleted else name.title)
    lines: list[Value] = [_line(spoken_name(name.thing), known[0], at, done)] if known else []
    if state and ends and off:
        lines.append(_line(spoken_name(state), state, at, value))
    elif state and not known:
        lines.append(_line(spoken_name(state), state, at, done))
    if lines:
        keys["preview"] = lines
    if off and ends:
        keys["verify"] = {"all": [off]}
    why = () if off and ends else _DELETED if deleted and name.verb not in wording.CALLS_OFF else _NO_STATE
    return UndoStrategy(keys, prefix=at, read=matching.read.key, why=why)


def telling(matching: MatchingRead) -> list[str]:
    """Return the fields by which people identify it: its name, number, day."""
    return [n for word in _TELLING if (n := matching.named(*word))]


_TELLING = (
    ("name", "title", "full name", "guest name", "customer name", "passenger name", "friendly name", "subject"),
    ("reference", "booking reference", "booking number", "order number", "confirmation number", "number"),
    ("start time", "starts at", "start", "date", "booking date", "departure time", "start date", "day"),
    ("quantity", "guests", "party size", "guest count", "people"),
    ("total", "amount", "price"),
)


def _line(label: str, name: str, at: str, after: str) -> Value:
    return {"label": label, "before": f"{{{{ before.{at}{name} | default('', true) }}}}", "after": after}
