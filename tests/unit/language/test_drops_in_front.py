"""The request after words that drop everything before them, in English and Italian. Guarantees:

- "Forget that, just move it to 4pm" leaves "move it to 4pm", wherever the dropping words end.
- Words that drop a part, keep, deny that anything is forgotten, or are followed by no request leave nothing.
- A rest that is hardly more than a value determines which kind of value it is.
"""

import pytest

from contracts.enums import ParameterRole as Role
from language.replies.short_replies import after_a_drop, bare_value
from tests.support.tables import table


@table(
    "text, left",
    [
        ("forget that, just move it to 4pm", "move it to 4pm"),
        ("drop that and move it to 4pm", "move it to 4pm"),
        ("Scratch that. Move it to 4pm.", "Move it to 4pm."),
        ("ok not that, only move it to 4pm", "move it to 4pm"),
        ("ignore that, I meant move it to 4pm", "move it to 4pm"),
        ("never mind that one - move it to 4pm", "move it to 4pm"),
        ("cancel that, make it 12 kids instead", "make it 12 kids instead"),
        ("forget what i said, 12 kids is all i need", "12 kids is all i need"),
        ("scrap that, thursday", "thursday"),
        ("lascia perdere, spostala alle 16", "spostala alle 16"),
        ("no, non quello: spostala alle 16", "spostala alle 16"),
        ("annulla quello che ho detto, spostala solo alle 16", "spostala solo alle 16"),
        ("dimentica e mettila alle 16", "mettila alle 16"),
        ("come non detto, facciamo 12 bambini", "facciamo 12 bambini"),
    ],
)
def test_what_is_left_is_the_new_request(text: str, left: str) -> None:
    assert after_a_drop(text) == left


@table(
    "text",
    [
        "forget that", "forget it, she will think about it", "never mind the kids, put it at 4pm",
        "leave the time alone and make it 12", "leave it on saturday but make it 4pm", "keep it, just make it 4pm",
        "don't forget that, and move it to 4pm", "oh and don't forget to move it to 4pm", "move it to 4pm",
        "lascia perdere i bambini, spostala alle 16", "lascia stare l'ora, fai 12 bambini",
        "non dimenticare di spostarla alle 16", "cancel emma, move oscar to 4pm", "no, move it to 4pm",
    ],
)  # fmt: skip
def test_nothing_is_dropped_as_a_whole(text: str) -> None:
    assert after_a_drop(text) == ""


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("thursday", {Role.DATE, Role.TIME}), ("at 4pm please", {Role.DATE, Role.TIME}), ("12 kids", {Role.COUNT}),
        ("alle 16", {Role.DATE, Role.TIME}), ("move it to thursday", set()), ("make it 12 kids", set()),
        ("hello", set()),
    ],
)  # fmt: skip
def test_a_bare_value_tells_its_kind(text: str, kinds: set[Role]) -> None:
    assert bare_value(text) == kinds
