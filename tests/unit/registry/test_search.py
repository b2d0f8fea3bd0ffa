"""Choosing among many actions.

- Few actions are all offered. Among many, the requested ones come first, and bring along what they need: the action
  that produces its id, its undo, the reads of its snapshot, the action that returns details of the listed items.
- An action is found by its answer: by the fields, by the values a schema lists and by those that the document's own
  examples repeat; never by a value of a single example, nor by a secret's name. A broken answer costs nothing.
- Accents, and the plurals of English and Italian, make no difference. A chain's start comes first when no word fits.
- RestBench, whole request as the query: all needed actions are among 20 for 91% of Spotify and 90% of TMDB requests.
  Nothing in the search was written for its requests: it knows no film and no song.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import registry
from authoring.all_operations import actions_of_document
from bench.restbench import FOLDER, Requests, answering, measure, missed, requests
from cli.commands.actions import app
from contracts.action import AtomicAction
from contracts.base import Json
from registry.openapi.document import Document
from registry.search import search as searching
from registry.search.resources import _IDS, LOOKING, gives_of, is_entry_point, required_ids
from registry.search.search import Search, choose

Paths = dict[str, Json]


@pytest.fixture(autouse=True)
def _needs_bm25() -> None:
    pytest.importorskip("bm25s")
    pytest.importorskip("Stemmer")


def answer(schema: Json, **media: Json) -> dict[str, Json]:
    """Return the `responses` of an operation that answers `schema`."""
    return {"200": {"description": "", "content": {"application/json": {"schema": schema, **media}}}}


def listed(**properties: Json) -> Json:
    return {"type": "array", "items": {"type": "object", "properties": properties}}


TEXT: Json = {"type": "string"}
GAP: Json = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
UNRELATED: Paths = {f"/filler{n}": {"get": {"summary": f"Unrelated {n}", "responses": {}}} for n in range(40)}


def actions_of(tmp_path: Path, paths: Paths, **components: Json) -> list[AtomicAction]:
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "paths": {**UNRELATED, **paths}, "components": components}))
    return answering(Document.read(file))


def named(actions: list[AtomicAction]) -> list[str]:
    return [action.name for action in actions]


def test_few_actions_are_all_offered(pack: registry.Pack) -> None:
    actions = list(pack.actions.values())
    assert choose(actions, "anything", 3) == actions


def test_a_pack_names_what_stands_beside_an_action(pack: registry.Pack) -> None:
    assert pack.actions["reschedule_booking"].companions == ("get_booking",)


def test_a_packs_actions_say_what_they_answer(pack: registry.Pack) -> None:
    gives = pack.actions["check_availability"].operation.gives
    assert {"product", ".capacityRemaining", ".startTime", "=partypackage"} <= set(gives)


def test_what_stands_beside_an_action_is_brought_along(tmp_path: Path) -> None:
    actions = actions_of(tmp_path, {"/orchards": {"post": {"summary": "Pick apples", "responses": {}}}})
    picked = actions[-1].model_copy(update={"companions": ("get_filler33",)})
    assert named(Search([*actions[:-1], picked]).choose("pick the apples", 2)) == [picked.name, "get_filler33"]


def test_the_producer_of_an_id_is_brought_along(tmp_path: Path) -> None:
    paths: Paths = {
        "/orchards": {"get": {"summary": "All of them", "responses": answer(listed(id=TEXT))}},
        "/orchards/{id}/harvest": {"post": {"summary": "Pick apples", "parameters": GAP, "responses": {}}},
    }
    actions = actions_of(tmp_path, paths)
    assert named(choose(actions, "pick the apples", 2)) == ["post_orchards_by_id_harvest", "get_orchards"]
    picked = next(a for a in actions if a.name == "post_orchards_by_id_harvest")
    assert required_ids(picked) == ("orchard",)
    assert "orchard" in gives_of(next(a for a in actions if a.name == "get_orchards"))


def test_a_list_is_of_what_its_answer_names(tmp_path: Path) -> None:
    genres = answer({"type": "object", "properties": {"genres": listed(id=TEXT)}})
    paths: Paths = {
        "/genre/orchard/list": {"get": {"responses": genres}},
        "/search/orchard": {"get": {"responses": answer(listed(id=TEXT))}},
    }
    genre, orchard = actions_of(tmp_path, paths)[-2:]
    assert "genre" in gives_of(genre)
    assert "orchard" not in gives_of(genre)
    assert "orchard" in gives_of(orchard)


def test_what_is_listed_brings_along_what_tells_more_of_it(tmp_path: Path) -> None:
    paths: Paths = {
        "/orchards": {"get": {"summary": "Apples nearby", "responses": answer(listed(id=TEXT))}},
        "/orchards/{id}": {"get": {"summary": "The whole record", "parameters": GAP, "responses": {}}},
    }
    assert named(choose(actions_of(tmp_path, paths), "any apples nearby?", 2)) == ["get_orchards", "get_orchards_by_id"]


def test_an_action_is_found_by_the_fields_of_its_answer(tmp_path: Path) -> None:
    paths: Paths = {"/record": {"get": {"responses": answer({"$ref": "#/components/schemas/Person"})}}}
    person: Json = {"type": "object", "properties": {"birthPlace": TEXT, "apiToken": TEXT}}
    actions = actions_of(tmp_path, paths, schemas={"Person": {"allOf": [person]}})
    assert named(choose(actions, "in which place was she at birth?", 1)) == ["get_record"]
    assert not any("token" in entry.lower() for entry in actions[-1].operation.gives)


def test_an_action_is_found_by_the_values_of_its_answer(tmp_path: Path) -> None:
    crew = [{"name": f"Person {n}", "job": ("Gardener", "Beekeeper")[n % 2]} for n in range(8)]
    rows = listed(name=TEXT, job=TEXT)
    paths: Paths = {
        "/colours": {"get": {"responses": answer(listed(shade={"enum": ["purple", "green"]}))}},
        "/staff": {"get": {"responses": answer(rows, examples={"one": {"value": crew}})}},
        "/others": {"get": {"responses": answer(rows)}},
    }
    actions = actions_of(tmp_path, paths)
    assert named(choose(actions, "which are purple?", 1)) == ["get_colours"]
    # The other list of people has no example, but its `job` is called the same.
    assert set(named(choose(actions, "who are the beekeepers?", 2))) == {"get_staff", "get_others"}
    assert "=Person" not in " ".join(actions[-1].operation.gives)


def test_a_broken_answer_costs_nothing(tmp_path: Path) -> None:
    loop: Json = {"allOf": [{"$ref": "#/components/schemas/Loop"}], "properties": {"pears": {"$ref": "#/nowhere"}}}
    paths: Paths = {
        "/loop": {"get": {"responses": answer({"$ref": "#/components/schemas/Loop"}, examples={"a": {"$ref": "#/x"}})}},
        "/none": {"get": {"responses": {"200": {"$ref": "#/components/responses/Gone"}}}},
        "/odd": {"get": {"responses": {"200": {"content": {"application/json": []}}}}},
    }
    actions = actions_of(tmp_path, paths, schemas={"Loop": loop})
    assert [a.operation.gives for a in actions[-3:]] == [(".pears",), (), ()]
    assert named(choose(actions, "pears", 1)) == ["get_loop"]


@pytest.mark.parametrize("message", ["annulla le prenotazioni", "ANNULLA la Prenotazione", "annulla la prenotazióne!"])
def test_plurals_and_accents_make_no_difference(tmp_path: Path, message: str) -> None:
    paths: Paths = {"/x": {"post": {"summary": "Annulla iscrizione", "responses": {}}},
                    "/y": {"post": {"summary": "Annulla prenotazione", "responses": {}}}}  # fmt: skip
    assert named(choose(actions_of(tmp_path, paths), message, 1)) == ["post_y"]


def test_where_a_chain_can_begin_comes_first_when_no_word_fits(tmp_path: Path) -> None:
    actions = actions_of(tmp_path, {"/search/orchard": {"get": {"responses": {}}}})
    assert named(choose(actions, "?!", 1)) == ["get_search_orchard"]
    assert not is_entry_point(actions[0])


@pytest.mark.parametrize(("name", "least"), [("spotify", 0.91), ("tmdb", 0.90)])
def test_restbench(name: str, least: float) -> None:
    if not FOLDER.is_dir():
        pytest.skip("../shared/cases/restbench is not here")
    assert measure(name, FOLDER)["recall_at_20"] >= least


@pytest.mark.parametrize("name", ["spotify", "tmdb"])
def test_the_search_knows_no_film_and_no_song(name: str) -> None:
    """With other names, in the requests as in the document, the same is found: the search relies on the document."""
    if not FOLDER.is_dir():
        pytest.skip("../shared/cases/restbench is not here")
    asked = requests(name, FOLDER)
    renamed = Requests(
        [_renamed(a) for a in asked.actions],
        [(_other(message), frozenset(map(_other, needed))) for message, needed in asked.rows],
        [],
    )
    before, after = (len(missed(Search(r.actions), r, 20)) for r in (asked, renamed))
    assert abs(before - after) <= 1  # a stem may differ


_GENERAL = searching._STOP | LOOKING | _IDS


def _other(text: str) -> str:
    """Return `text` with every word changed that is no word of HTTP or of English grammar, its ending kept for the
    stemmer."""
    return re.sub(r"[A-Z]?[a-z]{3,}", lambda w: w[0] if w[0].lower() in _GENERAL else _prefixed(w[0]), text)


def _prefixed(word: str) -> str:
    return ("Zq" if word[0].isupper() else "zq") + word.lower()


def _renamed(action: AtomicAction) -> AtomicAction:
    operation = action.operation.model_copy(
        update={
            "path": _other(action.operation.path), "gives": tuple(map(_other, action.operation.gives)),
            "parameters": tuple(p.model_copy(update={"name": _other(p.name)}) for p in action.operation.parameters),
        }
    )  # fmt: skip
    texts = {key: _other(getattr(action, key)) for key in ("name", "title", "category", "description")}
    parameters = tuple(p.model_copy(update={"name": _other(p.name)}) for p in action.parameters)
    return action.model_copy(update={**texts, "operation": operation, "parameters": parameters})


def test_a_command_shows_what_a_planner_is_offered(tmp_path: Path) -> None:
    words = ("lesson", "guest", "voucher", "table", "horse", "room", "ticket", "card", "course", "boat", "bike", "tour")
    paths: dict[str, Any] = {}
    for word in words:
        one = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]}
        paths[f"/{word}s"] = {"get": {"summary": f"List {word}s"}, "post": {"summary": f"Create a {word}"}}
        paths[f"/{word}s/{{id}}"] = {**one, "delete": {"summary": f"Delete a {word}"}}
    document = tmp_path / "many.json"
    document.write_text(json.dumps({"openapi": "3.1.0", "paths": paths}))
    result = CliRunner().invoke(app, ["search", "delete a horse", "--spec", str(document)])
    assert result.exit_code == 0, result.output
    first, *rows = result.output.splitlines()
    assert first == "many.json: 36 actions" and len(rows) == 20
    chosen = Search([*actions_of_document(Document.read(document)).actions.values()]).choose("delete a horse", 20)
    assert [row.split()[1] for row in rows] == [action.name for action in chosen]
    assert "horse" in rows[0]
    own = CliRunner().invoke(app, ["search", "cancel it", "--pack", "overlays/bookeo"])
    assert "below 30 a planner is offered all of them" in own.output
    assert CliRunner().invoke(app, ["search", "--help"]).exit_code == 0
