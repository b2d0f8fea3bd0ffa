"""`iq model check`, over real HTTP, against the offline planner and endpoints that it imitates. Guarantees:

- A plain endpoint works: exit code 0, or 1 with a warning for each thing that it lacks, and one verdict line.
- What an endpoint writes or refuses otherwise is a warning that names it; the ten requests are planned all the same.
- An endpoint that is not there, refuses the key or calls no tool cannot be used: exit code 2, with the way out.
- `--json` prints one object with the same checks.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse

import offline_planner
from cli.commands.model import check
from infra.config.settings import Settings
from infra.http.http_server import http_server
from tests.support.stacks import free_base

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[Settings]:
    """Serve an endpoint; the settings that name it."""
    port = free_base(1)
    server = http_server(app, "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield Settings(_env_file=None, model_base_url=f"http://127.0.0.1:{port}/v1", model="offline-planner")
    server.should_exit = True
    await task


async def checked(settings: Settings, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """Return the exit code, and the printed object with its checks by name."""
    code = await check(settings, as_json=True)
    printed = json.loads(capsys.readouterr().out)
    return code, {**printed, "checks": {c["name"]: (c["verdict"], c["text"]) for c in printed["checks"]}}


async def test_a_plain_endpoint_works(capsys: pytest.CaptureFixture[str]) -> None:
    async with serving(offline_planner.create_app()) as settings:
        code, found = await checked(settings, capsys)
    checks = found["checks"]
    assert (code, found["verdict"]) == (1, "warning")
    assert {name for name, (verdict, _) in checks.items() if verdict != "ok"} == {"parallel calls"}
    assert checks["ten requests"][1] == "10 right, 0 asked, 0 wrong"
    assert checks["a thousand messages"][1].startswith("about $0.00")


@pytest.mark.parametrize(
    ("like", "named"),
    [("mistral", "call_id, call_type"), ("ollama", "arguments_object"), ("vllm", "thoughts"), ("gpt-oss", "call_name")],
)
async def test_a_habit_is_named_and_the_requests_are_planned(
    like: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(offline_planner.create_app(like)) as settings:
        code, found = await checked(settings, capsys)
    assert code == 1 and named in found["checks"]["tool calling"][1]
    assert found["checks"]["ten requests"][1] == "10 right, 0 asked, 0 wrong"


async def test_an_endpoint_that_refuses_keywords_and_fields_works(capsys: pytest.CaptureFixture[str]) -> None:
    async with serving(offline_planner.create_app("strict")) as settings:
        code, found = await checked(settings, capsys)
    checks = found["checks"]
    assert code == 1
    assert "plainer keywords" in checks["8 tools of a pack"][1]
    assert checks["fields given back"][0] == "warning"
    assert checks["ten requests"][1] == "10 right, 0 asked, 0 wrong"


def refusing(status: int) -> Callable[[], JSONResponse]:
    return lambda: JSONResponse({"error": {"message": "no"}}, status)


def no_tools() -> Any:
    return {"choices": [{"message": {"role": "assistant", "content": "Sure, done!"}}]}


@pytest.mark.parametrize(
    ("answer", "at", "says"),
    [
        (refusing(401), "reachable", "IQ_MODEL_API_KEY"),
        (refusing(404), "reachable", "IQ_MODEL_BASE_URL"),
        (no_tools, "tool calling", "a text where a call was due"),
    ],
)
async def test_what_cannot_be_used_is_said_with_the_way_out(
    answer: Any, at: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app = FastAPI()
    app.add_api_route("/v1/chat/completions", answer, methods=["POST"])
    async with serving(app) as settings:
        code, found = await checked(settings, capsys)
    assert code == 2 and found["verdict"] == "failed"
    assert found["checks"][at][0] == "failed" and says in found["checks"][at][1]


async def test_an_endpoint_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(_env_file=None, model_base_url=f"http://127.0.0.1:{free_base(1)}/v1", model="m")
    assert await check(settings, as_json=False) == 2
    printed = capsys.readouterr().out
    assert "✗ reachable" in printed and "IQ_MODEL_BASE_URL" in printed
    assert printed.splitlines()[-1].endswith("cannot be used.")
