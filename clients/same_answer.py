"""Whether an answer under a `request_id` that was used before is the same answer. What the first one said is kept as
hashes of its question and its text: with its attempt (`infra.claims`), and with the plan that has taken it."""

import hashlib
from collections.abc import Iterable

_BETWEEN = "/"


def content_of(plan_id: str, prompt_id: str | None, text: str) -> str:
    """What an answer says: for which question, as far as that is known, and what."""
    return f"{_hash(plan_id, prompt_id) if prompt_id else ''}{_BETWEEN}{_hash(plan_id, text)}"


def answer_id(attempt: str, content: str) -> str:
    """The name under which a plan takes it."""
    return f"{attempt}{_BETWEEN}{content}"


def taken_under(attempt: str, answers: Iterable[str]) -> str:
    """What the answer said that a plan took under an attempt; "" where it took none."""
    return next((a.partition(_BETWEEN)[2] for a in answers if a.partition(_BETWEEN)[0] == attempt), "")


def says_other(known: str, plan_id: str, prompt_id: str | None, text: str) -> bool:
    """Whether an answer says something else than the `known` one under its id. One that names no question is for the
    question that the known one was for."""
    question, _, said = known.rpartition(_BETWEEN)
    asked, _, says = content_of(plan_id, prompt_id, text).rpartition(_BETWEEN)
    return bool(known) and (said != says or bool(asked and question and asked != question))


def _hash(plan_id: str, text: str) -> str:
    return hashlib.sha256(f"{plan_id}\n{text}".encode()).hexdigest()[:32]
