"""The model: one chat completion an activity. What is asked and what an answer means is the mode's
(`reasoning/planning.py`, `reasoning/adaptive.py`, `reasoning/executing.py`)."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from clients.model import NO_COMPLETION, ModelClient, UnusableError
from clients.modes import Modes
from clients.registries import Registries
from contracts.enums import AiMode
from contracts.model import ModelReply, ReasonRequest
from contracts.tariff import Tariff
from contracts.usage import CallUsage
from contracts.venue import VenueProfile
from infra.heartbeat import beating
from infra.traced import Transcript
from language.catalogue import speak
from reasoning import adaptive, executing, planning
from reasoning.mode import Mode
from reasoning.readable import ReadableWords


class Model:
    """Asks the configured model."""

    def __init__(self, client: ModelClient, registries: Registries, modes: Modes | None = None) -> None:
        self._client = client
        self._registries = registries
        self._modes = modes or Modes()

    @activity.defn(name="reason")
    async def reason(self, request: ReasonRequest) -> ModelReply:
        """See `signatures.reason`. Raises a retryable `ApplicationError` when the model does not answer usably."""
        async with beating():
            offer = await self._registries.offer(request)
            speak(offer.profile.locale, offer.profile.words)
            transcript = Transcript(request, offer.actions, ReadableWords(offer.actions.values()))
            ai_mode = request.mode or await self._modes.mode_of(offer.profile)
            mode = self._way(request, ai_mode)
            prompt = mode.prompt(request, offer)
            messages = request.messages if prompt.messages is None else prompt.messages
            usage = call_usage(request, ai_mode, prompt.purpose, self._modes.tariff_of(offer.profile), offer.profile)
            try:
                completion = await self._client.complete(prompt, messages, transcript, patience(self._client), usage)
            except UnusableError as why:
                raise unusable(str(why)) from None
            try:
                reply = mode.read(request, offer, completion)
                return reply.model_copy(update={"mode": ai_mode, "cached_tokens": completion.cached_tokens})
            except NO_COMPLETION as error:
                # Its text may quote the answer, and is logged with the failed activity.
                raise unusable(f"the model's answer cannot be read: {type(error).__name__}") from None

    @staticmethod
    def _way(request: ReasonRequest, mode: AiMode) -> Mode:
        if request.goal is not None:
            return executing
        return adaptive if mode is AiMode.ADAPTIVE else planning


def patience(client: ModelClient) -> float:
    """Seconds. An activity that is cut off by its own time-out tells nothing; one that gives up first says why."""
    left = activity.info().start_to_close_timeout
    return min(client.timeout, max(0.5, left.total_seconds() - 0.5)) if left else client.timeout


def call_usage(request: ReasonRequest, mode: AiMode, purpose: str, tariff: Tariff, profile: VenueProfile) -> CallUsage:
    """What the call of the activity under way is booked as. An attempt asks the model once at most, so each attempt
    that was answered is a call of its own; however often its record is written, it is one row."""
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


def unusable(why: str) -> ApplicationError:
    """What a model call that came to nothing fails with."""
    return ApplicationError(why, type="model_unavailable")
