"""Bugs that the scenarios of a second look that dies and of a person who is asked must see, whatever else sees them;
see `bugs.py`."""

from tests.mutants.bugs import Bug

_JUDGED = "tests/e2e/chaos/test_judged.py::test_a_second_look_that_dies_is_nobodys_yes_and_one_person_answers_once"
_GARBAGE, _KILLED, _STAFF, _BOTH = f"{_JUDGED}[3]", f"{_JUDGED}[6]", f"{_JUDGED}[9]", f"{_JUDGED}[22]"

CHAOS: tuple[Bug, ...] = (
    Bug(
        name="chaos: a second look whose worker died is a yes",
        about="done",
        file="workflows/second_look.py",
        right="            return self._hands(_why_failed(error) if not",
        wrong="            return Goes() if self.adaptive else self._hands(_why_failed(error) if not",
        tests=(_KILLED,),
    ),
    Bug(
        name="chaos: a second look that answers garbage is a yes",
        about="done",
        file="activities/critiques.py",
        right="            except (UnusableError, critiquing.UnreadableError) as why:\n"
        "                raise unusable(str(why)) from None\n",
        wrong="            except (UnusableError, critiquing.UnreadableError) as why:\n"
        '                return Critique(decision="proceed", reasoning=str(why))  # type: ignore[arg-type]\n',
        tests=(_GARBAGE,),
    ),
    Bug(
        name="chaos: the last of several answers is told, too",
        about="said",
        file="workflows/escalation.py",
        right="        if self._status is not EscalationStatus.OPEN:\n            raise refusal",
        wrong="        if self._status is EscalationStatus.LAPSED:\n            raise refusal",
        tests=(_STAFF,),
    ),
    Bug(
        name="chaos: the ledger does not hear how a hand-over ended",
        about="said",
        file="activities/escalations.py",
        right="        await self._ledger.note(record)\n",
        wrong='        if record.status.value == "open":\n            await self._ledger.note(record)\n',
        tests=(_BOTH,),
    ),
    Bug(
        name="chaos: an answer never comes into its chat",
        about="said",
        file="workflows/people.py",
        right="        if says.escalation_id in memory.heard:\n",
        wrong="        if True:\n",
        tests=(_BOTH,),
    ),
)
