"""The commands of an operator to one plan. However a command comes (HTTP, a typed yes or no, AG-UI, MCP), it is one of
these, and `clients.commands.PlanCommands.execute` carries it out."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from contracts.base import FrozenModel


class CommandKind(StrEnum):
    """The kind of a command. `drop` cancels a pending plan that another one replaces. Its texts are in `[command]`."""

    CONFIRM = "confirm"
    ANSWER = "answer"
    CANCEL = "cancel"
    UNDO = "undo"
    SKIP = "skip"
    DROP = "drop"


class _Command(FrozenModel):
    """One command of one request: `request_id` is the same for every retry. The API has opened the commit token of a
    command that comes in a message (`infra.stores.command_store`); without one, `execute` opens it."""

    asks_for_work: ClassVar[bool] = False
    """Whether the command starts work, which needs a slot."""

    user_id: str
    request_id: str | None = None
    commit_token: str = ""

    @property
    def needs_slot(self) -> bool:
        """Return whether the command needs a slot of its own: one from a message has the slot of the message."""
        return self.asks_for_work and not self.commit_token


class ConfirmPlan(_Command):
    """Carry out the plan."""

    asks_for_work = True
    name: Literal["confirm"] = "confirm"
    kind: ClassVar[CommandKind] = CommandKind.CONFIRM


class AnswerPrompt(_Command):
    """Answer a question of the plan. Without `prompt_id` it is for the open one, if the plan has asked only once."""

    asks_for_work = True
    name: Literal["answer"] = "answer"
    kind: ClassVar[CommandKind] = CommandKind.ANSWER
    text: str
    prompt_id: str | None = None


class SkipStep(_Command):
    """Leave out a step (from 1) that has not started."""

    name: Literal["skip"] = "skip"
    kind: ClassVar[CommandKind] = CommandKind.SKIP
    step: int


class CancelPlan(_Command):
    """Drop a pending plan, or stop it before its next step; with `waits_for` only while it waits for that
    (`contracts.chat_messages.CancelRequest`). `superseded_by` is the plan that replaces it."""

    name: Literal["cancel"] = "cancel"
    superseded_by: str | None = None
    waits_for: str | None = None

    @property
    def kind(self) -> CommandKind:
        """Return `drop` if another plan replaces this one."""
        return CommandKind.DROP if self.superseded_by else CommandKind.CANCEL


class UndoPlan(_Command):
    """Undo a completed plan."""

    asks_for_work = True
    name: Literal["undo"] = "undo"
    kind: ClassVar[CommandKind] = CommandKind.UNDO


PlanCommand = ConfirmPlan | AnswerPrompt | SkipStep | CancelPlan | UndoPlan
"""One command."""
NamedCommand = Annotated[PlanCommand, Field(discriminator="name")]
"""The same as a field of a model."""
