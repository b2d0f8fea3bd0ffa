"""What every mode does with a completion: checks its calls within limits. Calls over the limit are reported to the
model as a problem."""

from collections.abc import Callable, Mapping

from contracts import limits
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.chat_completion import Completion, ModelReply, RawToolCall, ToolCall
from contracts.enums import ParameterRole
from contracts.venue import VenueProfile
from reasoning.critique.assessment import strip_assessment
from reasoning.modes import reply_filter
from reasoning.modes.base import ToolOffer
from reasoning.modes.prompts import ASK, REFUSE

Form = Callable[[AtomicAction, dict[str, Json]], dict[str, Json]]

_BUILTIN = frozenset({ASK, REFUSE})


def parse_reply(completion: Completion, profile: VenueProfile, read: Callable[[RawToolCall], ToolCall]) -> ModelReply:
    """Return the reply, each call read by `read`."""
    calls = [read(call).model_copy(update={"extras": call.extras}) for call in completion.calls]
    if completion.made > limits.CALLS:
        text = f"You made {completion.made} calls in one reply: make at most {limits.CALLS}."
        calls = [c.model_copy(update={"problems": (text,)}) for c in calls]
    reads = [c for c in calls if c.kind == "read" and not c.problems]
    for call in reads[limits.LOOK_UPS :]:
        text = f"Not looked up: make at most {limits.LOOK_UPS} look-ups in one reply."
        calls[calls.index(call)] = call.model_copy(update={"problems": (text,)})
    reply = ModelReply(
        text=strip_assessment(completion.text),
        tool_calls=tuple(calls),
        model=completion.model,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
        cached_tokens=completion.cached_tokens,
        quick_actions=profile.quick_actions,
        extras=completion.extras,
    )
    return reply.model_copy(
        update={"statement": reply_filter.strip_effect_claims(reply_filter.operator_text(reply), profile.locale)}
    )


def parse_call(
    written: RawToolCall, offer: ToolOffer, confirmed: Mapping[str, Json], form: Form = lambda _, given: given
) -> ToolCall:
    """Return a call, checked. Confirmed values fill what it omits; `form` converts its values before the check."""
    action, builtin = offer.actions.get(written.name), written.name in _BUILTIN
    arguments, problems = limits.parse_arguments(written.arguments)
    if action is None:
        arguments = {k: strip_assessment(v) if builtin and isinstance(v, str) else v for k, v in arguments.items()}
        problems += limits.validate_question(arguments) if builtin else []
        kind = "builtin" if builtin else "unknown"
        return ToolCall(id=written.id, name=written.name, arguments=arguments, problems=tuple(problems), kind=kind)
    arguments = form(action, offer.fit(action, {k: v for k, v in arguments.items() if v is not None}))
    problems = problems or offer.check(action, {**confirmed, **arguments})
    return ToolCall(
        id=written.id,
        name=written.name,
        arguments=arguments,
        kind="read" if action.read_only else "write",
        problems=tuple(limits.sanitize_text(problem, limits.PROBLEM) for problem in problems),
        bookings=tuple(p.name for p in action.with_role(ParameterRole.BOOKING)),
    )
