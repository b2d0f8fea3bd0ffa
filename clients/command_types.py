"""The commands of an operator to one plan: their kinds, one command, its result, and whether an answer repeated with
its `request_id` is the same answer."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID, uuid4, uuid5

from contracts.plan import ExecutionPlan

_NAMESPACE = UUID("b0f6a0c1-6c61-4a8c-8f0a-2f8a1f1f4f52")


class CommandKind(StrEnum):
    """The kind of a command. `drop` cancels a pending plan that is replaced. Its texts are in `[word]`."""

    CONFIRM = "confirm"
    ANSWER = "answer"
    CANCEL = "cancel"
    UNDO = "undo"
    SKIP = "skip"
    DROP = "drop"


ASK_FOR_WORK = frozenset({CommandKind.CONFIRM, CommandKind.ANSWER, CommandKind.UNDO})


@dataclass(frozen=True, slots=True)
class PlanCommand:
    """One command of one request. A chat's yes or no has the commit token that the API opened for it."""

    kind: CommandKind
    user_id: str
    request_id: str | None = None
    commit_token: str = ""

    @property
    def asks_for_work(self) -> bool:
        """Return whether the command needs a slot. One that reduces work needs none; one from a message has the slot of
        the message."""
        return self.kind in ASK_FOR_WORK and not self.commit_token


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The plan after a command, and whether the command's outcome is known; if not, the plan carries a notice."""

    plan: ExecutionPlan
    certain: bool = True


def idempotency_key(scope: str, kind: str, user_id: str, request_id: str | None) -> str:
    """Return the key of a request's attempt: the same for each retry of a request that has an id."""
    return str(uuid5(_NAMESPACE, f"{scope}\n{kind}\n{user_id}\n{request_id}") if request_id else uuid4())


_BETWEEN = "/"


def content_of(plan_id: str, prompt_id: str | None, text: str) -> str:
    """Return the content of an answer: hashes of its question, as far as it is known, and of its text. It is stored
    with the idempotency key (`infra.stores.command_store`) and with the plan that accepted it."""
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
