"""What the steps of a plan stand on: what each snapshot must still hash to, as the plan's own writes move it.

Two steps that read the same booking share that ground. A write moves it for both; what nobody could look at afterwards
is unknown, until the next snapshot finds that the write stands.
"""

from collections.abc import Iterable, Sequence

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.base import Json
    from contracts.effects import ActReply, DraftedStep, Expectation, Ground, SnapshotReply, StepScope, UnseenWrite


class Grounds:
    """The grounds of all steps, by step and key. A plan from before has one key a step, its subject."""

    def __init__(self, steps: Sequence[DraftedStep]) -> None:
        self._by_subject = {n: s.subject for n, s in enumerate(steps, 1) if s.subject is not None}
        self._templates = {n: s.action.snapshot for n, s in enumerate(steps, 1)}
        self._grounds: dict[int, dict[str, Ground]] = {}
        self._known: dict[tuple[int, str], str | None] = {}
        self._unseen: dict[int, UnseenWrite] = {}
        for number, step in enumerate(steps, 1):
            self._stand(number, step.grounds)
            if step.subject is not None and step.digest is not None:
                self._known[number, ""] = step.digest

    def expected(self, first: int, same_as: int) -> tuple[Expectation, ...]:
        """What the grounds that step `same_as` shares with the steps from `first` on must still hash to; "" where
        that is unknown and still to be found."""
        found = [
            Expectation(step=n, key=key, covers=ground.covers, ignore=ground.ignore, digest=self._known[n, key] or "")
            for n, own in self._grounds.items()
            for key, ground in own.items()
            if n >= first and key in self._grounds.get(same_as, {})
        ]
        return tuple(found) + self._expected_by_subject(first, same_as)

    def _expected_by_subject(self, first: int, same_as: int) -> tuple[Expectation, ...]:
        subject, found = self._by_subject.get(same_as), []
        for number, other in self._by_subject.items():
            digest, template = self._known.get((number, "")), self._templates[number]
            if subject is not None and number >= first and other == subject and digest and template:
                found.append(Expectation(step=number, covers=template.covers, ignore=template.ignore, digest=digest))
        return tuple(found)

    def unseen(self, step: int) -> tuple[UnseenWrite, ...]:
        """This plan's writes that nobody has seen yet, on what the step stands on."""
        return tuple(w for n, w in self._unseen.items() if self._share(n, step))

    def read(self, step: int, reply: SnapshotReply) -> None:
        """A snapshot was read, and fits: what it found is what the step stands on now."""
        self._stand(step, reply.grounds)
        if reply.subject is not None and step not in self._by_subject:
            self._by_subject[step], self._known[step, ""] = reply.subject, reply.digest
        for number in [n for n in self._unseen if self._share(n, step)]:
            del self._unseen[number]

    def written(self, step: int, scope: StepScope, before: Json, reply: ActReply) -> None:
        """A write has moved the grounds it shares."""
        self._known.update({(m.step, m.key): m.digest for m in reply.moved})
        self._known.update({(number, ""): digest for number, digest in reply.digests.items()})
        if any(m.digest is None for m in reply.moved):
            self._unseen[step] = UnseenWrite(scope=scope, before=before)

    def last_steps(self) -> list[int]:
        """For each thing that plans from before changed, the last step on it."""
        return list({subject: number for number, subject in self._by_subject.items()}.values())

    def _stand(self, step: int, grounds: Iterable[Ground]) -> None:
        own = {g.key: g for g in grounds}
        if own:
            self._grounds[step] = own
            self._known.update({(step, key): g.digest for key, g in own.items()})

    def _share(self, one: int, other: int) -> bool:
        return not self._grounds.get(one, {}).keys().isdisjoint(self._grounds.get(other, {}))
