"""Short replies in a chat (`language.replies.short_replies`), decided by code and never by a model: which plan a yes,
no, wait, undo or cancel is for, and what it does.

    reply       a plan is pending       a plan runs             the last one is done
    yes         confirm it              -                       -
    no, drop    drop it                 stop it                 -
    wait        keep it pending         stop it                 -
    undo        drop it                 stop it                 undo it
    cancel      drop it                 stop it                 ask: undo the change, or cancel the booking?

Words besides a reply must match its plan ("yes, move the playgroup"), else the message is not a short reply. While our
own question is open, a yes answers it and confirms nothing. All other messages go to the model.
"""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.chat_messages import LastShortReply, TurnRequest
    from contracts.enums import PlanStatus, SafetyTier, ServiceErrorType, ShortReply
    from contracts.plan import ExecutionPlan
    from contracts.step_activities import ChatCommandResult
    from contracts.turn import AnswerTurn, ClarificationTurn, PlanTurn, Turn
    from language.messages.catalogue import translate
    from language.replies import stop_request
    from reasoning import error_messages, plan_summary
    from reasoning.drafting import short_replies
    from workflows.chat.history import last_plan_failed
    from workflows.chat.session import ChatSession
    from workflows.chat.turn_result import TurnRejectedError

_DROPS = (ShortReply.NO, ShortReply.STOP, ShortReply.UNDO, ShortReply.CANCEL)
_STOPS = (ShortReply.NO, ShortReply.STOP, ShortReply.WAIT, ShortReply.UNDO, ShortReply.CANCEL)


async def handle_short_reply(chat: ChatSession, request: TurnRequest) -> Turn | None:
    """Return the turn of a short reply; None if the message is for the model. Raises `TurnRejectedError`."""
    reply, memory = request.reply, chat.memory
    if reply is None and request.chose_undo and _asked_undo_or_cancel(chat):
        reply = ShortReply.UNDO
    again = memory.given_word is not None and memory.given_word.request_key == request.request_key
    if reply is None or not (again or _is_of_the_plan(chat, request)):
        return await _answered(chat, request)
    if again and memory.given_word is not None:
        return await _tell(chat, request, reply, memory.given_word.plan_id)
    if reply is ShortReply.YES_CANCEL:
        # "Yes, cancel it" confirms a plan that cancels a booking, and nothing else.
        cancels = bool(memory.pending_steps) and all(
            s.action.safety is SafetyTier.HIGH_RISK for s in memory.pending_steps
        )
        reply = ShortReply.YES if cancels else ShortReply.CANCEL
    waiting = memory.pending_plan_id
    if waiting is not None:
        return await _to_the_waiting(chat, request, reply, waiting)
    running = chat.running
    if running is not None and running.at_work and reply in _STOPS and not memory.clarifications:
        assert memory.running_plan_id is not None
        if running.asks and not _stops(request, reply):
            return AnswerTurn(message=translate("plan.answer_it"))
        return await _tell(chat, request, reply, memory.running_plan_id)
    return await _of_the_last(chat, request, reply)


def _is_of_the_plan(chat: ChatSession, request: TurnRequest) -> bool:
    """Return whether the words besides a reply match its plan."""
    memory = chat.memory
    if request.qualifiers.empty:
        return True
    steps = memory.pending_steps or (memory.done.steps if memory.done is not None else ())
    return short_replies.reply_fits_plan(request.qualifiers, steps, (*memory.known_bookings, *memory.offered_bookings))


def _asked_undo_or_cancel(chat: ChatSession) -> bool:
    """Return whether our last message was that question."""
    last = chat.memory.messages[-1:] if chat.memory.clarifications else ()
    return bool(last) and last[0].content == translate("ask.undo_or_cancel")


async def _to_the_waiting(chat: ChatSession, request: TurnRequest, reply: ShortReply, plan_id: str) -> Turn | None:
    memory = chat.memory
    to_a_person = reply in (ShortReply.YES, ShortReply.NO) and memory.staff_interrupted
    # The reply may be for a staff reply, or for the escalation.
    if to_a_person and memory.pending_plan is not None:
        return PlanTurn(plan=memory.pending_plan, message=translate("plan.said_to_whom"))
    if reply is ShortReply.YES:
        if memory.clarifications:
            return None
        unseen = request.shown_plan_id is not None and request.shown_plan_id != plan_id
        if unseen and memory.pending_plan is not None:
            return PlanTurn(plan=memory.pending_plan, message=translate("plan.look_first"))
    elif reply is ShortReply.WAIT or reply is ShortReply.WHAT_CHANGED:
        return await _asked_of_the_waiting(chat, request, reply, plan_id)
    elif reply not in _DROPS:
        return None
    return await _tell(chat, request, reply, plan_id)


async def _asked_of_the_waiting(chat: ChatSession, request: TurnRequest, reply: ShortReply, plan_id: str) -> Turn:
    """Return the turn for a wait, or for a question about what changed, while a plan is pending. The plan may have been
    confirmed since the chat read it. Raises `TurnRejectedError`."""
    seen = await chat.send_command(signatures.get_plan, request, plan_id)
    if seen.error is not None:
        raise TurnRejectedError(seen.error)
    if seen.plan is not None and seen.plan.stale:
        raise TurnRejectedError(error_messages.unavailable_error("worker", "away.no_booking_changed"))
    if seen.committing:
        return AnswerTurn(message=translate("plan.being_confirmed"))
    if seen.plan is None or seen.plan.status is PlanStatus.PENDING_CONFIRMATION:
        if reply is ShortReply.WAIT:
            return AnswerTurn(message=translate("plan.still_waits"))
        return AnswerTurn(message=f"{translate('plan.nothing_yet')} {await _recount(chat, request)}".strip())
    if reply is ShortReply.WHAT_CHANGED:
        return AnswerTurn(message=plan_summary.summarize(seen.plan))
    return await _tell(chat, request, reply, plan_id)


async def _tell(chat: ChatSession, request: TurnRequest, reply: ShortReply, plan_id: str) -> Turn:
    """Confirm, drop or stop a plan. Raises `TurnRejectedError`."""
    memory, yes = chat.memory, reply is ShortReply.YES
    chat.remember(given_word=LastShortReply(request_key=request.request_key, plan_id=plan_id))
    result = await chat.send_command(signatures.confirm_pending if yes else signatures.cancel_pending, request, plan_id)
    if not yes and (ended := _ended_before(result)) is not None:
        return await _behind_the_end(chat, request, reply, ended, result)
    known = result.error is None and (result.plan is None or result.plan.notice is None)
    if plan_id == memory.pending_plan_id and known:
        chat.clear_pending(running=plan_id if result.plan and result.plan.confirmed_at else None)
    if not yes and plan_id == chat.memory.running_plan_id:
        # Also a plan that was confirmed just before.
        return _stopping(result)
    if result.error is not None:
        raise TurnRejectedError(result.error)
    if result.plan is None or (not yes and was_dropped(result.plan)):
        return AnswerTurn(message=translate("plan.dropped"))
    return PlanTurn(plan=result.plan)


def _ended_before(result: ChatCommandResult) -> ExecutionPlan | None:
    """Return the plan if it was confirmed and had ended before it could be stopped."""
    plan = (
        result.error.plan if result.error is not None and result.error.error_type is ServiceErrorType.CONFLICT else None
    )
    return plan if plan is not None and plan.confirmed_at is not None and plan.status.terminal else None


async def _behind_the_end(
    chat: ChatSession, request: TurnRequest, reply: ShortReply, ended: ExecutionPlan, result: ChatCommandResult
) -> Turn:
    """Return the turn for a reply that came too late to stop a plan, which is about the plan's result. Raises
    `TurnRejectedError`."""
    if ended.plan_id == chat.memory.pending_plan_id:
        chat.clear_pending(done=True)
    done = chat.memory.done
    if done is not None and done.plan_id == ended.plan_id:
        chat.remember(done=done.model_copy(update={"status": ended.status}))
    assert result.error is not None
    late = AnswerTurn(message=" ".join([result.error.message, *result.error.suggestions]))
    return await _of_the_last(chat, request, reply) or late


async def drop_waiting(chat: ChatSession, request: TurnRequest, turn: Turn) -> Turn:
    """Drop the pending plan for a message that drops it without another plan, and return the turn with that added.
    Raises `TurnRejectedError`."""
    waiting = chat.memory.pending_plan_id
    if waiting is None:
        return turn
    await chat.claim(request)
    dropped = await _tell(chat, request, ShortReply.NO, waiting)
    if isinstance(dropped, PlanTurn):
        return dropped
    if isinstance(turn, ClarificationTurn):
        return turn.model_copy(update={"question": f"{turn_text(dropped)} {turn.question}"})
    return turn.model_copy(update={"message": f"{turn_text(dropped)} {turn_text(turn)}"})


def _stops(request: TurnRequest, reply: ShortReply) -> bool:
    """Return whether a no stops a plan that waits for an answer. A bare no may be the answer to its prompt."""
    return reply is ShortReply.STOP or reply is ShortReply.CANCEL or stop_request.asks_to_stop(request.user_message)


def _stopping(result: ChatCommandResult) -> Turn:
    """Return the turn for a no to a running plan. Raises `TurnRejectedError`."""
    if result.error is not None:
        if result.error.error_type is ServiceErrorType.CONFLICT:
            return AnswerTurn(message=result.error.message)
        raise TurnRejectedError(result.error)
    if result.plan is not None and result.plan.notice is not None:
        return PlanTurn(plan=result.plan)
    return AnswerTurn(message=translate("plan.stopping"))


async def _of_the_last(chat: ChatSession, request: TurnRequest, reply: ShortReply) -> Turn | None:
    """Return the turn for a reply without a pending or running plan: it is about the last plan, if there is one."""
    done = chat.memory.done
    if reply is ShortReply.WHAT_CHANGED:
        return AnswerTurn(message=await _recount(chat, request) or translate("plan.changed_nothing"))
    no_other = reply is ShortReply.NO and chat.memory.last_was_full and chat.memory.clarifications
    gives_up = reply in (ShortReply.NO, ShortReply.STOP) and not chat.memory.clarifications
    if no_other or (gives_up and last_plan_failed(chat.memory)):
        return AnswerTurn(message=chat.nothing_changed_text())
    if reply is ShortReply.YES and chat.expired:
        return AnswerTurn(message=f"{translate('event.expired')} {translate('next.again')}.")
    if reply is ShortReply.UNDO:
        if done is None:
            return AnswerTurn(message=translate("plan.nothing_to_undo"))
        return await _undo(chat, request, done.plan_id)
    undoable = done is not None and done.fresh and done.can_be_undone
    if reply is ShortReply.CANCEL and done is not None and undoable and not chat.memory.clarifications:
        ways = list(short_replies.undo_or_cancel(s.booking for s in done.steps))
        return ClarificationTurn(question=translate("ask.undo_or_cancel"), quick_actions=ways)
    return None


async def _undo(chat: ChatSession, request: TurnRequest, plan_id: str) -> Turn:
    result = await chat.send_command(signatures.undo_last, request, plan_id)
    if result.error is not None:
        if result.error.error_type is ServiceErrorType.NOT_FOUND:
            return AnswerTurn(message=translate("plan.nothing_to_undo"))
        if result.error.error_type is ServiceErrorType.CONFLICT:
            return AnswerTurn(message=" ".join([result.error.message, *result.error.suggestions]))
        raise TurnRejectedError(result.error)
    assert result.plan is not None
    return PlanTurn(plan=result.plan, message="" if result.plan.notice else translate("plan.undoing"))


async def _recount(chat: ChatSession, request: TurnRequest) -> str:
    """Return a summary of the last plan's current state; "" if there is none. Raises `TurnRejectedError`."""
    done = chat.memory.done
    if done is None:
        return ""
    result = await chat.send_command(signatures.get_plan, request, done.plan_id)
    if result.error is not None:
        if result.error.error_type is ServiceErrorType.NOT_FOUND:
            return ""
        raise TurnRejectedError(result.error)
    assert result.plan is not None
    return plan_summary.summarize(result.plan)


async def _answered(chat: ChatSession, request: TurnRequest) -> Turn | None:
    """Send a message as the answer to a running plan's prompt, if it requests no change, asks nothing and gives no
    value for another booking."""
    running, plan_id = chat.running, chat.memory.running_plan_id
    asks = running is not None and running.asks and plan_id is not None and chat.memory.pending_plan_id is None
    if not asks or "?" in request.user_message or request.wants_change or request.wants_person:
        return None
    assert plan_id is not None
    if _is_of_another(chat, request, plan_id):
        return None
    result = await chat.send_command(signatures.answer_plan, request, plan_id, text=request.user_message)
    if result.error is not None:
        if result.error.error_type is ServiceErrorType.CONFLICT:
            return None
        raise TurnRejectedError(result.error)
    if result.plan is None:
        return None
    return PlanTurn(plan=result.plan, message="" if result.plan.notice else translate("plan.answered"))


def _is_of_another(chat: ChatSession, request: TurnRequest, plan_id: str) -> bool:
    """Return whether a message gives its value for a booking that is not of the asking plan."""
    memory = chat.memory
    plans = (*((memory.done,) if memory.done is not None else ()), *memory.earlier_plans)
    steps = next((plan.steps for plan in plans if plan.plan_id == plan_id), ())
    return short_replies.of_another(request.for_whom, steps, (*memory.known_bookings, *memory.offered_bookings))


def turn_text(turn: Turn) -> str:
    """Return the text of a turn that contains no new plan."""
    return turn.question if isinstance(turn, ClarificationTurn) else turn.message or turn.type


def was_dropped(plan: ExecutionPlan) -> bool:
    """Return whether a plan was dropped before it was confirmed."""
    return plan.status is PlanStatus.CANCELLED and plan.confirmed_at is None
