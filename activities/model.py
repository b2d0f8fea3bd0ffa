"""The model: one chat completion an activity. What is asked and what an answer means is the mode's
(`reasoning/planning.py`, `reasoning/executing.py`)."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from clients.model import NO_COMPLETION, ModelClient, UnusableError
from clients.registries import Registries
from contracts.model import ModelReply, ReasonRequest
from infra.heartbeat import beating
from infra.traced import Transcript
from reasoning import executing, planning
from reasoning.mode import Mode


class Model:
    """Asks the configured model."""

    def __init__(self, client: ModelClient, registries: Registries) -> None:
        self._client = client
        self._registries = registries

    @activity.defn(name="reason")
    async def reason(self, request: ReasonRequest) -> ModelReply:
        """See `signatures.reason`. Raises a retryable `ApplicationError` when the model does not answer usably."""
        async with beating():
            mode: Mode = planning if request.goal is None else executing
            offer = await self._registries.offer(request)
            transcript = Transcript(request, offer.actions)
            try:
                completion = await self._client.complete(
                    mode.prompt(request, offer), request.messages, transcript, self._patience()
                )
            except UnusableError as why:
                raise _unusable(str(why)) from None
            try:
                return mode.read(request, offer, completion)
            except NO_COMPLETION as error:
                # Its text may quote the answer, and is logged with the failed activity.
                raise _unusable(f"the model's answer cannot be read: {type(error).__name__}") from None

    def _patience(self) -> float:
        """Seconds. An activity that is cut off by its own time-out tells nothing; one that gives up first says why."""
        left = activity.info().start_to_close_timeout
        return min(self._client.timeout, max(0.5, left.total_seconds() - 0.5)) if left else self._client.timeout


def _unusable(why: str) -> ApplicationError:
    return ApplicationError(why, type="model_unavailable")
