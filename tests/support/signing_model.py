"""A model that signs its calls, as Gemini 3 does over the OpenAI protocol: it answers 400 to a turn that returns a call
without its signature. As there, it ignores calls before the operator's last message."""

import itertools
import json
from collections.abc import Callable
from typing import Any

from fastapi import Response

from tests.support.scripted_model import brief_of, completion

_JSON = "application/json"


class SigningModel:
    """Replies for `ScriptedModel.script`; `refused` are the ids of calls that came back without their signature,
    `came_back` those that came back with it."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.came_back: list[str] = []
        self._signed: dict[str, tuple[Any, Any]] = {}
        self._numbers = itertools.count(1)

    def says(self, reply: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Response]:
        """Return the reply to a request, signed; the refusal of one that lacks a signature."""

        def signed(body: dict[str, Any]) -> Response:
            unsigned = [call for call in self._calls(body) if not self._whole(*call)]
            self.refused += [call["id"] for _, call in unsigned]
            if unsigned:
                shown = [{"error": {"code": 400, "message": "Function call is missing a thought_signature."}}]
                return Response(json.dumps(shown), 400, media_type=_JSON)
            self.came_back += [call["id"] for _, call in self._calls(body)]
            answer = completion(reply(body), brief_of(body))
            self._sign(answer["choices"][0]["message"])
            return Response(json.dumps(answer), media_type=_JSON)

        return signed

    @staticmethod
    def _calls(body: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Return the first call of each reply in the current turn, with its message: of parallel calls only that one is
        signed."""
        messages = body["messages"]
        last = max(place for place, message in enumerate(messages) if message["role"] == "user")
        return [(m, m["tool_calls"][0]) for m in messages[last:] if m.get("tool_calls")]

    def _whole(self, message: dict[str, Any], call: dict[str, Any]) -> bool:
        return self._signed.get(call["id"]) == (call.get("extra_content"), message.get("reasoning_details"))

    def _sign(self, message: dict[str, Any]) -> None:
        number = next(self._numbers)
        for place, call in enumerate(message.get("tool_calls", ())):
            call["id"] = f"function-call-{number}-{place}"
        if message.get("tool_calls"):
            first = message["tool_calls"][0]
            first["extra_content"] = {"google": {"thought_signature": f"sig-{number}=="}}
            message["reasoning_details"] = [{"type": "reasoning.encrypted", "data": f"data-{number}", "index": 0}]
            self._signed[first["id"]] = (first["extra_content"], message["reasoning_details"])
