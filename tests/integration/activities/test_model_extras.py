"""Fields of a model's call beyond the protocol (`contracts/chat_completion.py`, `extras`).

Guarantees:
- Additional fields of a call and of its message, such as a signature, go back with it unchanged, within bounds.
- An endpoint that rejects a message's reasoning gets the request once more without it.
"""

from typing import Any

import pytest

from contracts.chat_completion import ChatMessage, ToolCall
from tests.integration.activities.model_endpoint import TEXT, Endpoint, endpoint, pack, user_message
from tests.support.scripted_model import completion, says

__all__ = ["endpoint", "pack"]


def with_extras(**call: Any) -> dict[str, Any]:
    """Return a completion with a look-up that has these fields, and fields of its own."""
    answer = completion({"find_bookings": {"keywords": "Winterbourne"}})
    [choice] = answer["choices"]
    choice["message"]["tool_calls"][0] |= call
    choice["message"] |= {"reasoning_content": "I look.", "reasoning": None, "refusal": None, "annotations": []}
    return answer


async def test_what_the_protocol_does_not_name_goes_back_as_it_came(endpoint: Endpoint) -> None:
    signature = {"google": {"thought_signature": "sig-1"}}
    reply = await endpoint.reason(says(200, with_extras(extra_content=signature, index=0)))
    found = ChatMessage(role="tool", content="[]", tool_call_id=reply.tool_calls[0].id)

    await endpoint.reason("done", messages=(user_message(TEXT), reply.message, found))

    back = endpoint.asked["messages"][2]
    [call] = back["tool_calls"]
    assert (call["extra_content"], call["index"], back["reasoning_content"]) == (signature, 0, "I look.")
    assert set(back) == {"role", "content", "tool_calls", "reasoning_content"}


@pytest.mark.parametrize("fields", [
    {"extra_content": {"google": {"thought_signature": "s" * 70_000}}},
    {"extra_content": {"google": {"thought_signature": "half a pair \ud800"}}},
    {"extra_content": {"google": {"thought_signature": "a zero \0"}}},
    {"extra_content": [[[[[[[[[[[[[["too deep"]]]]]]]]]]]]]]},
])  # fmt: skip
async def test_what_is_over_the_bound_or_no_text_is_left_out_whole(endpoint: Endpoint, fields: dict[str, Any]) -> None:
    reply = await endpoint.reason(says(200, with_extras(**fields, index=0)))

    assert (reply.tool_calls[0].extras, reply.extras) == ({"index": 0}, {"reasoning_content": "I look."})


async def test_what_came_with_a_text_does_not_go_back(endpoint: Endpoint) -> None:
    answer = completion("Which John?")
    answer["choices"][0]["message"]["reasoning_content"] = "Two of them."

    assert (await endpoint.reason(says(200, answer))).message.extras == {}


async def test_an_endpoint_that_takes_no_reasoning_back_is_asked_without(endpoint: Endpoint) -> None:
    call = ToolCall(id="c", name="find_bookings", extras={"extra_content": {"signature": "sig-1"}})
    earlier = ChatMessage(role="assistant", tool_calls=(call,), extras={"reasoning": "I look."})
    found = ChatMessage(role="tool", content="[]", tool_call_id="c")

    def strict(body: dict[str, Any]) -> Any:
        refused = {"error": {"message": "property 'reasoning' is unsupported"}}
        return says(400, refused)(body) if any("reasoning" in m for m in body["messages"]) else "Which John?"

    reply = await endpoint.reason(strict, messages=(user_message(TEXT), earlier, found))

    assert reply.text == "Which John?"
    assert endpoint.asked["messages"][2]["tool_calls"][0]["extra_content"] == {"signature": "sig-1"}
