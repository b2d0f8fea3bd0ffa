"""An operator's and a model's view of an action.

- Preview lines show before → after and omit what stays; summaries list what changed.
- Look-ups become booking candidates with a label; answers are cut down to what the overlay shows.
- Refusals find the most specific rule, its text and real alternatives, at most five, nearest first.
"""

import pytest

import registry
from contracts.base import Json
from contracts.enums import ErrorType
from registry import BoundAction
from registry.presentation.error_rules import error_rule
from registry.presentation.preview import summary_line
from tests.unit.registry.examples import BOOKING, GUEST

TICKETS = ("Tickets", None, "new ticket numbers: a ticket that was printed or sent may not be valid any more")


def bind(pack: registry.Pack, name: str, before: Json = None, **arguments: Json) -> BoundAction:
    return BoundAction.of(pack.actions[name], arguments, pack.profile).with_(before=before)


def lines(pack: registry.Pack, name: str, before: Json, **arguments: Json) -> list[tuple[str, str | None, str]]:
    found = bind(pack, name, before, booking_id="8231", **arguments).preview()
    return [(line.field, line.before, line.after) for line in found]


def test_previews(pack: registry.Pack) -> None:
    assert lines(pack, "reschedule_booking", BOOKING, new_date="2026-12-05", new_start_time="15:30") == [
        ("When", "Sat 28 Nov 2026, 2pm", "Sat 5 Dec 2026, 3:30pm"),
        TICKETS,
    ]
    assert lines(pack, "change_guest_count", BOOKING, guest_count=14) == [("Guests", "12", "14"), TICKETS]
    contact = {"booking": BOOKING, "guest": GUEST}
    assert lines(pack, "update_contact", contact, email="j@new.com") == [("E-mail", "john@example.com", "j@new.com")]
    assert lines(pack, "edit_note", {**BOOKING, "comments": ""}, note="late") == [("Note", "", "late")]
    assert lines(pack, "cancel_booking", BOOKING)[0] == (
        "Booking", "John Smith, Sat 28 Nov 2026, 2pm", "Cancelled for good",
    )  # fmt: skip


def test_a_step_that_changes_nothing_still_shows_its_line(pack: registry.Pack) -> None:
    assert lines(pack, "change_guest_count", BOOKING, guest_count=12) == [("Guests", "12", "12"), TICKETS]


def test_what_a_step_is_meant_to_change_leaves_out_what_it_brings_along(pack: registry.Pack) -> None:
    """A line whose package has choices is added again, and loses them: that alone is no reason to send the change."""
    party = {"products": [{"id": "61001", "packageItems": [{"id": "1"}]}]}
    bound = bind(pack, "change_guest_count", BOOKING, booking_id="8231", guest_count=12)
    bound = bound.with_(seen={"party_packages": [party], "packages": []})
    assert [line.field for line in bound.preview()] == ["Guests", "Extras", "Tickets"]
    intended = bound.goal_lines()
    assert [(line.field, line.before, line.after) for line in intended] == [("Guests", "12", "12")]


def test_what_hangs_on_the_old_tickets_is_reported_as_lost(pack: registry.Pack) -> None:
    items = [{**item, "tickets": [{"ticketId": "8231-1", "signedWaiverId": 7}]} for item in BOOKING["items"]]
    shown = lines(pack, "change_guest_count", {**BOOKING, "items": items}, guest_count=14)
    assert shown[-1][2] == f"{TICKETS[2]}; waivers, photos and memberships on the old ones are not carried over"


def test_summaries(pack: registry.Pack) -> None:
    bound = bind(pack, "change_guest_count", BOOKING, booking_id="8231", guest_count=14)
    text = summary_line(bound)
    assert text == "John Smith (booking 8231) is now for 14 guests, before 12."
    moved = bind(pack, "reschedule_booking", BOOKING, booking_id="8231", new_start_time="15:00")
    assert summary_line(moved).endswith("Sat 28 Nov 2026, 3pm.")
    assert summary_line(bound.with_(action=pack.actions["find_bookings"])) == "Find bookings"


FOUND = {
    "bookings": [
        {
            "uniqueId": "u-1", "bookingReference": "8231", "name": "Emma Brown", "status": "PaidFull", "total": 9,
            "customerFlags": [{"type": "Medical"}],
            "items": [{"productId": 1, "quantity": 12, "bookingDate": "2026-11-28", "startTime": "15:00"}],
        },
        {"uniqueId": "u-2", "bookingReference": 8232, "name": None, "status": "PaidPart", "items": []},
    ]
}  # fmt: skip


def test_candidates_of_a_search(pack: registry.Pack) -> None:
    bound = bind(pack, "find_bookings", keywords="Emma")
    first, second = bound.with_(response=FOUND).candidates()
    assert first.label == "Emma Brown, Sat 28 Nov 3pm, 12 guests"
    assert (first.booking_id, first.reference, first.guest_name) == ("u-1", "8231", "Emma Brown")
    assert (first.date, first.start_time, first.guest_count, first.status) == ("2026-11-28", "15:00", 12, "PaidFull")
    assert (second.reference, second.label, second.date) == ("8232", "Booking", None)
    assert bound.with_(response={"bookings": []}).candidates() == []
    seen = bound.with_(response=FOUND).observation()
    assert seen[0]["booking_id"] == "u-1"
    assert "customerFlags" not in seen[0]


def test_candidate_of_one_booking(pack: registry.Pack) -> None:
    (row,) = bind(pack, "get_booking", booking_id="8231").with_(response=BOOKING).candidates()
    assert row.booking_id == "7d0c-1"
    assert row.label == "John Smith, Sat 28 Nov 2pm, 12 guests"
    assert bind(pack, "edit_note").with_(response={}).candidates() == []


def session(start: str, left: int | None, **more: Json) -> dict[str, Json]:
    allocations = [{"productId": "61001", "capacityRemaining": left}, {"productId": "61002", "capacityRemaining": 0}]
    return {"startTime": start, "capacityRemaining": left, "onlineSalesOpen": True, "allocations": allocations} | more


AVAILABLE = [
    {
        "parentProductId": "610", "parentProductName": "Party",
        "sessions": [
            session("10:00", 40), session("15:00", 0), session("14:30", None), session("15:30", 20),
            session("16:00", 11), session("17:00", 12), session("18:00", 13), session("19:00", 14),
            session("15:15", 90, onlineSalesOpen=False),
        ],
    },
    {"parentProductId": "620", "parentProductName": "Other", "sessions": [session("15:05", 50, allocations=[])]},
]  # fmt: skip


def test_alternatives(pack: registry.Pack) -> None:
    action = pack.actions["reschedule_booking"]
    bound = bind(pack, "reschedule_booking", BOOKING, booking_id="8231", new_date="2026-12-05", new_start_time="15:00")
    rule = error_rule(action, 409, "VenueCapacity")
    assert rule is not None
    assert rule.alternatives is not None
    assert bound.read(rule.alternatives).query == (("Date", "2026-12-05"),)
    assert tuple(a.label for a in bound.alternatives(rule, AVAILABLE)) == (
        "2:30pm", "3:30pm (20 places)", "5pm (12 places)", "6pm (13 places)", "7pm (14 places)",
    )  # fmt: skip
    assert bound.rule_message(rule) == "There is not enough room for 12 guests at that time."
    assert bound.rule_suggestions(rule) == ("Pick another time or another day.",)


@pytest.mark.parametrize(
    ("status", "code", "says"),
    [
        (409, "LocationFullyBooked", "not enough room"),
        (409, "SessionNotAvailable", "no session"),
        (409, "SomethingNew", "has changed"),
        (409, None, "has changed"),
    ],
)
def test_the_most_specific_rule_wins(pack: registry.Pack, status: int, code: str | None, says: str) -> None:
    rule = error_rule(pack.actions["reschedule_booking"], status, code)
    assert rule is not None
    assert says in str(rule.message)
    assert rule.error_type is ErrorType.CONFLICT


def test_rules_of_cancel(pack: registry.Pack) -> None:
    action = pack.actions["cancel_booking"]
    refused = error_rule(action, 403, None)
    assert refused is not None
    bound = bind(pack, "cancel_booking", BOOKING, booking_id="8231")
    assert "made through the API" in str(bound.rule_message(refused))
    assert bound.rule_suggestions(refused) == ("Cancel booking 8231 in Venue Manager instead.",)
    assert error_rule(action, 500, None) is None


def test_availability_as_a_model_sees_it(pack: registry.Pack) -> None:
    seen = bind(pack, "check_availability").with_(response=AVAILABLE).observation()
    assert seen[0]["product"] == "Party"
    assert seen[0]["sessions"][2] == {"start_time": "14:30", "places_left": None}


def test_what_is_outside_its_sale_period_is_not_reported_as_free(pack: registry.Pack) -> None:
    closed = {"parentProductName": "Closed", "sessions": [session("15:30", 90, onlineSalesOpen=False)]}
    given = {"date": "2026-11-28", "start_time": "15:30"}
    bound = bind(pack, "check_availability", **given)
    assert bound.with_(response=[*AVAILABLE, closed]).answer_text().endswith("there is room. Party: 20 places.")
    assert bound.with_(response=[closed]).answer_text().endswith("there is no room on sale.")
    at_a_quarter = bind(pack, "check_availability", **{**given, "start_time": "15:15"})
    assert (
        "there is no room on sale then. Free that day: 3:05pm, 3:30pm"
        in at_a_quarter.with_(response=AVAILABLE).answer_text()
    )


def test_days_and_times_follow_the_venue_language(pack: registry.Pack) -> None:
    bound = bind(pack, "reschedule_booking", BOOKING, booking_id="8231", new_start_time="15:30")
    italian = bound.with_(venue={**bound.venue, "locale": "it-IT"})
    line, _ = italian.preview()
    assert (line.before, line.after) == ("sabato 28 novembre 2026, 14:00", "sabato 28 novembre 2026, 15:30")
