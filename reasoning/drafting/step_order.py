"""Dependencies between the steps of a plan: which steps become unreachable after a rejection or a skip, and which
rejections a plan tolerates (multi-step messaging, "Step Skipping", "Conditional Steps")."""

from collections.abc import Mapping, Sequence

from contracts.drafting import StepDependency
from contracts.enums import ErrorType, RefusalReason, SafetyTier, StepStatus
from contracts.errors import VenueFailure
from contracts.plan import PlannedAction, StepCondition
from contracts.step_activities import DraftedStep
from language.messages.catalogue import translate
from reasoning.execution import placeholders

_NEVER_MET = (StepStatus.SKIPPED, StepStatus.FAILED)


def problems(arranged: Sequence[StepDependency], steps: int) -> list[str]:
    """Return the errors in a model's step dependencies, in words that it can act on."""
    found = []
    for one in arranged:
        earlier = [n for n in (one.only_if_failed, one.only_if_done) if n is not None]
        if not 1 <= one.step <= steps:
            found.append(f"there is no step {one.step} to arrange: this reply has {steps}")
        elif len(earlier) > 1:
            found.append(f"step {one.step}: only_if_failed or only_if_done, not both")
        elif earlier and not 1 <= earlier[0] < one.step:
            found.append(f"step {one.step}: step {earlier[0]} does not come before it")
    return found


def with_dependencies(
    steps: Sequence[DraftedStep],
    wanted: Sequence[StepDependency],
    indexes: Sequence[int],
    offset: int = 0,
    *,
    for_room: bool = False,
) -> tuple[DraftedStep, ...]:
    """Return the steps with their dependencies: from the model's arrangement, the overlays, and the outputs that a step
    uses. `indexes` maps steps to calls (from 0). A call without a step leaves no condition. Step numbers are shown
    `offset` higher. `for_room`: the fallback applies only if there is no availability."""
    numbers = {index + 1: number for number, index in enumerate(indexes, 1)}
    by_step = {numbers[one.step]: one for one in wanted if one.step in numbers}
    failing = {numbers.get(one.only_if_failed) for one in wanted if one.only_if_failed is not None}
    found = []
    for number, step in enumerate(steps, 1):
        own = by_step.get(number)
        given = {
            "required": step.action.required and number not in failing and not (own is not None and own.optional),
            "depends_on": tuple(sorted(placeholders.steps_in(step.parameters))),
            "when": _condition(own, numbers, steps, offset, for_room) if own is not None else None,
        }
        found.append(step.model_copy(update=given))
    return tuple(found)


def _condition(
    own: StepDependency, numbers: Mapping[int, int], steps: Sequence[DraftedStep], offset: int, for_room: bool
) -> StepCondition | None:
    ways = (("failed", own.only_if_failed), ("completed", own.only_if_done))
    for ended, earlier in ways:
        if earlier is not None and earlier in numbers:
            number = numbers[earlier]
            refused = "no_room" if for_room and ended == "failed" else None
            text = translate(
                f"plan.when_{refused or ended}", step=offset + number, title=steps[number - 1].action.title
            )
            return StepCondition.model_validate({"step": number, "ended": ended, "refused": refused, "text": text})
    return None


def tolerates(failure: VenueFailure, alternative: StepCondition | None) -> bool:
    """Return whether a plan continues after an optional step failed without changing anything. If the operator named a
    fallback (`alternative` is on it), only the venue's own rejection counts, and only for lack of availability if that
    was the condition. An outage or a rate limit is no rejection. Not found and forbidden apply to the fallback, too."""
    if alternative is None:
        return failure.error_type is not ErrorType.UNAUTHORIZED
    meant = (RefusalReason.NO_ROOM,) if alternative.refused is not None else tuple(RefusalReason)
    return failure.refusal in meant


def unreachable_steps(actions: Sequence[PlannedAction]) -> Mapping[int, str]:
    """Return the pending steps that cannot run in the current state, each with the reason in words."""
    by_number = {action.step: action for action in actions}
    found: dict[int, str] = {}
    while True:
        pending = [a for a in by_number.values() if a.status is StepStatus.PENDING]
        more = {a.step: why for a in pending if (why := _why(a, by_number))}
        if not more:
            return found
        found |= more
        for step in more:
            by_number[step] = by_number[step].model_copy(update={"status": StepStatus.SKIPPED})


def _why(action: PlannedAction, by_number: Mapping[int, PlannedAction]) -> str | None:
    for number in action.depends_on:
        if by_number[number].status in _NEVER_MET:
            return translate("plan.left_out_without", step=number, title=by_number[number].title)
    if action.when is None:
        return None
    other = by_number[action.when.step]
    if action.when.ended == "failed" and other.status is StepStatus.COMPLETED:
        return translate("plan.left_out_not_needed", step=other.step, title=other.title)
    missed = (StepStatus.SKIPPED,) if action.when.ended == "failed" else _NEVER_MET
    return translate("plan.left_out_without", step=other.step, title=other.title) if other.status in missed else None


def parallel_batch(actions: Sequence[PlannedAction], grounds: Mapping[int, frozenset[str]]) -> frozenset[int]:
    """Return the pending steps that can run in parallel now: the first, and later ones that neither wait for an
    unfinished step nor share a state fingerprint with one (`grounds` by step; if empty, it is not known what steps
    depend on). An irreversible step runs alone, after all before it."""
    pending = [a for a in actions if a.status is StepStatus.PENDING]
    open_steps = {a.step for a in pending}
    found: list[int] = []
    stood_on: set[str] = set()
    for action in pending:
        known = grounds.get(action.step, frozenset())
        alone = not known or not action.reversible or action.safety_tier is not SafetyTier.NORMAL
        if alone and found:
            break
        waits = {*action.depends_on, *((action.when.step,) if action.when else ())} & open_steps
        if not waits and not known & stood_on:
            found.append(action.step)
        if alone:
            break
        stood_on |= known
    return frozenset(found)


def skip_refusal(action: PlannedAction, actions: Sequence[PlannedAction]) -> str | None:
    """Return why an operator may not skip a step, as a key of the catalogue; None if the step can be skipped."""
    if action.required:
        return "refuse.skip_required"
    if action.status is StepStatus.SKIPPED:
        return "refuse.skipped_already"
    if action.status is not StepStatus.PENDING:
        return "refuse.skip_late"
    without = [a.model_copy(update={"status": StepStatus.SKIPPED}) if a.step == action.step else a for a in actions]
    gone = unreachable_steps(without).keys() | {action.step}
    remaining = [a for a in actions if a.status is not StepStatus.SKIPPED and a.step not in gone]
    return None if remaining else "refuse.skip_last"
