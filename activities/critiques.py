"""The second look at what a model is about to do: one chat completion an activity, read strictly. What cannot be read
has failed, and a failure is nobody's yes (`workflows/second_look.py`)."""

from temporalio import activity

from activities.model import patience, unusable
from clients.model import ModelClient, UnusableError
from clients.registries import Registries
from contracts.assessment import Critique, CritiqueRequest
from contracts.model import PlanningContext, ReasonRequest
from infra.heartbeat import beating
from infra.traced import Transcript
from language.catalogue import speak
from reasoning import critiquing


class Critiques:
    """Asks the configured model about its own plans."""

    def __init__(self, client: ModelClient, registries: Registries) -> None:
        self._client = client
        self._registries = registries

    @activity.defn(name="critique")
    async def critique(self, request: CritiqueRequest) -> Critique:
        """See `signatures.critique`. Raises a retryable `ApplicationError` when the model does not decide."""
        async with beating():
            asked = ReasonRequest(
                venue_id=request.venue_id,
                now=request.now,
                messages=(),
                context=PlanningContext(pending=request.steps),
                trace_id=request.trace_id,
                plan_id=request.plan_id,
                mode=request.mode,
                personal=request.personal,
            )
            offer = await self._registries.offer(asked)
            speak(offer.profile.locale, offer.profile.words)
            prompt = critiquing.prompt(request, offer)
            asked = asked.model_copy(update={"messages": prompt.messages})
            transcript = Transcript(asked, offer.actions)
            try:
                completion = await self._client.complete(
                    prompt, prompt.messages or (), transcript, patience(self._client)
                )
                return critiquing.read(completion, offer.profile.locale)
            except (UnusableError, critiquing.UnreadableError) as why:
                raise unusable(str(why)) from None
