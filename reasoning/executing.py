"""The mode that carries out a confirmed plan: the call of its next step, or a question for a value that is missing."""

from copy import deepcopy
from datetime import datetime
from zoneinfo import ZoneInfo

from contracts.base import Json
from contracts.enums import StepStatus
from contracts.model import Completion, ModelReply, ReasonRequest, ToolCall, WrittenCall
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile
from reasoning import answers
from reasoning.brief import executing_brief, fenced
from reasoning.confirmed_form import in_confirmed_form
from reasoning.mode import Offer, Prompt
from reasoning.prompting import ASK, BUILTIN_TOOLS, REFUSE, template, text, version
from reasoning.quoting import without_claims
from reasoning.reading import call_of, reply_of


def prompt(request: ReasonRequest, offer: Offer) -> Prompt:
    """See `mode.Mode`."""
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    system = executing_prompt(offer.profile, now, request.intent, request.goal or ())
    return Prompt("execute", system, [*offer.tools, *executing_tools()], version=version("execute.j2"))


def executing_prompt(venue: VenueProfile, now: datetime, intent: str, goal: tuple[PlannedAction, ...]) -> str:
    """The system prompt of a plan being carried out."""
    brief = fenced(executing_brief(venue, now, goal))
    return template("execute.j2").render(venue=venue, brief=brief, intent=intent, ask=ASK, refuse=REFUSE)


def executing_tools() -> tuple[dict[str, Json], ...]:
    """The same two tools for a plan that is carried out: a question then says which parameter its answer fills."""
    ask, refuse = deepcopy(BUILTIN_TOOLS)
    about = text("Name of the parameter that the answer is for. The operator is shown it.")
    ask["function"]["parameters"]["properties"]["parameter"] = about
    return ask, refuse


def read(request: ReasonRequest, offer: Offer, completion: Completion) -> ModelReply:
    """See `mode.Mode`. What the operator's answers bear out is settled here and not in the workflow: the grammar
    behind it changes with deploys, and a replay must not judge anew."""
    reply = reply_of(completion, offer.profile, lambda written: _call(written, request, offer))
    return reply.model_copy(update={"judged": True})


def _call(written: WrittenCall, request: ReasonRequest, offer: Offer) -> ToolCall:
    confirmed = _confirmed(written.name, request.goal or ())
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    call = call_of(
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
    filled = answers.borne_out(action, call.arguments, confirmed, request.answers, now, offer.profile)
    return call.model_copy(update={"filled": filled})


def _asked(call: ToolCall) -> ToolCall:
    """A question without what it states of the venue."""
    said = str(call.arguments.get("question") or "")
    asks = without_claims(said)
    if said.strip() and not asks:
        return call.model_copy(update={"problems": ("Ask a question, and state nothing about the venue.",)})
    return call.model_copy(update={"arguments": {**call.arguments, "question": asks}}) if asks != said.strip() else call


def _confirmed(name: str, goal: tuple[PlannedAction, ...]) -> dict[str, Json]:
    open_steps = (a for a in goal if a.action_id == name and a.status in (StepStatus.PENDING, StepStatus.RUNNING))
    return next((a.parameters for a in open_steps), {})
