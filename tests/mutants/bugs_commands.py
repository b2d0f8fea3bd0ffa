"""Deliberate bugs of an operator's commands and sign-ins: what counts, when, and whose (`bugs.py` has the form)."""

from tests.mutants.bugs import Bug

_ORDERS = "tests/workflows/test_every_order.py"
_COMMANDS = "tests/workflows/test_commands_and_state.py"

COMMANDS: tuple[Bug, ...] = (
    Bug(
        name="a plan takes a sign-in of another user",
        about="done",
        file="workflows/plan.py",
        right="        if message.user_id != self._record.plan.user_id:\n",
        wrong="        if False:\n",
        tests=("tests/workflows/test_cancellation.py",),
    ),
    Bug(
        name="a skip is not looked at again at its turn",
        about="said",
        file="workflows/plan.py",
        right="self._committed(request.attempt, lambda: refuse_skip(self._record.plan, request.step))",
        wrong="self._committed(request.attempt, lambda: None)",
        tests=(_COMMANDS,),
    ),
    Bug(
        name="an earlier write that nobody saw is not looked for",
        about="done",
        file="activities/steps.py",
        right="[0] if await self._overruled(request) else []",
        wrong="[]",
        tests=("tests/activities/test_unseen_writes.py",),
    ),
    Bug(
        name="an undo counts though what is covered is not as before",
        about="said",
        file="registry/standing.py",
        right="(action.snapshot is None or unchanged(action, scope))",
        wrong="True",
        tests=("tests/registry/test_snapshots.py",),
    ),
    Bug(
        name="a token that one venue accepted counts at every other",
        about="done",
        file="api/auth.py",
        right='f"{venue_id} {token}"',
        wrong='f"{token}"',
        tests=("tests/stack/test_accepted_tokens.py",),
    ),
    Bug(
        name="a command that its caller has given up takes effect",
        about="done",
        file="workflows/commands.py",
        right="                    raise AbortedError(attempt)\n",
        wrong="                    pass\n",
        tests=(f"{_ORDERS}::test_a_command_counts_exactly_when_its_caller_hears_so",),
    ),
    Bug(
        name="a plan expires while its confirm is being committed",
        about="said",
        file="workflows/plan.py",
        right="        await self._commands.settled()\n        if self._record.plan.status is PlanStatus.PENDING",
        wrong="        if self._record.plan.status is PlanStatus.PENDING",
        tests=(_ORDERS,),
    ),
    Bug(
        name="a plan completes while its cancel is being committed",
        about="said",
        file="workflows/plan.py",
        right="        await self._commands.settled()\n        if self._cancellation.requested:\n",
        wrong="        if self._cancellation.requested:\n",
        tests=(_ORDERS,),
    ),
    Bug(
        name="a plan closes while its undo is being committed",
        about="said",
        file="workflows/plan.py",
        right="        await workflow.wait_condition(lambda: self._undoing is None)\n        if self._undo is None:\n",
        wrong="        if self._undo is None:\n",
        tests=(_ORDERS,),
    ),
    Bug(
        name="a command that nobody answered is called without effect unasked",
        about="said",
        file="clients/words.py",
        right="            stands = await self.withdraw(ticket)\n",
        wrong="            stands = WITHDRAWN\n",
        tests=(_ORDERS,),
    ),
    Bug(
        name="a pending plan ends only after the commands behind its drop",
        about="said",
        file="workflows/plan.py",
        right="                if self._confirm is None:\n                    self._record.move(",
        wrong="                if False:\n                    self._record.move(",
        tests=(_COMMANDS,),
    ),
    Bug(
        name="any conflict counts as want of room",
        about="done",
        file="clients/venue.py",
        right="        return Refusal.NO_ROOM if known else Refusal.KNOWN\n",
        wrong="        return Refusal.NO_ROOM\n",
        tests=("tests/activities/test_venue_client.py",),
    ),
)
