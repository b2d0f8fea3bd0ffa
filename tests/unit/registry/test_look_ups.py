"""What a look-up's templates may use that a change may not: the venue's day and separate reads; and rows by words.

- `today` is the venue's day in its own zone; an overlay of a change that names it does not load.
- The results of a look-up's `preview_reads` are available to its request, its output and its answer; a failed one is
  none.
- `mentioning` finds rows by every word that people use, in any order, and by phone numbers however they are written; it
  finds nothing by the domain of an address, and all rows without a query.
- A list's `pages` are for look-ups; a next page that cannot be requested, or rows that are no list, show on the sample;
  a paged list of the document whose overlay has no `pages` is named.
- The reads of what a write made see those above them, so that a new thing is found by its key when its answer was lost.
"""

from collections.abc import Awaitable, Callable
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from temporalio.testing import ActivityEnvironment

from activities.look_up import LookUpActivity
from clients.registry import Registries
from clients.venue.client import VenueClient, VenueResponse
from clients.venue.read_cache import ReadCache
from clients.venue.reads import SnapshotReader
from contracts.chat_completion import ToolCall
from contracts.credentials import HttpRequest
from contracts.drafting import LookUpReply, LookUpRequest
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from registry import BoundAction
from registry.http.request import joined
from registry.loading.folder_registry import FolderRegistry
from registry.loading.load import load_pack
from registry.templating.filters import FILTERS, at_least
from tests.support.shipped import shipped
from tests.support.tables import table
from tests.unit.registry.studio import DOCUMENT, OVERLAY, load, pack_texts, write

PEOPLE: list[Any] = [
    {"id": 1, "name": "Giulia Rossi", "mail": "g.rossi@riders.example", "phones": [{"number": "+39 347 123 4567"}]},
    {"id": 2, "name": "Nicolò De Luca", "mail": None, "phones": []},
    {"id": 3, "name": "Rossella Giuliani", "mail": "ride@other.example"},
]


@table(
    "words, found",
    [
        ("rossi giulia", [1]),
        ("ROSS GIULI", [1, 3]),
        ("nicolo", [2]),
        ("luca nicolò", [2]),
        ("luc", [2]),
        ("uca", []),
        ("3471234567", [1]),
        ("0039 347 123 4567", [1]),
        ("\u202a+39 347\u2011123\u20114567\u202c", [1]),
        ("347 123 4568", []),
        ("g.rossi@riders.example", [1]),
        ("g.rossi@riders", []),
        ("riders", []),
        ("example", []),
        ("rossi bianchi", []),
        (None, [1, 2, 3]),
        ("  ", [1, 2, 3]),
    ],
)
def test_rows_are_found_by_what_people_call_them(words: str | None, found: list[int]) -> None:
    rows = FILTERS["mentioning"](PEOPLE, words, "name", "mail", "phones.number")
    assert isinstance(rows, list) and [row["id"] for row in rows] == found


LESSONS_OF_DAY = {
    "operationId": "lessons",
    "summary": "Lessons",
    "parameters": [{"name": n, "in": "query", "schema": {"type": "string"}} for n in ("from", "kind")],
    "responses": {
        "200": {
            "description": "ok",
            "content": {
                "application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Lesson"}}}
            },
        }
    },
}
KINDS = {
    "operationId": "kinds",
    "summary": "Kinds",
    "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array", "items": {
        "type": "object", "properties": {"id": {"type": "string"}, "title": {"type": "string"}}}}}}}},
}  # fmt: skip
LOOK_UP = """
action: lessons_of
operation: lessons
iq_enabled: true
title: Lessons
description: The lessons from today on.
parameters:
  kind: {type: string, describe: Words of the kind}
preview_reads:
  kinds: {operation: kinds}
request:
  query:
    from: "{{ today }}"
    kind: >-
      {{ (seen.kinds | default([], true) | mentioning(kind, 'title') | first | default({}, true)).id | default('any') }}
output: {fields: [id]}
answer: "{{ today | day }}: {{ response | length }}{% if seen.kinds is none %}, kinds unknown{% endif %}"
sample:
  call: {kind: pony}
  response: [{id: l-1, status: open, startsAt: "2026-11-28T14:00:00Z"}]
  seen: {kinds: [{id: k-1, title: Pony hour}]}
"""


def document() -> dict[str, Any]:
    found: dict[str, Any] = deepcopy(DOCUMENT)
    found["paths"]["/lessons"] = {"get": deepcopy(LESSONS_OF_DAY)}
    found["paths"]["/kinds"] = {"get": KINDS}
    return found


Ask = Callable[[dict[str, int]], Awaitable[LookUpReply]]


class Asked:
    """The look-up in a pack of this test: the requests that it sent, and its result."""

    def __init__(self, folder: Path) -> None:
        (write(folder, document=document()) / "actions" / "lessons_of.yaml").write_text(LOOK_UP)
        self.sent: list[HttpRequest] = []
        self.kinds: Any = [{"id": "k-2", "title": "Trail ride"}, {"id": "k-1", "title": "Pony hour"}]
        venues = Mock(spec=VenueClient)
        venues.send.side_effect = venues.send_with_token.side_effect = self._answer
        venues.get_token.return_value, venues.kept = "t", ReadCache()
        registries = Registries(FolderRegistry((folder,)), PublishedVersion(Store()))
        self._look_ups = LookUpActivity(registries, venues)

    async def _answer(self, _: str, request: HttpRequest, *__: Any, **___: Any) -> VenueResponse:
        self.sent.append(request)
        if request.path == "/kinds" and self.kinds is None:
            raise TimeoutError
        return VenueResponse(200, self.kinds if request.path == "/kinds" else [])

    async def at(self, moment: datetime) -> LookUpReply:
        """Look up at that moment."""
        call = ToolCall(id="1", name="lessons_of", arguments={"kind": "pony"})
        request = LookUpRequest(venue_id="studio", now=moment, call=call, token_ref="t", trace_id="x")
        reply = await ActivityEnvironment().run(self._look_ups.look_up, request)
        assert isinstance(reply, LookUpReply)
        return reply


@pytest.mark.parametrize(
    ("moment", "day", "words"),
    [
        (datetime(2026, 11, 27, 22, 59, tzinfo=UTC), "2026-11-27", "Fri 27 Nov 2026: 0"),
        (datetime(2026, 11, 27, 23, 0, tzinfo=UTC), "2026-11-28", "Sat 28 Nov 2026: 0"),
    ],
)
async def test_today_is_the_venues_day(tmp_path: Path, moment: datetime, day: str, words: str) -> None:
    asked = Asked(tmp_path)
    reply = await asked.at(moment)
    assert dict(asked.sent[-1].query) == {"from": day, "kind": "k-1"}
    assert reply.text == words


async def test_a_look_up_does_without_a_read_of_its_own_that_fails(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    asked.kinds = None
    reply = await asked.at(datetime(2026, 11, 27, 12, tzinfo=UTC))
    assert dict(asked.sent[-1].query)["kind"] == "any"
    assert reply.text == "Fri 27 Nov 2026: 0, kinds unknown"


def test_no_change_may_depend_on_the_day_that_it_is_made(tmp_path: Path) -> None:
    text = OVERLAY.replace("{{ new_date | instant(new_time) }}", "{{ today | instant(new_time) }}")
    pack = load(tmp_path, text)
    assert "move_lesson" not in pack.actions
    assert any("today cannot be seen here" in row for row in pack_texts(pack)), pack_texts(pack)


@table(
    "pages, wrong",
    [
        ("{more: response | length > 0, next: {query: {from: '{{ next_page }}'}}}", ""),
        ("{more: response | length > 0, next: {query: {from: '{{ response.cursor }}'}}}", "cursor"),
        ("{more: response | length > 0, next: {query: {from: '{{ next_page }}'}}, rows: data}", "gives no list"),
        ("{more: response.total > 1}", "total"),
    ],
)
def test_pages_are_tried_on_the_sample(tmp_path_factory: pytest.TempPathFactory, pages: str, wrong: str) -> None:
    folder = write(tmp_path_factory.mktemp("pages"), document=document())
    overlay = LOOK_UP.replace("{fields: [id]}", f"{{fields: [id], pages: {pages}}}")
    (folder / "actions" / "lessons_of.yaml").write_text(overlay)
    pack = load_pack(folder)
    assert ("lessons_of" in pack.actions) is (not wrong)
    assert not wrong or any(wrong in row for row in pack_texts(pack)), pack_texts(pack)


@table(
    "asked_by, more, warned",
    [
        ("pageNumber", "", True),
        ("cursor", "", True),
        ("next_page_token", "", True),
        ("pages", "", False),
        ("offset", "bound: {query.offset: 0}\n", False),
        ("skip", "", True),
    ],
)
def test_a_list_of_which_only_the_first_page_is_read_is_named(
    tmp_path_factory: pytest.TempPathFactory, asked_by: str, more: str, warned: bool
) -> None:
    given = document()
    further = {"name": asked_by, "in": "query", "schema": {"type": "integer"}}
    given["paths"]["/lessons"]["get"]["parameters"].append(further)
    folder = write(tmp_path_factory.mktemp("pages"), document=given)
    overlay = folder / "actions" / "lessons_of.yaml"
    overlay.write_text(LOOK_UP + more)
    assert any(f"in pages ({asked_by})" in row for row in pack_texts(load_pack(folder))) is warned
    overlay.write_text(LOOK_UP.replace("{fields: [id]}", "{fields: [id], pages: {more: response | length > 9}}") + more)
    pack = load_pack(folder)
    assert "lessons_of" in pack.actions and not any("in pages" in row for row in pack_texts(pack)), pack_texts(pack)


def test_a_change_has_no_pages(tmp_path: Path) -> None:
    pack = load(tmp_path, OVERLAY + "output: {pages: {more: response.more}}\n")
    assert any("is for look-ups: a change is sent once" in row for row in pack_texts(pack)), pack_texts(pack)


async def test_reads_of_what_was_made_see_each_other() -> None:
    action = shipped("bookeo").actions["book_lesson"]
    profile = shipped("bookeo").profile
    products = {"data": [{"productId": "p-1", "name": "Beginners’ lesson"}]}
    arguments = {"lesson": "beginners", "date": "2026-12-05", "start_time": "10:00", "rider_count": 2}
    bound = BoundAction.of(action, {**arguments, "first_name": "Ada", "last_name": "Neri"}, profile, "key-1")
    bound = bound.with_(before={"products": products, "slots": {"data": []}})
    paths: list[str] = []

    async def answer(_: str, request: HttpRequest, *__: Any, **___: Any) -> VenueResponse:
        paths.append(request.path)
        listed = {
            "data": [{"bookingNumber": "7", "externalRef": "x"}, {"bookingNumber": "8", "externalRef": bound.marker}]
        }
        known = {"/settings/products": products, "/availability/slots": {"data": []}, "/bookings": listed}
        return VenueResponse(200, known.get(request.path, {"bookingNumber": "8"}))

    venues = Mock(spec=VenueClient)
    venues.send_with_token.side_effect = answer
    reader = SnapshotReader(venues, "t", "x", token="secret")
    await reader.read_back(bound)
    assert paths[-1] == "/bookings/8", "the one with the key"
    await reader.read_back(bound.with_(response={"bookingNumber": "7"}))
    assert paths[-1] == "/bookings/8", "an id in an answer is no proof"


def test_a_row_that_comes_on_two_pages_is_one() -> None:
    find = shipped("bookeo").actions["find_bookings"]
    pages = [{"data": [{"n": 1}, {"n": 2}], "info": 1}, {"data": [{"n": 2}, {"n": 3}], "info": 2}]
    assert joined(find, *pages) == {"data": [{"n": 1}, {"n": 2}, {"n": 3}], "info": 2}


@table("row, enough", [
    ({"n": 4}, True), ({"n": 3}, False), ({"n": None}, True), ({}, True), ([{"n": 4}, {"n": 3}], False),
    ([{"n": 4}, {"n": None}], True),
])  # fmt: skip
def test_every_number_of_a_row_must_be_enough_and_none_is_no_limit(row: Any, enough: bool) -> None:
    rows = [{"parts": row}]
    assert at_least(rows, "parts.n", 4) == (rows if enough else [])
