"""The preconditions of a plan's steps: the hash that each state fingerprint must still have, updated by the plan's own
writes.

Two steps that read the same booking share its fingerprint. A write changes it for both. If the state after a write
could not be read, it is unknown until the next snapshot shows that the write was applied.
"""

from collections.abc import Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.step_activities import ActReply, ActRequest, ExpectedState, SnapshotReply
    from workflows.plan.step import StepState, shared


class Preconditions:
    """The state fingerprints of all steps."""

    def __init__(self, runs: Sequence[StepState]) -> None:
        self._runs = runs
        self._by_number = {run.number: run for run in runs}

    def expected(self, first: int, same_as: StepState) -> tuple[ExpectedState, ...]:
        """Return the expected hashes of the fingerprints that step `same_as` shares with the steps from `first` on; ""
        for one that is still unknown."""
        return tuple(
            ground.expected(run.number).model_copy(update={"digest": run.fingerprints[key] or ""})
            for run in self._runs
            if run.number >= first
            for key, ground in run.grounds.items()
            if key in same_as.grounds
        )

    def after_plan(self, run: StepState) -> tuple[ExpectedState, ...]:
        """Return the state that the plan left for a step's fingerprints."""
        return tuple(e for e in self.expected(run.number, run) if e.step == run.number)

    def unverified(self, same_as: StepState) -> tuple[ActRequest, ...]:
        """Return the plan's unverified writes to the state that the step depends on."""
        return tuple(run.unseen for run in self._runs if run.unseen is not None and shared(run, same_as))

    def on_snapshot(self, run: StepState, reply: SnapshotReply) -> None:
        """Update the fingerprints with a snapshot that met the expectations."""
        run.set_fingerprints(reply.fingerprints)
        for other in self._runs:
            if other.unseen is not None and shared(other, run):
                other.unseen = None
        for moved in reply.changed:
            # Later steps depend on what they read themselves.
            if moved.step < run.number:
                self._by_number[moved.step].fingerprints[moved.key] = moved.digest

    def on_write(self, run: StepState, reply: ActReply) -> None:
        """Update the shared fingerprints after a write."""
        sent = self._sent(run)
        for moved in reply.changed:
            if moved.step in self._by_number:
                self._by_number[moved.step].fingerprints[moved.key] = moved.digest
        if any(m.digest is None for m in reply.changed):
            run.unseen = sent

    def _sent(self, run: StepState) -> ActRequest | None:
        if run.scope is None or run.snapshot is None:
            return None
        moved = self.expected(1, run)
        return ActRequest(scope=run.scope, before=run.snapshot.before, step=run.number, changed=moved)
