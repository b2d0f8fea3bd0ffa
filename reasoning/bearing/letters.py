"""What a value is written in: nothing that is not seen, and no word that mixes alphabets unless the operator wrote it so.

A model may write "pаyment" with a Cyrillic letter, or turn a line round with U+202E: read by an operator, such a value
is another one than what is sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language.unseen import mixed_words, unseen_in
from reasoning.bearing.context import Context, Doubt


def not_as_it_looks(context: Context, parameter: ActionParameter, value: Json) -> Doubt | None:
    """The doubt about a value that would not be read as it is sent; None where it would."""
    for text in _texts(value):
        if codes := unseen_in(text, lines=parameter.role is ParameterRole.NOTE):
            return Doubt(parameter.role, parameter.name, told=parameter.told, unseen=tuple(codes))
        for word in mixed_words(text):
            if not any(word in message.text for message in context.evidence.messages):
                return Doubt(parameter.role, parameter.name, told=parameter.told, mixed=word)
    return None


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
