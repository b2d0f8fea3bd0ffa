"""What tools cost in tokens, ours beside fastmcp's `from_openapi`, every operation of a document enabled.

Run as `python -m bench.openapi_size [DOCUMENT …]` (Stripe and Twilio by default). fastmcp is installed into a virtual
environment of its own, made for the run (`--peer PYTHON` names one that has it already); where it cannot be had, that
half is skipped with the reason. Both sides are counted by one tokenizer (bpe-openai, o200k_base) over compact JSON.
The last line is JSON: for each document tools, seconds and tokens of schemas and of whole tools, and the share.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from authoring.all_operations import actions_of_document
from authoring.token_count import counter, tokens
from registry.openapi.document import Document
from registry.tools.dialects import openai_tool

SPECS = Path(__file__).parents[2] / "shared" / "specs"
PEER = """
import asyncio, json, sys, time
try:
    import httpx
except ImportError:
    import httpx2 as httpx
from fastmcp import FastMCP

document = json.load(open(sys.argv[1]))
start = time.perf_counter()
server = FastMCP.from_openapi(openapi_spec=document, client=httpx.AsyncClient(base_url="http://localhost"))
listing = getattr(server, "list_tools", None) or server.get_tools
tools = asyncio.run(listing())
seconds = time.perf_counter() - start
tools = list(tools.values()) if isinstance(tools, dict) else list(tools)
rows = [{"name": t.name, "description": t.description or "", "parameters": t.parameters} for t in tools]
json.dump({"seconds": seconds, "tools": rows}, open(sys.argv[2], "w"))
"""


def peer_python(folder: Path) -> str | None:
    """A Python that has fastmcp; None, with the reason printed, when there is none to be had."""
    if "--peer" in sys.argv:
        return sys.argv[sys.argv.index("--peer") + 1]
    python = folder / "venv" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "fastmcp"]
    for command in ([sys.executable, "-m", "venv", str(folder / "venv")], install):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"fastmcp is left out: {done.stderr.strip().splitlines()[-1:] or 'it cannot be installed'}")
            return None
    return str(python)


def compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def row(tools: list[dict[str, Any]], seconds: float) -> dict[str, float]:
    """Figures of one side: `tools` have name, description and parameters."""
    shown = [{k: tool[k] for k in ("name", "description", "parameters")} for tool in tools]
    return {
        "tools": len(shown),
        "seconds": round(seconds, 2),
        "schema_tokens": sum(tokens(compact(tool["parameters"])) for tool in shown),
        "tool_tokens": sum(tokens(compact(tool)) for tool in shown),
    }


def ours(path: Path) -> dict[str, float]:
    """This registry's side."""
    started = perf_counter()
    made = [openai_tool(action)["function"] for action in actions_of_document(Document.read(path)).actions.values()]
    return row(made, perf_counter() - started)


def theirs(path: Path, python: str, folder: Path) -> dict[str, float] | None:
    """fastmcp's side, in a process of its own."""
    out = folder / "peer.json"
    done = subprocess.run([python, "-c", PEER, str(path), str(out)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"fastmcp fails on {path.name}: {done.stderr.strip().splitlines()[-1:]}")
        return None
    found = json.loads(out.read_text())
    return row(found["tools"], found["seconds"])


def main() -> int:
    """Measure; the exit code."""
    given = [Path(arg) for arg in sys.argv[1:] if arg.endswith((".json", ".yaml"))]
    paths = [path for path in given or [SPECS / "stripe.json", SPECS / "twilio.json"] if path.is_file()]
    print(f"tokens by {counter()}")
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        python = peer_python(Path(name)) if paths else None
        for path in paths:
            mine = ours(path)
            peer = theirs(path, python, Path(name)) if python else None
            share = round(mine["schema_tokens"] / peer["schema_tokens"], 3) if peer else None
            result[path.stem] = {"ours": mine, "fastmcp": peer, "schema_share": share}
            print(f"{path.name}: ours {mine}, fastmcp {peer}, share {share}")
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
