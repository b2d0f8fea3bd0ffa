"""`iq eval`: the resolver, the core's grounding or a planner over case files."""

import asyncio
import logging
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from pathlib import Path

import httpx
import openai

import offline_planner
from cli.stack.dev import DEMO_TOKEN, Ports
from cli.stack.eval_stack import EvalStack, bookings_beside, pack_for, scene_for
from evals import grounding, scoring
from evals.dialogues import Booked, Chats
from evals.scorecard import BadCasesError, Row, ScoreCard, read_cases
from evals.utterances import Evaluation
from infra.config.settings import Settings
from infra.http.http_server import http_server
from registry.loading.load import load_pack
from sandbox.roller.seed.fixtures import FixtureBooking, unique_id_of

HEADER = "| file | class | cases | right | asked | wrong |\n|---|---|---:|---:|---:|---:|"
MARK, END = "<!-- figures -->", "<!-- end of figures -->"
"""The markers around the table in a page."""


async def run(kind: str, settings: Settings, path: Path, show_misses: bool) -> int:
    """Score one case file as `kind` requires; return the exit code."""
    try:
        tally = await _KINDS[kind](settings, path)
    except (BadCasesError, openai.OpenAIError) as error:
        print(f"iq: {error}")
        return 2
    if show_misses:
        print("\n".join(tally.misses) or "Nothing missed.")
    print(tally.table())
    print(tally.line())
    return 0


async def run_all(settings: Settings, folders: Sequence[Path], page: Path | None) -> int:
    """Score every case file of these folders, each by the form of its rows, and print one table. In `page`, the table
    between the markers is replaced. Return the exit code."""
    rows: list[str] = []
    try:
        for folder in folders:
            for path in sorted(folder.glob("*.jsonl")):
                kind = kind_of(path)
                tally = await _KINDS[kind](settings, path)
                rows += tally.rows(f"{folder.name}/{path.name}")
                print(f"{path}: {tally.line()}", flush=True)
    except (BadCasesError, openai.OpenAIError) as error:
        print(f"iq: {error}")
        return 2
    if not rows:
        print(f"iq: no case files in {', '.join(map(str, folders))}")
        return 2
    table = "\n".join([HEADER, *rows])
    print(table)
    if page is not None and not _kept(
        page, f"Measured on {date.today().isoformat()} with {model_of(settings)}.", table
    ):
        print(f"iq: {page} has no place for the table: {MARK} … {END}")
        return 2
    return 0


def _kept(page: Path, preamble: str, table: str) -> bool:
    """Put the table between the markers of a page; return False if it has none."""
    before, mark, rest = page.read_text().partition(MARK)
    _, end, after = rest.partition(END)
    if mark and end:
        page.write_text(f"{before}{mark}\n{preamble}\n\n{table}\n{end}{after}")
    return bool(mark and end)


def kind_of(path: Path) -> str:
    """Return the kind of a case file, by the form of its first row. Raises `BadCasesError`."""
    row = read_cases(path, needs=())[0]
    for field, kind in (("turns", "dialogues"), ("messages", "grounding"), ("gold", "utterances"), ("text", "when")):
        if field in row:
            return kind
    raise BadCasesError(f"{path}: no form of case that is known")


def model_of(settings: Settings) -> str:
    """Return the name of the planning model for a page."""
    return "the offline planner" if _offline(settings) else settings.model


def _offline(settings: Settings) -> bool:
    return "model_base_url" not in settings.model_fields_set


async def _when(settings: Settings, path: Path) -> ScoreCard:
    return scoring.evaluate(path)


async def _grounding(settings: Settings, path: Path) -> ScoreCard:
    return grounding.evaluate(load_pack(settings.packs[0]), path)


async def _utterances(settings: Settings, path: Path) -> ScoreCard:
    """Score the configured model, or the offline planner if none is configured."""
    server = task = None
    base_url = settings.model_base_url
    if _offline(settings):
        server = http_server(offline_planner.create_app(), "127.0.0.1", 0)
        task = asyncio.create_task(server.serve())
        await server.until_started()
        base_url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    print(f"Model: {settings.model} at {base_url}")
    client = openai.AsyncOpenAI(base_url=base_url, api_key=settings.model_api_key, timeout=settings.model_timeout)
    try:
        return await Evaluation(load_pack(settings.packs[0]), client, settings.model).run(path, progress=True)
    finally:
        await client.close()
        if server is not None and task is not None:
            server.should_exit = True
            await task


async def _dialogues(settings: Settings, path: Path) -> ScoreCard:
    """Run the chats through the whole stack, with a venue for each language."""
    # The outcome of each chat is printed; the stack's log adds nothing.
    logging.getLogger().setLevel(logging.WARNING)
    tally = ScoreCard()
    rows = read_cases(path, needs=("turns",))
    bookings = bookings_beside(path)
    print(f"Model: {model_of(settings)}")
    for language in ("en", "it"):
        own = [row for row in rows if row.get("lang", "en") == language]
        if own:
            await _play(settings, own, language, bookings, tally)
    return tally


async def _play(
    settings: Settings, rows: list[Row], language: str, bookings: tuple[FixtureBooking, ...], tally: ScoreCard
) -> None:
    """Run the chats of one language, at a venue of its own."""
    booked = [Booked(unique_id_of(b.reference), str(b.reference), b.day, b.start_time, b.guests) for b in bookings]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        own = {"data": data, "packs": (pack_for(language, settings.packs[0], data),), "rate_user": "100000/minute"}
        ports = Ports.free()
        async with (
            EvalStack(settings.model_copy(update=own), ports, scene_for(language, bookings)),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{ports.roller}") as venue,
        ):
            facade = f"http://127.0.0.1:{ports.facade}"
            chats = Chats(facade, DEMO_TOKEN, booked, lambda: venue.post("/_sandbox/reset"))
            try:
                await chats.play(rows, tally, progress=True)
            finally:
                await chats.close()


_KINDS: dict[str, Callable[[Settings, Path], Awaitable[ScoreCard]]] = {
    "when": _when,
    "grounding": _grounding,
    "utterances": _utterances,
    "dialogues": _dialogues,
}
