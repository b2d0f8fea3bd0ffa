"""When a chat stops asking.

- A question that was not asked yet never ends it, up to three times the bound; one that was asked before does, once so
  many were. Case and spaces make no other question.
"""

import pytest

from contracts.messages import ChatMemory
from contracts.model import ChatMessage
from workflows.remembered import going_in_circles


def asked(*questions: str) -> ChatMemory:
    """A chat that put these in a row, after something else."""
    told = [ChatMessage(role="assistant", content="Which day?")]
    for question in questions:
        told += [ChatMessage(role="user", content="x"), ChatMessage(role="assistant", content=question)]
    return ChatMemory(owner="me", messages=tuple(told), clarifications=len(questions))


@pytest.mark.parametrize(
    ("before", "question", "over"),
    [
        ((), "Which day?", False),
        (("a?", "b?", "c?"), "d?", False),
        (("a?", "b?", "c?", "d?", "e?", "f?", "g?", "h?"), "i?", False),
        (("a?", "b?", "c?", "d?", "e?", "f?", "g?", "h?", "i?"), "j?", True),
        (("a?", "a?"), "a?", False),
        (("a?", "a?", "a?"), "A? ", True),
        (("a?", "b?", "a?", "b?"), "c?", False),
        (("a?", "b?", "a?", "b?"), "a?", True),
    ],
)
def test_when_it_is_over(before: tuple[str, ...], question: str, over: bool) -> None:
    assert going_in_circles(asked(*before), question, 3) is over
