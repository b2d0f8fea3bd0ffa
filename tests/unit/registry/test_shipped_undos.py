"""What the shipped packs count as done, as undone and as the plan's own, where another writer changed the same booking.
Guarantees:

- A table that was moved meanwhile is not cancelled; one that was booked again is only the same table as before.
- A lesson's number of riders is restored alone while no names were entered since.
- Of a guest only the fields that the plan set are restored: staff's changes beside them stay.
- The preview lists what an undo does not restore of a table, of a new lesson, or of lines that are added again, in both
  languages.
- A new lesson is named by the number that was found, not by the one in the answer.
- A booking for another guest, or with another note, is not as asked.
"""

import copy
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from infra.config.settings import ROOT
from language.messages.catalogue import activate_locale
from registry import BoundAction
from registry.loading.load import load_pack
from registry.openapi.schema_reading import parts_of
from registry.overlays.yaml_file import read_limited_yaml
from registry.presentation.preview import summary_line
from registry.verification.undo_state import UndoState
from tests.support.shipped import shipped
from tests.support.tables import table

LEFT_BEHIND = [
    (
        "restaurant",
        "cancel_booking",
        [("Number", "Numero"), ("Status, length of stay, table", "Stato, durata, tavolo")],
    ),
    ("restaurant", "create_booking", [("Record", "Registro")]),
    ("restaurant", "move_booking", [("Table", "Tavolo")]),
    ("restaurant", "change_guest_count", [("Table", "Tavolo")]),
    ("bookeo", "book_lesson", [("Record", "Registro")]),
    ("roller", "reschedule_booking", [("Extras", "Extra"), ("Tickets", "Biglietti")]),
    ("roller", "change_guest_count", [("Extras", "Extra"), ("Tickets", "Biglietti")]),
]

TABLE: dict[str, Any] = {
    "booking_id": "b-1", "day": "2026-12-03", "time": "20:00", "people": 4, "name": "Anna", "phone": "+393331234567",
    "notes": None, "status": "approved", "live": True,
}  # fmt: skip
CANCELLED = {**TABLE, "status": "canceled", "live": False}


def cancelled(booking: Any, *table: Any) -> BoundAction:
    """Return a cancellation, with the current booking and the day's current table."""
    pack = shipped("restaurant")
    action = pack.actions["cancel_booking"]
    bound = BoundAction.of(action, {"booking_id": "b-1"}, pack.profile, "plan-1-1")
    return bound.with_(before={"booking": TABLE}, now={"booking": booking, "table": {"bookings": list(table)}})


@pytest.mark.parametrize(
    ("booking", "done"),
    [(CANCELLED, True), (None, True), (TABLE, False), ({**TABLE, "time": "21:00"}, False)],
    ids=["kept as cancelled", "forgotten", "as before", "moved by its guest"],
)
def test_a_table_is_cancelled_where_its_booking_is(booking: Any, done: bool) -> None:
    assert cancelled(booking).matches_request() is done


@pytest.mark.parametrize(
    ("table", "back"),
    [
        ([{**TABLE, "booking_id": "b-2"}], True),
        ([{**TABLE, "booking_id": "b-2", "people": 2}], False),
        ([{**TABLE, "booking_id": "b-2", "live": False}], False),
        ([{**TABLE, "booking_id": "b-2", "notes": "gluten-free"}], False),
        ([], False),
    ],
    ids=["the same", "the guest's own, for two", "cancelled, too", "with another note", "none"],
)
def test_a_cancellation_is_undone_where_the_same_table_is_booked_again(table: list[Any], back: bool) -> None:
    bound = cancelled(CANCELLED, *table)
    assert bound.undo_check().own_part_removed is back


@pytest.mark.parametrize(
    ("booking", "table", "stands"),
    [
        (CANCELLED, [], True),
        (CANCELLED, [{**TABLE, "booking_id": "b-2", "people": 2}], False),
        ({**TABLE, "time": "21:00"}, [], False),
    ],
    ids=["free", "the guest's own at that time", "moved by its guest"],
)
def test_a_table_is_booked_again_only_where_the_guest_has_none(booking: Any, table: list[Any], stands: bool) -> None:
    assert cancelled(booking, *table).undo_check().own_part_separable is stands


def riders(number: int, *names: str) -> dict[str, Any]:
    """Return a lesson of so many riders, some of them by name."""
    details = [{"personId": n, "peopleCategoryId": "Cadults", "categoryIndex": i} for i, n in enumerate(names, 1)]
    numbers = [{"peopleCategoryId": "Cadults", "number": number}]
    known = {"eventId": "e-1", "canceled": False, "participants": {"numbers": numbers, "details": details}}
    return {"booking": known}


@pytest.mark.parametrize(("names", "stands"), [((), True), (("Ann", "Ben", "Cem"), False)])
def test_names_that_were_entered_since_are_not_taken_out_with_the_number(names: tuple[str, ...], stands: bool) -> None:
    pack = shipped("bookeo")
    action = pack.actions["change_rider_count"]
    bound = BoundAction.of(action, {"booking_id": "2611281530417", "rider_count": 3}, pack.profile, "plan-1-1")
    bound = bound.with_(before=riders(2), left=riders(3), now=riders(3, *names))
    assert not bound.undo_check().is_undone
    assert bound.undo_check().own_part_separable is stands


@pytest.mark.parametrize(("names", "back"), [(("Ann", "Ben"), True), (("Ann",), False), (("Ann", "Cem"), False)])
def test_riders_are_as_before_only_with_the_same_names(names: tuple[str, ...], back: bool) -> None:
    pack = shipped("bookeo")
    action = pack.actions["change_rider_count"]
    bound = BoundAction.of(action, {"booking_id": "2611281530417", "rider_count": 1}, pack.profile, "plan-1-1")
    bound = bound.with_(before=riders(2, "Ann", "Ben"), left=riders(1, "Ann"), now=riders(2, *names))
    assert bound.undo_check().own_part_removed is back


@pytest.mark.parametrize(("end", "stands"), [("18:00", True), ("19:00", False)])
def test_an_end_that_staff_changed_since_is_not_overwritten(end: str, stands: bool) -> None:
    pack, name = shipped("bookeo"), "move_booking"
    sample: Any = parts_of(read_limited_yaml(ROOT / "overlays/bookeo/actions/move_booking.yaml").data)["sample"]
    bound = BoundAction.of(pack.actions[name], sample["call"], pack.profile, "plan-1-1").with_(before=sample["before"])
    left = sample["after"]
    now = {**left, "booking": {**left["booking"], "endTime": f"2026-11-28T{end}:00+01:00"}}
    check = bound.with_(left=left, now=now).undo_check(bound.left_digest(left))
    assert (check.state is UndoState.AS_PLANNED, check.own_part_separable) == (stands, stands)


def test_of_a_guest_only_what_the_plan_set_is_put_back() -> None:
    pack = shipped("roller")
    action = pack.actions["update_contact"]
    bound = BoundAction.of(action, {"booking_id": "b-1", "phone": "0400 000 111"}, pack.profile, "plan-1-1")
    guest = {"firstName": "Anna", "lastName": "Verdi", "email": "anna@old.example", "phone": "0412 345 678"}
    left, by_staff = {**guest, "phone": "0400 000 111"}, {"email": "anna@new.example"}
    documents = [{"booking": {"customerId": 7}, "guest": one} for one in (guest, left, {**left, **by_staff})]
    bound = bound.with_(before=documents[0], left=documents[1], now=documents[2])
    assert bound.undo_check().own_part_separable
    assert bound.compensation(own_part=True).body == {**guest, **by_staff}


def test_a_lesson_is_named_by_the_number_that_was_found() -> None:
    pack = shipped("bookeo")
    action = pack.actions["book_lesson"]
    asked = {"date": "2026-12-05", "start_time": "10:00", "first_name": "Anna", "last_name": "Verdi"}
    bound = BoundAction.of(action, asked, pack.profile, "plan-1-1")
    bound = bound.with_(response={"bookingNumber": "999"}, now={"made": {"bookingNumber": "222"}})
    assert "222" in summary_line(bound) and "999" not in summary_line(bound)
    assert bound.observation() == {"booking_id": "222"}


@pytest.mark.parametrize(("place", "locale"), [(0, "en-GB"), (1, "it-IT")])
@table("pack, name, shown", LEFT_BEHIND)
def test_what_an_undo_leaves_behind_is_reported_beforehand(
    tmp_path: Path, pack: str, name: str, shown: list[tuple[str, str]], place: int, locale: str
) -> None:
    folder = tmp_path / name / pack
    shutil.copytree(ROOT / "overlays" / pack, folder)
    venue = folder / "venue.yaml"
    venue.write_text(re.sub("(?m)^locale: .*$", f"locale: {locale}", venue.read_text()))
    loaded = load_pack(folder)
    action = loaded.actions[name]
    sample: Any = parts_of(read_limited_yaml(folder / "actions" / f"{name}.yaml").data)["sample"]
    activate_locale(locale, loaded.profile.words)
    bound = BoundAction.of(action, sample["call"], loaded.profile, "plan-1-1")
    bound = bound.with_(before=sample["before"], seen={"party_packages": None, "packages": None})
    lines = bound.with_request().preview()
    assert [line.field for line in lines if line.lasting] == [words[place] for words in shown]


AS_ASKED = [
    ("bookeo", "book_lesson", ("named", "customer", "firstName")),
    ("bookeo", "book_lesson", ("named", "customer", "lastName")),
    ("restaurant", "create_booking", ("made", "name")),
    ("restaurant", "create_booking", ("made", "notes")),
    ("calendar", "schedule_meeting", ("made", "title")),
    ("calendar", "schedule_meeting", ("made", "timeZone")),
    ("calendar", "schedule_meeting", ("made", "externalUserName")),
    ("bookeo", "move_booking", ("booking", "endTime")),
    ("bookeo", "move_booking", ("booking", "options", 0, "value")),
    ("bookeo", "change_rider_count", ("booking", "participants", "details", 0, "personId")),
    ("roller", "update_contact", ("guest", "flags")),
    ("roller", "update_contact", ("guest", "acceptMarketing")),
    ("roller", "reschedule_booking", ("items", 0, "tickets", 0, "ticketHolderName")),
    ("roller", "reschedule_booking", ("items", 0, "tickets", 0, "customTicketId")),
    ("roller", "change_guest_count", ("items", 0, "tickets", 0, "ticketHolderName")),
]


@table("pack, name, path", AS_ASKED)
def test_what_was_made_otherwise_is_not_as_asked(pack: str, name: str, path: tuple[str | int, ...]) -> None:
    loaded = shipped(pack)
    action = loaded.actions[name]
    sample: Any = parts_of(read_limited_yaml(ROOT / "overlays" / pack / "actions" / f"{name}.yaml").data)["sample"]
    found = BoundAction.of(action, sample["call"], loaded.profile, "plan-1-1").with_(before=sample["before"])
    assert found.with_(now=sample["after"]).matches_request() is True
    now = copy.deepcopy(sample["after"])
    part: Any = now
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = "another"
    assert found.with_(now=now).matches_request() is False
