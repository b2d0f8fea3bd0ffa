"""Finding an action by words that its author did not write.

- The thesaurus finds an action by synonyms; the action's own word weighs more.
- Where the words fit badly, all actions on the thing meant are offered, the requested one among them; where none fits,
  a few actions of each resource, not the first of the document.
- A person's name brings the look-ups by which guests and bookings are found.
- An author's own words (`aliases`, of an action and of a venue) find what they mean; a mistake in them is reported with
  its line and costs no working action.
- Omitted actions are reported in one line per resource, within a bound, however many resources there are.
- Twice thirty requests of venue people over bare documents: all they need is among 20 for 70% of them.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import registry
from authoring.token_count import tokens
from bench.natural_requests import CASES, SPECS, actions_of, cases_of, measure
from contracts.action import AtomicAction
from contracts.base import Json
from registry.search.resources import Resources
from registry.search.search import Search
from tests.unit.registry.test_search import GAP, TEXT, Paths, answer, listed, named
from tests.unit.registry.test_search import actions_of as made_of

pytest.importorskip("bm25s")


def crud(thing: str, *deeds: str, **more: str) -> Paths:
    """Return a list of things with all operations on one."""
    rows = answer(listed(id=TEXT))
    one: dict[str, Json] = {
        "get": {"parameters": GAP, "responses": {}}, "put": {"parameters": GAP, "responses": {}},
        "delete": {"parameters": GAP, "responses": {}},
    }  # fmt: skip
    paths: Paths = {
        f"/{thing}": {"get": {"responses": rows}, "post": {"responses": {}}},
        f"/{thing}/{{id}}": one,
    }
    return paths | {f"/{thing}/{{id}}/{deed}": {"post": {"parameters": GAP, "responses": {}}} for deed in deeds}


SHOP = {**crud("invoices", "void", "send"), **crud("subscriptions"), **crud("coupons"), **crud("customers")}


def test_another_word_for_it_is_found(tmp_path: Path) -> None:
    actions = made_of(tmp_path, SHOP)
    found = named(Search(actions).choose("knock up a bill for them", 6))
    assert {"get_invoices", "post_invoices"} <= set(found)
    assert "post_subscriptions" in named(Search(actions).choose("fai un nuovo abbonamento", 6))


def test_the_word_itself_weighs_more(tmp_path: Path) -> None:
    paths: Paths = {
        "/x": {"post": {"summary": "Scrap a membership", "responses": {}}},
        "/y": {"post": {"summary": "Cancel a membership", "responses": {}}},
    }
    assert named(Search(made_of(tmp_path, paths)).choose("scrap their season ticket", 2)) == ["post_x", "post_y"]


def test_all_that_can_be_done_with_the_thing_meant(tmp_path: Path) -> None:
    chance: Paths = {"/plan": {"get": {"summary": "What kids drew by mistake", "responses": {}}}}
    chance |= {f"/plan{n}": {"get": {"summary": f"For kids {n}", "responses": {}}} for n in range(9)}
    actions = made_of(tmp_path, {**SHOP, **chance})
    found = named(Search(actions).choose("the bill we drew up by mistake for all the kids must be scrapped", 9))
    assert {a.name for a in actions if "invoices" in a.name} <= set(found)
    assert found.index("post_invoices_by_id_void") < found.index("post_invoices_by_id_send"), "the deed asked for"


def test_a_resource_is_the_same_wherever_it_stands(tmp_path: Path) -> None:
    nested: Paths = {"/v1/customers/{id}/subscriptions": {"get": {"parameters": GAP, "responses": {}}}}
    actions = made_of(tmp_path, {**SHOP, **nested, "/v1/customers/search": {"get": {"responses": {}}}})
    resources = Resources(actions, ["en"])
    of = dict(zip(named(actions), resources.of, strict=True))
    assert of["get_v1_customers_by_id_subscriptions"] == of["put_subscriptions_by_id"] == "subscription"
    assert of["get_v1_customers_search"] == "customer"
    assert of["post_invoices_by_id_void"] == "invoice"


def test_a_name_brings_the_look_ups_of_guests(tmp_path: Path) -> None:
    actions = made_of(tmp_path, {**SHOP, **crud("reservations")})
    message = "scrap the bill for the Murphys"
    assert {"get_customers", "get_reservations"} <= set(named(Search(actions).choose(message, 12)))
    assert "get_customers" not in named(Search(actions).choose(message.lower(), 8))


def test_nothing_fits_and_each_resource_is_offered(tmp_path: Path) -> None:
    actions = [a for a in made_of(tmp_path, SHOP) if "filler" not in a.name]
    found = named(Search(actions).choose("?!", 8))
    assert set(found) == {f"{method}_{thing}" for method in ("get", "post")
                          for thing in ("invoices", "subscriptions", "coupons", "customers")}  # fmt: skip


def test_an_action_is_found_by_what_its_author_calls_it(tmp_path: Path) -> None:
    actions = made_of(tmp_path, SHOP)
    called = [a.model_copy(update={"aliases": ("flurbing",)}) if a.name == "put_coupons_by_id" else a for a in actions]
    assert named(Search(called).choose("flurb that one", 1)) == ["put_coupons_by_id"]


@pytest.mark.parametrize("message", ["make a zing pass", "make two zing passes", "Zing-pass!"])
def test_a_thing_is_found_by_what_its_venue_calls_it(tmp_path: Path, message: str) -> None:
    search = Search(made_of(tmp_path, SHOP), {"coupon": ["zing pass"]})
    assert "post_coupons" in named(search.choose(message, 6))


def with_words(folder: Path, text: str) -> None:
    venue = folder / "venue.yaml"
    venue.write_text(venue.read_text(encoding="utf-8") + f"\naliases: {text}\n", encoding="utf-8")


def test_a_pack_carries_its_authors_words(folder: Path, load: Callable[..., registry.Pack]) -> None:
    note = (folder / "actions" / "edit_note.yaml").read_text(encoding="utf-8")
    with_words(folder, "{booking: [bash, bolgia]}")
    pack = load(edit_note=note + "\naliases: [post-it, scribble]\n")
    assert pack.actions["edit_note"].aliases == ("post-it", "scribble")
    assert pack.profile.aliases == {"booking": ("bash", "bolgia")}
    assert not pack.findings
    assert named(Search(list(pack.actions.values()), pack.profile.aliases).choose("scribble", 1)) == ["edit_note"]


def test_slips_in_the_authors_words_are_reported(folder: Path, load: Callable[..., registry.Pack]) -> None:
    note = (folder / "actions" / "edit_note.yaml").read_text(encoding="utf-8")
    with_words(folder, "{booking: [bash, Bash], boking: [bolgia], guest: [bash, '?!'], note: []}")
    pack = load(edit_note=note + "\naliases: [scribble, Scribble]\n")
    shown = {(f.level, f.pointer): f"{f.message} {f.hint}" for f in pack.findings}
    assert "there twice" in shown["warning", "aliases.1"]
    assert "there twice" in shown["warning", "aliases.booking.1"]
    assert "booking" in shown["warning", "aliases.boking"], "the nearest word"
    assert "stands for booking too" in shown["warning", "aliases.guest.0"]
    assert "no word" in shown["error", "aliases.guest.1"]
    assert "has no words" in shown["warning", "aliases.note"]
    assert all(f.line for f in pack.findings)
    assert "edit_note" in pack.actions


def test_an_empty_word_of_an_action_is_an_error(folder: Path, load: Callable[..., registry.Pack]) -> None:
    note = (folder / "actions" / "edit_note.yaml").read_text(encoding="utf-8")
    pack = load(edit_note=note + "\naliases: ['']\n")
    assert any(f.level == "error" and f.pointer == "aliases.0" for f in pack.findings)


def test_what_is_left_out_is_reported_by_resource(tmp_path: Path) -> None:
    actions = [a for a in made_of(tmp_path, SHOP) if "filler" not in a.name]
    lines = Search(actions).left_out({"get_coupons", "post_coupons", "delete_coupons_by_id"}).splitlines()
    assert "invoice: 7 more actions, among them get_invoices, post_invoices, get_invoices_by_id" in lines
    assert "coupon: get_coupons_by_id, put_coupons_by_id" in lines
    assert len(lines) == 4
    assert Search(actions).left_out({a.name for a in actions}) == ""


def test_what_is_left_out_has_a_bound(tmp_path: Path) -> None:
    paths: Paths = {}
    for n in range(300):
        paths |= crud(
            f"a_thing_with_a_rather_long_name_{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{'uvw'[n // 100]}s"
        )
    shown = Search(made_of(tmp_path, paths)).left_out(())
    assert tokens(shown) < 1_600
    assert shown.splitlines()[-1].endswith("other things")


@pytest.mark.parametrize(("file", "least"), [("requests_1", 21), ("requests_2", 21)])
def test_natural_requests(file: str, least: int) -> None:
    if not SPECS.is_dir():
        pytest.skip("../shared/specs is not here")
    assert sum(row["whole"] for row in measure(CASES / f"{file}.jsonl").values()) >= least


@pytest.mark.parametrize("file", sorted(CASES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_requests_need_actions_that_are_there(file: Path) -> None:
    if not SPECS.is_dir():
        pytest.skip("../shared/specs is not here")
    for case in cases_of(file):
        known = {action.name for action in actions_of(case.document)}
        assert all(need <= known for need in case.needs), case.say


def test_a_large_document_is_reported_within_the_bound() -> None:
    if not SPECS.is_dir():
        pytest.skip("../shared/specs is not here")
    search = Search(actions_of("stripe.json"))
    sent: list[AtomicAction] = search.choose("put 50 on a gift card", 25)
    shown = search.left_out({a.name for a in sent})
    assert tokens(shown) < 1_600
    assert "invoice: " in shown
