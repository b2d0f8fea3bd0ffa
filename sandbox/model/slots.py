"""Values without a role of their own: set choices, yes-or-no, figures, and words that an example has a gap for."""

import re
from collections.abc import Mapping

from contracts.enums import ParameterRole as Role
from sandbox.model.clauses import Clause
from sandbox.model.kinds import Item, Kind
from sandbox.model.protocol import Arguments
from sandbox.model.tools import Param, Tool, split_words
from sandbox.model.words import fold, stem

Filled = tuple[object, set[int]]
"""A value, and where the words for it start."""


def fill_extras(tool: Tool, clause: Clause, values: Mapping[Kind, Item]) -> tuple[Arguments, set[int]]:
    """What the clause says for parameters that no other reader fills, and where the words for it start."""
    extras: Arguments = {}
    used: set[int] = set()
    for param in tool.params:
        counts_things = param.role is Role.COUNT and Kind.COUNT not in values
        if param.role not in (None, Role.CHOICE) and not counts_things:
            continue
        found = _fill(tool, param, clause)
        if found is not None:
            extras[param.name], places = found
            used |= places
    return extras, used


def slot_values(tool: Tool, clause: Clause, values: Mapping[Kind, Item]) -> bool:
    """Whether everything the tool needs beyond a booking is said."""
    extras, _ = fill_extras(tool, clause, values)
    needed = [p for p in tool.params if p.required and p.role in (None, Role.CHOICE, Role.COUNT)]
    return bool(needed) and all(p.name in extras for p in needed)


def _fill(tool: Tool, param: Param, clause: Clause) -> Filled | None:
    if param.choices:
        return _choice(param, clause)
    if param.type == "boolean":
        return _flag(param, clause)
    if param.type in ("integer", "number"):
        return _figure(param, clause)
    return _gap(tool, param, clause) if param.type == "string" else None


def match_choice(param: Param, text: str) -> object:
    """The one set value whose words are all said."""
    said = {stem(w) for w in split_words(text)} | {stem(w) for w in re.findall(r"[^\W_]+", text)}
    joined = fold(re.sub(r"[\W_]", "", text))

    def is_said(choice: object) -> bool:
        words = {stem(w) for w in split_words(str(choice))}
        return words <= said or fold(str(choice)) == joined or str(choice) == text.strip()

    hits = [c for c in param.choices if is_said(c)]
    return hits[0] if len(hits) == 1 else None


def _choice(param: Param, clause: Clause) -> Filled | None:
    kinds = (Kind.UNKNOWN, Kind.TOOL, Kind.FILL, Kind.NAME, Kind.VERB, Kind.TOPIC)
    words = [i for i in clause.items if i.kind in kinds]
    value = match_choice(param, " ".join(i.text for i in words if i.sense != "ref"))
    if value is None:
        return None
    stems = {stem(w) for w in split_words(str(value))}
    return value, {i.start for i in words if stem(i.text) in stems}


def _flag(param: Param, clause: Clause) -> Filled | None:
    said = [i for i in clause.items if i.kind in (Kind.FLAG, Kind.TOOL, Kind.VERB) and stem(i.text) in param.flag_words]
    if not said or clause.has(Kind.NEG):
        return None
    return True, {i.start for i in said}


def _figure(param: Param, clause: Clause) -> Filled | None:
    figures = [i for i in clause.items if i.kind in (Kind.NUMBER, Kind.COUNT)]
    if len(figures) != 1:
        return None
    text = re.sub(r"[^\d.]", "", figures[0].text.replace(",", ""))
    if not re.fullmatch(r"\d+(\.\d+)?", text):
        return None
    number = float(text) if param.type == "number" and "." in text else int(float(text))
    return number, {figures[0].start}


def _gap(tool: Tool, param: Param, clause: Clause) -> Filled | None:
    """The words that stand where an example has this parameter's value, told by the word in front of it."""
    for say, call in tool.examples:
        value = call.get(param.name)
        if not isinstance(value, str) or value not in say:
            continue
        lead = re.findall(r"[^\W\d_]+|:", say[: say.index(value)])[-1:]
        found = _after(clause, fold(lead[0])) if lead else None
        if found:
            return " ".join(i.text for i in found), {i.start for i in found}
    return None


def _after(clause: Clause, lead: str) -> list[Item]:
    """The unclaimed run behind the last `lead`."""
    places = [n for n, i in enumerate(clause.items) if fold(i.text).split()[-1:] == [lead]]
    for place in reversed(places):
        run: list[Item] = []
        for item in clause.items[place + 1 :]:
            if item.kind not in (Kind.UNKNOWN, Kind.TOOL, Kind.NAME, Kind.NUMBER, Kind.FILL, Kind.REF):
                break
            run.append(item)
        while run and run[-1].kind is Kind.FILL:
            run.pop()
        if run:
            return run
    return []
