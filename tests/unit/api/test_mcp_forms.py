"""MCP's forms before an operator's yes. They list line by line what an undo does not restore, in the form that confirms
a plan and in the one that undoes the rest; they never report an irreversible step as undone."""

from datetime import UTC, datetime, timedelta

from api.mcp.forms import confirmation, undoing
from contracts.enums import PlanStatus, SafetyTier, StepStatus
from contracts.plan import ExecutionPlan, PlannedAction, PreviewLine
from language.messages.catalogue import activate_locale, translate


def step(number: int, *lines: PreviewLine, reversible: bool) -> PlannedAction:
    """Return a completed step."""
    return PlannedAction(
        step=number, action_id="do", title=f"Do {number}", parameters={}, safety_tier=SafetyTier.NORMAL,
        reversible=reversible, preview=lines, status=StepStatus.COMPLETED,
    )  # fmt: skip


WHEN = PreviewLine(field="When", before="10am", after="3pm")
NOTE = PreviewLine(field="Note", before=None, after="cake at four")
EXTRAS = PreviewLine(field="Extras", before=None, after="not carried over", lasting=True)
NUMBER = PreviewLine(field="Number", before="8351", after="8360", lasting=True)
BOOKING = PreviewLine(field="Booking", before="Ann Lee, 10am", after="Cancelled for good")
EMAIL = PreviewLine(field="E-mail", before=None, after="sent")


def carried_out(*steps: PlannedAction) -> ExecutionPlan:
    """Return a plan that can be undone."""
    now = datetime.now(UTC)
    return ExecutionPlan(
        plan_id="p-1", session_id="s-1", user_id="u-1", venue_id="v-1", intent="Do it", actions=steps,
        created_at=now, confirmed_at=now, completed_at=now, expires_at=now + timedelta(minutes=15),
        undo_until=now + timedelta(minutes=15), status=PlanStatus.COMPLETED,
    )  # fmt: skip


def test_an_undo_takes_back_what_goes_back_and_says_what_stays() -> None:
    steps = step(1, WHEN, NOTE, EXTRAS, NUMBER, reversible=True), step(2, BOOKING, EMAIL, reversible=False)
    activate_locale("en-GB")
    assert undoing(carried_out(*steps)).message.splitlines()[1:] == [
        "Step 1: Do 1",
        "  When: 3pm → 10am",
        "  Note: cake at four is taken back",
        "  Extras: not carried over (stays after an undo)",
        "  Number: 8360 (stays after an undo)",
        "Step 2: Do 2",
        "  Booking: Cancelled for good (stays after an undo)",
        "  E-mail: sent (stays after an undo)",
        f"  {translate('mcp.irreversible')}",
    ]


def test_what_stays_after_an_undo_is_stated_before_it_is_confirmed() -> None:
    steps = step(1, WHEN, NUMBER, reversible=True), step(2, BOOKING, reversible=False)
    activate_locale("it-IT")
    assert confirmation(carried_out(*steps)).message.splitlines()[2:7] == [
        "  When: 10am → 3pm",
        "  Number: 8351 → 8360 (resta anche dopo un annullamento)",
        "Passo 2: Do 2",
        "  Booking: Ann Lee, 10am → Cancelled for good",
        f"  {translate('mcp.irreversible')}",
    ]
