"""An operator's chat with the planner, without a network: the real prompts and tools, and scripted look-ups."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from contracts.booking import BookingSummary
from contracts.chat_completion import PlanningContext
from contracts.plan import PlannedAction
from language.requests.parts import tag_words
from offline_planner.app import answer
from offline_planner.protocol import Call, completion, read_request
from reasoning.modes.executing import executing_prompt
from reasoning.modes.planning import planning_prompt
from reasoning.modes.prompts import BUILTIN_TOOLS
from tests.support.shipped import shipped, tool_of

NOW = datetime(2026, 11, 21, 10, 0)
Bookings = Callable[[str, Mapping[str, Any]], Any]


@cache
def roller() -> Any:
    return shipped("roller")


NO_ONE = frozenset("asdf qwer picked vinto".split()) | {"asdf qwer"}
"""Words of the tests that are no name."""


def one_booking(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Find one booking for every reference, whose id is the reference; a word with a slip in it finds none."""
    wording = " ".join(str(v) for v in arguments.values())
    if wording in NO_ONE or any(part.slip for part in tag_words(wording, "en")):
        return {"found": 0}
    return {"booking_id": wording, "reference": wording, "name": wording, "guest_count": 12, "date": "2026-11-25",
            "start_time": "13:00"}  # fmt: skip


def no_one(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"found": 0}


@dataclass
class Chat:
    """One chat. `looked_up` are the look-ups of the last turn."""

    bookings: Bookings = one_booking
    language: str = "en"
    extra_tools: Sequence[dict[str, Any]] = ()
    now: datetime = NOW
    messages: list[dict[str, Any]] = field(default_factory=list)
    looked_up: list[Call] = field(default_factory=list)

    def say(
        self,
        text: str,
        known: Sequence[BookingSummary] = (),
        offered: Sequence[BookingSummary] = (),
        pending: Sequence[PlannedAction] = (),
    ) -> list[Call]:
        """Return the calls that end the turn; a question or a refusal is one of them."""
        pack = roller()
        profile = pack.profile
        if self.language == "it":
            italian = {"locale": "it-IT", "country": "IT", "time_zone": "Europe/Rome"}
            profile = profile.model_copy(update=italian)
        reads = [a.name for a in pack.actions.values() if a.read_only]
        context = PlanningContext(known=tuple(known), offered=tuple(offered), pending=tuple(pending))
        system = {"role": "system", "content": planning_prompt(profile, self.now, reads, context)}
        tools = [*(tool_of(a) for a in pack.actions.values()), *self.extra_tools, *BUILTIN_TOOLS]
        turn = [*self.messages, {"role": "user", "content": text}]
        self.looked_up = []
        for _ in range(5):
            message, calls = ask_model([system, *turn], tools)
            if calls and all(c.name in reads for c in calls):
                turn.append(message)
                for call in calls:
                    self.looked_up.append(call)
                    seen = json.dumps(self.bookings(call.name, call.arguments))
                    turn.append({"role": "tool", "tool_call_id": call.id, "content": seen})
                continue
            wording = next((str(c.arguments.get("question") or c.arguments.get("message")) for c in calls
                         if c.name in ("ask_operator", "cannot_help")), "Plan: made")  # fmt: skip
            self.messages += [{"role": "user", "content": text}, {"role": "assistant", "content": wording}]
            return calls
        raise AssertionError("the planner never came to an end")


def ask_model(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> tuple[dict[str, Any], list[Call]]:
    """Return one completion: the message as it is sent, and its calls."""
    request = read_request(json.dumps({"model": "x", "messages": messages, "tools": tools}).encode())
    message = completion(request, answer(request), 0)["choices"][0]["message"]
    calls = [
        Call(c["function"]["name"], json.loads(c["function"]["arguments"]), c["id"])
        for c in message.get("tool_calls", [])
    ]
    return message, calls


def names(calls: Sequence[Call]) -> list[str]:
    return [c.name for c in calls]


def arguments(calls: Sequence[Call]) -> list[dict[str, Any]]:
    return [dict(c.arguments) for c in calls]


def asked(calls: Sequence[Call]) -> bool:
    return names(calls) == ["ask_operator"]


def refused(calls: Sequence[Call]) -> bool:
    return names(calls) == ["cannot_help"]


def nothing_planned(calls: Sequence[Call]) -> bool:
    """Return whether there is only a question, a refusal, or text."""
    return not calls or asked(calls) or refused(calls)


def summary(ids: str, name: str, **more: Any) -> BookingSummary:
    """Return a booking; `ids` is "id:reference"."""
    booking_id, _, reference = ids.partition(":")
    return BookingSummary(booking_id=booking_id, guest_name=name, reference=reference, **more)


def execution(
    goal: Sequence[PlannedAction], transcript: Sequence[dict[str, Any]] = ()
) -> tuple[dict[str, Any], list[Call]]:
    """Return one reply of an executing turn."""
    pack = roller()
    system = {"role": "system", "content": executing_prompt(pack.profile, NOW, "a plan", tuple(goal))}
    tools = [tool_of(pack.actions[n]) for n in dict.fromkeys(a.action_id for a in goal)] + list(BUILTIN_TOOLS)
    return ask_model([system, {"role": "user", "content": "do it"}, *transcript], tools)
