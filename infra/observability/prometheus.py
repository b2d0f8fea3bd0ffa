"""The Prometheus metrics of this process, in a registry of their own; `docs/metrics.md` describes each.

A sink of `infra/observability/observer.py`. The six key metrics are the scores of `contracts/metrics.py`, summed:
`iq_x_sum` by `iq_x_count` is the mean. A plan is counted once it has ended, so that no count is ever reverted. Labels
are names of venues, actions and models, and closed sets of words; never ids or free text.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import product
from threading import Lock
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Summary, generate_latest

from contracts import metrics
from contracts.enums import EscalationReason, PlanStatus, RollbackOutcome, RollbackTrigger, ServiceErrorType, StepStatus
from contracts.usage import CallUsage, PlanOutcome
from infra.ledger.records import PriceTable, call_record
from infra.observability.observer import Counted, Deduplicator, Kind, Observation

_QUICK = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120)
"""Seconds of what a machine does; 15 is a turn's budget."""
_PEOPLE = (5, 15, 30, 60, 120, 300, 600, 900)
"""Seconds of what a person does; a plan waits 900 for its confirmation."""

_MOST_NAMES = 500
_NANO = 1_000_000_000


class PrometheusMetrics:
    """All metrics of this process. A scrape sets the gauges (`clients/temporal/plan_gauges.py`). `venues` and `model`
    are the served ones: their counts start at 0, because Prometheus sees no increase in a count that begins at 1."""

    def __init__(self, prices: PriceTable, venues: Iterable[str] = (), model: str = "") -> None:
        self._prices = prices
        self._lock = Lock()
        self._once = Deduplicator()
        self._names: set[str] = set()
        self.registry = registry = CollectorRegistry(auto_describe=True)

        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"iq_{name}", about, labels, registry=registry)

        def timing(name: str, about: str, *labels: str, buckets: tuple[float, ...] = _QUICK) -> Histogram:
            return Histogram(f"iq_{name}", about, labels, buckets=buckets, registry=registry)

        def gauge(name: str, about: str, *labels: str) -> Gauge:
            return Gauge(f"iq_{name}", about, labels, registry=registry)

        self._define_plans(counter, timing)
        self._define_calls(counter, timing)
        self.plans_open = gauge("plans_open", "Plans whose workflow runs, by IqPhase", "phase")
        self.prompts_open = gauge("prompts_open", "Running plans that wait for an answer")
        self.prompt_age = gauge("prompt_oldest_seconds", "Age of the oldest question that waits, of the first hundred")
        self.escalations_open = gauge("escalations_open", "Messages that wait for a person")
        self.plan_counts_known = gauge("plan_counts_known", "1 if Temporal answered with the numbers of plans, else 0")
        self._begin(venues, model)

    def _define_plans(self, counter: Callable[..., Counter], timing: Callable[..., Histogram]) -> None:
        """Define the metrics of plans and steps."""
        self._plans = counter("plans", "Plans that came to a status", "venue", "status")
        self._first_action = timing("first_action_seconds", "From confirmation to the first write's start", "venue")
        self._steps = timing("step_seconds", "How long a step took that was sent", "venue", "action")
        self._rollbacks = counter("rollbacks", "Rollbacks that have ended", "venue", "trigger", "outcome")
        self._unknown = counter("unknown_outcomes", "Steps with unknown outcome", "venue")
        self._measures: dict[str, Summary | Histogram] = {}
        for one in metrics.MEASURES:
            labels = ("venue", "action") if one.of == "steps" else ("venue",)
            about = f"The booking specification's {one.name.replace('_', ' ')}: the {one.taken} over {one.of}"
            self._measures[one.name] = (
                timing(one.name, about, *labels, buckets=_PEOPLE)
                if one.taken == "median"
                else Summary(f"iq_{one.name}", about, labels, registry=self.registry)
            )

    def _define_calls(self, counter: Callable[..., Counter], timing: Callable[..., Histogram]) -> None:
        """Define the metrics of model calls, venue calls and requests."""
        self._calls = timing("model_seconds", "How long a model call took", "purpose", "outcome")
        self._tokens = counter("model_tokens", "Tokens, as the endpoint counts them", "model", "kind")
        self._cost = counter("model_cost_dollars", "Price times multiplier, of calls with a known price", "model")
        self._repairs = counter("model_repairs", "Parts of answers that were read although written otherwise", "kind")
        self._unpriced = counter("model_unpriced_calls", "Calls that no price is known of", "model")
        self._venue_calls = timing("venue_call_seconds", "How long a venue call took", "action", "outcome")

        self._broken = counter("plans_broken", "Plans that a mistake of ours ended", "venue")
        self._turns = timing("turn_seconds", "From a message to its answer at the facade", "venue", "came")
        self._refusals = counter("refusals", "Requests that were answered with an error", "error_type")
        self._vault_misses = counter("vault_misses", "Tokens that were asked for and are gone")
        self._escalations = counter("escalations", "Messages that were handed to a person", "venue", "reason")
        self._paced = counter("paced_calls", "Venue calls that had to wait for their turn", "venue", "came")
        self._paced_seconds = counter("paced_seconds", "How long venue calls waited for their turn", "venue")
        self._place_waits = counter("place_waits", "What waited at a facade for its place", "venue", "kind")
        self._place_seconds = counter("place_seconds", "How long it waited at a facade", "venue", "kind")
        self._no_place = counter("no_place", "What a facade had no place for, and answered 429", "venue", "kind")

    def _begin(self, venues: Iterable[str], model: str) -> None:
        for venue in venues:
            # A plan is counted from its first change on, and no change leads to the initial status.
            for status in set(PlanStatus) - {PlanStatus.PENDING_CONFIRMATION}:
                self._plans.labels(venue, status.value)
            for trigger, outcome in product(RollbackTrigger, RollbackOutcome):
                self._rollbacks.labels(venue, trigger.value, outcome.value)
            for reason in EscalationReason:
                self._escalations.labels(venue, reason.value)
            for came in ("waited", "turned_away"):
                self._paced.labels(venue, came)
            self._paced_seconds.labels(venue)
            for kind in ("message", "command"):
                for of_places in (self._no_place, self._place_waits, self._place_seconds):
                    of_places.labels(venue, kind)
            for measure in metrics.MEASURES:
                if measure.of == "plans":
                    self._measures[measure.name].labels(venue)
            self._unknown.labels(venue)
            self._broken.labels(venue)
        for kind in ServiceErrorType:
            self._refusals.labels(kind.value)
        for of in ("input", "cached", "output"):
            self._tokens.labels(model, of)
        self._cost.labels(model)
        self._unpriced.labels(model)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    @contextmanager
    def on_call(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator[Observation]:
        """See `Sink`."""
        call, begun = _CallSample(), time.monotonic()
        outcome = "failed"
        try:
            yield call
            outcome = "ok"
        finally:
            seconds = time.monotonic() - begun
            if kind == "tool":
                self._venue_calls.labels(self._bounded(name), call.refused or outcome).observe(seconds)
            else:
                self._calls.labels(name, outcome).observe(seconds)
                self._spent(fields, call, seconds)

    def on_record(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `Sink`."""
        outcome = fields.get("outcome")
        if isinstance(outcome, PlanOutcome) and self._once.is_new(outcome.plan_id, outcome.revision):
            self._plan(outcome)

    def on_count(self, what: Counted, labels: dict[str, str], seconds: float | None) -> None:
        """See `Counter`."""
        match what:
            case "refusal":
                self._refusals.labels(**labels).inc()
            case "broken_plan":
                self._broken.labels(**labels).inc()
            case "model_repair":
                self._repairs.labels(**labels).inc()
            case "vault_miss":
                self._vault_misses.inc()
            case "escalation":
                self._escalations.labels(**labels).inc()
            case "turn":
                self._turns.labels(**labels).observe(seconds or 0.0)
            case "paced":
                self._paced.labels(**labels).inc()
                self._paced_seconds.labels(labels["venue"]).inc(seconds or 0.0)
            case "no_place":
                self._no_place.labels(**labels).inc()
            case "place_waited":
                self._place_waits.labels(**labels).inc()
                self._place_seconds.labels(**labels).inc(seconds or 0.0)

    def flush(self) -> None:
        """See `Sink`."""

    def _plan(self, plan: PlanOutcome) -> None:
        venue = plan.venue_id
        if plan.status is not plan.before:
            self._plans.labels(venue, plan.status.value).inc()
            if plan.status is PlanStatus.ROLLED_BACK and plan.rollback_trigger and plan.rollback_outcome:
                self._rollbacks.labels(venue, plan.rollback_trigger.value, plan.rollback_outcome.value).inc()
        if not plan.ends:
            return
        for name, value in metrics.scores(plan).items():
            self._measures[name].labels(venue).observe(value)
        if plan.first_action_at is not None and plan.confirmed_at is not None:
            self._first_action.labels(venue).observe(_seconds(plan.confirmed_at, plan.first_action_at))
        for step in plan.steps:
            failed = metrics.score(metrics.ACTION_FAILURE, step)
            if failed is not None:
                self._measures[metrics.ACTION_FAILURE.name].labels(venue, step.action).observe(failed)
            if step.status is StepStatus.UNKNOWN:
                self._unknown.labels(venue).inc()
            if step.seconds is not None:
                self._steps.labels(venue, step.action).observe(step.seconds)

    def _spent(self, fields: dict[str, Any], call: "_CallSample", seconds: float) -> None:
        usage, model = fields.get("usage"), str(fields.get("model") or "")
        if not isinstance(usage, CallUsage) or call.tokens is None:
            return
        record = call_record(usage, model, call.tokens, seconds * 1000, self._prices)
        for kind, tokens in (
            ("input", record.input_tokens - record.cached_tokens),
            ("cached", record.cached_tokens),
            ("output", record.output_tokens),
        ):
            self._tokens.labels(model, kind).inc(tokens)
        if record.cost_nano is None:
            self._unpriced.labels(model).inc()
        else:
            self._cost.labels(model).inc(record.cost_nano / _NANO)

    def _bounded(self, name: str) -> str:
        """Return an action's name; for a read without an action only its method, because its path may hold anything."""
        name = name.partition(" ")[0]
        with self._lock:
            if name not in self._names and len(self._names) >= _MOST_NAMES:
                return "other"
            self._names.add(name)
            return name


class _CallSample:
    """Collects the fields of a call while it lasts."""

    def __init__(self) -> None:
        self.tokens: dict[str, int] | None = None
        self.refused = ""

    def update(self, **fields: Any) -> None:
        """Keep the tokens, and the type of the error that ended the call."""
        self.tokens = fields.get("usage_details", self.tokens)
        self.refused = str(fields.get("refused", self.refused))


def _seconds(since: datetime, until: datetime) -> float:
    return max(0.0, (until - since).total_seconds())
