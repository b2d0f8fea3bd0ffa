"""What the offline planner says to an operator, from the message catalogue."""

import re
from collections.abc import Sequence

from language import catalogue
from sandbox.model.kinds import Kind
from sandbox.model.phrases import phrases
from sandbox.model.tools import Toolbox

_UNUSABLE = {
    "bad_email": "email",
    "invalid": "invalid_date|invalid_time|nonexistent_time",
    "mismatch": "weekday_mismatch",
    "range": "range_not_supported",
    "vague": "vague_day|vague_time|recurring_not_supported|duration_only",
    "when": "relative_to_booking",
    "which_day": "which_day|which_reading|several_dates|several_times",
    "which_time": "which_time|repeated_time",
}
_KEY_OF = {code: code for code in phrases("count|in_past|name_part|nobody|too_short")} | {
    code: key for key, codes in _UNUSABLE.items() for code in phrases(codes)
}


def say(key: str, **values: object) -> str:
    """One sentence in the operator's language."""
    return catalogue.say(f"planner.{key}", **values)


def gap(kind: Kind) -> str:
    """The question for a value that is missing."""
    return say("what" if kind in (Kind.TOOL, Kind.REF) else kind.value)


def unclear(code: str, said: str) -> str:
    """The question for a value that cannot be used as said."""
    return say(_KEY_OF.get(code, "unclear"), said=said)


def which_of(labels: Sequence[str]) -> str:
    """The question for one of several bookings."""
    shown = [label for label in labels if label][:5]
    return say("which_of", rows="; ".join(shown)) if shown else say("which")


def cannot(can: Sequence[str], toolbox: Toolbox) -> str:
    """What can be done instead, as the prompt names it, else from the tools' own names."""
    named = [name[:1].lower() + name[1:] for name in can] or [re.sub("[_-]", " ", t.name) for t in toolbox.writes]
    return say("cannot", can=", ".join(named) or "—")
