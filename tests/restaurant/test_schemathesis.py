"""Schemathesis asks the service whatever its own document allows, and what it does not.

Guarantees: no server error, no status, content type or body that the document does not name, in any door.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from infra.settings import Settings
from restaurant.app import create_app
from restaurant.service import assemble

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
config = schemathesis.Config.from_dict({"generation": {"mode": "all"}})


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.BaseSchema]:
    """The service, by its own document."""
    folder: Path = tmp_path_factory.mktemp("restaurant")
    service = assemble(Settings(_env_file=None, data=folder, restaurant_provider="database"), {})
    yield schemathesis.openapi.from_asgi("/openapi.json", create_app(service), config=config)
    service.database.close()


schema = schemathesis.pytest.from_fixture("asked")


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_nothing_that_the_document_does_not_name(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS)
