"""The model: one chat completion an activity, over the OpenAI protocol, whatever serves it.

A model never sees a blocked action, and its arguments are checked here against each action's schema before anything
else looks at them. What comes back is bounded (`infra/bounds.py`): what is over is told to the model as a problem.
"""

from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from openai.types.chat import ChatCompletion, ChatCompletionMessage
from pydantic import ValidationError
from temporalio import activity
from temporalio.exceptions import ApplicationError

from clients.model import ModelClient
from clients.registries import Registries
from clients.traced import Transcript
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.enums import ParameterRole, SafetyTier, StepStatus
from contracts.model import ModelReply, ReasonRequest, ToolCall
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile
from infra import bounds
from infra.heartbeat import beating
from infra.tracing import Tracer
from reasoning import answers, prompting, saying
from registry import argument_problems, catalogue, openai_tool

_BUILTIN = frozenset({prompting.ASK, prompting.REFUSE})


_OFFERED = 25
"""Actions sent to the model with their schemas when a pack has thirty or more; the others are listed a line each."""


_NO_COMPLETION = (ValidationError, ValueError, TypeError, AttributeError, RecursionError)
"""What a body makes the client raise that is JSON of another kind, or none."""


class Model:
    """Asks the configured model."""

    def __init__(self, client: ModelClient, registries: Registries, tracer: Tracer) -> None:
        self._client = client
        self._registries = registries
        self._tracer = tracer

    @activity.defn(name="reason")
    async def reason(self, request: ReasonRequest) -> ModelReply:
        """See `signatures.reason`. Raises a retryable `ApplicationError` when the model does not answer usably."""
        async with beating():
            pack = await self._registries.pack(request.venue_id)
            profile = request.profile or pack.profile
            known = request.actions if request.goal is not None else tuple(pack.actions.values())
            actions = {a.name: a for a in known if a.safety is not SafetyTier.BLOCKED}
            offered = list(actions.values())
            now = request.now.astimezone(ZoneInfo(profile.time_zone))
            if request.goal is not None:
                system = prompting.executing_prompt(profile, now, request.intent, request.goal)
            else:
                said = " ".join(m.content for m in request.messages if m.role == "user")
                offered = self._registries.offered(pack, said, _OFFERED)
                shown = {a.name for a in offered}
                others = catalogue(a for a in actions.values() if a.name not in shown)
                reads = [a.name for a in offered if a.read_only]
                can = [a.title for a in offered if not a.read_only]
                system = prompting.planning_prompt(profile, now, reads, request.context, others, can)
            reply = await self._complete(system, request, actions, offered)
            if request.goal is not None:
                reply = _judged(reply, request, actions, profile, now)
            words = saying.plain_words(saying.said_by(reply), profile.locale)
            return reply.model_copy(update={"quick_actions": profile.quick_actions, "words": words})

    async def _complete(
        self, system: str, request: ReasonRequest, actions: dict[str, AtomicAction], offered: list[AtomicAction]
    ) -> ModelReply:
        messages = [{"role": "system", "content": system}, *(prompting.as_openai(m) for m in request.messages)]
        builtin = prompting.BUILTIN_TOOLS if request.goal is None else prompting.executing_tools()
        tools = [*(openai_tool(a) for a in offered), *builtin]
        if request.goal is None:
            tools.append(prompting.RESOLVE_WHEN_TOOL)
        # An activity that is cut off by its own time-out tells nothing; one that gives up first says why.
        left = activity.info().start_to_close_timeout
        timeout = min(self._client.timeout, max(0.5, left.total_seconds() - 0.5)) if left else self._client.timeout
        purpose = "execute" if request.goal is not None else "plan"
        traced = Transcript(request, actions)
        with self._tracer.observe("generation", purpose, request.trace_id, model=self._client.name) as seen:
            seen.update(input=partial(traced.prompt, system))
            try:
                answer = await self._client.complete(messages, tools, timeout)
            # Whatever it is: while a body is read, the client hands on the errors of the HTTP library that it uses.
            except Exception as error:
                seen.update(level="ERROR", status_message=type(error).__name__)
                # Its text is logged with the failed activity, and an endpoint may repeat the prompt in it.
                raise _unusable(f"the model did not answer: {type(error).__name__}") from None
            message = _message(answer)
            if message is None:
                raise _unusable("the model answered with nothing")
            try:
                reply = _reply(answer, message, actions, request.goal or (), self._client.name)
            except _NO_COMPLETION as error:
                raise _unusable(f"the model's answer is no completion: {type(error).__name__}") from None
            seen.update(
                input=partial(traced.prompt, system, reply),
                output=partial(traced.reply, reply),
                usage_details={"input": reply.input_tokens, "output": reply.output_tokens},
            )
            return reply


def _judged(
    reply: ModelReply, request: ReasonRequest, actions: dict[str, AtomicAction], profile: VenueProfile, now: datetime
) -> ModelReply:
    """The calls with what the operator's answers bear out. Here and not in the workflow: the grammar behind it changes
    with deploys, and a replay must not judge anew."""
    calls = []
    for call in reply.tool_calls:
        action, confirmed = actions.get(call.name), _confirmed(call.name, request.goal or ())
        filled = (
            answers.borne_out(action, call.arguments, confirmed, request.answers, now, profile)
            if action is not None and request.answers
            else {}
        )
        calls.append(call.model_copy(update={"filled": filled}))
    return reply.model_copy(update={"tool_calls": tuple(calls), "judged": True})


def _message(answer: object) -> ChatCompletionMessage | None:
    """The reply, or None: the client hands on whatever JSON an endpoint answers as if it were a completion."""
    choices = getattr(answer, "choices", None)
    first = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(first, "message", None)
    return message if isinstance(message, ChatCompletionMessage) else None


def _reply(
    answer: ChatCompletion, message: ChatCompletionMessage, actions: dict[str, AtomicAction],
    goal: tuple[PlannedAction, ...], asked: str,
) -> ModelReply:  # fmt: skip
    """What a completion says, within bounds. Raises what a body that only looks like a completion makes it raise."""
    usage = answer.usage
    raw = [c for c in message.tool_calls or () if c.type == "function"]
    calls = [_call(c, actions, goal) for c in raw[: bounds.CALLS]]
    if len(raw) > bounds.CALLS:
        told = f"You made {len(raw)} calls in one reply: make at most {bounds.CALLS}."
        calls = [c.model_copy(update={"problems": (told,)}) for c in calls]
    looks = [c for c in calls if c.kind == "read" and not c.problems]
    for call in looks[bounds.LOOK_UPS :]:
        told = f"Not looked up: make at most {bounds.LOOK_UPS} look-ups in one reply."
        calls[calls.index(call)] = call.model_copy(update={"problems": (told,)})
    return ModelReply(
        text=bounds.clean(message.content or "", bounds.TEXT),
        tool_calls=tuple(calls),
        model=bounds.clean(answer.model or asked, bounds.NAME),
        input_tokens=usage.prompt_tokens if usage else 0,
        output_tokens=usage.completion_tokens if usage else 0,
    )


def _unusable(why: str) -> ApplicationError:
    return ApplicationError(why, type="model_unavailable")


def _call(raw: Json, actions: dict[str, AtomicAction], goal: tuple[PlannedAction, ...]) -> ToolCall:
    """A model's call, checked. Nonsense becomes `problems` that the model is told about, never an exception. While
    a plan is carried out, what the operator confirmed stands for what the call leaves out."""
    name, call_id = bounds.clean(raw.function.name, bounds.NAME), bounds.clean(raw.id, bounds.ID)
    action = actions.get(name)
    arguments, problems = bounds.arguments(raw.function.arguments)
    if name == prompting.RESOLVE_WHEN and not goal:
        return ToolCall(id=call_id, name=name, arguments=arguments, problems=tuple(problems), kind="read")
    if action is None:
        problems += bounds.question_problems(arguments) if name in _BUILTIN else []
        return ToolCall(
            id=call_id, name=name, arguments=arguments, problems=tuple(problems),
            kind="builtin" if name in _BUILTIN else "unknown",
        )  # fmt: skip
    arguments = {k: v for k, v in arguments.items() if v is not None}
    problems = problems or argument_problems(action, {**_confirmed(name, goal), **arguments})
    return ToolCall(
        id=call_id,
        name=name,
        arguments=arguments,
        kind="read" if action.read_only else "write",
        problems=tuple(bounds.clean(problem, bounds.PROBLEM) for problem in problems),
        bookings=tuple(p.name for p in action.with_role(ParameterRole.BOOKING)),
    )


def _confirmed(name: str, goal: tuple[PlannedAction, ...]) -> dict[str, Json]:
    open_steps = (a for a in goal if a.action_id == name and a.status is not StepStatus.COMPLETED)
    return next((a.parameters for a in open_steps), {})
