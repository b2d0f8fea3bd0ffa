"""What the same messages cost in both modes, over the exact bytes that a model is sent and answers.

Run as `python -m bench.tokens [FOLDER]`. One tokenizer counts everything (`authoring.token_count`: o200k_base);
prompts, tools and replies are the product's own, in the ROLLER pack. Two models answer: the offline planner as it is,
which asks for the schema of every tool before it plans anything but a cancellation, and a frugal one, which makes the
same calls and asks for the schemas of these alone. Their confidence is rule-made, so nothing here tells how often a
real model would be doubted.

The traffic mix is the specification's: 60% that need no tool, 20% about what the venue goes by, 20% destructive. The
last line is JSON.
"""

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from authoring.token_count import counter, tokens
from clients.registry import Registries
from contracts.chat_completion import ChatMessage, CritiqueRequest, ModelReply, PlanningContext, ReasonRequest, ToolCall
from contracts.enums import AiMode, SafetyTier
from contracts.plan import PlannedAction
from infra.config.settings import ROOT
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from language.messages.catalogue import activate_locale
from offline_planner import protocol
from offline_planner.app import answer
from reasoning.critique import prompt as critiquing
from reasoning.critique import triggers
from reasoning.modes import adaptive, planning
from reasoning.modes.base import Prompt, ToolOffer
from reasoning.modes.prompts import as_openai
from reasoning.venue_facts.entries import SCHEMA, requested_schemas
from registry.loading.folder_registry import FolderRegistry

_IDS = count()
CASES = Path(__file__).parents[2] / "shared" / "cases"
NOW = datetime(2026, 11, 20, 23, 0, tzinfo=UTC)
"""Saturday 2026-11-21, 10:00 in Melbourne."""

PRICES = {"Claude Sonnet": (3.0, 15.0), "Groq Llama-70B": (0.59, 0.79)}
"""Dollars a million tokens, in and out, as the specification has them."""

SIMPLE = ("hello", "thanks a lot", "what can you do?", "good morning", "who are you?", "ok perfect, thank you")
ABOUT = (
    "What is your refund policy?", "Is there parking?", "Can we bring our own cake?", "What is the privacy policy?",
    "How old must children be?", "What are your terms and conditions?",
)  # fmt: skip
RISKY = (
    "Cancel booking 8340", "cancel Emma Wilson", "Please cancel booking 8231", "cancel Daphne Winterbourne's party",
    "cancel 8342", "Cancel the booking of Priscilla Kowalczyk",
)  # fmt: skip
MIX = (("simple", 0.6, SIMPLE), ("about the venue", 0.2, ABOUT), ("risky", 0.2, RISKY))
SPEC = {
    "standard": [(2000, 200)],
    "simple": [(600, 250)], "about the venue": [(600, 250), (800, 200)], "risky": [(600, 250), (500, 150)],
}  # fmt: skip
"""The specification's own counts, call by call."""


@dataclass
class Cost:
    """Tokens in and out, call by call."""

    calls: list[tuple[int, int]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Tokens in all."""
        return sum(map(sum, self.calls))

    def price(self, prices: tuple[float, float]) -> float:
        """Dollars."""
        return sum(a * prices[0] + b * prices[1] for a, b in self.calls) / 1e6


class Played:
    """One message in one mode, with a venue that is played."""

    def __init__(self, registries: Registries, bookings: Sequence[dict[str, Any]], italian: bool = False) -> None:
        self._registries, self._bookings = registries, bookings
        venue = registries.registry.default_venue.profile
        there = {"locale": "it-IT", "country": "IT", "time_zone": "Europe/Rome"}
        self._venue = venue.model_copy(update=there) if italian else venue

    async def standard(self, text: str) -> tuple[Cost, list[protocol.ModelAnswer]]:
        """Its cost, and the model's replies."""
        cost, replies, messages = Cost(), [], [ChatMessage(role="user", content=text)]
        for _ in range(8):
            request = self._request(messages, AiMode.STANDARD, ())
            offer = await self._registries.offer(request)
            prompt = planning.prompt(request, offer)
            message = _asked(prompt, messages, cost)
            replies.append(message)
            if self._over(planning.read(request, offer, _completion(message)), messages):
                break
        return cost, replies

    async def adaptive(self, text: str, replay: Sequence[protocol.ModelAnswer] | None) -> Cost:
        """Its cost. `replay`: the replies to make once the schemas of their calls were seen."""
        cost, messages = Cost(), [ChatMessage(role="user", content=text)]
        fetched: tuple[str, ...] = ()
        announced: list[ChatMessage] = []
        left = list(replay) if replay is not None else None
        made = [call.name for reply in replay or () for call in reply.calls]
        for _ in range(12):
            request = self._request(messages, AiMode.ADAPTIVE, fetched, tuple(announced))
            offer = await self._registries.offer(request)
            prompt = adaptive.prompt(request, offer)
            unseen = [
                f"{SCHEMA}{n}"
                for n in dict.fromkeys(made)
                if n in offer.actions and n not in requested_schemas(fetched)
            ]
            if left is not None and made and not left and not unseen:
                break
            if left is None or not made:
                message = _asked(prompt, prompt.messages or (), cost)
            else:
                message = _judged(protocol.ModelAnswer(), unseen) if unseen else _judged(left.pop(0), [])
                _count(prompt, prompt.messages or (), message, cost)
            reply = adaptive.read(request, offer, _completion(message))
            if reply.wants or reply.unknown or reply.look_up:
                fetched = (*fetched, *reply.wants, *reply.unknown)
                if reply.look_up is not None:
                    self._look_up(ModelReply(tool_calls=(reply.look_up,)), announced)
                continue
            if self._over(reply, messages):
                self._critique(text, reply, offer, cost)
                break
        return cost

    def _critique(self, text: str, reply: ModelReply, offer: ToolOffer, cost: Cost) -> None:
        if not reply.triggers or reply.assessed is None:
            return
        settled, left = triggers.decided_by_code(drafted=True)
        request = CritiqueRequest(
            venue_id="roller-demo",
            now=NOW,
            operator_messages=(text,),
            steps=_steps(reply.tool_calls),
            triggers=reply.triggers,
            assessed=reply.assessed,
            settled=tuple(settled.values()),
            open=tuple(triggers.QUESTIONS[point] for point in left),
        )
        prompt = critiquing.prompt(request, offer)
        _asked(prompt, prompt.messages or (), cost)

    def _request(
        self,
        messages: list[ChatMessage],
        mode: AiMode,
        fetched: tuple[str, ...],
        looked_up: tuple[ChatMessage, ...] = (),
    ) -> ReasonRequest:
        return ReasonRequest(
            venue_id="roller-demo",
            now=NOW,
            messages=tuple(messages),
            mode=mode,
            fetched=fetched,
            context=PlanningContext(looked_up=looked_up),
            profile=self._venue,
        )

    def _over(self, reply: ModelReply, messages: list[ChatMessage]) -> bool:
        """Whether the turn ends with this reply; else its look-ups are answered."""
        looks = [call for call in reply.tool_calls if call.kind == "read"]
        if not looks or any(call.kind == "builtin" for call in reply.tool_calls):
            return True
        self._look_up(reply, messages)
        return False

    def _look_up(self, reply: ModelReply, messages: list[ChatMessage]) -> None:
        messages.append(reply.message)
        for call in reply.tool_calls:
            found = self._found(" ".join(map(str, call.arguments.values())))
            messages.append(ChatMessage(role="tool", content=json.dumps(found), tool_call_id=call.id))

    def _found(self, message: str) -> Any:
        words = set(re.findall(r"\w+", message.casefold()))
        rows = [
            {
                "booking_id": f"id-{b['reference']}", "reference": b["reference"], "guest_name": b["guest"],
                "date": b["date"], "start_time": b["time"], "guest_count": b["guests"], "label": b["title"],
            }
            for b in self._bookings
            if words and words <= set(re.findall(r"\w+", f"{b['reference']} {b['guest']} {b['title']}".casefold()))
        ]  # fmt: skip
        return rows or {"found": 0}


def _asked(prompt: Prompt, messages: Sequence[ChatMessage], cost: Cost) -> protocol.ModelAnswer:
    """What the offline planner answers, counted."""
    reply = answer(protocol.read_request(_body(prompt, messages)))
    _count(prompt, messages, reply, cost)
    return reply


def _body(prompt: Prompt, messages: Sequence[ChatMessage]) -> bytes:
    asked = [{"role": "system", "content": prompt.system}, *map(as_openai, messages)]
    tools = {"tools": prompt.tools} if prompt.tools else {}
    return json.dumps({"messages": asked, **tools}, ensure_ascii=False).encode()


def _count(prompt: Prompt, messages: Sequence[ChatMessage], reply: protocol.ModelAnswer, cost: Cost) -> None:
    calls = [{"name": c.name, "arguments": json.dumps(c.arguments, ensure_ascii=False)} for c in reply.calls]
    message = reply.text + (json.dumps(calls, ensure_ascii=False) if calls else "")
    cost.calls.append((tokens(_body(prompt, messages).decode()), tokens(message)))


def _judged(reply: protocol.ModelAnswer, wants: list[str]) -> protocol.ModelAnswer:
    named = next((c.name for c in reply.calls if c.name not in (protocol.ASK, protocol.REFUSE)), None)
    judged: dict[str, Any] = {
        "confidence": 9, "tool_call": named, "tool_params": {}, "missing_params": [], "is_destructive": False,
        "needs_confirmation": False, "needs_more_context": wants,
    }  # fmt: skip
    block = f"<assessment>\n{json.dumps(judged)}\n</assessment>"
    return protocol.ModelAnswer(text=f"{reply.text}\n\n{block}".strip(), calls=reply.calls)


def _completion(reply: protocol.ModelAnswer) -> ModelReply:
    calls = tuple(ToolCall(id=f"call-{next(_IDS)}", name=c.name, arguments=c.arguments) for c in reply.calls)
    return ModelReply(text=reply.text, tool_calls=calls)


def _steps(calls: Sequence[ToolCall]) -> tuple[PlannedAction, ...]:
    return tuple(
        PlannedAction(
            step=n, action_id=c.name, title=c.name, parameters=c.arguments, safety_tier=SafetyTier.NORMAL,
            reversible=True,
        )
        for n, c in enumerate(calls, 1)
    )  # fmt: skip


def _rows(path: Path) -> list[tuple[str, bool, list[dict[str, Any]]]]:
    """(what is said first, whether in Italian, the bookings that only this row knows)."""
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return [
        (row["turns"][0]["say"] if "turns" in row else row["text"], row.get("lang") == "it", _named(row))
        for row in rows
    ]


def _named(row: dict[str, Any]) -> list[dict[str, Any]]:
    names = [name for gold in row.get("gold", ()) for name in gold["ref"][:1]]
    same = {"title": "", "date": "2026-11-25", "time": "13:15", "guests": 21}
    return [{"reference": name, "guest": name, **same} for name in names]


Row = tuple[str, bool, list[dict[str, Any]]]


async def _three(registries: Registries, known: list[dict[str, Any]], rows: Sequence[Row]) -> dict[str, list[Cost]]:
    """The cost of each text in standard mode, and in adaptive mode with either model."""
    found: dict[str, list[Cost]] = {"standard": [], "frugal": [], "offline": []}
    for text, italian, own in rows:
        activate_locale("it" if italian else "en")
        played = Played(registries, [*known, *own], italian)
        cost, replies = await played.standard(text)
        found["standard"].append(cost)
        found["frugal"].append(await played.adaptive(text, replies))
        found["offline"].append(await played.adaptive(text, None))
    return found


def _mean(costs: Sequence[Cost], prices: tuple[float, float] | None = None) -> float:
    return sum(c.total if prices is None else c.price(prices) for c in costs) / len(costs)


def _figures(parts: Sequence[tuple[float, dict[str, list[Cost]]]]) -> dict[str, Any]:
    """Weighted means by model, and what is saved against standard mode."""
    figures: dict[str, Any] = {}
    for name in ("standard", "frugal", "offline"):
        row: dict[str, float] = {"tokens": sum(w * _mean(c[name]) for w, c in parts)}
        row["calls"] = sum(w * sum(len(x.calls) for x in c[name]) / len(c[name]) for w, c in parts)
        for label, prices in PRICES.items():
            row[label] = sum(w * _mean(c[name], prices) for w, c in parts)
        figures[name] = {key: round(value, 6) for key, value in row.items()}
        for key in ("tokens", *PRICES):
            figures[name][f"{key} saved"] = round(1 - row[key] / figures["standard"][key], 3)
    return figures


def _spec() -> dict[str, float]:
    def whole(calls: Sequence[tuple[int, int]], prices: tuple[float, float]) -> float:
        return Cost(list(calls)).price(prices)

    sonnet = PRICES["Claude Sonnet"]
    mean = sum(w * Cost(list(SPEC[name])).total for name, w, _ in MIX)
    price = sum(w * whole(SPEC[name], sonnet) for name, w, _ in MIX)
    return {
        "tokens saved": round(1 - mean / Cost(list(SPEC["standard"])).total, 3),
        "cost saved": round(1 - price / whole(SPEC["standard"], sonnet), 3),
    }


async def main(folder: Path) -> None:
    """Print the figures."""
    registries = Registries(FolderRegistry((ROOT / "overlays" / "roller",)), PublishedVersion(Store()))
    known = json.loads((folder / "dialogues-bookings.json").read_text())
    kinds = [(s, n, await _three(registries, known, [(t, False, []) for t in texts])) for n, s, texts in MIX]
    report: dict[str, Any] = {"tokenizer": counter(), "specification": _spec()}
    report["mix"] = _figures([(share, costs) for share, _, costs in kinds])
    report["kinds"] = {name: _figures([(1.0, costs)]) for _, name, costs in kinds}
    for name in ("requests", "utterances"):
        report[name] = _figures([(1.0, await _three(registries, known, _rows(folder / f"{name}.jsonl")))])
    first = kinds[0][2]
    report["a simple call"] = {name: first[name][0].calls[0] for name in first}
    for name, row in (
        ("mix", report["mix"]),
        *report["kinds"].items(),
        *((n, report[n]) for n in ("requests", "utterances")),
    ):
        for model, figures in row.items():
            line = ", ".join(f"{key} {value}" for key, value in figures.items())
            print(f"{name:<16} {model:<9} {line}")
    print(json.dumps(report))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CASES))
