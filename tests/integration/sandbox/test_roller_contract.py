"""The pack's OpenAPI document and the ROLLER sandbox agree.

- the document is a valid OpenAPI 3.1 document and names exactly the operations that are served
- every answer of the sandbox fits the document's schema and holds no field the document does not know
"""

from typing import Any

import pytest
from openapi_pydantic import OpenAPI

from infra.config.settings import ROOT
from sandbox.roller.operations import OPERATIONS
from tests.integration.sandbox.contract import fits, read

FILE = ROOT / "overlays" / "roller" / "openapi.yaml"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The pack's document as loaded."""
    return read(FILE)


def test_the_document_is_valid_and_names_the_operations_that_are_served(document):
    OpenAPI.model_validate(document)
    calls = [call for path in document["paths"].values() for key, call in path.items() if key != "parameters"]
    assert {call["operationId"] for call in calls} == OPERATIONS.ids - {"get-token"}
    assert all(call["summary"] and call["description"] for call in calls)


def test_every_answer_fits_the_document(venue, document):
    john = venue.find("John Smith")
    answers = [
        ("/bookings", venue.get("/bookings", keywords="example.com")),
        ("/bookings/{uniqueId}", john),
        ("/bookings/{uniqueId}", venue.get("/bookings/8231")),
        ("/guests/{guestId}", venue.get(f"/guests/{john['customerId']}")),
        ("/product-availability", venue.get("/product-availability", Date="2026-11-28")),
        ("/products", venue.get("/products")),
        ("/venues/me", venue.get("/venues/me")),
    ]
    for path, body in answers:
        assert fits(document, path, "get", 200, body) == []


def test_every_refusal_fits_the_document(venue, document):
    one, cancel = "/bookings/{uniqueId}", "/bookings/{uniqueId}/cancel"
    online = venue.find("Olivia Chen")["uniqueId"]
    refusals = [
        (one, "get", venue.http.get("/bookings/1")),
        (one, "get", venue.http.get("/bookings/8231", headers={"Authorization": "Bearer x"})),
        (one, "put", venue.put("/bookings/8231", {"name": 1})),
        (one, "put", venue.put("/bookings/8231", {"idsToRemove": [1]})),
        (cancel, "post", venue.post(f"/bookings/{online}/cancel", {"issueRefund": False})),
    ]
    assert [answer.status_code for _, _, answer in refusals] == [404, 401, 400, 409, 403]
    for path, method, answer in refusals:
        assert fits(document, path, method, answer.status_code, answer.json()) == []
