"""Search attributes, as on-call types them into the Temporal UI. Plain text: never personal data. Register them before
the first workflow starts, or its tasks fail for ever; `temporal-dev.yaml` lists them for the dev server."""

from typing import Any

from temporalio.common import SearchAttributeKey

from contracts.persisted_names import SearchAttribute

STATUS = SearchAttributeKey.for_keyword(SearchAttribute.STATUS)
"""A plan's status, e.g. `IqStatus = "failed"`."""
VENUE = SearchAttributeKey.for_keyword(SearchAttribute.VENUE)
"""The venue a workflow works for."""
PHASE = SearchAttributeKey.for_keyword(SearchAttribute.PHASE)
"""The activity of a plan: its status, `asking`, `waiting_for_model`, `rollback running`,
`rollback waiting_for_sign_in`, `completed, can be undone`, `undone` (by its operator, whole), or its status with
`, manual steps left`."""

USER = SearchAttributeKey.for_keyword(SearchAttribute.USER)
"""The plan's owner, as a pseudonym of venue and user (`KeyRing.pseudonyms`)."""

SINCE = SearchAttributeKey.for_datetime(SearchAttribute.SINCE)
"""The time since which a plan has its phase."""

ALL: tuple[SearchAttributeKey[Any], ...] = (STATUS, VENUE, PHASE, USER, SINCE)
