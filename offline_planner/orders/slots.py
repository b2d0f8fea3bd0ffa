"""Values without a role of their own: fixed choices, booleans, figures, and words for which an example has a gap."""

from __future__ import annotations

import re

from contracts.enums import ParameterRole as Role
from language.replies.polarity import says
from language.text.lexer import fold
from offline_planner.protocol import Arguments
from offline_planner.tools import Param, Tool, Toolbox, split_words, stem


def own_tool(text: str, toolbox: Toolbox) -> Tool | None:
    """Return the tool whose own words all occur in the text: "assign 3 lockers to booking 8231"."""
    stems = {stem(word) for word in re.findall(r"[^\W\d_]+", text)}
    return next((t for t in toolbox.writes if t.own and t.own <= stems), None)


def extras(tool: Tool, text: str) -> Arguments:
    """Return a clause's values for choices and booleans."""
    found: Arguments = {}
    for param in tool.params:
        if param.choices and (value := match_choice(param, text)) is not None:
            found[param.name] = value
        elif param.type == "boolean" and any(_affirmed(text, word) for word in param.flag_words):
            found[param.name] = True
    return found


def own_values(tool: Tool, text: str, figures: list[str]) -> Arguments:
    """Return a clause's values for a tool of its own words. `figures` are its numbers, without references."""
    found = extras(tool, text)
    for param in tool.params:
        if param.name in found or param.role is Role.BOOKING:
            continue
        if param.type in ("integer", "number") and len(figures) == 1:
            found[param.name] = int(figures[0])
        elif param.type == "string" and not param.choices and (gap := _gap(tool, param, text)):
            found[param.name] = gap
    return found


def match_choice(param: Param, text: str) -> object:
    """Return the one fixed value whose words all occur, or None."""
    stems = {stem(w) for w in split_words(text)} | {stem(w) for w in re.findall(r"[^\W_]+", text)}
    joined = fold(re.sub(r"[\W_]", "", text))

    def is_mentioned(choice: object) -> bool:
        words = {stem(w) for w in split_words(str(choice))}
        return words <= stems or fold(str(choice)) == joined or str(choice) == text.strip()

    hits = [c for c in param.choices if is_mentioned(c)]
    return hits[0] if len(hits) == 1 else None


def _affirmed(text: str, word: str) -> bool:
    """Return whether some form of a word occurs and is not denied."""
    forms = [w for w in re.findall(r"[^\W\d_]+", text) if stem(w) == word]
    return any(says(text, [fold(form)]) for form in forms)


def _gap(tool: Tool, param: Param, text: str) -> str:
    """Return the words in the place of this parameter's value in an example, found by the word in front of it."""
    for say, call in tool.examples:
        value = call.get(param.name)
        if not isinstance(value, str) or value not in say:
            continue
        lead = re.findall(r"[^\W\d_]+|:", say[: say.index(value)])[-1:]
        found = re.split(rf"(?<!\w){re.escape(lead[0])}(?!\w)", text, flags=re.IGNORECASE) if lead else []
        if len(found) > 1 and found[-1].strip():
            return str(found[-1].strip(" .!"))
    return ""
