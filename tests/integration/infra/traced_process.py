"""A process that records one request: a model call and a venue call that succeed, a call that fails, and spans of hours
that are sent when they end.

`test_langfuse.py` starts it with Langfuse's keys and address in its environment, like a worker.
"""

import time
from datetime import UTC, datetime, timedelta

from contracts.trace_context import REQUEST, TraceContext
from infra.config.settings import Settings
from infra.crypto.keyring import KeyRing
from infra.observability.langfuse import langfuse_sinks
from infra.observability.observer import Observer, Span, request_name

TRACE = "request-42"
USER, SESSION = "operator-of-the-test", "session-of-the-test"
MOMENT, HOUR = datetime(2026, 11, 25, 9, tzinfo=UTC), timedelta(hours=1)
EMAIL, PHONE, TOKEN = "john.smith@example.com", "+61 491 570 156", "s3cret-operator-token"


def main() -> None:
    observer = Observer(langfuse_sinks(Settings(_env_file=None), KeyRing({"k1": bytes(32)})))
    prompt = [
        {"role": "system", "content": "You are the booking assistant."},
        {"role": "user", "content": f"Move booking 8231 to 2026-11-28 15:00, mail {EMAIL}, call {PHONE}."},
        {"role": "tool", "content": f'{{"comments": "first line\\n{PHONE}", "auth": "Bearer {TOKEN}"}}'},
    ]
    with observer.observe("generation", "plan", TRACE, model="offline-planner", input=prompt) as seen:
        time.sleep(0.05)
        seen.update(
            output={"text": f"Done for {EMAIL}", "calls": [{"name": "reschedule_booking"}]},
            usage_details={"input": 123, "output": 45},
        )
    request = {"method": "PUT", "path": "/guests/77", "body": {"email": EMAIL, "phone": PHONE}}
    with observer.observe("tool", "update_contact", TRACE, input=request) as seen:
        seen.update(output={"ok": True, "phone": PHONE})
    try:
        with observer.observe("tool", "get_booking", TRACE, input={"path": "/bookings/8231"}) as seen:
            seen.update(level="ERROR", status_message="conflict 409")
            try:
                raise ValueError(f"the endpoint said: {EMAIL} {PHONE} Bearer {TOKEN}")
            except ValueError as cause:
                raise RuntimeError(f"it broke on {EMAIL}") from cause
    except RuntimeError as error:
        if str(error) != f"it broke on {EMAIL}":
            raise SystemExit("the caller did not get its own error") from error
    steps = [{"step": 1, "action": "edit_note"}]
    shown = {"steps": steps, "by": EMAIL}
    place = TraceContext(venue_id="hall", user_id=USER, session_id=SESSION, plan_id="plan-1")
    root = Span(REQUEST, request_name(TRACE), MOMENT, MOMENT + 2 * HOUR, trace_context=place, fields={"output": shown})
    below = Span(
        "execution", "execution", MOMENT + HOUR, MOMENT + 2 * HOUR, trace_context=place, fields={"metadata": shown}
    )
    # The lower one first, and twice, as after a worker's death.
    observer.spans(TRACE, [below, below, root])
    observer.flush()


if __name__ == "__main__":
    main()
