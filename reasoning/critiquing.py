"""The second look: a pure pair like a mode. What code has decided stands in the prompt as settled; the rest is asked.
Source: guided reasoning, "Critique Prompt".
"""

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
from reasoning.loose_json import loose_object, loose_objects
from reasoning.mode import Offer, Prompt
from reasoning.prompting import template

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
    return Prompt("critique", system, [], said)


def _known(request: CritiqueRequest, offer: Offer) -> Iterable[Json]:
    return [step for step in request.steps if step.action_id in offer.actions]


def read(completion: Completion, locale: str) -> Critique:
    """What was decided. A question is kept as far as it may be said to an operator. Raises `UnreadableError`: anything
    that is no decision is a failure, and never a yes."""
    data = loose_object(visible(completion.text)) or loose_object(completion.text)
    if data is None:
        raise UnreadableError("the critique is no JSON object")
    if len({str(one["decision"]) for one in loose_objects(completion.text) if "decision" in one}) > 1:
        raise UnreadableError("the critique decides two things")
    written = str(data.get("decision") or "").strip().casefold().replace(" ", "_").replace("-", "_")
    decision = _DECISIONS.get(written)
    if decision is None:
        raise UnreadableError("the critique names no decision")
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


def _text(value: Json) -> str:
    return bounds.clean(value, bounds.QUESTION) if isinstance(value, str) else ""
