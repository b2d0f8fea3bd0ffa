"""The critique: a pure pair of functions like a mode. The prompt lists what code has decided as settled; the model
judges the rest. Source: guided reasoning, "Critique Prompt"."""

import re
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from contracts import limits
from contracts.base import Json
from contracts.chat_completion import ChatMessage, Completion, Critique, CritiqueRequest
from contracts.enums import CritiqueDecision
from language.replies.questions import only_confirms
from reasoning.critique.assessment import strip_assessment
from reasoning.critique.verdict import is_qualified
from reasoning.modes import reply_filter
from reasoning.modes.base import Prompt, ToolOffer
from reasoning.modes.brief import critique_brief, fenced
from reasoning.modes.json_repair import loose_object
from reasoning.modes.prompts import template, version
from reasoning.venue_facts import quoting

_DECISIONS = {decision.value: decision for decision in CritiqueDecision}


class UnreadableError(ValueError):
    """The answer is no decision. The error text quotes nothing of it."""


def prompt(request: CritiqueRequest, offer: ToolOffer) -> Prompt:
    """Return the critique prompt. The operator's messages are sent as separate messages, because traces do not show
    those."""
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
    spoken = tuple(ChatMessage(role="user", content=text) for text in reversed(request.operator_messages))
    return Prompt("critique", system, [], spoken, version("critique.j2"))


def _known(request: CritiqueRequest, offer: ToolOffer) -> Iterable[Json]:
    return [step for step in request.steps if step.action_id in offer.actions]


def read(completion: Completion, locale: str) -> Critique:
    """Return the decision. A question is kept as far as an operator may see it. Raises `UnreadableError`: an answer
    that is no decision is a failure, and never a yes."""
    data = loose_object(strip_assessment(completion.text)) or loose_object(completion.text)
    if data is None:
        raise UnreadableError("the critique is no JSON object")
    if _decides_two_things(completion.text):
        raise UnreadableError("the critique decides two things")
    written = str(data.get("decision") or "").strip().casefold().replace(" ", "_").replace("-", "_")
    decision = _DECISIONS.get(written)
    if decision is None:
        raise UnreadableError("the critique names no decision")
    if decision is CritiqueDecision.PROCEED and is_qualified(
        data, _OBJECTS.sub(" ", strip_assessment(completion.text))
    ):
        raise UnreadableError("the critique says yes, and something against it")
    reasoning, message = (_text(data.get(name)) for name in ("reasoning", "message"))
    statement = reply_filter.strip_effect_claims(quoting.strip_venue_claims(message), locale)
    if decision is CritiqueDecision.ASK_USER and not statement.plain:
        raise UnreadableError("the critique wants to ask, and says nothing that may be said")
    asks = decision is CritiqueDecision.ASK_USER
    return Critique(
        decision=decision,
        reasoning=reasoning,
        message=statement.plain,
        only_asks=statement.only_asks,
        # By all that it says: what is left out may be the very reason to ask.
        only_confirmation=asks and only_confirms(reply_filter.strip_effect_claims(message, locale).plain),
    )


def only_asking(critique: Critique, locale: str) -> Critique:
    """Return the critique of a reply that was too unsure of itself: its question, without its statements."""
    if critique.decision is not CritiqueDecision.ASK_USER:
        return critique
    return critique.model_copy(
        update={"message": reply_filter.question_of(critique.message, locale), "only_asks": True}
    )


def _decides_two_things(text: str) -> bool:
    """Return whether a text names more than one decision in any form. If a yes and a no contradict each other, neither
    counts."""
    named = {re.sub(r"[\s_-]+", "", word).casefold() for word in _NAMED.findall(text)}
    beside = _OBJECT.sub(" ", text)
    named |= {word.replace("_", "").casefold() for word in _WORD.findall(beside)} if named else set()
    return len(named) > 1


_NAMED = re.compile(r"""decision["'”’]?\s*[:=]\s*["'“‘]?([a-z]+(?:[ _-]user)?)""", re.IGNORECASE)
_OBJECT = re.compile(r"\{[^{}]*\}")
_OBJECTS = re.compile(r"\{.*\}", re.DOTALL)
_WORD = re.compile(r"\b(?:PROCEED|ASK_USER|ESCALATE)\b")


def _text(value: Json) -> str:
    return limits.sanitize_text(value, limits.QUESTION) if isinstance(value, str) else ""
