"""Every command that the README shows works as it is written there.

- Each command of its blocks and each one in its text is in the table below, and nothing else is: a new command needs a
  line here, and a removed one leaves none behind.
- A shell runs each command that can run beside others, against a running stack, with the README's placeholders filled
  in. A command that another test runs names it, and that test exists.
"""

import ast
import asyncio
import base64
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import which

import pytest

from cli.stack.dev import Stack
from infra.config.settings import ROOT
from sandbox import kayak_school
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.tables import table
from tests.support.waiting import STARTING, soon

README = (ROOT / "README.md").read_text(encoding="utf-8")
WHEN = {
    "id": "one", "text": "next Saturday", "reference": "2026-11-21T10:00:00+11:00", "tz": "Australia/Melbourne",
    "lang": "en", "kind": "date", "expected": "2026-11-28", "accept": ["2026-11-28"], "ambiguous": False,
    "source": "own",
}  # fmt: skip


def commands() -> Iterator[str]:
    """Yield each command of the README, its continuation lines joined and its trailing comment cut off."""
    for block in re.findall(r"^```\n(.*?)^```", README, re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", "").splitlines():
            text = re.sub(r"\s+", " ", re.sub(r"\s+# .*$", "", line)).strip()
            if re.match(r"(?:iq|make|curl|temporal) |keys=|[A-Z_]+=", text):
                yield text
    for text in re.findall(r"`((?:iq|make|temporal) [^`]*)`", README):
        yield text.replace("\\|", "|")


@dataclass(frozen=True)
class Run:
    """A command line and a text in its output; `{…}` are values of the stack."""

    typed: str
    tells: str
    code: int = 0


@dataclass(frozen=True)
class Elsewhere:
    """The test that runs it, as `file::function`, or why none can."""

    test: str = ""
    why: str = ""


_SETS = "tests/e2e/processes/test_separate_processes.py::test_a_request_goes_through_all_processes"
_STUCK = "tests/integration/stack/test_stuck.py::test_what_needs_a_person_is_named_and_its_command_settles_it"
_DEPLOY = "tests/e2e/processes/test_roles_and_versions.py::test_a_deploy_lets_each_plan_end_on_its_own_code"
_DEV = "tests/e2e/processes/test_dev_command.py::test_the_banner_says_where_everything_is_and_a_sigterm_leaves_nothing"
_CURL = "curl -s http://127.0.0.1:8700/v1/requests -H 'Authorization: Bearer demo-operator' -H 'Content-Type: "
_ATTRIBUTE = "temporal operator search-attribute create --name {} --type {} --address {{temporal}}"
_MODEL = "tests/integration/evals/test_evals.py::test_another_model_can_be_evaluated"
_WHERE = "IQ_VENUE_URLS=… IQ_MODEL_BASE_URL=… IQ_MODEL_API_KEY=… IQ_MODEL=…"
_KEYS = 'IQ_KEYS="$keys" REDIS_URL=redis://… TEMPORAL_ADDRESS=…'

TABLE: dict[str, list[Run] | Elsewhere] = {
    "make run": Elsewhere(_DEV),
    "make demo": Elsewhere("tests/integration/stack/test_commands.py::test_the_tour_checks_every_step_of_itself"),
    "make test": Elsewhere(why="this is it"),
    "make test-all": Elsewhere(why="all of it; .ci/run calls it"),
    "make eval": Elsewhere(why="takes ten minutes; each of its parts is run below, on fewer cases"),
    "iq dev": Elsewhere(_DEV),
    "iq dev --port-base N": Elsewhere(_DEV),
    "iq --help": [Run("iq --help", "Booking updates in plain language")],
    "iq --install-completion": [Run("HOME={folder} iq --install-completion", "completion installed")],
    "iq pack init DOCUMENT": [Run("iq pack init {document}", "Next: read a file in kayak-school/actions")],
    "iq actions init OPERATION": [Run("iq actions init get-booking-detail --out -", "iq_enabled: false")],
    'iq actions try NAME --say "…"': [
        Run('iq actions try edit_note --say "note for {guest}: bring socks"', "Nothing was sent. --write sends it.")
    ],
    "iq actions check": [Run("iq actions check", "0 errors")],
    'iq actions search "words"': [Run('iq actions search "move a party"', "reschedule_booking")],
    "iq actions show NAME": [Run("iq actions show edit_note", '"name": "edit_note"')],
    "iq actions tools --spec F --all --emit openai --json": [
        Run("iq actions tools --spec {document} --all --emit openai --json", '"findings": []')
    ],
    "iq actions diff OLD NEW": [Run("iq actions diff {document} {document}", "breaks nothing")],
    "iq actions fetch URL --allow HOST --out FILE": Elsewhere(
        "tests/integration/registry/test_fetch.py::test_a_document_in_several_files"
    ),
    "iq model check": Elsewhere("tests/integration/stack/test_model_check.py::test_a_plain_endpoint_works"),
    "iq eval when FILE": [Run("iq eval when {when}", '"wrong": 0')],
    "iq eval utterances FILE": [Run("iq eval utterances {utterances}", '"cases": 2')],
    "iq eval grounding FILE": [Run("iq eval grounding {grounding}", '"wrong": 0')],
    "iq eval dialogues FILE": Elsewhere("tests/integration/evals/test_evals.py::test_chats_through_the_whole_stack"),
    "iq bench": [Run("iq bench", "habits")],
    "iq bench ledger": [Run("iq bench", "  ledger\n")],
    "iq bench restaurant": [Run("iq bench", "  restaurant\n")],
    "iq bench fairness": [Run("iq bench", "  fairness\n")],
    _CURL + "application/json' -d '{\"user_message\": \"move the Winterbourne birthday to Saturday at 3pm\", "
    '"session_id": "s1", "user_id": "me"}\'': Elsewhere(why="run first, below: the next two need its plan"),
    "curl -s -X POST http://127.0.0.1:8700/v1/plans/PLAN_ID/confirm -H 'Authorization: Bearer demo-operator' "
    "-H 'Content-Type: application/json' -d '{\"user_id\": \"me\"}'": Elsewhere(why="run below"),
    "curl -s 'http://127.0.0.1:8700/v1/plans/PLAN_ID?user_id=me' -H 'Authorization: Bearer demo-operator'": Elsewhere(
        why="run below"
    ),
    'keys="$(iq keys new)"': [Run('keys="$(iq keys new)"; echo "${{keys%%:*}}"', "k2")],
    f"{_KEYS} {_WHERE} iq worker": Elsewhere(_SETS),
    "IQ_MODEL_BASE_URL=https://api.openai.com/v1": Elsewhere(_MODEL),
    "IQ_MODEL_API_KEY=…": Elsewhere(_MODEL),
    "IQ_MODEL=gpt-5-mini": Elsewhere(_MODEL),
    f"{_KEYS} {_WHERE} IQ_HOST=0.0.0.0 IQ_PORT=8700 IQ_SERVICE_KEY=… "
    "IQ_UI_ORIGINS='[\"https://temporal.example\"]' iq api": Elsewhere(_SETS),
    "iq worker [--role plan|venue|model]": Elsewhere(
        "tests/e2e/processes/test_roles_and_versions.py::test_each_role_does_its_part"
    ),
    "iq deploy current VERSION": Elsewhere(_DEPLOY),
    "iq deploy list": Elsewhere(_DEPLOY),
    "iq mcp": Elsewhere("tests/integration/mcp_server/test_stdio.py::test_plan_confirmation_question_and_undo"),
    "iq usage [--by mode|venue|day] [--from DAY] [--to DAY] [--json]": [
        Run("iq usage", "CALLS"), Run("iq usage --by venue --from 2026-01-01 --to 2036-01-01 --json", '"by": "venue"'),
    ],
    "iq who [PLAN] [--user ID] [--from DAY] [--json]": [
        Run("iq who {plan}", "confirmed"), Run("iq who --user me --from 2026-01-01 --json", '"action"'),
    ],
    "--user ID --forget": Elsewhere(
        "tests/integration/ledger/test_audit_log.py::test_it_is_reported_by_command_and_forgotten_by_one"
    ),
    "iq venue mode [VENUE [standard|adaptive|default]]": [
        Run("iq venue mode", "tariff pro"), Run("iq venue mode roller-demo default", "roller-demo"),
    ],
    "iq tariff mode [NAME [standard|adaptive|default]]": [
        Run("iq tariff mode", "overlays/tariffs.yaml"), Run("iq tariff mode pro", "adaptive"),
    ],
    "iq conversation SESSION [--debug]": [
        Run("iq conversation s1", "Winterbourne"), Run("iq conversation s1 --debug", "Winterbourne"),
    ],
    "iq escalations": [Run("iq escalations --status lapsed", "Nothing is lapsed")],
    "iq escalations [--status open|resolved|lapsed|all] [--json]": [
        Run("iq escalations --status all --json | python -m json.tool", "[")
    ],
    'iq escalations --resolve REFERENCE --message "…" --by NAME': Elsewhere(
        "tests/e2e/processes/test_escalations_under_failure.py::test_the_command_line_lists_and_answers"
    ),
    "iq stuck": Elsewhere(_STUCK),
    "iq stuck [--minutes N] [--hours N] [--json]": [
        Run("iq stuck --minutes 900 --hours 900 --json > s; test $? -le 1 && python -m json.tool s", "[")
    ],
    "iq plan ID [--json]": [Run("iq plan {plan}", "completed"), Run("iq plan {plan} --json", '"status": "completed"')],
    "iq resolve": Elsewhere(_STUCK),
    "iq resolve ID --step N --applied|--not-applied": Elsewhere(_STUCK),
    "iq resolve ID --retry": Elsewhere(_STUCK),
    "iq replay [ID|FILE]": [Run("iq replay {plan}", "replay as they were recorded")],
    "iq whatif ID… [--since 7d] --model M|--prompt FILE": Elsewhere(
        "tests/integration/stack/test_whatif.py::test_another_model_is_compared_call_by_call_and_nothing_is_touched"
    ),
    "iq keys add FILE": Elsewhere(
        "tests/integration/stack/test_stuck.py::test_a_key_that_is_not_here_is_named_and_comes_back_from_a_backup"
    ),
    "iq keys rotate": Elsewhere("tests/integration/stack/test_commands.py::test_keys_are_made_and_rotated"),
    'temporal workflow show -w ID --codec-endpoint https://…/codec --codec-header "X-Service-Key=…"': [
        Run(
            "temporal workflow show -w plan-{plan} --output json --address {temporal} "
            '--codec-endpoint {api}/codec --codec-header "X-Service-Key=none"',
            base64.b64encode(b'"can be undone until then"').decode(),
        )
    ],
    "iq restaurant": Elsewhere("tests/integration/restaurant/test_command.py::test_it_serves_books_and_forgets"),
    "iq restaurant [--kb FOLDER] [--host H] [--port P] [--database URL] [--controls]": Elsewhere(
        "tests/integration/restaurant/test_command.py::test_it_serves_books_and_forgets"
    ),
    "iq restaurant purge": [Run("iq restaurant purge", "roma: 0 forgotten")],
    "iq sandbox resos|octotable|sheets": [Run("timeout 120 iq sandbox resos --help", "resOS")],
    **{
        f"temporal operator search-attribute create --name {name} --type {kind}": [
            Run(_ATTRIBUTE.format(name, kind), "have been added")
        ]
        for name, kind in (
            ("IqStatus", "Keyword"), ("IqVenue", "Keyword"), ("IqPhase", "Keyword"), ("IqUser", "Keyword"),
            ("IqSince", "Datetime"),
        )
    },
}  # fmt: skip


def test_every_command_is_in_the_table_and_no_other() -> None:
    shown = set(commands())
    known = {name for name in TABLE if not name.startswith("--")}
    assert shown - known == set(), "in the README, and not in the table"
    assert known - shown == set(), "in the table, and no longer in the README"


@table("test", sorted({r.test for r in TABLE.values() if isinstance(r, Elsewhere) and r.test}))
def test_what_is_run_elsewhere_is_there(test: str) -> None:
    path, _, name = test.partition("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


async def _typed(folder: Path, environment: dict[str, str], line: str) -> tuple[int, str]:
    """Return the exit code of a line typed into a shell, and its output."""
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", f"{line}; exit", cwd=folder, env=environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    printed, _ = await asyncio.wait_for(process.communicate(), STARTING)
    return process.returncode or 0, printed.decode(errors="replace")


@pytest.mark.slow
@pytest.mark.skipif(which("curl") is None, reason="no curl, with which the README asks")
async def test_each_does_what_it_says(stack: Stack, operator: Operator, party: Party, tmp_path: Path) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    api, temporal = f"http://127.0.0.1:{stack.ports.facade}", stack.settings.temporal_address
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "IQ_DATA": str(stack.settings.data),
        "IQ_TRY_TOKEN": "demo-operator",
        "IQ_VENUE_URLS": f'{{"roller": "http://127.0.0.1:{stack.ports.roller}"}}',
        "TEMPORAL_ADDRESS": temporal,
    }
    typed = partial(_typed, tmp_path, environment)
    asking, confirming, looking = (c for c in commands() if c.startswith("curl"))
    message = re.search(r'"plan_id":"([^"]+)"', (await typed(asking.replace("http://127.0.0.1:8700", api)))[1])
    assert message is not None, "the first request that the README shows makes a plan"
    plan = message.group(1)
    for line in (confirming, looking):
        code, printed = await typed(line.replace("http://127.0.0.1:8700", api).replace("PLAN_ID", plan))
        shown = json.loads(printed)
        assert (code, shown["plan_id"]) == (0, plan) and shown["status"] != "pending_confirmation", printed
    async with Operator(api, user="me", session="s1") as me:
        assert (await me.settled({"plan_id": plan}))["status"] == "completed"

    async def kept() -> bool:
        code, printed = await typed(f"iq who {plan}")
        print(printed)  # pytest shows it when the wait times out
        return code == 0

    # The ledger is written in the background.
    await soon(kept, within=STARTING)
    own = {
        "folder": tmp_path, "document": kayak_school.DOCUMENT,
        "guest": guest, "plan": plan, "api": api, "temporal": temporal,
        **{kind: a_few(kind, tmp_path) for kind in ("when", "utterances", "grounding")},
    }  # fmt: skip
    two = asyncio.Semaphore(2)

    async def run(one: Run) -> str:
        line = one.typed.format_map({name: str(value) for name, value in own.items()})
        async with two:
            code, printed = await typed(line)
        return "" if code == one.code and one.tells in printed else f"$ {line}\n{code}: {printed[-1500:]}"

    runs = [one for row in TABLE.values() if isinstance(row, list) for one in row]
    wrong = [reported for reported in await asyncio.gather(*(run(one) for one in runs)) if reported]
    async with Operator(api, user="me", session="s1") as me:
        await me.post(f"/v1/plans/{plan}/undo", user_id="me")
        await me.until({"plan_id": plan}, lambda p: p["status"] == "rolled_back")
    assert not wrong, "\n\n".join(wrong)


def a_few(kind: str, folder: Path) -> Path:
    """Return a file with some cases of that kind."""
    lines = [json.dumps(WHEN)]
    if kind != "when":
        file = ROOT / "evals" / "cases" / {"utterances": "requests_1.jsonl", "grounding": "grounding_1.jsonl"}[kind]
        lines = file.read_text(encoding="utf-8").splitlines()[:2]
    (few := folder / f"{kind}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return few
