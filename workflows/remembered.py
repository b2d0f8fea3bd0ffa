"""What a turn takes from what its chat remembers."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.messages import ChatMemory


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


def spoken_of(memory: ChatMemory) -> tuple[str, ...]:
    """The bookings that the plan at hand is about: the one that waits, else the one carried out last."""
    done = memory.done
    steps = memory.pending_steps or (done.steps if done is not None and done.fresh else ())
    return tuple({s.booking.booking_id: None for s in steps if s.booking is not None})


def bookings_at_hand(memory: ChatMemory) -> list[BookingSummary]:
    """The bookings of the plan that waits: they are singled out already."""
    return list({s.booking.booking_id: s.booking for s in memory.pending_steps if s.booking is not None}.values())
