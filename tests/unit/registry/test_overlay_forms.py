"""Forms of an overlay beyond one value for one place:

- a number of equal things from a count; a cleared field; an object that is given in parts, each required part by
  itself; an idempotency key as the UUID that an API requires, the same at every attempt;
- the code for a full session is a conflict whatever its status, so that the fallback runs.
"""

import shutil
from copy import deepcopy
from pathlib import Path
from uuid import UUID

import pytest

from contracts.enums import ErrorType
from infra.config.settings import ROOT
from registry import BoundAction, TemplateRenderError
from registry.loading.load import load_pack
from registry.presentation.error_rules import error_rule
from registry.templating.templates import MOST_TIMES, render_tree
from tests.unit.registry.studio import DOCUMENT, OVERLAY, load, pack_texts

CALL = {"lesson": "l-1", "new_date": "2026-11-28", "new_time": "15:00"}


def test_so_many_like_things_from_a_count() -> None:
    tree = {"for_each": "guests", "value": {"holder": "Guest {{ index + 1 }}"}}
    assert render_tree(tree, {"guests": 3}, "x") == [{"holder": f"Guest {n}"} for n in (1, 2, 3)]
    assert render_tree(tree, {"guests": 0}, "x") == []
    for wrong in (-1, MOST_TIMES + 1, True, 2.5, "3", None):
        with pytest.raises(TemplateRenderError):
            render_tree(tree, {"guests": wrong}, "x")


def test_a_field_is_cleared_when_the_operator_says_so(tmp_path: Path) -> None:
    clearing = OVERLAY.replace(
        "  new_time: {",
        "  no_note: {type: boolean, required: false, not_readable: notes are hidden, phrases: {true: [no note]}}\n"
        "  new_time: {",
    ).replace("    startsAt: ", "    note: {when: no_note, value: null}\n    startsAt: ", 1)
    clearing = clearing.replace(
        "sample:\n", "  - {label: Note, after: \"{{ 'cleared' if no_note else '' }}\"}\nsample:\n"
    )
    pack = load(tmp_path / "studio", clearing)
    assert pack_texts(pack) == []
    action = pack.actions["move_lesson"]
    before = {"startsAt": "2026-11-27T09:00:00Z"}
    sent = BoundAction.of(action, {**CALL, "no_note": True}, pack.profile).with_(before=before).request().body
    assert sent == {"note": None, "startsAt": "2026-11-28T14:00:00Z"}
    kept = BoundAction.of(action, CALL, pack.profile).with_(before=before).request().body
    assert kept == {"startsAt": "2026-11-28T14:00:00Z"}


def test_an_object_is_given_in_parts(tmp_path: Path) -> None:
    both = OVERLAY.replace(
        "parameters:\n",
        "parameters:\n  first: {in: body.contact.firstName, required: true, not_readable: contacts are not shown}\n"
        "  last: {in: body.contact.lastName, required: true, not_readable: contacts are not shown}\n",
    ).replace("call: {lesson: l-1,", "call: {lesson: l-1, first: Ann, last: Lee,")
    name = '  - {label: Name, after: "{{ request.body.contact.firstName }} {{ last }}"}\n'
    both = both.replace("sample:\n", f"{name}sample:\n")
    pack = load(tmp_path / "a", both)
    assert pack_texts(pack) == []
    action = pack.actions["move_lesson"]
    call = {**CALL, "first": "Ann", "last": "Lee"}
    body = BoundAction.of(action, call, pack.profile).with_(before={}).request().body
    assert isinstance(body, dict) and body["contact"] == {"firstName": "Ann", "lastName": "Lee"}


def test_a_required_object_needs_all_its_required_parts(tmp_path: Path) -> None:
    document = deepcopy(DOCUMENT)
    body = document["paths"]["/lessons/{lesson_id}"]["patch"]["requestBody"]
    body["content"]["application/json"]["schema"]["required"] = ["contact"]
    whole = OVERLAY.replace(
        "parameters:\n",
        "parameters:\n  first: {in: body.contact.firstName, required: true, not_readable: contacts are not shown}\n",
    )
    texts = pack_texts(load(tmp_path / "studio", whole.replace("l-1,", "l-1, first: Ann,", 1), document=document))
    assert any("requires body.contact.lastName, which nothing gives" in text for text in texts), texts
    assert not any("requires body.contact," in text for text in texts)


@pytest.mark.parametrize("written", ["idempotency_header: Request-Id\n", "marker_format: uuid\n"])
def test_a_marker_in_the_form_that_the_api_wants(tmp_path: Path, written: str) -> None:
    """The first by the document, which declares `format: uuid` for that header; the second by the overlay."""
    marked = f"{OVERLAY}{written}"
    if "marker_format" in written:
        marked += "marker:\n  body: {note: \"{{ marker }}\"}\n  present: now.note | default('') == marker\n"
    pack = load(tmp_path / "studio", marked)
    action = pack.actions["move_lesson"]
    tries = [BoundAction.of(action, CALL, pack.profile, "plan-1-1").with_(before={}) for _ in range(2)]
    first, again = (bound.request() for bound in tries)
    assert first == again
    key = first.headers.get("Request-Id") or first.body["note"]
    assert str(UUID(key)) == key
    other = BoundAction.of(action, CALL, pack.profile, "plan-1-2").with_(before={}).request()
    assert other != first


@pytest.mark.parametrize(
    ("written", "kind"), [("", ErrorType.CONFLICT), ("    type: forbidden\n", ErrorType.FORBIDDEN)]
)
def test_what_says_that_there_is_no_room_is_a_conflict_unless_it_says_otherwise(
    tmp_path: Path, written: str, kind: ErrorType
) -> None:
    folder = Path(shutil.copytree(ROOT / "overlays" / "calendar", tmp_path / "calendar"))
    overlay = folder / "actions" / "schedule_meeting.yaml"
    overlay.write_text(overlay.read_text().replace("    type: conflict\n", written))
    rule = error_rule(load_pack(folder).actions["schedule_meeting"], 422, "overlap")
    assert rule is not None and rule.error_type is kind
