"""The mode that plans: the operator's words to look-ups, a plan's steps, a question or a refusal."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from contracts import bounds
from contracts.model import ChatMessage, Completion, ModelReply, PlanningContext, ReasonRequest, ToolCall, WrittenCall
from contracts.venue import VenueProfile
from reasoning.brief import fenced, planning_brief
from reasoning.mode import Offer, Prompt
from reasoning.prompting import ASK, BUILTIN_TOOLS, REFUSE, template, text, tool
from reasoning.reading import call_of, reply_of

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


def looked_for(messages: Iterable[ChatMessage]) -> list[str]:
    """What tools were looked for in a chat, in order."""
    calls = (call for message in messages for call in message.tool_calls if call.name == FIND_TOOLS)
    return [str(call.arguments.get("about") or "") for call in calls if not call.problems]


def prompt(request: ReasonRequest, offer: Offer) -> Prompt:
    """See `mode.Mode`."""
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    reads = [a.name for a in offer.sent if a.read_only]
    can = [a.title for a in offer.sent if not a.read_only]
    system = planning_prompt(offer.profile, now, reads, request.context, offer.others, can)
    more = [FIND_TOOLS_TOOL] if offer.others else []
    return Prompt("plan", system, [*offer.tools, *BUILTIN_TOOLS, RESOLVE_WHEN_TOOL, *more])


def planning_prompt(
    venue: VenueProfile,
    now: datetime,
    reads: Sequence[str],
    context: PlanningContext,
    others: str = "",
    can: Sequence[str] = (),
) -> str:
    """The system prompt of a planning turn. `now` is local to the venue; `others` tells what there is beside the
    actions whose schemas are sent, a line a resource; `can` names what can be changed, in the venue's language."""
    brief = fenced(planning_brief(venue, now, reads, context, can))
    return template("plan.j2").render(
        venue=venue, brief=brief, context=context, others=others, can=can, ask=ASK, refuse=REFUSE, find=FIND_TOOLS
    )


def read(request: ReasonRequest, offer: Offer, completion: Completion) -> ModelReply:
    """See `mode.Mode`."""
    return reply_of(completion, offer.profile, lambda written: _call(written, offer))


def _call(written: WrittenCall, offer: Offer) -> ToolCall:
    if written.name not in (RESOLVE_WHEN, FIND_TOOLS):
        return call_of(written, offer, {})
    arguments, problems = bounds.arguments(written.arguments)
    return ToolCall(id=written.id, name=written.name, arguments=arguments, problems=tuple(problems), kind="read")
