"""Expands a template that a model calls to the calls of its steps. From there on they are ordinary calls."""

from collections.abc import Iterator, Mapping

from contracts.action import AtomicAction, TemplateStep
from contracts.base import Json
from contracts.chat_completion import ModelReply, ToolCall
from contracts.enums import ParameterRole
from reasoning.modes.base import ToolOffer
from reasoning.modes.prompts import ARRANGE


def expand_templates(reply: ModelReply, offer: ToolOffer) -> ModelReply:
    """Replace each template call in a reply by its steps' calls and their dependencies. A template must be called
    alone, because beside other changes its step numbers would be ambiguous."""
    called = [call for call in reply.tool_calls if not call.problems and _template(call, offer) is not None]
    if not called:
        return reply
    changes = [call for call in reply.tool_calls if call.kind == "write" or call.name == ARRANGE]
    if len(changes) > 1:
        text = f"{called[0].name} is several steps: call it alone, or call the single actions instead."
        alone = tuple(c.model_copy(update={"problems": (text,)}) if c in called else c for c in reply.tool_calls)
        return reply.model_copy(update={"tool_calls": alone})
    calls = [one for call in reply.tool_calls for one in (_steps(call, offer) if call in called else (call,))]
    return reply.model_copy(update={"tool_calls": tuple(calls)})


def _template(call: ToolCall, offer: ToolOffer) -> AtomicAction | None:
    action = offer.actions.get(call.name)
    return action if action is not None and action.steps else None


def _steps(call: ToolCall, offer: ToolOffer) -> Iterator[ToolCall]:
    template = offer.actions[call.name]
    places = {place: step for place, step in enumerate(template.steps, 1) if not _left_out(step, call, offer)}
    numbers = {place: number for number, place in enumerate(places, 1)}
    for index, step in places.items():
        action, arguments = offer.actions[step.action], _values(step, call.arguments)
        arguments = offer.fit(action, arguments)
        yield ToolCall(
            id=f"{call.id}-{numbers[index]}",
            name=action.name,
            arguments=arguments,
            kind="write",
            problems=tuple(offer.check(action, arguments)),
            bookings=tuple(p.name for p in action.with_role(ParameterRole.BOOKING)),
            template=call.name,
            # As a reply of several calls has it: with the first of them.
            extras=call.extras if numbers[index] == 1 else {},
        )
    arranged: list[Json] = [_arranged(numbers, place, step) for place, step in places.items()]
    items = [one for one in arranged if isinstance(one, dict) and len(one) > 1]
    if items:
        arguments = {"steps": items}
        yield ToolCall(id=f"{call.id}-0", name=ARRANGE, arguments=arguments, kind="builtin", template=call.name)


def _values(step: TemplateStep, given: Mapping[str, Json]) -> dict[str, Json]:
    return {own: given[name] for own, name in step.values.items() if given.get(name) is not None}


def _left_out(step: TemplateStep, call: ToolCall, offer: ToolOffer) -> bool:
    """Return whether the plan omits the step because a value that it needs was not given."""
    action, values = offer.actions[step.action], _values(step, call.arguments)
    return not step.required and any(p.required and p.name not in values for p in action.parameters)


def _arranged(numbers: Mapping[int, int], index: int, step: TemplateStep) -> dict[str, Json]:
    found: dict[str, Json] = {"step": numbers[index]}
    if not step.required:
        found["optional"] = True
    for way, earlier in (("only_if_failed", step.only_if_failed), ("only_if_done", step.only_if_done)):
        if earlier is not None and earlier in numbers:
            found[way] = numbers[earlier]
    return found
