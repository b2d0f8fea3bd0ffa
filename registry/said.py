"""The words that say a value, as an overlay declares them: each must belong to a value that the parameter can have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.base import Schema
from registry.faults import nearest
from registry.findings import Findings
from registry.neutral import types_of
from registry.wire import plain
from registry.yaml_file import Key

_YES_OR_NO = ("true", "false")


def check_said(key: Key, said: Mapping[str, Sequence[str]], schema: Schema, findings: Findings) -> None:
    """Report words of a value that the parameter cannot have, and a value without words."""
    if not said:
        return
    choices = [plain(choice) for choice in schema.get("enum") or () if choice is not None]
    values = list(_YES_OR_NO) if "boolean" in types_of(schema) and not choices else choices
    if not values:
        reason = "only a yes-or-no value and a choice can have words that say it"
        findings.error((*key, "said"), reason, "leave `said` out, or give `type: boolean` or `choices`")
        return
    for value, words in said.items():
        if value not in values:
            findings.error((*key, "said", value), f"{value} is no value of this parameter", nearest(value, values))
        elif not words:
            findings.error((*key, "said", value), "has no words", "list the words that say it, or leave the value out")
