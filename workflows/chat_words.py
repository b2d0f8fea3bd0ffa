"""Short replies in a chat (`language.replies`), decided here and never by a model: which plan a yes, no, wait, undo or
cancel is for, and what comes of it.

    reply       a plan waits            a plan runs             the last one is done
    yes         confirm it              -                       -
    no, drop    drop it                 stop it                 -
    wait        it goes on waiting      stop it                 -
    undo        drop it                 stop it                 undo it
    cancel      drop it                 stop it                 ask: undo the change, or cancel the booking?

Words beside a reply must speak of the plan it is for ("yes, move the playgroup"), else it is no reply.
A yes answers our own question while one is open, so it confirms nothing then. What is left out goes to the model.
"""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.effects import AssentReply
    from contracts.enums import PlanStatus, SafetyTier, ServiceErrorType, ShortReply
    from contracts.messages import GivenWord, TurnRequest
    from contracts.plan import ExecutionPlan
    from contracts.turn import AnswerTurn, ClarificationTurn, PlanTurn, Turn
    from language import assent, effects
    from language.catalogue import say
    from language.replies import chose_undo
    from reasoning import asides, quick, recounting
    from workflows.chat import Chat
    from workflows.outcome import RefusedError

_DROPS = (ShortReply.NO, ShortReply.STOP, ShortReply.UNDO, ShortReply.CANCEL)
_STOPS = (ShortReply.NO, ShortReply.STOP, ShortReply.WAIT, ShortReply.UNDO, ShortReply.CANCEL)


def reply_of(request: TurnRequest) -> ShortReply | None:
    """What a message means where code understands it by itself."""
    if request.judged:
        return request.reply
    word = assent.bare_word(request.user_message)
    return None if word is None else ShortReply(word.value)


async def take_reply(chat: Chat, request: TurnRequest) -> Turn | None:
    """What a short reply comes to; None when the message is for the model. Raises `RefusedError`."""
    reply, memory = reply_of(request), chat.memory
    if reply is None and request.judged and _asked_undo_or_cancel(chat) and _chose_undo(request):
        reply = ShortReply.UNDO
    again = memory.given_word is not None and memory.given_word.request_key == request.request_key
    if reply is None or not (again or _is_of_the_plan(chat, request)):
        return await _answered(chat, request)
    if again and memory.given_word is not None:
        return await _tell(chat, request, reply, memory.given_word.plan_id)
    if reply is ShortReply.YES_CANCEL:
        # "Yes, cancel it" confirms a plan that cancels, and nothing else.
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
        if running.asks and not _stops(request, reply) and (request.judged or workflow.patched("no-beside-a-question")):
            return AnswerTurn(message=say("plan.answer_it"))
        return await _tell(chat, request, reply, memory.running_plan_id)
    return await _of_the_last(chat, request, reply)


def _chose_undo(request: TurnRequest) -> bool:
    return chose_undo(request.user_message) if request.chose_undo is None else request.chose_undo


def _wants_change(request: TurnRequest) -> bool:
    return effects.asks_for_change(request.user_message) if request.wants_change is None else request.wants_change


def _is_of_the_plan(chat: Chat, request: TurnRequest) -> bool:
    """Whether the words beside a reply speak of the plan it is for."""
    memory = chat.memory
    if request.aside.empty:
        return True
    steps = memory.pending_steps or (memory.done.steps if memory.done is not None else ())
    return asides.fits(request.aside, steps, (*memory.known, *memory.offered))


def _asked_undo_or_cancel(chat: Chat) -> bool:
    """Whether our last words were that question."""
    last = chat.memory.messages[-1:] if chat.memory.clarifications else ()
    return bool(last) and last[0].content == say("ask.undo_or_cancel")


async def _to_the_waiting(chat: Chat, request: TurnRequest, reply: ShortReply, plan_id: str) -> Turn | None:
    memory = chat.memory
    to_a_person = reply in (ShortReply.YES, ShortReply.NO) and memory.interrupted
    # It may be said to what a person asked, or of the call for one.
    if to_a_person and memory.pending_plan is not None and workflow.patched("no-yes-to-a-person"):
        return PlanTurn(plan=memory.pending_plan, message=say("plan.said_to_whom"))
    if reply is ShortReply.YES:
        if request.judged and memory.clarifications:
            return None
        unseen = request.shown_plan_id is not None and request.shown_plan_id != plan_id
        if unseen and memory.pending_plan is not None:
            return PlanTurn(plan=memory.pending_plan, message=say("plan.look_first"))
    elif reply is ShortReply.WAIT:
        return AnswerTurn(message=say("plan.still_waits"))
    elif reply is ShortReply.WHAT_CHANGED:
        return AnswerTurn(message=f"{say('plan.nothing_yet')} {await _recount(chat, request)}".strip())
    elif reply not in _DROPS:
        return None
    return await _tell(chat, request, reply, plan_id)


async def _tell(chat: Chat, request: TurnRequest, reply: ShortReply, plan_id: str) -> Turn:
    """Confirm, drop or stop a plan. Raises `RefusedError`."""
    memory, yes = chat.memory, reply is ShortReply.YES
    if request.settled_words:
        chat.remember(given_word=GivenWord(request_key=request.request_key, plan_id=plan_id))
    told = await chat.tell(signatures.confirm_pending if yes else signatures.drop_pending, request, plan_id)
    known = told.error is None and (told.plan is None or told.plan.notice is None)
    if plan_id == memory.pending_plan_id and (known or not request.settled_words):
        chat.forget_pending(running=plan_id if told.plan and told.plan.confirmed_at else None)
    if not yes and plan_id == chat.memory.running_plan_id:
        # Also one that was confirmed just before.
        return _stopping(told)
    if told.error is not None:
        raise RefusedError(told.error)
    if told.plan is None or (not yes and dropped(told.plan)):
        return AnswerTurn(message=say("plan.dropped"))
    return PlanTurn(plan=told.plan)


async def drop_waiting(chat: Chat, request: TurnRequest, turn: Turn) -> Turn:
    """Drop the plan that waits, for a message that drops it and comes to no other plan; the turn, which says so. Raises
    `RefusedError`."""
    waiting = chat.memory.pending_plan_id
    if waiting is None:
        return turn
    if request.ticket:
        await chat.claim(request)
    said = await _tell(chat, request, ShortReply.NO, waiting)
    if isinstance(said, PlanTurn):
        return said
    if isinstance(turn, ClarificationTurn):
        return turn.model_copy(update={"question": f"{spoken_in(said)} {turn.question}"})
    return turn.model_copy(update={"message": f"{spoken_in(said)} {spoken_in(turn)}"})


def _stops(request: TurnRequest, reply: ShortReply) -> bool:
    """Whether a no stops a plan that waits for an answer: beside a question, a bare no may be the answer to it."""
    if not request.judged:
        return assent.stops(request.user_message)
    return reply is ShortReply.STOP or reply is ShortReply.CANCEL or assent.stops(request.user_message)


def _stopping(told: AssentReply) -> Turn:
    """What a no to a running plan comes to. Raises `RefusedError`."""
    if told.error is not None:
        if told.error.error_type is ServiceErrorType.CONFLICT:
            return AnswerTurn(message=told.error.message)
        raise RefusedError(told.error)
    if told.plan is not None and told.plan.notice is not None:
        return PlanTurn(plan=told.plan)
    return AnswerTurn(message=say("plan.stopping"))


async def _of_the_last(chat: Chat, request: TurnRequest, reply: ShortReply) -> Turn | None:
    """A reply with no plan that waits or runs: it speaks of the one that was carried out last, if there is one."""
    done = chat.memory.done
    if reply is ShortReply.WHAT_CHANGED:
        return AnswerTurn(message=await _recount(chat, request) or say("plan.changed_nothing"))
    no_other = reply is ShortReply.NO and chat.memory.no_room and chat.memory.clarifications
    if no_other and workflow.patched("no-other-time"):
        return AnswerTurn(message=chat.nothing_new())
    if reply is ShortReply.YES and chat.expired and workflow.patched("late-yes-is-told"):
        return AnswerTurn(message=f"{say('event.expired')} {say('next.again')}.")
    if reply is ShortReply.UNDO:
        if done is None:
            return AnswerTurn(message=say("plan.nothing_to_undo"))
        return await _undo(chat, request, done.plan_id)
    stands = done is not None and done.fresh and done.can_be_undone
    if reply is ShortReply.CANCEL and done is not None and stands and not chat.memory.clarifications:
        ways = list(quick.undo_or_cancel(s.booking for s in done.steps))
        return ClarificationTurn(question=say("ask.undo_or_cancel"), quick_actions=ways)
    return None


async def _undo(chat: Chat, request: TurnRequest, plan_id: str) -> Turn:
    told = await chat.tell(signatures.undo_done, request, plan_id)
    if told.error is not None:
        if told.error.error_type is ServiceErrorType.NOT_FOUND:
            return AnswerTurn(message=say("plan.nothing_to_undo"))
        if told.error.error_type is ServiceErrorType.CONFLICT:
            return AnswerTurn(message=" ".join([told.error.message, *told.error.suggestions]))
        raise RefusedError(told.error)
    assert told.plan is not None
    return PlanTurn(plan=told.plan, message="" if told.plan.notice else say("plan.undoing"))


async def _recount(chat: Chat, request: TurnRequest) -> str:
    """What the last plan did, as it stands; "" where there was none. Raises `RefusedError`."""
    done = chat.memory.done
    if done is None:
        return ""
    told = await chat.tell(signatures.look_at_plan, request, done.plan_id)
    if told.error is not None:
        if told.error.error_type is ServiceErrorType.NOT_FOUND:
            return ""
        raise RefusedError(told.error)
    assert told.plan is not None
    return recounting.recount(told.plan)


async def _answered(chat: Chat, request: TurnRequest) -> Turn | None:
    """An answer to a running plan's question may come as a message: whatever asks for no change, asks nothing and gives
    no value for another booking."""
    running, plan_id = chat.running, chat.memory.running_plan_id
    asks = running is not None and running.asks and plan_id is not None and chat.memory.pending_plan_id is None
    if not request.judged or not asks or "?" in request.user_message or _wants_change(request) or request.wants_person:
        return None
    assert plan_id is not None
    if _is_of_another(chat, request, plan_id):
        return None
    told = await chat.tell(signatures.answer_plan, request, plan_id, text=request.user_message)
    if told.error is not None:
        if told.error.error_type is ServiceErrorType.CONFLICT:
            return None
        raise RefusedError(told.error)
    if told.plan is None:
        return None
    return PlanTurn(plan=told.plan, message="" if told.plan.notice else say("plan.answered"))


def _is_of_another(chat: Chat, request: TurnRequest, plan_id: str) -> bool:
    """Whether a message gives its value for another booking than those of the plan that asks."""
    memory = chat.memory
    plans = (*((memory.done,) if memory.done is not None else ()), *memory.earlier)
    steps = next((plan.steps for plan in plans if plan.plan_id == plan_id), ())
    return asides.of_another(request.for_whom, steps, (*memory.known, *memory.offered))


def spoken_in(turn: Turn) -> str:
    """What the operator reads of a turn that holds no new plan."""
    return turn.question if isinstance(turn, ClarificationTurn) else turn.message or turn.type


def dropped(plan: ExecutionPlan) -> bool:
    """Whether a plan was dropped before anybody confirmed it."""
    return plan.status is PlanStatus.CANCELLED and plan.confirmed_at is None
