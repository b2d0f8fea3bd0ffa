"""Choices and yes-or-no values: only by words of their own, whole and not denied.

The overlay declares the words (`said`); where it does not, the value's own words or the parameter's name count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from contracts.action import ActionParameter
from contracts.base import Json
from language.plain import plain, words
from language.resolution import Span
from reasoning.bearing.context import Context, Doubt, Held, doubt
from reasoning.bearing.names import taken_back
from reasoning.evidence.claims import Standing
from reasoning.evidence.message import Message
from reasoning.evidence.quotes import inside, only_reported

_VERBS = frozenset("is has with issue send set include use allow enable do make apply give should".split())


def choice(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """One of several; an optional one that nobody chose is left out."""
    if _said(context, parameter, value):
        return Held(value)
    return doubt(parameter) if parameter.required else Held(None)


def yes_or_no(context: Context, parameter: ActionParameter, value: bool) -> Held | Doubt:
    """True needs words; an optional false that nobody said is left out."""
    affirmed = _said(context, parameter, True) and not _denied(context, parameter, True)
    denied = _said(context, parameter, False) or _denied(context, parameter, True)
    if affirmed if value else denied:
        return Held(value)
    if value is False and not parameter.required and not affirmed:
        return Held(None)
    return doubt(parameter)


def key_of(value: Json) -> str:
    """The value as `said` has it for a key: "true", "Cash", "3"."""
    return value if isinstance(value, str) else json.dumps(value)


def _ways(parameter: ActionParameter, value: Json) -> list[str]:
    """The phrases that say this value, plain."""
    declared = parameter.said.get(key_of(value))
    if declared or parameter.said:
        return [plain(phrase) for phrase in declared or ()]
    if isinstance(value, bool):
        named = [word for word in parameter.name.split("_") if word not in _VERBS]
        return [" ".join(named)] if value and named else []
    return list(_own_words(parameter, value))


def _own_words(parameter: ActionParameter, value: Json) -> Iterator[str]:
    """The value in full, run together, and each word that no other value has."""
    options = [option for option in parameter.json_schema.get("enum", ()) if option is not None]
    own = _split(value)
    yield " ".join(own)
    yield "".join(own)
    others = {word for option in options if option != value for word in _split(option)}
    yield from (word for word in own if word not in others and len(own) > 1)


def _split(value: Json) -> list[str]:
    return [word.text for word in words(plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key_of(value)).replace("_", " ")))]


def _said(context: Context, parameter: ActionParameter, value: Json) -> bool:
    return any(standing is Standing.SAID for standing in _standings(context, parameter, value))


def _denied(context: Context, parameter: ActionParameter, value: Json) -> bool:
    return any(standing is Standing.NEGATED for standing in _standings(context, parameter, value))


def _standings(context: Context, parameter: ActionParameter, value: Json) -> Iterator[Standing]:
    """How each place is meant where this value is said, and not a longer word of another: "gift card" is no card."""
    ways = _ways(parameter, value)
    others = [way for other in _values(parameter) if other != value for way in _ways(parameter, other)]
    for message in context.evidence.messages:
        longer = [span for way in others for span in _places(message, way)]
        for span in [span for way in ways for span in _places(message, way)]:
            inside = any(s <= span[0] and span[1] <= e and e - s > span[1] - span[0] for s, e in longer)
            if not inside and context.evidence.speaks_of(message, span, context.booking):
                yield _standing(context, message, span)


def _values(parameter: ActionParameter) -> Sequence[Json]:
    return [option for option in parameter.json_schema.get("enum", (True, False)) if option is not None]


def _places(message: Message, way: str) -> list[Span]:
    pattern = re.escape(way).replace(r"\*", r"\w*").replace(r"\ ", r"\W+")
    found = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", message.plain)] if way else []
    return [span for span in found if not inside(span, message.names) and not only_reported(message, span)]


def _standing(context: Context, message: Message, span: Span) -> Standing:
    """A "no" right in front denies a thing: "no refund", "niente rimborso"."""
    if message.cue_before(span, ("NO",), 1) is not None or message.cue_before(span, ("INSTEAD_OF",), 2) is not None:
        return Standing.NEGATED
    meant = context.evidence.meant(message, span)
    if meant in (Standing.REPORTED, Standing.FORMER):
        meant = Standing.SAID
    return Standing.CORRECTED if meant is Standing.SAID and taken_back(context, message, span) else meant
