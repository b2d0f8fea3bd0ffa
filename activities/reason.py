"""The model's activities, one chat completion each. `reason`: the mode defines the prompt and how an answer is read
(`reasoning/modes/planning.py`, `reasoning/modes/adaptive.py`, `reasoning/modes/executing.py`). `critique` judges what a
model is about to do, and is parsed strictly: an unreadable answer is a failure, and a failure never counts as approval
(`workflows/chat/critique.py`)."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from clients.model import NO_COMPLETION, ModelBusyError, ModelClient, ModelTimeoutError, ModelUnavailableError
from clients.modes import Modes
from clients.registry import Registries
from contracts.chat_completion import Critique, CritiqueRequest, ModelReply, PlanningContext, ReasonRequest
from contracts.enums import AiMode
from contracts.errors import MODEL_BUSY, MODEL_TOO_SLOW
from contracts.persisted_names import Activity
from contracts.usage import CallUsage
from contracts.venue import Tariff, VenueProfile
from infra.redaction.trace_redaction import RedactedTranscript
from infra.temporal.heartbeat import heartbeating
from language.messages.catalogue import activate_locale
from reasoning.critique import prompt as critiquing
from reasoning.critique.triggers import below_threshold
from reasoning.modes import adaptive, executing, planning
from reasoning.modes.base import Mode
from reasoning.trace_vocabulary import ReadableWords

_SHORT_WAIT = 2.0
"""Seconds that the call of a plan waits for a busy model by itself."""


class ReasonActivity:
    """Calls the configured model."""

    def __init__(self, client: ModelClient, registries: Registries, modes: Modes | None = None) -> None:
        self._client = client
        self._registries = registries
        self._modes = modes or Modes()

    @activity.defn(name=Activity.REASON)
    async def reason(self, request: ReasonRequest) -> ModelReply:
        """See `signatures.reason`. Raises a retryable `ApplicationError` when the model does not answer usably."""
        async with heartbeating():
            offer = await self._registries.offer(request)
            activate_locale(offer.profile.locale, offer.profile.words)
            transcript = RedactedTranscript(request, offer.actions, ReadableWords(offer.actions.values()))
            ai_mode = request.mode or await self._modes.mode_of(offer.profile)
            mode = self._way(request, ai_mode)
            prompt = mode.prompt(request, offer)
            messages = request.messages if prompt.messages is None else prompt.messages
            usage = call_usage(request, ai_mode, prompt.purpose, self._modes.tariff_of(offer.profile), offer.profile)
            try:
                # A plan waits in its workflow, where it can be seen and stopped.
                patience = _SHORT_WAIT if request.goal is not None else None
                completion = await self._client.complete(
                    prompt, messages, transcript, time_left(self._client), usage, patience
                )
            except ModelUnavailableError as why:
                raise model_unavailable(why) from None
            try:
                reply = mode.read(request, offer, completion)
                return reply.model_copy(update={"mode": ai_mode, "cached_tokens": completion.cached_tokens})
            except NO_COMPLETION as error:
                # The error text may quote the answer, and it is logged with the failed activity.
                unread = ModelUnavailableError(f"the model's answer cannot be read: {type(error).__name__}")
                raise model_unavailable(unread) from None

    @staticmethod
    def _way(request: ReasonRequest, mode: AiMode) -> Mode:
        if request.goal is not None:
            return executing
        return adaptive if mode is AiMode.ADAPTIVE else planning


def time_left(client: ModelClient) -> float:
    """Return the seconds left. The model call must end before the activity's timeout, because only then can it report
    why."""
    remaining = activity.info().start_to_close_timeout
    return min(client.timeout, max(0.5, remaining.total_seconds() - 0.5)) if remaining else client.timeout


def call_usage(request: ReasonRequest, mode: AiMode, purpose: str, tariff: Tariff, profile: VenueProfile) -> CallUsage:
    """Return the usage record for the current activity attempt. An attempt calls the model at most once, so each
    answered attempt is a call of its own. Writing the record is idempotent: it stays one row."""
    info = activity.info()
    return CallUsage(
        call_id=f"{info.workflow_run_id}:{info.activity_id}:{info.attempt}",
        venue_id=request.venue_id,
        mode=mode,
        purpose=purpose,
        plan_id=request.plan_id,
        trace_id=request.trace_id,
        opens_turn=request.goal is None and request.mode is None,
        tariff=profile.tariff,
        multiplier=tariff.multiplier_in(mode),
    )


def model_unavailable(why: ModelUnavailableError) -> ApplicationError:
    """Return the error of a failed model call. A busy endpoint is not called again by this activity: its workflow
    decides whether to wait."""
    if isinstance(why, ModelBusyError):
        return ApplicationError(str(why), why.retry_after, type=MODEL_BUSY, non_retryable=True)
    return ApplicationError(str(why), type="model_unavailable")


class CritiqueActivity:
    """Asks the configured model to judge its own plans."""

    def __init__(self, client: ModelClient, registries: Registries, modes: Modes) -> None:
        self._client = client
        self._registries = registries
        self._modes = modes

    @activity.defn(name=Activity.CRITIQUE)
    async def critique(self, request: CritiqueRequest) -> Critique:
        """See `signatures.critique`. Raises a retryable `ApplicationError` when the model does not decide."""
        async with heartbeating():
            query = ReasonRequest(
                venue_id=request.venue_id,
                now=request.now,
                messages=(),
                context=PlanningContext(pending=request.steps),
                trace_id=request.trace_id,
                plan_id=request.plan_id,
                mode=request.mode,
                personal=request.personal,
            )
            offer = await self._registries.offer(query)
            activate_locale(offer.profile.locale, offer.profile.words)
            prompt = critiquing.prompt(request, offer)
            query = query.model_copy(update={"messages": prompt.messages})
            transcript = RedactedTranscript(query, offer.actions, ReadableWords(offer.actions.values()))
            tariff = self._modes.tariff_of(offer.profile)
            usage = call_usage(query, request.mode, prompt.purpose, tariff, offer.profile)
            usage = usage.model_copy(update={"critique_triggered": True})
            try:
                completion = await self._client.complete(
                    prompt, prompt.messages or (), transcript, time_left(self._client), usage
                )
                critique = critiquing.read(completion, offer.profile.locale)
            except ModelTimeoutError as why:
                # The turn ran out of time and reports that itself. Neither the plan nor the answer was wrong.
                raise ApplicationError(str(why), type=MODEL_TOO_SLOW) from None
            except ModelUnavailableError as why:
                raise model_unavailable(why) from None
            except critiquing.UnreadableError as why:
                raise model_unavailable(ModelUnavailableError(str(why))) from None
            return (
                critiquing.only_asking(critique, offer.profile.locale)
                if below_threshold(request.assessed)
                else critique
            )
