"""Finds a model's self-assessment in its text, however it is written: in tags of any kind, torn, nested or in another
alphabet, or as the bare object. An operator sees none of it. Text that cannot be separated from it is withheld, too."""

import html
import re
import unicodedata

from language.locales import alternatives

_WORD = r"\s*".join("assess") + r"\s*" + r"\s*".join("ment") + r"(?:\s*s)?"
_TAG = rf"[<\[]\s*(?P<end>/?)\s*(?:[\w.:-]{{0,20}}[_:-])?{_WORD}\b[^<>\[\]{{}}]{{0,200}}[>\]]"
_ANY_TAG = re.compile(_TAG, re.IGNORECASE)
_THOUGHT = re.compile(r"<\s*(think|thinking|thought)\s*>.*?(?:<\s*/\s*\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
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
        plain = _THOUGHT.sub("", plain)
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
