"""`iq whatif`: what another model, or another prompt, would have proposed. Each recorded model call is repeated with
its recorded input, and the two proposals are compared.

Nothing is changed: the venue's responses are in the recorded messages, no workflow is started, no venue called and
nothing written to the ledger.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from jinja2 import TemplateError

from cli.oncall.recorded_calls import CallFilter, RecordedCall, recorded
from clients.model import NO_COMPLETION, ModelClient, ModelUnavailableError
from clients.registry import Registries
from contracts.chat_completion import ModelReply, ToolCall
from contracts.enums import AiMode
from infra.config.pack_variables import is_set
from infra.config.settings import Settings
from infra.ledger.records import PriceTable
from infra.observability.observer import Observer
from infra.redaction.trace_redaction import RedactedTranscript
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from infra.temporal.client import connect
from language.messages.catalogue import activate_locale
from reasoning.modes import adaptive, executing, planning
from reasoning.modes.base import Mode
from reasoning.modes.prompts import override_prompt
from reasoning.trace_vocabulary import ReadableWords
from registry.loading.folder_registry import FolderRegistry
from registry.loading.subprocess_reader import read_in_subprocess
from registry.tariffs import read_prices

_AT_ONCE = 4

Outcome = Literal["same", "values", "actions", "failed"]
"""The difference between two proposals: the same calls with the same values; the same actions with other values; other
actions; or no readable answer. Text beside calls is not compared."""


@dataclass(frozen=True)
class Usage:
    """Tokens, and their cost in nanodollars; None if the model's price is unknown."""

    input: int = 0
    cached: int = 0
    output: int = 0
    nano: int | None = 0

    def __add__(self, other: "Usage") -> "Usage":
        nano = None if self.nano is None or other.nano is None else self.nano + other.nano
        return Usage(self.input + other.input, self.cached + other.cached, self.output + other.output, nano)

    def __str__(self) -> str:
        cost = (
            "cost unknown: overlays/model_prices.yaml has no price for it"
            if self.nano is None
            else f"{self.nano / 1e9:.6f} USD"
        )
        return f"{self.input:,} tokens in ({self.cached:,} cached), {self.output:,} out, {cost}"


@dataclass(frozen=True)
class Comparison:
    """A call, the new proposal (None if there is none), the reason, and the usage of both."""

    then: RecordedCall
    now: ModelReply | None
    why: str
    used_then: Usage
    used_now: Usage = field(default_factory=Usage)

    @property
    def outcome(self) -> Outcome:
        """Return the difference between the two proposals."""
        if self.now is None:
            return "failed"
        before, after = self.then.reply.tool_calls, self.now.tool_calls
        if [_call_text(call) for call in before] == [_call_text(call) for call in after]:
            return "same"
        return "values" if [c.name for c in before] == [c.name for c in after] else "actions"


async def run(
    settings: Settings, criteria: CallFilter, model: str | None, prompt: Path | None, *, as_json: bool
) -> int:
    """Repeat the calls and compare. The exit code is 1 if not every call could be repeated."""
    if prompt is not None:
        try:
            override_prompt(prompt.name, await asyncio.to_thread(prompt.read_text))
        except TemplateError as error:
            print(f"iq: {prompt} is no prompt of ours (adaptive.j2, execute.j2, plan.j2): {error}", file=sys.stderr)
            return 1
    client = await connect(settings, wait=2)
    asked = settings if model is None else settings.model_copy(update={"model": model})
    found = [call async for call in recorded(client, criteria)]
    if not found:
        print("iq: no model was asked in any of them", file=sys.stderr)
        return 1
    if prompt is not None:
        # The other calls do not use this prompt: repeated with their own, they would agree without meaning.
        others = Counter(_template(call) for call in found if _template(call) != prompt.name)
        found = [call for call in found if _template(call) == prompt.name]
        text = ", ".join(f"{count} with {name}" for name, count in sorted(others.items()))
        if not found:
            print(f"iq: none of these calls was asked with {prompt.name}: {text}", file=sys.stderr)
            return 1
        if text:
            print(f"iq: left out, as they were asked with another prompt: {text}", file=sys.stderr)
    asking, gate = _Asking(asked), asyncio.Semaphore(_AT_ONCE)
    try:
        compared = await asyncio.gather(*(asking.ask_again(call, gate) for call in found))
    finally:
        await asking.close()
    print(
        json.dumps(_as_json(asked.model, compared), indent=2, ensure_ascii=False)
        if as_json
        else _report(asked.model, compared)
    )
    return 1 if any(one.now is None for one in compared) else 0


class _Asking:
    """Calls the model as a worker does, but records nothing."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client = ModelClient(settings, Observer())
        registry = FolderRegistry(settings.packs, settings.venue_urls, None, read_in_subprocess, is_set)
        self._registries = Registries(registry, PublishedVersion(Store(), settings.ring()))
        self._prices = PriceTable(read_prices()[0])

    async def ask_again(self, then: RecordedCall, gate: asyncio.Semaphore) -> Comparison:
        """Repeat one call."""
        old = then.reply
        used = self._used(old.model, old.input_tokens, old.cached_tokens, old.output_tokens)
        async with gate:
            offer, mode = await self._registries.offer(then.request), _way(then)
            activate_locale(offer.profile.locale, offer.profile.words)
            transcript = RedactedTranscript(then.request, offer.actions, ReadableWords(offer.actions.values()))
            try:
                prompt = mode.prompt(then.request, offer)
                messages = then.request.messages if prompt.messages is None else prompt.messages
                completion = await self._client.complete(prompt, messages, transcript, self._client.timeout)
            # A custom template may need a value that no call has.
            except (ModelUnavailableError, TemplateError) as error:
                return Comparison(then, None, str(error), used)
            try:
                now = mode.read(then.request, offer, completion)
            except NO_COMPLETION as error:
                return Comparison(then, None, f"its answer cannot be read: {type(error).__name__}", used)
        made = self._used(
            self._settings.model, completion.input_tokens, completion.cached_tokens, completion.output_tokens
        )
        return Comparison(then, now, "", used, made)

    def _used(self, model: str, tokens: int, cached: int, output: int) -> Usage:
        nano = self._prices.nanodollars(model, uncached=max(0, tokens - cached), cached=cached, output=output)
        return Usage(tokens, cached, output, nano)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _way(then: RecordedCall) -> Mode:
    if then.request.goal is not None:
        return executing
    return adaptive if then.reply.mode is AiMode.ADAPTIVE else planning


def _template(then: RecordedCall) -> str:
    way = _way(then)
    return "execute.j2" if way is executing else "adaptive.j2" if way is adaptive else "plan.j2"


def _call_text(call: ToolCall) -> tuple[str, str]:
    return call.name, json.dumps(call.arguments, sort_keys=True, ensure_ascii=False)


def _proposal(reply: ModelReply | None) -> str:
    if reply is None:
        return "–"
    return "; ".join(f"{name} {arguments}" for name, arguments in map(_call_text, reply.tool_calls)) or "words alone"


def _report(model: str, compared: Sequence[Comparison]) -> str:
    lines = []
    for one in compared:
        purpose = "execute" if one.then.request.goal is not None else f"plan, {one.then.reply.mode}"
        lines.append(
            f"{one.then.workflow_id}  {one.then.at:%Y-%m-%d %H:%M:%S} UTC  {purpose}: {_OUTCOMES[one.outcome]}"
        )
        if one.outcome != "same":
            lines += [f"    then  {_proposal(one.then.reply)}", f"    now   {one.why or _proposal(one.now)}"]
    count = Counter(one.outcome for one in compared)
    answered = [one for one in compared if one.now is not None]
    failed = [one for one in compared if one.now is None]
    share = f", agreement {count['same'] / len(answered):.0%}" if answered else ""
    share += f" of the {len(answered)} that were answered" if share and failed else ""
    parts = ", ".join(f"{count[key]} {words}" for key, words in _OUTCOMES.items() if count[key])
    lines.append(f"\n{len(compared)} model calls repeated with {model}: {parts}{share}")
    # Only calls that both answered, because a missing answer would make one side look cheap.
    lines.append(f"  then  {sum((one.used_then for one in answered), Usage())}")
    lines.append(f"  now   {sum((one.used_now for one in answered), Usage())}")
    if failed:
        lines.append(f"  and   {sum((one.used_now for one in failed), Usage())}, now, for what has no answer")
    return "\n".join(lines)


_OUTCOMES: dict[Outcome, str] = {
    "same": "the same",
    "values": "the same actions, other values",
    "actions": "other actions",
    "failed": "no answer",
}


def _as_json(model: str, compared: Sequence[Comparison]) -> dict[str, Any]:
    count = Counter(one.outcome for one in compared)
    answered = sum(one.now is not None for one in compared)
    return {
        "model": model,
        "calls": len(compared),
        **{outcome: count[outcome] for outcome in _OUTCOMES},
        "agreement": count["same"] / answered if answered else None,
        "then": vars(sum((one.used_then for one in compared if one.now), Usage())),
        "now": vars(sum((one.used_now for one in compared if one.now), Usage())),
        "unanswered": vars(sum((one.used_now for one in compared if one.now is None), Usage())),
        "rows": [
            {
                "workflow_id": one.then.workflow_id,
                "at": one.then.at.isoformat(),
                "outcome": one.outcome,
                "then": [
                    call.model_dump(mode="json", include={"name", "arguments"}) for call in one.then.reply.tool_calls
                ],
                "now": [call.model_dump(mode="json", include={"name", "arguments"}) for call in one.now.tool_calls]
                if one.now
                else None,
                "why": one.why or None,
            }
            for one in compared
        ],
    }
