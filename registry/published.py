"""The JSON Schema of overlay files, for editors that complete and check them.

`python -m registry.published` writes `overlays/schema.json`; a test keeps the two in step.
"""

import json
import sys
from pathlib import Path

from contracts.base import Schema
from registry.overlay import OverlayFile

FILE = Path(__file__).parents[1] / "overlays" / "schema.json"


def overlay_schema() -> Schema:
    """The schema of one file in `actions/`."""
    schema = OverlayFile.model_json_schema(by_alias=True)
    schema["$defs"]["SampleOverlay"]["properties"].pop("declined")
    schema["properties"]["sample"]["anyOf"].append({"const": "none"})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "An overlay: one action"}


def overlay_schema_text() -> str:
    """The schema as the file holds it."""
    return json.dumps(overlay_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(overlay_schema_text(), encoding="utf-8")
    sys.stdout.write(f"{FILE}\n")
