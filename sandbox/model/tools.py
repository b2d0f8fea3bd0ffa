"""The tools of a request, read back: roles from the words in square brackets, examples, and the words of each tool.

This is all the planner knows of a venue's actions: a new overlay works because nothing here names a pack.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contracts.enums import ParameterRole
from sandbox.model.kinds import Kind
from sandbox.model.protocol import ASK, REFUSE, RESOLVE_WHEN, as_json
from sandbox.model.words import all_words, fold, stem

_ROLES = {role.words: role for role in ParameterRole}
_EXAMPLE = re.compile(r'^- "(.*)" -> (\{.*\})\s*$')
_ANY_OF = re.compile(r"At least one of ([\w, ]+) is needed")
_WORD = re.compile(r"[^\W\d_]+")
_EXPLAINING = frozenset({Kind.VERB, Kind.TOPIC, Kind.OTHER})


Example = tuple[str, Mapping[str, object]]
"""What an operator says, and the values it is called with."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a tool."""

    name: str
    schema: Mapping[str, Any]
    required: bool
    role: ParameterRole | None

    @property
    def choices(self) -> list[Any]:
        """The set values, if any."""
        values = self.schema.get("enum")
        return list(values) if isinstance(values, list) else []

    @property
    def type(self) -> str:
        """The JSON type, the first real one where there are several."""
        kind = self.schema.get("type", "string")
        if isinstance(kind, list):
            return next((str(k) for k in kind if k != "null"), "string")
        return str(kind)

    @property
    def flag_words(self) -> frozenset[str]:
        """Stems that, said, mean yes to a boolean: "refund" for `issue_refund`."""
        return frozenset(stem(w) for w in self.name.split("_")) - _HELPING if self.type == "boolean" else frozenset()


_HELPING = frozenset(map(stem, ("issue", "is", "has", "do", "with", "send", "make", "the", "for", "should", "to")))


@dataclass(frozen=True, slots=True)
class Tool:
    """One action. `heads` are the stems that call it by itself, `vocabulary` all stems it is described with."""

    name: str
    examples: tuple[Example, ...]
    params: tuple[Param, ...]
    any_of: tuple[str, ...]
    reads: bool
    heads: frozenset[str]
    senses: frozenset[str]
    vocabulary: frozenset[str]

    def with_role(self, *roles: ParameterRole) -> Param | None:
        """The first parameter that plays one of `roles`."""
        return next((p for role in roles for p in self.params if p.role is role), None)

    @property
    def has_free_needs(self) -> bool:
        """Whether it needs anything besides a booking."""
        return bool(self.any_of) or any(p.required and p.role is not ParameterRole.BOOKING for p in self.params)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """All tools of a request, and how many changing ones use each stem."""

    tools: tuple[Tool, ...]
    shared: Mapping[str, int]

    @property
    def writes(self) -> tuple[Tool, ...]:
        """The tools that change something."""
        return tuple(t for t in self.tools if not t.reads)

    @property
    def roles(self) -> frozenset[ParameterRole]:
        """Every role that a changing tool can take."""
        return frozenset(p.role for t in self.writes for p in t.params if p.role is not None)

    def get(self, name: str) -> Tool | None:
        """The tool of that name."""
        return next((t for t in self.tools if t.name == name), None)

    def flagged_by(self, word: str) -> bool:
        """Whether a word says yes to some boolean."""
        return any(stem(word) in p.flag_words for t in self.writes for p in t.params)

    @property
    def searcher(self) -> Tool | None:
        """The look-up that finds bookings by words."""
        return next((t for t in self.tools if t.reads and t.with_role(ParameterRole.SEARCH)), None)

    @property
    def reader(self) -> Tool | None:
        """The look-up that reads one booking."""
        return next((t for t in self.tools if t.reads and t.with_role(ParameterRole.BOOKING)), None)


def read_toolbox(functions: list[dict[str, Any]], reads: frozenset[str]) -> Toolbox:
    """The planner's view of the tools it was sent; `reads` are the names that the prompt calls look-ups."""
    tools = tuple(_tool(f, reads) for f in functions if f["name"] not in (ASK, REFUSE, RESOLVE_WHEN))
    shared = Counter(s for t in tools if not t.reads for s in t.vocabulary)
    return Toolbox(tools, shared)


def _tool(function: Mapping[str, Any], reads: frozenset[str]) -> Tool:
    name, text = str(function["name"]), str(function.get("description") or "")
    head, _, tail = text.partition("\nExamples:")
    examples = tuple(e for line in tail.splitlines() if (e := _example(line)) is not None)
    any_of = _ANY_OF.search(head)
    params = _params(function.get("parameters"))
    heads, senses = _heads(name, examples)
    return Tool(
        name=name,
        examples=examples,
        params=params,
        any_of=tuple(n.strip() for n in any_of[1].split(",")) if any_of else (),
        reads=name in reads,
        heads=heads,
        senses=senses,
        vocabulary=heads | _vocabulary(name, head, examples, params),
    )


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
        # Strict tools require everything, and say by null what may be left out.
        choices = {"enum": [v for v in schema["enum"] if v is not None]} if isinstance(schema.get("enum"), list) else {}
        schema = {**schema, **choices, "type": next((k for k in kinds if k != "null"), "string")}
        required = False
    bracket = re.search(r"\[([^\]]+)\]\s*(?:\([^)]*\)\s*)?$", str(schema.get("description") or ""))
    return Param(name, schema, required, _ROLES.get(bracket[1]) if bracket else None)


def _example(line: str) -> Example | None:
    match = _EXAMPLE.match(line)
    call = as_json(match[2]) if match else None
    return (match[1], call) if match and isinstance(call, dict) else None


def _heads(name: str, examples: tuple[Example, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the name and of the verbs that open the examples; senses are the verb lists those belong to.

    Overlays are written in any language, so each word is looked up in all.
    """
    listed = all_words()
    openers = [fold(found[0]) for say, _ in examples if (found := _WORD.findall(say))]
    named = [fold(w) for w in _WORD.findall(name)]
    words = [*named, *(w for w in openers if w and (w not in listed or listed[w].kind in _EXPLAINING))]
    senses = {e.sense for w in words if (e := listed.get(w)) is not None and e.kind is Kind.VERB}
    heads = {stem(w) for w in words if w not in listed or listed[w].kind in _EXPLAINING}
    return frozenset(heads), frozenset(senses)


def _vocabulary(name: str, head: str, examples: tuple[Example, ...], params: tuple[Param, ...]) -> frozenset[str]:
    """Lower-case words of the examples without their values, of the name and of the set values.

    Capitalised words in an example are somebody's name.
    """
    said: list[str] = []
    for say, call in examples:
        plain = say
        for value in call.values():
            if isinstance(value, str):
                plain = re.sub(re.escape(value), " ", plain, flags=re.IGNORECASE)
        said += [w for n, w in enumerate(_WORD.findall(plain)) if n == 0 or w[0].islower()]
    own = re.split(r"\bNot for\b", head)[0]
    said += [w for w in _WORD.findall(own.split(". ")[0]) if len(w) > 3]
    said += _WORD.findall(name) + [w for p in params for c in p.choices for w in split_words(str(c))]
    return frozenset(stem(w) for w in said if len(w) > 1)


def split_words(value: str) -> list[str]:
    """The words in "BankTransfer", "bank_transfer" or "Bank transfer"."""
    return _WORD.findall(re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", value))
