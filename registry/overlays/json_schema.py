"""The JSON Schemas of a pack's files, for completion and checks in editors.

`python -m registry.overlays.json_schema` writes them into `overlays/`; a test keeps them up to date.
"""

import json
import sys
from pathlib import Path

from contracts.base import Schema
from registry.overlays.models import OverlayFile
from registry.overlays.step_templates import StepTemplateFile
from registry.overlays.venue import VenueFile

_FOLDER = Path(__file__).parents[2] / "overlays"
_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def overlay_schema() -> Schema:
    """Return the schema of one file in `actions/`."""
    schema = OverlayFile.model_json_schema(by_alias=True)
    schema["$defs"]["SampleOverlay"]["properties"].pop("declined")
    schema["properties"]["sample"]["anyOf"].append({"const": "none"})
    for model in (schema, *schema["$defs"].values()):
        model["properties"] = {n: _or_piece(inner) for n, inner in model.get("properties", {}).items()}
    schema["$defs"]["Use"] = {
        "type": "object",
        "properties": {"include": {"type": "string"}},
        "required": ["include"],
        "additionalProperties": False,
        "description": "A piece of fragments.yaml, by its name.",
    }
    return {**_DIALECT, **schema, "title": "An overlay: one action"}


def _or_piece(schema: Schema) -> Schema:
    """Return a schema that also accepts a fragment, except for plain texts and numbers."""
    inner = {**schema}
    if isinstance(schema.get("items"), dict):
        inner["items"] = _or_piece(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        inner["additionalProperties"] = _or_piece(schema["additionalProperties"])
    shared = "$ref" in schema or "anyOf" in schema or schema.get("type") in ("array", "object")
    return {"anyOf": [inner, {"$ref": "#/$defs/Use"}]} if shared else inner


def venue_schema() -> Schema:
    """Return the schema of `venue.yaml`."""
    schema = VenueFile.model_json_schema(by_alias=True)
    return {**_DIALECT, **schema, "title": "A venue, and how the service authenticates at its API"}


def template_schema() -> Schema:
    """Return the schema of one file in `templates/`."""
    schema = StepTemplateFile.model_json_schema(by_alias=True)
    return {**_DIALECT, **schema, "title": "A template: several steps under one name"}


def published() -> dict[Path, str]:
    """Return every file with its content."""
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
