"""What a value is written in: no invisible character, and no word that mixes alphabets, unless that is the operator's
own spelling.

A model may write "pаyment" with a Cyrillic letter, or turn a line round with U+202E: read by an operator, such a value
is another one than what is sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.invisible import invisible_in, mixed_script_words
from reasoning.bearing.context import Context, Doubt


def not_as_it_looks(context: Context, parameter: ActionParameter, value: Json) -> Doubt | None:
    """Doubt a value that would not be read as it is sent; None where it would."""
    for text in _texts(value):
        if codes := invisible_in(text, lines=parameter.role is ParameterRole.NOTE):
            return Doubt(parameter.role, parameter.name, told=parameter.told, invisible=tuple(codes))
        for word in mixed_script_words(text):
            if not any(word in message.text for message in context.evidence.messages):
                return Doubt(parameter.role, parameter.name, told=parameter.told, mixed_script=word)
    return None


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
