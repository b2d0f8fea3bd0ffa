"""`iq escalations`: messages that staff must answer, for staff at a terminal. They are shown decrypted: mind who can
see your screen."""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from clients.errors import ApiError
from clients.temporal.escalations import EscalationClient
from contracts.enums import EscalationStatus
from contracts.escalation import EscalationView, Resolve
from contracts.identifiers import is_printable, sanitize_display_text
from infra.config.settings import Settings
from infra.temporal.client import connect
from language.messages.catalogue import translate
from language.text.invisible import on_one_line

_MISSING = {"unanswered": "did not answer", "unreadable": "cannot be opened with the keys of this environment"}


async def listed(settings: Settings, statuses: tuple[EscalationStatus, ...], *, as_json: bool) -> int:
    """Print the escalations in these states, the oldest last, and those that are missing; the exit code is 1 if any is
    missing."""
    escalations = EscalationClient(await connect(settings, wait=2))
    try:
        found = await escalations.list_page(statuses)
    except ApiError as error:
        print(f"iq: {error}")
        return 1
    views = found.views
    if as_json:
        rows = [view.model_dump(mode="json", exclude_none=True) for view in views]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    elif not views and not found.left_out:
        print(f"Nothing is {' or '.join(statuses)} at {settings.temporal_address}.")
    elif views:
        print("\n".join(line for view in views for line in _lines(view)))
        print('\nAnswer one with `iq escalations --resolve REFERENCE --message "…" --by NAME`.')
    # Separate from the list, because a program that reads the list must not take them for rows.
    for left in found.left_out:
        print(f"iq: {left.escalation_id} {_MISSING[left.why]} and is left out", file=sys.stderr)
    if found.more:
        print(f"iq: {found.more} older ones are not shown; `iq stuck` lists what is open for long", file=sys.stderr)
    return 1 if found.left_out or found.more else 0


async def resolve(settings: Settings, wanted: str, message: str, by: str) -> int:
    """Answer the escalation with this id or reference; the exit code is 1 if the answer was rejected."""
    if not is_printable(by):
        print("iq: --by holds a character that is not seen")
        return 1
    escalations = EscalationClient(await connect(settings, wait=2))
    try:
        named = await _named(escalations, wanted)
        # The same answer typed again has the same idempotency key, because the response to the first may have been
        # lost.
        request_id = f"cli-{sha256(json.dumps([named, message, by]).encode()).hexdigest()[:32]}"
        view = await escalations.resolve(
            named, Resolve(request_id=request_id, message=sanitize_display_text(message), by=by)
        )
    except ApiError as error:
        print(f"iq: {' '.join([str(error), *error.answer.suggestions])}")
        return 1
    print(f"{view.start.reference}: your answer is taken, and goes into the chat.")
    return 0


async def _named(escalations: EscalationClient, wanted: str) -> str:
    """Return the id for a reference; a text that is no reference may be an id."""
    if len(wanted) != 8:
        return wanted.removeprefix("escalation-")
    ids = await escalations.of_reference(wanted)
    # Two of 2³² ids may share one; then only the whole id is unique.
    return ids[0] if len(ids) == 1 else wanted


def _lines(view: EscalationView) -> Iterator[str]:
    start = view.start
    yield f"{start.reference}  {age(start.opened_at):>8}  {view.status:<8}  {start.venue_id:<16}  {start.reason}"
    yield f"  id      {start.escalation_id}"
    yield f"  why     {translate(f'escalation.reason_{start.reason}')}"
    yield f"  asked   {on_one_line(start.asked)}"
    if view.answer is not None:
        where = "" if view.delivered_at else " (on its way into the chat)"
        yield f"  answer  {view.answer.by or '–'}: {on_one_line(view.answer.message)}{where}"
    elif view.status is EscalationStatus.LAPSED:
        # Older versions closed an escalation without informing the operator.
        delivered = "the operator was informed" if view.delivered_at else "the operator has not been informed"
        yield f"  answer  none came in time; {delivered}"


def age(at: datetime) -> str:
    """Return the time since a moment, as 4 min, 3 h or 2 d."""
    gone = max(datetime.now(UTC) - at, timedelta())
    if gone < timedelta(hours=1):
        return f"{gone.seconds // 60} min"
    return f"{gone.seconds // 3600} h" if gone < timedelta(days=1) else f"{gone.days} d"
