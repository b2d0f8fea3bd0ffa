"""What iQ reports of a venue's list: in a chat, to an assistant, and beside the chat. A small venue over HTTP.
Guarantees:

- A 404 to a list says nothing about its contents, unless the overlay declares that it means none; a 404 to a single
  thing by its id is believed. The same holds for the reads behind a change, its availability and its preview.
- A 2xx without JSON answers none of these reads: it is neither "none", nor "no room", nor "nothing to report".
- iQ reads the pages of a list one after the other, up to the fifth, and merges their rows. It says when there are
  further ones, or when the venue gives no further pages, also where nothing was found.
- A booking whose own read fails, or is late, is not reported as one that takes place.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from temporalio.testing import ActivityEnvironment

from activities.look_up import LookUpActivity, refresh_bookings
from clients.errors import ApiError
from clients.registry import Registries
from clients.venue.availability import check_availability
from clients.venue.client import VenueClient
from clients.venue.day import DayReader
from clients.venue.errors import VenueError
from clients.venue.reads import SnapshotReader, read_for_preview
from clients.venue.search import find
from contracts.action import AvailabilityTemplate, ErrorRule, ReadTemplate
from contracts.booking import BookingSummary
from contracts.chat_completion import ToolCall
from contracts.drafting import LookUpReply, LookUpRequest
from contracts.enums import ErrorType, ServiceErrorType
from contracts.errors import VenueFailure
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from language.messages.catalogue import translate
from registry import BoundAction
from registry.loading.folder_registry import FolderRegistry
from tests.integration.activities.test_odd_reads import ODD
from tests.support.small_venue import VENUE, SmallVenue, served, write_pack
from tests.support.stacks import free_base

pytestmark = pytest.mark.asyncio

DAY = "2099-11-28"
FIND = """
action: find_parties
operation: list-parties
iq_enabled: true
title: Find parties
description: Find parties by words or by a day.
parameters:
  words: {role: search, type: string, required: false, describe: A name}
  date: {role: date, required: false, describe: The day}
output:
  shape: {for_each: "response.parties | mentioning(words, 'name')", value: {booking_id: "{{ item.id }}"}}
  candidates:
    for_each: response.parties | mentioning(words, 'name')
    value: {booking_id: "{{ item.id }}", guest_name: "{{ item.name }}", date: "{{ item.day }}"}
"""
DETAIL = """
  detail: {operation: get-party, with: {party: "{{ item.booking_id }}"}, cancelled: "'off' in detail.tags"}
"""
NONE_BY_404 = """
errors:
  - {status: 404, type: not_found, message: There are none.}
"""


FREE = "response.parties | length < 9"
FULL = ErrorRule(code="full", error_type=ErrorType.CONFLICT, message="There is no room.")
PAGES = """
  pages: {more: response.page < response.pages, next: {query: {page: "{{ next_page }}"}}, rows: parties}
"""
CUT = """
  pages: {more: response.parties | length >= 2}
"""


class Bench:
    """A venue with parties on one day, and the three ways to its list."""

    def __init__(self, folder: Path) -> None:
        self.venue, self.port, self._folder = SmallVenue(), free_base(1), folder
        self.vault = Vault(Store(), parse_ring(new_key_line()))
        self.venues = VenueClient(self.vault, Observer(), timeout=60)
        self.written(FIND + DETAIL)

    def written(self, overlay: str) -> None:
        """Write the pack with this look-up."""
        folder = self._folder / str(len(list(self._folder.iterdir())))
        pack = write_pack(folder, find_parties=overlay)
        (pack / "venue.yaml").write_text(VENUE + "day: {action: find_parties}\n")
        self.registry = FolderRegistry((pack,), {"small": f"http://127.0.0.1:{self.port}"}, folder / "cache")
        self.pack = self.registry.default_venue
        assert "find_parties" in self.pack.actions, self.pack.findings

    def add(self, name: str, *tags: str) -> None:
        """Add a party on that day."""
        self.venue.add(f"p-{len(self.venue.parties) + 1}", name=name, day=DAY, tags=list(tags))

    async def chat(self, action: str = "find_parties", **arguments: Any) -> LookUpReply:
        """Return the result of a chat's look-up."""
        look_ups = LookUpActivity(Registries(self.registry, PublishedVersion(Store())), self.venues)
        call = ToolCall(id="1", name=action, arguments=arguments or {"words": "Ann"})
        ref = await self.vault.put("operator", 60)
        request = LookUpRequest(venue_id="small", now=datetime.now(UTC), call=call, token_ref=ref)
        reply = await ActivityEnvironment().run(look_ups.look_up, request)
        assert isinstance(reply, LookUpReply)
        return reply

    async def assistant(self) -> tuple[BookingSummary, ...]:
        """Return the bookings that an assistant finds."""
        return (await find(self.venues, self.pack, "operator", "Ann")).rows

    async def beside(self) -> tuple[BookingSummary, ...]:
        """Return the bookings shown beside the chat."""
        return (await DayReader(self.venues).read(self.pack, "operator", datetime.fromisoformat(DAY).date())).bookings


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    one = Bench(tmp_path)
    async with served(one.venue, one.port):
        yield one
        await one.venues.close()


async def test_a_404_to_a_list_is_not_none(bench: Bench) -> None:
    bench.add("Ann Lee")
    bench.venue.fail("GET list", 404, 404, 410)
    reply = await bench.chat()
    assert reply.failure is not None and reply.failure.error_type is ErrorType.SERVER_ERROR
    assert (reply.candidates, reply.text) == (None, "")
    for look in (bench.assistant, bench.beside):
        with pytest.raises(ApiError) as refused:
            await look()
        assert refused.value.kind is ServiceErrorType.SERVICE_UNAVAILABLE


async def test_the_pages_of_a_list_are_one_list(bench: Bench) -> None:
    bench.written(FIND + PAGES)
    bench.venue.page = 2
    asked = list[str]()

    async def note(what: str, _: int) -> None:
        asked.append(what)

    bench.venue.hook = note
    for name in ("Bo Fox", "Cy Fox", "Di Fox", "Ann Lee", "Ann Kay"):
        bench.add(name)
    reply = await bench.chat()
    assert [b.guest_name for b in reply.candidates or ()] == ["Ann Lee", "Ann Kay"]
    assert reply.observation == [{"booking_id": "p-4"}, {"booking_id": "p-5"}] and not reply.more
    assert asked == ["GET list"] * 3
    assert len(await bench.assistant()) == 2 and len(await bench.beside()) == 5


async def test_what_is_behind_the_last_page_that_is_read_is_stated_to_be_there(bench: Bench) -> None:
    bench.written(FIND + PAGES)
    bench.venue.page = 1
    for name in ("Bo Fox", "Cy Fox", "Di Fox", "Ann Lee", "Ed Fox", "Ann Kay"):
        bench.add(name)
    reply = await bench.chat()
    assert reply.more and [b.guest_name for b in reply.candidates or ()] == ["Ann Lee"]
    assert reply.text.endswith(translate("read.not_all")) and "not all of it was read" in str(reply.observation)
    nothing = await bench.chat(words="Zoe")
    assert nothing.more and nothing.text == f"{translate('read.nothing')} {translate('read.not_all')}"
    found = await find(bench.venues, bench.pack, "operator", "Ann")
    day = await DayReader(bench.venues).read(bench.pack, "operator", datetime.fromisoformat(DAY).date())
    assert (found.more, len(found.rows), day.more, len(day.bookings)) == (True, 1, True, 5)


async def test_a_list_that_gives_no_further_pages_is_stated_to_go_on(bench: Bench) -> None:
    bench.written(FIND + CUT)
    bench.venue.page = 2
    bench.add("Ann Lee")
    assert not (await bench.chat()).more
    bench.add("Bo Fox")
    assert (await bench.chat()).more


async def test_a_404_is_none_where_the_overlay_says_so(bench: Bench) -> None:
    bench.written(FIND + NONE_BY_404)
    bench.venue.fail("GET list", 404, 404, 404)
    assert (await bench.chat()).candidates == ()
    assert (await bench.assistant(), await bench.beside()) == ((), ())


@pytest.mark.parametrize(("status", "known"), [(404, {"p-1": None}), (503, {}), (403, {})])
async def test_a_booking_that_cannot_be_read_again_is_not_gone(
    bench: Bench, status: int, known: dict[str, None]
) -> None:
    bench.venue.fail("GET party", *[status] * 5)
    reader = SnapshotReader(bench.venues, "", "", token="operator")
    one = BookingSummary(booking_id="p-1", thing="party")
    shows = {"party": bench.pack.actions["get_party"]}
    assert await refresh_bookings(reader, shows, bench.pack.profile, [one]) == known


async def test_a_404_to_one_thing_by_its_id_is_believed(bench: Bench) -> None:
    assert (await bench.chat("get_party", booking_id="p-9")).candidates == ()


@pytest.mark.parametrize(("whole", "kind"), [(True, ErrorType.SERVER_ERROR), (False, ErrorType.NOT_FOUND)])
async def test_a_404_to_what_a_change_is_made_of(bench: Bench, whole: bool, kind: ErrorType) -> None:
    change, look = bench.pack.actions["resize"], bench.pack.actions["find_parties"]
    assert change.snapshot is not None
    if whole:
        read = ReadTemplate(name="", operation=look.operation, inputs={})
        change = change.model_copy(update={"snapshot": change.snapshot.model_copy(update={"reads": (read,)})})
    bench.venue.fail("GET list" if whole else "GET party", 404, 404, 404)
    bound = BoundAction.of(change, {"booking_id": "p-1", "guests": 14}, bench.pack.profile)
    with pytest.raises(VenueError) as refused:
        await SnapshotReader(bench.venues, "", "", token="operator").snapshot(bound)
    assert refused.value.failure.error_type is kind


NO_JSON = [odd for odd in ODD if odd != "nothing in it"]


@pytest.mark.parametrize("odd", NO_JSON)
async def test_a_list_without_json_is_not_none(bench: Bench, odd: str) -> None:
    bench.written(FIND + PAGES + DETAIL)
    bench.venue.page = 2
    bench.add("Ann Lee")
    bench.venue.answers["GET list"] = [ODD[odd]() for _ in range(3)]
    reply = await bench.chat()
    assert (reply.candidates, reply.text, reply.observation) == (None, "", None)
    assert reply.failure is not None and reply.failure.message == "The booking system's answer could not be read."
    for look in (bench.assistant, bench.beside):
        with pytest.raises(ApiError, match="could not be read"):
            await look()


@pytest.mark.parametrize("odd", [*ODD, "lost", "of another kind"])
async def test_an_unreadable_look_for_room_is_not_no_room(bench: Bench, odd: str) -> None:
    look = bench.pack.actions["find_parties"]
    room = AvailabilityTemplate(
        read=ReadTemplate(name="", operation=look.operation, inputs={}), requires=(("full", FREE),)
    )
    change = bench.pack.actions["resize"].model_copy(update={"availability": room, "errors": (FULL,)})
    bound = BoundAction.of(change, {"booking_id": "p-1", "guests": 14}, bench.pack.profile)
    reader = SnapshotReader(bench.venues, "", "", token="operator")
    if odd == "lost":
        bench.venue.fail("GET list", 404)
    else:
        bench.venue.answers["GET list"] = [["p-1"] if odd == "of another kind" else ODD[odd]()]
    with pytest.raises(VenueError) as refused:
        await check_availability(reader, bound)
    assert refused.value.failure.message == "The booking system's answer could not be read."
    assert await check_availability(reader, bound) == ""
    for number in range(9):
        bench.add(f"Bo Fox {number}")
    full = await check_availability(reader, bound)
    assert isinstance(full, VenueFailure) and full.message == "There is no room."


@pytest.mark.parametrize("odd", NO_JSON)
async def test_an_unreadable_preview_read_is_not_known(bench: Bench, odd: str) -> None:
    look = bench.pack.actions["find_parties"]
    reads = (ReadTemplate(name="all", operation=look.operation, inputs={}),)
    change = bench.pack.actions["resize"].model_copy(update={"preview_reads": reads})
    bound = BoundAction.of(change, {"booking_id": "p-1", "guests": 14}, bench.pack.profile)
    ref = await bench.vault.put("operator", 60)
    bench.venue.answers["GET list"] = [ODD[odd]()]
    assert await read_for_preview(bench.venues, bound, ref, "", {}) == {"all": None}
    assert (await read_for_preview(bench.venues, bound, ref, "", {}))["all"] is not None


@pytest.mark.parametrize("status", [404, 429, 503])
async def test_what_could_not_be_looked_at_is_not_reported_as_taking_place(bench: Bench, status: int) -> None:
    bench.add("Ann Lee", "off")
    bench.venue.fail("GET party", *[status] * 20)
    await _all_say(bench, None, "Ann Lee, Sat 28 Nov, perhaps cancelled: it could not be looked at")


async def test_nor_is_what_is_not_answered_in_time(bench: Bench) -> None:
    bench.add("Ann Lee", "off")
    over = asyncio.Event()

    async def hang(what: str, _: int) -> None:
        if what == "GET party":
            await over.wait()

    bench.venue.hook = hang
    await _all_say(bench, None, "Ann Lee, Sat 28 Nov, perhaps cancelled: it could not be looked at")
    over.set()


@pytest.mark.parametrize(("tags", "off", "label"), [((), False, ""), (("off",), True, " (cancelled)")])
async def test_what_was_looked_at_is_reported_as_it_is(
    bench: Bench, tags: tuple[str, ...], off: bool, label: str
) -> None:
    bench.add("Ann Lee", *tags)
    await _all_say(bench, off, f"Ann Lee, Sat 28 Nov{label}")


async def _all_say(bench: Bench, cancelled: bool | None, label: str) -> None:
    reply, [found], [shown] = await asyncio.gather(bench.chat(), bench.assistant(), bench.beside())
    assert reply.candidates is not None
    [row] = reply.candidates
    assert [b.cancelled for b in (row, found, shown)] == [cancelled] * 3
    assert (row.label, found.label) == (label, label) and label in reply.text
