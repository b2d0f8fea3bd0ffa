"""How the steps of a plan stand to one another: which of them a refusal or a skip leaves nothing to do for, and which
refusals a plan goes on from (multi-step messaging, "Step Skipping", "Conditional Steps")."""

from collections.abc import Mapping, Sequence

from contracts.drafting import Arrangement
from contracts.effects import DraftedStep
from contracts.enums import ErrorType, Refusal, SafetyTier, StepStatus
from contracts.errors import VenueFailure
from contracts.plan import PlannedAction, StepCondition
from language.catalogue import say
from reasoning import placeholders

_REFUSED_BEFORE = frozenset({ErrorType.CONFLICT, ErrorType.BAD_REQUEST})

_NEVER_MET = (StepStatus.SKIPPED, StepStatus.FAILED)


def problems(arranged: Sequence[Arrangement], steps: int) -> list[str]:
    """What is wrong with how a model arranged so many steps, in words that it can act on."""
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


def arranged(
    steps: Sequence[DraftedStep],
    wanted: Sequence[Arrangement],
    places: Sequence[int],
    behind: int = 0,
    *,
    for_room: bool = False,
) -> tuple[DraftedStep, ...]:
    """The steps as they stand to one another: as a model arranged its calls, as overlays say, and by what one takes of
    another. `places` tells which call (from 0) each step was. A call that came to nothing leaves no condition. They are
    told as steps `behind` so many looks. `for_room`: what is wanted instead is so for want of room alone."""
    numbers = {place + 1: number for number, place in enumerate(places, 1)}
    by_step = {numbers[one.step]: one for one in wanted if one.step in numbers}
    failing = {numbers.get(one.only_if_failed) for one in wanted if one.only_if_failed is not None}
    found = []
    for number, step in enumerate(steps, 1):
        own = by_step.get(number)
        given = {
            "required": step.action.required and number not in failing and not (own is not None and own.optional),
            "depends_on": tuple(sorted(placeholders.steps_in(step.parameters))),
            "when": _condition(own, numbers, steps, behind, for_room) if own is not None else None,
        }
        found.append(step.model_copy(update=given))
    return tuple(found)


def _condition(
    own: Arrangement, numbers: Mapping[int, int], steps: Sequence[DraftedStep], behind: int, for_room: bool
) -> StepCondition | None:
    ways = (("failed", own.only_if_failed), ("completed", own.only_if_done))
    for ended, earlier in ways:
        if earlier is not None and earlier in numbers:
            number = numbers[earlier]
            refused = "no_room" if for_room and ended == "failed" else None
            text = say(f"plan.when_{refused or ended}", step=behind + number, title=steps[number - 1].action.title)
            return StepCondition.model_validate({"step": number, "ended": ended, "refused": refused, "text": text})
    return None


def goes_on(failure: VenueFailure, alternative: StepCondition | None) -> bool:
    """Whether a plan goes on from a step that it can do without, which failed so and changed nothing. Where the
    operator has named what to do instead (`alternative` is on what), only the venue's own no is meant, and for want of
    room where that was said. What is away or in a hurry has not refused; what is not there, or not allowed, is so for
    anything else, too."""
    if alternative is None:
        return failure.error_type is not ErrorType.UNAUTHORIZED
    meant = (Refusal.NO_ROOM,) if alternative.refused is not None else tuple(Refusal)
    return failure.refusal in meant


def went_on(failure: VenueFailure, alternative: StepCondition | None) -> bool:
    """The same, as plans judged it before they knew what a refusal was for."""
    return failure.error_type in _REFUSED_BEFORE if alternative is not None else goes_on(failure, None)


def left_out(actions: Sequence[PlannedAction]) -> Mapping[int, str]:
    """The pending steps that come to nothing as the others stand, each with the reason in words."""
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
            return say("plan.left_out_without", step=number, title=by_number[number].title)
    if action.when is None:
        return None
    other = by_number[action.when.step]
    if action.when.ended == "failed" and other.status is StepStatus.COMPLETED:
        return say("plan.left_out_not_needed", step=other.step, title=other.title)
    missed = (StepStatus.SKIPPED,) if action.when.ended == "failed" else _NEVER_MET
    return say("plan.left_out_without", step=other.step, title=other.title) if other.status in missed else None


def together(actions: Sequence[PlannedAction], grounds: Mapping[int, frozenset[str]]) -> frozenset[int]:
    """The pending steps that may be carried out at the same time now: the first of them, and those behind it that
    neither wait for a step that is not over nor stand on the same as one (`grounds` by step; without any it is not
    known on what a step stands). What no undo brings back goes alone, behind all before it."""
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


def may_skip(action: PlannedAction, actions: Sequence[PlannedAction]) -> str | None:
    """Why an operator may not skip a step, as a key of the catalogue; None where nothing speaks against it."""
    if action.required:
        return "refuse.skip_required"
    if action.status is StepStatus.SKIPPED:
        return "refuse.skipped_already"
    if action.status is not StepStatus.PENDING:
        return "refuse.skip_late"
    without = [a.model_copy(update={"status": StepStatus.SKIPPED}) if a.step == action.step else a for a in actions]
    gone = left_out(without).keys() | {action.step}
    remaining = [a for a in actions if a.status is not StepStatus.SKIPPED and a.step not in gone]
    return None if remaining else "refuse.skip_last"
