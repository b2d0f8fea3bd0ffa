"""A scripted stand-in for the service, for the page's own tests and for viewing every state of it: `python -m
tests.e2e.page.stand_in`.

It implements the contract of the page's calls and nothing more: what is drafted depends on a keyword in the message
(`SCENES`), what happens on `scenes.py`. `POST /stand-in/settings` changes its behaviour, `GET /stand-in/journal`
returns the requests it got, `POST /stand-in/drop` cuts every open stream. No rule of the product is in here.
"""

import argparse
import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from infra.config.settings import ROOT
from language.messages.catalogue import activate_locale, translate
from tests.e2e.page.scene_texts import WORDS
from tests.e2e.page.scenes import ScriptedPlan, stamp
from tests.e2e.page.world import Chat, World

WEB = ROOT / "api" / "web"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def refused(status: int, kind: str, message: str, **more: Any) -> JSONResponse:
    return JSONResponse(
        {"type": "error", "error": {"error_type": kind, "message": message, "suggestions": [], **more}}, status
    )


def _world(request: Request) -> World:
    return request.app.state.world


def _away(world: World) -> Response:
    activate_locale(world.locale)
    return refused(503, "service_unavailable", translate("unavailable.worker"), retry_after_seconds=1)


async def session(request: Request) -> Response:
    world = _world(request)
    if request.method == "POST":
        world.signed_in = True
        world.signed_in_again.set()
        world.signed_in_again = asyncio.Event()
    if request.method == "DELETE":
        world.signed_in = False
    return JSONResponse(world.session())


async def chat(request: Request) -> Response:
    if _world(request).shut:
        return _away(_world(request))
    found = _world(request).chats.get(request.path_params["id"])
    if found is None:
        return refused(404, "not_found", translate("refuse.no_chat"))
    plans = [plan.public() for plan in found.plans.values()]
    pending = found.pending()
    return JSONResponse(
        {
            "session_id": found.session_id,
            "venue_id": "roller",
            "messages": found.entries,
            "plans": plans,
            "cursor": str(len(found.log)),
            "pending_plan_id": pending.id if pending else None,
            "active_prompt": None,
        }
    )


async def stream(request: Request) -> Response:
    world, found = _world(request), _world(request).chat(request.path_params["id"])
    if world.shut:
        return _away(world)
    after = request.query_params.get("after") or request.headers.get("last-event-id")
    world.journal.append({"path": request.url.path, "after": after})
    place = int(after or 0)

    async def shown() -> AsyncIterator[str]:
        at, cut = place, world.cut
        for plan in found.plans.values():
            for event in [e for k, e in found.log[:at] if k == "plan" and e["plan_id"] == plan.id]:
                yield f"id: {at}\nevent: plan\ndata: {json.dumps(event)}\n\n"
        while not cut.is_set():
            news = found.news
            while at < len(found.log):
                kind, data = found.log[at]
                at += 1
                yield f"id: {at}\nevent: {kind}\ndata: {json.dumps(data)}\n\n"
            waits = [asyncio.ensure_future(news.wait()), asyncio.ensure_future(cut.wait())]
            try:
                done, _ = await asyncio.wait(waits, timeout=10, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in waits:
                    one.cancel()
            if not done:
                yield ": ping\n\n"

    return StreamingResponse(shown(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


SCENES = {
    "move": (["move"], "move"),
    "sposta": (["move"], "move"),
    "14": (["move", "count", "note"], "many"),
    "cancel the": (["cancel"], "cancel"),
    "disdici": (["cancel"], "cancel"),
    "fail": (["move", "note", "count"], "fail"),
    "ask": (["move", "count"], "ask"),
    "slow": (["move"], "slow"),
    "long": (["move"], "long"),
    "expire": (["move"], "expire"),
    "sign": (["move", "count"], "sign"),
    "full": (["count"], "full"),
    "markup": (["move"], "markup"),
    "endless": (["move", "count"], "endless"),
    "partly": (["move"], "undo_partly"),
}


def _scene(text: str) -> tuple[list[str], str] | None:
    found = [name for name in SCENES if name in text.lower()]
    return SCENES[max(found, key=lambda name: (name not in ("move", "sposta"), len(name)))] if found else None


async def requests(request: Request) -> Response:
    world, body = _world(request), await request.json()
    world.journal.append({"path": request.url.path, **body})
    activate_locale(world.locale)
    if world.down:
        return refused(503, "service_unavailable", WORDS[world.lang]["away"], retry_after_seconds=30)
    found, text, key = world.chat(body["session_id"]), body["user_message"], body["request_id"]
    if key not in found.turns:
        found.turns[key] = await _turn(world, found, text, key, body.get("edit"))
    if world.lose:
        world.lose = False
        return Response("", 502)
    return JSONResponse(found.turns[key])


async def _turn(world: World, found: Chat, text: str, key: str, edit: dict[str, Any] | None) -> dict[str, Any]:
    words = WORDS[world.lang]
    found.say("message", text, request_id=key)
    for step in ("Looking…", "Drafting…", "Checking…") if world.lang == "en" else ("Guardo…", "Preparo…", "Controllo…"):
        found.say("progress", step, request_id=key)
        await asyncio.sleep(0.25 * world.speed)
    if "conflict" in text.lower():
        return _conflict(world, found, key)
    running, scene = found.running(), _scene(text)
    if running and text.lower() in ("stop", "ferma"):
        running.stopping()
        return _answer(found, key, translate("plan.stopping"))
    if edit or scene:
        changes: dict[Any, Any] = {}
        for one in (edit or {}).get("values", []):
            changes.setdefault(one["step"], {})[one["parameter"]] = one["value"]
        if any(str(value).startswith("23") for values in changes.values() for value in values.values()):
            return _ask(found, key, words["bad_edit"], [])
        old = found.pending()
        kinds, name = (old.kinds, old.scene) if edit and old else scene or (["move"], "move")
        plan = ScriptedPlan(world, found, kinds, name, changes)
        found.plans[plan.id] = plan
        if old:
            old.end("cancelled", by=plan.id)
        if name == "expire":
            world.start(_expire(plan))
        found.say("plan", plan.plan["intent"], request_id=key, plan_id=plan.id)
        return {"type": "plan", "plan": plan.public(), "message": "", "quick_actions": []}
    if "smith" in text.lower() or "which" in text.lower():
        picks = [
            ("John Smith, Sat 28 Nov, 10:00 am, 8 guests", "booking 8102"),
            ("Joan Smith, Sat 28 Nov, 2:30 pm, 15 guests", "booking 8107"),
            ("J. Smithers & family from the climbing club, Sun 29 Nov", "booking 8114"),
        ]
        return _ask(found, key, words["which"], [{"label": label, "say": f"move {say}"} for label, say in picks])
    if "person" in text.lower() or "refund" in text.lower():
        found.say("escalation", words["person"], request_id=key)
        return {"type": "escalation", "message": words["person"], "reason": "refund", "quick_actions": []}
    return _answer(found, key, words["answer"] if "who" in text.lower() or "chi " in text.lower() else text)


def _conflict(world: World, found: Chat, key: str) -> dict[str, Any]:
    """Answer with a look-up that leads to no plan, and let the answer overtake the chat's stream."""
    step = {"step": 1, "name": "Check Availability", "request_id": key}
    found.say("initiated", "Schedule a meeting", request_id=key)
    found.say("step_started", "Check Availability", **step)
    question = "There are conflicts in the time you suggested."

    async def tell() -> None:
        await asyncio.sleep(0.3)
        found.say("step_result", "Conflicts found", step_status="failed", **step)
        found.say("complete", translate("status.failed"), request_id=key)
        found.say("clarification", question, request_id=key)

    if not world.mute:
        world.start(tell())
    return {"type": "clarification", "question": question, "candidates": [], "quick_actions": []}


def _answer(found: Chat, key: str, text: str) -> dict[str, Any]:
    found.say("answer", text, request_id=key)
    return {"type": "answer", "message": text, "quick_actions": []}


def _ask(found: Chat, key: str, text: str, actions: list[dict[str, str]]) -> dict[str, Any]:
    found.say("clarification", text, request_id=key, actions=actions)
    return {"type": "clarification", "question": text, "candidates": [], "quick_actions": actions}


async def _expire(plan: ScriptedPlan) -> None:
    await asyncio.sleep(8)
    if plan.plan["status"] == "pending_confirmation":
        plan.end("expired")


def _plan(world: World, plan_id: str) -> ScriptedPlan | None:
    return next((chat.plans[plan_id] for chat in world.chats.values() if plan_id in chat.plans), None)


async def plans(request: Request) -> Response:
    """Return the operator's plans, newest first; `unlisted` hides each for a moment after it was made."""
    world, asked = _world(request), request.query_params
    if world.shut:
        return _away(world)
    known = [plan.public() for chat in world.chats.values() for plan in chat.plans.values()]
    found = [] if world.unlisted else [one for one in known if one["status"] in asked["status"].split(",")]
    return JSONResponse({"plans": sorted(found, key=lambda one: one["created_at"], reverse=True)})


async def plan(request: Request) -> Response:
    found = _plan(_world(request), request.path_params["id"])
    stale = {"stale": True} if _world(request).stale else {}
    return JSONResponse(found.public() | stale) if found else refused(404, "not_found", translate("refuse.no_plan"))


async def word(request: Request) -> Response:
    world, kind, body = _world(request), request.path_params["word"], await request.json()
    world.journal.append({"path": request.url.path, **body})
    activate_locale(world.locale)
    found = _plan(world, request.path_params["id"])
    if found is None:
        return refused(404, "not_found", translate("refuse.no_plan"))
    if world.down:
        return refused(503, "service_unavailable", translate("command.confirm_refused"))
    if world.lose == "before":
        world.lose = False
        return Response("", 502)
    answer = await _text(world, found, kind, body)
    if world.lose == "after":
        world.lose = False
        return Response("", 502)
    return answer


async def _text(world: World, found: ScriptedPlan, kind: str, body: dict[str, Any]) -> Response:
    status, code = found.plan["status"], 200
    if kind == "confirm" and body["request_id"] == found.confirmed_by:
        return JSONResponse(found.public())
    if kind == "confirm" and status == "pending_confirmation":
        found.plan.update(status="confirmed", confirmed_at=stamp(datetime.now(UTC)))
        found.confirmed_by = body["request_id"]
        found.tell("confirmed", translate("event.confirmed"))
        answer = found.public()
        world.start(found.run())
        return JSONResponse(answer)
    if kind == "cancel" and status == "pending_confirmation":
        found.end("cancelled")
    elif kind == "cancel" and status in ("confirmed", "executing"):
        found.stopping()
        code = 202
    elif kind == "undo" and status == "completed":
        world.start(found.undo())
        await asyncio.sleep(0)
        code = 202
    elif kind == "answers" and found.plan.get("blocking_prompt"):
        found.answer.put_nowait(body["user_message"])
        await asyncio.sleep(0.05)
    else:
        return refused(
            409, "conflict", translate("refuse.already", status=translate(f"status.{status}")), plan=found.public()
        )
    return JSONResponse(found.public(), code)


async def day(request: Request) -> Response:
    world, date = _world(request), request.query_params["date"]
    if world.shut:
        return _away(world)
    if not world.day:
        return refused(404, "not_found", translate("refuse.no_address"))
    return JSONResponse({"date": date, "bookings": [one for one in world.bookings if one["date"] == date]})


async def settings(request: Request) -> Response:
    world, body = _world(request), await request.json()
    if body.pop("fresh", False):
        world.cut.set()
        for task in world.tasks:
            task.cancel()
        world = request.app.state.world = World()
    for name, value in body.items():
        setattr(world, name, value)
    return JSONResponse({"ok": True})


async def journal(request: Request) -> Response:
    return JSONResponse(_world(request).journal)


async def drop(request: Request) -> Response:
    world = _world(request)
    world.cut.set()
    world.cut = asyncio.Event()
    return JSONResponse({"ok": True})


async def history(request: Request) -> Response:
    """Add as many messages to a chat as asked for, over some days."""
    world, body = _world(request), await request.json()
    found, count = world.chat(body["session_id"]), body["messages"]
    began = datetime.now(UTC) - timedelta(days=2)
    for n in range(count // 2):
        at = began + timedelta(days=2) * n / (count // 2)
        found.say("message", f"move booking {8000 + n} to half past four", at=at, request_id=uuid.uuid4().hex)
        found.say(
            "answer",
            f"Booking {8000 + n}: " + "a visit can start from 9:00 am. " * (1 + n % 4),
            at=at + timedelta(seconds=2),
        )
    return JSONResponse({"ok": True})


class Guarded:
    """Adds the service's headers, and requires the sign-in that it requires."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/v1") and not scope["app"].state.world.signed_in:
            return await refused(401, "unauthorized", translate("refuse.signed_out"))(scope, receive, send)

        async def headed(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [
                    (b"content-security-policy", POLICY.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"cache-control", b"no-store"),
                ]
            await send(message)

        await self.app(scope, receive, headed)


def application() -> Starlette:
    """Return the stand-in as an application."""
    app = Starlette(
        routes=[
            Route("/page/session", session, methods=["GET", "POST", "DELETE"]),
            Route("/v1/sessions/{id}", chat),
            Route("/v1/sessions/{id}/events", stream),
            Route("/v1/requests", requests, methods=["POST"]),
            Route("/v1/plans", plans),
            Route("/v1/plans/{id}", plan),
            Route("/v1/plans/{id}/{word}", word, methods=["POST"]),
            Route("/v1/day", day),
            Route("/stand-in/settings", settings, methods=["POST"]),
            Route("/stand-in/journal", journal),
            Route("/stand-in/drop", drop, methods=["POST"]),
            Route("/stand-in/history", history, methods=["POST"]),
            Mount("/", StaticFiles(directory=WEB, html=True)),
        ],
        middleware=[Middleware(Guarded)],
    )
    app.state.world = World()
    return app


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8790)
    uvicorn.run(
        application(), host="127.0.0.1", port=parser.parse_args().port, log_level="warning", timeout_graceful_shutdown=1
    )
