"""Adaptive mode as a pure pair: what the prompt shows a model, and how its reply is read.

Guarantees:
- at first the prompt has names of tools, name, description, hours and contact, and no schema, policy or answer: less
  than 800 tokens of it, whichever pack is shipped;
- for a greeting or thanks it has at most 600 tokens, and no tool;
- requested context is in the brief, and its key is no longer offered; unknown keys are reported;
- the prompt has the last five messages, all of an open request, and all look-ups of the turn;
- a search that a confident assessment announces runs beside them, and its result is in the next brief;
- a reply requests the schemas of its unseen calls, every policy by its own key, and nothing twice;
- the standard mode shows all of it, and assesses nothing.
"""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from authoring.token_count import tokens
from contracts.chat_completion import ChatMessage, ModelReply, PlanningContext, ReasonRequest, ToolCall
from contracts.enums import AiMode, CritiqueTrigger
from reasoning.modes import adaptive, planning
from reasoning.modes.base import Mode, ToolOffer
from tests.support.shipped import served

VENUES = {"roller": "roller-demo", "bookeo": "bookeo-riding", "calendar": "team-calendar"}


def message(*texts: str) -> tuple[ChatMessage, ...]:
    """Return messages by turns, the operator's first and last."""
    return tuple(ChatMessage(role="user" if n % 2 == 0 else "assistant", content=t) for n, t in enumerate(texts))


def asked(
    pack: str = "roller", *messages: ChatMessage, fetched: tuple[str, ...] = ()
) -> tuple[ReasonRequest, ToolOffer]:
    request = ReasonRequest(
        venue_id=VENUES[pack], now=datetime(2026, 11, 21, tzinfo=UTC), messages=messages or message("cancel it"),
        mode=AiMode.ADAPTIVE, fetched=fetched,
    )  # fmt: skip
    return request, asyncio.run(served(pack).offer(request))


def brief(system: str) -> dict[str, Any]:
    return dict(json.JSONDecoder().raw_decode(system, system.index("```json\n") + 8)[0])


@pytest.mark.parametrize("pack", VENUES)
def test_at_first_a_model_is_shown_little(pack: str) -> None:
    request, offer = asked(pack)
    made, whole = adaptive.prompt(request, offer), planning.prompt(request, offer)
    assert tokens(made.system) < 800, "the specification counts 500 to 800"
    assert tokens(made.system + json.dumps(made.tools)) < tokens(whole.system + json.dumps(whole.tools)) / 3
    assert [t["function"]["name"] for t in made.tools] == ["ask_operator", "cannot_help"]
    known, shown = offer.knowledge, brief(made.system)
    for needed in (offer.profile.name, known.description, known.hours, known.contact.phone, known.contact.email):
        assert needed in made.system
    assert {*shown["look_ups"], *shown["tools"]} == {*(a.name for a in offer.visible), "resolve_when"}
    assert {f"policies.{name}" for name in known.policies} <= set(shown["more"])
    for held_back in (*known.policies.values(), known.faqs[0].answer, known.ai_instructions, known.contact.address):
        assert held_back not in made.system and held_back in whole.system


@pytest.mark.parametrize("pack", VENUES)
@pytest.mark.parametrize("text", ["Hello!", "thanks a lot", "buongiorno"])
def test_a_greeting_costs_at_most_600_tokens_and_offers_no_tool(pack: str, text: str) -> None:
    made = adaptive.prompt(*asked(pack, *message(text)))
    assert tokens(made.system + text) <= 600 and made.tools == []


def test_a_request_that_begins_with_a_greeting_is_none() -> None:
    assert adaptive.prompt(*asked("roller", *message("Hello! Cancel the Brown party"))).tools


def test_what_was_asked_for_is_shown_and_offered_no_more() -> None:
    keys = ("policies.returns", "faqs", "tool_schema:cancel_booking", "policies.pets", "ai_instructions")
    request, offer = asked(fetched=keys)
    made = adaptive.prompt(request, offer)
    shown = brief(made.system)
    assert set(shown["context"]) == {"policies.returns", "faqs", "ai_instructions"}
    assert not set(shown["context"]) & set(shown["more"])
    assert "cancel_booking" in [t["function"]["name"] for t in made.tools]
    assert "There is nothing under: policies.pets." in made.system
    assert "tool_schema:cancel_booking" not in made.system.partition("There is nothing")[2]


@pytest.mark.parametrize(("messages", "kept"), [
    (message("a"), "a"), (message("a", "b", "c"), "a b c"), (message(*"abcdefghi"), "e f g h i"),
    (message("a", "b", "c", "which?", "d", "when?", "e", "whose?", "f"), "c which? d when? e whose? f"),
    (message("a?", "b", "c", "d", "e", "f", "g"), "c d e f g"),
])  # fmt: skip
def test_the_last_messages_are_sent(messages: tuple[ChatMessage, ...], kept: str) -> None:
    assert [m.content for m in adaptive.recent(messages)] == kept.split()


def test_look_ups_of_the_turn_stay() -> None:
    looks = (ChatMessage(role="assistant", content=""), ChatMessage(role="tool", content="[]", tool_call_id="1")) * 4
    assert adaptive.recent((*message(*"abcdefg"), *looks))[-9:] == (*message(*"abcdefg")[-1:], *looks)


def replied(
    *calls: tuple[str, dict[str, Any]],
    block: str = "",
    text: str = "",
    fetched: tuple[str, ...] = (),
    mode: Mode = adaptive,
) -> ModelReply:
    request, offer = asked(fetched=fetched)
    written = tuple(ToolCall(id=str(n), name=c, arguments=a) for n, (c, a) in enumerate(calls))
    words = f"{text}\n<assessment>{block}</assessment>" if block else text
    return mode.read(request, offer, ModelReply(text=words, tool_calls=written))


FIND: tuple[str, dict[str, Any]] = ("find_bookings", {"keywords": "John"})
CANCEL: tuple[str, dict[str, Any]] = ("cancel_booking", {"booking_id": "b-1"})


@pytest.mark.parametrize(("calls", "block", "fetched", "wants", "unknown"), [
    ([FIND], "", (), ("tool_schema:find_bookings",), ()), ([FIND], "", ("tool_schema:find_bookings",), (), ()),
    ([FIND, CANCEL], "", ("tool_schema:find_bookings",), ("tool_schema:cancel_booking",), ()),
    ([], '{"confidence": 9, "tool_call": "cancel_booking"}', (), ("tool_schema:cancel_booking",), ()),
    ([], '{"confidence": 9, "needs_more_context": ["faqs", "nonsense", "tool_schema:pizza"]}', (), ("faqs",),
     ("nonsense", "tool_schema:pizza")),
    ([], '{"confidence": 9, "needs_more_context": ["faqs"]}', ("faqs",), (), ()),
    ([("order_pizza", {})], "", (), (), ()), ([("ask_operator", {"question": "Who?"})], "", (), (), ()),
])  # fmt: skip
def test_what_a_reply_wants(
    calls: list[tuple[str, dict[str, Any]]], block: str, fetched: tuple[str, ...], wants: tuple[str, ...],
    unknown: tuple[str, ...],
) -> None:  # fmt: skip
    reply = replied(*calls, block=block, fetched=fetched)
    assert (reply.wants, reply.unknown) == (wants, unknown)


SEARCH = {"confidence": 9, "tool_call": "find_bookings", "tool_params": {"keywords": "John"}}


@pytest.mark.parametrize(("judged", "announced"), [
    ({}, {"keywords": "John"}), ({"confidence": 6}, None), ({"tool_call": "cancel_booking"}, None),
    ({"tool_params": {"date": "2026-11-28"}}, None), ({"tool_params": {"keywords": "Jo"}}, None),
    ({"tool_params": {"keywords": "John", "limit": 5}}, None), ({"tool_params": {}}, None),
])  # fmt: skip
def test_a_search_is_announced_by_a_confident_assessment_with_words_alone(
    judged: dict[str, Any], announced: dict[str, Any] | None
) -> None:
    block = json.dumps({**SEARCH, "needs_more_context": ["tool_schema:cancel_booking"], **judged})
    reply = replied(block=block)
    assert (reply.look_up.arguments if reply.look_up else None) == announced
    assert "tool_schema:cancel_booking" in reply.wants
    assert replied(FIND, block=block).look_up is None, "a call is made, and not announced"
    assert replied(block=block, fetched=("tool_schema:find_bookings",)).look_up is None, "the tool can be called"


def test_what_was_announced_is_shown_with_its_result_and_not_announced_again() -> None:
    call = ToolCall(id="announced", name="find_bookings", arguments={"keywords": "John"})
    made = (
        ChatMessage(role="assistant", tool_calls=(call,)),
        ChatMessage(role="tool", content='[{"booking_id": "b-1"}]', tool_call_id="announced"),
    )
    request, offer = asked()
    request = request.model_copy(update={"context": PlanningContext(looked_up=made)})
    shown = brief(adaptive.prompt(request, offer).system)["looked_up"]
    assert shown == [{"tool": "find_bookings", "arguments": {"keywords": "John"}, "result": '[{"booking_id": "b-1"}]'}]
    answer = ModelReply(text=f"<assessment>{json.dumps(SEARCH)}</assessment>")
    assert adaptive.read(request, offer, answer).look_up is None


def test_every_policy_is_wanted_by_its_own_key() -> None:
    reply = replied(block='{"confidence": 9, "needs_more_context": ["policies.*"]}', fetched=("policies.returns",))
    assert "policies.privacy" in reply.wants and "policies.returns" not in reply.wants
    assert all(key.startswith("policies.") for key in reply.wants) and reply.unknown == ()


def test_a_reply_is_judged_by_the_overlays() -> None:
    good = '{"confidence": 9, "tool_call": "cancel_booking", "is_destructive": false}'
    reply = replied(CANCEL, block=good, text="All right.")
    assert (reply.mode, reply.text, reply.triggers) == (AiMode.ADAPTIVE, "All right.", (CritiqueTrigger.DESTRUCTIVE,))
    nothing = replied(("cancel_booking", {}), block=good)
    assert CritiqueTrigger.MISSING_PARAMETERS in nothing.triggers
    assert CritiqueTrigger.NOT_ASSURED in replied(CANCEL).triggers


def test_standard_mode_judges_nothing_and_shows_no_block_either() -> None:
    reply = replied(CANCEL, block='{"confidence": 2}', text="All right.", mode=planning)
    assert (reply.mode, reply.text, reply.triggers, reply.assessed) == (AiMode.STANDARD, "All right.", (), None)
