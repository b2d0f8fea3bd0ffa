"""Search attributes, as on-call types them into the Temporal UI. Plain text: never personal data. They must be
registered before the first workflow starts, or its tasks fail for ever; `temporal-dev.yaml` lists them for the dev
server."""

from temporalio.common import SearchAttributeKey

STATUS = SearchAttributeKey.for_keyword("IqStatus")
"""A plan's status, e.g. `IqStatus = "failed"`."""
VENUE = SearchAttributeKey.for_keyword("IqVenue")
"""The venue a workflow works for."""
PHASE = SearchAttributeKey.for_keyword("IqPhase")
"""What a plan is busy with: its status, `asking`, or `rollback running`."""

USER = SearchAttributeKey.for_keyword("IqUser")
"""Whose plan it is, by a pseudonym of venue and user (`KeyRing.pseudonyms`). Plans from before it, and those that were
started while the cluster did not know it, have none."""

ALL = (STATUS, VENUE, PHASE, USER)
