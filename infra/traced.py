"""What a trace shows of a call: its structure, days, times, counts, ids and outcome, and nobody's name.

Of what people say in their own words, those are left that are known to be nobody's name (`Words`); all of it stands,
encrypted, in the workflow's history. Arguments show what their parameters' roles allow; look-ups and answers lose what
stands under telling keys. Every word found on the way is hidden wherever else it stands in the same call, such as a
prompt's list of bookings.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Protocol

from contracts import bounds
from contracts.action import AtomicAction, HttpRequest
from contracts.base import Json
from contracts.enums import ParameterRole as Role
from contracts.model import ChatMessage, Completion, ReasonRequest
from infra.personal import HIDDEN, hidden, own_names, without, words_in, words_of

Given = tuple[str, dict[str, Json]]
"""A call: an action's name and arguments."""

_OPEN = frozenset({Role.BOOKING, Role.DATE, Role.TIME, Role.COUNT, Role.CHOICE})
_PLAIN = re.compile(r"[\w:.+-]*\d[\w:.+-]*|\{\{.*\}\}|true|false")
"""A date, a time, a number, an id, a placeholder: no name looks like that."""
_TWO = 2
"""Letters: words as short as that stand in half of all others' places, and are hidden only where they were said."""


class Words(Protocol):
    """Which words of a text may be read. `named` are names of a venue's own things."""

    def shown(self, text: str, named: Collection[str]) -> str:
        """The text with its known words only."""

    def unknown(self, text: str, named: Collection[str]) -> set[str]:
        """The words that this leaves out."""


def personal_keys(action: AtomicAction | None) -> frozenset[str]:
    """The fields that an action's personal parameters go to, by their roles."""
    if action is None:
        return frozenset()
    closed = [p for p in action.parameters if p.sensitive is False or (p.role is not None and p.role not in _OPEN)]
    return frozenset(k for p in closed for k in (p.name, (p.target or p.name).rpartition(".")[2]))


def personal_words(action: AtomicAction, arguments: Mapping[str, Json]) -> set[str]:
    """The words of a call's arguments that are not to be shown."""
    shown = shown_arguments(action, arguments)
    return {w for k, v in arguments.items() if shown[k] == HIDDEN and isinstance(v, str) for w in words_of(v)}


def shown_arguments(action: AtomicAction | None, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """A call's arguments, as far as they tell nobody's name."""
    return {k: _shown(action, k, v) for k, v in arguments.items()}


def _shown(action: AtomicAction | None, name: str, value: Json) -> Json:
    parameter = action.parameter(name) if action else None
    if parameter is not None and parameter.sensitive is False:
        return HIDDEN  # what only its author says is no secret need not be kept
    if value is None or isinstance(value, bool | int | float):
        return value
    role = parameter.role if parameter else None
    chosen = role is Role.CHOICE or (parameter is not None and "enum" in parameter.json_schema)
    readable = isinstance(value, str) and (chosen or _PLAIN.fullmatch(value) is not None)
    return value if readable and (role is None or role in _OPEN) else HIDDEN


class VenueCall:
    """One venue call, as a trace may show it; `without_secrets` says which of its values are secrets."""

    def __init__(
        self, request: HttpRequest, action: AtomicAction | None, without_secrets: Callable[[Json], Json]
    ) -> None:
        self._request = request
        self._action = action
        self._without_secrets = without_secrets

    def sent(self) -> Json:
        """The request, without headers."""
        words, keys = self._words(), personal_keys(self._action)
        return {part: hidden(value, words, keys) for part, value in self._parts().items()}

    def answered(self, status: int, body: Json) -> Json:
        """What the venue answered."""
        keys = personal_keys(self._action)
        words = self._words() | words_in(body, keys, under=self._about)
        return {"status": status, "body": hidden(self._without_secrets(body), words, keys, self._about)}

    @property
    def _about(self) -> str:
        """What a list is of, by its address: `/products` answers products."""
        return self._request.path.rstrip("/").rpartition("/")[2]

    def _words(self) -> set[str]:
        keys = personal_keys(self._action)
        return {word for value in self._parts().values() for word in words_in(value, keys)}

    def _parts(self) -> dict[str, Json]:
        # A form's fields are its body once more, with names and values side by side.
        parts = self._request.model_dump(include={"method", "path", "body", "content_type"})
        parts["path"] = self._request.shown_path or parts["path"]
        query = {name: self._without_secrets(_json_or_text(value)) for name, value in self._request.query}
        parts |= {"query": self._without_secrets(query), "body": self._without_secrets(parts["body"])}
        return {part: value for part, value in parts.items() if value}


class Transcript:
    """One model call, as a trace may show it."""

    def __init__(self, request: ReasonRequest, actions: Mapping[str, AtomicAction], words: Words) -> None:
        self._request = request
        self._actions = actions
        self._readable = words

    @property
    def trace_id(self) -> str:
        """What all calls of one request share."""
        return self._request.trace_id

    def prompt(self, system: str, completion: Completion | None = None) -> list[dict[str, Json]]:
        """The messages; `completion` may tell names that the prompt holds, too."""
        words = self._words(completion)
        rows: list[dict[str, Json]] = [{"role": "system", "content": without(system, words)}]
        return rows + [self._message(m, words) for m in self._request.messages]

    def reply(self, completion: Completion) -> dict[str, Json]:
        """What the model answered."""
        return {"text": self._text(completion.text), "calls": self._calls(_given(completion))}

    def _message(self, message: ChatMessage, words: Iterable[str]) -> dict[str, Json]:
        row: dict[str, Json] = {"role": message.role, "content": self._text(message.content)}
        if message.role == "tool":
            row["content"] = hidden(_parsed(message.content), words)
        if message.tool_calls:
            row["calls"] = self._calls([(c.name, c.arguments) for c in message.tool_calls])
        return row

    def _text(self, text: str) -> str:
        return self._readable.shown(text, self._own_names)

    @cached_property
    def _own_names(self) -> set[str]:
        answers = [_parsed(m.content) for m in self._request.messages if m.role == "tool"]
        return {name for answer in answers for name in own_names(answer)}

    def _calls(self, calls: Iterable[Given]) -> list[dict[str, Json]]:
        return [{"name": name, "arguments": shown_arguments(self._actions.get(name), a)} for name, a in calls]

    def _words(self, completion: Completion | None) -> set[str]:
        request = self._request
        words = {word for text in request.personal for word in words_of(text)}
        for booking in (*request.context.known, *request.context.offered):
            words |= words_of(booking.guest_name)
        for message in request.messages:
            if message.role == "tool":
                words |= words_in(_parsed(message.content))
            elif message.role == "user":
                # Somebody who was asked for and not found is in no answer: only the words tell of them.
                words |= {w for w in self._readable.unknown(message.content, self._own_names) if len(w) > _TWO}
        given = [(c.name, c.arguments) for m in request.messages for c in m.tool_calls]
        given += _given(completion) if completion else []
        given += [(a.action_id, a.parameters) for a in (*request.context.pending, *(request.goal or ()))]
        for name, arguments in given:
            action = self._actions.get(name)
            words |= personal_words(action, arguments) if action else set()
        return words


def _given(completion: Completion) -> list[Given]:
    return [(c.name, bounds.arguments(c.arguments)[0]) for c in completion.calls]


def _length(text: str) -> str:
    return f"[{len(text)} characters]" if text else ""


def _json_or_text(text: str) -> Json:
    """A document that travels as text, taken apart; any other text as it is."""
    if not text.startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _parsed(text: str) -> Json:
    """A look-up's result. What was cut short is no JSON any more, and is not shown."""
    try:
        return json.loads(text)
    except ValueError:
        return _length(text)
