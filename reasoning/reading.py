"""What every mode does with a completion: calls checked, within bounds; what is over is told to the model as a
problem."""

from collections.abc import Callable, Mapping

from contracts import bounds
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.enums import ParameterRole
from contracts.model import Completion, ModelReply, ToolCall, WrittenCall
from contracts.venue import VenueProfile
from reasoning import saying
from reasoning.assessment import visible
from reasoning.mode import Offer
from reasoning.prompting import ASK, REFUSE

Form = Callable[[AtomicAction, dict[str, Json]], dict[str, Json]]

_BUILTIN = frozenset({ASK, REFUSE})


def reply_of(completion: Completion, profile: VenueProfile, read: Callable[[WrittenCall], ToolCall]) -> ModelReply:
    """The reply, each call read by `read`."""
    calls = [read(call).model_copy(update={"extras": call.extras}) for call in completion.calls]
    if completion.made > bounds.CALLS:
        told = f"You made {completion.made} calls in one reply: make at most {bounds.CALLS}."
        calls = [c.model_copy(update={"problems": (told,)}) for c in calls]
    looks = [c for c in calls if c.kind == "read" and not c.problems]
    for call in looks[bounds.LOOK_UPS :]:
        told = f"Not looked up: make at most {bounds.LOOK_UPS} look-ups in one reply."
        calls[calls.index(call)] = call.model_copy(update={"problems": (told,)})
    reply = ModelReply(
        text=visible(completion.text),
        tool_calls=tuple(calls),
        model=completion.model,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
        cached_tokens=completion.cached_tokens,
        quick_actions=profile.quick_actions,
        extras=completion.extras,
    )
    return reply.model_copy(update={"words": saying.plain_words(saying.said_by(reply), profile.locale)})


def call_of(
    written: WrittenCall, offer: Offer, confirmed: Mapping[str, Json], form: Form = lambda _, given: given
) -> ToolCall:
    """A call, checked. What the operator confirmed stands for what it leaves out; `form` gives its values in another
    form, before they are checked."""
    action, builtin = offer.actions.get(written.name), written.name in _BUILTIN
    arguments, problems = bounds.arguments(written.arguments)
    if action is None:
        arguments = {k: visible(v) if builtin and isinstance(v, str) else v for k, v in arguments.items()}
        problems += bounds.question_problems(arguments) if builtin else []
        kind = "builtin" if builtin else "unknown"
        return ToolCall(id=written.id, name=written.name, arguments=arguments, problems=tuple(problems), kind=kind)
    arguments = form(action, offer.fit(action, {k: v for k, v in arguments.items() if v is not None}))
    problems = problems or offer.check(action, {**confirmed, **arguments})
    return ToolCall(
        id=written.id,
        name=written.name,
        arguments=arguments,
        kind="read" if action.read_only else "write",
        problems=tuple(bounds.clean(problem, bounds.PROBLEM) for problem in problems),
        bookings=tuple(p.name for p in action.with_role(ParameterRole.BOOKING)),
    )
