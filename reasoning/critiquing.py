"""The second look: a pure pair like a mode. What code has decided stands in the prompt as settled; the rest is asked.
Source: guided reasoning, "Critique Prompt".
"""

import re
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from contracts import bounds
from contracts.assessment import Critique, CritiqueRequest
from contracts.base import Json
from contracts.enums import CritiqueDecision
from contracts.model import ChatMessage, Completion
from language.confirming import only_confirms
from reasoning import quoting, saying
from reasoning.assessment import visible
from reasoning.brief import critique_brief, fenced
from reasoning.loose_json import loose_object
from reasoning.mode import Offer, Prompt
from reasoning.prompting import template, version
from reasoning.wholehearted import doubted

_DECISIONS = {decision.value: decision for decision in CritiqueDecision}


class UnreadableError(ValueError):
    """The answer is no decision. Its text quotes nothing of it."""


def prompt(request: CritiqueRequest, offer: Offer) -> Prompt:
    """What to ask. The operator's words are messages of their own: no trace shows those."""
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    tools = {step.action_id: offer.actions[step.action_id].description for step in _known(request, offer)}
    system = template("critique.j2").render(
        venue=offer.profile,
        brief=fenced(critique_brief(offer.profile, now, request)),
        tools=tools,
        settled=request.settled,
        open=request.open,
        judged=request.assessed.assessment,
    )
    said = tuple(ChatMessage(role="user", content=text) for text in reversed(request.said))
    return Prompt("critique", system, [], said, version("critique.j2"))


def _known(request: CritiqueRequest, offer: Offer) -> Iterable[Json]:
    return [step for step in request.steps if step.action_id in offer.actions]


def read(completion: Completion, locale: str) -> Critique:
    """What was decided. A question is kept as far as it may be said to an operator. Raises `UnreadableError`: anything
    that is no decision is a failure, and never a yes."""
    data = loose_object(visible(completion.text)) or loose_object(completion.text)
    if data is None:
        raise UnreadableError("the critique is no JSON object")
    if _decides_two_things(completion.text):
        raise UnreadableError("the critique decides two things")
    written = str(data.get("decision") or "").strip().casefold().replace(" ", "_").replace("-", "_")
    decision = _DECISIONS.get(written)
    if decision is None:
        raise UnreadableError("the critique names no decision")
    if decision is CritiqueDecision.PROCEED and doubted(data, _OBJECTS.sub(" ", visible(completion.text))):
        raise UnreadableError("the critique says yes, and something against it")
    reasoning, message = (_text(data.get(name)) for name in ("reasoning", "message"))
    words = saying.plain_words(quoting.without_claims(message), locale)
    if decision is CritiqueDecision.ASK_USER and not words.plain:
        raise UnreadableError("the critique wants to ask, and says nothing that may be said")
    asks = decision is CritiqueDecision.ASK_USER
    return Critique(
        decision=decision,
        reasoning=reasoning,
        message=words.plain,
        only_asks=words.only_asks,
        # By all that it says: what is left out may be the very reason to ask.
        only_confirmation=asks and only_confirms(saying.plain_words(message, locale).plain),
    )


def only_asking(critique: Critique, locale: str) -> Critique:
    """A critique of a reply that was too unsure of itself: what it asks, and nothing that it states beside."""
    if critique.decision is not CritiqueDecision.ASK_USER:
        return critique
    return critique.model_copy(update={"message": saying.question_of(critique.message, locale), "only_asks": True})


def _decides_two_things(text: str) -> bool:
    """Whether a text names more than one decision, wherever and however it does: of a yes and a no that stand side by
    side, neither is heard."""
    named = {re.sub(r"[\s_-]+", "", word).casefold() for word in _NAMED.findall(text)}
    beside = _OBJECT.sub(" ", text)
    named |= {word.replace("_", "").casefold() for word in _WORD.findall(beside)} if named else set()
    return len(named) > 1


_NAMED = re.compile(r"""decision["'”’]?\s*[:=]\s*["'“‘]?([a-z]+(?:[ _-]user)?)""", re.IGNORECASE)
_OBJECT = re.compile(r"\{[^{}]*\}")
_OBJECTS = re.compile(r"\{.*\}", re.DOTALL)
_WORD = re.compile(r"\b(?:PROCEED|ASK_USER|ESCALATE)\b")


def _text(value: Json) -> str:
    return bounds.clean(value, bounds.QUESTION) if isinstance(value, str) else ""
