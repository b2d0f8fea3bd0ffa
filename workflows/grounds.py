"""What the steps of a plan stand on: what each snapshot must still hash to, as the plan's own writes move it.

Two steps that read the same booking share that ground. A write moves it for both; what nobody could look at afterwards
is unknown, until the next snapshot finds that the write stands.
"""

from collections.abc import Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.effects import ActReply, ActRequest, Expectation, SnapshotReply
    from workflows.step_run import StepRun, shared


class Grounds:
    """The grounds of all steps. A plan from before has one a step, its subject."""

    def __init__(self, runs: Sequence[StepRun]) -> None:
        self._runs = runs
        self._by_number = {run.number: run for run in runs}

    def expected(self, first: int, same_as: StepRun) -> tuple[Expectation, ...]:
        """What the grounds that step `same_as` shares with the steps from `first` on must still hash to; "" where
        that is unknown and still to be found."""
        later = [run for run in self._runs if run.number >= first]
        found = [
            Expectation(
                step=run.number, key=key, covers=ground.covers, ignore=ground.ignore, digest=run.known[key] or ""
            )
            for run in later
            for key, ground in run.grounds.items()
            if key in same_as.grounds
        ]
        for run in later:
            digest, template = run.known.get(""), run.action.snapshot
            if same_as.subject is not None and run.subject == same_as.subject and digest and template:
                found.append(
                    Expectation(step=run.number, covers=template.covers, ignore=template.ignore, digest=digest)
                )
        return tuple(found)

    def left_by(self, run: StepRun) -> tuple[Expectation, ...]:
        """How the plan left what a step stands on."""
        return tuple(e for e in self.expected(run.number, run) if e.step == run.number)

    def unseen(self, same_as: StepRun) -> tuple[ActRequest, ...]:
        """This plan's writes that nobody has seen yet, on what the step stands on."""
        return tuple(run.unseen for run in self._runs if run.unseen is not None and shared(run, same_as))

    def read(self, run: StepRun, reply: SnapshotReply) -> None:
        """A snapshot was read, and fits: what it found is what the step stands on now."""
        run.stand_on(reply.grounds)
        if reply.subject is not None and run.subject is None:
            run.subject, run.known[""] = reply.subject, reply.digest
        for other in self._runs:
            if other.unseen is not None and shared(other, run):
                other.unseen = None
        for moved in reply.moved:
            # What is still to come stands on what it reads itself.
            if moved.step < run.number:
                self._by_number[moved.step].known[moved.key] = moved.digest

    def written(self, run: StepRun, reply: ActReply) -> None:
        """A write has moved the grounds it shares."""
        sent = self._sent(run)
        for step, key, digest in (
            *((m.step, m.key, m.digest) for m in reply.moved),
            *((number, "", digest) for number, digest in reply.digests.items()),
        ):
            if step in self._by_number:
                self._by_number[step].known[key] = digest
        if any(m.digest is None for m in reply.moved):
            run.unseen = sent

    def _sent(self, run: StepRun) -> ActRequest | None:
        if run.scope is None or run.snapshot is None:
            return None
        moved = self.expected(1, run)
        return ActRequest(scope=run.scope, before=run.snapshot.before, step=run.number, moved=moved)

    def last_steps(self) -> list[StepRun]:
        """For each thing that plans from before changed, the last step on it."""
        return list({run.subject: run for run in self._runs if run.subject is not None}.values())
