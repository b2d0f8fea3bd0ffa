"""A first overlay for one operation, for its author to finish.

What the document tells is filled in: what each input means, the read that belongs to a write, the way back, what a
look-up tells. It is checked as if it were enabled, and what would not load is left out again; what only a person can
know is asked in comments.
"""

import copy
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from contracts.base import Value
from contracts.venue import VenueProfile
from registry.document import Described, Document
from registry.draft_check import errors_of
from registry.draft_examples import Examples
from registry.draft_inputs import Input, Inputs, action_name, inputs_of, plain_text
from registry.draft_leaves import CELL
from registry.draft_preview import lines_of_other_inputs
from registry.draft_reads import Reads, is_scalar
from registry.draft_sample import NO_ZONE, PLAUSIBLE, plausible, sample_of
from registry.draft_search import only_looks
from registry.draft_shown import output_of
from registry.draft_text import Written, text_of
from registry.draft_title import Called, called
from registry.draft_undo import way_of
from registry.draft_way import Way, put
from registry.neutral import types_of
from registry.targets import split_path
from registry.tiers import default_tier, is_read

NOWHERE = VenueProfile(
    venue_id="draft", name="Draft", time_zone=NO_ZONE, locale="en-GB", country="GB", pack="", base_url="",
    check_operation="",
)  # fmt: skip
"""The venue where none is known."""

_MOST_OPTIONAL = 4
_NO_SEARCH = frozenset({"count", "note", "booking"})
_SENTENCES = re.compile(r"(?<=[.!?>\n])(?=\s*\S)")
_WORDS = re.compile(r"[\w-]+")
_GOES_ON = re.compile(r"\s*(not (passing|setting|sending|giving)|if (not|it|this|missing|omitted)|otherwise)\b", re.I)
_TRIED = ("With what the document says, a way back or a check of this was drafted and would not load.",)
_SCHEMA = "# yaml-language-server: $schema={}"


class Draft(NamedTuple):
    """A draft: the action's name, the file's text, and what still keeps it from loading."""

    name: str
    text: str
    problems: tuple[str, ...]


def draft_overlay(document: Document, key: str) -> tuple[str, str]:
    """(name, YAML text) of an overlay over the operation `key`. Raises OperationError."""
    draft = Drafter(document).overlay(key)
    return draft.name, draft.text


class Drafter:
    """Drafts overlays over one document. `profile` is the venue's, where there is one already; `prefix` begins the
    names of variables that secrets are taken from; `schema` is where editors find what a file may hold."""

    def __init__(
        self, document: Document, profile: VenueProfile = NOWHERE, *, prefix: str = "VENUE_", schema: str = ""
    ) -> None:
        self._document, self._profile, self._prefix, self._schema = document, profile, prefix, schema
        self._reads, self._examples = Reads(document), Examples(document)

    def looks(self, described: Described) -> bool:
        """Whether the operation changes nothing."""
        return only_looks(described, self._reads.shape(described.operation.key))

    def overlay(self, key: str) -> Draft:
        """A draft over the operation `key`. Raises OperationError."""
        described = self._document.described(key)
        looks, name = self.looks(described), called(described)
        texts = self._examples.texts(key)
        best: tuple[dict[str, Value], Way, Inputs, Inputs, list[str]] | None = None
        for apart in (True, False):
            inputs = inputs_of(described, self._prefix, looks=looks, texts=texts, apart=apart)
            for way in self._ways(described, inputs, name, looks):
                shown = _chosen(described, inputs, way, looks)
                for data in self._versions(described, shown, name, way, looks):
                    wrong = [row.message for row in errors_of(data, self._document, self._profile)]
                    if best is None or len(wrong) < len(best[4]):
                        best = (data, way, inputs, shown, wrong)
                    if not wrong:
                        return self._written(described, best)
        assert best is not None
        return self._written(described, best)

    def _ways(self, described: Described, inputs: Inputs, name: Called, looks: bool) -> Iterator[Way]:
        """There and back first, then less and less of it."""
        if not looks:
            way = way_of(described, inputs, name, self._reads)
            yield way
            for left_out in (("compensation",), ("compensation", "verify"), ("compensation", "verify", "request")):
                if left_out[-1] in way.keys:
                    yield _less(way, left_out)
        yield Way(why=() if looks else _TRIED)

    def _versions(
        self, described: Described, inputs: Inputs, name: Called, way: Way, looks: bool
    ) -> Iterator[dict[str, Value]]:
        """The same with a sample and without, with an output and without."""
        data = _keys(described, inputs, name, way, looks)
        if not looks:
            if "compensation" in way.keys:
                before = self._examples.answer(way.read) if way.read else None
                sample = sample_of(inputs, way, before, self._profile)
                if sample is not None:
                    yield {**data, "sample": sample}
                yield {**data, "sample": "none"}
            else:
                yield data
            return
        below = "" if inputs.about else self._reads.beneath(described.operation)[0]
        gap = inputs.about.field if inputs.about else below or f"{name.thing}Id"
        output = output_of(self._reads.shape(described.operation.key), gap, name.thing)
        if output:
            yield {**data, **output}
        yield data

    def _written(self, described: Described, best: tuple[dict[str, Value], Way, Inputs, Inputs, list[str]]) -> Draft:
        data, way, every, shown, wrong = best
        operation = described.operation
        first = [_SCHEMA.format(self._schema)] if self._schema else []
        first.append(f"# {operation.method} {operation.path}: a first draft. overlays/README.md explains every key.")
        if data.get("read_only"):
            first.append("# ? `read_only`: it is sent without asking anybody. Leave it only if it changes nothing.")
        first += [f"# To be mended before it can be enabled: {said}" for said in wrong[:5]]
        lines = [*first, *text_of(Written(data, described, every, shown, way))]
        return Draft(str(data["action"]), "\n".join(lines) + "\n", tuple(wrong))


def _less(way: Way, left_out: tuple[str, ...]) -> Way:
    """The same without some of its keys."""
    keys = {k: v for k, v in way.keys.items() if k not in left_out}
    why = _TRIED if "compensation" in way.keys else way.why
    if "request" in keys:
        return replace(way, keys=keys, why=why)
    return replace(way, keys=keys, why=why, instead=set(), carried=set(), versions=set())


def _chosen(described: Described, inputs: Inputs, way: Way, looks: bool) -> Inputs:
    """The inputs that a draft offers: what must be given, what the way back covers, and what a search is made by."""
    known = [*inputs.shown, *(one for one in inputs.versions if one.target not in way.versions)]
    shown = [o for o in known if o in way.fields or (o.required and o.target not in way.carried)]
    others = [one for one in known if one not in shown and one.place in ("query", "body") and not one.cell]
    asked = [one for one in others if one.role and one.target not in way.carried and is_scalar(one)]
    bound = any(target.startswith("body") for target in inputs.bound)
    if looks:
        dated = any(one.role == "date" for one in asked)
        told = [one for one in asked if one.role not in _NO_SEARCH and (dated or one.role != "time")]
        shown += (told or [one for one in others if one.place == "body" and is_scalar(one)])[:_MOST_OPTIONAL]
    elif not way.fields and described.operation.method == "POST":
        shown += [one for one in asked if one.place == "body"][:_MOST_OPTIONAL]
        if inputs.about is None and not any(one.place == "body" and one.required for one in shown):
            # Something must be said of what is made, and the document does not say what.
            rest = [one for one in others if one.place == "body" and is_scalar(one) and one not in shown]
            shown += rest[: max(0, _MOST_OPTIONAL - len(shown))]
    if described.operation.body_required and not bound and not any(o.place == "body" for o in shown):
        ranked = sorted(others, key=lambda one: (not one.role, not is_scalar(one)))
        shown += [one for one in ranked if one.place == "body" and one.target not in way.carried][:_MOST_OPTIONAL]
    shown += _cells(known, shown)
    order = {one.target: number for number, one in enumerate(known)}
    return replace(inputs, shown=sorted(shown, key=lambda one: order[one.target]))


def _cells(known: list[Input], shown: list[Input]) -> list[Input]:
    """What else a row holds of which a part is asked for."""
    tables = {one.target.partition(CELL)[0] for one in shown if one.cell}
    return [one for one in known if one.cell and one not in shown and one.target.partition(CELL)[0] in tables]


def _keys(described: Described, inputs: Inputs, name: Called, way: Way, looks: bool) -> dict[str, Value]:
    """The keys of the overlay, in the order in which they are written."""
    operation = described.operation
    parameters: dict[str, Value] = {}
    for one in inputs.shown:
        parameters |= _parameter(one, way, one.required and not (one.target in way.instead and one in way.fields))
        row = parameters[_names(one)[0]]
        if one in inputs.versions and not looks and not one.role and isinstance(row, dict):
            row["technical"] = True
    choices = _choices(described, inputs, way, parameters, looks)
    data: dict[str, Value] = {
        "action": action_name(operation.key),
        "operation": operation.key,
        "title": name.title,
        **_category(described),
        "safety": "normal" if looks else default_tier(operation.method, operation.key, operation.path).value,
        **({"read_only": True} if looks and not is_read(operation.method) else {}),
        "description": _description(described, inputs) or f"{name.title}.",
        "when_to_use": f"the operator wants to {name.title[:1].lower()}{name.title[1:]}",
        "parameters": parameters,
    }
    if choices:
        data["require_any"] = [*choices]
    if inputs.bound:
        data["bound"] = dict(inputs.bound)
    data |= way.keys
    if request := _request(inputs, way, data.get("request")):
        data["request"] = request
    if not looks and (lines := lines_of_other_inputs(inputs, way)):
        known = data.get("preview")
        data["preview"] = [*(known if isinstance(known, list) else []), *lines]
    if inputs.key_header:
        data["idempotency_header"] = inputs.key_header
    if "uuid" in inputs.keyed.values():
        data["marker_format"] = "uuid"
    if not looks and "compensation" not in data:
        data["irreversible_note"] = f"Put it right by hand, in the venue's own system ({name.title.lower()})."
    example = _example(inputs, way, name, choices)
    if example is not None:
        data["examples"] = [example]
    return data


def _description(described: Described, inputs: Inputs) -> str:
    """What the document says, without what it says of places that are given with every request."""
    bound = {split_path(target)[-1] for target in inputs.bound}
    # A plain word, `language`, is a word of many sentences; `cal-api-version` is that place's name.
    named = {name for name in bound if not name.isalpha()}
    return plain_text(_without(described.description, named), 200)


def _without(text: str, names: set[str]) -> str:
    """Without the sentences that name one of those, and those that go on about it."""
    kept, dropped = list[str](), False
    for sentence in _SENTENCES.split(text):
        said = {*_WORDS.findall(sentence)}
        dropped = bool(names & said) or (dropped and bool(_GOES_ON.match(sentence)))
        kept += [] if dropped else [sentence]
    return "".join(kept)


def _category(described: Described) -> dict[str, Value]:
    """The document's first tag, where people could have written it."""
    tag = described.tags[0].strip() if described.tags else ""
    return {"category": tag} if tag and not re.search(r"\d{3}", tag) else {}


def _choices(described: Described, inputs: Inputs, way: Way, parameters: dict[str, Value], looks: bool) -> list[Value]:
    """Of which parameters at least one must be given, since without any nothing would be asked for."""
    in_body = [one for one in inputs.shown if one.place == "body"]
    made = described.operation.method == "POST" and inputs.about is None
    least = not looks and (described.operation.body_required or made) and not any(o.required for o in in_body)
    if any(one.required and not (one in way.fields and one.target in way.instead) for one in in_body):
        return []
    names = [n for one in inputs.shown if one in way.fields or (least and one in in_body) for n in _names(one)]
    rows = {n: parameters[n] for n in names}
    return [n for n, row in rows.items() if isinstance(row, dict) and row.get("required") is False]


def _names(one: Input) -> tuple[str, ...]:
    return one.parts if one.instant else (one.name,)


def _request(inputs: Inputs, way: Way, known: Value) -> dict[str, Value]:
    """What only templates can put into the request, with what the way puts there."""
    request = copy.deepcopy(known) if isinstance(known, dict) else {}
    rows: dict[str, dict[str, Value]] = {}
    for one in inputs.shown:
        if one in way.fields:
            continue
        if one.cell:
            table, _, cell = one.target.partition(CELL)
            rows.setdefault(table, {})[cell] = _moment(one) if one.instant else _filled(one)
        elif one.instant and one.target not in way.instead:
            put(request, one.target, _moment(one))
    for table, row in rows.items():
        put(request, table, [row])
    for target in inputs.keyed:
        put(request, target, "{{ marker }}")
    return request


def _filled(one: Input) -> Value:
    value = f"{{{{ {one.name} }}}}"
    return value if one.required else {"when": f"{one.name} is not none", "value": value}


def _parameter(one: Input, way: Way, must: bool) -> dict[str, Value]:
    """What a model may fill in for one input: one thing, or a day and a time."""
    more: dict[str, Value] = {} if must else {"required": False}
    if one.instant:
        day, start = one.parts
        return {
            day: {"role": "date", "describe": f"The day of: {one.describe}"[:100], **more},
            start: {"role": "time", "describe": f"The time of: {one.describe}"[:100], **more},
        }
    templated = one.target in way.instead or one.cell
    row: dict[str, Value] = {} if templated else {"in": one.target}
    if one.role:
        row["role"] = one.role
    row["describe"] = one.describe
    kinds = [k for k in types_of(one.schema) if k != "null"]
    if templated:
        row |= {"type": kinds[0]} if kinds and (not one.role or one.role == "count") else {}
        choices = one.schema.get("enum")
        row |= {"choices": choices} if isinstance(choices, list) else {}
    elif must and one.forced:
        row["required"] = True
    return {one.name: row | more}


def _moment(one: Input) -> Value:
    day, start = one.parts
    value = f"{{{{ {day} | instant({start}) }}}}"
    return value if one.required else {"when": day, "value": value}


def _example(inputs: Inputs, way: Way, name: Called, choices: list[Value]) -> Value:
    """A sentence with its arguments, where every value can be told; what is about one booking finds its id itself."""
    call: dict[str, Value] = {}
    for one in inputs.shown:
        if one.role == "booking" or not one.required or (one.target in way.instead and one in way.fields):
            continue
        given = _given(one)
        if any(value is None for _, value in given):
            return None
        call |= dict(given)
    if choices and not {*choices} & {*call}:
        options = {n: value for one in inputs.shown for n, value in _given(one) if n in choices and value is not None}
        if not options:
            return None
        call |= dict([next(iter(options.items()))])
    said = f"{name.title[:1].lower()}{name.title[1:]}"
    return {"say": f"{said} for Ann Smith" if inputs.about else said, "call": call}


def _given(one: Input) -> list[tuple[str, Value]]:
    """An input's parameters, each with a value that could be given, or None."""
    if one.instant:
        return [(one.parts[0], PLAUSIBLE["date"]), (one.parts[1], PLAUSIBLE["time"])]
    return [(one.name, plausible(one))]
