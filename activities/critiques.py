"""The second look at what a model is about to do: one chat completion an activity, read strictly. What cannot be read
has failed, and a failure is nobody's yes (`workflows/second_look.py`)."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.model import call_usage, patience, unusable
from clients.model import ModelClient, TooSlowError, UnusableError
from clients.modes import Modes
from clients.registries import Registries
from contracts.assessment import Critique, CritiqueRequest
from contracts.errors import MODEL_TOO_SLOW
from contracts.model import PlanningContext, ReasonRequest
from infra.heartbeat import beating
from infra.traced import Transcript
from language.catalogue import speak
from reasoning import critiquing
from reasoning.critique import too_unsure
from reasoning.readable import ReadableWords


class Critiques:
    """Asks the configured model about its own plans."""

    def __init__(self, client: ModelClient, registries: Registries, modes: Modes) -> None:
        self._client = client
        self._registries = registries
        self._modes = modes

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
            transcript = Transcript(asked, offer.actions, ReadableWords(offer.actions.values()))
            tariff = self._modes.tariff_of(offer.profile)
            usage = call_usage(asked, request.mode, prompt.purpose, tariff, offer.profile)
            usage = usage.model_copy(update={"critique_triggered": True})
            try:
                completion = await self._client.complete(
                    prompt, prompt.messages or (), transcript, patience(self._client), usage
                )
                made = critiquing.read(completion, offer.profile.locale)
            except TooSlowError as why:
                # Its turn ran out of time, and says so: nothing was wrong with the plan or with the answer.
                raise ApplicationError(str(why), type=MODEL_TOO_SLOW) from None
            except (UnusableError, critiquing.UnreadableError) as why:
                raise unusable(str(why)) from None
            return critiquing.only_asking(made, offer.profile.locale) if too_unsure(request.assessed) else made
