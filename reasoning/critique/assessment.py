"""Self-assessment of a model: extracted from its reply, parsed, compared with what the reply does, and removed from the
text for the operator.

Any defect makes the reply untrusted, which triggers a critique. A defect never makes a reply fail. Source: guided
reasoning, "Self-Assessment Addition" and "How Assessment Gets Parsed".

It is found however it is written: in tags of any kind, torn, nested or in another alphabet, or as the bare object.
Text that cannot be separated from it is withheld, too.
"""

import html
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from contracts import limits
from contracts.base import Json
from contracts.chat_completion import Assessment, ParsedAssessment, ToolCall
from contracts.identifiers import sanitize_display_text
from language.locales import alternatives
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


_WORD = r"\s*".join("assess") + r"\s*" + r"\s*".join("ment") + r"(?:\s*s)?"
_TAG = rf"[<\[]\s*(?P<end>/?)\s*(?:[\w.:-]{{0,20}}[_:-])?{_WORD}\b[^<>\[\]{{}}]{{0,200}}[>\]]"
_ANY_TAG = re.compile(_TAG, re.IGNORECASE)
THOUGHT = re.compile(r"<\s*(think|thinking|thought)\s*>.*?(?:<\s*/\s*\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_KEY = re.compile(
    r"""["'“”‘’]\s*(?:confidence|is_destructive|needs_confirmation|needs_more_context|missing_params|tool_params)"""
    r"""\s*["'“”‘’]\s*:""",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:^|(?<=[\s.!?>]))\W{0,3}(?:self[- ]?)?assessment\W{0,3}:\W{0,3}\Z", re.IGNORECASE)
_FENCES = re.compile(r"```\w*")
_EMPTY_FENCE = re.compile(r"```\w*\s*```")
_SMELLS = re.compile(
    rf"{_KEY.pattern}|is_destructive|needs_confirmation|needs_more_context|missing_params|tool_params|"
    rf"\bconfidence[\"']?\s*[:=]\s*[\"']?\d|[<\[]\s*/?\s*[\w.:-]{{0,20}}{_WORD}|</?\s*think",
    re.IGNORECASE,
)
_CONFIDENCE = f"(?:{alternatives('critique', 'CONFIDENCE')})"
_ASSESSMENT = re.compile(
    rf"\s*[(\[][^()\[\]\n]{{0,40}}\b{_CONFIDENCE}\b[^()\[\]\n]{{0,60}}[)\]]|"
    rf"[^.!?\n]*\b(?:(?:{alternatives('critique', 'MY_CONFIDENCE')}) (?:\w+ )?{_CONFIDENCE}|"
    rf"{_CONFIDENCE} (?:{alternatives('critique', 'RATED')})|{alternatives('critique', 'WITH_CONFIDENCE')})\b"
    rf"[^.!?\n]*(?:[.!?]+|$)|\b(?:{alternatives('critique', 'CONFIDENCE_IS')})\W*",
    re.IGNORECASE,
)
"""A confidence written in words."""
_DATA = re.compile(r"""^\s*[\[{]\s*["'{\[]""")
_HOLLOW = re.compile(r"<\s*([\w:-]{1,30})[^<>]{0,80}>\s*<\s*/\s*\1\s*>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_PASSES = 8


def extract_blocks(text: str) -> tuple[str, list[str]]:
    """Return a text without its assessments, and the assessments. The text is "" if what is left is not meant for an
    operator."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", html.unescape(html.unescape(text))))
    blocks: list[str] = []
    if not (_SMELLS.search(plain) or _ASSESSMENT.search(plain)):
        return _for_people(text), blocks
    for _ in range(_PASSES):
        before = plain
        plain = THOUGHT.sub("", plain)
        plain = _without_objects(_without_tags(plain, blocks), blocks)
        if plain == before:
            break
    shown = _LABEL.sub("", _EMPTY_FENCE.sub("", _ASSESSMENT.sub("", plain)).strip()).strip()
    return ("" if _SMELLS.search(shown) else _for_people(shown)), blocks


def _for_people(text: str) -> str:
    """Return a text without empty tags; "" if all of it is data, because it then answers something else the model was
    asked."""
    if _HOLLOW.search(text):
        text = _HOLLOW.sub("", text).strip()
    bare = _FENCES.sub("", text).strip()
    return "" if _DATA.match(bare) and bare[-1:] in "]}" else text


def _without_objects(text: str, blocks: list[str]) -> str:
    """Remove each outermost object that has a key of an assessment. An unterminated object extends to the end."""
    index = 0
    while (start := text.find("{", index)) >= 0:
        end = _end_of(text, start)
        if _KEY.search(text, start, end) is None:
            index = end
            continue
        blocks.append(text[start:end])
        head = _LABEL.sub("", text[:start])
        text, index = head + text[end:], len(head)
    return text


def _end_of(text: str, start: int) -> int:
    depth, quoted, index = 0, False, start
    while index < len(text):
        char = text[index]
        if quoted and char == "\\":
            index += 1
        elif char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char == "{") - (char == "}")
            if depth == 0:
                return index + 1
        index += 1
    return len(text)


def _without_tags(text: str, blocks: list[str]) -> str:
    """Remove the first assessment tag, its content and its end."""
    opened = next((m for m in _ANY_TAG.finditer(text) if not m["end"]), None)
    if opened is None:
        return _ANY_TAG.sub("", text)
    closed = next((m for m in _ANY_TAG.finditer(text, opened.end()) if m["end"]), None)
    inside = text[opened.end() : closed.start() if closed else len(text)]
    if inside.strip():
        blocks.append(inside)
    return _LABEL.sub("", text[: opened.start()]) + (text[closed.end() :] if closed else "")
