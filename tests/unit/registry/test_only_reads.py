"""Everything that is sent before a confirmation only reads. Guarantees:

- the rule covers every read that an action may make, wherever an overlay defines it;
- an operation reads by its method, or by a person's declaration, beside it or in a separate overlay; an operation that
  an overlay uses for a change reads nowhere else;
- a possible write is refused with its file, its line and the way out, and costs only its action; as a venue's sign-in
  check it costs the pack;
- a draft never chooses a write for it.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from cli.commands.actions import app as actions
from cli.commands.pack import app as packs
from contracts.action import AtomicAction, ReadTemplate
from registry import PackError
from tests.support.hotel import DOCUMENT as HOTEL
from tests.support.hotel import document as hotel_document
from tests.unit.registry.studio import DOCUMENT, OVERLAY, TEXT, VENUE, load, pack_texts, write

POST = {
    "post": {
        "operationId": "seek",
        "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": TEXT}}}}},
        "responses": {"200": {"description": "ok"}},
    }
}
WAY_OUT = "say `read_only: true` beside `operation`"

PLACES = {
    "snapshot": ("snapshot:\n  operation: get-lesson\n", "snapshot:\n  operation: seek\n"),
    "snapshot.reads.whole": (
        'snapshot:\n  operation: get-lesson\n  with: {lesson_id: "{{ lesson }}"}\n',
        "snapshot:\n  reads: {whole: {operation: seek}}\n",
    ),
    "verify.reads.made": ("verify:\n", "verify:\n  reads: {made: {operation: seek}}\n"),
    "preview_reads.seen": ("sample:\n", "preview_reads: {seen: {operation: seek}}\nsample:\n"),
    "availability": (
        "sample:\n",
        "errors: [{code: full, message: Full.}]\n"
        "availability: {operation: seek, requires: {full: response.free}}\nsample:\n",
    ),
    "errors.0.alternatives": (
        "sample:\n",
        "errors: [{code: full, message: Full., alternatives: {operation: seek, label: one}}]\nsample:\n",
    ),
    "output.detail": ("sample:\n", "output: {detail: {operation: seek, cancelled: detail.off}}\nsample:\n"),
    "output.guest": ("sample:\n", "output: {guest: {operation: seek, name: '{{ guest.name }}'}}\nsample:\n"),
}
"""Each place of a read: what stands there, and a POST in its place."""

LOOK = """
action: seek_lesson
operation: seek
iq_enabled: true
title: Seek
description: Seek a lesson.
read_only: true
parameters: {which: {in: body.id, describe: Which}}
"""


def with_seek(**more: Any) -> dict[str, Any]:
    found = deepcopy(DOCUMENT)
    found["paths"]["/seek"] = {**deepcopy(POST), **more}
    return found


def refused(folder: Path, overlay: str, **more: Any) -> list[tuple[str, int | None, str]]:
    """Return the findings of the rule: place, line, hint."""
    pack = load(folder, overlay, document=with_seek(), **more)
    found = [f for f in pack.findings if "before anybody has confirmed anything" in f.message]
    assert all(f.level == "error" and "move_lesson" in pack.skipped for f in found), pack_texts(pack)
    return [(f.pointer, f.line, f.hint) for f in found]


def _reads_in(model: type[BaseModel], path: tuple[str, ...] = ()) -> Iterator[str]:
    for name, field in model.model_fields.items():
        for inner in _models(field.annotation):
            if inner is ReadTemplate:
                yield ".".join((*path, name))
            elif inner.__module__ == ReadTemplate.__module__:
                yield from _reads_in(inner, (*path, name))


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if get_origin(annotation) in (Union, UnionType, tuple, dict, list):
        for one in get_args(annotation):
            yield from _models(one)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation


def test_no_read_of_an_action_is_left_out() -> None:
    known = {"snapshot.reads", "verify.reads", "preview_reads", "errors.alternatives", "output.detail", "output.guest"}
    linked = "compensation.errors.alternatives"  # Left out by `as_compensation`.
    found = {*_reads_in(AtomicAction)} - {linked}
    assert found == known | {"availability.read"}, "a new one has to be in `reads_of`, and in PLACES"
    assert {place.partition(".")[0] for place in PLACES} == {read.partition(".")[0] for read in known} | {
        "availability"
    }


@pytest.mark.parametrize("place", PLACES)
def test_a_write_is_refused_wherever_it_is_named_as_a_read(tmp_path: Path, place: str) -> None:
    right, wrong = PLACES[place]
    assert right in OVERLAY
    overlay = OVERLAY.replace(right, wrong)
    [(pointer, line, hint)] = refused(tmp_path / "studio", overlay)
    assert pointer == f"{place}.operation" and WAY_OUT in hint
    assert line is not None and "seek" in overlay.splitlines()[line - 1]


@pytest.mark.parametrize("place", PLACES)
def test_a_person_may_say_that_it_only_reads(tmp_path: Path, place: str) -> None:
    right, wrong = PLACES[place]
    declared = wrong.replace("operation: seek", "operation: seek, read_only: true" if "{" in wrong else
                             "operation: seek\n  read_only: true")  # fmt: skip
    assert refused(tmp_path / "studio", OVERLAY.replace(right, declared)) == []

    folder = write(tmp_path / "beside" / "studio", document=with_seek())
    (folder / "actions" / "seek.yaml").write_text(LOOK)
    assert refused(folder, OVERLAY.replace(right, wrong)) == []

    (folder / "actions" / "seek.yaml").write_text(LOOK.replace("iq_enabled: true", "iq_enabled: false"))
    assert len(refused(folder, OVERLAY.replace(right, wrong))) == 1, "a file that is not enabled declares nothing"


def test_what_an_action_changes_something_with_is_no_read(tmp_path: Path) -> None:
    overlay = OVERLAY.replace(*PLACES["preview_reads.seen"])
    folder = write(tmp_path / "studio", document=with_seek())
    (folder / "actions" / "seek.yaml").write_text(LOOK)
    (folder / "actions" / "other.yaml").write_text(
        LOOK.replace("seek_lesson", "hold_lesson").replace("read_only: true", "irreversible_note: By hand.")
    )
    assert len(refused(folder, overlay)) == 1

    other = overlay.replace("operation: seek", "operation: get-hold")
    hold = {"get": {"operationId": "get-hold", "responses": {"200": {"description": "ok"}}}}
    (folder / "actions" / "other.yaml").write_text(
        LOOK.replace("seek_lesson", "hold").replace("operation: seek", "operation: get-hold")
        .replace("read_only: true", "read_only: false").partition("parameters:")[0]
    )  # fmt: skip
    pack = load(folder, other, document=with_seek(**hold))
    assert any("hold changes something with it" in f.message for f in pack.findings), "a GET that is said to change"


@pytest.mark.parametrize(
    ("check", "why"),
    [
        ("change-lesson", "(PATCH) is sent before anybody has confirmed anything"),
        ("seek", "(POST) is sent before anybody has confirmed anything"),
        ("{operation: seek, with: {id: l-1}}", "(POST) is sent before anybody has confirmed anything"),
        ('""', "names no operation"),
    ],
)
def test_a_write_is_no_sign_in_check(tmp_path: Path, check: str, why: str) -> None:
    venue = VENUE.replace("check_operation: me", f"check_operation: {check}")
    with pytest.raises(PackError) as refusal:
        load(tmp_path / "studio", venue=venue, document=with_seek())
    line = venue.splitlines().index(f"check_operation: {check}") + 1
    assert f"studio/venue.yaml, line {line}, check_operation: " in str(refusal.value)
    assert why in str(refusal.value) and WAY_OUT in str(refusal.value)


def test_a_sign_in_check_may_be_declared_a_read(tmp_path: Path) -> None:
    declared = "check_operation: {operation: seek, with: {id: l-1}, read_only: true}"
    venue = VENUE.replace("check_operation: me", declared)
    assert load(tmp_path / "a" / "studio", venue=venue, document=with_seek()).check.path == "/seek"

    folder = write(tmp_path / "b" / "studio", document=with_seek(), venue=VENUE)
    (folder / "actions" / "seek.yaml").write_text(LOOK)
    pack = load(folder, venue=VENUE.replace("check_operation: me", "check_operation: seek"), document=with_seek())
    assert (pack.check.method, pack.check.path) == ("POST", "/seek")


def test_a_drafted_pack_chooses_no_write_for_its_sign_in_check(tmp_path: Path) -> None:
    folder = tmp_path / "hotel"
    made = CliRunner().invoke(packs, ["init", str(hotel_document(tmp_path)), "--out", str(folder)])
    assert made.exit_code == 0 and "check_operation" in made.stdout
    venue = (folder / "venue.yaml").read_text()
    keys = [path.strip("/").replace("/", "_") for path in HOTEL["paths"]]
    live = [line for line in venue.splitlines() if not line.startswith("#")]
    assert not any(key in line for key in keys for line in live)

    checked = CliRunner().invoke(actions, ["check", "--pack", str(folder)])
    line = venue.splitlines().index('check_operation: ""') + 1
    assert checked.exit_code == 1
    assert f"hotel/venue.yaml, line {line}, check_operation: names no operation" in checked.stdout
    assert WAY_OUT in checked.stdout

    drafts = "".join(path.read_text() for path in (folder / "actions").glob("*.yaml"))
    assert "check_operation" not in json.dumps(drafts) and drafts.count("read_only: true") == 1
    assert (
        "? `read_only`: it is sent without asking anybody" in (folder / "actions/reservations_search.yaml").read_text()
    )
