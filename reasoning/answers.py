"""What an answer to a running plan's question bears out: a value that nobody confirmed is sent only if the operator
has just said it, by the same rules as in a draft.

A question may name the parameter that it is about; its answer then speaks of that one alone. Yes and no mean nothing
without such a subject. Of two answers to the same question the later one counts.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.enums import ParameterRole
from contracts.model import GivenAnswer
from contracts.venue import VenueProfile
from language import assent
from language.invisible import invisible_in
from language.polarity import denies, only_says, says, words_of
from reasoning import placeholders
from reasoning.grounding import Grounded, Words

_BY_WORDS = frozenset({ParameterRole.EMAIL, ParameterRole.PHONE, ParameterRole.FIRST_NAME, ParameterRole.LAST_NAME})


def borne_out(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    confirmed: Mapping[str, Json],
    answers: Sequence[GivenAnswer],
    now: datetime,
    profile: VenueProfile,
) -> dict[str, Json]:
    """The arguments beyond the confirmed ones that the answers say, in the form in which they are sent."""
    latest = {answer.parameter: answer.text for answer in answers}
    found: dict[str, Json] = {}
    for name, value in arguments.items():
        parameter = action.parameter(name)
        if parameter is None or value is None or name in confirmed or placeholders.present({name: value}):
            continue
        text = latest.get(name, latest.get(None))
        if text is None:
            continue
        said = _said(action, parameter, value, text, asked=name in latest, now=now, profile=profile)
        if said is not None and not (isinstance(said, str) and invisible_in(said)):
            found[name] = said
    return found


def _said(
    action: AtomicAction,
    parameter: ActionParameter,
    value: Json,
    text: str,
    *,
    asked: bool,
    now: datetime,
    profile: VenueProfile,
) -> Json:
    """The value as the answer says it, or None."""
    if isinstance(value, bool):
        return value if asked and _yes_or_no(text) is value else None
    options = [o for o in parameter.json_schema.get("enum", ()) if o is not None]
    if options:
        return value if _chosen(text, options) == [value] else None
    if parameter.role in _BY_WORDS:
        judged = Words((text,), now, profile).ground(action, {parameter.name: value}, None, {})
        return judged.arguments[parameter.name] if isinstance(judged, Grounded) else None
    if isinstance(value, int | float):
        return value if str(value) in re.findall(r"\d+(?:\.\d+)?", text) else None
    return value if isinstance(value, str) and says(text, words_of(value)) else None


def _yes_or_no(text: str) -> bool | None:
    """A yes is the whole answer or none at all: "ok, leave it" is neither. A no may say more."""
    if assent.bare_word(text) is assent.Word.YES:
        return True
    return False if assent.bare_word(text) is assent.Word.NO or denies(text) else None


def _chosen(text: str, options: Sequence[Json]) -> list[Json]:
    """The options that an answer names and says nothing else of: in full, or by a word that no other option has."""
    named = {str(o): words_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(o))) for o in options}
    found = []
    for option in options:
        own = named[str(option)]
        others = {word for other, words in named.items() if other != str(option) for word in words}
        ways = [own, ["".join(own)], *([word] for word in own if word not in others)]
        if any(only_says(text, way) for way in ways):
            found.append(option)
    return found
