"""`iq eval`: the resolver or a planner over a case file."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import openai

from cli.serving import http_server
from evals import grounding, when
from evals.tally import BadCasesError, Tally
from evals.utterances import Evaluation
from infra.settings import Settings
from registry import load_pack
from sandbox import model as offline_model


def run_when(path: Path, show_misses: bool) -> int:
    """Score the resolver; the exit code."""
    return _scored(lambda: when.evaluate(path), show_misses)


def run_grounding(settings: Settings, path: Path, show_misses: bool) -> int:
    """Score the core's grounding; the exit code."""
    return _scored(lambda: grounding.evaluate(load_pack(settings.packs[0]), path), show_misses)


def _scored(evaluate: Callable[[], Tally], show_misses: bool) -> int:
    try:
        return _report(evaluate(), show_misses)
    except BadCasesError as error:
        print(f"iq: {error}")
        return 2


async def run_utterances(settings: Settings, path: Path, show_misses: bool) -> int:
    """Score the configured model, or the offline planner where none is configured; the exit code."""
    server = task = None
    base_url = settings.model_base_url
    if "model_base_url" not in settings.model_fields_set:
        server = http_server(offline_model.create_app(), "127.0.0.1", 0)
        task = asyncio.create_task(server.serve())
        await server.until_started()
        base_url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    print(f"Model: {settings.model} at {base_url}")
    client = openai.AsyncOpenAI(base_url=base_url, api_key=settings.model_api_key, timeout=settings.model_timeout)
    try:
        pack = load_pack(settings.packs[0])
        return _report(await Evaluation(pack, client, settings.model).run(path, progress=True), show_misses)
    except (BadCasesError, openai.OpenAIError) as error:
        print(f"iq: {error}")
        return 2
    finally:
        await client.close()
        if server is not None and task is not None:
            server.should_exit = True
            await task


def _report(tally: Tally, show_misses: bool) -> int:
    if show_misses:
        print("\n".join(tally.misses) or "Nothing missed.")
    print(tally.table())
    print(tally.line())
    return 0
