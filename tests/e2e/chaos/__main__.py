"""`python -m tests.e2e.chaos --seed S --n N`: N scenarios from seed S; exits non-zero on any violation.

Scenarios that leave the shared parts alone run several at a time, the others one after the other, each kind on as many
stacks as `--stacks` gives. Then one in five of the seeds plays a failing critique and an escalation (`--judged-only`:
nothing else, of each). `--story` prints the timeline of each, as a violation always does. `--busy` is for a machine
that other programs keep busy: a plan may end on a call's time-out, whatever the faults were. `--recovery N` kills the
worker N times in mid-step and measures how soon a new one takes over.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from tests.e2e.chaos.drawing import draw
from tests.e2e.chaos.judged import Desk, Judged
from tests.e2e.chaos.judged import draw as drawn_judged
from tests.e2e.chaos.judging import Judging, Judgment
from tests.e2e.chaos.recovery import WITHIN, measure
from tests.e2e.chaos.runner import Result, Run, troubled
from tests.e2e.chaos.scenario import KINDS, Scenario
from tests.e2e.chaos.stack import ChaosStack
from tests.support.stacks import free_base
from tests.support.webhook import served

_TOGETHER = 3
_EACH = 5
"""Of so many seeds one has a second look and a person, too."""
"""Scenarios at a time on one stack, of those that disturb none but their own plan."""


@asynccontextmanager
async def running(*, together: bool = False) -> AsyncIterator[ChaosStack]:
    """Start a stack in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="iq-chaos-", ignore_cleanup_errors=True) as data:
        async with ChaosStack(Path(data), together=together) as parts:
            yield parts


async def judged(seeds: Sequence[int], *, story: bool) -> int:
    """Play failing critiques and escalations (`judging.py`) on one stack. Return the exit code."""
    desk, results = Desk(free_base(1)), list[Judgment]()
    # A webhook that dies in the middle of an answer is part of the scenario.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    waiting = [drawn_judged(seed) for seed in seeds]
    together, alone = deque(s for s in waiting if not s.alone), deque(s for s in waiting if s.alone)
    with tempfile.TemporaryDirectory(prefix="iq-chaos-", ignore_cleanup_errors=True) as data:
        parts = ChaosStack(Path(data))
        parts.hands_over_to(desk.address)

        async def each(of: deque[Judged]) -> None:
            while of:
                scenario = of.popleft()
                try:
                    result = await Judging(parts, desk, scenario).go()
                except Exception:
                    why = f"the run broke off: {traceback.format_exc()}"
                    await parts.all_up()
                    result = Judgment(scenario, [why], "broken off", 0, 0.0, str(scenario))
                results.append(result)
                word = "VIOLATED" if result.violations else "held"
                print(
                    f"[{len(results)}/{len(waiting)}] {scenario}: {result.ending} {result.seconds:.1f} s  {word}",
                    flush=True,
                )
                if result.violations or story:
                    print(result.story, *(f"VIOLATION: {v}" for v in result.violations), sep="\n", flush=True)

        async with served(desk), parts:
            await asyncio.gather(*(each(together) for _ in range(_TOGETHER)))
            await each(alone)
            stuck = await troubled(parts)
    endings = Counter(r.ending for r in results)
    broken = sorted(r.scenario.seed for r in results if r.violations)
    ended = ", ".join(f"{n} {status}" for status, n in endings.most_common())
    print(f"{len(results)} second looks: {ended}; {len(broken)} violated{f', seeds {broken}' if broken else ''}")
    print(*(f"VIOLATION: TemporalReportedProblems lists {one}" for one in stuck), sep="\n", end="\n" if stuck else "")
    return 1 if broken or stuck else 0


class Programme:
    """Many scenarios on a few stacks."""

    def __init__(self, seeds: Sequence[int], *, story: bool, together: bool, busy: bool) -> None:
        drawn = [replace(draw(seed, together=together), busy=busy) for seed in seeds]
        self._side_by_side = together
        self._alone = deque(s for s in drawn if s.alone)
        self._together = deque(s for s in drawn if not s.alone)
        self._count = len(drawn)
        self._story = story
        self.results: list[Result] = []
        self.stuck: list[str] = []

    async def run(self, stacks: int) -> None:
        """Run all of them."""
        async with AsyncExitStack() as closing:
            parts = [await closing.enter_async_context(running(together=self._side_by_side)) for _ in range(stacks)]
            await asyncio.gather(*(self._on(one) for one in parts))

    async def _on(self, process_stack: ChaosStack) -> None:
        await asyncio.gather(*(self._each(process_stack, self._together) for _ in range(_TOGETHER)))
        await self._each(process_stack, self._alone)
        self.stuck += await troubled(process_stack)

    async def _each(self, process_stack: ChaosStack, waiting: deque[Scenario]) -> None:
        while waiting:
            result = await one(process_stack, waiting.popleft())
            self.results.append(result)
            print(line(result, len(self.results), self._count), flush=True)
            if result.violations or self._story:
                print(result.story, *(f"VIOLATION: {v}" for v in result.violations), sep="\n", flush=True)


async def scenarios(seeds: Sequence[int], stacks: int, *, story: bool, together: bool, busy: bool) -> int:
    """Run them and print the result of each. Return the exit code."""
    programme = Programme(seeds, story=story, together=together, busy=busy)
    await programme.run(stacks)
    print(table(programme.results))
    for workflow_id in programme.stuck:
        print(f"VIOLATION: TemporalReportedProblems lists {workflow_id}")
    return 1 if programme.stuck or any(r.violations for r in programme.results) else 0


async def one(process_stack: ChaosStack, scenario: Scenario) -> Result:
    """Run one scenario; a run that itself breaks off counts as violated, and every part is up for the next."""
    began = time.monotonic()
    try:
        return await Run(process_stack, scenario).go()
    except Exception:
        why = f"the run broke off: {traceback.format_exc()}"
        await process_stack.all_up()
        return Result(scenario, [why], "broken off", 0, time.monotonic() - began, str(scenario))


def line(result: Result, number: int, count: int) -> str:
    """Return one scenario in one line."""
    kinds = "+".join(d.kind for d in result.scenario.disturbances)
    word = "VIOLATED" if result.violations else "held"
    struck = f"{result.fired}/{len(result.scenario.disturbances)} struck"
    return (
        f"[{number}/{count}] seed {result.scenario.seed:<6} {kinds:<26} {struck:<11} {result.status:<22} "
        f"{result.seconds:5.1f} s  {word}"
    )


def table(results: list[Result]) -> str:
    """Return the results of all, by disturbance."""
    rows = [f"{'disturbance':<17}{'scenarios':>10}{'struck':>8}{'violated':>10}  endings"]
    for kind in KINDS:
        having = [r for r in results if any(d.kind == kind for d in r.scenario.disturbances)]
        endings = Counter(r.status for r in having)
        ended = ", ".join(f"{n} {status}" for status, n in endings.most_common())
        struck = sum(r.fired == len(r.scenario.disturbances) for r in having)
        broken = sum(bool(r.violations) for r in having)
        rows.append(f"{kind:<17}{len(having):>10}{struck:>8}{broken:>10}  {ended}")
        answers = Counter(answer for r in having for answer in r.answers)
        if answers:
            rows.append(f"{'told:':>45}  " + ", ".join(f"{n} {what}" for what, n in sorted(answers.items())))
    seeds = sorted(r.scenario.seed for r in results if r.violations)
    slowest = max((r.slowest_answer for r in results), default=0)
    rows.append(
        f"{len(results)} scenarios, {sum(r.fired for r in results)} disturbances struck, {len(seeds)} violated"
        f"{f', seeds {seeds}' if seeds else ''}; slowest GET of a plan {slowest:.1f} s; "
        f"{sum(r.seconds for r in results):.0f} s of scenarios"
    )
    return "\n".join(rows)


async def recovery(times: int) -> int:
    """Measure and print. Return the exit code."""
    async with running() as parts:
        waits = await measure(parts, times)
    print(waits)
    return 0 if waits.median < WITHIN else 1


async def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--only", type=int, nargs="+", metavar="SEED", help="these seeds instead")
    parser.add_argument("--stacks", type=int, default=2)
    parser.add_argument("--story", action="store_true")
    parser.add_argument("--together", action="store_true", help="steps on different bookings act at the same time")
    parser.add_argument("--busy", action="store_true", help="other programs keep this machine busy")
    parser.add_argument("--judged-only", action="store_true", help="second looks and people alone, one of each seed")
    parser.add_argument("--recovery", type=int, metavar="N")
    wanted = parser.parse_args()
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    began = time.monotonic()
    if wanted.recovery:
        code = await recovery(wanted.recovery)
    else:
        seeds = wanted.only or range(wanted.seed, wanted.seed + wanted.n)
        code = (
            0
            if wanted.judged_only
            else await scenarios(seeds, wanted.stacks, story=wanted.story, together=wanted.together, busy=wanted.busy)
        )
        looks = seeds if wanted.judged_only else [] if wanted.only else seeds[: max(1, len(seeds) // _EACH)]
        code |= await judged(looks, story=wanted.story) if looks else 0
    print(f"{time.monotonic() - began:.0f} s in all")
    return code


if __name__ == "__main__":
    status = asyncio.run(main())
    sys.stdout.flush()
    # A client that has talked to Temporal may die by a signal while the interpreter shuts down.
    os._exit(status)
