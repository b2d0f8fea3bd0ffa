"""Adaptive mode: what the planner asks to see before it plans, and how it judges its own reply. Both by rule, its
confidence too: it says how the rule was met, and nothing of how right the reply is."""

from __future__ import annotations

import json
from typing import Any

from language.effects import asks_for_change
from language.policies import is_question
from language.small_talk import small_talk
from sandbox.model import venue_words
from sandbox.model.open_request import Chat
from sandbox.model.plan import plan
from sandbox.model.prompt import Brief
from sandbox.model.protocol import ASK, REFUSE, RESOLVE_WHEN, Message, Reply
from sandbox.model.tools import Toolbox

_SCHEMA = "tool_schema:"
_BEST = 9


def adaptive(messages: list[Message], brief: Brief, toolbox: Toolbox) -> Reply:
    """The next reply of a planning turn, with its assessment."""
    chat = Chat.of(messages, brief)
    asked = _to_see(chat, brief, toolbox)
    if asked:
        return _assessed(Reply(), asked=asked)
    reply = venue_words.answered(chat.last, brief) or plan(messages, brief, toolbox)
    return _assessed(reply, confidence=_confidence(reply, chat, messages), toolbox=toolbox)


def _to_see(chat: Chat, brief: Brief, toolbox: Toolbox) -> list[str]:
    """What must be seen first: what the venue goes by where the words ask for that, else every tool that is named. By
    its name alone the planner knows none."""
    if small_talk(chat.last):
        return []
    about = venue_words.keys_for(chat.last, brief)
    if about:
        return [key for key in about if key in brief.more]
    if is_question(chat.last) and not asks_for_change(chat.last):
        # Guests' questions are short; the tools are seen only where none of them is what was asked.
        if "faqs" in brief.more:
            return ["faqs"]
        if venue_words.answered(chat.last, brief) is not None:
            return []
    named = sorted({*brief.reads, *brief.tools} - {RESOLVE_WHEN})
    return [f"{_SCHEMA}{name}" for name in named if toolbox.get(name) is None]


def _confidence(reply: Reply, chat: Chat, messages: list[Message]) -> int:
    """One less where the request is spread over several messages, and where a booking was not looked up in this
    turn."""
    spread = chat.open_since < len(chat.said) - 1
    last = max((n for n, m in enumerate(messages) if m.role == "user"), default=0)
    looked = any(m.role == "tool" for m in messages[last:])
    plans = any(call.name not in (ASK, REFUSE) for call in reply.calls)
    return _BEST - (spread and plans) - (plans and not looked)


def _assessed(
    reply: Reply, *, confidence: int = _BEST, toolbox: Toolbox | None = None, asked: list[str] | None = None
) -> Reply:
    made = [call for call in reply.calls if call.name not in (ASK, REFUSE)]
    tools = [toolbox.get(call.name) for call in made] if toolbox is not None else []
    judged: dict[str, Any] = {
        "confidence": confidence,
        "tool_call": made[0].name if made else None,
        "tool_params": dict(made[0].arguments) if made else {},
        "missing_params": [],
        "is_destructive": any(tool is not None and tool.ends for tool in tools),
        "needs_confirmation": False,
        "needs_more_context": asked or [],
    }
    block = f"<assessment>\n{json.dumps(judged, ensure_ascii=False)}\n</assessment>"
    return Reply(text=f"{reply.text}\n\n{block}".strip(), calls=reply.calls)
