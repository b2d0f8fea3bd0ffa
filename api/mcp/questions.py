"""The forms that a person is shown: a plan to confirm, a question of a running plan, an undo."""

from datetime import UTC, datetime

from api.mcp.asking import Question, Reply
from contracts.enums import PlanStatus, SafetyTier, StepStatus
from contracts.plan import BlockingPrompt, ExecutionPlan, PlannedAction, PreviewLine
from language.catalogue import say

_LONGEST = 4000


def waits_for_confirmation(plan: ExecutionPlan) -> bool:
    """Whether a yes would count now."""
    return plan.status is PlanStatus.PENDING_CONFIRMATION and datetime.now(UTC) < plan.expires_at


def waits_for_answer(plan: ExecutionPlan) -> bool:
    """Whether an answer would be taken now: a question whose time is up is shown until the plan has gone on."""
    return plan.blocking_prompt is not None and datetime.now(UTC) < plan.blocking_prompt.expires_at


def confirmation(plan: ExecutionPlan) -> Question:
    """Everything that a plan would change, and the yes to it. There is no default: an untouched form is no yes."""
    rows = [row for action in plan.actions for row in _rows(action)]
    message = "\n".join([plan.intent, *rows, say("mcp.confirm")])
    return Question(
        about=f"confirm {plan.plan_id}",
        message=message,
        field="confirm",
        schema={"type": "boolean", "title": say("mcp.confirm_field"), "description": say("mcp.confirm_hint")},
        seconds=_left(plan.expires_at),
    )


def answering(plan: ExecutionPlan, prompt: BlockingPrompt) -> Question:
    """What a running plan asks, with its choices."""
    schema = {"type": "string", "title": say("mcp.answer_field"), "minLength": 1, "maxLength": _LONGEST}
    if prompt.choices:
        schema = {"type": "string", "title": say("mcp.answer_field"), "enum": list(prompt.choices)}
    return Question(
        about=f"answer {plan.plan_id} {prompt.prompt_id}",
        message=prompt.question,
        field="answer",
        schema=schema,
        seconds=_left(prompt.expires_at),
    )


def undoing(plan: ExecutionPlan) -> Question:
    """What an undo takes back, and what of the plan it leaves as it is."""
    done = [a for a in plan.actions if a.status is StepStatus.COMPLETED and not a.read_only]
    rows = [row for action in done for row in _rows(action, back=True)]
    message = "\n".join([say("mcp.undo", done=plan.summary or plan.intent), *rows])
    return Question(
        about=f"undo {plan.plan_id}",
        message=message,
        field="undo",
        schema={"type": "boolean", "title": say("mcp.undo_field"), "description": say("mcp.undo_hint")},
        seconds=_left(plan.undo_until) if plan.undo_until is not None else 0.0,
    )


def says_yes(reply: Reply) -> bool:
    """Only a form that was sent off with its own yes; nothing that merely looks like one."""
    return reply.action == "accept" and reply.value is True


def answer_in(reply: Reply, prompt: BlockingPrompt) -> str | None:
    """The answer that a form holds; None for what answers nothing."""
    if reply.action != "accept" or not isinstance(reply.value, str):
        return None
    text = reply.value.strip()
    if prompt.choices and text not in prompt.choices:
        return None
    return text if 1 <= len(text) <= _LONGEST else None


def _rows(action: PlannedAction, *, back: bool = False) -> list[str]:
    """A step as a form shows it, which has lines of text and nothing else."""
    head = say("mcp.step", step=action.step, title=action.title, whom=action.whom or "")
    rows = [_back(line, action) if back else _forth(line) for line in action.preview]
    notes = _for_good(action) if back else _notes(action)
    return [head, *("  " + text for text in (*rows, *notes))]


def _forth(line: PreviewLine) -> str:
    return say("mcp.change", field=line.field, before=line.before, after=line.after, stays=line.lasting)


def _back(line: PreviewLine, action: PlannedAction) -> str:
    """A line of what is undone. One without a value before is of something new: no value comes back."""
    if line.lasting or not action.reversible:
        return say("mcp.change", field=line.field, before=None, after=line.after, stays=True)
    if line.before is None:
        return say("mcp.taken_back", field=line.field, after=line.after)
    return say("mcp.change", field=line.field, before=line.after, after=line.before, stays=False)


def _notes(action: PlannedAction) -> list[str]:
    notes = [action.when.text] if action.when is not None else []
    if action.status is StepStatus.SKIPPED:
        notes.append(action.left_out or say("mcp.skipped"))
    elif not action.required:
        notes.append(say("mcp.optional"))
    notes += _for_good(action)
    if action.safety_tier is SafetyTier.HIGH_RISK:
        notes.append(say("mcp.high_risk"))
    return notes


def _for_good(action: PlannedAction) -> list[str]:
    return [] if action.reversible or action.read_only else [say("mcp.irreversible")]


def _left(until: datetime) -> float:
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
