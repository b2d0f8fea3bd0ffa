"""What a trace leaves out, piece by piece (`infra/redaction/personal_data.py`, `infra/redaction/trace_redaction.py`).
Guarantees:

- A value under a personal key is hidden, whatever the venue calls its fields; so is the same text elsewhere, as a whole
  and in parts, in any case, inside JSON and inside an address.
- A part of another word, and a field that identifies no person, stay readable; no shape is changed.
- Arguments show what their parameters' roles allow, and nothing that could be a name.
- A venue's names for its products and sessions stay readable, recognised by their keys or by the address.
- Nothing is computed when nothing is recorded.
"""

import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest

from contracts.base import Json
from contracts.chat_completion import ChatMessage, PlanningContext, ReasonRequest, ToolCall
from contracts.credentials import HttpRequest
from infra.observability.observer import Observer
from infra.redaction.personal_data import HIDDEN, find_names, redact_names, remove_words, venue_names, words_of
from infra.redaction.trace_redaction import RedactedTranscript, RedactedVenueCall, redact_arguments
from reasoning.trace_vocabulary import ReadableWords
from registry.secrets.names import without_secrets
from tests.support.tables import table
from tests.unit.reasoning.actions import an_action

PATHS = ("/products", "/product-availability", "/guests")


@table(
    "key",
    ["name", "firstName", "last_name", "guest_name", "ticketHolderName", "e-mail", "customerEmail", "phone", "mobile",
     "contactNumber", "comments", "note", "keywords", "searchText", "query", "address1", "birthDate", "cognome"],
)  # fmt: skip
def test_what_stands_under_a_telling_key_is_hidden(key: str) -> None:
    assert redact_names({key: "Jo", "deep": [{key: ["Jo", {"x": "Jo"}]}]}, ()) == {
        key: HIDDEN, "deep": [{key: [HIDDEN, {"x": HIDDEN}]}],
    }  # fmt: skip


@pytest.mark.parametrize("key", ["status", "bookingDate", "quantity", "uniqueId", "customerId", "startTime", "total"])
def test_what_tells_no_one_stays(key: str) -> None:
    data = {key: "2026-11-28", "rows": [{key: 12}, {key: None}, {key: True}]}
    assert redact_names(data, {"Jane"}) == data


@pytest.mark.parametrize(
    "text",
    ["Jane Doe", "JANE", "by doe.", "“Jane”, 10 guests", json.dumps({"a": "Jane Doe"}), quote("/guests/Jane Doe")],
)
def test_known_words_are_hidden_wherever_they_stand(text: str) -> None:
    words = find_names({"guest": {"name": "Jane Doe"}})
    assert words == {"Jane Doe", "Jane", "Doe"}
    shown = remove_words({"label": text}, words)["label"]
    assert HIDDEN in shown
    assert "jane" not in shown.lower() and "doe" not in shown.lower()


@pytest.mark.parametrize("name", ["Zélie Ångström", "O'Brien & Söhne", 'Anna "Nana" Bò', "李小龙"])
def test_every_spelling_of_a_name_is_hidden(name: str) -> None:
    page = json.dumps(name).replace("&", "\\u0026").replace("'", "\\u0027")
    for text in (name, json.dumps(name), json.dumps(name, ensure_ascii=False), quote(name), page):
        shown = remove_words(f"for {text} at 3pm", words_of(name))
        assert not any(part in shown for part in name.split() if len(part) > 2), (text, shown)
        assert shown.endswith("at 3pm")


def test_a_part_of_another_word_stays() -> None:
    assert remove_words("Annapolis, 3 annas", {"Anna"}) == "Annapolis, 3 annas"


def test_a_note_s_words_are_hidden_together_and_stay_apart() -> None:
    words = words_of("Mia is allergic to nuts and kiwi")
    assert remove_words("note: mia is allergic to nuts and kiwi", words) == f"note: {HIDDEN}"
    assert remove_words("move it to Saturday", words) == "move it to Saturday"


def test_a_name_in_an_announced_look_up_is_hidden_in_the_prompt() -> None:
    call = ToolCall(id="announced", name="find_bookings", arguments={"keywords": "Doe"})
    rows = json.dumps([{"booking_id": "b-1", "guest_name": "Jane Doe"}])
    result = ChatMessage(role="tool", content=rows, tool_call_id=call.id)
    context = PlanningContext(looked_up=(ChatMessage(role="assistant", tool_calls=(call,)), result))
    request = ReasonRequest(venue_id="v", now=datetime(2026, 11, 21, tzinfo=UTC), messages=(), context=context)
    [prompt] = RedactedTranscript(request, {}, ReadableWords([])).prompt(f"looked_up: {rows}")
    assert "b-1" in str(prompt) and "Jane" not in str(prompt) and "Doe" not in str(prompt)


@table(
    "argument, value, shown",
    [
        ("booking_id", "8231", True), ("booking_id", "{{step_1.booking_id}}", True), ("booking_id", "Jane", False),
        ("new_date", "2026-11-28", True), ("new_start_time", "15:00", True), ("new_start_time", "Jane at 3", False),
        ("guests", 14, True), ("guests", "14", True), ("phone", "0412345678", False), ("email", "a@b.io", False),
        ("first_name", "Jane", False), ("note", "14", False), ("reason", "Jane is ill", False), ("reason", True, True),
        ("unheard_of", "Jane", False), ("unheard_of", None, True), ("reason", ["Jane"], False),
    ],
)  # fmt: skip
def test_arguments_show_what_their_roles_allow(argument: str, value: Any, shown: bool) -> None:
    assert redact_arguments(an_action(), {argument: value}) == {argument: value if shown else HIDDEN}


def test_a_venue_call_shows_its_structure_and_outcome() -> None:
    request = HttpRequest(
        method="PUT", path="/bookings/b-1", query=(("keywords", "Jane Doe"), ("date", "2026-11-28")),
        headers={"X": "y"}, body={"quantity": 12, "first_name": "Jane"},
    )  # fmt: skip
    call = RedactedVenueCall(request, an_action(), without_secrets)
    assert call.sent() == {
        "method": "PUT", "path": "/bookings/b-1",
        "query": {"keywords": HIDDEN, "date": "2026-11-28"}, "body": {"quantity": 12, "first_name": HIDDEN},
    }  # fmt: skip
    assert call.answered(200, {"id": "b-1", "label": "Jane Doe, 12 guests"}) == {
        "status": 200, "body": {"id": "b-1", "label": f"{HIDDEN}, 12 guests"},
    }  # fmt: skip


def test_what_a_venue_calls_its_own_things_stays() -> None:
    answer = {
        "products": [{"name": "Glow Night", "parentProductName": "Party"}], "customer": {"name": "Jane Doe"},
        "sessionName": "10am", "roomHolderName": "Ann", "name": "Jane Doe",
    }  # fmt: skip
    assert redact_names(answer, find_names(answer)) == {
        "products": [{"name": "Glow Night", "parentProductName": "Party"}], "customer": {"name": HIDDEN},
        "sessionName": "10am", "roomHolderName": HIDDEN, "name": HIDDEN,
    }  # fmt: skip
    assert venue_names(answer) == {"Glow Night", "Party", "10am"}


def test_a_list_of_products_is_reported_by_its_address() -> None:
    rows: Json = [{"name": "Glow Night"}]
    shown = [
        RedactedVenueCall(HttpRequest(method="GET", path=p), None, without_secrets).answered(200, rows) for p in PATHS
    ]
    assert [one["body"][0]["name"] for one in shown] == ["Glow Night", "Glow Night", HIDDEN]


def test_nothing_is_worked_out_when_nothing_is_recorded() -> None:
    worked_out = []
    with Observer().observe("tool", "x", "t") as seen:
        seen.update(input=lambda: worked_out.append("input"), output=lambda: worked_out.append("output"))
    assert worked_out == []
