"""Every answer that an operator got, and whether it agrees with what happened later.

- After a last 503 to a command, nothing of that command ever takes effect.
- No operator reads "nothing was changed" when something is, or when it later is without another command of theirs.
- Reads only move forward: no operator reads "completed" of a plan that then fails by itself.
- An operator reads "put back" only when the venue agrees.
"""

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import httpx

_NOTHING = re.compile(
    r"nothing (?:was|has been|is|will be) changed|no changes? (?:was|were|has been|have been) made", re.IGNORECASE
)
_PUT_BACK = re.compile(r"everything was put back", re.IGNORECASE)
_RANKS = {"pending_confirmation": 0, "confirmed": 1, "executing": 2, "completed": 3, "failed": 3, "cancelled": 3,
          "expired": 3, "rolled_back": 4}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Telling:
    """One answer to an operator. `word` is the command, or `look` for a GET; `status` None when no answer came; `sent`
    and `at` (when the answer arrived) on the wall clock, as in the venue's journal."""

    sent: float
    at: float
    word: str
    request_id: str
    status: int | None
    text: str = ""
    plan: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        state = f" [{self.plan['status']}{', stale' if self.plan.get('stale') else ''}]" if self.plan else ""
        return f"{self.word} → {self.status or 'no answer'}{state} {self.text}".rstrip()


def telling(word: str, request_id: str, sent: float, response: httpx.Response | None) -> Telling:
    """Return an answer in this form."""
    if response is None:
        return Telling(sent, time.time(), word, request_id, None)
    try:
        body = response.json()
    except ValueError:
        return Telling(sent, time.time(), word, request_id, response.status_code, response.text)
    error = body.get("error") if isinstance(body.get("error"), dict) else {}
    plan = body if "plan_id" in body else body.get("plan") or error.get("plan") or {}
    texts = [error.get("message"), body.get("message"), body.get("notice"), plan.get("notice"), plan.get("summary"),
             (plan.get("failure") or {}).get("message")]  # fmt: skip
    message = " ".join(dict.fromkeys(str(t) for t in texts if t))
    return Telling(sent, time.time(), word, request_id, response.status_code, message, plan)


class Shown:
    """One scenario's answers, in order."""

    def __init__(self) -> None:
        self.all: list[Telling] = []

    def note(self, one: Telling) -> Telling:
        """Keep it."""
        self.all.append(one)
        return one

    def last(self, word: str) -> Telling | None:
        """Return the last answer to a command; None when it was not sent."""
        return next((t for t in reversed(self.all) if t.word == word), None)

    def finally_refused(self, word: str) -> bool:
        """Return whether the command's last answer was a 503, which promises that it never takes effect."""
        last = self.last(word)
        return last is not None and last.status == 503

    def taken(self, word: str) -> bool:
        """Return whether the command was certainly accepted."""
        return any(t.word == word and t.status in (200, 202) and not t.plan.get("notice") for t in self.all)

    @property
    def answers(self) -> list[str]:
        """Return the result of each command, for the table."""
        words = dict.fromkeys(t.word for t in self.all if t.word != "look")
        return [f"{word} {getattr(self.last(word), 'status', None) or 'no answer'}" for word in words]


def contradictions(shown: Shown, plan: dict[str, Any], writes: Iterable[float]) -> list[str]:
    """Return every false statement. `plan`: as it ended; `writes`: when the plan wrote, on the wall clock."""
    return [
        *_refused_yet_done(shown, plan),
        *_begun_between(shown, sorted(writes)),
        *_nothing_changed(shown, sorted(writes)),
        *_backwards(shown, plan),
        *_put_back(shown, plan),
    ]


def _refused_yet_done(shown: Shown, plan: dict[str, Any]) -> list[str]:
    status, report = plan["status"], plan.get("rollback_report") or {}
    effects = {
        "confirm": status not in ("pending_confirmation", "cancelled", "expired"),
        "yes": status not in ("pending_confirmation", "cancelled", "expired"),
        "answer": status == "completed",
        "cancel": status == "cancelled" or report.get("trigger") == "cancelled",
        "undo": report.get("trigger") == "undo",
    }
    return [
        f"{word} was refused with 503 ({shown.last(word)}), and took effect: {status}"
        for word, took_effect in effects.items()
        if took_effect and shown.finally_refused(word)
    ]


def _begun_between(shown: Shown, writes: list[float]) -> list[str]:
    """Return a confirm that was refused, and whose plan wrote before it was repeated."""
    message = [t for t in shown.all if t.word in ("confirm", "yes")]
    return [
        f"{refused.word} was refused with 503, and its plan wrote before it was said again"
        for refused, again in pairwise(message)
        if refused.status == 503 and writes and refused.at < writes[0] < again.sent
    ]


def _nothing_changed(shown: Shown, writes: list[float]) -> list[str]:
    found = []
    for number, one in enumerate(shown.all):
        if not _NOTHING.search(one.text) or one.plan.get("status") in ("pending_confirmation", "expired"):
            continue
        since = next((t.sent for t in shown.all[number + 1 :] if t.word != "look"), float("inf"))
        if any(at < one.at for at in writes):
            found.append(f"“nothing was changed” was said after a change: {one}")
        elif any(one.at < at < since for at in writes):
            found.append(f"“nothing was changed” was said and then something was: {one}")
    return found[:3]


def _backwards(shown: Shown, plan: dict[str, Any]) -> list[str]:
    """Check the reads only, because a repeated command is answered as it was the first time."""
    found: list[str] = []
    seen: list[Telling] = []
    for one in [t for t in shown.all if t.word == "look" and t.plan and not t.plan.get("stale")]:
        for earlier in seen:
            if earlier.at < one.sent and _contradicts(earlier.plan, one.plan):
                found.append(f"{earlier.plan['status']} was said and then {one.plan['status']}")
        seen.append(one)
    found += [f"{t.plan['status']} was said and then {plan['status']}" for t in seen if _contradicts(t.plan, plan)]
    return list(dict.fromkeys(found))


def _contradicts(earlier: dict[str, Any], later: dict[str, Any]) -> bool:
    by_undo = (later.get("rollback_report") or {}).get("trigger") == "undo" or later["status"] == "completed"
    unsaid = earlier["status"] == "completed" and _RANKS[later["status"]] >= _RANKS["completed"] and not by_undo
    return unsaid or _RANKS[later["status"]] < _RANKS[earlier["status"]]


def _put_back(shown: Shown, plan: dict[str, Any]) -> list[str]:
    whole = (plan.get("rollback_report") or {}).get("outcome") == "complete"
    message = [t for t in shown.all if _PUT_BACK.search(t.text)]
    return [f"it was said that everything was put back: {message[0]}"] if message and not whole else []
