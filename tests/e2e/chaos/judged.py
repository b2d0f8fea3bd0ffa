"""Chaos around the critique and escalations; drawn from a seed like the plans of `scenario.py`.

A scenario is a cancellation, which gets a critique, and the fate of that critique: the model dies, answers garbage or
nothing in time, or the worker is killed during the call. After an escalation the venue's webhook is dead, late, answers
twice or loses its answers, or the worker is killed during the webhook call, and the staff answer too.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.support.scripted_model import Reply, decides
from tests.support.webhook import Receiver

LOOKS = ("proceed", "escalate", "error", "garbage", "stall", "kill")
"""What a try of the second look comes to."""
DESKS = ("hears", "dead", "recovers", "answers", "lost", "late", "both", "killed")
"""What the venue's webhook does with what it is told."""
_STALLS = 8.0
"""Seconds: longer than a whole turn has on these stacks."""
_LATE = 1.5
_DOWN = 2


@dataclass(frozen=True, slots=True)
class Judged:
    """One scenario: the result of each attempt of the critique, in turn, the last one repeated; the webhook's
    behaviour; and after how many seconds a killed worker is back."""

    seed: int
    looks: tuple[str, ...]
    desk: str
    wait: float

    @property
    def alone(self) -> bool:
        """Return whether it needs a stack to itself."""
        return "kill" in self.looks or self.desk == "killed"

    @property
    def by_staff(self) -> bool:
        """Return whether the venue's staff answer, too."""
        return self.desk not in ("recovers", "answers", "lost")

    def __str__(self) -> str:
        return f"seed {self.seed}: second look {', then '.join(self.looks)}; webhook: {self.desk}; wait {self.wait} s"


def draw(seed: int) -> Judged:
    """Return the scenario of a seed."""
    rng = random.Random(f"judged {seed}")
    first = rng.choice(("proceed", "escalate", *("error", "garbage", "stall", "kill") * 3))
    second = rng.choice(("proceed", "escalate", "error", "garbage", "stall"))
    looks = (first,) if first in ("proceed", "escalate") else (first, second)
    return Judged(seed, looks, rng.choice(DESKS), rng.choice((0.2, 1.0)))


@dataclass(slots=True)
class Scene:
    """The events of a scenario, as it goes on. `proceeded`: a critique has answered PROCEED while its caller was still
    waiting; `struck`: the drawn faults that happened."""

    drawn: Judged
    kill: Callable[[], Awaitable[None]]
    proceeded: bool = False
    struck: list[str] = field(default_factory=list)
    shown: int = 0

    def looks(self) -> list[Reply]:
        """Return the replies of the critique, for the scripted model."""
        return [self._look(what) for what in self.drawn.looks]

    def _look(self, what: str) -> Reply:
        async def reply(_: dict[str, Any]) -> Any:
            self.struck.append(what)
            match what:
                case "error":
                    return Response(status_code=500)
                case "garbage":
                    return 'PROCEED? {"decision": ["PROCEED", "ESCALATE"], '
                case "stall":
                    await asyncio.sleep(_STALLS)
                    # Too late for the caller: this yes counts for nothing.
                    return decides("PROCEED", reasoning="too late")
                case "kill":
                    await self.kill()
                    return decides("PROCEED", reasoning="to a worker that is dead")
                case "escalate":
                    return decides("ESCALATE", "it may be somebody else's")
                case _:
                    self.proceeded = True
                    return decides("PROCEED")

        return reply

    async def hear(self, body: dict[str, Any]) -> Response:
        """Return the answer of the venue's webhook to the call."""
        self.shown += 1
        self.struck.append(f"desk {self.drawn.desk}")
        match self.drawn.desk:
            case "dead":
                raise ConnectionAbortedError("dead")
            case "recovers" if self.shown <= _DOWN:
                return Response(status_code=503)
            case "lost" if self.shown == 1:
                # The webhook has answered, and the answer is lost: the next one differs.
                raise ConnectionAbortedError("the answer is lost")
            case "late":
                await asyncio.sleep(_LATE)
            case "hears":
                return Response(status_code=204)
            case "killed" if self.shown == 1:
                await self.kill()
        shown = {"resolve": {"message": f"Answer {self.shown} of the desk.", "by": "Desk"}}
        return Response(json.dumps(shown), media_type="application/json")


class Desk(Receiver):
    """The webhook of all scenarios on a stack: each gets the calls about its own guest."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.scenes: dict[str, Scene] = {}

    async def take(self, request: Request) -> Response:
        """See `Receiver.take`."""
        body = json.loads(await request.body())
        self.bodies.append(body)
        scene = next((scene for guest, scene in self.scenes.items() if guest in body["question"]), None)
        return Response(status_code=204) if scene is None else await scene.hear(body)
