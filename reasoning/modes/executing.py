"""The mode that runs a confirmed plan: the call of its next step, or a question for a missing value."""

from copy import deepcopy
from datetime import datetime
from zoneinfo import ZoneInfo

from contracts.base import Json
from contracts.chat_completion import Completion, ModelReply, RawToolCall, ReasonRequest, ToolCall
from contracts.enums import StepStatus
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile
from reasoning.execution.confirmed_form import in_confirmed_form
from reasoning.grounding import answers
from reasoning.modes.base import Prompt, ToolOffer
from reasoning.modes.brief import executing_brief, fenced
from reasoning.modes.prompts import ASK, BUILTIN_TOOLS, REFUSE, template, text, version
from reasoning.modes.tool_calls import parse_call, parse_reply
from reasoning.venue_facts.quoting import strip_venue_claims


def prompt(request: ReasonRequest, offer: ToolOffer) -> Prompt:
    """See `mode.Mode`."""
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    system = executing_prompt(offer.profile, now, request.intent, request.goal or ())
    return Prompt("execute", system, [*offer.tools, *executing_tools()], version=version("execute.j2"))


def executing_prompt(venue: VenueProfile, now: datetime, intent: str, goal: tuple[PlannedAction, ...]) -> str:
    """Return the system prompt of a running plan."""
    brief = fenced(executing_brief(venue, now, goal))
    return template("execute.j2").render(venue=venue, brief=brief, intent=intent, ask=ASK, refuse=REFUSE)


def executing_tools() -> tuple[dict[str, Json], ...]:
    """Return the same two tools for a running plan: a question then names the parameter that its answer fills."""
    ask, refuse = deepcopy(BUILTIN_TOOLS)
    about = text("Name of the parameter that the answer is for. The operator is shown it.")
    ask["function"]["parameters"]["properties"]["parameter"] = about
    return ask, refuse


def read(request: ReasonRequest, offer: ToolOffer, completion: Completion) -> ModelReply:
    """See `mode.Mode`. The operator's answers are grounded here and not in the workflow, because the grammar changes
    with deploys and a replay must not classify again."""
    reply = parse_reply(completion, offer.profile, lambda written: _call(written, request, offer))
    return reply


def _call(written: RawToolCall, request: ReasonRequest, offer: ToolOffer) -> ToolCall:
    confirmed = _confirmed(written.name, request.goal or ())
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    call = parse_call(
        written,
        offer,
        confirmed,
        lambda action, given: in_confirmed_form(action, given, confirmed, now, offer.profile),
    )
    if call.name == ASK and not call.problems:
        return _asked(call)
    action = offer.actions.get(call.name)
    if action is None or not request.answers:
        return call
    filled = answers.ground_answer(action, call.arguments, confirmed, request.answers, now, offer.profile)
    return call.model_copy(update={"filled": filled})


def _asked(call: ToolCall) -> ToolCall:
    """Return a question without its statements about the venue."""
    text = str(call.arguments.get("question") or "")
    asks = strip_venue_claims(text)
    if text.strip() and not asks:
        return call.model_copy(update={"problems": ("Ask a question, and state nothing about the venue.",)})
    return call.model_copy(update={"arguments": {**call.arguments, "question": asks}}) if asks != text.strip() else call


def _confirmed(name: str, goal: tuple[PlannedAction, ...]) -> dict[str, Json]:
    open_steps = (a for a in goal if a.action_id == name and a.status in (StepStatus.PENDING, StepStatus.RUNNING))
    return next((a.parameters for a in open_steps), {})
