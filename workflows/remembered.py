"""What a turn takes from what its chat remembers."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.messages import ChatMemory, DonePlan


def open_request(memory: ChatMemory, points_back: bool) -> tuple[str, ...]:
    """What the operator said since the request that our last questions were about, latest first; where the words point
    back, at least what was said before them."""
    said = [m.content for m in memory.messages if m.role == "user"]
    open_for = max(memory.clarifications, 1 if points_back else 0)
    return tuple(reversed(said[len(said) - min(open_for, len(said)) :]))


def just_failed(memory: ChatMemory) -> bool:
    """Whether the last thing that happened was a plan that failed: what is said now may be about it."""
    done = memory.done
    return done is not None and done.failed and done.fresh and not memory.pending_steps


def tried_again(memory: ChatMemory) -> DonePlan | None:
    """What "try again" is said of: the plan that has just failed, or the one that nobody confirmed in time, if that was
    the last."""
    if memory.expired is not None and not memory.pending_steps and workflow.patched("expired-is-tried-again"):
        return memory.expired
    return memory.done if just_failed(memory) else None


def spoken_of(memory: ChatMemory) -> tuple[str, ...]:
    """The bookings that the plan at hand is about: the one that waits, else the one carried out last."""
    done = memory.done
    steps = memory.pending_steps or (done.steps if done is not None and done.fresh else ())
    return tuple({s.booking.booking_id: None for s in steps if s.booking is not None})
