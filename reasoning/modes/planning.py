"""The mode that plans: the operator's words become look-ups, a plan's steps, a question or a refusal."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter, ValidationError

from contracts.base import Json
from contracts.chat_completion import ChatMessage, ModelReply, PlanningContext, ReasonRequest, ToolCall
from contracts.drafting import StepDependency
from contracts.venue import VenueKnowledge, VenueProfile
from language.requests.conditions import on_a_condition
from reasoning.drafting.step_templates import expand_templates
from reasoning.modes.base import Prompt, ToolOffer, parse_call, parse_reply
from reasoning.modes.prompts import (
    ARRANGE,
    ASK,
    BUILTIN_TOOLS,
    REFUSE,
    fenced,
    planning_brief,
    template,
    text,
    tool,
    version,
)
from reasoning.venue_facts.entries import facts_by_key
from reasoning.venue_facts.quoting import quote_venue

RESOLVE_WHEN = "resolve_when"
"""The look-up that works out what a phrase about days and times means at this venue."""

RESOLVE_WHEN_TOOL = tool(
    RESOLVE_WHEN,
    "Look up which day and time the operator's own words mean at this venue, instead of counting days yourself. Runs "
    "at once, like the other look-ups. Tells when the words are vague, ambiguous or not understood: then ask the "
    "operator.",
    "text",
    text=text("The phrase exactly as the operator wrote it."),
)

FIND_TOOLS = "find_tools"
"""The look-up that finds more tools where a venue has too many to send them all."""

FIND_TOOLS_TOOL = tool(
    FIND_TOOLS,
    "Look up further tools by the thing that they are about. Those that are found are sent with your next turn.",
    "about",
    about=text("One thing, and what to do with it, in a few words: voucher, cancel a membership."),
)


ARRANGE_TOOL = tool(
    ARRANGE,
    "Say, in the same reply as the steps, which of them depend on how another goes. Only for what the operator said: "
    "“if there is no room, 5pm instead” is a second step with only_if_failed; “if possible” makes a step optional.",
    "steps",
    steps={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "step": {"type": "integer", "description": "Its place among the steps of this reply, from 1."},
                "optional": {"type": "boolean", "description": "The plan goes on without it."},
                "only_if_failed": {"type": "integer", "description": "Done only if this earlier step is refused."},
                "only_if_done": {"type": "integer", "description": "Done only if this earlier step works."},
            },
            "required": ["step"],
            "additionalProperties": False,
        },
    },
)


def looked_for(messages: Iterable[ChatMessage]) -> list[str]:
    """Return what tools a chat has searched for, in order."""
    calls = (call for message in messages for call in message.tool_calls if call.name == FIND_TOOLS)
    return [str(call.arguments.get("about") or "") for call in calls if not call.problems]


def prompt(request: ReasonRequest, offer: ToolOffer) -> Prompt:
    """See `mode.Mode`."""
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    reads = [a.name for a in offer.visible if a.read_only]
    can = [a.title for a in offer.visible if not a.read_only and not a.steps]
    system = planning_prompt(offer.profile, now, reads, request.context, offer.others, can, offer.knowledge)
    more = [FIND_TOOLS_TOOL] if offer.others else []
    # Without such words there is nothing to arrange, and the tool is not sent.
    messages = [m.content for m in request.messages if m.role == "user"]
    arrange = [ARRANGE_TOOL] if any(on_a_condition(text) for text in messages) else []
    sent = [*offer.tools, *BUILTIN_TOOLS, *arrange, RESOLVE_WHEN_TOOL, *more]
    return Prompt("plan", system, sent, version=version("plan.j2"))


def planning_prompt(
    venue: VenueProfile,
    now: datetime,
    reads: Sequence[str],
    context: PlanningContext,
    others: str = "",
    can: Sequence[str] = (),
    knowledge: VenueKnowledge = VenueKnowledge(),
) -> str:
    """Return the system prompt of a planning turn. `now` is local to the venue; `others` lists the actions whose
    schemas are not sent, a line a resource; `can` names what can be changed, in the venue's language; `knowledge` is
    all that may be stated about the venue."""
    known = facts_by_key(venue, knowledge) if knowledge != VenueKnowledge() else {}
    brief = fenced({**planning_brief(venue, now, reads, context, can), **({"context": known} if known else {})})
    return template("plan.j2").render(
        venue=venue,
        brief=brief,
        context=context,
        others=others,
        can=can,
        ask=ASK,
        refuse=REFUSE,
        find=FIND_TOOLS,
        known=known,
    )


def read(request: ReasonRequest, offer: ToolOffer, completion: ModelReply) -> ModelReply:
    """See `mode.Mode`."""
    return quote_venue(expand_templates(reply_in(completion, offer), offer), request, offer)


def reply_in(completion: ModelReply, offer: ToolOffer) -> ModelReply:
    """Return a planning reply, each call checked, templates as they were called."""
    return parse_reply(completion, offer.profile, lambda written: checked_call(written, offer))


def checked_call(written: ToolCall, offer: ToolOffer) -> ToolCall:
    """Return a call of a planning turn, with its kind and its problems."""
    if written.name not in (RESOLVE_WHEN, FIND_TOOLS, ARRANGE):
        return parse_call(written, offer, {})
    problems = list(written.problems)
    if written.name == ARRANGE:
        problems = problems or _misarranged(written.arguments)
    kind = "builtin" if written.name == ARRANGE else "read"
    return written.model_copy(update={"problems": tuple(problems), "kind": kind})


_ARRANGED = TypeAdapter(tuple[StepDependency, ...])


def arrangements_of(arguments: Mapping[str, Json]) -> tuple[StepDependency, ...]:
    """Return the content of a call of `ARRANGE_TOOL`. Raises `pydantic.ValidationError`."""
    return _ARRANGED.validate_python(arguments.get("steps"))


def _misarranged(arguments: Mapping[str, Json]) -> list[str]:
    try:
        arrangements_of(arguments)
    except ValidationError as wrong:
        return [f"{ARRANGE}: {error['loc']}: {error['msg']}" for error in wrong.errors()[:5]]
    return []
