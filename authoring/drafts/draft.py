"""Drafts a first overlay for one operation, for its author to complete.

It fills in what the document declares: the meaning of each input, the read that belongs to a write, the undo, the
output of a look-up. The draft is checked as if it were enabled, and the parts that would not load are removed. Comments
ask the author for the rest.
"""

import copy
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from authoring.drafts.body import CELL
from authoring.drafts.inputs import Input, Inputs, action_name, inputs_of, plain_text
from authoring.drafts.output import output_of
from authoring.drafts.reads import ReadIndex, is_scalar
from authoring.drafts.render import DraftContent, lines_of_other_inputs, text_of
from authoring.drafts.sample import NO_ZONE, PLAUSIBLE, Examples, plausible, sample_of
from authoring.drafts.search_operations import only_looks
from authoring.drafts.titles import OperationTitle, called
from authoring.drafts.undo import way_of
from authoring.drafts.undo_strategy import NOT_COMPARED, UndoStrategy, compares, put
from contracts.action import Finding
from contracts.base import Value
from contracts.venue import VenueProfile
from registry.http.request import split_path
from registry.lint.run import run_all_checks
from registry.openapi.document import DescribedOperation, Document
from registry.openapi.responses import ResponseIndex
from registry.openapi.safety import default_tier, is_read
from registry.openapi.schema_reading import types_of
from registry.overlays.compile import Compiler
from registry.overlays.findings import Findings
from registry.overlays.models import OverlayFile
from registry.overlays.yaml_file import YamlFile

NOWHERE = VenueProfile(
    venue_id="draft", name="Draft", time_zone=NO_ZONE, locale="en-GB", country="GB", pack="", base_url="",
    check_operation="",
)  # fmt: skip
"""The venue if none is known."""

_MOST_OPTIONAL = 4
_NO_SEARCH = frozenset({"count", "note", "booking"})
_SENTENCES = re.compile(r"(?<=[.!?>\n])(?=\s*\S)")
_WORDS = re.compile(r"[\w-]+")
_GOES_ON = re.compile(r"\s*(not (passing|setting|sending|giving)|if (not|it|this|missing|omitted)|otherwise)\b", re.I)
_TRIED = ("With what the document says, a way back or a check of this was drafted and would not load.",)
_SCHEMA = "# yaml-language-server: $schema={}"


class OverlayDraft(NamedTuple):
    """A draft: the action's name, the file's text, and the problems that still prevent loading."""

    name: str
    text: str
    problems: tuple[str, ...]


def draft_overlay(document: Document, key: str) -> tuple[str, str]:
    """Return (name, YAML text) of an overlay over the operation `key`. Raises OperationError."""
    draft = OverlayDrafter(document).overlay(key)
    return draft.name, draft.text


class OverlayDrafter:
    """Drafts overlays over one document. `profile` is the venue's, if it exists already; `prefix` begins the names of
    variables for secrets; `schema` is the address of the schema for editors."""

    def __init__(
        self, document: Document, profile: VenueProfile = NOWHERE, *, prefix: str = "VENUE_", schema: str = ""
    ) -> None:
        self._document, self._profile, self._prefix, self._schema = document, profile, prefix, schema
        self._reads, self._examples = ReadIndex(document), Examples(document)

    def looks(self, described: DescribedOperation) -> bool:
        """Return whether the operation changes nothing."""
        return only_looks(described, self._reads.shape(described.operation.key))

    def overlay(self, key: str) -> OverlayDraft:
        """Return a draft over the operation `key`. Raises OperationError."""
        described = self._document.described(key)
        looks, name = self.looks(described), called(described)
        texts = self._examples.texts(key)
        best: tuple[dict[str, Value], UndoStrategy, Inputs, Inputs, list[str]] | None = None
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

    def _ways(
        self, described: DescribedOperation, inputs: Inputs, name: OperationTitle, looks: bool
    ) -> Iterator[UndoStrategy]:
        """Yield undo strategies, the complete one first, then ever smaller ones."""
        if not looks:
            way = way_of(described, inputs, name, self._reads)
            yield way
            for left_out in (("compensation",), ("compensation", "verify"), ("compensation", "verify", "request")):
                if left_out[-1] in way.keys:
                    yield _less(way, left_out)
        yield UndoStrategy(why=() if looks else _TRIED)

    def _versions(
        self, described: DescribedOperation, inputs: Inputs, name: OperationTitle, way: UndoStrategy, looks: bool
    ) -> Iterator[dict[str, Value]]:
        """Yield the same draft with a sample and without, with an output and without."""
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

    def _written(
        self, described: DescribedOperation, best: tuple[dict[str, Value], UndoStrategy, Inputs, Inputs, list[str]]
    ) -> OverlayDraft:
        data, way, every, shown, wrong = best
        operation = described.operation
        first = [_SCHEMA.format(self._schema)] if self._schema else []
        first.append(f"# {operation.method} {operation.path}: a first draft. overlays/README.md explains every key.")
        if data.get("read_only"):
            first.append("# ? `read_only`: it is sent without asking anybody. Leave it only if it changes nothing.")
        first += [f"# To be mended before it can be enabled: {text}" for text in wrong[:5]]
        lines = [*first, *text_of(DraftContent(data, described, every, shown, way))]
        return OverlayDraft(str(data["action"]), "\n".join(lines) + "\n", tuple(wrong))


def _less(way: UndoStrategy, left_out: tuple[str, ...]) -> UndoStrategy:
    """Return the strategy without some of its keys."""
    keys = {k: v for k, v in way.keys.items() if k not in left_out}
    why = _TRIED if "compensation" in way.keys else way.why
    if "request" in keys:
        return replace(way, keys=keys, why=why)
    return replace(way, keys=keys, why=why, instead=set(), carried=set(), versions=set())


def _chosen(described: DescribedOperation, inputs: Inputs, way: UndoStrategy, looks: bool) -> Inputs:
    """Return the inputs of a draft: the required ones, those that the undo covers, and the search criteria."""
    known = [*inputs.rows, *(one for one in inputs.versions if one.target not in way.versions)]
    shown = [o for o in known if o in way.fields or (o.required and o.target not in way.carried)]
    others = [one for one in known if one not in shown and one.place in ("query", "body") and not one.cell]
    asked = [one for one in others if one.role and one.target not in way.carried and is_scalar(one)]
    bound = any(target.startswith("body") for target in inputs.bound)
    if looks:
        dated = any(one.role == "date" for one in asked)
        items = [one for one in asked if one.role not in _NO_SEARCH and (dated or one.role != "time")]
        shown += (items or [one for one in others if one.place == "body" and is_scalar(one)])[:_MOST_OPTIONAL]
    elif not way.fields and described.operation.method == "POST":
        shown += [one for one in asked if one.place == "body"][:_MOST_OPTIONAL]
        if inputs.about is None and not any(one.place == "body" and one.required for one in shown):
            # A created resource needs some input, and the document does not declare which.
            rest = [one for one in others if one.place == "body" and is_scalar(one) and one not in shown]
            shown += rest[: max(0, _MOST_OPTIONAL - len(shown))]
    if described.operation.body_required and not bound and not any(o.place == "body" for o in shown):
        ranked = sorted(others, key=lambda one: (not one.role, not is_scalar(one)))
        shown += [one for one in ranked if one.place == "body" and one.target not in way.carried][:_MOST_OPTIONAL]
    shown += _cells(known, shown)
    order = {one.target: number for number, one in enumerate(known)}
    return replace(inputs, rows=sorted(shown, key=lambda one: order[one.target]))


def _cells(known: list[Input], shown: list[Input]) -> list[Input]:
    """Return the remaining fields of rows of which one field is asked for."""
    tables = {one.target.partition(CELL)[0] for one in shown if one.cell}
    return [one for one in known if one.cell and one not in shown and one.target.partition(CELL)[0] in tables]


def _keys(
    described: DescribedOperation, inputs: Inputs, name: OperationTitle, way: UndoStrategy, looks: bool
) -> dict[str, Value]:
    """Return the keys of the overlay, in the order in which they are written."""
    operation = described.operation
    parameters: dict[str, Value] = {}
    for one in inputs.rows:
        rows = _parameter(one, way, one.required and not (one.target in way.instead and one in way.fields))
        parameters |= rows
        for row in rows.values():
            if one in inputs.versions and not looks and not one.role:
                row["technical"] = True
            elif not compares(way, one):
                row["not_readable"] = NOT_COMPARED
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


def _description(described: DescribedOperation, inputs: Inputs) -> str:
    """Return the document's description, without sentences about inputs that every request has."""
    bound = {split_path(target)[-1] for target in inputs.bound}
    # A plain word, `language`, occurs in many sentences; `cal-api-version` can only be that input's name.
    named = {name for name in bound if not name.isalpha()}
    return plain_text(_without(described.description, named), 200)


def _without(text: str, names: set[str]) -> str:
    """Return the text without the sentences that name one of those, and their follow-up sentences."""
    kept, dropped = list[str](), False
    for sentence in _SENTENCES.split(text):
        words = {*_WORDS.findall(sentence)}
        dropped = bool(names & words) or (dropped and bool(_GOES_ON.match(sentence)))
        kept += [] if dropped else [sentence]
    return "".join(kept)


def _category(described: DescribedOperation) -> dict[str, Value]:
    """Return the document's first tag, if a person could have written it."""
    tag = described.tags[0].strip() if described.tags else ""
    return {"category": tag} if tag and not re.search(r"\d{3}", tag) else {}


def _choices(
    described: DescribedOperation, inputs: Inputs, way: UndoStrategy, parameters: dict[str, Value], looks: bool
) -> list[Value]:
    """Return the parameters of which at least one is required, because a call without any would request nothing."""
    in_body = [one for one in inputs.rows if one.place == "body"]
    made = described.operation.method == "POST" and inputs.about is None
    least = not looks and (described.operation.body_required or made) and not any(o.required for o in in_body)
    if any(one.required and not (one in way.fields and one.target in way.instead) for one in in_body):
        return []
    names = [n for one in inputs.rows if one in way.fields or (least and one in in_body) for n in _names(one)]
    rows = {n: parameters[n] for n in names}
    return [n for n, row in rows.items() if isinstance(row, dict) and row.get("required") is False]


def _names(one: Input) -> tuple[str, ...]:
    return one.parts if one.instant else (one.name,)


def _request(inputs: Inputs, way: UndoStrategy, known: Value) -> dict[str, Value]:
    """Return the values of the request that only templates can set, with those of the strategy."""
    request = copy.deepcopy(known) if isinstance(known, dict) else {}
    rows: dict[str, dict[str, Value]] = {}
    for one in inputs.rows:
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


def _parameter(one: Input, way: UndoStrategy, must: bool) -> dict[str, dict[str, Value]]:
    """Return the parameters of one input: one value, or a day and a time."""
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


def _example(inputs: Inputs, way: UndoStrategy, name: OperationTitle, choices: list[Value]) -> Value:
    """Return a sentence with its arguments, if every value is known; an example about one booking looks up its id
    itself."""
    call: dict[str, Value] = {}
    for one in inputs.rows:
        if one.role == "booking" or not one.required or (one.target in way.instead and one in way.fields):
            continue
        given = _given(one)
        if any(value is None for _, value in given):
            return None
        call |= dict(given)
    if choices and not {*choices} & {*call}:
        options = {n: value for one in inputs.rows for n, value in _given(one) if n in choices and value is not None}
        if not options:
            return None
        call |= dict([next(iter(options.items()))])
    text = f"{name.title[:1].lower()}{name.title[1:]}"
    return {"say": f"{text} for Ann Smith" if inputs.about else text, "call": call}


def _given(one: Input) -> list[tuple[str, Value]]:
    """Return an input's parameters, each with a plausible value, or None."""
    if one.instant:
        return [(one.parts[0], PLAUSIBLE["date"]), (one.parts[1], PLAUSIBLE["time"])]
    return [(one.name, plausible(one))]


class _Silent(ResponseIndex):
    """An index without the contents of responses, which only the search needs."""

    def gives(self, name: str) -> tuple[str, ...]:
        """Return nothing."""
        return ()


def errors_of(data: dict[str, Value], document: Document, profile: VenueProfile) -> list[Finding]:
    """Return the errors that prevent an overlay with these keys from becoming an action."""
    findings = Findings(YamlFile(Path(), data, {}), "draft", str(data.get("action")))
    try:
        overlay = OverlayFile.model_validate({**data, "iq_enabled": True})
    except ValidationError as error:
        for problem in error.errors():
            findings.error(problem["loc"], problem["msg"])
        return findings.rows
    action = Compiler(document, _Silent(document), profile.pack, findings).action(overlay)
    if action is not None:
        run_all_checks(action, overlay, document, profile, findings)
    return [row for row in findings.rows if row.level == "error"]
