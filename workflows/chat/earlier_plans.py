"""The plans of a chat before its last one. Any of them may be undone by a command that bypasses the chat (`POST
/v1/plans/{id}/undo`); just after that, "it" refers to that plan's bookings."""

import asyncio

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import PreviousPlan
    from contracts.step_activities import PlanState
    from workflows.chat.history import bookings_of
    from workflows.chat.session import ChatSession


async def refresh_earlier_plans(chat: ChatSession) -> None:
    """Detect which of them was undone since the last message. If two were and the order is unknown, their bookings are
    offered as candidates, so that the chat asks what "it" is."""
    earlier, done = chat.memory.earlier_plans, chat.memory.done
    if not earlier:
        return
    states = await asyncio.gather(*(chat.state(plan.plan_id) for plan in earlier))
    for plan, state in zip(earlier, states, strict=True):
        chat.note_flux(plan, state)
    gone = [(plan, state) for plan, state in zip(earlier, states, strict=True) if _goes_back(state)]
    kept = [plan for plan, state in zip(earlier, states, strict=True) if state.open and not _goes_back(state)]
    if not gone:
        chat.remember(earlier_plans=tuple(kept))
        return
    if done is not None and chat.undone is not None:
        gone.append((done, chat.undone))
    last = latest_undone(gone)
    if len(last) > 1:
        # Both have ended by the next message, and their end times then give the order.
        kept = [plan for plan in earlier if plan in (*kept, *last)]
    _is_it(chat, last)
    chat.remember(earlier_plans=tuple(kept))


def _goes_back(state: PlanState) -> bool:
    return state.undone or state.going_back


def latest_undone(gone: list[tuple[PreviousPlan, PlanState]]) -> list[PreviousPlan]:
    """Return the plan that was undone last, or all candidates if that is unknown."""
    open_ = [plan for plan, state in gone if state.ended is None]
    ended = [(state.ended, plan) for plan, state in gone if state.ended is not None]
    return open_ or [max(ended, key=lambda one: one[0])[1]]


def _is_it(chat: ChatSession, last: list[PreviousPlan]) -> None:
    """Make "it" refer to the bookings of these plans, and no longer to those of the last one."""
    memory = chat.memory
    if memory.done in last and len(last) == 1:
        return
    about = bookings_of([step for plan in last for step in plan.steps])
    if not about:
        return
    known = {b.booking_id: b for b in memory.known_bookings}
    rows = [known.pop(b.booking_id, b) for b in about]
    chat.remember(
        known_bookings=(*known.values(), *rows),
        undone_bookings=tuple(b.booking_id for b in rows),
        offered_bookings=tuple(rows) if len(last) > 1 and len(rows) > 1 else memory.offered_bookings,
        done=memory.done.model_copy(update={"fresh": False}) if memory.done is not None else None,
    )
