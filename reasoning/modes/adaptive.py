"""The mode that plans with little context: tool names, the last messages, and the context that the model requests. The
model assesses its own reply, and code decides whether a critique follows. Source: guided reasoning, "Adaptive Mode"."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from contracts.base import Json
from contracts.chat_completion import ChatMessage, ModelReply, ParsedAssessment, ReasonRequest, ToolCall
from contracts.enums import AiMode, CritiqueTrigger, ParameterRole
from language.replies.message_reading import small_talk
from language.requests.conditions import on_a_condition
from reasoning.critique import assessment, triggers
from reasoning.drafting.step_templates import expand_templates
from reasoning.modes import planning, reply_filter
from reasoning.modes.base import Prompt, ToolOffer
from reasoning.modes.planning import ARRANGE_TOOL, FIND_TOOLS, FIND_TOOLS_TOOL, RESOLVE_WHEN, RESOLVE_WHEN_TOOL
from reasoning.modes.prompts import ASK, BUILTIN_TOOLS, REFUSE, fenced, planning_brief, template, version
from reasoning.venue_facts import quoting
from reasoning.venue_facts.entries import SCHEMA, facts_by_key, requested_schemas, split_known

_RECENT = 5
"""Messages, including the current one."""
_ANNOUNCED = "announced"
"""The id of a look-up that an assessment announces: it is no call of the protocol."""


def prompt(request: ReasonRequest, offer: ToolOffer) -> Prompt:
    """See `mode.Mode`."""
    fetched, idle = requested_schemas(request.fetched), _only_small_talk(request)
    tools = [tool for action, tool in zip(offer.visible, offer.tools, strict=True) if action.name in fetched]
    messages = [m.content for m in request.messages if m.role == "user"]
    arrange = [ARRANGE_TOOL] if any(on_a_condition(text) for text in messages) else []
    when = [RESOLVE_WHEN_TOOL] if RESOLVE_WHEN in fetched else []
    more = [FIND_TOOLS_TOOL] if offer.others else []
    system = template("adaptive.j2").render(
        venue=offer.profile,
        known=offer.knowledge,
        brief=fenced(_brief(request, offer, idle=idle)),
        context=request.context,
        unknown=_unknown(request, offer),
        others="" if idle else offer.others,
        ask=ASK,
        refuse=REFUSE,
        find=FIND_TOOLS,
        schema=SCHEMA,
        seen=bool(fetched),
        idle=idle,
        search=_search(request, offer),
        instructions="ai_instructions" in request.fetched,
    )
    sent = [] if idle else [*tools, *BUILTIN_TOOLS, *arrange, *when, *more]
    return Prompt("plan", system, sent, recent(request.messages), version("adaptive.j2"))


def _only_small_talk(request: ReasonRequest) -> bool:
    """Return whether the message is a greeting or thanks and nothing else: it needs no tool and no rule about any."""
    last = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
    return not request.fetched and small_talk(last) is not None


def _brief(request: ReasonRequest, offer: ToolOffer, *, idle: bool) -> dict[str, Json]:
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    reads = [a.name for a in offer.visible if a.read_only]
    can = [a.title for a in offer.visible if not a.read_only and not a.steps]
    known = facts_by_key(offer.profile, offer.knowledge)
    there, _ = split_known(request.fetched, known, ())
    brief = planning_brief(offer.profile, now, [] if idle else [*reads, RESOLVE_WHEN], request.context, can)
    brief["mode"] = AiMode.ADAPTIVE.value
    if idle:
        return brief
    own: dict[str, Json] = {
        "tools": [a.name for a in offer.visible if not a.read_only],
        "more": [key for key in known if key not in there],
        "context": {key: known[key] for key in there},
        "search": _search(request, offer),
    }
    return {**brief, **{name: value for name, value in own.items() if value}}


def _search(request: ReasonRequest, offer: ToolOffer) -> dict[str, Json]:
    """Return the look-up that finds bookings by words, and its parameter for them, while its schema is not shown; {} if
    there is none."""
    found = [(a, p) for a in offer.visible if a.read_only for p in a.with_role(ParameterRole.SEARCH)]
    if not found or found[0][0].output.candidates is None or found[0][0].name in requested_schemas(request.fetched):
        return {}
    return {"tool": found[0][0].name, "words": found[0][1].name}


def _announced(
    request: ReasonRequest, offer: ToolOffer, reply: ModelReply, assessed: ParsedAssessment
) -> ToolCall | None:
    """Return the search that a reply without calls announces in its assessment, so that it can run while the model gets
    the schemas that it requests. Only a trusted, confident assessment announces one, and only words are searched."""
    judged, search = assessed.assessment, _search(request, offer)
    if judged is None or reply.tool_calls or not search or request.context.looked_up:
        return None
    if not assessed.trusted or judged.confidence < triggers.SURE or judged.tool_call != search["tool"]:
        return None
    call = ToolCall(id=_ANNOUNCED, name=judged.tool_call, arguments=judged.tool_params)
    call = planning.checked_call(call, offer)
    return None if call.problems or set(call.arguments) != {search["words"]} else call


def _unknown(request: ReasonRequest, offer: ToolOffer) -> tuple[str, ...]:
    """Return the requested keys that do not exist."""
    known = facts_by_key(offer.profile, offer.knowledge)
    return split_known(request.fetched, known, {*offer.actions, RESOLVE_WHEN})[1]


def recent(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return the last five messages before any look-up of this turn, and all since. A request that is still open
    through questions is not cut."""
    last = max((index for index, m in enumerate(messages) if m.role == "user"), default=0)
    start = max(0, last - _RECENT + 1)
    while start > 1 and messages[start].role == "assistant":
        start -= 1
    while start > 1 and messages[start - 1].content.rstrip().endswith("?"):
        start -= 2
    return tuple(messages[max(start, 0) :])


def read(request: ReasonRequest, offer: ToolOffer, completion: ModelReply) -> ModelReply:
    """See `mode.Mode`. Requested context, or the schema of a tool called without it, is fetched first."""
    parsed = assessment.parse_assessment(completion.text)
    reply = planning.reply_in(completion, offer)
    assessed = assessment.check_consistency(parsed.assessed, reply.tool_calls, _filled(offer))
    known, tools = facts_by_key(offer.profile, offer.knowledge), {*offer.actions, RESOLVE_WHEN}
    announced = _announced(request, offer, reply, assessed)
    unseen = [] if announced else _unseen(request, offer, reply, assessed)
    requested = [key for key in (*parsed.asks_for, *unseen) if key not in request.fetched]
    wants, unknown = split_known(requested, known, tools)
    judged = quoting.quote_venue(expand_templates(reply, offer), request, offer)
    if triggers.below_threshold(assessed):
        judged = reply_filter.question_only(judged, offer.profile.locale)
    return judged.model_copy(
        update={
            "mode": AiMode.ADAPTIVE,
            "assessed": assessed,
            "wants": tuple(key for key in wants if key not in request.fetched),
            "unknown": unknown,
            "look_up": announced,
            "triggers": _triggers(judged, offer, assessed),
        }
    )


def _filled(offer: ToolOffer) -> dict[str, dict[str, Json]]:
    """Return what the core fills in where a call omits it, by tools: defaults of the API document and of the venue."""
    found: dict[str, dict[str, Json]] = {}
    for name, action in offer.actions.items():
        schemas = {p.name: p.json_schema for p in action.parameters}
        own = {p: schema["default"] for p, schema in schemas.items() if schema.get("default") is not None}
        found[name] = own | {p: value for p, value in offer.profile.defaults.items() if p in schemas}
    return found


def _unseen(request: ReasonRequest, offer: ToolOffer, reply: ModelReply, assessed: ParsedAssessment) -> list[str]:
    """Return the schemas of tools that the model calls, or announces, without having received them."""
    named = assessed.assessment.tool_call if assessed.assessment is not None else None
    asks = any(call.kind == "builtin" for call in reply.tool_calls) or reply.text.rstrip().endswith("?")
    names = [call.name for call in reply.tool_calls if call.name in offer.actions or call.name == RESOLVE_WHEN]
    names += [named] if named is not None and named in offer.actions and not reply.tool_calls and not asks else []
    seen = requested_schemas(request.fetched)
    return [f"{SCHEMA}{name}" for name in dict.fromkeys(names) if name not in seen]


def _triggers(reply: ModelReply, offer: ToolOffer, assessed: ParsedAssessment) -> tuple[CritiqueTrigger, ...]:
    changes = [call for call in reply.tool_calls if call.kind == "write"]
    known = [(call, offer.actions[call.name]) for call in changes if call.name in offer.actions]
    return triggers.triggers(
        triggers.classify_calls(reply.tool_calls),
        destroys=any(triggers.destructive(action) for _, action in known),
        lacks=any(lacking(call, offer) for call, _ in known),
        assessed=assessed,
    )


def lacking(call: ToolCall, offer: ToolOffer) -> tuple[str, ...]:
    """Return the required parameters that a call omits."""
    action = offer.actions.get(call.name)
    needed = [p.name for p in action.parameters if p.required] if action is not None else []
    return tuple(name for name in needed if call.arguments.get(name) in (None, ""))
