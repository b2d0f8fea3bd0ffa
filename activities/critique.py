"""The critique of what a model is about to do: one chat completion per activity, parsed strictly. An unreadable answer
is a failure, and a failure never counts as approval (`workflows/chat/critique.py`)."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.reason import call_usage, model_unavailable, time_left
from clients.model import ModelClient, ModelTimeoutError, ModelUnavailableError
from clients.modes import Modes
from clients.registry import Registries
from contracts.chat_completion import Critique, CritiqueRequest, PlanningContext, ReasonRequest
from contracts.errors import MODEL_TOO_SLOW
from contracts.persisted_names import Activity
from infra.redaction.trace_redaction import RedactedTranscript
from infra.temporal.heartbeat import heartbeating
from language.messages.catalogue import activate_locale
from reasoning.critique import prompt as critiquing
from reasoning.critique.triggers import below_threshold
from reasoning.trace_vocabulary import ReadableWords


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
            except (ModelUnavailableError, critiquing.UnreadableError) as why:
                raise model_unavailable(str(why)) from None
            return (
                critiquing.only_asking(critique, offer.profile.locale)
                if below_threshold(request.assessed)
                else critique
            )
