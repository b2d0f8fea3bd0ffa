"""A plan's own part and other writers' changes (`registry/templating/partial_undo_filters.py`), as overlays name it.
Guarantees:

- rows are identified by their key, as text or as a number; a check for all of several rows counts how often each is
  wanted, by the named values, or by the whole row if none is named;
- a note's lines count as whole lines, one after the other, and only their last occurrence is removed;
- a field that was not given is neither compared nor restored; empty text and none are alike;
- a row differs in two fields only where it has both; a number of rows are the first ones, filled up with empty ones.
"""

from contracts.base import Json
from registry.templating.templates import evaluate
from tests.support.tables import table

LEFT: list[Json] = [
    {"id": "2", "at": "14:00", "n": 3},
    {"id": "3", "at": "15:00", "n": 3},
    {"id": "4", "at": "15:00", "n": 3},
]
NAMES: dict[str, Json] = {
    "tickets": [{"id": 1, "seats": [{"name": "Zoe"}, {"name": "Mia"}]}],
    "before": [{"id": 1, "at": "14:00", "n": 2}, {"id": 2, "at": "14:00", "n": 3}],
    "left": LEFT, "one_less": LEFT[:2], "one_more": [*LEFT, LEFT[1]],
    "guest": {"name": "Smith", "phone": "1", "email": None, "note": ""},
    "was": {"name": "Smyth", "phone": "2", "email": "", "note": None},
    "nights": [{"a": 1, "b": 2}, {"a": 1, "b": 1}, {"a": 1}, {"b": 1}, {"a": 0, "b": 1}, {"a": 1, "b": None}],
    "cake": "cake", "two": "cake\nat five", "long": "cake\nat five\nlate\ncake\nat five\nthe end", "said": None,
    "crlf": "cake\r\nat five\u2028sharp\r\nlate\ncake", "ended": "late\ncake\n",
}  # fmt: skip


@table("expression, value", [
    ("left | not_in(before, 'id') | map(attribute='id') | list", ["3", "4"]),
    ("before | not_in(left, 'id') | map(attribute='id') | list", [1]),
    ("left | also_in(before, 'id') | map(attribute='id') | list", ["2"]),
    ("before | also_in(left, 'id') | map(attribute='id') | list", [2]),
    ("left | holds(left, 'id', 'n')", True),
    ("one_more | holds(left, 'at', 'n')", True),
    ("one_less | holds(left, 'id')", False),
    ("one_less | holds(left, 'n')", False),
    ("left | holds(one_less, 'n')", True),
    ("before | holds(one_less, 'at')", False),
    ("before | holds([{'id': '2', 'n': '3'}], 'id', 'n')", True),
    ("tickets | holds([{'seats': [{'name': 'Zoe'}, {'name': 'Mia'}]}], 'seats.name')", True),
    ("tickets | holds([{'seats': [{'name': 'Zoe'}]}], 'seats.name')", False),
    ("left | holds(one_less)", True),
    ("left | holds([{'n': 3, 'at': '14:00', 'id': '2'}])", True),
    ("left | holds([{'n': 3, 'at': '14:00', 'id': '2', 'until': '2026-12-20'}])", False),
    ("before | holds([{'id': '2', 'n': '2'}], 'id', 'n')", False),
])  # fmt: skip
def test_rows_are_reported_apart_by_their_key_and_counted(expression: str, value: Json) -> None:
    assert evaluate(expression, NAMES, "w") == value


@table("expression, value", [
    ("long | times(two)", 2),
    ("long | times('at five')", 2),
    ("long | times('late\ncake')", 1),
    ("long | times('the end')", 1),
    ("long | times('at')", 0),
    ("long | times('cake\nlate')", 0),
    ("cake | times(two)", 0),
    ("long | times('')", 0),
    ("long | times(said)", 0),
    ("said | times(cake)", 0),
    ("said | times(said)", 0),
])  # fmt: skip
def test_lines_count_as_whole_lines_one_after_the_other(expression: str, value: Json) -> None:
    assert evaluate(expression, NAMES, "w") == value


@table("expression, left", [
    ("long | without_lines(two)", "cake\nat five\nlate\nthe end"),
    ("long | without_lines('the end')", "cake\nat five\nlate\ncake\nat five"),
    ("long | without_lines('at')", "cake\nat five\nlate\ncake\nat five\nthe end"),
    ("long | without_lines('')", "cake\nat five\nlate\ncake\nat five\nthe end"),
    ("long | without_lines(said)", "cake\nat five\nlate\ncake\nat five\nthe end"),
    ("two | without_lines(cake)", "at five"),
    ("two | without_lines('at five')", "cake"),
    ("two | without_lines(two)", ""),
    ("cake | without_lines(two)", "cake"),
    ("crlf | without_lines(cake)", "cake\r\nat five\u2028sharp\r\nlate"),
    ("ended | without_lines(cake)", "late\n"),
    ("said | without_lines(two)", ""),
])  # fmt: skip
def test_only_the_last_place_of_the_lines_is_taken_out(expression: str, left: str) -> None:
    assert evaluate(expression, NAMES, "w") == left


@table("expression, value", [
    ("guest | put_back(was, {'name': 'x', 'phone': none})", {**NAMES["guest"], "name": "Smyth"}),
    ("guest | put_back(was, {'fax': 'x'})", {**NAMES["guest"], "fax": None}),
    ("guest | same_at(was, {'name': 'x'})", False),
    ("was | same_at(guest, {'phone': 'x'})", False),
    ("guest | same_at(was, {'name': none, 'phone': none})", True),
    ("guest | same_at(was, {'email': 'x', 'note': 'x'})", True),
    ("guest | same_at(guest, {'name': 'x', 'phone': none})", True),
    ("guest | same_at({'note': 'n'}, {'note': 'x'})", False),
    ("{'note': 'n'} | same_at(guest, {'note': 'x'})", False),
])  # fmt: skip
def test_only_what_was_given_is_compared_and_put_back(expression: str, value: Json) -> None:
    assert evaluate(expression, NAMES, "w") == value


@table("expression, value", [
    ("nights | differing('a', 'b')", [{"a": 1, "b": 2}]),
    ("left | resized(2)", LEFT[:2]),
    ("left | resized('3')", LEFT),
    ("left | resized(5)", [*LEFT, {}, {}]),
    ("left | resized(0)", []),
])  # fmt: skip
def test_rows_that_differ_and_so_many_rows(expression: str, value: Json) -> None:
    assert evaluate(expression, NAMES, "w") == value
