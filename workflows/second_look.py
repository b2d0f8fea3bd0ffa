"""Guided reasoning within one turn: what the model asks to see beside, and the second look at what it is about to do.

Nothing here says yes by default: a critique that fails, that cannot be read or that has no time left hands the message
to a person (`docs/guided-reasoning.md`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError, TimeoutType

with workflow.unsafe.imports_passed_through():
    from contracts.assessment import Critique, CritiqueRequest
    from contracts.booking import BookingSummary
    from contracts.effects import DraftedStep
    from contracts.enums import AiMode, CritiqueDecision, EscalationReason, SafetyTier
    from contracts.errors import MODEL_TOO_SLOW
    from contracts.model import ModelReply, ToolCall
    from contracts.plan import PlannedAction
    from contracts.quick import QuickAction
    from contracts.turn import AnswerTurn, EscalationTurn
    from language.catalogue import say
    from reasoning import checklist, critique
    from reasoning.drafting import planned
    from reasoning.knowing import schemas_in
    from workflows.outcome import Outcome
    from workflows.trail import Trail, assessed_in_words
    from workflows.turn_effects import TurnEffects


@dataclass(frozen=True, slots=True)
class Goes:
    """Nothing speaks against going on."""


@dataclass(frozen=True, slots=True)
class Asks:
    """The operator is asked this first."""

    critique: Critique


@dataclass(frozen=True, slots=True)
class Hands:
    """A person is to decide; `told` is for them."""

    reason: EscalationReason
    told: str = ""


Verdict = Goes | Asks | Hands


class SecondLook:
    """What a turn knows of its mode, and what it has been shown and asked so far."""

    def __init__(self, venue_id: str, effects: TurnEffects, trail: Trail, rounds: int) -> None:
        self._venue_id = venue_id
        self._effects, self._trail, self._rounds = effects, trail, rounds
        self.mode: AiMode | None = None
        self.fetched: tuple[str, ...] = ()
        self.calls = self.critiques = 0
        self._looks_judged = self._lacks_judged = False

    @property
    def adaptive(self) -> bool:
        """Whether the turn is served in adaptive mode."""
        return self.mode is AiMode.ADAPTIVE

    def taken(self, reply: ModelReply) -> ModelReply | None:
        """The reply; None where the model is to be asked again with what it wants to see. A call of a tool that it has
        not seen is never carried out."""
        self.mode, self.calls = reply.mode, self.calls + 1
        if not self.adaptive:
            return reply
        if reply.assessed is not None:
            self._note_assessment(reply)
        asked = (*reply.wants, *reply.unknown)
        if asked and self._rounds > 0:
            self._rounds -= 1
            self.fetched = (*self.fetched, *asked)
            told = f"asked to see {', '.join(reply.wants) or 'nothing that there is'}"
            self._trail.note("context", reply.mode, told, fetched=list(reply.wants), unknown=list(reply.unknown))
            return None
        unseen = schemas_in(reply.wants)
        if not unseen:
            return reply
        calls = tuple(_unseen(call) if call.name in unseen else call for call in reply.tool_calls)
        return reply.model_copy(update={"tool_calls": calls, "triggers": ()})

    def _note_assessment(self, reply: ModelReply) -> None:
        assert reply.assessed is not None
        judged = reply.assessed.assessment
        self._trail.note(
            "assessment",
            reply.mode,
            assessed_in_words(reply.assessed),
            assessment=judged.model_dump(mode="json") if judged is not None else None,
            calls=[call.name for call in reply.tool_calls],
            triggers=[trigger.value for trigger in reply.triggers],
            quoted=list(reply.quoted),
            withheld=reply.withheld,
        )

    def unasked(self, reply: ModelReply) -> Hands | None:
        """Of a reply that calls nothing, or refuses: whether it is too unsure to be said."""
        if self.adaptive and critique.too_unsure(reply.assessed):
            return self._hands(EscalationReason.LOW_CONFIDENCE)
        return None

    async def at_looks(self, reply: ModelReply, said: Sequence[str]) -> Verdict:
        """Judge look-ups, at most once a turn."""
        if not self.adaptive or not (reply.triggers or critique.too_unsure(reply.assessed)):
            return Goes()
        if self._looks_judged:
            return self.unasked(reply) or Goes()
        self._looks_judged = True
        steps = _as_called([call for call in reply.tool_calls if call.kind == "read"])
        return await self._look(reply, steps, said, checklist.settled_of(drafted=False))

    async def at_lack(self, reply: ModelReply, said: Sequence[str]) -> Verdict:
        """Judge calls for which the model itself says that something is missing, at most once a turn: what to ask for
        is all that is left to find out. A call that merely forgets a value is mended by the model."""
        judged = reply.assessed.assessment if reply.assessed is not None else None
        lacks = judged.missing_params if judged is not None else ()
        undone = any(call.kind == "write" and call.problems for call in reply.tool_calls)
        if not self.adaptive or not lacks or not undone or self._lacks_judged:
            return Goes()
        self._lacks_judged = True
        steps = _as_called([call for call in reply.tool_calls if call.kind == "write"])
        return await self._look(reply, steps, said, checklist.settled_of(drafted=False, lacking=lacks))

    async def at_plan(self, reply: ModelReply, drafted: Sequence[DraftedStep], said: Sequence[str]) -> Verdict:
        """Judge the steps of a plan that is about to be shown."""
        if not self.adaptive or not reply.triggers:
            return Goes()
        personal = {word for step in drafted for word in step.personal}
        return await self._look(
            reply, tuple(planned(drafted)), said, checklist.settled_of(drafted=True), tuple(sorted(personal))
        )

    async def _look(
        self,
        reply: ModelReply,
        steps: tuple[PlannedAction, ...],
        said: Sequence[str],
        points: tuple[dict[checklist.Point, str], tuple[checklist.Point, ...]],
        personal: tuple[str, ...] = (),
    ) -> Verdict:
        assert reply.assessed is not None
        settled, left = points
        request = CritiqueRequest(
            venue_id=self._venue_id,
            now=workflow.now(),
            said=tuple(said),
            steps=steps,
            triggers=reply.triggers,
            assessed=reply.assessed,
            settled=tuple(settled.values()),
            open=tuple(checklist.QUESTIONS[point] for point in left),
            personal=personal,
        )
        if self._effects.late:
            return self._hands(EscalationReason.NO_TIME)
        self.critiques += 1
        try:
            made = await self._effects.critique(request)
        except ActivityError as error:
            workflow.logger.warning("a critique failed: %s", error.cause)
            self._trail.note(
                "critique",
                AiMode.ADAPTIVE,
                f"failed: {error.cause or error}",
                failure=_kind_of(error),
                triggers=[trigger.value for trigger in reply.triggers],
                tools=[step.action_id for step in steps],
            )
            return self._hands(_why_failed(error) if not self._effects.late else EscalationReason.NO_TIME)
        why = [trigger.value for trigger in reply.triggers]
        self._trail.note(
            "critique",
            AiMode.ADAPTIVE,
            f"{made.decision.value}: {made.reasoning}",
            message=made.message,
            triggers=why,
            tools=[step.action_id for step in steps],
            only_confirmation=made.only_confirmation,
        )
        decision, reason = critique.decided(made, reply.assessed)
        if reason is not None:
            escalates = made.decision is CritiqueDecision.ESCALATE
            return self._hands(reason, (made.message or made.reasoning) if escalates else "")
        return Asks(made) if decision is CritiqueDecision.ASK_USER else Goes()

    def ended(self, outcome: Outcome) -> None:
        """Keep what came of the turn."""
        made = [step.action.name for step in outcome.steps]
        came = f"a plan: {', '.join(made)}" if made else outcome.turn.type if outcome.turn is not None else "nothing"
        mode = self.mode or AiMode.STANDARD
        self._trail.note("decision", mode, came, calls=self.calls, critiques=self.critiques)

    def _hands(self, reason: EscalationReason, told: str = "") -> Hands:
        self._trail.note("decision", AiMode.ADAPTIVE, f"handed to a person: {reason.value}", told=told)
        return Hands(reason, told)


def handed(verdict: Hands, nothing_new: str, offered: tuple[BookingSummary, ...]) -> Outcome:
    """Nothing comes of the message; a person is to decide."""
    told = f"{say(f'escalation.{verdict.reason.value}')} {nothing_new}"
    turn = EscalationTurn(message=told, reason=verdict.reason.value)
    return Outcome(turn=turn, told=told, offered=offered, escalates=verdict.reason)


def in_venues_words(text: str, quick: Sequence[str], offered: tuple[BookingSummary, ...]) -> Outcome:
    """What the venue itself says, or that nobody knows: the core's words, which claim no effect."""
    ways = [QuickAction(label=q, say=q) for q in quick]
    return Outcome(turn=AnswerTurn(message=text, quick_actions=ways), told=text, offered=offered)


def _why_failed(error: ActivityError) -> EscalationReason:
    """A critique that ran out of time, or one that failed; a worker that was lost is no question of time."""
    cause = error.cause
    slow = isinstance(cause, TimeoutError) and cause.type is not TimeoutType.HEARTBEAT
    # The activity gives up a moment before it is cut off, to say what the matter is.
    slow = slow or (isinstance(cause, ApplicationError) and cause.type == MODEL_TOO_SLOW)
    return EscalationReason.NO_TIME if slow else EscalationReason.CRITIQUE_FAILED


def _kind_of(error: ActivityError) -> str:
    """The kind of a failure, as Temporal tells it."""
    cause = error.cause
    if isinstance(cause, ApplicationError):
        return cause.type or ""
    return cause.type.name.lower() if isinstance(cause, TimeoutError) and cause.type is not None else ""


def _unseen(call: ToolCall) -> ToolCall:
    told = f"You have not seen the schema of {call.name}, and there is no asking for more in this turn."
    return call.model_copy(update={"problems": (told,)})


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
