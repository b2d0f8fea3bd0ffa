"""Schemathesis sends the service all that its own document allows, and what it does not.

Guarantees: no server error, and no status, content type or body that the document does not name, on any route.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from infra.config.settings import ROOT, Settings
from restaurant.app import create_app
from restaurant.service import assemble

pytestmark = pytest.mark.slow

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.BaseSchema]:
    """The service, by its own document."""
    folder: Path = tmp_path_factory.mktemp("restaurant")
    service = assemble(Settings(_env_file=None, data=folder, restaurant_provider="database"), {})
    yield schemathesis.openapi.from_asgi("/openapi.json", create_app(service))
    service.database.close()


DOCUMENT = json.loads((ROOT / "overlays" / "restaurant" / "openapi.json").read_text(encoding="utf-8"))
DOORS = [(path, method.upper()) for path, methods in DOCUMENT["paths"].items() for method in methods]


@pytest.mark.parametrize(("path", "method"), DOORS)
def test_nothing_that_the_document_does_not_name(asked: schemathesis.BaseSchema, path: str, method: str) -> None:
    operation = asked[path][method]

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        mode = data.draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
        try:
            case = data.draw(operation.as_strategy(generation_mode=mode))
        except Unsatisfiable:
            # An operation without input has no negative case.
            return
        case.call_and_validate(checks=CHECKS)

    ask()
