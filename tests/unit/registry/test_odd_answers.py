"""One odd row of an answer costs itself only (P5), and a model sees no more than it should (P8). Guarantees:

- a field that cannot be read is left empty and its row stays, because without it another booking could become the only
  match; a row without an id is omitted, and so are rows of a `shape`, which then reports how many;
- an entirely unreadable answer is refused as a whole; on a sample nothing is odd;
- without `output` a model sees ids, names, states and moments, never contact details, secrets or everything.
"""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from registry import BoundAction, Pack, TemplateRenderError
from tests.unit.registry.studio import load, pack_texts

LOOK = """
action: find_lessons
operation: get-lesson
iq_enabled: true
title: Find lessons
description: Find a lesson by its number.
parameters:
  lesson: {in: path.lesson_id, role: booking, describe: The lesson}
"""
ROWS = """
output:
  shape: {for_each: response.seats, value: {id: "{{ item.id }}", who: "{{ item.holder }}"}}
  candidates:
    for_each: response.seats
    value:
      booking_id: "{{ item.id }}"
      guest_name: "{{ item.holder }}"
      guest_count: "{{ item.level | default(none) }}"
      label: "Seat of {{ item.holder }}"
"""


def rows(pack: Pack, *seats: dict[str, Any]) -> list[tuple[str, str, Any, str]]:
    action = pack.actions["find_lessons"]
    found = BoundAction.of(action, {"lesson": "l"}, pack.profile).with_(response={"seats": list(seats)}).candidates()
    return [(b.booking_id, b.guest_name, b.guest_count, b.label) for b in found]


def test_what_cannot_be_read_is_empty_and_its_row_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    pack = load(tmp_path / "studio", LOOK + ROWS)
    with caplog.at_level(logging.WARNING):
        found = rows(
            pack, {"id": "s-1", "holder": "Ann", "level": 3}, {"id": "s-2"}, {"id": 3, "holder": "Bo", "level": "x"}
        )
    assert found == [("s-1", "Ann", 3, "Seat of Ann"), ("s-2", "", None, "s-2"), ("3", "Bo", None, "Seat of Bo")]
    assert "guest_name: left empty" in caplog.text and "Ann" not in caplog.text and "Bo" not in caplog.text


def test_a_row_without_a_label_says_who_and_when(tmp_path: Path) -> None:
    plain = (
        LOOK
        + """
output:
  shape: {for_each: response.seats, value: {id: "{{ item.id }}"}}
  candidates:
    for_each: response.seats
    value: {booking_id: "{{ item.id }}", guest_name: "{{ item.holder }}", date: "2026-11-28", start_time: "15:00"}
"""
    )
    assert rows(load(tmp_path / "studio", plain), {"id": "s-1", "holder": "Ann"})[0][3] == "Ann, Sat 28 Nov 3pm"


def test_a_row_without_an_id_is_left_out(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", LOOK + ROWS)
    assert [row[0] for row in rows(pack, {"holder": "Ann"}, {"id": "s-2", "holder": "Bo"}, {"id": None})] == ["s-2"]
    with pytest.raises(TemplateRenderError):
        rows(pack, {"holder": "Ann"}, {"id": {"a": 1}, "holder": "Bo"})


@pytest.mark.parametrize(
    "made",
    [
        'for_each: response.seats, when: "item.level > 1"',
        "for_each: \"response.seats | sort(attribute='level')\"",
        "for_each: \"response.seats | unique(attribute='level') | sort(attribute='level')\"",
    ],
)
def test_a_row_that_lacks_what_the_list_is_made_by_is_left_out(
    tmp_path: Path, made: str, caplog: pytest.LogCaptureFixture
) -> None:
    value = '{id: "{{ item.id }}", who: "{{ item.holder }}"}'
    row = '{booking_id: "{{ item.id }}", guest_name: "{{ item.holder }}", label: "{{ item.holder }}"}'
    look = f"output:\n  shape: {{{made}, value: {value}}}\n  candidates: {{{made}, value: {row}}}\n"
    pack = load(tmp_path / "studio", LOOK + look)
    seats = [{"id": "s-1", "holder": "Ann", "level": 3}, {"id": "s-2", "holder": "Bo"}]
    with caplog.at_level(logging.WARNING):
        assert [found[0] for found in rows(pack, *seats)] == ["s-1"]
    assert "left out" in caplog.text and "Bo" not in caplog.text
    action = pack.actions["find_lessons"]
    seen = BoundAction.of(action, {"lesson": "l"}, pack.profile).with_(response={"seats": seats}).observation()
    assert seen == [{"id": "s-1", "who": "Ann"}, "1 of the rows could not be read"]


def test_an_empty_id_is_none(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", LOOK + ROWS)
    assert [row[0] for row in rows(pack, {"id": " ", "holder": "Ann"}, {"id": "s-2", "holder": "Bo"})] == ["s-2"]


def test_a_shape_says_how_many_rows_it_lacks(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", LOOK + ROWS)
    action = pack.actions["find_lessons"]
    bound = BoundAction.of(action, {"lesson": "l"}, pack.profile)
    seats: list[Any] = [{"id": "s-1", "holder": "Ann"}, {"id": "s-2"}, {"id": "s-3", "holder": "Bo"}]
    seen = bound.with_(response={"seats": seats}).observation()
    assert seen == [{"id": "s-1", "who": "Ann"}, {"id": "s-3", "who": "Bo"}, "1 of the rows could not be read"]
    with pytest.raises(TemplateRenderError):
        bound.with_(response={"seats": seats[1:2]}).observation()


def test_on_a_sample_nothing_is_odd(tmp_path: Path) -> None:
    pack = load(
        tmp_path / "studio", f"{LOOK}{ROWS}sample: {{call: {{lesson: l}}, response: {{seats: [{{id: s-1}}]}}}}\n"
    )
    assert "find_lessons" not in pack.actions and any("on the sample" in text for text in pack_texts(pack))


def test_without_output_a_model_sees_what_tells_things_apart(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", LOOK)
    assert [text for text in pack_texts(pack) if "output" in text and text.startswith("warning")]
    action = pack.actions["find_lessons"]
    answer: dict[str, Any] = {
        "id": "l-1",
        "bookingNumber": "B-7",
        "status": "open",
        "startsAt": "2026-11-28T14:00:00Z",
        "customer": {
            "id": 5,
            "firstName": "Ann",
            "email": "ann@example.com",
            "phoneNumber": "0400",
            "cardNumber": "4111",
        },
        "notes": "allergic to nuts",
        "accessToken": "t-1",
        "address": {"street": "Main St", "zipCode": "3000", "accountNumber": "99"},
        "seats": [{"id": f"s-{n}", "secret": "x", "memo": "y" * 500} for n in range(40)],
    }
    seen: Any = BoundAction.of(action, {"lesson": "l"}, pack.profile).with_(response=answer).observation()
    text = json.dumps(seen)
    assert (seen["id"], seen["bookingNumber"], seen["status"]) == ("l-1", "B-7", "open")
    assert seen["customer"] == {"id": 5, "firstName": "Ann"} and seen["startsAt"] == "2026-11-28T14:00:00Z"
    assert len(seen["seats"]) == 31 and seen["seats"][-1] == "… 10 more left out"
    for hidden in ("ann@", "0400", "4111", "nuts", "t-1", "Main", "3000", '"99"', "yyy", "secret"):
        assert hidden not in text
    nothing: tuple[Any, ...] = (None, "text", 5, [], {}, {"amount": 4})
    assert all(
        BoundAction.of(action, {"lesson": "l"}, pack.profile).with_(response=one).observation() == {"ok": True}
        for one in nothing
    )
