"""Detects whether an answer with a reused `request_id` is the same answer. The first answer is stored as hashes of its
question and its text: with its idempotency key (`infra.stores.command_store`), and with the plan that accepted it."""

import hashlib
from collections.abc import Iterable

_BETWEEN = "/"


def content_of(plan_id: str, prompt_id: str | None, text: str) -> str:
    """Return the content of an answer: hashes of its question, as far as it is known, and of its text."""
    return f"{_hash(plan_id, prompt_id) if prompt_id else ''}{_BETWEEN}{_hash(plan_id, text)}"


def answer_id(attempt: str, content: str) -> str:
    """Return the id under which a plan records the answer."""
    return f"{attempt}{_BETWEEN}{content}"


def taken_under(attempt: str, answers: Iterable[str]) -> str:
    """Return the content of the answer that a plan recorded under an idempotency key; "" if there is none."""
    return next((a.partition(_BETWEEN)[2] for a in answers if a.partition(_BETWEEN)[0] == attempt), "")


def says_other(known: str, plan_id: str, prompt_id: str | None, text: str) -> bool:
    """Return whether an answer differs from the `known` one with the same request id. An answer without a question id
    is for the known one's question."""
    question, _, message = known.rpartition(_BETWEEN)
    asked, _, says = content_of(plan_id, prompt_id, text).rpartition(_BETWEEN)
    return bool(known) and (message != says or bool(asked and question and asked != question))


def _hash(plan_id: str, text: str) -> str:
    return hashlib.sha256(f"{plan_id}\n{text}".encode()).hexdigest()[:32]
