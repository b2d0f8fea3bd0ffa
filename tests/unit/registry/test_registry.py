"""All packs together.

- Venues are found by id; addresses can be replaced by pack or by venue.
- A refresh loads changed files, gives a new version, and on a broken pack keeps the old one.
- An action is added by files alone: an operation in the document and an overlay beside it.
- Each skipped item is logged with file, line and hint.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

import registry
from registry import BoundAction
from registry.loading.folder_registry import FolderRegistry
from tests.support.shipped import tool_of
from tests.unit.registry.examples import ROLLER, edited

OPERATION = """
  /bookings/{uniqueId}/reminders:
    parameters:
      - {name: uniqueId, in: path, required: true, schema: {type: string}}
    post:
      operationId: send-reminder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [channel]
              properties:
                channel: {enum: [sms, email]}
                minutesBefore: {type: integer}
      responses: {"201": {description: Sent}}
"""
OVERLAY = """
action: send_reminder
operation: send-reminder
iq_enabled: true
title: Send reminder
description: Remind the guest of one booking.
irreversible_note: A reminder that was sent cannot be taken back; call the guest.
parameters:
  booking_id: {in: path.uniqueId, role: booking, describe: The booking to remind of}
  channel: {in: body.channel, role: choice, describe: How to remind}
preview:
  - {label: By, after: "{{ channel }}"}
examples:
  - {say: "text John a reminder", call: {channel: sms}}
"""


def test_venues_and_addresses() -> None:
    house = FolderRegistry([ROLLER], {"roller": "http://127.0.0.1:9001"})
    assert house.default_venue is house.venue("roller-demo")
    assert house.default_venue.profile.base_url == "http://127.0.0.1:9001"
    assert house.venue("nowhere") is None
    moved = FolderRegistry([ROLLER], {"roller-demo": "http://127.0.0.1:9002"})
    assert moved.default_venue.profile.base_url == "http://127.0.0.1:9002"
    assert moved.version == house.version
    with pytest.raises(registry.PackError):
        FolderRegistry([])
    with pytest.raises(registry.PackError, match=r"set for rollr \(IQ_VENUE_URLS\).*did you mean roller\?"):
        FolderRegistry([ROLLER], {"rollr": "http://127.0.0.1:9001"})
    with pytest.raises(registry.PackError, match="did you mean roller"):
        FolderRegistry([ROLLER.with_name("rolller")])
    with pytest.raises(registry.PackError, match="two packs"):
        FolderRegistry([ROLLER, ROLLER])


def test_an_action_is_added_by_files_alone(folder: Path) -> None:
    house = FolderRegistry([folder])
    before = house.version
    assert house.refresh() == before
    document = folder / "openapi.yaml"
    text = document.read_text(encoding="utf-8").replace("\npaths:\n", f"\npaths:{OPERATION}", 1)
    document.write_text(text, encoding="utf-8")
    (folder / "actions" / "send_reminder.yaml").write_text(OVERLAY, encoding="utf-8")
    old = house.default_venue
    after = house.refresh()
    assert after != before
    assert house.version == after
    assert "send_reminder" not in old.actions
    action = house.default_venue.actions["send_reminder"]
    schema = tool_of(action)["function"]["parameters"]
    assert schema["properties"]["channel"]["enum"] == ["sms", "email"]
    assert schema["required"] == ["booking_id", "channel"]
    request = BoundAction.of(action, {"booking_id": "8231", "channel": "sms"}).request()
    assert (request.method, request.path, request.body) == ("POST", "/bookings/8231/reminders", {"channel": "sms"})


def test_a_failed_refresh_keeps_what_was_loaded(folder: Path) -> None:
    house = FolderRegistry([folder])
    version, pack = house.version, house.default_venue
    (folder / "venue.yaml").write_text("venue_id: [", encoding="utf-8")
    with pytest.raises(registry.PackError):
        house.refresh()
    assert house.version == version
    assert house.default_venue is pack


def test_findings_are_logged(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = edited("edit_note", {"safety: normal": "safty: normal"})
    (folder / "actions" / "edit_note.yaml").write_text(text, encoding="utf-8")
    with caplog.at_level(logging.INFO, logger="registry"):
        FolderRegistry([folder])
    (record,) = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert "roller/actions/edit_note.yaml:" in record.message
    assert "did you mean safety?" in record.message


def test_definitions_survive_the_trip_through_json(pack: registry.Pack) -> None:
    for action in pack.actions.values():
        assert type(action).model_validate_json(action.model_dump_json()) == action


def test_two_venues(tmp_path: Path, load: Callable[..., registry.Pack]) -> None:
    second = Path(copytree(ROLLER, tmp_path / "second"))
    venue = second / "venue.yaml"
    venue.write_text(
        venue.read_text(encoding="utf-8").replace("venue_id: roller-demo", "venue_id: other"), encoding="utf-8"
    )
    house = FolderRegistry([ROLLER, second])
    other = house.venue("other")
    assert other is not None
    assert {a.pack for a in other.actions.values()} == {"second"}
