"""Choosing among many actions.

- Few actions are all offered. Among many, what is asked for comes first, and brings along what it needs: the action
  that produces its id, its undo, the reads of its snapshot.
- RestBench, whole request as the query: all needed actions are among 20 for 88% of Spotify and 74% of TMDB requests.
- The catalogue has one line for each action.
"""

import json
from pathlib import Path

import pytest

import registry
from bench.restbench import FOLDER, measure
from contracts.base import Json
from registry.document import Document
from registry.every import actions_of_document
from registry.search import catalogue, choose, gives_of, needs_of


def test_few_actions_are_all_offered_and_listed(pack: registry.Pack) -> None:
    actions = list(pack.actions.values())
    assert choose(actions, "anything", 3) == actions
    lines = catalogue(actions).splitlines()
    assert len(lines) == len(actions)
    assert "reschedule_booking: Reschedule booking" in lines


def test_a_pack_names_what_stands_beside_an_action(pack: registry.Pack) -> None:
    assert pack.actions["reschedule_booking"].companions == ("get_booking",)


def test_the_producer_of_an_id_is_brought_along(tmp_path: Path) -> None:
    pytest.importorskip("bm25s")
    pytest.importorskip("Stemmer")
    rows = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    answer = {"200": {"description": "", "content": {"application/json": {"schema": rows}}}}
    gap = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    paths: dict[str, Json] = {f"/things{n}": {"get": {"summary": f"Unrelated {n}", "responses": {}}} for n in range(40)}
    paths["/orchards"] = {"get": {"summary": "All of them", "responses": answer}}
    paths["/orchards/{id}/harvest"] = {"post": {"summary": "Pick apples", "parameters": gap, "responses": {}}}
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "paths": paths}))
    actions = list(actions_of_document(Document.read(file), ids=True).actions.values())
    assert [a.name for a in choose(actions, "pick the apples", 2)] == ["post_orchards_by_id_harvest", "get_orchards"]
    picked = next(a for a in actions if a.name == "post_orchards_by_id_harvest")
    assert needs_of(picked) == ("orchard",)
    assert "orchard" in gives_of(next(a for a in actions if a.name == "get_orchards"))


@pytest.mark.parametrize(("name", "least"), [("spotify", 0.88), ("tmdb", 0.74)])
def test_restbench(name: str, least: float) -> None:
    pytest.importorskip("bm25s")
    pytest.importorskip("Stemmer")
    if not FOLDER.is_dir():
        pytest.skip("../shared/cases/restbench is not here")
    assert measure(name, FOLDER)["recall_at_20"] >= least
