"""`iq model check`: what a person runs before pointing the product at a model endpoint."""

import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import httpx
import openai

from clients.completion import NoCompletionError, read_completion
from contracts.chat_completion import ModelReply, PlanningContext
from evals.utterances import Evaluation
from infra.config.settings import Settings
from infra.ledger.records import PriceTable
from reasoning.modes import planning
from registry import Pack, openai_tool
from registry.loading.load import load_pack
from registry.tariffs import read_prices
from registry.tools.dialects import Tool, plain_tool

_SLOW = 8.0
"""Seconds. A message has 15 for two or three calls."""

_FEWEST, _MOST = 4, 8
"""Of ten requests: fewer planned right are a failure, fewer than the most a warning."""

_SIZE = 128_000
"""Tokens that every well-known endpoint's context holds; a pack that needs a tenth of it leaves room for a chat."""

SENTENCES: tuple[dict[str, Any], ...] = tuple(
    {
        "text": text,
        "lang": language,
        "expect": "act" if action else expect,
        "gold": [{"action": action, "ref": [reference], "params": values}] if action else [],
    }
    for text, language, expect, action, reference, values in (
        ("change booking 8231 to 14 guests", "en", "", "guest_count", "8231", {"guest_count": [14]}),
        ("cancel 4417 please", "en", "", "cancel", "4417", {}),
        ("move the Okonkwo party to 4pm", "en", "", "reschedule", "Okonkwo", {"time": ["16:00"]}),
        ("Petrou's email is now eleni@example.com", "en", "", "contact", "Petrou", {"email": ["eleni@example.com"]}),
        ("put a note on 7702: allergic to nuts", "en", "", "note", "7702", {"note_has": ["nuts"]}),
        ("make it more people for Lindgren", "en", "ask", "", "", {}),
        ("change the Marsh booking", "en", "ask", "", "", {}),
        ("book a flight to Rome for me", "en", "refuse", "", "", {}),
        ("porta la prenotazione 5120 a 9 persone", "it", "", "guest_count", "5120", {"guest_count": [9]}),
        ("annulla la prenotazione di Ferrante", "it", "", "cancel", "Ferrante", {}),
    )
)
"""Ten requests with their expected plans, in the form of `iq eval utterances`."""

Verdict = Literal["ok", "warning", "failed"]


@dataclass(frozen=True)
class Check:
    """One line of the table."""

    name: str
    verdict: Verdict
    text: str


class EndpointError(Exception):
    """The endpoint answered no completion. The text is its own reason, cut."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


async def check(settings: Settings, *, as_json: bool) -> int:
    """Check the endpoint and print a table with one verdict line, or JSON. Return 0, 1 (works, with warnings) or 2."""
    checks: list[Check] = []
    async with _Endpoint(settings) as endpoint:
        async for found in endpoint.checks():
            checks.append(found)
            if not as_json:
                print(f"{_SIGNS[found.verdict]} {found.name:<22} {found.text}", flush=True)
    worst = max((c.verdict for c in checks), key=list(_SIGNS).index)
    line = {
        "ok": f"{settings.model} can be used.",
        "warning": f"{settings.model} can be used; see the warnings.",
        "failed": f"{settings.model} at {settings.model_base_url} cannot be used.",
    }[worst]
    print(json.dumps({"verdict": worst, "text": line, "checks": [asdict(c) for c in checks]}) if as_json else line)
    return list(_SIGNS).index(worst)


_SIGNS: dict[Verdict, str] = {"ok": "✓", "warning": "!", "failed": "✗"}


class _Endpoint:
    """The endpoint under check."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        packs = [load_pack(folder) for folder in settings.packs]
        self._largest_pack = max(packs, key=lambda pack: len(pack.actions))
        self._pack = next((pack for pack in packs if "change_guest_count" in pack.actions), self._largest_pack)
        self._plain_tools = False
        self._http = httpx.AsyncClient(timeout=settings.model_timeout)

    async def __aenter__(self) -> "_Endpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def checks(self) -> AsyncIterator[Check]:
        """Yield the results, the first failure of what everything needs last."""
        try:
            first = await self._reached()
        except EndpointError as error:
            yield Check("reachable", "failed", _advice(error))
            return
        for found in first:
            yield found
        parts = {
            "the tools of a pack": self._largest,
            "tool calling": self._tool_calling,
            "parallel calls": self._parallel,
            "fields given back": self._fields,
        }
        for name, part in parts.items():
            try:
                yield await part()
            except EndpointError as error:
                yield Check(name, "failed", _advice(error))
                return
        for found in await self._planned():
            yield found

    async def _ask(
        self, messages: Sequence[dict[str, Any]], tools: Sequence[Tool] = ()
    ) -> tuple[ModelReply, tuple[str, ...]]:
        """Return the reply, and its repairs. Raises `EndpointError`."""
        body = {"model": self._settings.model, "messages": list(messages), **({"tools": list(tools)} if tools else {})}
        base = self._settings.model_base_url.rstrip("/")
        key = {"Authorization": f"Bearer {self._settings.model_api_key}"}
        try:
            answer = await self._http.post(f"{base}/chat/completions", json=body, headers=key)
        except httpx.HTTPError as error:
            raise EndpointError(f"{type(error).__name__} at {base}") from None
        if answer.status_code != 200:
            raise EndpointError(f"{answer.status_code}: {' '.join(answer.text.split())[:200]}", answer.status_code)
        try:
            return read_completion(answer.content, self._settings.model)
        except NoCompletionError as error:
            raise EndpointError(f"200, but {error}") from None

    async def _reached(self) -> list[Check]:
        began = time.monotonic()
        reply, _ = await self._ask([{"role": "user", "content": "Say hello in one word."}])
        took = time.monotonic() - began
        spent = f"{reply.input_tokens} tokens read, {reply.output_tokens} written"
        usage = (
            Check("usage", "ok", spent) if reply.input_tokens else Check("usage", "warning", "not reported: no costs")
        )
        return [
            Check("reachable", "ok", f"{self._settings.model_base_url}, as {reply.model}"),
            Check("time of one answer", "warning" if took > _SLOW else "ok", f"{took:.1f} s"),
            usage,
        ]

    def _prompt(self, text: str) -> list[dict[str, Any]]:
        """Return the product's own prompt, with a message."""
        profile = self._pack.profile
        now = datetime.now(ZoneInfo(profile.time_zone))
        reads = [action.name for action in self._pack.actions.values() if action.read_only]
        system = planning.planning_prompt(profile, now, reads, PlanningContext())
        return [{"role": "system", "content": system}, {"role": "user", "content": text}]

    def _tools_of(self, pack: Pack) -> list[Tool]:
        tools = [openai_tool(action) for action in pack.actions.values()]
        return [plain_tool(tool) for tool in tools] if self._plain_tools else tools

    async def _largest(self) -> Check:
        """Send the tools of the largest pack, in their own keywords and else in plainer ones."""
        tools, asked = self._tools_of(self._largest_pack), self._prompt("Find Winterbourne")
        name = f"{len(tools)} tools of a pack"
        try:
            reply, _ = await self._ask(asked, tools)
        except EndpointError as error:
            if error.status not in (400, 422):
                raise
            self._plain_tools = True
            await self._ask(asked, self._tools_of(self._largest_pack))
            return Check(name, "warning", f"only in plainer keywords, which are sent after the first refusal ({error})")
        size = reply.input_tokens or sum(len(json.dumps(tool)) for tool in tools) // 4
        return Check(name, "warning" if size > _SIZE / 10 else "ok", f"about {size} tokens of context")

    async def _tool_calling(self) -> Check:
        reply, repairs = await self._ask(self._prompt("change booking 8231 to 14 guests"), self._tools_of(self._pack))
        name = "tool calling"
        if not reply.tool_calls:
            return Check(name, "failed", "it wrote a text where a call was due")
        if problems := [problem for call in reply.tool_calls for problem in call.problems]:
            return Check(name, "failed", " ".join(problems))
        if repairs:
            return Check(name, "warning", f"read with repairs: {', '.join(sorted(set(repairs)))} (docs/models.md)")
        return Check(name, "ok", f"{reply.tool_calls[0].name} with {json.dumps(reply.tool_calls[0].arguments)}")

    async def _parallel(self) -> Check:
        asked = self._prompt("who is in booking 8231, and who is in 7702? Look up both at once.")
        made = len((await self._ask(asked, self._tools_of(self._pack)))[0].tool_calls)
        if made > 1:
            return Check("parallel calls", "ok", f"{made} in one reply")
        return Check("parallel calls", "warning", "one call a reply: a request about several bookings takes longer")

    async def _fields(self) -> Check:
        """Send back a call with a field that the protocol does not define."""
        call = {"id": "call_1", "type": "function", "function": {"name": "find_bookings", "arguments": "{}"}}
        turn = {"role": "assistant", "content": "", "tool_calls": [call], "reasoning_content": "They look for 8231."}
        result = {"role": "tool", "tool_call_id": "call_1", "content": '{"found": 0}'}
        asked, tools, name = self._prompt("find 8231"), self._tools_of(self._pack), "fields given back"
        try:
            await self._ask([*asked, turn, result], tools)
        except EndpointError as error:
            if error.status not in (400, 422):
                raise
            del turn["reasoning_content"]
            await self._ask([*asked, turn, result], tools)
            return Check(name, "warning", "refused: such a request is sent once more without its reasoning")
        return Check(name, "ok", "accepted")

    async def _planned(self) -> list[Check]:
        """Plan the ten requests, and estimate the cost of a thousand messages from their tokens."""
        name, settings = "ten requests", self._settings
        if "change_guest_count" not in self._pack.actions:
            return [Check(name, "warning", "not tried: no pack in use has the actions that they need")]
        client = openai.AsyncOpenAI(
            base_url=settings.model_base_url, api_key=settings.model_api_key, timeout=settings.model_timeout
        )
        evaluation = Evaluation(self._pack, client, settings.model, plain_tools=self._plain_tools)
        try:
            counts = (await evaluation.score(SENTENCES)).counts()
        except (openai.OpenAIError, NoCompletionError) as error:
            return [Check(name, "failed", f"{type(error).__name__}: {str(error)[:200]}")]
        finally:
            await client.close()
        right, wrong = counts["right"], counts["wrong"]
        verdict: Verdict = "failed" if right < _FEWEST else "warning" if wrong or right < _MOST else "ok"
        text = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
        return [Check(name, verdict, text), self._cost(evaluation.tokens)]

    def _cost(self, tokens: Sequence[int]) -> Check:
        read, wrote, cached = tokens
        prices = PriceTable(read_prices()[0])
        nano = prices.nanodollars(self._settings.model, uncached=read - cached, cached=cached, output=wrote)
        text = f"{read // len(SENTENCES)} tokens read and {wrote // len(SENTENCES)} written a message"
        if nano is None or not read:
            return Check("a thousand messages", "warning", f"{text}; no price is known (overlays/model_prices.yaml)")
        return Check("a thousand messages", "ok", f"about ${nano / 1e9 / len(SENTENCES) * 1000:.2f} ({text})")


def _advice(error: EndpointError) -> str:
    """Return an error with the way out."""
    ways = {
        401: "the key is not accepted: set IQ_MODEL_API_KEY",
        403: "the key may not use this model",
        404: "no such path or model: IQ_MODEL_BASE_URL mostly ends in /v1, IQ_MODEL is the model's own name",
        429: "the endpoint is busy, or the account has no credit",
    }
    way = ways.get(error.status, "set IQ_MODEL_BASE_URL" if not error.status else "")
    return f"{error}{f' ({way})' if way else ''}"
