"""The mode that runs a confirmed plan: the call of its next step, or a question for a missing value.

Confirmed values that a model writes in another form ("twelve" for 12, "28/11/2026" for 2026-11-28) are converted to
the form in which they were confirmed. The confirmed value is known, so the rules for operators' words only check
whether the model's text grounds it. Otherwise the value stays as it is, and the guard judges it
(`reasoning/execution/guard.py`).
"""

from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime
from zoneinfo import ZoneInfo

from contracts import limits
from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.chat_completion import ModelReply, ReasonRequest, ToolCall
from contracts.enums import ParameterRole, StepStatus
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile
from language.extraction import extract
from language.extraction.mention import MentionKind
from reasoning.execution.guard import same_meaning
from reasoning.grounding import answers
from reasoning.grounding.grounding import Ungrounded, ground_arguments
from reasoning.modes.base import Prompt, ToolOffer, parse_call, parse_reply
from reasoning.modes.prompts import ASK, BUILTIN_TOOLS, REFUSE, executing_brief, fenced, template, text, version
from reasoning.modes.reply_filter import SPEAKING, strip_effect_claims
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


def read(request: ReasonRequest, offer: ToolOffer, completion: ModelReply) -> ModelReply:
    """See `mode.Mode`. Answers are grounded, and a model's claims of effects are removed, here and not in the workflow,
    because the grammar changes with deploys and a replay must not classify again."""
    reply = parse_reply(completion, offer.profile, lambda written: _call(written, request, offer))
    return reply


def _call(written: ToolCall, request: ReasonRequest, offer: ToolOffer) -> ToolCall:
    confirmed = _confirmed(written.name, request.goal or ())
    now = request.now.astimezone(ZoneInfo(offer.profile.time_zone))
    call = parse_call(
        written,
        offer,
        confirmed,
        lambda action, given: in_confirmed_form(action, given, confirmed, now, offer.profile),
    )
    if call.name in (ASK, REFUSE) and not call.problems:
        return _without_effect_claims(_asked(call) if call.name == ASK else call, offer.profile.locale)
    action = offer.actions.get(call.name)
    if action is None or not request.answers:
        return call
    filled = answers.ground_answer(action, call.arguments, confirmed, request.answers, now, offer.profile)
    return call.model_copy(update={"filled": filled})


def _without_effect_claims(call: ToolCall, locale: str) -> ToolCall:
    name = SPEAKING[call.name]
    plain = strip_effect_claims(str(call.arguments.get(name) or ""), locale).plain
    return call.model_copy(update={"arguments": {**call.arguments, name: plain}})


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


_SPOKEN = {
    ParameterRole.DATE: (MentionKind.DAY,),
    ParameterRole.TIME: (MentionKind.TIME, MentionKind.NUMBER),
    ParameterRole.COUNT: tuple(MentionKind),
}
"""By role, what a text may contain only once: "12 or 13" is ambiguous."""


def in_confirmed_form(
    action: AtomicAction,
    given: Mapping[str, Json],
    confirmed: Mapping[str, Json],
    now: datetime,
    profile: VenueProfile,
) -> dict[str, Json]:
    """Return the values, each in its confirmed form if it means the same. `now` is local to the venue."""
    return {
        name: confirmed[name]
        if (parameter := action.parameter(name)) is not None
        and name in confirmed
        and _is_meant(action, parameter, confirmed[name], value, now, profile)
        else value
        for name, value in given.items()
    }


def _is_meant(
    action: AtomicAction,
    parameter: ActionParameter,
    confirmed: Json,
    value: Json,
    now: datetime,
    profile: VenueProfile,
) -> bool:
    if same_meaning(parameter.role, confirmed, value):
        return True
    if parameter.role not in _SPOKEN or not isinstance(value, str) or len(value) > limits.PHRASE:
        return False
    read = extract((value,), now, profile)
    if len(read.of(*_SPOKEN[parameter.role])) > 1:
        return False
    judged = ground_arguments(read, action, {parameter.name: confirmed}, None, {}, expected=parameter.role)
    return not isinstance(judged, Ungrounded) and judged[parameter.name] == confirmed
