"""All deliberate bugs. To add one, choose its table by what it breaks; `bug.py` describes its fields."""

from tests.mutants import access, judgement, service, undo, writes
from tests.mutants.bug import Bug

BUGS: tuple[Bug, ...] = (
    *writes.COMMANDS,
    *writes.WRITES,
    *writes.OUTCOMES,
    *undo.UNDO,
    *undo.SAGA,
    *undo.REPLAY,
    *judgement.GROUNDS,
    *judgement.SECOND_LOOK,
    *access.AUTH,
    *access.SECRETS,
    *access.CONFIRMED_BY_A_PERSON,
    *service.SHARED,
    *service.RECORDS,
    *service.REGISTRY,
    *service.RESTAURANT,
    *service.PAGE,
)
