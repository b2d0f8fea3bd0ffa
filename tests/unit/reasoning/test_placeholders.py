"""`{{step_N.field}}`: a value that an earlier step of the plan will put out.

Guarantees:
- only a whole value of exactly that form is a placeholder;
- drafting reports a placeholder that refers to a later step, to itself, to a missing step or to a missing field, with
  the available ones; so it does for one that is only part of a text, and for one inside a list or object;
- when the step runs, it becomes the value with its type, however deep the field is; a missing one raises, naming all.
"""

import pytest

from contracts.action import OutputTemplate
from contracts.base import Json
from reasoning.execution import placeholders
from tests.support.tables import table
from tests.unit.reasoning.actions import an_action

MADE = an_action("make_booking", output=OutputTemplate(fields=("booking_id", "guest")))
SHAPED = an_action("copy_booking", output=OutputTemplate(shape={"copy_id": "{{ response.id }}"}))
SILENT = an_action("send_message")


@pytest.mark.parametrize(("text", "meant"), [
    ("{{step_1.booking_id}}", (1, "booking_id")), ("{{ step_12.guest.name }}", (12, "guest.name")),
    ("{{step_2.a_b.c}}", (2, "a_b.c")),
])  # fmt: skip
def test_a_whole_value_of_the_form_is_a_placeholder(text: str, meant: tuple[int, str]) -> None:
    assert placeholders.reference(text) == meant


@table("text", [
    "", "step_1.id", "{step_1.id}", "{{step_1}}", "{{step_x.id}}", "{{steps_1.id}}", "Booking {{step_1.id}}",
    "{{step_1.id}} ", "{{step_1.id}}\n", "{{step_1.id}}{{step_1.id}}", "{{step_1.id | upper}}", "{{step_1['id']}}",
    "{{step_１.id}}", "{{step_-1.id}}", None, 1, ["{{step_1.id}}"],
])  # fmt: skip
def test_anything_else_is_not(text: Json) -> None:
    assert placeholders.reference(text) is None


@pytest.mark.parametrize(("value", "found"), [
    ({"a": 1, "b": "x"}, False), ({"a": "{{step_1.id}}"}, True), ({"a": ["{{step_1.id}}"]}, True),
    ({"a": {"b": [{"c": "{{step_1.id}}"}]}}, True), ({"a": "see {{step_1.id}}"}, False), ({}, False),
])  # fmt: skip
def test_present_sees_placeholders_at_any_depth(value: dict[str, Json], found: bool) -> None:
    assert placeholders.present(value) is found


@pytest.mark.parametrize("value", [
    "{{step_1.booking_id}}", "{{step_1.guest}}", "{{step_1.guest.name}}", "{{step_2.copy_id}}", "no placeholder",
    5, None,
])  # fmt: skip
def test_what_an_earlier_step_puts_out_can_be_named(value: Json) -> None:
    assert placeholders.problems(3, {"booking_id": value}, [MADE, SHAPED]) == []


@pytest.mark.parametrize(("value", "problem"), [
    ("{{step_3.booking_id}}", "booking_id: step 3 does not come before step 3"),
    ("{{step_9.booking_id}}", "booking_id: step 9 does not come before step 3"),
    ("{{step_0.booking_id}}", "booking_id: step 0 does not come before step 3"),
    ("{{step_1.price}}", "booking_id: step 1 puts out booking_id, guest, not price"),
    ("{{step_1.booking_ids}}", "booking_id: step 1 puts out booking_id, guest, not booking_ids"),
    ("{{step_2.anything}}", "booking_id: step 2 puts out nothing, not anything"),
    ("No. {{step_1.booking_id}}", "booking_id: a placeholder must be the whole value, like {{step_1.field}}"),
    ("{{step_1.items[0]}}", "booking_id: a placeholder must be the whole value, like {{step_1.field}}"),
])  # fmt: skip
def test_a_bad_placeholder_is_named_with_the_way_out(value: str, problem: str) -> None:
    assert placeholders.problems(3, {"booking_id": value}, [MADE, SILENT]) == [problem]


@pytest.mark.parametrize("message", ["guest says {{ venue }} ok", "{{ 7 * 7 }}", "${KEY} {{ marker }}"])
def test_braces_that_somebody_typed_are_text(message: str) -> None:
    assert placeholders.problems(1, {"note": message}, []) == []


def test_what_has_no_output_declared_puts_out_what_tells_things_apart() -> None:
    """The ids, names and moments of its answer: a later step may continue from a new thing's number."""
    operation = SILENT.operation.model_copy(update={"gives": ("order", ".id", ".state")})
    bare = SILENT.model_copy(update={"operation": operation})
    assert placeholders.problems(2, {"booking_id": "{{step_1.order.id}}"}, [bare]) == []
    assert placeholders.problems(2, {"booking_id": "{{step_1.price}}"}, [bare]) != []


def test_a_placeholder_inside_a_list_or_object_is_checked_too() -> None:
    arguments: dict[str, Json] = {"guest": {"ids": ["{{step_1.booking_id}}", "{{step_1.price}}"]}}

    assert placeholders.problems(2, arguments, [MADE]) == ["guest.ids[1]: step 1 puts out booking_id, guest, not price"]


def test_the_first_step_has_nothing_to_refer_to() -> None:
    assert placeholders.problems(1, {"a": "{{step_1.b}}"}, []) == ["a: step 1 does not come before step 1"]


@pytest.mark.parametrize("value", [7, "007", 1.5, True, None, ["a"], {"deep": "er"}])
def test_a_placeholder_becomes_the_value_with_its_type(value: Json) -> None:
    assert placeholders.resolve({"a": "{{step_1.out}}", "b": "as is"}, {1: {"out": value}}) == {
        "a": value,
        "b": "as is",
    }


def test_fields_within_fields_and_placeholders_within_lists_are_resolved() -> None:
    outputs: dict[int, Json] = {1: {"guest": {"id": 7}}, 2: {"n": 3}}

    found = placeholders.resolve({"a": "{{step_1.guest.id}}", "b": [{"c": "{{step_2.n}}"}, "x"]}, outputs)

    assert found == {"a": 7, "b": [{"c": 3}, "x"]}


def test_a_resolved_value_is_not_read_again() -> None:
    assert placeholders.resolve({"a": "{{step_1.x}}"}, {1: {"x": "{{step_2.y}}"}}) == {"a": "{{step_2.y}}"}


@pytest.mark.parametrize(
    "outputs", [{}, {1: {}}, {1: {"guest": {}}}, {1: {"guest": None}}, {1: {"guest": "Jo"}}, {1: None}]
)
def test_what_was_not_put_out_raises_and_names_all(outputs: dict[int, Json]) -> None:
    with pytest.raises(placeholders.UnresolvedError, match=r"who: step 1 did not return guest\.id"):
        placeholders.resolve({"who": "{{step_1.guest.id}}"}, outputs)


def test_resolving_changes_nothing_that_was_given() -> None:
    arguments: dict[str, Json] = {"a": ["{{step_1.x}}"]}

    placeholders.resolve(arguments, {1: {"x": 1}})

    assert arguments == {"a": ["{{step_1.x}}"]}
