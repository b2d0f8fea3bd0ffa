"""Self-assessment of a model: extracted from its reply, parsed, compared with what the reply does, and removed from the
text for the operator.

Any defect makes the reply untrusted, which triggers a critique. A defect never makes a reply fail. Source: guided
reasoning, "Self-Assessment Addition" and "How Assessment Gets Parsed".
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from contracts import limits
from contracts.base import Json
from contracts.chat_completion import Assessment, ParsedAssessment, ToolCall
from contracts.identifiers import sanitize_display_text
from language.locales import alternatives
from reasoning.critique.assessment_parser import extract_blocks
from reasoning.modes.json_repair import loose_object

_LEAST, _MOST = 1, 10
_NAMES, _KEYS = 20, 40
_WRITTEN = re.compile(
    rf"[~≈\s]*(-?\d{{1,3}}(?:[.,]\d{{1,9}})?)\s*(?:(?:/|{alternatives('critique', 'OUT_OF')})\s*10)?\s*"
)
"""A confidence as a model writes it."""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A text without its assessments, their combined content, and the further context that any of them requests. The
    requested context counts whatever else is wrong."""

    visible: str
    assessed: ParsedAssessment
    asks_for: tuple[str, ...] = ()


def strip_assessment(text: str) -> str:
    """Remove assessments from a text, and characters that control a terminal or change the direction of writing."""
    return sanitize_display_text(extract_blocks(text)[0])


def parse_assessment(text: str) -> ParsedReply:
    """Return a text and its assessment. Of several assessments the most doubtful counts. A missing or unreadable
    assessment is a doubt."""
    without, blocks = extract_blocks(text)
    shown = sanitize_display_text(without)
    if not blocks:
        return ParsedReply(shown, ParsedAssessment(contradictions=("there is no assessment",)))
    read = [_read(block) for block in blocks]
    found = sorted((one.assessment for one in read if one.assessment is not None), key=_certainty)
    doubts = tuple(doubt for one in read for doubt in one.contradictions)
    request = dict.fromkeys(key for block in blocks for key in _texts((_object_in(block) or {}).get(_CONTEXT), _KEYS))
    return ParsedReply(
        shown, ParsedAssessment(assessment=found[0] if found else None, contradictions=doubts), tuple(request)
    )


_CONTEXT = "needs_more_context"


def check_consistency(
    assessed: ParsedAssessment, calls: Sequence[ToolCall], filled: Mapping[str, Mapping[str, Json]] | None = None
) -> ParsedAssessment:
    """Return the assessment with one more doubt for each contradiction of what the reply does. `filled` holds, by tools
    and parameters, the values that the core fills in where a call omits them: mentioning one is no contradiction."""
    judged = assessed.assessment
    if judged is None:
        return assessed
    made = [call for call in calls if call.kind != "builtin"]
    named = judged.tool_call
    same = [call for call in calls if call.name == named]
    doubts = list(assessed.contradictions)
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
    return assessed.model_copy(update={"contradictions": tuple(doubts)})


def _object_in(block: str) -> dict[str, Json] | None:
    """Return the assessment as it was meant: in other quotes, with keys in capitals, or inside another object."""
    data = loose_object(block) or loose_object(re.sub("['“”‘’]", '"', block))
    if data is None:
        return None
    found = {name.strip().casefold(): value for name, value in data.items()}
    inner = [value for value in found.values() if isinstance(value, dict) and "confidence" in value]
    return inner[0] if "confidence" not in found and inner else found


def _read(block: str) -> ParsedAssessment:
    data = _object_in(block)
    if data is None:
        return ParsedAssessment(contradictions=("an assessment cannot be read",))
    confidence = _whole(data.get("confidence"))
    outside = (f"a confidence is none from {_LEAST} to {_MOST}",)
    if confidence is None:
        return ParsedAssessment(contradictions=outside)
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
        return ParsedAssessment(contradictions=("an assessment cannot be read",))
    # Less than the least is no confidence of the scale, and still under any that lets something proceed.
    return ParsedAssessment(assessment=judged, contradictions=outside if confidence < _LEAST else ())


def _certainty(judged: Assessment) -> tuple[int, int]:
    flags = judged.is_destructive + judged.needs_confirmation + len(judged.missing_params)
    return judged.confidence, -flags


def _whole(value: Json) -> int | None:
    """Return the confidence as an integer, rounded down in doubt; None if it is not a number or is above the
    maximum."""
    if isinstance(value, str):
        match = _WRITTEN.fullmatch(value.casefold())
        value = float(match[1].replace(",", ".")) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value <= _MOST:
        return None
    return math.floor(max(value, 0))


def _name(value: Json) -> str | None:
    if isinstance(value, dict):
        value = value.get("name")
    if not isinstance(value, str) or value.strip().casefold() in ("", "null", "none"):
        return None
    return limits.sanitize_text(value.strip(), limits.NAME)


def _plain(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict) or limits.exceeds_depth(value, limits.ARGUMENT_DEPTH):
        return {}
    return dict(limits.sanitize_json(value))


def _texts(value: Json, limit: int) -> tuple[str, ...]:
    if isinstance(value, dict):
        value = list(value)
    rows = value if isinstance(value, list) else [value] if isinstance(value, str) and value.strip() else []
    kept = (limits.sanitize_text(row.strip(), limits.NAME) for row in rows if isinstance(row, str) and row.strip())
    return tuple(dict.fromkeys(kept))[:limit]


def _yes(value: Json) -> bool:
    return value is True or (isinstance(value, str) and value.strip().casefold() in ("true", "yes", "1"))


def _fits(claimed: Mapping[str, Json], given: Mapping[str, Json]) -> bool:
    """Return whether a call has every value that the assessment mentions. The call may have more values."""
    names = {_bare(name): value for name, value in given.items()}
    return all(_same(value, names.get(_bare(name))) for name, value in claimed.items())


_NOTHING: tuple[Json, ...] = (None, "", [], {})
"""Values that a model writes for a parameter that it does not give. A plain no counts, too."""


def _bare(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").strip()


def _same(claimed: Json, given: Json) -> bool:
    if given is None:
        return claimed is False or claimed in _NOTHING
    return str(claimed).strip().casefold() == str(given).strip().casefold()
