"""The mode that plans with little: names of tools, the last messages, and what the model asks to see beside. It judges
its own reply, and code decides whether that is looked at a second time. Source: guided reasoning, "Adaptive Mode".
"""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from contracts.assessment import Assessed
from contracts.base import Json
from contracts.enums import AiMode, CritiqueTrigger
from contracts.model import ChatMessage, Completion, ModelReply, ReasonRequest, ToolCall
from language.conditions import on_a_condition
from reasoning import assessment, critique, planning, quoting, saying
from reasoning.brief import fenced, planning_brief
from reasoning.knowing import SCHEMA, entries, schemas_in, sorted_out
from reasoning.mode import Offer, Prompt
from reasoning.planning import ARRANGE_TOOL, FIND_TOOLS, FIND_TOOLS_TOOL, RESOLVE_WHEN, RESOLVE_WHEN_TOOL
from reasoning.prompting import ASK, BUILTIN_TOOLS, REFUSE, template, version
from reasoning.templates import spelt_out

_RECENT = 5
"""Messages, the one at hand included."""


def prompt(request: ReasonRequest, offer: Offer) -> Prompt:
    """See `mode.Mode`."""
    fetched = schemas_in(request.fetched)
    tools = [tool for action, tool in zip(offer.sent, offer.tools, strict=True) if action.name in fetched]
    said = [m.content for m in request.messages if m.role == "user"]
    arrange = [ARRANGE_TOOL] if any(on_a_condition(text) for text in said) else []
    when = [RESOLVE_WHEN_TOOL] if RESOLVE_WHEN in fetched else []
    more = [FIND_TOOLS_TOOL] if offer.others else []
    system = template("adaptive.j2").render(
        venue=offer.profile,
        known=offer.knowledge,
        brief=fenced(_brief(request, offer)),
        context=request.context,
        unknown=_unknown(request, offer),
        others=offer.others,
        ask=ASK,
        refuse=REFUSE,
        find=FIND_TOOLS,
        schema=SCHEMA,
        seen=bool(fetched),
        instructions="ai_instructions" in request.fetched,
    )
    sent = [*tools, *BUILTIN_TOOLS, *arrange, *when, *more]
    return Prompt("plan", system, sent, recent(request.messages), version("adaptive.j2"))


def _brief(request: ReasonRequest, offer: Offer) -> dict[str, Json]:
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    reads = [a.name for a in offer.sent if a.read_only]
    can = [a.title for a in offer.sent if not a.read_only and not a.steps]
    known = entries(offer.profile, offer.knowledge)
    there, _ = sorted_out(request.fetched, known, ())
    brief = planning_brief(offer.profile, now, [*reads, RESOLVE_WHEN], request.context, can)
    own: dict[str, Json] = {
        "mode": AiMode.ADAPTIVE.value,
        "tools": [a.name for a in offer.sent if not a.read_only],
        "more": [key for key in known if key not in there],
        "context": {key: known[key] for key in there},
    }
    return {**brief, **{name: value for name, value in own.items() if value}}


def _unknown(request: ReasonRequest, offer: Offer) -> tuple[str, ...]:
    """What was asked for and is not there."""
    known = entries(offer.profile, offer.knowledge)
    return sorted_out(request.fetched, known, {*offer.actions, RESOLVE_WHEN})[1]


def recent(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """The last five messages before any look-up of this turn, and all of it since; of a request that is still open
    through questions nothing is cut off."""
    last = max((place for place, m in enumerate(messages) if m.role == "user"), default=0)
    start = max(0, last - _RECENT + 1)
    while start > 1 and messages[start].role == "assistant":
        start -= 1
    while start > 1 and messages[start - 1].content.rstrip().endswith("?"):
        start -= 2
    return tuple(messages[max(start, 0) :])


def read(request: ReasonRequest, offer: Offer, completion: Completion) -> ModelReply:
    """See `mode.Mode`. What it asks to see, or calls without having seen how, is wanted first."""
    said = assessment.parsed(completion.text)
    reply = planning.reply_in(completion, offer)
    assessed = assessment.held_against(said.assessed, reply.tool_calls, _filled(offer))
    known, tools = entries(offer.profile, offer.knowledge), {*offer.actions, RESOLVE_WHEN}
    asked = [key for key in (*said.asks_for, *_unseen(request, offer, reply, assessed)) if key not in request.fetched]
    wants, unknown = sorted_out(asked, known, tools)
    judged = quoting.quoted(spelt_out(reply, offer), request, offer)
    if critique.too_unsure(assessed):
        judged = saying.only_asking(judged, offer.profile.locale)
    return judged.model_copy(
        update={
            "mode": AiMode.ADAPTIVE,
            "assessed": assessed,
            "wants": tuple(key for key in wants if key not in request.fetched),
            "unknown": unknown,
            "triggers": _triggers(judged, offer, assessed),
        }
    )


def _filled(offer: Offer) -> dict[str, dict[str, Json]]:
    """What the core fills in where a call leaves it out, by tools: defaults of the document, and of the venue."""
    found: dict[str, dict[str, Json]] = {}
    for name, action in offer.actions.items():
        schemas = {p.name: p.json_schema for p in action.parameters}
        own = {p: schema["default"] for p, schema in schemas.items() if schema.get("default") is not None}
        found[name] = own | {p: value for p, value in offer.profile.defaults.items() if p in schemas}
    return found


def _unseen(request: ReasonRequest, offer: Offer, reply: ModelReply, assessed: Assessed) -> list[str]:
    """The schemas of tools that it calls, or says that it would, without having seen them."""
    named = assessed.assessment.tool_call if assessed.assessment is not None else None
    asks = any(call.kind == "builtin" for call in reply.tool_calls) or reply.text.rstrip().endswith("?")
    names = [call.name for call in reply.tool_calls if call.name in offer.actions or call.name == RESOLVE_WHEN]
    names += [named] if named is not None and named in offer.actions and not reply.tool_calls and not asks else []
    seen = schemas_in(request.fetched)
    return [f"{SCHEMA}{name}" for name in dict.fromkeys(names) if name not in seen]


def _triggers(reply: ModelReply, offer: Offer, assessed: Assessed) -> tuple[CritiqueTrigger, ...]:
    changes = [call for call in reply.tool_calls if call.kind == "write"]
    known = [(call, offer.actions[call.name]) for call in changes if call.name in offer.actions]
    return critique.triggers(
        critique.called(reply.tool_calls),
        destroys=any(critique.destructive(action) for _, action in known),
        lacks=any(lacking(call, offer) for call, _ in known),
        assessed=assessed,
    )


def lacking(call: ToolCall, offer: Offer) -> tuple[str, ...]:
    """The required parameters that a call leaves out."""
    action = offer.actions.get(call.name)
    needed = [p.name for p in action.parameters if p.required] if action is not None else []
    return tuple(name for name in needed if call.arguments.get(name) in (None, ""))
