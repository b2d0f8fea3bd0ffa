"""The write calls of a draft: their errors, and the values that are already known."""

import json
from collections.abc import Mapping, Sequence

from temporalio import activity

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.chat_completion import ToolCall
from contracts.drafting import DraftRequest
from contracts.enums import ParameterRole, SafetyTier
from contracts.plan import PreviewLine
from contracts.step_activities import DraftedStep
from contracts.venue import VenueProfile
from language.messages.catalogue import translate
from reasoning import error_messages
from reasoning.execution import placeholders
from registry import BoundAction, TemplateRenderError, argument_problems
from registry.presentation.preview import cut_label


def single_role(step: DraftedStep) -> ParameterRole | None:
    """Return the parameter role that a step sets, if it sets exactly one."""
    given = [p.role for p in step.action.parameters if step.parameters.get(p.name) is not None]
    roles = [role for role in given if role is not ParameterRole.BOOKING]
    return roles[0] if len(roles) == 1 else None


def is_detail_look_up(action: AtomicAction) -> bool:
    """Return whether an action reads one booking by its id."""
    required = [p for p in action.parameters if p.required]
    return (
        action.read_only
        and action.output.candidates is not None
        and len(required) == 1
        and required[0].role is ParameterRole.BOOKING
    )


def problems_of(number: int, action: AtomicAction, call: ToolCall, earlier: Sequence[DraftedStep]) -> list[str]:
    """Return what is wrong with a call, the `number`-th of its draft."""
    found = argument_problems(action, call.arguments)
    found += placeholders.problems(number, call.arguments, [one.action for one in earlier])
    if action.safety is SafetyTier.HIGH_RISK and placeholders.present(call.arguments):
        found.append("a high-risk step cannot wait for what another returns: give its values")
    return [f"{call.name}: {p}" for p in found]


def booking_of(action: AtomicAction, call: ToolCall, bookings: Sequence[BookingSummary]) -> BookingSummary | None:
    """Return the booking that a call is about."""
    ids = {str(call.arguments.get(p.name)) for p in action.with_role(ParameterRole.BOOKING)}
    return next((b for b in bookings if {b.booking_id, b.reference} & ids), None)


def pending_values(action: AtomicAction, call: ToolCall, request: DraftRequest) -> Mapping[str, Json]:
    """Return the same step's values in the plan that is being changed."""
    ids = {str(call.arguments.get(p.name)) for p in action.with_role(ParameterRole.BOOKING)}
    waiting = [p.parameters for p in request.pending if p.action_id == action.name]
    own = next((p for p in waiting if ids & {str(v) for v in p.values()}), None)
    # "I meant 8084": a pending step for another booking was meant for this one.
    moved = waiting[0] if len(waiting) == len(request.pending) == 1 else {}
    return own if own is not None else moved


def known_values(
    call: ToolCall,
    action: AtomicAction,
    earlier: Sequence[DraftedStep],
    profile: VenueProfile,
    bookings: Sequence[BookingSummary],
) -> ToolCall:
    """Return the call with every known value filled in: the outputs of earlier steps that do not depend on the venue's
    answer, and each booking by its canonical id, so that two steps on the same booking are recognised."""
    known = {
        number: BoundAction.of(step.action, step.parameters, profile).known_output()
        for number, step in enumerate(earlier, 1)
        if not placeholders.present(step.parameters)
    }
    arguments = placeholders.resolve_known(call.arguments, known)
    ids = {b.reference: b.booking_id for b in bookings if b.reference}
    for parameter in action.with_role(ParameterRole.BOOKING):
        given = str(arguments.get(parameter.name))
        if given in ids:
            arguments[parameter.name] = ids[given]
    return call.model_copy(update={"arguments": arguments})


def label_of(bound: BoundAction) -> str:
    """Return the label of the step's confirm button. A rendering error never fails the plan."""
    try:
        return bound.confirm_label()
    except TemplateRenderError as fault:
        activity.logger.warning("no label for %s: %s", bound.action.name, fault.where)
        return cut_label(bound.action.title)


def pending_preview(action: AtomicAction, arguments: Mapping[str, Json], offset: int = 0) -> tuple[PreviewLine, ...]:
    """Return the preview of a step that depends on an earlier one: what is known of it, and what is still open.
    `offset` is the number of read steps before the plan's first write, added to step numbers."""
    lines = []
    for name, value in arguments.items():
        target = placeholders.reference(value)
        after = translate("plan.still_open", step=offset + target[0]) if target else value
        parameter = action.parameter(name)
        shown = after if isinstance(after, str) else json.dumps(after, ensure_ascii=False)
        shown = error_messages.value_words(parameter.role if parameter else None, shown)
        called = parameter.display_name if parameter else name
        lines.append(PreviewLine(field=called[:1].upper() + called[1:], before=None, after=shown))
    return tuple(lines)


def frozen(step: DraftedStep) -> DraftedStep:
    """Return the step without what only search, preview and drafting use: it stays in its plan's history. The chat adds
    its booking."""
    action = step.action
    kept = {
        "operation": action.operation.model_copy(update={"gives": ()}),
        "preview_reads": (),
        "rejects_when": (),
        # A read that is itself a step is repeated before the write.
        "availability": action.availability if action.availability and action.availability.step else None,
        "confirm": "",
    }
    return step.model_copy(update={"action": action.model_copy(update=kept), "booking": None})


def shown_by(read_action: AtomicAction | None, action: AtomicAction) -> tuple[str, str] | None:
    """Return the read that shows what a step creates."""
    if read_action is None or action.with_role(ParameterRole.BOOKING):
        return None
    return read_action.name, read_action.with_role(ParameterRole.BOOKING)[0].name
