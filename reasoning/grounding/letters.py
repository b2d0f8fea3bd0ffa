"""The characters of a value: no invisible character, and no word that mixes alphabets, unless the operator spelled it
so.

A model may write "pаyment" with a Cyrillic letter, or reverse a line with U+202E. The operator would then read another
value than the one that is sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.text.invisible import invisible_in, mixed_script_words
from reasoning.grounding.context import GroundingContext, Ungrounded


def not_as_it_looks(context: GroundingContext, parameter: ActionParameter, value: Json) -> Ungrounded | None:
    """Return a doubt about a value that reads differently from what is sent; None if there is none."""
    for text in _texts(value):
        if codes := invisible_in(text, lines=parameter.role is ParameterRole.NOTE):
            return Ungrounded(parameter.role, parameter.name, label=parameter.display_name, invisible=tuple(codes))
        for word in mixed_script_words(text):
            if not any(word in message.text for message in context.evidence.messages):
                return Ungrounded(parameter.role, parameter.name, label=parameter.display_name, mixed_script=word)
    return None


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
