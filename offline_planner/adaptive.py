"""Adaptive mode: what the planner asks to see before it plans, and how it assesses its own reply.

Both follow rules. The confidence states how the rule was met, not how likely the reply is to be right. The critique
asks for a missing value, escalates a reply of low confidence to a person and lets every other one proceed.
"""

from __future__ import annotations

import json
from typing import Any

from language.replies.effect_claims import asks_for_change
from language.replies.message_reading import small_talk
from language.venue_facts.questions import is_question
from offline_planner.answers import venue_facts
from offline_planner.bookings.booking_search import first_search, matches
from offline_planner.brief import Brief
from offline_planner.chat import ChatState
from offline_planner.clarity import cancels
from offline_planner.plan import plan
from offline_planner.protocol import ASK, REFUSE, RESOLVE_WHEN, Call, ModelAnswer, ProtocolMessage
from offline_planner.replies import say
from offline_planner.tools import FAMILIES, Toolbox, may_do

_SCHEMA = "tool_schema:"
_BEST = 9


def adaptive(messages: list[ProtocolMessage], brief: Brief, toolbox: Toolbox) -> ModelAnswer:
    """Return the next reply of a planning turn, with its assessment."""
    chat = ChatState.of(messages, brief)
    requested = _to_see(chat, brief, toolbox)
    first = _of_a_cancellation(chat, brief, requested)
    if first or (requested and not _only_cancels(chat, brief)):
        return _assessed(ModelAnswer(), requested=first or requested, look_up=_announced(chat, brief))
    reply = venue_facts.answered(chat.last, brief) or plan(messages, brief, toolbox)
    if requested and not any(call.name not in (ASK, REFUSE) for call in reply.calls):
        # These schemas alone give no plan, so the planner decides with all of them.
        return _assessed(ModelAnswer(), requested=requested)
    return _assessed(reply, confidence=_confidence(reply, chat, messages), toolbox=toolbox)


def _announced(chat: ChatState, brief: Brief) -> Call | None:
    """Return the search for the one booking that a mere cancellation names, if it is not known yet: it runs while the
    schemas are fetched. Names alone of tools do not say whether any other message means a booking or a new one."""
    mentions = [mention for order in chat.orders for mention in order.mentions] if _only_cancels(chat, brief) else []
    words = first_search(mentions[0]) if len(mentions) == 1 else ""
    if brief.search is None or brief.looked_up or not words:
        return None
    if any(matches(row, mentions[0]) for row in (*brief.offered, *brief.known)):
        return None
    tool, parameter = brief.search
    return Call(tool, {parameter: words})


def _only_cancels(chat: ChatState, brief: Brief) -> bool:
    """Return whether the message only cancels and no plan is pending."""
    return not brief.pending and bool(chat.orders) and all(cancels(o) and not o.claims for o in chat.orders)


def _of_a_cancellation(chat: ChatState, brief: Brief, requested: list[str]) -> list[str]:
    """Return the schemas to see for a mere cancellation: look-ups, tools whose names cancel, and tools whose names the
    planner does not know, since the message may mean them."""
    names = [key.removeprefix(_SCHEMA) for key in requested if key.startswith(_SCHEMA)]
    if not names or not _only_cancels(chat, brief):
        return []
    return [f"{_SCHEMA}{n}" for n in names if n in brief.reads or may_do(n, "cancel") or not may_do(n, *FAMILIES)]


def _to_see(chat: ChatState, brief: Brief, toolbox: Toolbox) -> list[str]:
    """Return what must be seen first: the venue's facts that the message asks about, else every named tool, because
    most names alone do not describe a tool (`_of_a_cancellation` has the exception)."""
    if small_talk(chat.last):
        return []
    about = venue_facts.keys_for(chat.last, brief)
    if about:
        return [key for key in about if key in brief.more]
    if is_question(chat.last) and not asks_for_change(chat.last):
        # FAQs are short, so the tools are requested only when no FAQ is the question asked.
        if "faqs" in brief.more:
            return ["faqs"]
        if venue_facts.answered(chat.last, brief) is not None:
            return []
    named = sorted({*brief.reads, *brief.tools} - {RESOLVE_WHEN})
    return [f"{_SCHEMA}{name}" for name in named if toolbox.get(name) is None]


def _confidence(reply: ModelAnswer, chat: ChatState, messages: list[ProtocolMessage]) -> int:
    """Return the confidence: one less for a plan whose request spreads over several messages, and one less for a plan
    without a look-up in this turn."""
    spread = chat.open_since < len(chat.texts) - 1
    last = max((n for n, m in enumerate(messages) if m.role == "user"), default=0)
    looked = bool(chat.brief.looked_up) or any(m.role == "tool" for m in messages[last:])
    plans = any(call.name not in (ASK, REFUSE) for call in reply.calls)
    return _BEST - (spread and plans) - (plans and not looked)


def _assessed(
    reply: ModelAnswer,
    *,
    confidence: int = _BEST,
    toolbox: Toolbox | None = None,
    requested: list[str] | None = None,
    look_up: Call | None = None,
) -> ModelAnswer:
    calls = [call for call in reply.calls if call.name not in (ASK, REFUSE)] or ([look_up] if look_up else [])
    tools = [toolbox.get(call.name) for call in calls] if toolbox is not None else []
    judged: dict[str, Any] = {
        "confidence": confidence,
        "tool_call": calls[0].name if calls else None,
        "tool_params": dict(calls[0].arguments) if calls else {},
        "missing_params": [],
        "is_destructive": any(tool is not None and tool.ends for tool in tools),
        "needs_confirmation": False,
        "needs_more_context": requested or [],
    }
    block = f"<assessment>\n{json.dumps(judged, ensure_ascii=False)}\n</assessment>"
    return ModelAnswer(text=f"{reply.text}\n\n{block}".strip(), calls=reply.calls)


_LEAST = 6


def critique(brief: Brief) -> ModelAnswer:
    """Return the decision on a reply as JSON."""
    if brief.missing:
        named = brief.missing[0].replace("_", " ")
        return _decides("ASK_USER", f"missing: {', '.join(brief.missing)}", say("value", text=named))
    if brief.confidence is not None and brief.confidence < _LEAST:
        return _decides("ESCALATE", f"confidence {brief.confidence}", f"confidence {brief.confidence} of 10")
    return _decides("PROCEED", "by rule: nothing is missing", "")


def _decides(decision: str, reasoning: str, message: str) -> ModelAnswer:
    return ModelAnswer(text=json.dumps({"decision": decision, "reasoning": reasoning, "message": message}))
