"""Limits of input from outside: a model's reply, a venue's document, a transcript.

Histories hold all of it, Temporal refuses a payload over 2 MB, and its converters refuse JSON that is nested too deep,
and anything else. So each input is bounded on arrival, and an excess becomes a problem in words, never an exception in
a workflow. Sizes are in bytes of UTF-8 JSON unless characters are mentioned.

The timeouts of chats and plans are also here. Like messages, histories hold them.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence

from contracts.base import FrozenModel, Json
from contracts.chat_completion import ChatMessage

REPLY_BYTES = 2_000_000
"""A model's whole HTTP answer: the longest sensible one has a few hundred kilobytes, most of it overhead."""

TEXT = 4_000
"""Characters of a model's text: more than an operator reads on a phone."""

QUESTION = 1_000
"""Characters of one question, or of one reason why something cannot be done."""

CHOICES, CHOICE = 12, 200
"""Buttons under a question, and characters of one."""

CALLS = 12
"""Calls in one reply: no request of an operator takes more steps and look-ups than that at once."""

LOOK_UPS = 8
"""Look-ups in one reply: each is a call to a venue that allows 600 a minute for all operators."""

ARGUMENT_BYTES, ARGUMENT_DEPTH = 16_000, 8
"""Limits of one call's arguments: a note is 500 characters, and no operation's body is nested deeper than 6."""

EXTRA_BYTES, EXTRA_DEPTH = 64_000, 12
"""Limits of the extra fields of a reply, returned unread: a signature has a few kilobytes, a long reasoning tens."""

NAME, ID = 64, 128
"""Characters of a tool's name (the protocol's own limit) and of a call's id (the longest seen have about 60)."""

TOKENS = 100_000_000
"""Of one call, as an endpoint reports them: a hundred times the context of any model."""

PROBLEM = 600
"""Characters of a message to the model about one mistake, which may quote a whole value."""

PHRASE = 300
"""Characters of a day and a time in an operator's words."""

TRANSCRIPT_BYTES = 256_000
"""Of all the messages of a turn or of an execution: far more than a model can make use of."""

ANSWER_BYTES, ANSWER_DEPTH = 4_000_000, 60
"""Of a venue's answer, decoded: a day's whole catalogue has about 1 MB, nested 12 deep."""

SNAPSHOT_BYTES = 256_000
"""Bytes of the state for an undo: the history holds it several times."""

OBSERVATION, STEP_RESULT = 4_000, 2_000
"""Characters of a look-up's and of a step's result that a model sees: otherwise answers dominate histories. A plan is
chosen from a look-up; of a step the model only needs to see that it succeeded."""

CANDIDATES, CANDIDATES_SHOWN = 50, 10
"""Bookings of one look-up: more are no help in a choice."""

_LISTS, _TEXTS = (50, 20, 10, 5, 2, 1), (1_000, 300, 100, 40)


def parse_count(value: Json) -> int | None:
    """Return a count from outside (12, 12.0, "12") as an integer; None for what is not a count, is below zero, or is
    beyond `TOKENS`, because no real usage is that high."""
    if isinstance(value, str):
        text = value.strip()
        value = float(text) if re.fullmatch(r"\d{1,12}(?:\.\d{1,12})?", text, re.ASCII) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= TOKENS:
        return None
    return int(value)


class TooDeepError(ValueError):
    """A document is nested deeper than the limit."""


def json_size(value: Json) -> int:
    """Return the bytes of a value as JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace"))


def exceeds_depth(value: Json, limit: int) -> bool:
    """Return whether a value is nested more than `limit` deep; never fails, however deep it is."""
    level = [value]
    for _ in range(limit + 1):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: Json) -> Iterable[Json]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def sanitize_text(text: str, limit: int) -> str:
    """Return a text that every converter accepts: no lone surrogates, no NUL, at most `limit` characters."""
    cut = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return cut.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def sanitize_json(value: Json) -> Json:
    """Return a document without lone surrogates, which no converter accepts. At most `ANSWER_DEPTH` deep."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [sanitize_json(one) for one in value]
    return {sanitize_json(k): sanitize_json(v) for k, v in value.items()} if isinstance(value, dict) else value


def parse_json(text: str | bytes, most_deep: int) -> Json:
    """Return the parsed JSON. Raises `TooDeepError`, and ValueError for invalid JSON or a number that is not finite."""
    try:
        value = json.loads(text, parse_constant=_not_finite, parse_float=_finite)
    except RecursionError:
        raise TooDeepError("nested too deep") from None
    if exceeds_depth(value, most_deep):
        raise TooDeepError("nested too deep")
    return value


def _not_finite(word: str) -> Json:
    raise ValueError(f"{word} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def parse_arguments(text: str) -> tuple[dict[str, Json], list[str]]:
    """Return (arguments, problems) of a call as a model wrote them; no arguments when there is a problem."""
    if len(text.encode("utf-8", "replace")) > ARGUMENT_BYTES:
        return {}, [f"The arguments are longer than {ARGUMENT_BYTES} bytes. Say only what was asked for."]
    try:
        value = parse_json(text, ARGUMENT_DEPTH)
    except TooDeepError:
        return {}, [f"The arguments are nested more than {ARGUMENT_DEPTH} deep."]
    except ValueError:
        return {}, ["The arguments are not valid JSON."]
    if not isinstance(value, dict):
        return {}, ["The arguments must be a JSON object."]
    if not _converts(value):
        return {}, ["The arguments hold characters that are no text."]
    return value, []


def extras(*found: Mapping[str, Json]) -> list[dict[str, Json]]:
    """Return the unread fields of each part of a reply, within limits in total, the first parts first. A field over the
    limit, or that no converter accepts, is left out whole, because half a signature is useless."""
    left, kept = EXTRA_BYTES, list[dict[str, Json]]()
    for part in found:
        kept.append({})
        for name, value in part.items():
            if value in (None, "", [], {}) or exceeds_depth(value, EXTRA_DEPTH) or not _converts({name: value}):
                continue
            if (weight := json_size({name: value})) <= left:
                kept[-1][name] = value
                left -= weight
    return kept


def _converts(value: Json) -> bool:
    plain = json.dumps(value, ensure_ascii=False)
    return not ("\0" in plain or "\\u0000" in plain or plain != plain.encode("utf-8", "replace").decode("utf-8"))


def validate_question(given: dict[str, Json]) -> list[str]:
    """Return what is wrong with the arguments of a built-in tool: its texts must be strings, and short."""
    found = [
        f"{name} must be a text of at most {QUESTION} characters."
        for name in ("question", "message")
        if name in given and not (isinstance(given[name], str) and len(given[name]) <= QUESTION)
    ]
    choices = given.get("choices")
    fits = isinstance(choices, list) and len(choices) <= CHOICES
    if choices is not None and not (fits and all(isinstance(c, str) and len(c) <= CHOICE for c in choices)):
        found.append(f"choices must be a list of at most {CHOICES} texts of at most {CHOICE} characters.")
    return found


def truncate_json(value: Json, limit: int = OBSERVATION) -> str:
    """Return a value as JSON of at most `limit` characters, cut by leaving out rows and ends of texts. The result is
    still valid JSON, and notes what was left out."""
    text = _text(value)
    for rows in _LISTS:
        for characters in _TEXTS:
            if len(text) <= limit:
                return text
            text = _text(_shortened(value, rows, characters, ANSWER_DEPTH))
    return text if len(text) <= limit else _text({"error": "The answer is too large to show: look for less at once."})


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _shortened(value: Json, rows: int, characters: int, deep: int) -> Json:
    if deep == 0:
        return "…"
    if isinstance(value, str):
        return sanitize_text(value, characters)
    if isinstance(value, list):
        kept = [_shortened(one, rows, characters, deep - 1) for one in value[:rows]]
        return kept if len(value) <= rows else [*kept, f"… {len(value) - rows} more left out"]
    if isinstance(value, dict):
        return {k: _shortened(v, rows, characters, deep - 1) for k, v in value.items()}
    return value


def trimmed_transcript(messages: Sequence[ChatMessage], limit: int = TRANSCRIPT_BYTES) -> tuple[ChatMessage, ...]:
    """Return the messages within `limit` bytes: first the results of the oldest calls are left out, then the oldest
    rounds. The first message, the request, always stays, and no result is left without its call."""
    kept = list(messages)
    weights = [_weight(m) for m in kept]
    over = sum(weights) - limit
    for index, message in enumerate(kept[:-1]):
        if over <= 0:
            return tuple(kept)
        if message.role == "tool":
            kept[index] = message.model_copy(update={"content": '{"left_out": "an older result"}'})
            over -= weights[index] - _weight(kept[index])
    while over > 0 and len(kept) > 2:
        end = next((n for n, m in enumerate(kept[2:], 2) if m.role != "tool"), len(kept))
        over -= sum(_weight(m) for m in kept[1:end])
        del kept[1:end]
    return tuple(kept)


def _weight(message: ChatMessage) -> int:
    return len(message.model_dump_json().encode("utf-8", "replace"))


class PlanPolicy(FrozenModel):
    """How patient a plan is; all in seconds but the counts. Read from settings when a plan is drafted, so that a
    change of settings never touches a plan in flight.

    `venue_queue` and `model_queue` are the task queues of what asks a venue or a model; "" is the queue of the
    workflow itself."""

    confirm_timeout: float = 900
    answer_timeout: float = 600
    model_timeout: float = 30
    call_timeout: float = 60
    heartbeat: float = 4
    start_within: float = 10
    sign_in_timeout: float = 600
    rollback_timeout: float = 300
    max_corrections: int = 3
    questions: int = 5
    task_queue: str = "iq"
    venue_queue: str = ""
    model_queue: str = ""


class ChatPolicy(FrozenModel):
    """How patient a chat is; all in seconds but the counts."""

    turn_budget: float = 15
    idle_after: float = 3600
    clarifications: int = 3
    look_ups: int = 8
    messages_kept: int = 20
    shown_kept: int = 200
    turns_kept: int = 20
    internal_kept: int = 100
    context_rounds: int = 3
    escalation_ttl: float = 604_800
    continue_after_events: int = 4000
    plan: PlanPolicy = PlanPolicy()
