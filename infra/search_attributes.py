"""Search attributes, as on-call types them into the Temporal UI. Plain text: never personal data. They must be
registered before the first workflow starts, or its tasks fail for ever; `temporal-dev.yaml` lists them for the dev
server."""

from typing import Any

from temporalio.common import SearchAttributeKey

STATUS = SearchAttributeKey.for_keyword("IqStatus")
"""A plan's status, e.g. `IqStatus = "failed"`."""
VENUE = SearchAttributeKey.for_keyword("IqVenue")
"""The venue a workflow works for."""
PHASE = SearchAttributeKey.for_keyword("IqPhase")
"""What a plan is busy with: its status, `asking`, `rollback running`, `rollback waiting_for_sign_in`,
`completed, can be undone`, `undone` (by its operator, whole), or its status with `, manual steps left`."""

USER = SearchAttributeKey.for_keyword("IqUser")
"""Whose plan it is, by a pseudonym of venue and user (`KeyRing.pseudonyms`). Plans from before it, and those that were
started while the cluster did not know it, have none."""

SINCE = SearchAttributeKey.for_datetime("IqSince")
"""Since when a plan is busy with that. Plans from before it, and those that were started while the cluster did not know
it, have none."""

ALL: tuple[SearchAttributeKey[Any], ...] = (STATUS, VENUE, PHASE, USER, SINCE)
