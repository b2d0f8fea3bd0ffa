"""`iq whatif`: what another model, or another prompt, would have proposed. Each model call that a history recorded is
asked once more with what it was asked then, and the two proposals are compared.

Nothing is touched: what the venue answered stands in the recorded messages, and no workflow is started, no venue called
and nothing booked in the ledger.
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

from cli.oncall.recorded import Recorded, Wanted, recorded
from clients.model import NO_COMPLETION, ModelClient, UnusableError
from clients.registries import Registries
from contracts.enums import AiMode
from contracts.model import ModelReply, ToolCall
from infra.ledger.prices import PriceTable
from infra.observe import Observer
from infra.published_version import open_published_version
from infra.settings import Settings
from infra.temporal import connect
from infra.traced import Transcript
from infra.variables import is_set
from language.catalogue import speak
from reasoning import adaptive, executing, planning
from reasoning.mode import Mode
from reasoning.prompting import put_in_place
from reasoning.readable import ReadableWords
from registry import Registry
from registry.apart import read_apart
from registry.tariffs import read_prices

_AT_ONCE = 4

Outcome = Literal["same", "values", "actions", "failed"]
"""How two proposals stand to each other: the same calls with the same values; the same actions with other values; other
actions; or there was no answer that can be read. Words beside calls are not compared."""


@dataclass(frozen=True)
class Usage:
    """Tokens, and their cost in nanodollars; None where nobody knows what the model costs."""

    input: int = 0
    cached: int = 0
    output: int = 0
    nano: int | None = 0

    def __add__(self, other: "Usage") -> "Usage":
        nano = None if self.nano is None or other.nano is None else self.nano + other.nano
        return Usage(self.input + other.input, self.cached + other.cached, self.output + other.output, nano)

    def __str__(self) -> str:
        cost = (
            "cost unknown: overlays/prices.yaml has no price for it"
            if self.nano is None
            else f"{self.nano / 1e9:.6f} USD"
        )
        return f"{self.input:,} tokens in ({self.cached:,} cached), {self.output:,} out, {cost}"


@dataclass(frozen=True)
class Compared:
    """A call, what was proposed now (None where nothing was), why not, and what both used."""

    then: Recorded
    now: ModelReply | None
    why: str
    used_then: Usage
    used_now: Usage = field(default_factory=Usage)

    @property
    def outcome(self) -> Outcome:
        """How they stand to each other."""
        if self.now is None:
            return "failed"
        before, after = self.then.reply.tool_calls, self.now.tool_calls
        if [_said(call) for call in before] == [_said(call) for call in after]:
            return "same"
        return "values" if [c.name for c in before] == [c.name for c in after] else "actions"


async def run(settings: Settings, wanted: Wanted, model: str | None, prompt: Path | None, *, as_json: bool) -> int:
    """Ask and compare. The exit code is 1 where not every call could be asked anew."""
    if prompt is not None:
        try:
            put_in_place(prompt.name, await asyncio.to_thread(prompt.read_text))
        except TemplateError as error:
            print(f"iq: {prompt} is no prompt of ours (adaptive.j2, execute.j2, plan.j2): {error}", file=sys.stderr)
            return 1
    client = await connect(settings, wait=2)
    asked = settings if model is None else settings.model_copy(update={"model": model})
    found = [call async for call in recorded(client, wanted)]
    if not found:
        print("iq: no model was asked in any of them", file=sys.stderr)
        return 1
    if prompt is not None:
        # Asked again with what they were asked with before, the others would be agreement that says nothing.
        others = Counter(_template(call) for call in found if _template(call) != prompt.name)
        found = [call for call in found if _template(call) == prompt.name]
        told = ", ".join(f"{count} with {name}" for name, count in sorted(others.items()))
        if not found:
            print(f"iq: none of these calls was asked with {prompt.name}: {told}", file=sys.stderr)
            return 1
        if told:
            print(f"iq: left out, as they were asked with another prompt: {told}", file=sys.stderr)
    asking, gate = _Asking(asked), asyncio.Semaphore(_AT_ONCE)
    try:
        compared = await asyncio.gather(*(asking.anew(call, gate) for call in found))
    finally:
        await asking.close()
    print(
        json.dumps(_as_json(asked.model, compared), indent=2, ensure_ascii=False)
        if as_json
        else _told(asked.model, compared)
    )
    return 1 if any(one.now is None for one in compared) else 0


class _Asking:
    """Asks the model, as a worker does, but records nothing of it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client = ModelClient(settings, Observer())
        registry = Registry(settings.packs, settings.venue_urls, None, read_apart, is_set)
        self._registries = Registries(registry, open_published_version(None, settings.ring()))
        self._prices = PriceTable(read_prices()[0])

    async def anew(self, then: Recorded, gate: asyncio.Semaphore) -> Compared:
        """One call."""
        old = then.reply
        used = self._used(old.model, old.input_tokens, old.cached_tokens, old.output_tokens)
        async with gate:
            offer, mode = await self._registries.offer(then.request), _way(then)
            speak(offer.profile.locale, offer.profile.words)
            transcript = Transcript(then.request, offer.actions, ReadableWords(offer.actions.values()))
            try:
                prompt = mode.prompt(then.request, offer)
                messages = then.request.messages if prompt.messages is None else prompt.messages
                completion = await self._client.complete(prompt, messages, transcript, self._client.timeout)
            # A template of one's own may ask for what no call has.
            except (UnusableError, TemplateError) as error:
                return Compared(then, None, str(error), used)
            try:
                now = mode.read(then.request, offer, completion)
            except NO_COMPLETION as error:
                return Compared(then, None, f"its answer cannot be read: {type(error).__name__}", used)
        made = self._used(
            self._settings.model, completion.input_tokens, completion.cached_tokens, completion.output_tokens
        )
        return Compared(then, now, "", used, made)

    def _used(self, model: str, tokens: int, cached: int, output: int) -> Usage:
        nano = self._prices.nanodollars(model, uncached=max(0, tokens - cached), cached=cached, output=output)
        return Usage(tokens, cached, output, nano)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()


def _way(then: Recorded) -> Mode:
    if then.request.goal is not None:
        return executing
    return adaptive if then.reply.mode is AiMode.ADAPTIVE else planning


def _template(then: Recorded) -> str:
    way = _way(then)
    return "execute.j2" if way is executing else "adaptive.j2" if way is adaptive else "plan.j2"


def _said(call: ToolCall) -> tuple[str, str]:
    return call.name, json.dumps(call.arguments, sort_keys=True, ensure_ascii=False)


def _proposal(reply: ModelReply | None) -> str:
    if reply is None:
        return "–"
    return "; ".join(f"{name} {arguments}" for name, arguments in map(_said, reply.tool_calls)) or "words alone"


def _told(model: str, compared: Sequence[Compared]) -> str:
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
    lines.append(f"\n{len(compared)} model calls asked anew of {model}: {parts}{share}")
    # What only one of two has answered would make the other look cheap.
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


def _as_json(model: str, compared: Sequence[Compared]) -> dict[str, Any]:
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
