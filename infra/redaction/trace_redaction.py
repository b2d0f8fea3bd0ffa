"""Redaction of calls in traces: keeps structure, days, times, counts, ids and outcome, and removes names.

Free text keeps only the words that are known not to be names (`Vocabulary`). The workflow's history has the full text,
encrypted. Arguments are kept as their parameters' roles allow. Look-ups and answers lose the values under personal
keys. Every word found in this way is hidden everywhere in the same call, such as in a prompt's list of bookings.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Protocol

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.chat_completion import ChatMessage, ModelReply, ReasonRequest
from contracts.credentials import HttpRequest
from contracts.enums import ParameterRole as Role
from infra.redaction.personal_data import HIDDEN, find_names, redact_names, remove_words, venue_names, words_of

Given = tuple[str, dict[str, Json]]
"""A call: an action's name and arguments."""

_OPEN = frozenset({Role.BOOKING, Role.DATE, Role.TIME, Role.COUNT, Role.CHOICE})
_PLAIN = re.compile(r"[\w:.+-]*\d[\w:.+-]*|\{\{.*\}\}|true|false")
"""A date, a time, a number, an id or a placeholder: no name has this form."""
_TWO = 2
"""Letters: words this short occur inside half of all texts, so they are hidden only where they were written."""


class Vocabulary(Protocol):
    """Decides which words of a text may be shown. `named` are the names of a venue's own things."""

    def shown(self, text: str, named: Collection[str]) -> str:
        """Return the text with its known words only."""

    def unknown(self, text: str, named: Collection[str]) -> set[str]:
        """Return the words that `shown` leaves out."""


def personal_keys(action: AtomicAction | None) -> frozenset[str]:
    """Return the fields that an action's personal parameters go to, by their roles."""
    if action is None:
        return frozenset()
    closed = [p for p in action.parameters if p.sensitive is False or (p.role is not None and p.role not in _OPEN)]
    return frozenset(k for p in closed for k in (p.name, (p.target or p.name).rpartition(".")[2]))


def personal_words(action: AtomicAction, arguments: Mapping[str, Json]) -> set[str]:
    """Return the words of a call's arguments that must not be shown."""
    shown = redact_arguments(action, arguments)
    return {w for k, v in arguments.items() if shown[k] == HIDDEN and isinstance(v, str) for w in words_of(v)}


def redact_arguments(action: AtomicAction | None, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return a call's arguments without names."""
    return {k: _shown(action, k, v) for k, v in arguments.items()}


def _shown(action: AtomicAction | None, name: str, value: Json) -> Json:
    parameter = action.parameter(name) if action else None
    if parameter is not None and parameter.sensitive is False:
        return HIDDEN  # only the pack's author declares that it is no secret
    if value is None or isinstance(value, bool | int | float):
        return value
    role = parameter.role if parameter else None
    chosen = role is Role.CHOICE or (parameter is not None and "enum" in parameter.json_schema)
    readable = isinstance(value, str) and (chosen or _PLAIN.fullmatch(value) is not None)
    return value if readable and (role is None or role in _OPEN) else HIDDEN


class RedactedVenueCall:
    """One venue call, redacted for a trace. `without_secrets` decides which of its values are secrets."""

    def __init__(
        self, request: HttpRequest, action: AtomicAction | None, without_secrets: Callable[[Json], Json]
    ) -> None:
        self._request = request
        self._action = action
        self._without_secrets = without_secrets

    def sent(self) -> Json:
        """Return the request, without headers."""
        words, keys = self._words(), personal_keys(self._action)
        return {part: redact_names(value, words, keys) for part, value in self._parts().items()}

    def answered(self, status: int, body: Json) -> Json:
        """Return the venue's answer."""
        keys = personal_keys(self._action)
        words = self._words() | find_names(body, keys, under=self._about)
        return {"status": status, "body": redact_names(self._without_secrets(body), words, keys, self._about)}

    @property
    def _about(self) -> str:
        """Return the resource of a list, by its address: `/products` answers products."""
        return self._request.path.rstrip("/").rpartition("/")[2]

    def _words(self) -> set[str]:
        keys = personal_keys(self._action)
        return {word for value in self._parts().values() for word in find_names(value, keys)}

    def _parts(self) -> dict[str, Json]:
        # A form's fields are its body again, with names and values side by side.
        parts = self._request.model_dump(include={"method", "path", "body", "content_type"})
        parts["path"] = self._request.shown_path or parts["path"]
        query = {name: self._without_secrets(_json_or_text(value)) for name, value in self._request.query}
        parts |= {"query": self._without_secrets(query), "body": self._without_secrets(parts["body"])}
        return {part: value for part, value in parts.items() if value}


class RedactedTranscript:
    """One model call, redacted for a trace."""

    def __init__(self, request: ReasonRequest, actions: Mapping[str, AtomicAction], words: Vocabulary) -> None:
        self._request = request
        self._actions = actions
        self._readable = words

    @property
    def trace_id(self) -> str:
        """Return the id that all calls of one request share."""
        return self._request.trace_id

    def prompt(self, system: str, completion: ModelReply | None = None) -> list[dict[str, Json]]:
        """Return the messages. `completion` may contain names that the prompt contains, too."""
        words = self._words(completion)
        rows: list[dict[str, Json]] = [{"role": "system", "content": remove_words(system, words)}]
        return rows + [self._message(m, words) for m in self._request.messages]

    def reply(self, completion: ModelReply) -> dict[str, Json]:
        """Return the model's answer."""
        return {"text": self._text(completion.text), "calls": self._calls(_given(completion))}

    def _message(self, message: ChatMessage, words: Iterable[str]) -> dict[str, Json]:
        row: dict[str, Json] = {"role": message.role, "content": self._text(message.content)}
        if message.role == "tool":
            row["content"] = redact_names(_parsed(message.content), words)
        if message.tool_calls:
            row["calls"] = self._calls([(c.name, c.arguments) for c in message.tool_calls])
        return row

    def _text(self, text: str) -> str:
        return self._readable.shown(text, self._own_names)

    @cached_property
    def _own_names(self) -> set[str]:
        answers = [_parsed(m.content) for m in self._request.all_messages if m.role == "tool"]
        return {name for answer in answers for name in venue_names(answer)}

    def _calls(self, calls: Iterable[Given]) -> list[dict[str, Json]]:
        return [{"name": name, "arguments": redact_arguments(self._actions.get(name), a)} for name, a in calls]

    def _words(self, completion: ModelReply | None) -> set[str]:
        request = self._request
        words = {word for text in request.personal for word in words_of(text)}
        for booking in (*request.context.known, *request.context.offered):
            words |= words_of(booking.guest_name)
        for message in request.all_messages:
            if message.role == "tool":
                words |= find_names(_parsed(message.content))
            elif message.role == "user":
                # A person who was searched for and not found is in no answer: only the message has the name.
                words |= {w for w in self._readable.unknown(message.content, self._own_names) if len(w) > _TWO}
        given = [(c.name, c.arguments) for m in request.all_messages for c in m.tool_calls]
        given += _given(completion) if completion else []
        given += [(a.action_id, a.parameters) for a in (*request.context.pending, *(request.goal or ()))]
        for name, arguments in given:
            action = self._actions.get(name)
            words |= personal_words(action, arguments) if action else set()
        return words


def _given(completion: ModelReply) -> list[Given]:
    return [(c.name, c.arguments) for c in completion.tool_calls]


def _length(text: str) -> str:
    return f"[{len(text)} characters]" if text else ""


def _json_or_text(text: str) -> Json:
    """Return a document that is sent as text, parsed; any other text unchanged."""
    if not text.startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _parsed(text: str) -> Json:
    """Return a look-up's result. A truncated one is not valid JSON, and is not shown."""
    try:
        return json.loads(text)
    except ValueError:
        return _length(text)
