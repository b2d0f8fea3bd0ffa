"""The forms that a person sees: a plan to confirm, a question of a running plan, an undo."""

from datetime import UTC, datetime

from api.mcp.elicitation import ElicitationReply, Question
from contracts.enums import PlanStatus, SafetyTier, StepStatus
from contracts.plan import BlockingPrompt, ExecutionPlan, PlannedAction, PreviewLine
from language.messages.catalogue import translate

_LONGEST = 4000


def waits_for_confirmation(plan: ExecutionPlan) -> bool:
    """Return whether a yes would be accepted now."""
    return plan.status is PlanStatus.PENDING_CONFIRMATION and datetime.now(UTC) < plan.expires_at


def waits_for_answer(plan: ExecutionPlan) -> bool:
    """Return whether an answer would be accepted now. An expired question is shown until the plan has continued."""
    return plan.blocking_prompt is not None and datetime.now(UTC) < plan.blocking_prompt.expires_at


def confirmation(plan: ExecutionPlan) -> Question:
    """Return a form with everything that a plan would change. It has no default, so an untouched form is no yes."""
    rows = [row for action in plan.actions for row in _rows(action)]
    message = "\n".join([plan.intent, *rows, translate("mcp.confirm")])
    return Question(
        about=f"confirm {plan.plan_id}",
        message=message,
        field="confirm",
        schema={
            "type": "boolean",
            "title": translate("mcp.confirm_field"),
            "description": translate("mcp.confirm_hint"),
        },
        seconds=_left(plan.expires_at),
    )


def answering(plan: ExecutionPlan, prompt: BlockingPrompt) -> Question:
    """Return a form with a running plan's question and its choices."""
    schema = {"type": "string", "title": translate("mcp.answer_field"), "minLength": 1, "maxLength": _LONGEST}
    if prompt.choices:
        schema = {"type": "string", "title": translate("mcp.answer_field"), "enum": list(prompt.choices)}
    return Question(
        about=f"answer {plan.plan_id} {prompt.prompt_id}",
        message=prompt.question,
        field="answer",
        schema=schema,
        seconds=_left(prompt.expires_at),
    )


def undoing(plan: ExecutionPlan) -> Question:
    """Return a form with what an undo reverts, and what it leaves unchanged."""
    done = [a for a in plan.actions if a.status is StepStatus.COMPLETED and not a.read_only]
    rows = [row for action in done for row in _rows(action, back=True)]
    message = "\n".join([translate("mcp.undo", done=plan.summary or plan.intent), *rows])
    return Question(
        about=f"undo {plan.plan_id}",
        message=message,
        field="undo",
        schema={"type": "boolean", "title": translate("mcp.undo_field"), "description": translate("mcp.undo_hint")},
        seconds=_left(plan.undo_until) if plan.undo_until is not None else 0.0,
    )


def says_yes(reply: ElicitationReply) -> bool:
    """Return whether the form was submitted with its own yes. Nothing else that resembles a yes counts."""
    return reply.action == "accept" and reply.value is True


def answer_in(reply: ElicitationReply, prompt: BlockingPrompt) -> str | None:
    """Return the answer that a form holds; None if it answers nothing."""
    if reply.action != "accept" or not isinstance(reply.value, str):
        return None
    text = reply.value.strip()
    if prompt.choices and text not in prompt.choices:
        return None
    return text if 1 <= len(text) <= _LONGEST else None


def _rows(action: PlannedAction, *, back: bool = False) -> list[str]:
    """Return a step as lines of text, because a form shows nothing else."""
    head = translate("mcp.step", step=action.step, title=action.title, whom=action.whom or "")
    rows = [_back(line, action) if back else _forth(line) for line in action.preview]
    notes = _for_good(action) if back else _notes(action)
    return [head, *("  " + text for text in (*rows, *notes))]


def _forth(line: PreviewLine) -> str:
    return translate("mcp.change", field=line.field, before=line.before, after=line.after, stays=line.lasting)


def _back(line: PreviewLine, action: PlannedAction) -> str:
    """Return a line of an undo. A line without a value before is about something new, so no value is restored."""
    if line.lasting or not action.reversible:
        return translate("mcp.change", field=line.field, before=None, after=line.after, stays=True)
    if line.before is None:
        return translate("mcp.taken_back", field=line.field, after=line.after)
    return translate("mcp.change", field=line.field, before=line.after, after=line.before, stays=False)


def _notes(action: PlannedAction) -> list[str]:
    notes = [action.when.text] if action.when is not None else []
    if action.status is StepStatus.SKIPPED:
        notes.append(action.left_out or translate("mcp.skipped"))
    elif not action.required:
        notes.append(translate("mcp.optional"))
    notes += _for_good(action)
    if action.safety_tier is SafetyTier.HIGH_RISK:
        notes.append(translate("mcp.high_risk"))
    return notes


def _for_good(action: PlannedAction) -> list[str]:
    return [] if action.reversible or action.read_only else [translate("mcp.irreversible")]


def _left(until: datetime) -> float:
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
