"""Values written as YAML that people like to read: on one line, with quotation marks only where YAML needs them."""

import json
import re

from contracts.base import Value

_PLAIN = re.compile(r"[A-Za-z][\w .()/'-]*[\w.)]|[A-Za-z]")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def flow(value: Value) -> str:
    """`{quantity: "{{ guests }}", days: [1, 2]}`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_text(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return text(value) if isinstance(value, str) else json.dumps(value)


def text(value: str) -> str:
    """A text, plain where it can be."""
    plain = _PLAIN.fullmatch(value) is not None and value.lower() not in _WORDS
    return value if plain else json.dumps(value, ensure_ascii=False)


def key_text(name: str) -> str:
    """A key, plain where it can be."""
    return text(name)


def block(value: Value, indent: int) -> list[str]:
    """A mapping or a list, an entry a line; anything else as `flow`."""
    space = " " * indent
    if isinstance(value, dict) and value:
        lines: list[str] = []
        for name, inner in value.items():
            if isinstance(inner, dict | list) and inner and len(flow(inner)) + indent + len(name) > 100:
                lines += [f"{space}{key_text(name)}:", *block(inner, indent + 2)]
            else:
                lines.append(f"{space}{key_text(name)}: {flow(inner)}")
        return lines
    if isinstance(value, list) and value:
        return [f"{space}- {flow(inner)}" for inner in value]
    return [f"{space}{flow(value)}"]
