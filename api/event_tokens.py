"""Control tokens: events in the six forms of the multi-step messaging specification ("Control Token Protocol").

The forms are read by patterns that stop at `]`, and in three fields at `:`; a client that has only those patterns must
never be misled. So what would end a field, or begin a token inside one, is written as `%` and two hexadecimal digits:

    ]    anywhere                                   %5D
    [    in front of `[PERIN_`                      %5B
    :    in `reasoning`, `stepId` and `status`      %3A
    CR   anywhere: event streams break lines there  %0D
    LF   anywhere, for the same reason              %0A
    %    in front of what would be read as one of these

Nothing else is changed: "14:00" and "100%" stay as they are. No field is ever empty: the patterns require a character.
"""

import re
from collections.abc import Mapping

from contracts.chat_messages import TranscriptEntry
from contracts.enums import StepStatus
from contracts.events import EventKind, PlanEvent

PATTERNS: Mapping[str, str] = {
    "MULTI_STEP_INITIATED": r"\[\[PERIN_MULTI_STEP:initiated:([^:]+):([^\]]+)\]\]",
    "STEP_START": r"\[\[PERIN_STEP:start:([^:]+):([^\]]+)\]\]",
    "PROGRESS": r"\[\[PERIN_PROGRESS:([^\]]+)\]\]",
    "STEP_RESULT": r"\[\[PERIN_STEP_RESULT:([^:]+):([^:]+):([^\]]+)\]\]",
    "MULTI_STEP_COMPLETE": r"\[\[PERIN_MULTI_STEP:complete\]\]",
    "SEPARATE_MESSAGE": r"\[\[PERIN_SEPARATE_MESSAGE:([^\]]+)\]\]",
}
"""The specification's own patterns, verbatim."""

_OPENING = "[[PERIN_"

_ENDS = re.compile(r"\]|\r|\n|\[(?=\[PERIN_)|%(?=5D|5B|3A|0D|0A|25)")
_COLON = re.compile(":")


TOKEN_OF: Mapping[EventKind, str] = {
    EventKind.INITIATED: "MULTI_STEP_INITIATED",
    EventKind.CONFIRMED: "PROGRESS",
    EventKind.STOPPING: "PROGRESS",
    EventKind.STEP_STARTED: "STEP_START",
    EventKind.PROGRESS: "PROGRESS",
    EventKind.STEP_RESULT: "STEP_RESULT",
    EventKind.STEP_SKIPPED: "PROGRESS",
    EventKind.PROMPT_OPENED: "SEPARATE_MESSAGE",
    EventKind.PROMPT_ANSWERED: "PROGRESS",
    EventKind.PROMPT_CLOSED: "PROGRESS",
    EventKind.ROLLING_BACK: "PROGRESS",
    EventKind.SIGN_IN_NEEDED: "SEPARATE_MESSAGE",
    EventKind.REVERSAL: "PROGRESS",
    EventKind.COMPLETE: "MULTI_STEP_COMPLETE",
    EventKind.SEPARATE_MESSAGE: "SEPARATE_MESSAGE",
}
"""The token for each kind of event. A status is only ever `completed` or `failed`."""


def encode_event(event: PlanEvent) -> str:
    """Return the token for an event."""
    match TOKEN_OF[event.kind]:
        case "MULTI_STEP_INITIATED":
            return _initiated(event.reasoning or event.text, event.confidence)
        case "STEP_START":
            return _started(event.step, event.name or event.text)
        case "STEP_RESULT":
            return _result(event.step, event.step_status, event.text)
        case "MULTI_STEP_COMPLETE":
            return f"{_OPENING}MULTI_STEP:complete]]"
        case name:
            return f"{_OPENING}{name}:{escaped(event.text)}]]"


def token_of_entry(entry: TranscriptEntry) -> str | None:
    """Return the token for an entry of a chat; None for the operator's own words."""
    text = entry.text.strip() or entry.kind
    if entry.kind == "escalation" and entry.reference:
        # A token has one field, and support needs this name. It is the same in every language.
        text = f"{text} ({entry.reference})"
    match entry.kind:
        case "message":
            return None
        case "initiated":
            return _initiated(entry.reasoning or text, entry.confidence)
        case "step_started":
            return _started(entry.step, entry.name or text)
        case "step_result":
            return _result(entry.step, entry.step_status, text)
        case "complete":
            return f"{_OPENING}MULTI_STEP:complete]]"
        case kind:
            return f"{_OPENING}{'PROGRESS' if kind == 'progress' else 'SEPARATE_MESSAGE'}:{escaped(text)}]]"


def _initiated(reasoning: str, confidence: int | None) -> str:
    return f"{_OPENING}MULTI_STEP:initiated:{_strict(reasoning)}:{confidence or 1}]]"


def _started(step: int | None, name: str) -> str:
    return f"{_OPENING}STEP:start:{_strict(f'step-{step}')}:{escaped(name)}]]"


def _result(step: int | None, ended: StepStatus | None, text: str) -> str:
    status = "completed" if ended is StepStatus.COMPLETED else "failed"
    return f"{_OPENING}STEP_RESULT:{_strict(f'step-{step}')}:{status}:{escaped(text)}]]"


def escaped(text: str) -> str:
    """Return a text as a field holds it."""
    return _ENDS.sub(lambda found: f"%{ord(found.group()):02X}", text)


def _strict(text: str) -> str:
    return _COLON.sub("%3A", escaped(text))
