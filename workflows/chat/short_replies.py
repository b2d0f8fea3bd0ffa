"""Handles short replies in a chat, by code and never by a model. What a yes, no, wait, undo or cancel is to a plan in
each state is in `reasoning.drafting.short_replies`.

Words besides a reply must match its plan ("yes, move the playgroup"), else the message is not a short reply. While our
own question is open, a yes answers it and confirms nothing. All other messages go to the model. The API reads the
message, and a local activity compares it with the chat's bookings: a workflow reads no word list, so that a replay
after a deploy decides alike.
"""

from temporalio import workflow

from contracts.enums import PlanStatus, RollbackOutcome, RollbackTrigger, StepStatus
from contracts.plan import ExecutionPlan
from language.messages.catalogue import translate

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import LastShortReply, TurnRequest
    from contracts.commands import AnswerPrompt, CancelPlan, ConfirmPlan, UndoPlan
    from contracts.enums import OpenQuestion, PlanStatus, SafetyTier, ServiceErrorType, ShortReply
    from contracts.message_reading import BookingMatch, MessageTrait
    from contracts.plan import ExecutionPlan
    from contracts.step_activities import ChatCommandResult
    from contracts.turn import AnswerTurn, ClarificationTurn, PlanTurn, Turn
    from language.messages.catalogue import translate
    from reasoning import error_messages
    from reasoning.drafting.short_replies import TO_PENDING, TO_RUNNING, undo_or_cancel
    from workflows.chat.history import last_plan_failed
    from workflows.chat.resolved_message import asking_plan
    from workflows.chat.session import ChatSession
    from workflows.chat.turn_result import TurnRejectedError


async def handle_short_reply(chat: ChatSession, request: TurnRequest, match: BookingMatch) -> Turn | None:
    """Return the turn of a short reply; None if the message is for the model. Raises `TurnRejectedError`."""
    reply, memory = request.reading.reply, chat.memory
    asked = memory.clarifications and memory.open_question is OpenQuestion.UNDO_OR_CANCEL
    if reply is None and asked and request.reading.has(MessageTrait.CHOSE_UNDO):
        reply = ShortReply.UNDO
    again = memory.given_word is not None and memory.given_word.request_key == request.request_key
    if reply is None or not (again or match.fits_plan):
        return await _answered(chat, request, match)
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
    if running is not None and running.at_work and reply in TO_RUNNING and not memory.clarifications:
        assert memory.running_plan_id is not None
        if running.asks and not _stops(request, reply):
            return AnswerTurn(message=translate("plan.answer_it"))
        return await _tell(chat, request, reply, memory.running_plan_id)
    return await _of_the_last(chat, request, reply)


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
    elif reply not in TO_PENDING:
        return None
    return await _tell(chat, request, reply, plan_id)


async def _asked_of_the_waiting(chat: ChatSession, request: TurnRequest, reply: ShortReply, plan_id: str) -> Turn:
    """Return the turn for a wait, or for a question about what changed, while a plan is pending. The plan may have been
    confirmed since the chat read it. Raises `TurnRejectedError`."""
    seen = await chat.plan(plan_id)
    if seen.error is not None:
        raise TurnRejectedError(seen.error)
    if seen.plan is not None and seen.plan.stale:
        raise TurnRejectedError(error_messages.unavailable_error("worker", "unavailable.no_booking_changed"))
    if seen.committing:
        return AnswerTurn(message=translate("plan.being_confirmed"))
    if seen.plan is None or seen.plan.status is PlanStatus.PENDING_CONFIRMATION:
        if reply is ShortReply.WAIT:
            return AnswerTurn(message=translate("plan.still_waits"))
        return AnswerTurn(message=f"{translate('plan.nothing_yet')} {await _recount(chat)}".strip())
    if reply is ShortReply.WHAT_CHANGED:
        return AnswerTurn(message=summarize(seen.plan))
    return await _tell(chat, request, reply, plan_id)


async def _tell(chat: ChatSession, request: TurnRequest, reply: ShortReply, plan_id: str) -> Turn:
    """Confirm, drop or stop a plan. Raises `TurnRejectedError`."""
    memory, yes = chat.memory, reply is ShortReply.YES
    chat.remember(given_word=LastShortReply(request_key=request.request_key, plan_id=plan_id))
    command = ConfirmPlan(**_origin(request)) if yes else CancelPlan(**_origin(request))
    result = await chat.execute(request, plan_id, command)
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
    return reply is ShortReply.STOP or reply is ShortReply.CANCEL or request.reading.has(MessageTrait.STOPS)


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
        return AnswerTurn(message=await _recount(chat) or translate("plan.changed_nothing"))
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
        ways = list(undo_or_cancel(s.booking for s in done.steps))
        return ClarificationTurn(question=translate("ask.undo_or_cancel"), quick_actions=ways)
    return None


async def _undo(chat: ChatSession, request: TurnRequest, plan_id: str) -> Turn:
    result = await chat.execute(request, plan_id, UndoPlan(**_origin(request)))
    if result.error is not None:
        if result.error.error_type is ServiceErrorType.NOT_FOUND:
            return AnswerTurn(message=translate("plan.nothing_to_undo"))
        if result.error.error_type is ServiceErrorType.CONFLICT:
            return AnswerTurn(message=" ".join([result.error.message, *result.error.suggestions]))
        raise TurnRejectedError(result.error)
    assert result.plan is not None
    return PlanTurn(plan=result.plan, message="" if result.plan.notice else translate("plan.undoing"))


async def _recount(chat: ChatSession) -> str:
    """Return a summary of the last plan's current state; "" if there is none. Raises `TurnRejectedError`."""
    done = chat.memory.done
    if done is None:
        return ""
    result = await chat.plan(done.plan_id)
    if result.error is not None:
        if result.error.error_type is ServiceErrorType.NOT_FOUND:
            return ""
        raise TurnRejectedError(result.error)
    assert result.plan is not None
    return summarize(result.plan)


async def _answered(chat: ChatSession, request: TurnRequest, match: BookingMatch) -> Turn | None:
    """Send a message as the answer to a running plan's prompt, if it requests no change, asks nothing and gives no
    value for another booking."""
    plan_id = asking_plan(chat)
    if plan_id is None or match.other_booking or not request.reading.has(MessageTrait.MAY_ANSWER):
        return None
    commit_token = request.reply_token or request.commit_token
    command = AnswerPrompt(**{**_origin(request), "commit_token": commit_token}, text=request.user_message)
    result = await chat.execute(request, plan_id, command)
    if result.error is not None:
        if result.error.error_type is ServiceErrorType.CONFLICT:
            return None
        raise TurnRejectedError(result.error)
    if result.plan is None:
        return None
    return PlanTurn(plan=result.plan, message="" if result.plan.notice else translate("plan.answered"))


def _origin(request: TurnRequest) -> dict[str, str]:
    """Return what a command takes from the message that it comes in."""
    return {"user_id": request.user_id, "request_id": request.request_id, "commit_token": request.reply_token}


def turn_text(turn: Turn) -> str:
    """Return the text of a turn that contains no new plan."""
    return turn.question if isinstance(turn, ClarificationTurn) else turn.message or turn.type


def was_dropped(plan: ExecutionPlan) -> bool:
    """Return whether a plan was dropped before it was confirmed."""
    return plan.status is PlanStatus.CANCELLED and plan.confirmed_at is None


def summarize(plan: ExecutionPlan) -> str:
    """Return what a confirmed plan changed, and its outcome."""
    lines = [r.message for r in plan.results if r.status in (StepStatus.COMPLETED, StepStatus.UNKNOWN)]
    titles = [a.title for a in plan.actions]
    done = plan.summary or " ".join(lines) or translate("recount.of", titles=titles)
    report = plan.rollback_report
    match plan.status:
        case PlanStatus.COMPLETED:
            completed = translate("recount.completed", done=done)
            return completed if plan.settled else f"{completed} {translate('recount.being_undone')}"
        case PlanStatus.ROLLED_BACK if report is not None:
            text = " ".join(s.message for s in report.steps)
            key = "undone" if report.trigger is RollbackTrigger.UNDO else "rolled_back"
            whole = report.outcome is RollbackOutcome.COMPLETE
            return translate(f"recount.{key}", titles=titles, report=text, whole=whole)
        case PlanStatus.FAILED:
            failed = translate("recount.failed", why=plan.failure.message if plan.failure else "")
            if plan.notice is not None and plan.notice not in failed:
                # A rollback that was cut off has undone only a part, and does not continue.
                return f"{failed} {plan.notice}"
            return failed if plan.settled else f"{failed} {translate('event.rolling_back')}"
        case PlanStatus.CONFIRMED | PlanStatus.EXECUTING:
            return translate("recount.running", titles=titles, done=" ".join(lines))
        case _:
            return translate("recount.not_done", titles=titles)
