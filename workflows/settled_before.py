"""Which bookings calls mean, as chats from before judged it themselves; since then the draft does."""

from collections.abc import Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary, FoundBookings
    from contracts.messages import ChatMemory
    from contracts.model import ToolCall
    from reasoning import placeholders, resolution, resolution_before


def settled_before(
    writes: Sequence[ToolCall], said: Sequence[str], found: Sequence[FoundBookings], memory: ChatMemory
) -> list[BookingSummary] | tuple[BookingSummary, ...] | str:
    """The bookings as a list; as a tuple those between which the operator must pick; as a text one that nobody looked
    up."""
    settled: list[BookingSummary] = []
    for call in writes:
        for name in call.bookings:
            value = call.arguments.get(name)
            if value is None or placeholders.reference(value) is not None:
                continue
            verdict = resolution_before.settle(
                str(value), said="\n".join(said), found=list(found), offered=memory.offered, known=memory.known
            )
            match verdict:
                case resolution.WhichOne(candidates):
                    return candidates
                case resolution.NotSeen():
                    return str(value)
                case resolution.Settled(booking):
                    settled.append(booking)
    return settled
