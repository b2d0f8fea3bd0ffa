"""How a model judges its own reply: found in its words, read, held against what the reply does, and taken out of what
the operator sees.

Whatever is wrong with it makes the reply not assured, which has it looked at a second time; it never makes a reply
fail. Source: guided reasoning, "Self-Assessment Addition" and "How Assessment Gets Parsed".
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from contracts import bounds
from contracts.assessment import Assessed, Assessment
from contracts.base import Json
from contracts.model import ToolCall
from contracts.names import readable
from reasoning.assessment_found import taken_out
from reasoning.loose_json import loose_object

_LEAST, _MOST = 1, 10
_NAMES, _KEYS = 20, 40


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text without its assessments, what they say together, and the further context that any of them asks for, which
    counts whatever else is wrong."""

    visible: str
    assessed: Assessed
    asks_for: tuple[str, ...] = ()


def visible(text: str) -> str:
    """A text without its assessments, nor what drives a terminal or turns the direction of writing."""
    return readable(taken_out(text)[0])


def parsed(text: str) -> Parsed:
    """A text and its assessment. Of several the most doubtful counts; none, or one that cannot be read, is a doubt."""
    without, blocks = taken_out(text)
    shown = readable(without)
    if not blocks:
        return Parsed(shown, Assessed(doubts=("there is no assessment",)))
    read = [_read(block) for block in blocks]
    found = sorted((one.assessment for one in read if one.assessment is not None), key=_certainty)
    doubts = tuple(doubt for one in read for doubt in one.doubts)
    asked = dict.fromkeys(key for block in blocks for key in _texts((_object_in(block) or {}).get(_CONTEXT), _KEYS))
    return Parsed(shown, Assessed(assessment=found[0] if found else None, doubts=doubts), tuple(asked))


_CONTEXT = "needs_more_context"


def held_against(
    assessed: Assessed, calls: Sequence[ToolCall], filled: Mapping[str, Mapping[str, Json]] | None = None
) -> Assessed:
    """The assessment with a doubt more for each way in which it contradicts what the reply does. `filled`, by tools and
    parameters, are values that the core fills in where a call leaves them out: to tell of one is no contradiction."""
    judged = assessed.assessment
    if judged is None:
        return assessed
    made = [call for call in calls if call.kind != "builtin"]
    named = judged.tool_call
    same = [call for call in calls if call.name == named]
    doubts = list(assessed.doubts)
    if named is not None and calls and not same:
        doubts.append(f"it tells of {named}, and calls {', '.join(call.name for call in calls)}")
    if named is None and made:
        doubts.append(f"it tells of no tool, and calls {', '.join(call.name for call in made)}")
    own = (filled or {}).get(named or "", {})
    if same and not any(_fits(judged.tool_params, {**own, **call.arguments}) for call in same):
        doubts.append(f"it tells of other values than {named} is called with")
    given = {name for call in made for name, value in call.arguments.items() if value not in (None, "")}
    if missing := sorted(given & set(judged.missing_params)):
        doubts.append(f"it says that {', '.join(missing)} is missing, and gives it")
    return assessed.model_copy(update={"doubts": tuple(doubts)})


def _object_in(block: str) -> dict[str, Json] | None:
    """The assessment as it was meant: in other quotes, its keys in capitals, or inside another object."""
    data = loose_object(block) or loose_object(re.sub("['“”‘’]", '"', block))
    if data is None:
        return None
    found = {name.strip().casefold(): value for name, value in data.items()}
    inner = [value for value in found.values() if isinstance(value, dict) and "confidence" in value]
    return inner[0] if "confidence" not in found and inner else found


def _read(block: str) -> Assessed:
    data = _object_in(block)
    if data is None:
        return Assessed(doubts=("an assessment cannot be read",))
    confidence = _whole(data.get("confidence"))
    outside = (f"a confidence is none from {_LEAST} to {_MOST}",)
    if confidence is None:
        return Assessed(doubts=outside)
    named, params = data.get("tool_call"), data.get("tool_params")
    try:
        judged = Assessment(
            confidence=max(confidence, _LEAST),
            tool_call=_name(named),
            tool_params=_plain(params),
            missing_params=_texts(data.get("missing_params"), _NAMES),
            is_destructive=_yes(data.get("is_destructive")),
            needs_confirmation=_yes(data.get("needs_confirmation")),
            needs_more_context=_texts(data.get(_CONTEXT), _KEYS),
        )
    except (ValidationError, ValueError):
        return Assessed(doubts=("an assessment cannot be read",))
    # Less than the least is no confidence of the scale, and still under any that lets something proceed.
    return Assessed(assessment=judged, doubts=outside if confidence < _LEAST else ())


def _certainty(judged: Assessment) -> tuple[int, int]:
    flags = judged.is_destructive + judged.needs_confirmation + len(judged.missing_params)
    return judged.confidence, -flags


def _whole(value: Json) -> int | None:
    """The confidence in whole numbers, rounded to the doubtful side; None for what is none, or beyond the most."""
    if isinstance(value, str):
        match = re.fullmatch(r"[~≈\s]*(-?\d{1,3}(?:[.,]\d{1,9})?)\s*(?:(?:/|out of|su|di)\s*10)?\s*", value.casefold())
        value = float(match[1].replace(",", ".")) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value <= _MOST:
        return None
    return math.floor(max(value, 0))


def _name(value: Json) -> str | None:
    if isinstance(value, dict):
        value = value.get("name")
    if not isinstance(value, str) or value.strip().casefold() in ("", "null", "none"):
        return None
    return bounds.clean(value.strip(), bounds.NAME)


def _plain(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict) or bounds.deeper(value, bounds.ARGUMENT_DEPTH):
        return {}
    return dict(bounds.cleaned(value))


def _texts(value: Json, most: int) -> tuple[str, ...]:
    if isinstance(value, dict):
        value = list(value)
    rows = value if isinstance(value, list) else [value] if isinstance(value, str) and value.strip() else []
    kept = (bounds.clean(row.strip(), bounds.NAME) for row in rows if isinstance(row, str) and row.strip())
    return tuple(dict.fromkeys(kept))[:most]


def _yes(value: Json) -> bool:
    return value is True or (isinstance(value, str) and value.strip().casefold() in ("true", "yes", "1"))


def _fits(told: Mapping[str, Json], given: Mapping[str, Json]) -> bool:
    """Whether a call has every value that is told of it. What it has beside may be left untold."""
    names = {_bare(name): value for name, value in given.items()}
    return all(_same(value, names.get(_bare(name))) for name, value in told.items())


_NOTHING: tuple[Json, ...] = (None, "", [], {})
"""Values that a model writes for a parameter that it does not give; a plain no is one, too."""


def _bare(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").strip()


def _same(told: Json, given: Json) -> bool:
    if given is None:
        return told is False or told in _NOTHING
    return str(told).strip().casefold() == str(given).strip().casefold()
