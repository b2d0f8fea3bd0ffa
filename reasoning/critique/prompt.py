"""The critique: a pure pair of functions like a mode. The prompt lists what code has decided as settled; the model
judges the rest. Source: guided reasoning, "Critique Prompt".

A yes is accepted only if nothing else in the answer speaks against it. Surrounding text, a failed check of its own, a
question, or another decision in its reasons may each revoke it. Code cannot judge that, so none of them is a yes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from zoneinfo import ZoneInfo

from contracts import limits
from contracts.base import Json
from contracts.chat_completion import ChatMessage, Critique, CritiqueRequest, ModelReply
from contracts.enums import CritiqueDecision
from language.locales import alternatives, in_all
from language.replies.polarity import negated
from language.replies.questions import only_confirms
from reasoning.critique.assessment import strip_assessment
from reasoning.modes import reply_filter
from reasoning.modes.base import Prompt, ToolOffer
from reasoning.modes.json_repair import loose_object
from reasoning.modes.prompts import critique_brief, fenced, template, version
from reasoning.venue_facts import quoting

_OTHER = re.compile(rf"\b(?:ASK_USER|ESCALATE)\b|{alternatives('critique', 'ESCALATES')}", re.I)
_FENCE = re.compile(r"```\w*")
_LEAD = re.compile(
    rf"^\W*(?:(?:{alternatives('critique', 'HERE_IS')})\W+)?(?:(?:{alternatives('critique', 'MY')})\s+)*"
    rf"(?:{alternatives('critique', 'DECISION')})?\W*$",
    re.IGNORECASE,
)
_COURTESY = 3
_DOUBT = re.compile(rf"\b(?:{alternatives('critique', 'DOUBT')})\b", re.IGNORECASE)
_CHECK = re.compile(alternatives("critique", "CHECK"), re.IGNORECASE)
_FAILED = frozenset(("✗",)).union(*in_all("critique", "FAILED"))


def is_qualified(data: Mapping[str, Json], beside: str) -> bool:
    """Return whether anything in or beside an answer that decides to proceed speaks against it."""
    lines = [value for name, value in data.items() if name != "decision" for value in _texts(value)]
    sentences = [sentence for text in lines for sentence in re.split(r"(?<=[.;!?])\s+", text)]
    if any(_OTHER.search(sentence) and not negated(sentence) for sentence in sentences):
        return True
    message = data.get("message")
    if isinstance(message, str) and message.rstrip().endswith("?") and not only_confirms(message):
        return True
    return _says_more(_FENCE.sub(" ", beside)) or any(_fails(name, value) for name, value in _rows(data))


def _says_more(beside: str) -> bool:
    """Return whether words around an answer are more than a lead-in or a courtesy. Code cannot judge what such words
    mean."""
    if _LEAD.match(beside):
        return False
    return len(re.findall(r"[^\W_]+", beside)) > _COURTESY or negated(beside) or bool(_DOUBT.search(beside))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _rows(data: Mapping[str, Json], above: str = "") -> Iterator[tuple[str, Json]]:
    for name, value in data.items():
        inner = value if isinstance(value, list) else [value]
        for row in inner:
            if isinstance(row, dict):
                yield from _rows(row, f"{above} {name}")
            else:
                yield f"{above} {name}", row


def _fails(name: str, value: Json) -> bool:
    denied = value is False or (isinstance(value, str) and value.strip().casefold() in _FAILED)
    return denied and bool(_CHECK.search(name))


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


def read(completion: ModelReply, locale: str) -> Critique:
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
