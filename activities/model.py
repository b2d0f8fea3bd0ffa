"""The model: one chat completion an activity. What is asked and what an answer means is the mode's
(`reasoning/planning.py`, `reasoning/executing.py`)."""

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
from reasoning import executing, planning
from reasoning.mode import Mode


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
            mode: Mode = planning if request.goal is None else executing
            offer = await self._registries.offer(request)
            transcript = Transcript(request, offer.actions)
            ai_mode = request.mode or await self._modes.mode_of(offer.profile)
            prompt = mode.prompt(request, offer)
            usage = call_usage(request, ai_mode, prompt.purpose, self._modes.tariff_of(offer.profile), offer.profile)
            try:
                completion = await self._client.complete(prompt, request.messages, transcript, self._patience(), usage)
            except UnusableError as why:
                raise _unusable(str(why)) from None
            try:
                reply = mode.read(request, offer, completion)
                return reply.model_copy(update={"mode": ai_mode, "cached_tokens": completion.cached_tokens})
            except NO_COMPLETION as error:
                # Its text may quote the answer, and is logged with the failed activity.
                raise _unusable(f"the model's answer cannot be read: {type(error).__name__}") from None

    def _patience(self) -> float:
        """Seconds. An activity that is cut off by its own time-out tells nothing; one that gives up first says why."""
        left = activity.info().start_to_close_timeout
        return min(self._client.timeout, max(0.5, left.total_seconds() - 0.5)) if left else self._client.timeout


def call_usage(request: ReasonRequest, mode: AiMode, purpose: str, tariff: Tariff, profile: VenueProfile) -> CallUsage:
    """What the call of the activity under way is booked as. An activity that is tried again is the same call: a venue
    pays for what it asked for once, and what trying again costs is ours."""
    info = activity.info()
    return CallUsage(
        call_id=f"{info.workflow_run_id}:{info.activity_id}",
        venue_id=request.venue_id,
        mode=mode,
        purpose=purpose,
        plan_id=request.plan_id,
        trace_id=request.trace_id,
        opens_turn=request.goal is None and request.mode is None,
        tariff=profile.tariff,
        multiplier=tariff.multiplier,
    )


def _unusable(why: str) -> ApplicationError:
    return ApplicationError(why, type="model_unavailable")
