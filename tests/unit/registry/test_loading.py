"""Loading a pack.

- The ROLLER pack loads without findings, with its eight actions and its check request.
- A broken overlay costs only itself, and its finding names file, line, key and the nearest valid name.
- A sentence that a comma splits in two is found.
- Words for a value (`phrases`) belong to a value that the parameter can have.
- A broken operation costs only the actions that use it.
- A disabled or blocked action loads nowhere and is no error; a compensation may not name it.
- A reversible action needs a snapshot and a request that undoes it; a required parameter needs a value.
- `verify` must be false on the sample's `before` and true on its `after`.
- A pack that cannot be read raises PackError with a clear message.
"""

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

import registry
from contracts.action import Finding
from contracts.enums import SafetyTier
from registry import BoundAction
from registry.loading.load import load_pack
from tests.unit.registry.examples import MINIMAL, ROLLER, edited

Load = Callable[..., registry.Pack]

ACTIONS = {
    "find_bookings", "get_booking", "check_availability", "reschedule_booking", "change_guest_count",
    "update_contact", "edit_note", "cancel_booking",
}  # fmt: skip


def errors(pack: registry.Pack) -> list[Finding]:
    return [f for f in pack.findings if f.level == "error"]


def test_the_roller_pack_loads_clean(pack: registry.Pack) -> None:
    assert set(pack.actions) == ACTIONS
    assert pack.findings == ()
    assert pack.skipped == ()
    assert (pack.check.method, pack.check.path) == ("GET", "/venues/me")
    assert pack.profile.pack == "roller"
    assert pack.profile.time_zone == "Australia/Melbourne"


def test_safety_and_reversibility(pack: registry.Pack) -> None:
    writes = {name for name, action in pack.actions.items() if not action.read_only}
    assert writes == {"reschedule_booking", "change_guest_count", "update_contact", "edit_note", "cancel_booking"}
    assert {n for n, a in pack.actions.items() if a.reversible} == writes - {"cancel_booking"}
    assert pack.actions["cancel_booking"].safety is SafetyTier.HIGH_RISK


def test_loading_holds_back_the_garbage_collector_only_meanwhile() -> None:
    load_pack(ROLLER)
    assert gc.isenabled()


def test_base_url_can_be_replaced() -> None:
    assert load_pack(ROLLER, base_url="http://127.0.0.1:8001/").profile.base_url == "http://127.0.0.1:8001"


def test_a_misspelt_key_is_found_with_its_line(load: Load) -> None:
    pack = load(
        reschedule_booking=edited("reschedule_booking", {"    idsToRemove: {for_each": "    idsToRemve: {for_each"})
    )
    (finding, *_) = errors(pack)
    assert finding.file == "roller/actions/reschedule_booking.yaml"
    assert finding.message.startswith("request.body.idsToRemve")
    assert finding.hint == "did you mean idsToRemove?"
    text = edited("reschedule_booking", {}).splitlines()
    assert finding.line is not None
    assert "idsToRemove" in text[finding.line - 1]
    assert set(pack.actions) == ACTIONS - {"reschedule_booking"}
    assert pack.skipped == ("reschedule_booking",)


@pytest.mark.parametrize(
    ("changes", "key", "hint"),
    [
        ({"safety: normal": "safty: normal"}, "safty", "did you mean safety?"),
        ({"safety: normal": "safety: norml"}, "safety", "did you mean normal?"),
        ({"role: count": "role: cuont"}, "parameters.guest_count.role", "did you mean count?"),
        ({"role: count,": "roll: count,"}, "parameters.guest_count.roll", "did you mean role?"),
        ({"operation: update-a-booking\niq": "operation: updat-booking\niq"}, "operation", "update-a-booking"),
        ({"in: path.uniqueId": "in: path.uniqeId"}, "parameters.booking_id.in", "did you mean path.uniqueId?"),
        ({"with: {uniqueId:": "with: {uniqueID:"}, "snapshot.with.uniqueID", "did you mean uniqueId?"),
        (
            {"{{ guest_count if": "{{ guest_cont if"},
            "request.body.newItems.value.quantity",
            "did you mean guest_count?",
        ),
        ({"| plural('guest', 'guests') }}, before": "| plurl('guest', 'guests') }}, before"}, "summary", ""),
        ({"verify:\n  same:": "verify:\n  saem:"}, "verify.saem", "did you mean same?"),
    ],
)
def test_each_mistake_names_its_key_and_the_way_out(load: Load, changes: dict[str, str], key: str, hint: str) -> None:
    pack = load(change_guest_count=edited("change_guest_count", changes))
    assert "change_guest_count" not in pack.actions
    assert len(pack.actions) == len(ACTIONS) - 1
    matching = [f for f in errors(pack) if f.message.startswith(f"{key}:")]
    assert matching, errors(pack)
    assert hint in matching[0].hint


def test_not_yaml_costs_one_file(load: Load) -> None:
    pack = load(edit_note="action: [unclosed\ntitle: x")
    assert set(pack.actions) == ACTIONS - {"edit_note"}
    assert errors(pack)[0].line is not None


def test_a_sentence_parted_at_its_comma_is_found(load: Load) -> None:
    quoted = '["Choose fewer guests, or move the booking to a time with more room."]'
    text = edited("change_guest_count", {quoted: quoted.replace('"', "")})
    (finding,) = load(change_guest_count=text).findings
    assert finding.level == "warning"
    assert "'Choose fewer guests'" in finding.message
    assert finding.line is not None
    assert "suggestions: [Choose" in text.splitlines()[finding.line - 1]


def test_a_key_written_twice_is_an_error(load: Load) -> None:
    pack = load(edit_note=edited("edit_note", {"safety: normal": "safety: normal\nsafety: normal"}))
    assert "edit_note" not in pack.actions
    assert "twice" in errors(pack)[0].message


def test_one_broken_operation_costs_only_its_actions(folder: Path) -> None:
    document = folder / "openapi.yaml"
    text = document.read_text(encoding="utf-8")
    assert "operationId: cancel-a-booking" in text
    start = text.index("operationId: cancel-a-booking")
    broken = text[:start] + text[start:].replace("schema: {", "schema: {minLength: many, ", 1).replace(
        '"#/components/schemas/BookingCancel"', '"#/components/schemas/BookingCancle"', 1
    )
    document.write_text(broken, encoding="utf-8")
    pack = load_pack(folder)
    assert set(pack.actions) == ACTIONS - {"cancel_booking"}
    (finding,) = errors(pack)
    assert "BookingCancle" in finding.message
    assert "BookingCancel" in finding.hint
    assert finding.pointer.startswith("/paths/")


def test_only_enabled_actions_load(load: Load) -> None:
    pack = load(
        edit_note=edited("edit_note", {"iq_enabled: true": "iq_enabled: false"}),
        update_contact=edited("update_contact", {"iq_enabled: true\n": ""}),
    )
    assert set(pack.actions) == ACTIONS - {"edit_note", "update_contact"}
    assert errors(pack) == []
    assert pack.skipped == ("edit_note", "update_contact")


def test_blocked_loads_nowhere_and_is_no_error(load: Load) -> None:
    pack = load(cancel_booking=edited("cancel_booking", {"safety: high_risk": "safety: blocked"}))
    assert "cancel_booking" not in pack.actions
    assert errors(pack) == []
    assert [f.level for f in pack.findings] == ["info"]


def named_compensation(other: str, inputs: str) -> str:
    """Return the note action with another action as its undo."""
    text = edited("edit_note", {})
    start, end = text.index("compensation:"), text.index("preview:")
    undo = f"compensation:\n  action: {other}\n  with: {inputs}\n  manual: Put the old note back.\n"
    return text[:start] + undo + text[end:]


@pytest.mark.parametrize(("state", "why"), [("blocked", "blocked"), ("disabled", "not enabled"), ("gone", "not there")])
def test_a_compensation_must_be_usable(load: Load, folder: Path, state: str, why: str) -> None:
    name = "put_note_back"
    note = edited("edit_note", {"action: edit_note": f"action: {name}"})
    if state == "blocked":
        note = note.replace("safety: normal", "safety: blocked")
    if state == "disabled":
        note = note.replace("iq_enabled: true", "iq_enabled: false")
    if state != "gone":
        (folder / "actions" / f"{name}.yaml").write_text(note, encoding="utf-8")
    pack = load(edit_note=named_compensation(name, "{note: x}"))
    assert "edit_note" not in pack.actions
    assert why in errors(pack)[0].message


def test_another_action_can_be_the_undo(load: Load) -> None:
    note = edited("edit_note", {"action: edit_note": "action: put_note_back"})
    inputs = '{note: "{{ before.comments }}", replace: true}'
    pack = load(put_note_back=note, edit_note=named_compensation("put_note_back", inputs))
    action = pack.actions["edit_note"]
    bound = BoundAction.of(action, {"booking_id": "b-1", "note": "new"}).with_(
        before={"comments": "old", "status": "Paid"}, now={"comments": "old\nnew", "status": "Paid"}
    )
    undo = bound.compensation()
    assert undo is not None
    assert (undo.method, undo.path, undo.body) == ("PUT", "/bookings/b-1", {"comments": "old"})


def test_reversible_needs_snapshot_and_request(load: Load) -> None:
    text = edited("edit_note", {})
    without_undo = text[: text.index("compensation:")] + "reversible: true\n" + text[text.index("preview:") :]
    pack = load(edit_note=without_undo)
    assert any("compensation" in f.message for f in errors(pack))
    claimed = load(cancel_booking=edited("cancel_booking", {"reversible: false": "reversible: true"}))
    assert "cancel_booking" not in claimed.actions


def test_every_required_parameter_needs_a_value(load: Load) -> None:
    body = load(
        cancel_booking=edited(
            "cancel_booking", {'request:\n  body:\n    issueRefund: "{{ issue_refund or false }}"\n': ""}
        )
    )
    assert any("body.issueRefund" in f.message or "requires" in f.message for f in errors(body))
    query = load(check_availability=edited("check_availability", {"in: query.Date, ": ""}))
    assert any("query.Date" in f.message for f in errors(query))


def test_a_bound_value_stands_for_a_required_one(load: Load) -> None:
    text = edited("check_availability", {"  date: {in: query.Date, role: date, describe: The day to look at}\n": ""})
    text = text.replace("output:", 'bound: {query.Date: "2026-11-28"}\noutput:')
    text = text[: text.index("# What an operator is told")]
    action = load(check_availability=text).actions["check_availability"]
    request = BoundAction.of(action, {}).request()
    assert request.query == (("Date", "2026-11-28"),)


@pytest.mark.parametrize("parameter", ["api_token", "card_number", "cvv", "password", "apiKey"])
def test_sensitive_parameters_are_never_exposed(folder: Path, parameter: str) -> None:
    document = folder / "openapi.yaml"
    text = document.read_text(encoding="utf-8").replace(
        "        - name: startTime\n          in: query\n", f"        - name: {parameter}\n          in: query\n", 1
    )
    document.write_text(text, encoding="utf-8")
    overlay = edited("find_bookings", {"in: query.startTime": f"in: query.{parameter}"})
    (folder / "actions" / "find_bookings.yaml").write_text(overlay, encoding="utf-8")
    pack = load_pack(folder)
    assert "find_bookings" not in pack.actions
    assert any("sensitive" in f.message for f in errors(pack))


def test_verify_is_tried_on_the_sample(load: Load) -> None:
    always = load(
        cancel_booking=edited("cancel_booking", {"    - now.status == 'Cancelled'\n": "    - now is not none\n"})
    )
    assert any("before anything was done" in f.message for f in errors(always))
    never = load(cancel_booking=edited("cancel_booking", {"now.status == 'Cancelled'": "now.status == 'Deleted'"}))
    assert any("`after`" in f.message for f in errors(never))


def test_examples_must_be_valid_calls(load: Load) -> None:
    pack = load(change_guest_count=edited("change_guest_count", {"call: {guest_count: 20}": "call: {guests: 20}"}))
    assert any(f.message.startswith("examples.1.call") for f in errors(pack))


def test_a_name_that_templates_use_is_taken(load: Load) -> None:
    pack = load(look=MINIMAL.format(name="look").replace("booking_id", "before"))
    assert any(f.message.startswith("parameters.before") for f in errors(pack))


def test_two_files_with_one_action(load: Load) -> None:
    pack = load(another=MINIMAL.format(name="get_booking"))
    assert "get_booking" in pack.actions
    assert any("already defines" in f.message for f in errors(pack))


def test_packs_that_cannot_be_used(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(registry.PackError, match="no pack folder"):
        load_pack(tmp_path / "nowhere")
    venue = folder / "venue.yaml"
    kept = venue.read_text(encoding="utf-8")
    venue.write_text(kept.replace("time_zone", "timezone"), encoding="utf-8")
    with pytest.raises(registry.PackError, match=r"timezone|time_zone"):
        load_pack(folder)
    venue.write_text(kept.replace("get-venue-detail", "get-venue"), encoding="utf-8")
    with pytest.raises(registry.PackError, match="did you mean get-venue-detail"):
        load_pack(folder)
    venue.unlink()
    with pytest.raises(registry.PackError, match=r"venue\.yaml"):
        load_pack(folder)
    (folder / "openapi.yaml").write_text("swagger: '2.0'\npaths: {}", encoding="utf-8")
    with pytest.raises(registry.PackError, match="convert"):
        load_pack(folder)


@pytest.mark.parametrize(
    ("action", "changes", "key", "hint"),
    [
        ("cancel_booking", {"      Cash: [cash": "      Cas: [cash"}, "parameters.refund_type.phrases.Cas", "Cash?"),
        ("cancel_booking", {"      true:\n": "      yes:\n"}, "parameters.issue_refund.phrases.yes", "false, true"),
        ("cancel_booking", {"[cash, contanti]": "[]"}, "parameters.refund_type.phrases.Cash", "list the words"),
        ("edit_note", {"to write}": "to write, phrases: {a: [b]}}"}, "parameters.note.phrases", "leave `phrases` out"),
    ],
)  # fmt: skip
def test_words_that_say_a_value_belong_to_one(
    load: Load, action: str, changes: dict[str, str], key: str, hint: str
) -> None:
    pack = load(**{action: edited(action, changes)})
    assert action not in pack.actions
    matching = [f for f in errors(pack) if f.message.startswith(f"{key}:")]
    assert matching, errors(pack)
    assert hint in matching[0].hint
