"""A first overlay for one operation, for its author to finish.

What the document tells is filled in: what each input means, the read that belongs to a write, the way back, what a
look-up tells. It is checked as if it were enabled, and what would not load is left out again; what only a person can
know is asked in comments.
"""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.base import Value
from contracts.venue import VenueProfile
from registry.document import Described, Document
from registry.draft_check import errors_of
from registry.draft_examples import Examples
from registry.draft_inputs import Input, Inputs, action_name, inputs_of
from registry.draft_reads import Reads, is_scalar
from registry.draft_sample import NO_ZONE, PLAUSIBLE, plausible, sample_of
from registry.draft_shown import output_of
from registry.draft_title import Called, called
from registry.draft_undo import Way, way_of
from registry.flow import block, flow, key_text
from registry.prose import prose
from registry.tiers import default_tier, is_read

NOWHERE = VenueProfile(
    venue_id="draft", name="Draft", time_zone=NO_ZONE, locale="en-GB", country="GB", pack="", base_url="",
    check_operation="",
)  # fmt: skip
"""The venue where none is known."""

_MOST_OPTIONAL = 4
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

    def overlay(self, key: str) -> Draft:
        """A draft over the operation `key`. Raises OperationError."""
        described = self._document.described(key)
        inputs, name = inputs_of(described, self._prefix), called(described)
        best: tuple[dict[str, Value], Way, Inputs, list[str]] | None = None
        for way in self._ways(described, inputs, name):
            shown = _chosen(described, inputs, way)
            for data in self._versions(described, shown, name, way):
                wrong = [row.message for row in errors_of(data, self._document, self._profile)]
                if best is None or len(wrong) < len(best[3]):
                    best = (data, way, shown, wrong)
                if not wrong:
                    return self._written(described, inputs, best)
        assert best is not None
        return self._written(described, inputs, best)

    def _ways(self, described: Described, inputs: Inputs, name: Called) -> Iterator[Way]:
        """There and back first, then less and less of it."""
        if not is_read(described.operation.method):
            way = way_of(described, inputs, name, self._reads)
            yield way
            if "compensation" in way.keys:
                kept = {k: v for k, v in way.keys.items() if k in ("snapshot", "preview")}
                yield Way(kept if not way.instead else {}, prefix=way.prefix, read=way.read)
        yield Way()

    def _versions(self, described: Described, inputs: Inputs, name: Called, way: Way) -> Iterator[dict[str, Value]]:
        """The same with a sample and without, with an output and without."""
        data = _keys(described, inputs, name, way)
        if not is_read(described.operation.method):
            if "compensation" in way.keys:
                before = self._examples.answer(way.read) if way.read else None
                sample = sample_of(inputs, way, before, self._profile)
                if sample is not None:
                    yield {**data, "sample": sample}
                yield {**data, "sample": "none"}
            else:
                yield data
            return
        gap = inputs.about.field if inputs.about else f"{name.thing}Id"
        output = output_of(self._reads.shape(described.operation.key), gap, name.thing)
        if output:
            yield {**data, **output}
        yield data

    def _written(
        self, described: Described, every: Inputs, best: tuple[dict[str, Value], Way, Inputs, list[str]]
    ) -> Draft:
        data, way, shown, wrong = best
        operation = described.operation
        first = [_SCHEMA.format(self._schema)] if self._schema else []
        first.append(f"# {operation.method} {operation.path}: a first draft. overlays/README.md explains every key.")
        first += [f"# To be mended before it can be enabled: {said}" for said in wrong[:5]]
        lines = [*first, *_text_of(data, described, every, shown, way)]
        return Draft(str(data["action"]), "\n".join(lines) + "\n", tuple(wrong))


def _chosen(described: Described, inputs: Inputs, way: Way) -> Inputs:
    """The inputs that a draft offers: what must be given, what the way back covers, and what a search is made by."""
    shown = [one for one in inputs.shown if one.required or one in way.fields]
    others = [one for one in inputs.shown if one not in shown and one.place in ("query", "body")]
    if is_read(described.operation.method):
        told = [one for one in others if one.role in ("search", "date", "choice", "email", "phone")]
        shown += told[:_MOST_OPTIONAL]
    elif described.operation.body_required and not any(o.place == "body" for o in shown):
        bound = any(target.startswith("body") for target in inputs.bound)
        shown += [] if bound else sorted(others, key=lambda one: (not one.role, not is_scalar(one)))[:_MOST_OPTIONAL]
    order = {one.target: number for number, one in enumerate(inputs.shown)}
    return Inputs(
        sorted(shown, key=lambda one: order[one.target]), inputs.bound, inputs.optional_secrets, inputs.key_header,
        inputs.about,
    )  # fmt: skip


def _keys(described: Described, inputs: Inputs, name: Called, way: Way) -> dict[str, Value]:
    """The keys of the overlay, in the order in which they are written."""
    operation = described.operation
    writes = not is_read(operation.method)
    body = any(one.place == "body" for one in inputs.shown)
    least = writes and operation.body_required and body and not any(
        one.place == "body" and one.required for one in inputs.shown
    )  # fmt: skip
    parameters: dict[str, Value] = {}
    for one in inputs.shown:
        parameters |= _parameter(one, way, one.required and not (one.target in way.instead and one in way.fields))
    choices = [
        n for one in inputs.shown if one in way.fields or (least and one.place == "body")
        for n in (one.parts if one.instant else (one.name,)) if parameters[n].get("required") is False  # type: ignore[union-attr]
    ]  # fmt: skip
    data: dict[str, Value] = {
        "action": action_name(operation.key),
        "operation": operation.key,
        "title": name.title,
        **({"category": described.tags[0].strip()} if described.tags and described.tags[0].strip() else {}),
        "safety": default_tier(operation.method, operation.key, operation.path).value,
        "description": prose(described.description, most=200) or f"{name.title}.",
        "when_to_use": f"the operator wants to {name.title[:1].lower()}{name.title[1:]}",
        "parameters": parameters,
    }
    if choices and not any(one.place == "body" and one.required for one in inputs.shown if one not in way.fields):
        data["require_any"] = [*choices]
    if inputs.bound:
        data["bound"] = dict(inputs.bound)
    data |= way.keys
    instants: dict[str, dict[str, Value]] = {}
    for one in inputs.shown:
        if one.instant and one.target not in way.instead and one not in way.fields:
            instants.setdefault(one.place, {})[one.field] = _moment(one)
    if instants and "request" not in data:
        data["request"] = {**instants}
    if inputs.key_header:
        data["idempotency_header"] = inputs.key_header
    if writes and "compensation" not in data:
        data["irreversible_note"] = f"Put it right by hand, in the venue's own system ({name.title.lower()})."
    example = _example(inputs, way, name, choices if "require_any" in data else [])
    if example is not None:
        data["examples"] = [example]
    return data


def _parameter(one: Input, way: Way, must: bool) -> dict[str, Value]:
    """What a model may fill in for one input: one thing, or a day and a time."""
    if one.instant:
        day, start = one.parts
        more: dict[str, Value] = {} if must else {"required": False}
        return {
            day: {"role": "date", "describe": f"The day of: {one.describe}"[:100], **more},
            start: {"role": "time", "describe": f"The time of: {one.describe}"[:100], **more},
        }
    row: dict[str, Value] = {} if one.target in way.instead else {"in": one.target}
    if one.role:
        row["role"] = one.role
    row["describe"] = one.describe
    kinds = [k for k in (one.schema.get("type"),) if isinstance(k, str)]
    if one.target in way.instead:
        row |= {"type": kinds[0]} if kinds and not one.role else {}
        choices = one.schema.get("enum")
        row |= {"choices": choices} if isinstance(choices, list) else {}
    if not must:
        row["required"] = False
    return {one.name: row}


def _moment(one: Input) -> Value:
    day, start = one.parts
    value = f"{{{{ {day} | instant({start}) }}}}"
    return value if one.required else {"when": day, "value": value}


def _example(inputs: Inputs, way: Way, name: Called, choices: list[str]) -> Value:
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


def _text_of(data: dict[str, Value], described: Described, every: Inputs, shown: Inputs, way: Way) -> Iterator[str]:
    """The lines of the file, with what only a person can know asked beside them."""
    for name, value in data.items():
        if name == "title":
            yield "iq_enabled: false                  # true once you have read it through"
        yield from _asked(name, data, every)
        if name == "parameters":
            yield "parameters:" if value else "parameters: {}"
            for own, row in value.items() if isinstance(value, dict) else ():
                yield f"  {own}: {flow(row)}"
            yield from _others(every, shown)
        elif name == "examples" and isinstance(value, list):
            yield "examples:"
            yield from (f"  - {flow(row)}" for row in value)
        elif isinstance(value, dict | list) and value and len(flow(value)) > 60:
            yield f"{key_text(name)}:"
            yield from block(value, 2)
        else:
            yield f"{key_text(name)}: {flow(value)}"
    if "examples" not in data:
        yield "# Sentences people type and the arguments they mean; several teach the model best:"
        yield "# examples:"
        yield '#   - {say: "…", call: {}}'
    if not is_read(described.operation.method) and "verify" not in data:
        yield "# How does a later read show that it worked? Then it is known even when an answer is lost:"
        yield '# verify: {all: ["now.… == …"]}'


def _others(every: Inputs, shown: Inputs) -> Iterator[str]:
    left = [one for one in every.shown if one not in shown.shown]
    if left:
        yield "# Others it takes; keep those that operators speak of:"
    for one in left:
        row: dict[str, Value] = {"in": one.target, **({"role": one.role} if one.role else {}), "describe": one.describe}
        yield f"#  {one.name}: {flow(row)}"
    if every.optional_secrets:
        yield f"# No model may see these; give them under `bound` if needed: {', '.join(every.optional_secrets)}"


_QUESTIONS = {
    "description": "Say it as a person would, and what it is not for:",
    "snapshot": "Read before acting. Does anything else matter to whoever confirms? Add it to `covers`:",
    "verify": "How a new read, `now`, shows that it worked:",
    "irreversible_note": "What can a person do when this was wrong?",
    "sample": "One example, to try all this on. `iq actions try NAME --save-sample` writes a real one:",
    "output": "What the model sees. Is this what tells one from another?",
    "bound": "What no model may see; `${…}` is set where the service runs:",
}


def _asked(name: str, data: dict[str, Value], every: Inputs) -> Iterator[str]:
    if name in _QUESTIONS:
        yield f"# {_QUESTIONS[name]}"
    if name == "compensation":
        yield "# How it is taken back. Does the venue let go of a change like that, and is the sentence right?"
    if name == "parameters" and every.about is not None:
        yield "# `role: booking` marks what the action is about. Is it no booking? Give it a `thing` (see README.md)."
