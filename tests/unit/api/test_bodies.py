"""A value that is typed into a plan: the error names the field, with what is wrong and nothing else.

- A line end and a tab are accepted; any other control character is refused as one.
- Text, numbers and truth values stay what they are; a list, an object or nothing is no value.
"""

from typing import Any

import pytest
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from api.errors import explained
from api.schemas import EditedField
from tests.support.tables import table


@table("value, shown", [
    ("one\x0btwo", "value holds a character that is not seen"),
    ("\x1b[31m", "value holds a character that is not seen"),
    ("x" * 4001, "value is longer than 4000 characters"), (10**13, "value must be at most 1000000000000"),
    (-(10**13), "value must be at least -1000000000000"), ([1], "value is not valid"), (None, "value is not valid"),
    ({}, "value is not valid"), (float("inf"), "value is not valid"),
])  # fmt: skip
def test_what_is_refused_is_stated_of_the_field(value: Any, shown: str) -> None:
    with pytest.raises(ValidationError) as refused:
        EditedField.model_validate({"step": 1, "parameter": "note", "value": value})
    message = explained(RequestValidationError(refused.value.errors())).message
    assert shown in message and message.count(";") == 0, message


@table("value", ["one\ntwo\t(three)", True, 7, 7.5, ""])
def test_what_is_taken_stays_as_it_is(value: Any) -> None:
    taken = EditedField.model_validate({"step": 1, "parameter": "note", "value": value}).value
    assert (taken, type(taken)) == (value, type(value))
