"""Compiles one overlay and its API document into an `AtomicAction`."""

import hashlib
import json
from collections.abc import Mapping
from typing import Literal

from contracts.action import (
    ActionParameter,
    AtomicAction,
    AvailabilityTemplate,
    CompensationTemplate,
    ErrorRule,
    MarkerTemplate,
    Operation,
    OutputTemplate,
    PartialUndoTemplate,
    PlannedReadTemplate,
    PreviewTemplate,
    ReadTemplate,
    RejectionRule,
    RequestTemplate,
    RetryTemplate,
    SnapshotTemplate,
    VerifyTemplate,
)
from contracts.base import Schema, Tree
from contracts.enums import ErrorType, ParameterRole
from registry.errors import OperationError, did_you_mean
from registry.http.credentials import NO_SECRET, bind_inputs, has_variables, writes_secret
from registry.http.request import split_path
from registry.http.styles import plain
from registry.lint.rules import check_phrases
from registry.openapi.descriptions import summarize_description
from registry.openapi.document import Document
from registry.openapi.responses import ResponseIndex
from registry.openapi.safety import default_tier, is_read
from registry.openapi.schema_reading import fields_of, needed_of, types_of
from registry.overlays.findings import Findings
from registry.overlays.models import (
    OutputOverlay,
    OverlayFile,
    ParameterOverlay,
    ReadOverlay,
    SnapshotOverlay,
    VerifyOverlay,
)
from registry.secrets.names import Sensitivity, without_sensitive

_ROLE_SCHEMAS: dict[ParameterRole, Schema] = {
    ParameterRole.DATE: {"type": "string", "format": "date"},
    ParameterRole.TIME: {"type": "string", "format": "time"},
    ParameterRole.EMAIL: {"type": "string", "format": "email"},
    ParameterRole.COUNT: {"type": "integer", "minimum": 1},
}


class Compiler:
    """Compiles the overlays of one pack against its document; problems go into `findings`."""

    def __init__(self, document: Document, answers: ResponseIndex, pack: str, findings: Findings) -> None:
        self._document, self._answers, self._pack, self._findings = document, answers, pack, findings

    def action(self, overlay: OverlayFile) -> AtomicAction | None:
        """Return the action of one overlay, its compensation by name still unlinked; None when an operation is
        unusable."""
        operation = self._operation_of(overlay)
        snapshot = self._snapshot(overlay.snapshot)
        compensation, errors = self._compensation(overlay), self._errors(overlay)
        looks = self._reads(overlay.preview_reads, "preview_reads")
        if operation is None:
            return None
        self._tell_skipped(overlay.operation)
        self._check_labels(overlay)
        return AtomicAction(
            name=overlay.action,
            pack=self._pack,
            title=overlay.title,
            category=overlay.category,
            description=overlay.description,
            when_to_use=overlay.when_to_use,
            operation=operation,
            read_only=is_read(operation.method) if overlay.read_only is None else overlay.read_only,
            safety=overlay.safety or default_tier(operation.method, operation.key, operation.path),
            reversible=_is_undoable(overlay) if overlay.reversible is None else overlay.reversible,
            parameters=tuple(self._parameter(n, p, operation, overlay) for n, p in overlay.parameters.items()),
            require_any=tuple(overlay.require_any),
            required=overlay.required,
            idempotent=overlay.idempotent,
            retry=RetryTemplate(**overlay.retry.model_dump()) if overlay.retry else None,
            cache_seconds=overlay.cache_seconds,
            bound=_bound({t: v for t, v in overlay.bound.items() if not has_variables(v)}),
            request=RequestTemplate(**overlay.request.model_dump()) if overlay.request else None,
            snapshot=snapshot,
            verify=self._verify(overlay.verify),
            compensation=compensation,
            irreversible_note=overlay.irreversible_note,
            errors=errors,
            output=self._output(overlay.output),
            preview=tuple(PreviewTemplate(**p.model_dump()) for p in overlay.preview),
            preview_reads=looks,
            rejects_when=tuple(RejectionRule(**r.model_dump()) for r in overlay.rejects_when),
            availability=self._room(overlay),
            confirm=overlay.confirm,
            summary=overlay.summary,
            answer=overlay.answer,
            marker=MarkerTemplate(**overlay.marker.model_dump()) if overlay.marker else None,
            idempotency_header=overlay.idempotency_header,
            marker_format=overlay.marker_format or _marker_format(overlay.idempotency_header, operation),
            examples=tuple(overlay.examples),
            aliases=tuple(overlay.aliases),
            version=_version(overlay, operation),
        )

    def _operation_of(self, overlay: OverlayFile) -> Operation | None:
        operation = self._operation(overlay.operation, "operation")
        if operation is None:
            return None
        known = operation.model_copy(update={"gives": self._answers.gives(overlay.operation)})
        return self._bound_to(known, overlay.bound)

    def _check_labels(self, overlay: OverlayFile) -> None:
        for name in overlay.labels.keys() - overlay.parameters.keys():
            hint = did_you_mean(name, overlay.parameters)
            self._findings.error(("labels", name), "is no parameter of this action", hint)

    def _tell_skipped(self, name: str) -> None:
        for skipped in dict.fromkeys(self._document.described(name).skipped):
            self._findings.warning(("operation",), f"a part is left out: {skipped}", "mend the API document")

    def _operation(self, name: str, *key: str | int) -> Operation | None:
        try:
            return self._document.operation(name)
        except OperationError as fault:
            self._findings.error(key, fault.message, fault.hint, pointer=fault.pointer)
            return None

    def _bound_to(self, operation: Operation, bound: dict[str, Tree]) -> Operation:
        """Return the operation with the values that only the sending process knows."""
        for target, value in bound.items():
            location, _, name = target.partition(".")
            if writes_secret(split_path(name), value, location):
                self._findings.error(("bound", target), NO_SECRET)
        try:
            return bind_inputs(operation, {t: v for t, v in bound.items() if has_variables(v)})
        except OperationError as fault:
            self._findings.error(("bound",), fault.message, fault.hint)
            return operation

    def _read(self, name: str, written: ReadOverlay | SnapshotOverlay, *key: str | int) -> ReadTemplate | None:
        found = self._operation(written.operation or "", *key, "operation")
        declared = written.read_only is True
        return ReadTemplate(name=name, operation=found, inputs=written.inputs, read_only=declared) if found else None

    def _reads(self, overlays: Mapping[str, ReadOverlay], *key: str) -> tuple[ReadTemplate, ...]:
        reads = [self._read(name, read, *key, name) for name, read in overlays.items()]
        return tuple(read for read in reads if read is not None)

    def _snapshot(self, overlay: SnapshotOverlay | None) -> SnapshotTemplate | None:
        if overlay is None:
            return None
        if (overlay.operation is None) == (not overlay.reads):
            self._findings.error(("snapshot",), "needs either `operation` or `reads`")
            return None
        if overlay.operation is not None:
            reads = tuple(filter(None, [self._read("", overlay, "snapshot")]))
        else:
            reads = self._reads(overlay.reads, "snapshot", "reads")
        paths = overlay.model_dump(include={"covers", "ignore", "not_restored"})
        return SnapshotTemplate(reads=reads, **paths)

    def _compensation(self, overlay: OverlayFile) -> CompensationTemplate | None:
        written = overlay.compensation
        if written is None:
            return None
        operation = None
        if written.operation is not None:
            operation = self._operation(written.operation, "compensation", "operation")
        if (written.operation is None) != (written.request is None):
            self._findings.error(("compensation",), "`operation` and `request` belong together")
        if written.action is not None and written.operation is not None:
            self._findings.error(("compensation",), "says both `action` and `operation`")
        own = written.partial_undo
        if own is not None and written.operation is None:
            self._findings.error(("compensation", "partial_undo"), "needs `operation` and `request` beside it")
        return CompensationTemplate(
            operation=operation,
            request=RequestTemplate(**written.request.model_dump()) if written.request else None,
            manual=written.manual,
            when=written.when or "",
            values=written.inputs,
            partial_undo=PartialUndoTemplate(**own.model_dump()) if own else None,
        )

    def _verify(self, overlay: VerifyOverlay | None) -> VerifyTemplate | None:
        if overlay is None:
            return None
        for key in ("gone", "known_by"):
            if getattr(overlay, key) and not overlay.reads:
                hint = "say in `reads` how it is read"
                self._findings.error(("verify", key), "is about what a write creates", hint)
        reads = self._reads(overlay.reads, "verify", "reads")
        paths = overlay.model_dump(include={"known_by", "gone", "covers", "ignore"})
        return VerifyTemplate(checks=_checks(overlay), reads=reads, **paths)

    def _errors(self, overlay: OverlayFile) -> tuple[ErrorRule, ...]:
        rules, of_room = [], overlay.availability.requires if overlay.availability is not None else {}
        for index, rule in enumerate(overlay.errors):
            more = rule.alternatives
            read = self._read("", more, "errors", index, "alternatives") if more else None
            for code in rule.code if isinstance(rule.code, list) else [rule.code]:
                made = ErrorRule(
                    status=rule.status,
                    code=code,
                    undo=rule.undo,
                    unprocessed=rule.unprocessed,
                    # The rule applies whatever status the venue sends with it.
                    error_type=rule.type or (ErrorType.CONFLICT if code in of_room else None),
                    message=rule.message,
                    suggestions=tuple(rule.suggestions),
                    alternatives=read,
                    alternatives_rows=more.rows if more else None,
                    alternative_label=more.label if more else None,
                    alternative_say=more.say if more else None,
                )
                rules.append(made)
        return tuple(rules)

    def _output(self, written: OutputOverlay) -> OutputTemplate:
        detail = written.detail
        read = self._read("detail", detail, "output", "detail") if detail else None
        guest = written.guest
        whose = self._read("guest", guest, "output", "guest") if guest else None
        return OutputTemplate(
            **written.model_dump(by_alias=True, exclude={"detail", "guest", "thing"}),
            thing=written.thing or "booking",
            detail=read,
            cancelled=detail.cancelled if detail else "",
            guest=whose,
            guest_name=guest.name if guest else "",
        )

    def _room(self, overlay: OverlayFile) -> AvailabilityTemplate | None:
        room = overlay.availability
        if room is None:
            return None
        given = [rule.code if isinstance(rule.code, list) else [rule.code] for rule in overlay.errors]
        codes = [code for some in given for code in some if code]
        for code in room.requires:
            if code not in codes:
                reason = f"no error of this action has the code {code}"
                self._findings.error(("availability", "requires", code), reason, did_you_mean(code, codes))
        read = self._read("availability", room, "availability")
        step = None
        if room.step is not None:
            own = room.step
            step = PlannedReadTemplate(name=own.action, title=own.title, done=own.done, lacking=own.lacking)
        return AvailabilityTemplate(read=read, requires=tuple(room.requires.items()), step=step) if read else None

    def _parameter(self, name: str, p: ParameterOverlay, operation: Operation, overlay: OverlayFile) -> ActionParameter:
        key = ("parameters", name)
        found = target_schema(operation, p.target) if p.target else ({}, False)
        if found is None:
            hint = did_you_mean(str(p.target), targets_of(operation))
            self._findings.error((*key, "in"), f"{operation.key} has no {p.target}", hint)
        wire, required = found or ({}, False)
        within = split_path(p.target or "")[1:]
        shown, lost = without_sensitive(
            wire, within, Sensitivity.CERTAIN if p.sensitive is False else Sensitivity.LIKELY
        )
        if lost:
            reason = f"needs {', '.join(dict.fromkeys(lost))}, which no model may see"
            hint = "give all of it under `bound`, or expose its other properties one by one"
            self._findings.error(key, reason, hint)
        described = self._document.described(overlay.operation)
        if p.target in described.credentials:
            reason = "is a credential by the document: no model may see it"
            self._findings.error(key, reason, "give its value under `bound`")
        text = described.texts.get(p.target or "", "")
        # No text of the document may mention a value that the server fills in.
        message = p.describe or summarize_description(
            text, [target.rpartition(".")[2] for target in overlay.bound], limit=200
        )
        schema = _schema(p, shown)
        check_phrases(key, p.phrases, schema, self._findings)
        return ActionParameter(
            name=name,
            target=p.target,
            json_schema=schema,
            required=(required if p.target else True) if p.required is None else p.required,
            description=message or name.replace("_", " ").capitalize(),
            role=p.role,
            phrases={value: tuple(words) for value, words in p.phrases.items()},
            thing=p.thing or "booking",
            sensitive=p.sensitive,
            label=overlay.labels.get(name, ""),
            not_readable=p.not_readable is not None,
        )


def targets_of(operation: Operation) -> list[str]:
    """Return every target of an operation that a parameter can have."""
    named = [f"{p.location}.{p.name}" for p in operation.parameters]
    return named + [f"body.{name}" for name in fields_of(operation.body_schema or {})]


def target_schema(operation: Operation, target: str) -> tuple[Schema, bool] | None:
    """Return the schema of a target and whether the operation requires it; None when there is no such target."""
    location, _, name = target.partition(".")
    if location != "body":
        wire = next((p for p in operation.parameters if (p.location, p.name) == (location, name)), None)
        return (wire.json_schema, wire.required) if wire else None
    schema, required = operation.body_schema, operation.body_required
    if schema is None:
        return None
    for part in split_path(name):
        properties = fields_of(schema)
        if part not in properties:
            return None
        required = part in needed_of(schema)
        inner = properties[part]
        schema = inner if isinstance(inner, dict) else {}
    return schema, required


def _schema(p: ParameterOverlay, wire: Schema) -> Schema:
    schema: Schema = {**wire}
    role = _ROLE_SCHEMAS.get(p.role, {}) if p.role else {}
    schema |= {k: v for k, v in role.items() if k != "type" or not types_of(schema)}
    written: Schema = {"type": p.type, "format": p.format, "enum": p.choices}
    written |= {"minLength": p.min_length, "maxLength": p.max_length, "minimum": p.minimum, "maximum": p.maximum}
    schema |= {k: v for k, v in written.items() if v is not None}
    types = [t for t in types_of(schema) if t != "null"]
    if types or not any(k in schema for k in ("anyOf", "oneOf", "allOf")):
        texts = all(isinstance(choice, str) for choice in schema.get("enum") or ())
        schema["type"] = types[0] if len(types) == 1 else types or ("string" if texts else "number")
    if isinstance(schema.get("enum"), list):
        schema["enum"] = [choice for choice in schema["enum"] if choice is not None]
    return schema


def _bound(values: dict[str, Tree]) -> RequestTemplate:
    places: dict[str, dict[str, Tree]] = {"path": {}, "query": {}, "header": {}, "cookie": {}, "body": {}}
    for target, value in values.items():
        location, _, name = target.partition(".")
        places.setdefault(location, {})[name] = value
    if places["cookie"]:
        # In the request, cookies are one header.
        given = [str(places["header"]["Cookie"])] if "Cookie" in places["header"] else []
        pairs = [f"{name}={plain(value)}" for name, value in places["cookie"].items()]
        places["header"]["Cookie"] = "; ".join([*given, *pairs])
    path, query, header, body = (places[place] for place in ("path", "query", "header", "body"))
    return RequestTemplate(path=path, query=query, header=header, body=body or None)


def _marker_format(header: str | None, operation: Operation) -> Literal["text", "uuid"]:
    """Return the format that the document declares for the idempotency key's header."""
    named = (p for p in operation.parameters if p.location == "header" and p.name == header)
    return "uuid" if any(p.json_schema.get("format") == "uuid" for p in named) else "text"


def _is_undoable(overlay: OverlayFile) -> bool:
    undo = overlay.compensation
    return undo is not None and (undo.request is not None or undo.action is not None)


def _checks(overlay: VerifyOverlay) -> tuple[str, ...]:
    checks = list(overlay.all)
    if overlay.same:
        pairs = [(left, right or left) for left, _, right in (name.partition("=") for name in overlay.on)]
        sides = [
            f"(({source}) | picked({', '.join(repr(pair[side]) for pair in pairs)}))"
            for side, source in enumerate(overlay.same)
        ]
        checks.append(" == ".join(sides))
    return tuple(checks)


def _version(overlay: OverlayFile, operation: Operation) -> str:
    text = json.dumps([overlay.model_dump(mode="json"), operation.model_dump(mode="json")], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
