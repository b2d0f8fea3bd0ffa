"""Writes values as readable YAML: on one line, with quotation marks only if YAML needs them.

Writes a sample into an overlay and keeps every other line of the file.
"""

import json
import re
from pathlib import Path

from authoring.all_operations import overlay_files
from contracts.base import Value
from registry.errors import PackError, YamlSyntaxError
from registry.openapi.schema_reading import parts_of
from registry.overlays.yaml_file import YamlFile, read_limited_yaml

_PLAIN = re.compile(r"[A-Za-z][\w .()/'-]*[\w.)]|[A-Za-z]")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def flow(value: Value) -> str:
    """Return a value as `{quantity: "{{ guests }}", days: [1, 2]}`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_text(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return text(value) if isinstance(value, str) else json.dumps(value)


def text(value: str) -> str:
    """Return a text, plain if possible."""
    plain = _PLAIN.fullmatch(value) is not None and value.lower() not in _WORDS
    return value if plain else json.dumps(value, ensure_ascii=False)


def key_text(name: str) -> str:
    """Return a key, plain if possible."""
    return text(name)


def block(value: Value, indent: int) -> list[str]:
    """Return a mapping or a list with one entry per line; anything else as `flow`."""
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


def file_of(folder: Path, action: str) -> YamlFile:
    """Return the overlay of an action. Raises PackError."""
    for file in overlay_files(folder):
        if parts_of(file.data).get("action") == action:
            return read_limited_yaml(file.path)
    raise PackError(f"no file in {folder / 'actions'} defines {action}")


def put_sample(file: YamlFile, sample: dict[str, Value]) -> None:
    """Replace the file's `sample`, or add one at its end. Raises PackError, and then nothing is changed."""
    text = file.path.read_text(encoding="utf-8")
    lines = text.splitlines()
    own = ["sample:", *block(sample, 2)]
    if "sample" in parts_of(file.data):
        start = (file.line("sample") or 1) - 1
        end = next((n for n in range(start + 1, len(lines)) if lines[n][:1].strip()), len(lines))
    else:
        start = end = len(lines)
    made = "\n".join([*lines[:start], *own, *lines[end:]]) + "\n"
    file.path.write_text(made, encoding="utf-8")
    try:
        now = parts_of(read_limited_yaml(file.path).data)
    except YamlSyntaxError:
        now = {}
    if now != {**parts_of(file.data), "sample": sample}:
        file.path.write_text(text, encoding="utf-8")
        raise PackError(f"{file.path}: the sample could not be written among its lines; move `sample` to the end")
