"""The writing calls of a draft, one by one: what is wrong with them, and what is settled about them already."""

import json
from collections.abc import Mapping, Sequence

from temporalio import activity

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.drafting import DraftRequest
from contracts.effects import DraftedStep
from contracts.enums import ParameterRole, SafetyTier
from contracts.model import ToolCall
from contracts.plan import PreviewLine
from contracts.venue import VenueProfile
from language.catalogue import say
from reasoning import placeholders, wording
from registry import Scope, UnrenderableError, argument_problems, confirm_label, settled_output


def only_role(action: AtomicAction, call: ToolCall) -> ParameterRole | None:
    """The kind of value that a call sets, where it sets one."""
    given = [p.role for p in action.parameters if call.arguments.get(p.name) is not None]
    roles = [role for role in given if role is not ParameterRole.BOOKING]
    return roles[0] if len(roles) == 1 else None


def shows_one(action: AtomicAction) -> bool:
    """Whether an action looks at one booking, by its id, and tells what it is."""
    required = [p for p in action.parameters if p.required]
    return (
        action.read_only
        and action.output.candidates is not None
        and len(required) == 1
        and required[0].role is ParameterRole.BOOKING
    )


def problems_of(number: int, action: AtomicAction, call: ToolCall, steps: Sequence[DraftedStep]) -> list[str]:
    """What is wrong with a call, the `number`-th of its draft."""
    found = argument_problems(action, call.arguments)
    found += placeholders.problems(number, call.arguments, [s.action for s in steps])
    if action.safety is SafetyTier.HIGH_RISK and placeholders.present(call.arguments):
        found.append("a high-risk step cannot wait for what another returns: give its values")
    return [f"{call.name}: {p}" for p in found]


def booking_of(action: AtomicAction, call: ToolCall, bookings: Sequence[BookingSummary]) -> BookingSummary | None:
    """The booking that a call is about."""
    ids = {str(call.arguments.get(p.name)) for p in action.with_role(ParameterRole.BOOKING)}
    return next((b for b in bookings if {b.booking_id, b.reference} & ids), None)


def amended(action: AtomicAction, call: ToolCall, request: DraftRequest) -> Mapping[str, Json]:
    """The same step's values in the plan that is being changed."""
    ids = {str(call.arguments.get(p.name)) for p in action.with_role(ParameterRole.BOOKING)}
    waiting = [p.parameters for p in request.pending if p.action_id == action.name]
    own = next((p for p in waiting if ids & {str(v) for v in p.values()}), None)
    # "I meant 8084": what waited for another booking was meant for this one.
    moved = waiting[0] if len(waiting) == len(request.pending) == 1 else {}
    return own if own is not None else moved


def settled(
    call: ToolCall,
    action: AtomicAction,
    steps: Sequence[DraftedStep],
    profile: VenueProfile,
    bookings: Sequence[BookingSummary],
) -> ToolCall:
    """The call with everything that is settled already in its place: what an earlier step puts out whatever the venue
    answers, and each booking by its own id, so that two steps on one booking are seen to be on one booking."""
    known = {
        number: settled_output(step.action, Scope.of(step.action, step.parameters, profile))
        for number, step in enumerate(steps, 1)
        if not placeholders.present(step.parameters)
    }
    arguments = placeholders.resolve_known(call.arguments, known)
    ids = {b.reference: b.booking_id for b in bookings if b.reference}
    for parameter in action.with_role(ParameterRole.BOOKING):
        given = str(arguments.get(parameter.name))
        if given in ids:
            arguments[parameter.name] = ids[given]
    return call.model_copy(update={"arguments": arguments})


def label_of(action: AtomicAction, scope: Scope | None) -> str:
    """What the step's confirm button says; no plan fails for it."""
    try:
        return confirm_label(action, scope)
    except UnrenderableError as fault:
        activity.logger.warning("no label for %s: %s", action.name, fault.where)
        return confirm_label(action, None)


def still_open(action: AtomicAction, arguments: Mapping[str, Json], behind: int = 0) -> tuple[PreviewLine, ...]:
    """What a step that waits for an earlier one will do, as far as it is known, and what is still open. Steps are told
    `behind` so many looks."""
    lines = []
    for name, value in arguments.items():
        target = placeholders.reference(value)
        after = say("plan.still_open", step=behind + target[0]) if target else value
        parameter = action.parameter(name)
        shown = after if isinstance(after, str) else json.dumps(after, ensure_ascii=False)
        shown = wording.value_words(parameter.role if parameter else None, shown)
        called = parameter.told if parameter else name
        lines.append(PreviewLine(field=called[:1].upper() + called[1:], before=None, after=shown))
    return tuple(lines)
