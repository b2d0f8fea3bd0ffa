"""Guided reasoning within one turn: the context that the model requests, and the critique of what it is about to do.

Nothing is approved by default: a critique that fails, is unreadable or has no time left escalates the message
(`docs/guided-reasoning.md`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError, TimeoutType

with workflow.unsafe.imports_passed_through():
    from contracts.base import QuickAction
    from contracts.booking import BookingSummary
    from contracts.chat_completion import Critique, CritiqueRequest, ModelReply, ToolCall
    from contracts.enums import AiMode, CritiqueDecision, EscalationReason, SafetyTier
    from contracts.errors import MODEL_TOO_SLOW
    from contracts.plan import PlannedAction
    from contracts.step_activities import DraftedStep
    from contracts.turn import AnswerTurn, EscalationTurn
    from language.messages.catalogue import translate
    from reasoning.critique import triggers
    from reasoning.drafting.plan import planned
    from reasoning.venue_facts.entries import requested_schemas
    from workflows.chat.activities import TurnActivities
    from workflows.chat.turn_result import TurnResult
    from workflows.chat.turn_transcript import ReasoningLog, assessed_in_words
    from workflows.plan.activities import requested_wait


@dataclass(frozen=True, slots=True)
class Proceed:
    """The turn may proceed."""


@dataclass(frozen=True, slots=True)
class AskOperator:
    """The operator must answer a question first."""

    critique: Critique


@dataclass(frozen=True, slots=True)
class Escalate:
    """The message is escalated; `text` is for staff."""

    reason: EscalationReason
    reply_text: str = ""


Verdict = Proceed | AskOperator | Escalate


class CritiqueGate:
    """The state of a turn's critique: its mode, the context requested and the critiques made so far."""

    def __init__(self, venue_id: str, effects: TurnActivities, trail: ReasoningLog, rounds: int) -> None:
        self._venue_id = venue_id
        self._activities, self._log, self._rounds = effects, trail, rounds
        self.mode: AiMode | None = None
        self.fetched: tuple[str, ...] = ()
        self.calls = self.critiques = 0
        self._looks_judged = self._lacks_judged = False

    @property
    def adaptive(self) -> bool:
        """Return whether the turn is served in adaptive mode."""
        return self.mode is AiMode.ADAPTIVE

    def accept(self, reply: ModelReply) -> ModelReply | None:
        """Return the reply; None if the model must be called again with the context and the look-up that it requests. A
        call of a tool whose schema the model has not seen is never carried out."""
        self.mode, self.calls = reply.mode, self.calls + 1
        if not self.adaptive:
            return reply
        if reply.assessed is not None:
            self._note_assessment(reply)
        requested, look_ups = (*reply.wants, *reply.unknown), [reply.look_up.name] if reply.look_up else []
        if (requested or look_ups) and self._rounds > 0:
            self._rounds -= 1
            self.fetched = (*self.fetched, *requested)
            text = f"asked to see {', '.join((*reply.wants, *look_ups)) or 'nothing that there is'}"
            self._log.append("context", reply.mode, text, fetched=list(reply.wants), unknown=list(reply.unknown))
            return None
        unseen = requested_schemas(reply.wants)
        if not unseen:
            return reply
        calls = tuple(_unseen(call) if call.name in unseen else call for call in reply.tool_calls)
        return reply.model_copy(update={"tool_calls": calls, "triggers": ()})

    def _note_assessment(self, reply: ModelReply) -> None:
        assert reply.assessed is not None
        judged = reply.assessed.assessment
        self._log.append(
            "assessment",
            reply.mode,
            assessed_in_words(reply.assessed),
            assessment=judged.model_dump(mode="json") if judged is not None else None,
            calls=[call.name for call in reply.tool_calls],
            triggers=[trigger.value for trigger in reply.triggers],
            quoted=list(reply.quoted),
            withheld=reply.withheld,
        )

    def on_text(self, reply: ModelReply) -> Escalate | None:
        """Return an escalation if a reply without calls, or a refusal, is too uncertain to be shown."""
        if self.adaptive and triggers.below_threshold(reply.assessed):
            return self._hands(EscalationReason.LOW_CONFIDENCE)
        return None

    async def before_look_ups(self, reply: ModelReply, messages: Sequence[str]) -> Verdict:
        """Judge look-ups, at most once per turn."""
        if not self.adaptive or not (reply.triggers or triggers.below_threshold(reply.assessed)):
            return Proceed()
        if self._looks_judged:
            return self.on_text(reply) or Proceed()
        self._looks_judged = True
        steps = _as_called([call for call in reply.tool_calls if call.kind == "read"])
        return await self._look(reply, steps, messages, triggers.decided_by_code(drafted=False))

    async def on_missing(self, reply: ModelReply, messages: Sequence[str]) -> Verdict:
        """Judge calls with values that the model itself reports as missing, at most once per turn, to find out what to
        ask. A call that merely lacks a value is corrected by the model."""
        judged = reply.assessed.assessment if reply.assessed is not None else None
        lacks = judged.missing_params if judged is not None else ()
        undone = any(call.kind == "write" and call.problems for call in reply.tool_calls)
        if not self.adaptive or not lacks or not undone or self._lacks_judged:
            return Proceed()
        self._lacks_judged = True
        steps = _as_called([call for call in reply.tool_calls if call.kind == "write"])
        return await self._look(reply, steps, messages, triggers.decided_by_code(drafted=False, lacking=lacks))

    async def before_plan(self, reply: ModelReply, drafted: Sequence[DraftedStep], messages: Sequence[str]) -> Verdict:
        """Judge the steps of a plan before it is shown."""
        if not self.adaptive or not reply.triggers:
            return Proceed()
        personal = {word for step in drafted for word in step.personal}
        return await self._look(
            reply, tuple(planned(drafted)), messages, triggers.decided_by_code(drafted=True), tuple(sorted(personal))
        )

    async def _look(
        self,
        reply: ModelReply,
        steps: tuple[PlannedAction, ...],
        messages: Sequence[str],
        points: tuple[dict[triggers.CheckItem, str], tuple[triggers.CheckItem, ...]],
        personal: tuple[str, ...] = (),
    ) -> Verdict:
        assert reply.assessed is not None
        settled, left = points
        mode = AiMode.ADAPTIVE
        why, tools = [trigger.value for trigger in reply.triggers], [step.action_id for step in steps]
        request = CritiqueRequest(
            venue_id=self._venue_id,
            now=workflow.now(),
            operator_messages=tuple(messages),
            steps=steps,
            triggers=reply.triggers,
            assessed=reply.assessed,
            settled=tuple(settled.values()),
            open=tuple(triggers.QUESTIONS[point] for point in left),
            personal=personal,
        )
        if self._activities.late:
            return self._hands(EscalationReason.NO_TIME)
        self.critiques += 1
        try:
            critique = await self._activities.critique(request)
        except ActivityError as error:
            if requested_wait(error) is not None:
                # Neither the plan nor the critique is at fault: the message is answered like one that finds no model.
                raise
            workflow.logger.warning("a critique failed: %s", error.cause)
            result, failure = f"failed: {error.cause or error}", _kind_of(error)
            self._log.append("critique", mode, result, failure=failure, triggers=why, tools=tools)
            return self._hands(_why_failed(error) if not self._activities.late else EscalationReason.NO_TIME)
        self._log.append(
            "critique",
            mode,
            f"{critique.decision.value}: {critique.reasoning}",
            message=critique.message,
            triggers=why,
            tools=tools,
            only_confirmation=critique.only_confirmation,
        )
        decision, reason = triggers.resolve(critique, reply.assessed)
        if reason is not None:
            return self._hands(reason, _text_of(critique))
        return AskOperator(critique) if decision is CritiqueDecision.ASK_USER else Proceed()

    def ended(self, outcome: TurnResult) -> None:
        """Log the result of the turn."""
        made = [step.action.name for step in outcome.steps]
        came = f"a plan: {', '.join(made)}" if made else outcome.turn.type if outcome.turn is not None else "nothing"
        mode = self.mode or AiMode.STANDARD
        self._log.append("decision", mode, came, calls=self.calls, critiques=self.critiques)

    def _hands(self, reason: EscalationReason, text: str = "") -> Escalate:
        self._log.append("decision", AiMode.ADAPTIVE, f"handed to a person: {reason.value}", for_staff=text)
        return Escalate(reason, text)


def _text_of(critique: Critique) -> str:
    """Return what a critique that escalates says about it, "" for any other."""
    return (critique.message or critique.reasoning) if critique.decision is CritiqueDecision.ESCALATE else ""


def handed(verdict: Escalate, nothing_new: str, offered: tuple[BookingSummary, ...]) -> TurnResult:
    """Return the result of an escalated message, which has no other effect."""
    text = f"{translate(f'escalation.{verdict.reason.value}')} {nothing_new}"
    turn = EscalationTurn(message=text, reason=verdict.reason.value)
    return TurnResult(turn=turn, reply_text=text, offered=offered, escalates=verdict.reason)


def in_venues_words(text: str, quick: Sequence[str], offered: tuple[BookingSummary, ...]) -> TurnResult:
    """Return a result with the venue's own text, or that the answer is unknown. It comes from code and asserts no
    effect."""
    ways = [QuickAction(label=q, say=q) for q in quick]
    return TurnResult(turn=AnswerTurn(message=text, quick_actions=ways), reply_text=text, offered=offered)


def _why_failed(error: ActivityError) -> EscalationReason:
    """Return the escalation reason for a failed critique: out of time, or failed. A lost worker does not count as out
    of time."""
    cause = error.cause
    slow = isinstance(cause, TimeoutError) and cause.type is not TimeoutType.HEARTBEAT
    # The activity ends a moment before its timeout, so that it can report the reason.
    slow = slow or (isinstance(cause, ApplicationError) and cause.type == MODEL_TOO_SLOW)
    return EscalationReason.NO_TIME if slow else EscalationReason.CRITIQUE_FAILED


def _kind_of(error: ActivityError) -> str:
    """Return the type of a failure in Temporal."""
    cause = error.cause
    if isinstance(cause, ApplicationError):
        return cause.type or ""
    return cause.type.name.lower() if isinstance(cause, TimeoutError) and cause.type is not None else ""


def _unseen(call: ToolCall) -> ToolCall:
    text = f"You have not seen the schema of {call.name}, and there is no asking for more in this turn."
    return call.model_copy(update={"problems": (text,)})


def _as_called(calls: Sequence[ToolCall]) -> tuple[PlannedAction, ...]:
    return tuple(
        PlannedAction(
            step=number,
            action_id=call.name,
            title=call.name,
            parameters=call.arguments,
            safety_tier=SafetyTier.NORMAL,
            reversible=True,
        )
        for number, call in enumerate(calls, 1)
    )
