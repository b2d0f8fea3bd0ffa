"""The model: one chat completion an activity. What is asked and what an answer means is the mode's
(`reasoning/planning.py`, `reasoning/adaptive.py`, `reasoning/executing.py`)."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from clients.model import NO_COMPLETION, ModelClient, UnusableError
from clients.modes import Modes
from clients.registries import Registries
from contracts.enums import AiMode
from contracts.model import ModelReply, ReasonRequest
from infra.heartbeat import beating
from infra.traced import Transcript
from language.catalogue import speak
from reasoning import adaptive, executing, planning
from reasoning.mode import Mode


class Model:
    """Asks the configured model."""

    def __init__(self, client: ModelClient, registries: Registries, modes: Modes) -> None:
        self._client = client
        self._registries = registries
        self._modes = modes

    @activity.defn(name="reason")
    async def reason(self, request: ReasonRequest) -> ModelReply:
        """See `signatures.reason`. Raises a retryable `ApplicationError` when the model does not answer usably."""
        async with beating():
            offer = await self._registries.offer(request)
            speak(offer.profile.locale, offer.profile.words)
            mode = await self._mode(request)
            transcript = Transcript(request, offer.actions)
            prompt = mode.prompt(request, offer)
            messages = request.messages if prompt.messages is None else prompt.messages
            try:
                completion = await self._client.complete(prompt, messages, transcript, patience(self._client))
            except UnusableError as why:
                raise unusable(str(why)) from None
            try:
                return mode.read(request, offer, completion)
            except NO_COMPLETION as error:
                # Its text may quote the answer, and is logged with the failed activity.
                raise unusable(f"the model's answer cannot be read: {type(error).__name__}") from None

    async def _mode(self, request: ReasonRequest) -> Mode:
        """How to ask. A turn stays in the mode that it began in, whatever its venue is set to meanwhile."""
        if request.goal is not None:
            return executing
        pack = await self._registries.pack(request.venue_id)
        chosen = request.mode or await self._modes.mode_of(pack.profile)
        return adaptive if chosen is AiMode.ADAPTIVE else planning


def patience(client: ModelClient) -> float:
    """Seconds. An activity that is cut off by its own time-out tells nothing; one that gives up first says why."""
    left = activity.info().start_to_close_timeout
    return min(client.timeout, max(0.5, left.total_seconds() - 0.5)) if left else client.timeout


def unusable(why: str) -> ApplicationError:
    """What a model call that came to nothing fails with."""
    return ApplicationError(why, type="model_unavailable")
