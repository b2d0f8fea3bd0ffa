"""`docs/runbook.md` is true: its commands can be typed as they are. Guarantees:

- Every kind that `iq stuck` may name has a heading, and every alert that links to the page finds one.
- Temporal accepts every query.
- Its blocks back up a running stack's keys, ledger and Temporal, repeatedly into one folder, and a restored copy can be
  read; what could not be backed up is named. The blocks for a PostgreSQL ledger do the same.
- After a rotation, what was written before is still readable.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.oncall.issue import IssueKind
from cli.stack.dev import Stack
from cli.stack.temporal_server import read_config, start
from contracts.plan import ManualDecision
from infra.config.settings import ROOT, Settings
from infra.ledger.database import Database, ledger_url
from infra.ledger.manual_decisions import ManualDecisionTable
from infra.temporal.client import connect
from tests.support import needs
from tests.support.ledgers import NOON, a_database, a_ledger
from tests.support.oncall import Terminal
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.stacks import free_base

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PAGE = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
HEADINGS = {heading.strip().lower() for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)}
QUERIES = re.findall(r"^```query\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)


def block(heading: str, kind: str = "sh tried") -> str:
    """Return the block below a heading."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    [found] = re.findall(rf"^```{kind}\n(.+?)^```", section, re.MULTILINE | re.DOTALL)
    return str(found)


async def test_what_may_be_named_has_a_heading() -> None:
    assert {kind.value for kind in IssueKind} <= HEADINGS
    for heading in re.findall(r"\]\(#([\w-]+)\)", PAGE):
        assert heading in HEADINGS, heading


async def test_every_alert_that_links_here_finds_its_heading() -> None:
    rules = ROOT / "docs" / "ops" / "alerts.yaml"
    if not rules.is_file():
        pytest.skip("no alert rules here")
    links = re.findall(r"docs/runbook\.md#([\w-]+)", rules.read_text(encoding="utf-8"))
    assert links and set(links) <= HEADINGS, set(links) - HEADINGS


@pytest.mark.parametrize("query", QUERIES)
async def test_every_query_is_one_that_temporal_takes(stack: Stack, query: str) -> None:
    assert stack.services is not None
    assert (await stack.services.plans.client.count_workflows(query.strip())).count >= 0


async def test_what_was_backed_up_is_restored_and_read(
    stack: Stack, operator: Operator, party: Party, tmp_path: Path
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.do(f"note for {guest}: bring socks")
    places: dict[str, str] = {"BACKUP": str(tmp_path / "backup"), "RESTORED": str(tmp_path / "restored")}
    terminal = Terminal(stack, **places)
    for heading in ("Backup", "Backup", "Restore"):
        code, text, errors = await terminal.run(f"set -e\n{block(heading)}")
        assert (code, text) == (0, ""), (heading, text, errors)
    restored = Path(places["RESTORED"])
    kept = Database(ledger_url(None, restored))
    try:
        assert await ManualDecisionTable(kept).of(["plan-none"]) == {}
    finally:
        kept.close()
    port = free_base(2)
    server = await start(read_config(), restored, port=port, ui_port=port + 1)
    there = {"IQ_KEY_FILE": str(restored / "keys"), "IQ_DATA": str(restored), "TEMPORAL_ADDRESS": server.address}
    try:
        await connect(Settings(_env_file=None, temporal_address=server.address, key_file=restored / "keys"))
        code, page, errors = await terminal.run(f"iq plan {plan['plan_id']}", **there)
    finally:
        await server.stop()
    assert code == 0 and guest in page, (page, errors)


async def test_what_could_not_be_backed_up_is_named_and_its_last_copy_stays(stack: Stack, tmp_path: Path) -> None:
    terminal = Terminal(stack, BACKUP=str(tmp_path / "backup"))
    assert (await terminal.run(block("Backup")))[0] == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "backup").iterdir()}
    empty = tmp_path / "another"
    empty.mkdir()
    shutil.copy(stack.settings.data / "keys", empty / "keys")
    _, text, _ = await terminal.run(block("Backup"), IQ_DATA=str(empty))
    assert text.splitlines() == ["NOT BACKED UP: ledger", "NOT BACKED UP: temporal"]
    assert {file.name: file.read_bytes() for file in (tmp_path / "backup").iterdir()} == before
    assert [file.name for file in empty.iterdir()] == ["keys"], "none is made where there was none"


async def test_after_a_rotation_what_was_written_before_is_read(
    stack: Stack, operator: Operator, party: Party, tmp_path: Path
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.do(f"note for {guest}: bring socks")
    keys = shutil.copy(stack.settings.data / "keys", tmp_path / "keys")
    terminal = Terminal(stack, IQ_KEY_FILE=str(keys))
    code, text, errors = await terminal.run(f"{block('Rotating the keys')}\niq plan {plan['plan_id']}")
    assert code == 0 and "now encrypting with" in text and guest in text, (text, errors)


async def test_a_ledger_in_postgresql_is_backed_up_and_restored(stack: Stack, tmp_path: Path) -> None:
    needs.postgres()
    if shutil.which("pg_dump") is None:
        pytest.skip("no pg_dump installed")
    word: dict[str, Any] = {"decision": "done", "by": "Anna", "at": NOON}
    with a_database() as url:
        with a_ledger(url) as ledger:
            await ManualDecisionTable(ledger).note("plan-1", ManualDecision.model_validate(word))
        places = {"BACKUP": str(tmp_path), "IQ_LEDGER_URL": url}
        terminal = Terminal(stack, **places)
        for heading in ("Backup", "Restore"):
            code, text, errors = await terminal.run(block(heading, "sh tried postgresql"))
            assert code == 0, (text, errors)
            if heading == "Backup":
                with a_ledger(url) as ledger:
                    await ManualDecisionTable(ledger).note("plan-2", ManualDecision.model_validate(word))
        with a_ledger(url) as ledger:
            assert set(await ManualDecisionTable(ledger).of(["plan-1", "plan-2"])) == {"plan-1"}, "as it was then"
