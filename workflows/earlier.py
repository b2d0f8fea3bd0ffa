"""The plans that a chat carried out before its last one. Any of them may be taken back by a word that the chat never
hears (`POST /v1/plans/{id}/undo`), and just after that "it" is what that plan was about."""

import asyncio

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.effects import PlanState
    from contracts.messages import DonePlan
    from workflows.chat import Chat
    from workflows.remembered import bookings_of


async def look_at_earlier(chat: Chat) -> None:
    """Learn which of them has been taken back since the last message. Where two have been, and nobody knows which was
    the later, their bookings are offered, so that "it" is asked about."""
    earlier, done = chat.memory.earlier, chat.memory.done
    if not earlier:
        return
    states = await asyncio.gather(*(chat.state(plan.plan_id) for plan in earlier))
    gone = [(plan, state) for plan, state in zip(earlier, states, strict=True) if _goes_back(state)]
    kept = [plan for plan, state in zip(earlier, states, strict=True) if state.open and not _goes_back(state)]
    if not gone:
        chat.remember(earlier=tuple(kept))
        return
    if done is not None and chat.undone is not None:
        gone.append((done, chat.undone))
    last = newest(gone)
    if len(last) > 1:
        # Both are over by the next message, and how they ended tells which was the later.
        kept = [plan for plan in earlier if plan in (*kept, *last)]
    _is_it(chat, last)
    chat.remember(earlier=tuple(kept))


def _goes_back(state: PlanState) -> bool:
    return state.undone or state.going_back


def newest(gone: list[tuple[DonePlan, PlanState]]) -> list[DonePlan]:
    """The one taken back last; all that may be it where that cannot be told."""
    open_ = [plan for plan, state in gone if state.ended is None]
    ended = [(state.ended, plan) for plan, state in gone if state.ended is not None]
    return open_ or [max(ended, key=lambda one: one[0])[1]]


def _is_it(chat: Chat, last: list[DonePlan]) -> None:
    """Have the chat speak of what these plans were about, and no more of the last one."""
    memory = chat.memory
    if memory.done in last and len(last) == 1:
        return
    about = bookings_of([step for plan in last for step in plan.steps])
    if not about:
        return
    known = {b.booking_id: b for b in memory.known}
    rows = [known.pop(b.booking_id, b) for b in about]
    chat.remember(
        known=(*known.values(), *rows),
        taken_back=tuple(b.booking_id for b in rows),
        offered=tuple(rows) if len(last) > 1 and len(rows) > 1 else memory.offered,
        done=memory.done.model_copy(update={"fresh": False}) if memory.done is not None else None,
    )
