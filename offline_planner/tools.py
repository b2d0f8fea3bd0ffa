"""The tools of a request: roles from the words in square brackets, examples, and the words of each tool.

This is all the planner knows of a venue's actions: a new overlay works because nothing here names a pack.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contracts.enums import ParameterRole
from language import SUPPORTED
from language.locales import in_all
from language.requests.parts import may_be
from language.text.lexer import fold
from offline_planner.protocol import ARRANGE, ASK, FIND_TOOLS, REFUSE, RESOLVE_WHEN, as_json

_ROLES = {role.words: role for role in ParameterRole}
_EXAMPLE = re.compile(r'^- "(.*)" -> (\{.*\})\s*$')
_ANY_OF = re.compile(r"At least one of ([\w, ]+) is needed")
_WORD = re.compile(r"[^\W\d_]+")
_ENDINGS = [ending for endings in in_all("planner_tools", "ENDINGS") for ending in endings]
FAMILIES = ("move", "cancel", "change", "resize", "add", "rename")


def stem(word: str) -> str:
    """Return a word without its commonest endings, so that "refunded" matches "refund"."""
    key = re.sub(r"['’]", "", fold(word))
    for ending in _ENDINGS:
        if key.endswith(ending) and len(key) - len(ending) >= 3:
            key = key.removesuffix(ending)
            break
    return key[:-1] if len(key) > 4 and key[-1] == key[-2] else key


Example = tuple[str, Mapping[str, object]]
"""An operator's sentence, and the arguments of the call for it."""


@dataclass(frozen=True, slots=True)
class Param:
    """Represent one parameter of a tool."""

    name: str
    schema: Mapping[str, Any]
    required: bool
    role: ParameterRole | None

    @property
    def choices(self) -> list[Any]:
        """Return the fixed values, if any."""
        values = self.schema.get("enum")
        return list(values) if isinstance(values, list) else []

    @property
    def type(self) -> str:
        """Return the JSON type, the first one other than null where there are several."""
        kind = self.schema.get("type", "string")
        if isinstance(kind, list):
            return next((str(k) for k in kind if k != "null"), "string")
        return str(kind)

    @property
    def flag_words(self) -> frozenset[str]:
        """Return the stems whose occurrence means yes to a boolean: "refund" for `issue_refund`."""
        return frozenset(stem(w) for w in self.name.split("_")) - _HELPING if self.type == "boolean" else frozenset()


_HELPING = frozenset(stem(word) for words in in_all("planner_tools", "HELPING") for word in words)


@dataclass(frozen=True, slots=True)
class Tool:
    """Represent one action. `own` are the stems that call it, where its name begins with no verb of a common family."""

    name: str
    examples: tuple[Example, ...]
    params: tuple[Param, ...]
    any_of: tuple[str, ...]
    reads: bool
    own: frozenset[str]
    ends: bool

    def with_role(self, *roles: ParameterRole) -> Param | None:
        """Return the first parameter with one of `roles`, or None."""
        return next((p for role in roles for p in self.params if p.role is role), None)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Hold all tools of a request; `arranges`: one of them relates steps to one another."""

    tools: tuple[Tool, ...]
    arranges: bool = False

    @property
    def writes(self) -> tuple[Tool, ...]:
        """Return the tools that change something."""
        return tuple(t for t in self.tools if not t.reads)

    def get(self, name: str) -> Tool | None:
        """Return the tool of that name, or None."""
        return next((t for t in self.tools if t.name == name), None)

    def taking(self, *roles: ParameterRole) -> Tool | None:
        """Return the changing tool that sets one of these roles on a booking."""
        fit = [t for t in self.writes if t.with_role(*roles) and t.with_role(ParameterRole.BOOKING)]
        return next((t for t in fit if not t.own), None)

    @property
    def ender(self) -> Tool | None:
        """Return the tool that cancels a booking."""
        return next((t for t in self.writes if t.ends and not t.own), None)

    @property
    def searcher(self) -> Tool | None:
        """Return the look-up that finds bookings by words."""
        return next((t for t in self.tools if t.reads and t.with_role(ParameterRole.SEARCH)), None)

    @property
    def reader(self) -> Tool | None:
        """Return the look-up that reads one booking."""
        return next((t for t in self.tools if t.reads and t.with_role(ParameterRole.BOOKING)), None)

    @property
    def of_phone(self) -> Tool | None:
        """Return the look-up that lists the bookings of one phone number."""
        looks = (t for t in self.tools if t.reads and not t.with_role(ParameterRole.SEARCH, ParameterRole.BOOKING))
        return next((t for t in looks if {p.role for p in t.params if p.required} == {ParameterRole.PHONE}), None)

    @property
    def checker(self) -> Tool | None:
        """Return the look-up that lists what a day has: it needs a day and no booking."""
        looks = (t for t in self.tools if t.reads and not t.with_role(ParameterRole.SEARCH, ParameterRole.BOOKING))
        return next((t for t in looks if any(p.role is ParameterRole.DATE and p.required for p in t.params)), None)


def read_toolbox(functions: list[dict[str, Any]], reads: frozenset[str]) -> Toolbox:
    """Return the planner's view of the tools it receives; `reads` are the names that the prompt calls look-ups."""
    ours = (ASK, REFUSE, RESOLVE_WHEN, FIND_TOOLS, ARRANGE)
    arranges = any(f["name"] == ARRANGE for f in functions)
    return Toolbox(tuple(_tool(f, reads) for f in functions if f["name"] not in ours), arranges)


def _tool(function: Mapping[str, Any], reads: frozenset[str]) -> Tool:
    name, text = str(function["name"]), str(function.get("description") or "")
    head, _, tail = text.partition("\nExamples:")
    any_of = _ANY_OF.search(head)
    params = _params(function.get("parameters"))
    words = _words(name)
    needs = bool(any_of) or any(p.required and p.role is not ParameterRole.BOOKING for p in params)
    stems = frozenset(stem(w) for w in words if not may_be(w, "en", "booking"))
    return Tool(
        name=name,
        examples=tuple(e for line in tail.splitlines() if (e := _example(line)) is not None),
        params=params,
        any_of=tuple(n.strip() for n in any_of[1].split(",")) if any_of else (),
        reads=name in reads,
        own=frozenset() if may_do(name, *FAMILIES) else stems,
        ends=not needs and may_do(name, "cancel"),
    )


def may_do(name: str, *senses: str) -> bool:
    """Return whether a tool's name begins with a verb that may mean one of these, in any language."""
    words = _words(name)
    return bool(words) and any(may_be(words[0], code, *senses) for code in SUPPORTED)


def _words(name: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(name)]


def _params(schema: object) -> tuple[Param, ...]:
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return ()
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    bodies = {name: body if isinstance(body, dict) else {} for name, body in schema["properties"].items()}
    return tuple(_param(name, body, name in needed) for name, body in bodies.items())


def _param(name: str, schema: Mapping[str, Any], required: bool) -> Param:
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        # Strict tools require every parameter, and mark an optional one by null.
        choices = {"enum": [v for v in schema["enum"] if v is not None]} if isinstance(schema.get("enum"), list) else {}
        schema = {**schema, **choices, "type": next((k for k in kinds if k != "null"), "string")}
        required = False
    bracket = re.search(r"\[([^\]]+)\]\s*(?:\([^)]*\)\s*)?$", str(schema.get("description") or ""))
    return Param(name, schema, required, _ROLES.get(bracket[1]) if bracket else None)


def _example(line: str) -> Example | None:
    match = _EXAMPLE.match(line)
    call = as_json(match[2]) if match else None
    return (match[1], call) if match and isinstance(call, dict) else None


def split_words(value: str) -> list[str]:
    """Return the words in "BankTransfer", "bank_transfer" or "Bank transfer"."""
    return _WORD.findall(re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", value))
