"""`iq dev` as a user starts it.

- Once it is ready `/readyz` reports it; every part is at its own offset from the port base.
- Ctrl-C and SIGTERM stop every part and leave no process behind; even SIGKILL leaves none.
- When its Temporal server dies it prints one line with the way out, and ends with a non-zero exit code.
- Commands beside it know where its Temporal UI is.
- All state is in the data folder and survives a restart.
- The sandbox's controls are off unless asked for; a message names a port that is taken.
- Several packs run in parallel, each with its sandbox, and without a key: the stack knows the key of a pack's sandbox,
  and does not send it the keys of the real system. A pack that is not simulated needs its own.
"""

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from tests.support import http
from tests.support.operator import Operator
from tests.support.processes import answers, iq, running_with
from tests.support.stacks import free_base
from tests.support.waiting import STARTING, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
async def test_every_part_stops_and_no_process_is_left(tmp_path: Path, number: signal.Signals) -> None:
    base = free_base()
    async with iq("dev", "--port-base", str(base), "--data", str(tmp_path)) as dev:
        await answers(f"http://127.0.0.1:{base}/readyz")
        assert (await http.client().get(f"http://127.0.0.1:{base + 6}/")).status_code == 200, "Temporal UI"
        assert running_with(str(tmp_path / "temporal.db"))
        dev.send_signal(number)
        code = await asyncio.wait_for(dev.wait(), STARTING)
        assert code == (0 if number != signal.SIGKILL else -signal.SIGKILL)
    await nothing_is_left(tmp_path, base)


async def nothing_is_left(data: Path, base: int) -> None:
    """Check that no process is left, and no port answers."""

    async def ended() -> bool:
        return not running_with(str(data))

    await soon(ended)
    for offset in (0, 1, 4, 5, 6):
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", base + offset)) != 0


async def test_a_temporal_server_that_dies_ends_it_with_a_line(tmp_path: Path) -> None:
    base = free_base()
    async with (
        iq("dev", "--port-base", str(base), "--data", str(tmp_path)) as dev,
        Operator(f"http://127.0.0.1:{base}") as operator,
    ):
        await answers(f"http://127.0.0.1:{base}/readyz")
        plan = await operator.plan_for("add a note to booking 8231: bring socks")
        there = {"TEMPORAL_ADDRESS": f"127.0.0.1:{base + 5}", "IQ_DATA": str(tmp_path)}
        async with iq("plan", plan["plan_id"], **there) as page:
            shown, _ = await asyncio.wait_for(page.communicate(), STARTING)
        assert f"see        http://127.0.0.1:{base + 6}/namespaces/default/workflows/plan-" in shown.decode(), shown
        [server] = [pid for pid in running_with(str(tmp_path / "temporal.db")) if pid != dev.pid]
        os.kill(server, signal.SIGKILL)
        output, _ = await asyncio.wait_for(dev.communicate(), STARTING)
    assert dev.returncode == 1
    [line] = [line for line in output.decode().splitlines() if line.startswith("iq: ")]
    assert "The Temporal server was killed by signal 9" in line and "start `iq dev` again" in line, line
    assert str(tmp_path / "temporal.log") in line and "Traceback" not in output.decode()
    assert not (tmp_path / "stack.json").exists(), "what it told is true no more"
    await nothing_is_left(tmp_path, base)


async def test_state_survives_a_restart_and_controls_are_off_unless_asked_for(tmp_path: Path) -> None:
    base = free_base()
    arguments = ("dev", "--port-base", str(base), "--data", str(tmp_path))
    async with iq(*arguments) as dev, Operator(f"http://127.0.0.1:{base}") as operator:
        await answers(f"http://127.0.0.1:{base}/readyz")
        journal = await http.client().get(f"http://127.0.0.1:{base + 1}/_sandbox/journal")
        assert journal.status_code == 404
        plan = await operator.plan_for("add a note to booking 8231: bring socks")
        dev.terminate()
        await asyncio.wait_for(dev.wait(), STARTING)
    async with iq(*arguments, "--controls"), Operator(f"http://127.0.0.1:{base}", user=operator.user) as again:
        await answers(f"http://127.0.0.1:{base}/readyz")
        assert (await http.client().get(f"http://127.0.0.1:{base + 1}/_sandbox/journal")).json() == []
        assert (await again.look(plan))["status"] == "pending_confirmation"
        await again.confirm(plan)
        assert (await again.settled(plan))["status"] == "completed"


async def test_the_banner_says_where_everything_is_and_a_sigterm_leaves_nothing(
    tmp_path: Path,
) -> None:
    base = free_base()
    async with iq("dev", "--port-base", str(base), "--data", str(tmp_path)) as dev:
        await answers(f"http://127.0.0.1:{base}/readyz")
        dev.terminate()
        output, _ = await asyncio.wait_for(dev.communicate(), STARTING)
        assert dev.returncode == 0
    await nothing_is_left(tmp_path, base)
    text = output.decode()
    assert f"http://127.0.0.1:{base}" in text and f"http://127.0.0.1:{base + 6}" in text
    assert "rules, not a language model" in text
    assert "simulated" in text
    assert "curl" in text


async def test_a_port_that_is_taken_is_named_with_the_way_out(tmp_path: Path) -> None:
    base = free_base()
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", base + 1))
        squatter.listen()
        async with iq("dev", "--port-base", str(base), "--data", str(tmp_path)) as dev:
            output, _ = await asyncio.wait_for(dev.communicate(), STARTING)
    assert dev.returncode == 1
    assert str(base + 1) in output.decode() and "--port-base" in output.decode()
    assert "Traceback" not in output.decode()


async def test_settings_that_are_wrong_are_named(tmp_path: Path) -> None:
    async with iq("dev", "--data", str(tmp_path), IQ_TURN_BUDGET="soon") as dev:
        output, _ = await asyncio.wait_for(dev.communicate(), STARTING)
    assert dev.returncode == 1
    assert "iq: IQ_TURN_BUDGET should be a valid number" in output.decode() and "Traceback" not in output.decode()


async def test_listening_beyond_loopback_needs_a_service_key(tmp_path: Path) -> None:
    async with iq("dev", "--data", str(tmp_path), IQ_HOST="0.0.0.0") as dev:
        output, _ = await asyncio.wait_for(dev.communicate(), STARTING)
    assert dev.returncode == 1
    assert "IQ_SERVICE_KEY" in output.decode()


async def test_two_packs_are_simulated_and_their_keys_are_the_sandboxs(tmp_path: Path) -> None:
    base = free_base()
    real = {"IQ_PACKS": "roller,bookeo", "BOOKEO_API_KEY": "of the real account", "BOOKEO_SECRET_KEY": ""}
    async with iq("dev", "--port-base", str(base), "--data", str(tmp_path), **real) as dev:
        await answers(f"http://127.0.0.1:{base}/readyz")
        shown = (await http.client().get(f"http://127.0.0.1:{base + 7}/")).json()
        assert shown["simulates"] == "the Bookeo API, version 2"
        async with Operator(f"http://127.0.0.1:{base}") as operator:
            turn = await operator.say("find Marco Bianchi's trail ride", venue_id="bookeo-riding")
            assert "Marco Bianchi" in turn["message"], turn
        dev.terminate()
        output, _ = await asyncio.wait_for(dev.communicate(), STARTING)
    banner = output.decode()
    assert banner.count("a sandbox: simulated") == 2 and f"http://127.0.0.1:{base + 7}" in banner


async def test_a_pack_that_is_not_simulated_needs_its_own_keys(tmp_path: Path) -> None:
    urls = {"IQ_PACKS": "bookeo", "IQ_VENUE_URLS": '{"bookeo": "http://127.0.0.1:1"}', "BOOKEO_API_KEY": "x"}
    async with iq("dev", "--port-base", str(free_base()), "--data", str(tmp_path), **urls) as dev:
        output, _ = await asyncio.wait_for(dev.communicate(), STARTING)
    assert dev.returncode == 1
    assert "the pack bookeo needs BOOKEO_SECRET_KEY" in output.decode() and "Traceback" not in output.decode()
