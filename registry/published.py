"""The JSON Schemas of the files of a pack, for editors that complete and check them.

`python -m registry.published` writes them into `overlays/`; a test keeps them in step.
"""

import json
import sys
from pathlib import Path

from contracts.base import Schema
from registry.overlay import OverlayFile
from registry.step_templates import StepTemplateFile
from registry.venue_file import VenueFile

_FOLDER = Path(__file__).parents[1] / "overlays"
_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def overlay_schema() -> Schema:
    """The schema of one file in `actions/`."""
    schema = OverlayFile.model_json_schema(by_alias=True)
    schema["$defs"]["SampleOverlay"]["properties"].pop("declined")
    schema["properties"]["sample"]["anyOf"].append({"const": "none"})
    for model in (schema, *schema["$defs"].values()):
        model["properties"] = {n: _or_piece(inner) for n, inner in model.get("properties", {}).items()}
    schema["$defs"]["Use"] = {
        "type": "object", "properties": {"use": {"type": "string"}}, "required": ["use"], "additionalProperties": False,
        "description": "A piece of pieces.yaml, by its name.",
    }  # fmt: skip
    return {**_DIALECT, **schema, "title": "An overlay: one action"}


def _or_piece(schema: Schema) -> Schema:
    """A schema that takes a piece as well, where there is something to share: not for plain texts and numbers."""
    inner = {**schema}
    if isinstance(schema.get("items"), dict):
        inner["items"] = _or_piece(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        inner["additionalProperties"] = _or_piece(schema["additionalProperties"])
    shared = "$ref" in schema or "anyOf" in schema or schema.get("type") in ("array", "object")
    return {"anyOf": [inner, {"$ref": "#/$defs/Use"}]} if shared else inner


def venue_schema() -> Schema:
    """The schema of `venue.yaml`."""
    schema = VenueFile.model_json_schema(by_alias=True)
    return {**_DIALECT, **schema, "title": "A venue, and how the service is let in at its API"}


def template_schema() -> Schema:
    """The schema of one file in `templates/`."""
    schema = StepTemplateFile.model_json_schema(by_alias=True)
    return {**_DIALECT, **schema, "title": "A template: several steps under one name"}


def published() -> dict[Path, str]:
    """Every file with what it holds."""
    schemas = {
        "schema.json": overlay_schema(),
        "template.schema.json": template_schema(),
        "venue.schema.json": venue_schema(),
    }
    return {_FOLDER / n: json.dumps(s, indent=2, ensure_ascii=False) + "\n" for n, s in schemas.items()}


if __name__ == "__main__":
    for path, text in published().items():
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path}\n")
