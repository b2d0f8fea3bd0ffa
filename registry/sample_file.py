"""Writing a sample into an overlay, and leaving every other line of the file as it is."""

from pathlib import Path

from contracts.base import Value
from registry.faults import PackError, YamlSyntaxError
from registry.flow import block
from registry.nodes import parts_of
from registry.usage import overlay_files
from registry.yaml_file import YamlFile, read_overlay


def file_of(folder: Path, action: str) -> YamlFile:
    """The overlay of an action. Raises PackError."""
    for file in overlay_files(folder):
        if parts_of(file.data).get("action") == action:
            return read_overlay(file.path)
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
        now = parts_of(read_overlay(file.path).data)
    except YamlSyntaxError:
        now = {}
    if now != {**parts_of(file.data), "sample": sample}:
        file.path.write_text(text, encoding="utf-8")
        raise PackError(f"{file.path}: the sample could not be written among its lines; move `sample` to the end")
