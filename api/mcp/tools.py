"""What the tools do with plans. None takes an approval: what changes bookings is said by a person, to a form of the
client's.

    confirm_plan     asks a person; on their yes carries the plan out
    answer_question  asks a person what a running plan asks
    undo_plan        asks a person; on their yes takes a completed plan back
    cancel_plan, skip_step   only less is done: nobody is asked
    get_plan         looks
"""

import asyncio

from mcp_types import CallToolResult

from api.mcp.arguments import Look, OfPlan, SkipOf
from api.mcp.call import Call
from api.mcp.following import Part, follow, heard_of
from api.mcp.questions import answer_in, answering, confirmation, says_yes, undoing, waits_for_confirmation
from api.mcp.told import tell
from api.plans import plan_id_of
from api.under_way import whole
from clients.errors import RequestError, UnansweredError, refuse
from clients.words import Kind, Said, Word, attempt_of
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.messages import PlanView
from contracts.plan import ExecutionPlan
from language.catalogue import say
from reasoning import wording

_LOOKS_AGAIN = (0.5, 1.0)
"""Seconds."""
_ASKS = 3
"""Times that a form is shown anew in one call because the plan has changed under it."""


async def get_plan(call: Call, args: Look) -> CallToolResult:
    """The plan as it stands; with a wait, as it stands once it rests or the wait is over."""
    plan = (await _own(call, args)).plan
    if args.wait_seconds and not plan.settled and not waits_for_confirmation(plan) and plan.blocking_prompt is None:
        call.within = float(args.wait_seconds)
        plan = await follow(call, Part(plan.plan_id, await heard_of(call, plan.plan_id)))
    return tell(call, plan)


async def confirm_plan(call: Call, args: OfPlan) -> CallToolResult:
    """A person's yes to what they were shown, and what comes of it."""
    word, asked = _word(call, Kind.CONFIRM, args), 0
    view = await _own(call, args, word)
    while waits_for_confirmation(view.plan):
        if not call.asking.possible:
            return tell(call, view.plan)
        if asked == _ASKS:
            raise refuse(E.CONFLICT, say("mcp.changed_under"), say("mcp.changed_under_next"), plan=view.plan)
        question, asked = confirmation(view.plan), asked + 1
        reply = await call.asking.ask(question)
        view = await _own(call, args, word)
        if not says_yes(reply):
            return tell(call, view.plan, say("mcp.nobody_answered" if reply.action == "none" else "mcp.not_confirmed"))
        if waits_for_confirmation(view.plan) and confirmation(view.plan).key == question.key:
            after = await heard_of(call, view.plan.plan_id, word)
            said = await whole(call.parts.services.words.confirm(view, word, call.who.token))
            return await _goes_on(call, said, Part(view.plan.plan_id, after))
    if view.plan.confirmed_at is None:
        raise _too_late(view.plan)
    return await _follow_on(call, Part(view.plan.plan_id, await heard_of(call, view.plan.plan_id)))


async def answer_question(call: Call, args: OfPlan) -> CallToolResult:
    """A person's answer to what a running plan asks, and what comes of it."""
    plan = (await _own(call, args, _word(call, Kind.ANSWER, args))).plan
    if plan.blocking_prompt is None and not call.asking.resumed:
        raise refuse(E.CONFLICT, say("refuse.nothing_asked"), wording.way_on(plan), plan=plan)
    return await _follow_on(call, Part(plan.plan_id, await heard_of(call, plan.plan_id)))


async def cancel_plan(call: Call, args: OfPlan) -> CallToolResult:
    """Drop a plan, or stop it before its next step and undo what it did."""
    word = _word(call, Kind.CANCEL, args)
    view = await _own(call, args, word)
    after = await heard_of(call, view.plan.plan_id, word)
    said = await whole(call.parts.services.words.cancel(view, word))
    return await _goes_on(call, said, Part(view.plan.plan_id, after))


async def skip_step(call: Call, args: SkipOf) -> CallToolResult:
    """Leave out a step that the plan can do without, until it starts."""
    word = _word(call, Kind.SKIP, args)
    view = await _own(call, args, word)
    try:
        said = await whole(call.parts.services.words.skip(view, word, args.step))
    except RequestError as refused:
        if not refused.answer.suggestions and refused.kind in (E.CONFLICT, E.NOT_FOUND):
            refused.answer.suggestions = [wording.way_on(refused.answer.plan or view.plan)]
        raise
    return tell(call, await call.parts.shown.keep(said.plan))


async def undo_plan(call: Call, args: OfPlan) -> CallToolResult:
    """A person's yes to taking a completed plan back, and what comes of it."""
    word = _word(call, Kind.UNDO, args)
    plan = (await _own(call, args, word)).plan
    after = await heard_of(call, plan.plan_id, word)
    if plan.rollback is not None:
        return await _goes_on(call, Said(plan), Part(plan.plan_id, after))
    if plan.status is not PlanStatus.COMPLETED or plan.undo_until is None:
        raise refuse(E.CONFLICT, wording.cannot_undo(plan), wording.way_on(plan), plan=plan)
    if not call.asking.possible:
        return tell(call, plan, say("mcp.undo_asks", where=call.where(plan, "undo")))
    reply = await call.asking.ask(undoing(plan))
    view = await _own(call, args, word)
    if not says_yes(reply):
        return tell(call, view.plan, say("mcp.nobody_answered" if reply.action == "none" else "mcp.not_undone"))
    said = await whole(call.parts.services.words.undo(view, word, call.who.token))
    return await _goes_on(call, said, Part(plan.plan_id, after, anew=True))


async def _goes_on(call: Call, said: Said, part: Part) -> CallToolResult:
    """What comes of a word, where it is known what became of it."""
    plan = await call.parts.shown.keep(said.plan)
    return await _follow_on(call, part, plan) if said.certain else tell(call, plan)


async def _follow_on(call: Call, part: Part, taken: ExecutionPlan | None = None) -> CallToolResult:
    """Follow a plan to where it rests; where it asks, ask a person and go on. `taken`: the plan behind a command that
    took effect, which is what there is to tell where nothing can be followed."""
    while True:
        try:
            plan = await follow(call, part)
        except UnansweredError:
            if taken is None:
                raise
            return tell(call, taken.model_copy(update={"stale": True}))
        prompt = plan.blocking_prompt
        if prompt is None or prompt.prompt_id == part.answered or not call.asking.possible:
            return tell(call, plan)
        reply = await call.asking.ask(answering(plan, prompt))
        text = answer_in(reply, prompt)
        word = Word(Kind.ANSWER, call.who.user_id, _same(plan.plan_id, f"{prompt.prompt_id} {text}", call))
        view = await _looked(call, plan.plan_id, word)
        if text is None:
            return tell(call, view.plan, _unanswered(reply.action))
        after = await heard_of(call, plan.plan_id, word)
        said = await whole(call.parts.services.words.answer(view, word, text, prompt.prompt_id))
        if not said.certain:
            return tell(call, said.plan)
        taken, part = said.plan, Part(plan.plan_id, after, answered=prompt.prompt_id)


def _unanswered(action: str) -> str:
    if action == "accept":
        return say("mcp.no_such_answer")
    return say("mcp.nobody_answered" if action == "none" else "mcp.not_answered")


def _too_late(plan: ExecutionPlan) -> RequestError:
    """Why a plan takes no yes any more."""
    if plan.superseded_by is not None:
        return refuse(E.CONFLICT, say("event.superseded"), say("mcp.newer", plan_id=plan.superseded_by), plan=plan)
    status = PlanStatus.EXPIRED if plan.status is PlanStatus.PENDING_CONFIRMATION else plan.status
    return refuse(E.CONFLICT, wording.already(status), say("next.again"), plan=plan)


async def _own(call: Call, args: OfPlan, word: Word | None = None) -> PlanView:
    """The caller's own plan, at the venue that they call for. Raises `RequestError`."""
    view = await _looked(call, plan_id_of(args.plan_id), word)
    if view.plan.venue_id != call.who.pack.profile.venue_id:
        raise refuse(E.NOT_FOUND, say("refuse.no_plan"), say("refuse.no_plan_next"))
    return view


async def _looked(call: Call, plan_id: str, word: Word | None) -> PlanView:
    """The caller's own plan; a call has time to look again where something did not answer at once. Raises
    `RequestError`."""
    for pause in _LOOKS_AGAIN:
        try:
            return await call.by.own(plan_id, call.who.user_id, word)
        except RequestError as error:
            if error.kind is not E.SERVICE_UNAVAILABLE:
                raise
        await asyncio.sleep(pause)
    return await call.by.own(plan_id, call.who.user_id, word)


def _word(call: Call, kind: Kind, args: OfPlan) -> Word:
    """A word that is the same however often it is said: a plan is confirmed, dropped or undone once."""
    return Word(
        kind, call.who.user_id, _same(plan_id_of(args.plan_id), args.model_dump_json(exclude={"plan_id"}), call)
    )


def _same(plan_id: str, of: str, call: Call) -> str:
    return attempt_of(f"mcp {plan_id} {of}", "once", call.who.user_id, "once")
