"""Grounds values in an answer to a running plan's question: a value that is not confirmed is sent only if the operator
has just given it, by the same rules as in a draft.

A question may name its parameter; its answer then covers only that one. Yes and no mean nothing without such a
parameter. Of two answers to the same question the later one counts.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.chat_completion import AnswerGiven
from contracts.enums import ParameterRole
from contracts.venue import VenueProfile
from language.extraction import extract
from language.replies import polarity
from language.replies.polarity import denies, only_says, says, words_of
from language.text.invisible import invisible_in
from reasoning.execution import placeholders
from reasoning.grounding.grounding import Ungrounded, ground_arguments

_BY_WORDS = frozenset({ParameterRole.EMAIL, ParameterRole.PHONE, ParameterRole.FIRST_NAME, ParameterRole.LAST_NAME})


def ground_answer(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    confirmed: Mapping[str, Json],
    answers: Sequence[AnswerGiven],
    now: datetime,
    profile: VenueProfile,
) -> dict[str, Json]:
    """Return the arguments beyond the confirmed ones that the answers give, in the form in which they are sent."""
    latest = {answer.parameter: answer.text for answer in answers}
    found: dict[str, Json] = {}
    for name, value in arguments.items():
        parameter = action.parameter(name)
        if parameter is None or value is None or name in confirmed or placeholders.present({name: value}):
            continue
        text = latest.get(name, latest.get(None))
        if text is None:
            continue
        grounded = _grounded_text(action, parameter, value, text, asked=name in latest, now=now, profile=profile)
        if grounded is not None and not (isinstance(grounded, str) and invisible_in(grounded)):
            found[name] = grounded
    return found


def _grounded_text(
    action: AtomicAction,
    parameter: ActionParameter,
    value: Json,
    text: str,
    *,
    asked: bool,
    now: datetime,
    profile: VenueProfile,
) -> Json:
    """Return the value that the answer gives, or None."""
    if isinstance(value, bool):
        return value if asked and _yes_or_no(text) is value else None
    options = [o for o in parameter.json_schema.get("enum", ()) if o is not None]
    if options:
        return value if _chosen(text, options) == [value] else None
    if parameter.role in _BY_WORDS:
        judged = ground_arguments(extract((text,), now, profile), action, {parameter.name: value}, None, {})
        return judged[parameter.name] if not isinstance(judged, Ungrounded) else None
    if isinstance(value, int | float):
        return value if str(value) in re.findall(r"\d+(?:\.\d+)?", text) else None
    return value if isinstance(value, str) and says(text, words_of(value)) else None


def _yes_or_no(text: str) -> bool | None:
    """Read a yes or no. A yes must be the whole answer: "ok, leave it" is neither. A no may be followed by more."""
    if polarity.bare_word(text) is polarity.Word.YES:
        return True
    return False if polarity.bare_word(text) is polarity.Word.NO or denies(text) else None


def _chosen(text: str, options: Sequence[Json]) -> list[Json]:
    """Return the options that an answer names, with nothing else in it: in full, or by a word that no other option
    has."""
    named = {str(o): words_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(o))) for o in options}
    found = []
    for option in options:
        own = named[str(option)]
        others = {word for other, words in named.items() if other != str(option) for word in words}
        ways = [own, ["".join(own)], *([word] for word in own if word not in others)]
        if any(only_says(text, way) for way in ways):
            found.append(option)
    return found
