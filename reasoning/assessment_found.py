"""Where in a model's words it judges itself, however it writes that: in tags of any kind, torn, nested or of another
alphabet, or as the bare object. An operator sees none of it; what cannot be told from it is withheld with it."""

import html
import re
import unicodedata

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
_SAID = re.compile(
    r"\s*[(\[][^()\[\]\n]{0,40}\b(?:confidence|confidenza)\b[^()\[\]\n]{0,60}[)\]]|"
    r"[^.!?\n]*\b(?:(?:my|overall|self|the assistant's|la mia) (?:\w+ )?(?:confidence|confidenza)|"
    r"(?:confidence|confidenza) (?:level|score|rating|in (?:this|my))|with (?:a )?confidence (?:of )?\d)\b"
    r"[^.!?\n]*(?:[.!?]+|$)|\bconfidence (?:is |of )?\d+(?: ?/ ?10| out of 10| of 10)\W*",
    re.IGNORECASE,
)
"""A confidence told in words."""
_DATA = re.compile(r"""^\s*[\[{]\s*["'{\[]""")
_HOLLOW = re.compile(r"<\s*([\w:-]{1,30})[^<>]{0,80}>\s*<\s*/\s*\1\s*>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_PASSES = 8


def taken_out(text: str) -> tuple[str, list[str]]:
    """A text without its assessments, and these. It is "" where something is left that is none of an operator's."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", html.unescape(html.unescape(text))))
    blocks: list[str] = []
    if not (_SMELLS.search(plain) or _SAID.search(plain)):
        return _for_people(text), blocks
    for _ in range(_PASSES):
        before = plain
        plain = _THOUGHT.sub("", plain)
        plain = _without_objects(_without_tags(plain, blocks), blocks)
        if plain == before:
            break
    shown = _LABEL.sub("", _EMPTY_FENCE.sub("", _SAID.sub("", plain)).strip()).strip()
    return ("" if _SMELLS.search(shown) else _for_people(shown)), blocks


def _for_people(text: str) -> str:
    """A text without tags that hold nothing any more; nothing where the whole of it is data: what a model answers to
    something else that it was asked."""
    if _HOLLOW.search(text):
        text = _HOLLOW.sub("", text).strip()
    bare = _FENCES.sub("", text).strip()
    return "" if _DATA.match(bare) and bare[-1:] in "]}" else text


def _without_objects(text: str, blocks: list[str]) -> str:
    """Without each object, the outermost, that has a key of an assessment. One that does not end goes to the end."""
    place = 0
    while (start := text.find("{", place)) >= 0:
        end = _end_of(text, start)
        if _KEY.search(text, start, end) is None:
            place = end
            continue
        blocks.append(text[start:end])
        head = _LABEL.sub("", text[:start])
        text, place = head + text[end:], len(head)
    return text


def _end_of(text: str, start: int) -> int:
    depth, quoted, place = 0, False, start
    while place < len(text):
        char = text[place]
        if quoted and char == "\\":
            place += 1
        elif char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char == "{") - (char == "}")
            if depth == 0:
                return place + 1
        place += 1
    return len(text)


def _without_tags(text: str, blocks: list[str]) -> str:
    """Without the first tag of an assessment, what it encloses, and its end."""
    opened = next((m for m in _ANY_TAG.finditer(text) if not m["end"]), None)
    if opened is None:
        return _ANY_TAG.sub("", text)
    closed = next((m for m in _ANY_TAG.finditer(text, opened.end()) if m["end"]), None)
    inside = text[opened.end() : closed.start() if closed else len(text)]
    if inside.strip():
        blocks.append(inside)
    return _LABEL.sub("", text[: opened.start()]) + (text[closed.end() :] if closed else "")
