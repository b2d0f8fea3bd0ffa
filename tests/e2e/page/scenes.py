"""The scripted plans of the stand-in (`stand_in.py`): what is drafted for a message, and what happens after its
confirmation.

Every plan and event passes the contracts' own models, so that the page is not developed against something that the
service would never send.
"""

import asyncio
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from contracts.events import PlanEvent
from contracts.plan import ExecutionPlan
from language.messages.catalogue import activate_locale, translate
from tests.e2e.page.scene_texts import LABELS, PREVIEWS, TITLES, WORDS

if TYPE_CHECKING:
    from tests.e2e.page.world import Chat, World

PARAMETERS: dict[str, dict[str, Any]] = {
    "move": {"booking_id": "b-8231", "new_date": "2026-11-28", "new_start_time": "15:00"},
    "count": {"booking_id": "b-8231", "guest_count": 14},
    "note": {"booking_id": "b-8231", "note": "Nut allergy: keep the cake away from table 4", "replace": False},
    "cancel": {"booking_id": "5f0d7d1e-77aa-4c9e-9a43-2b9d2f3c8a11", "reason": "guest is ill"},
}


def stamp(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


ACTIONS = {"move": "reschedule_booking", "count": "change_guest_count", "note": "edit_note"}


class StoppedError(Exception):
    """The operator stopped the plan."""


def _actions(lang: str, kinds: list[str], changes: dict[str, Any], whom: str) -> list[dict[str, Any]]:
    actions: list[dict[str, Any]] = [
        {
            "step": step,
            "action_id": ACTIONS.get(kind, "cancel_booking"),
            "title": TITLES[lang][kind],
            "parameters": {**PARAMETERS[kind], **changes.get(step, {})},
            "reversible": kind != "cancel",
            "safety_tier": "high_risk" if kind == "cancel" else "normal",
            "status": "pending",
            "preview": PREVIEWS[lang][kind],
            "confirm_label": LABELS[lang][kind],
            "whom": whom,
            "whom_after": f"{whom} (8231)",
            "day": "2026-11-27",
        }
        for step, kind in enumerate(kinds, 1)
    ]
    if changes:
        new = actions[0]["parameters"].get("new_start_time", "16:00")
        actions[0]["preview"] = [{**line, "after": f"Sat 28 Nov, {new}"} for line in actions[0]["preview"]]
        actions[0]["confirm_label"] = f"Move to Sat 28 Nov, {new}"
    return actions


def _intent(action: dict[str, Any]) -> str:
    changed = [
        translate("intent.change", field=line["field"], before=line["before"], after=line["after"])
        for line in action["preview"]
    ]
    return translate("intent.step", title=action["title"], whom=action["whom"], changes=changed)


class ScriptedPlan:
    """One plan: its public view, its events, and the script that runs it."""

    def __init__(
        self, world: "World", chat: "Chat", kinds: list[str], scene: str, changes: dict[str, Any] | None = None
    ):
        self.world, self.chat, self.scene, self.kinds = world, chat, scene, kinds
        self.stop, self.answer = asyncio.Event(), asyncio.Queue[str]()
        self.number, self.confirmed_by = 0, ""
        self.lang = world.lang
        now = datetime.now(UTC)
        seconds = 8 if scene == "expire" else 900
        names = {
            "markup": "<img src=x onerror=alert(1)> & <b>Co</b>",
            "endless": "Wolfeschlegelsteinhausenbergerdorff" * 2,
        }
        whom = names.get(scene, "Emma Winterbourne")
        actions = _actions(self.lang, kinds, changes or {}, whom)
        self.plan: dict[str, Any] = {
            "plan_id": str(uuid.uuid4()),
            "session_id": chat.session_id,
            "user_id": "demo",
            "venue_id": "roller",
            "status": "pending_confirmation",
            "intent": "; ".join(_intent(action) for action in actions),
            "actions": actions,
            "created_at": stamp(now),
            "expires_at": stamp(now + timedelta(seconds=seconds)),
            "results": [],
        }
        self.id = self.plan["plan_id"]
        self.events: list[dict[str, Any]] = []
        message = next((one["text"] for one in reversed(chat.entries) if one["kind"] == "message"), "")
        self.tell(
            "initiated",
            self.plan["intent"],
            confidence=9,
            reasoning=translate("event.reasoning", text=message, steps=[a["title"] for a in actions]),
        )

    def public(self) -> dict[str, Any]:
        bare = {
            **self.plan,
            "actions": [{k: v for k, v in a.items() if k != "confirm_label"} for a in self.plan["actions"]],
        }
        ExecutionPlan.model_validate(bare)
        return {key: value for key, value in self.plan.items() if value is not None}

    def tell(self, kind: str, text: str, **fields: Any) -> None:
        self.number += 1
        step = fields.get("step")
        name = self.plan["actions"][step - 1]["title"] if step else None
        event = {
            "number": self.number,
            "at": stamp(datetime.now(UTC)),
            "kind": kind,
            "text": text,
            "name": name,
            **fields,
        }
        PlanEvent.model_validate(event)
        event = {key: value for key, value in {**event, "plan_id": self.id}.items() if value is not None}
        self.events.append(event)
        self.chat.tell("plan", event)

    async def wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self.world.speed)

    def _say(self, key: str, **values: Any) -> str:
        activate_locale(self.lang)
        return translate(key, **values)

    async def run(self) -> None:
        """Run the plan."""
        activate_locale(self.lang)
        self.plan["status"] = "executing"
        done: list[int] = []
        try:
            for action in self.plan["actions"]:
                if self.stop.is_set():
                    raise StoppedError
                await self._step(action, done)
            if self.stop.is_set():
                raise StoppedError
        except StoppedError:
            await self._back(done, self._say("plan.cancelled"), "cancelled")
        except ArithmeticError:
            title = self.plan["actions"][-1]["title"]
            why = self._say(
                "plan.step_failed", step=len(self.plan["actions"]), title=title, why=WORDS[self.lang]["full"]
            )
            await self._back(done, why, "failure")
        else:
            now = datetime.now(UTC)
            summary = WORDS[self.lang]["cancelled" if "cancel" in self.kinds else "summary"]
            self.plan.update(status="completed", completed_at=stamp(now), summary=summary)
            if "cancel" not in self.kinds:
                self.plan["undo_until"] = stamp(now + timedelta(seconds=self.world.undo_seconds))
            self._over()

    async def _step(self, action: dict[str, Any], done: list[int]) -> None:
        step, began = action["step"], datetime.now(UTC)
        action["status"] = "running"
        self.tell("step_started", action["title"], step=step)
        for key, pause in (("preparing", 0.1), ("looking", 0.15), ("sending", 0.2)):
            text = self._say(f"event.{key}", title=action["title"])
            self.tell("progress", text, step=step)
            await self.wait(pause)
        if self.scene == "long":
            for n in range(1, 201):
                self.tell("progress", WORDS[self.lang]["note_line"].format(n=n), step=step)
                await self.wait(0.03)
        if self.scene == "slow":
            left = 40
            while left:
                await self.wait(0.2)
                if self.stop.is_set():
                    # Let what was sent finish, and read it back.
                    await self.wait(1.5)
                    break
                left -= not self.world.held
        if self.scene in ("ask", "wait") and step == len(self.plan["actions"]):
            await self._ask(step)
        if self.scene in ("fail", "sign", "full") and step == len(self.plan["actions"]):
            self._result(action, began, "failed", WORDS[self.lang]["full"], "conflict")
            raise ArithmeticError
        done.append(step)
        self.world.apply(action)
        self._result(action, began, "completed", self._say("plan.step_done", title=action["title"]))

    def _result(
        self, action: dict[str, Any], began: datetime, status: str, text: str, error: str | None = None
    ) -> None:
        action["status"] = status
        row = {
            "step": action["step"],
            "action_id": action["action_id"],
            "status": status,
            "message": text,
            "started_at": stamp(began),
            "finished_at": stamp(datetime.now(UTC)),
        }
        self.plan["results"].append(row | ({"error_type": error} if error else {}))
        self.tell("step_result", text, step=action["step"], step_status=status, error_type=error)

    async def _ask(self, step: int) -> None:
        choices = (
            ["in cash", "by card", "at the door"] if self.lang == "en" else ["in contanti", "con carta", "all'ingresso"]
        )
        prompt = {
            "prompt_id": f"q-{uuid.uuid4().hex[:8]}",
            "question": WORDS[self.lang]["question"],
            "choices": choices,
            "expires_at": stamp(datetime.now(UTC) + timedelta(minutes=10)),
        }
        self.plan["blocking_prompt"] = prompt
        self.tell("prompt_opened", prompt["question"], step=step, prompt_id=prompt["prompt_id"], choices=choices)
        stop = asyncio.ensure_future(self.stop.wait())
        answer = asyncio.ensure_future(self.answer.get())
        await asyncio.wait({stop, answer}, return_when=asyncio.FIRST_COMPLETED)
        self.plan["blocking_prompt"] = None
        if not answer.done():
            answer.cancel()
            self.tell("prompt_closed", self._say("event.prompt_closed"), step=step, prompt_id=prompt["prompt_id"])
            raise StoppedError
        self.tell("prompt_answered", answer.result(), step=step, prompt_id=prompt["prompt_id"])
        await self.wait(0.3)

    async def _back(self, done: list[int], why: str, trigger: str) -> None:
        self.plan["stopping"] = False
        for action in self.plan["actions"]:
            if action["status"] in ("pending", "running"):
                started = action["status"] == "running"
                action["status"] = "skipped"
                text = self._say("event.step_not_sent" if started else "event.step_skipped", title=action["title"])
                self.tell(
                    "step_result" if started else "step_skipped",
                    text,
                    step=action["step"],
                    **({"step_status": "failed"} if started else {}),
                )
        if not done and trigger == "cancelled":
            self.plan.update(status="cancelled")
            return self._over()
        quick = (
            [
                {"label": "3:30 pm (20 places)", "say": "move booking 8231 to Sat 28 Nov at 3:30 pm"},
                {"label": "5:00 pm (14 places)", "say": "move booking 8231 to Sat 28 Nov at 5:00 pm"},
            ]
            if trigger == "failure"
            else []
        )
        self.plan.update(
            status="failed",
            completed_at=stamp(datetime.now(UTC)),
            failure={
                "step": len(self.plan["actions"]),
                "error_type": "conflict",
                "message": why,
                "suggestions": [],
                "quick_actions": quick,
            },
        )
        if not done:
            return self._over()
        self.plan["rollback"] = {"state": "running"}
        self.tell("rolling_back", self._say("event.rolling_back"))
        if self.scene == "sign":
            self.plan["rollback"] = {"state": "waiting_for_sign_in"}
            self.tell("sign_in_needed", self._say("event.sign_in"))
            self.world.signed_in = False
            await self.world.signed_in_again.wait()
            self.plan["rollback"] = {"state": "running"}
            self.tell("progress", self._say("event.signed_in"))
        await self._reverse(done, trigger, partly=self.scene == "fail" and len(done) > 1)

    async def _reverse(self, done: list[int], trigger: str, partly: bool) -> None:
        rows, manual = [], []
        for step in reversed(done):
            action = self.plan["actions"][step - 1]
            self.tell("progress", self._say("event.undoing_step", title=action["title"]), step=step)
            await self.wait(0.3)
            bad = partly and step == done[0]
            key, outcome = ("undo.failed_automatic", "failed") if bad else ("undo.reversed", "reversed")
            text = self._say(key, title=action["title"])
            if bad:
                manual = [WORDS[self.lang]["manual_move"], WORDS[self.lang]["manual_pay"]]
            else:
                action["status"] = "reversed"
                self.world.revert(action)
            rows.append({"step": step, "action_id": action["action_id"], "outcome": outcome, "message": text})
            self.tell("reversal", text, step=step, outcome=outcome)
        self.plan.update(
            status="rolled_back",
            rollback={"state": "done"},
            undo_until=None,
            rollback_report={
                "outcome": "partial" if partly else "complete",
                "trigger": trigger,
                "steps": rows,
                "manual_steps": manual,
            },
        )
        if trigger == "undo":
            self.plan["summary"] = self._say("plan.put_back")
            self.tell("separate_message", self._say("plan.put_back"))
        else:
            self.plan["summary"] = self._say("plan.not_put_back" if partly else "plan.put_back")
            self._over()

    def stopping(self) -> None:
        """Stop it before its next step."""
        self.plan["stopping"] = True
        self.tell("stopping", self._say("event.stopping"))
        self.stop.set()

    async def undo(self) -> None:
        activate_locale(self.lang)
        self.plan["rollback"] = {"state": "running"}
        self.plan["undo_until"] = None if self.plan["status"] != "completed" else self.plan["undo_until"]
        self.tell("rolling_back", self._say("event.undoing"))
        await self._reverse([a["step"] for a in self.plan["actions"]], "undo", partly=self.scene == "undo_partly")

    def _over(self) -> None:
        self.tell("complete", self._say(f"status.{self.plan['status']}"), status=self.plan["status"])
        message = [(self.plan.get("failure") or {}).get("message"), self.plan.get("summary")]
        if self.plan["status"] in ("expired", "cancelled"):
            key = (
                "superseded"
                if self.plan.get("superseded_by")
                else "expired"
                if self.plan["status"] == "expired"
                else "cancelled"
                if self.plan.get("confirmed_at")
                else "dropped"
            )
            message = [self._say(f"event.{key}")]
        if self.plan.get("rollback_report"):
            message += self.plan["rollback_report"]["manual_steps"]
        self.tell("separate_message", " ".join(text for text in message if text))

    def end(self, status: str, by: str | None = None) -> None:
        """Drop it before it is confirmed."""
        self.plan.update(status=status, superseded_by=by)
        for action in self.plan["actions"]:
            action["status"] = "skipped"
            self.tell("step_skipped", self._say("event.step_skipped", title=action["title"]), step=action["step"])
        self._over()
