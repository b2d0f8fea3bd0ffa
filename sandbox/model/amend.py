"""A change to the plan that waits for confirmation: all its steps again, with the new values in."""

from contracts.enums import ParameterRole as Role
from sandbox.model.arguments import arguments_of
from sandbox.model.dropping import Dropped
from sandbox.model.prompt import Brief, Row, Step
from sandbox.model.protocol import Arguments, Call
from sandbox.model.tools import Tool, Toolbox
from sandbox.model.wants import Want


def amended(brief: Brief, toolbox: Toolbox, wants: list[Want], dropped: Dropped | None = None) -> list[Call]:
    """The pending calls without what was `dropped` and with `wants` worked in; what no pending step does is added at
    the end. Raises `UnclearError`."""
    row = _row(brief, toolbox)
    end = next((want for want in wants if "cancel" in want.tool.heads), None)
    if end is not None:
        # Nothing else is left to do to a booking that is cancelled.
        return [Call(end.tool.name, arguments_of(end, row, brief))]
    calls = [call for step in brief.pending if (call := _kept(step, toolbox, dropped)) is not None]
    for want in wants:
        fresh = arguments_of(want, row, brief)
        place = next((n for n, c in enumerate(calls) if c.name == want.tool.name), None)
        if place is None:
            calls.append(Call(want.tool.name, fresh))
        else:
            calls[place] = Call(want.tool.name, _merged(calls[place].arguments, fresh, want.tool))
    return calls


def _kept(step: Step, toolbox: Toolbox, dropped: Dropped | None) -> Call | None:
    tool = toolbox.get(step.tool)
    left = dict(step.arguments) if dropped is None or tool is None else dropped.of(step, tool)
    return None if left is None else Call(step.tool, left)


def _merged(old: Arguments, fresh: Arguments, tool: Tool) -> Arguments:
    booking = tool.with_role(Role.BOOKING)
    return {**old, **{k: v for k, v in fresh.items() if booking is None or k != booking.name}}


def _row(brief: Brief, toolbox: Toolbox) -> Row | None:
    """The booking of the pending plan, with what the chat knows of it."""
    for step in brief.pending:
        tool = toolbox.get(step.tool)
        param = tool.with_role(Role.BOOKING) if tool else None
        if param is not None and param.name in step.arguments:
            booking_id = str(step.arguments[param.name])
            known = next((r for r in brief.known if booking_id in (r.booking_id, r.reference)), None)
            return known or Row(booking_id)
    return brief.known[-1] if brief.known else None
