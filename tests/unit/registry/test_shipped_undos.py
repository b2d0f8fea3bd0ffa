"""What the shipped packs count as done, as undone and as the plan's own, where somebody else was at the same booking.

- A table that was moved meanwhile is not cancelled; one that was booked again is only the same table as before.
- A lesson's number of riders is put back alone while nobody has entered names since.
- Of a guest only those fields are put back that the plan set: what staff changed beside them stays.
- What their undo does not bring back of a table or of a new lesson is told before it is confirmed, in both languages.
- A new lesson is named by the number that was found, not by the one in the answer.
- What was made for somebody else, or with another note, is not what was asked for.
"""

import copy
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from contracts.action import AtomicAction
from infra.config.settings import ROOT
from language.messages.catalogue import activate_locale
from registry import (
    Scope,
    build_request,
    compensation_request,
    is_undone,
    load_pack,
    matches_request,
    observation,
    own_changes_removed,
    own_changes_separable,
    preview_lines,
)
from registry.openapi.schema_reading import parts_of
from registry.overlays.yaml_file import read_limited_yaml
from registry.presentation.preview import summary_line
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
]

TABLE: dict[str, Any] = {
    "booking_id": "b-1", "day": "2026-12-03", "time": "20:00", "people": 4, "name": "Anna", "phone": "+393331234567",
    "notes": None, "status": "approved", "live": True,
}  # fmt: skip
CANCELLED = {**TABLE, "status": "canceled", "live": False}


def cancelled(booking: Any, *table: Any) -> tuple[AtomicAction, Scope]:
    """A cancellation, with the booking and the day's table as they are now."""
    pack = shipped("restaurant")
    action = pack.actions["cancel_booking"]
    scope = Scope.of(action, {"booking_id": "b-1"}, pack.profile, "plan-1-1")
    return action, scope.with_(before={"booking": TABLE}, now={"booking": booking, "table": {"bookings": list(table)}})


@pytest.mark.parametrize(
    ("booking", "done"),
    [(CANCELLED, True), (None, True), (TABLE, False), ({**TABLE, "time": "21:00"}, False)],
    ids=["kept as cancelled", "forgotten", "as before", "moved by its guest"],
)
def test_a_table_is_cancelled_where_its_booking_is(booking: Any, done: bool) -> None:
    assert matches_request(*cancelled(booking)) is done


@pytest.mark.parametrize(
    ("table", "back"),
    [
        ([{**TABLE, "booking_id": "b-2"}], True),
        ([{**TABLE, "booking_id": "b-2", "people": 2}], False),
        ([{**TABLE, "booking_id": "b-2", "live": False}], False),
        ([], False),
    ],
    ids=["the same", "the guest's own, for two", "cancelled, too", "none"],
)
def test_a_cancellation_is_undone_where_the_same_table_is_booked_again(table: list[Any], back: bool) -> None:
    action, scope = cancelled(CANCELLED, *table)
    assert own_changes_removed(action, scope) is back


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
    assert own_changes_separable(*cancelled(booking, *table)) is stands


def riders(number: int, *names: str) -> dict[str, Any]:
    """A lesson of so many riders, some of them by name."""
    details = [{"personId": n, "peopleCategoryId": "Cadults", "categoryIndex": i} for i, n in enumerate(names, 1)]
    numbers = [{"peopleCategoryId": "Cadults", "number": number}]
    return {"booking": {"canceled": False, "participants": {"numbers": numbers, "details": details}}}


@pytest.mark.parametrize(("names", "stands"), [((), True), (("Ann", "Ben", "Cem"), False)])
def test_names_that_were_entered_since_are_not_taken_out_with_the_number(names: tuple[str, ...], stands: bool) -> None:
    pack = shipped("bookeo")
    action = pack.actions["change_rider_count"]
    scope = Scope.of(action, {"booking_id": "2611281530417", "rider_count": 3}, pack.profile, "plan-1-1")
    scope = scope.with_(before=riders(2), left=riders(3), now=riders(3, *names))
    assert not is_undone(action, scope)
    assert own_changes_separable(action, scope) is stands


def test_of_a_guest_only_what_the_plan_set_is_put_back() -> None:
    pack = shipped("roller")
    action = pack.actions["update_contact"]
    scope = Scope.of(action, {"booking_id": "b-1", "phone": "0400 000 111"}, pack.profile, "plan-1-1")
    guest = {"firstName": "Anna", "lastName": "Verdi", "email": "anna@old.example", "phone": "0412 345 678"}
    left, by_staff = {**guest, "phone": "0400 000 111"}, {"email": "anna@new.example"}
    documents = [{"booking": {"customerId": 7}, "guest": one} for one in (guest, left, {**left, **by_staff})]
    scope = scope.with_(before=documents[0], left=documents[1], now=documents[2])
    assert own_changes_separable(action, scope)
    assert compensation_request(action, scope, own_part=True).body == {**guest, **by_staff}


def test_a_lesson_is_named_by_the_number_that_was_found() -> None:
    pack = shipped("bookeo")
    action = pack.actions["book_lesson"]
    asked = {"date": "2026-12-05", "start_time": "10:00", "first_name": "Anna", "last_name": "Verdi"}
    scope = Scope.of(action, asked, pack.profile, "plan-1-1")
    scope = scope.with_(response={"bookingNumber": "999"}, now={"made": {"bookingNumber": "222"}})
    assert "222" in summary_line(action, scope) and "999" not in summary_line(action, scope)
    assert observation(action, scope.response, scope) == {"booking_id": "222"}


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
    scope = Scope.of(action, sample["call"], loaded.profile, "plan-1-1").with_(before=sample["before"])
    lines = preview_lines(action, scope.with_(request=build_request(action, scope)))
    assert [line.field for line in lines if line.lasting] == [words[place] for words in shown]


AS_ASKED = [
    ("bookeo", "book_lesson", ("named", "customer", "firstName")),
    ("bookeo", "book_lesson", ("named", "customer", "lastName")),
    ("restaurant", "create_booking", ("made", "name")),
    ("restaurant", "create_booking", ("made", "notes")),
]


@table("pack, name, path", AS_ASKED)
def test_what_was_made_otherwise_is_not_as_asked(pack: str, name: str, path: tuple[str, ...]) -> None:
    loaded = shipped(pack)
    action = loaded.actions[name]
    sample: Any = parts_of(read_limited_yaml(ROOT / "overlays" / pack / "actions" / f"{name}.yaml").data)["sample"]
    found = Scope.of(action, sample["call"], loaded.profile, "plan-1-1").with_(before=sample["before"])
    assert matches_request(action, found.with_(now=sample["after"])) is True
    now = copy.deepcopy(sample["after"])
    part = now
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = "another"
    assert matches_request(action, found.with_(now=now)) is False
