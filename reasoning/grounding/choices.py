"""Grounds choices and yes-or-no values: only by words of their own, whole and not negated.

The overlay declares the words (`phrases`). Without them the value's own words or the parameter's name count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from contracts.action import ActionParameter
from contracts.base import Json
from language.dates.resolution import Span
from language.extraction.mention import Assertion
from language.extraction.message import Message
from language.extraction.quotes import inside, only_reported
from language.locales import words_in_all
from language.text.normalize import normalize_text, tokenize
from reasoning.grounding.context import GroundingContext, Ungrounded, ungrounded
from reasoning.grounding.names import taken_back

_HELPING = words_in_all("grounding", "HELPING")


def ground_choice(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground one of several values. An optional one without a mention is omitted."""
    if _is_mentioned(context, parameter, value):
        return value
    return ungrounded(parameter) if parameter.required else None


def ground_flag(context: GroundingContext, parameter: ActionParameter, value: bool) -> Json | Ungrounded:
    """Ground a flag. True needs a mention; an optional false without one is omitted."""
    affirmed = _is_mentioned(context, parameter, True) and not _denied(context, parameter, True)
    denied = _is_mentioned(context, parameter, False) or _denied(context, parameter, True)
    if affirmed if value else denied:
        return value
    if value is False and not parameter.required and not affirmed:
        return None
    return ungrounded(parameter)


def key_of(value: Json) -> str:
    """Return the value as the key that `phrases` uses: "true", "Cash", "3"."""
    return value if isinstance(value, str) else json.dumps(value)


def _ways(parameter: ActionParameter, value: Json) -> list[str]:
    """Return the phrases for this value, normalized."""
    declared = parameter.phrases.get(key_of(value))
    if declared or parameter.phrases:
        return [normalize_text(phrase) for phrase in declared or ()]
    if isinstance(value, bool):
        named = [word for word in parameter.name.split("_") if word not in _HELPING]
        return [" ".join(named)] if value and named else []
    return list(_own_words(parameter, value))


def _own_words(parameter: ActionParameter, value: Json) -> Iterator[str]:
    """Return the value in full, joined, and each word that no other value has."""
    options = [option for option in parameter.json_schema.get("enum", ()) if option is not None]
    own = _split(value)
    yield " ".join(own)
    yield "".join(own)
    others = {word for option in options if option != value for word in _split(option)}
    yield from (word for word in own if word not in others and len(own) > 1)


def _split(value: Json) -> list[str]:
    return [
        word.text
        for word in tokenize(normalize_text(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key_of(value)).replace("_", " ")))
    ]


def _is_mentioned(context: GroundingContext, parameter: ActionParameter, value: Json) -> bool:
    return any(assertion is Assertion.ASSERTED for assertion in _standings(context, parameter, value))


def _denied(context: GroundingContext, parameter: ActionParameter, value: Json) -> bool:
    return any(assertion is Assertion.NEGATED for assertion in _standings(context, parameter, value))


def _standings(context: GroundingContext, parameter: ActionParameter, value: Json) -> Iterator[Assertion]:
    """Return the assertion of each place where this value is mentioned, except inside a longer word of another: "gift
    card" is no card."""
    ways = _ways(parameter, value)
    others = [way for other in _values(parameter) if other != value for way in _ways(parameter, other)]
    for message in context.evidence.messages:
        longer = [span for way in others for span in _places(message, way)]
        for span in [span for way in ways for span in _places(message, way)]:
            inside = any(s <= span[0] and span[1] <= e and e - s > span[1] - span[0] for s, e in longer)
            if not inside and context.evidence.refers_to(message, span, context.booking):
                yield _assertion(context, message, span)


def _values(parameter: ActionParameter) -> Sequence[Json]:
    return [option for option in parameter.json_schema.get("enum", (True, False)) if option is not None]


def _places(message: Message, way: str) -> list[Span]:
    pattern = re.escape(way).replace(r"\*", r"\w*").replace(r"\ ", r"\W+")
    found = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", message.plain)] if way else []
    return [span for span in found if not inside(span, message.names) and not only_reported(message, span)]


def _assertion(context: GroundingContext, message: Message, span: Span) -> Assertion:
    """Return the assertion of a mention. A "no" right in front negates it: "no refund", "niente rimborso"."""
    if message.cue_before(span, ("NO",), 1) is not None or message.cue_before(span, ("INSTEAD_OF",), 2) is not None:
        return Assertion.NEGATED
    meant = context.evidence.assertion_of(message, span)
    if meant in (Assertion.REPORTED, Assertion.PAST):
        meant = Assertion.ASSERTED
    return Assertion.CORRECTED if meant is Assertion.ASSERTED and taken_back(context, message, span) else meant
