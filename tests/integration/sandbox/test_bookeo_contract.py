"""The Bookeo pack's OpenAPI document and the Bookeo sandbox agree.

- The document is a valid OpenAPI 3.1 document and names exactly the operations that are served.
- Every answer of the sandbox, refusals included, fits the document's schema and holds no field the document does not
  know; what the document calls readOnly cannot be written.
- The paths, operationIds, parameters and field names are those of Bookeo's own document, where that is at hand.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from openapi_pydantic import OpenAPI

from infra.config.settings import ROOT
from sandbox.bookeo import create_app
from sandbox.bookeo.app import OPERATIONS
from sandbox.bookeo.seed import KNOWN_NUMBER
from tests.integration.sandbox.contract import fits, read, shown
from tests.support.bookeo import KEYS, body

FILE = ROOT / "overlays" / "bookeo" / "openapi.yaml"
THEIRS = ROOT.parent / "shared" / "specs" / "bookeo-malformed.json"
NOW = datetime(2026, 11, 18, 10, 0)
DAY = datetime(2026, 11, 28).date()


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The pack's document as loaded."""
    return read(FILE)


@pytest.fixture
def school(serve: Callable[..., Any], tmp_path: Path) -> Iterator[httpx.Client]:
    """A client of a fresh school on a Wednesday in November."""
    app = create_app(database=tmp_path / "bookeo.db", controls=True, clock=lambda: NOW)
    with serve(app) as url, httpx.Client(base_url=url, headers=KEYS, timeout=60, verify=False) as client:
        yield client


def test_the_document_is_valid_and_names_the_operations_that_are_served(document: dict[str, Any]) -> None:
    OpenAPI.model_validate(document)
    calls = [call for path in document["paths"].values() for key, call in path.items() if key != "parameters"]
    assert {call["operationId"] for call in calls} == OPERATIONS.ids
    assert all(call["summary"] and call["description"] for call in calls)


def test_every_answer_fits_the_document(school: httpx.Client, document: dict[str, Any]) -> None:
    one, many = "/bookings/{bookingNumber}", "/bookings"
    stretch = {"startTime": "2026-11-18T00:00:00+01:00", "endTime": "2026-12-19T00:00:00+01:00"}
    made = school.post("/bookings", json=body("Ada Neri", DAY, "10:00", 2, externalRef="x"))
    number = made.json()["bookingNumber"]
    known = school.get(f"/bookings/{KNOWN_NUMBER}", params={"expandCustomer": "true"})
    answers = [
        (many, "post", made, 201),
        (many, "get", school.get("/bookings", params={**stretch, "expandCustomer": "true", "itemsPerPage": 300}), 200),
        (many, "get", school.get("/bookings", params={**stretch, "itemsPerPage": 2}), 200),
        (one, "get", known, 200),
        (one, "put", school.put(f"/bookings/{KNOWN_NUMBER}", json=known.json()), 200),
        (one, "delete", school.delete(f"/bookings/{number}"), 204),
        (one, "get", school.get(f"/bookings/{number}"), 200),
        ("/availability/slots", "get", school.get("/availability/slots", params=stretch), 200),
        ("/settings/products", "get", school.get("/settings/products"), 200),
        ("/settings/apikeyinfo", "get", school.get("/settings/apikeyinfo"), 200),
    ]
    for path, method, answer, status in answers:
        assert (answer.status_code, fits(document, path, method, answer.status_code, shown(answer))) == (status, []), (
            path,
            method,
            answer.text,
        )
        assert answer.headers["X-Sandbox"] == "bookeo"


def test_every_refusal_fits_the_document(school: httpx.Client, document: dict[str, Any]) -> None:
    one, many = "/bookings/{bookingNumber}", "/bookings"
    full = body("Ada Neri", DAY, "10:00", 9)
    refusals = [
        (one, "get", school.get("/bookings/1"), 404),
        (one, "get", school.get(f"/bookings/{KNOWN_NUMBER}", headers={"X-Bookeo-apiKey": "x"}), 403),
        (one, "put", school.put(f"/bookings/{KNOWN_NUMBER}", json={"participants": 1}), 400),
        (many, "post", school.post("/bookings", json=full), 409),
        (many, "get", school.get("/bookings"), 400),
        ("/availability/slots", "get", school.get("/availability/slots", params={"startTime": "2026-11-28"}), 400),
    ]
    for path, method, answer, status in refusals:
        assert (answer.status_code, fits(document, path, method, answer.status_code, shown(answer))) == (status, []), (
            answer.text
        )
        assert {"httpStatus", "message", "errorId"} == answer.json().keys()


@pytest.mark.skipif(not THEIRS.is_file(), reason="the documents in ../shared/specs are not here")
def test_the_document_is_true_to_bookeos_own(document: dict[str, Any]) -> None:
    theirs = json.loads(THEIRS.read_text())
    for path, item in document["paths"].items():
        shared = item.get("parameters", [])
        for method, call in item.items():
            if method == "parameters":
                continue
            there = theirs["paths"][path][method]
            assert call["operationId"] == there["operationId"]
            given = [*shared, *call.get("parameters", [])]
            ours = [
                p if "$ref" not in p else document["components"]["parameters"][p["$ref"].rsplit("/", 1)[1]]
                for p in given
            ]
            assert {(p["name"], p["in"]) for p in ours} <= {(p["name"], p["in"]) for p in there["parameters"]}, path
    # Their document has lost what refers to other schemas, and defines no errors.
    gone = {
        "Booking": {"customer", "participants", "price"},
        "Price": {"totalGross", "totalNet", "totalTaxes", "totalPaid"},
        "Error": {"httpStatus", "message", "errorId"},
    }
    for name, schema in document["components"]["schemas"].items():
        lost = gone.get(name, set())
        there = set(theirs["components"]["schemas"].get(name, {}).get("properties", {}))
        assert set(schema["properties"]) - lost <= there, name
