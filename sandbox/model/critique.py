"""The second look, by rule: what is missing is asked for, an unsure reply goes to a person, all else goes on."""

from __future__ import annotations

import json

from sandbox.model.prompt import Brief
from sandbox.model.protocol import Reply
from sandbox.model.wording import say

_LEAST = 6


def critique(brief: Brief) -> Reply:
    """The decision as JSON."""
    if brief.missing:
        named = brief.missing[0].replace("_", " ")
        return _decides("ASK_USER", f"missing: {', '.join(brief.missing)}", say("value", said=named))
    if brief.confidence is not None and brief.confidence < _LEAST:
        return _decides("ESCALATE", f"confidence {brief.confidence}", f"confidence {brief.confidence} of 10")
    return _decides("PROCEED", "by rule: nothing is missing", "")


def _decides(decision: str, reasoning: str, message: str) -> Reply:
    return Reply(text=json.dumps({"decision": decision, "reasoning": reasoning, "message": message}))
