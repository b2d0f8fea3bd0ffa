"""Writes the files that are generated from code and checked in: `python -m restaurant.generate` (a test compares them).

- `overlays/restaurant/openapi.json`: the service's document, which is also the pack's;
- `restaurant/kb/kb.schema.json`: the schema of a knowledge base, for editors.
"""

import json
import tempfile
from pathlib import Path

from infra.config.settings import Settings
from restaurant.app import create_app
from restaurant.knowledge import KnowledgeBase
from restaurant.service import assemble

_HERE = Path(__file__).parent


def documents() -> dict[Path, str]:
    """Return the expected content of each file."""
    with tempfile.TemporaryDirectory() as folder:
        service = assemble(Settings(_env_file=None, data=Path(folder)), {})
        document = create_app(service).openapi()
        service.database.close()
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **KnowledgeBase.model_json_schema(mode="validation"),
    }
    return {
        _HERE.parent / "overlays" / "restaurant" / "openapi.json": _written(document),
        _HERE / "kb" / "kb.schema.json": _written(schema),
    }


def _written(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path, text in documents().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(_HERE.parent))
