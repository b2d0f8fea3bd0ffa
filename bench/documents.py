"""Every document of a folder: seconds, peak memory and tokens from file to tools, beside fastmcp's `from_openapi`; how
many operations are usable, and why the others are not.

Run as `iq bench documents [FOLDER] [--peer PYTHON] [--page FILE]`. Each document is read in a process of its own, ours
and fastmcp's alike, so that its peak is its own; one that takes over two minutes is stopped. Both sides read the file,
and both are counted by one tokenizer over compact JSON. `--page` writes the table into a Markdown page. The last line
is JSON: by document operations, usable, refused, and each side's tools, seconds, megabytes and tokens.
"""

import json
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from authoring.token_count import counter
from bench.openapi_size import SPECS, peer_python, row
from infra.config.settings import ROOT

_LONGEST = 120.0
"""Seconds for one document."""

PEAK = """
def peak():
    # Not getrusage: what it tells begins with the peak of the process that started this one.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
"""
"""Kilobytes of memory at most, on Linux."""

OURS = """
import json, sys, time
from pathlib import Path
from registry.openapi.document import Document
from registry.tools.dialects import openai_tool
from authoring.all_operations import actions_of_document
from registry.errors import PackError

start = time.perf_counter()
try:
    document = Document.read(Path(sys.argv[1]))
    found = actions_of_document(document)
    tools = [openai_tool(action)["function"] for action in found.actions.values()]
    refused = [f.message for f in found.findings if f.level == "error"]
    told = {"operations": len(document.keys), "refused": refused}
except PackError as error:
    tools, told = [], {"operations": 0, "refused": [str(error)]}
told |= {"seconds": time.perf_counter() - start, "tools": tools}
told["kilobytes"] = peak()
json.dump(told, open(sys.argv[2], "w"))
"""
THEIRS = """
import asyncio, json, sys, time
import yaml
try:
    import httpx
except ImportError:
    import httpx2 as httpx
from fastmcp import FastMCP

start = time.perf_counter()
with open(sys.argv[1]) as file:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    document = json.load(file) if sys.argv[1].endswith(".json") else yaml.load(file, loader)
server = FastMCP.from_openapi(openapi_spec=document, client=httpx.AsyncClient(base_url="http://localhost"))
tools = list(asyncio.run(server.list_tools()))
seconds = time.perf_counter() - start
rows = [{"name": t.name, "description": t.description or "", "parameters": t.parameters} for t in tools]
json.dump({"seconds": seconds, "tools": rows, "kilobytes": peak()}, open(sys.argv[2], "w"), default=str)
"""


def measured(python: str, program: str, path: Path, folder: Path) -> dict[str, Any] | str:
    """What one side makes of a document, or why it makes nothing of it."""
    out = folder / "out.json"
    out.unlink(missing_ok=True)
    try:
        done = subprocess.run(
            [python, "-W", "ignore", "-c", PEAK + program, str(path), str(out)],
            cwd=ROOT, capture_output=True, text=True, check=False, timeout=_LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end within {_LONGEST:.0f} s"
    if done.returncode or not out.is_file():
        lines = [line for line in done.stderr.strip().splitlines() if line.strip(" │╭╰─╯")]
        message = next((line for line in reversed(lines) if "Error" in line), lines[-1] if lines else "it died")
        return message.strip()[:160]
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def figures(found: dict[str, Any] | str) -> dict[str, Any] | None:
    """The figures of one side; None when it made nothing."""
    if isinstance(found, str):
        return None
    return {**row(found["tools"], found["seconds"]), "megabytes": round(found["kilobytes"] / 1024)}


def one(path: Path, python: str | None, folder: Path) -> dict[str, Any]:
    """Both sides' figures for a document, and our refusals."""
    mine = measured(sys.executable, OURS, path, folder)
    theirs = measured(python, THEIRS, path, folder) if python else "fastmcp is not here"
    shown = mine if isinstance(mine, dict) else {"operations": 0, "refused": [mine]}
    usable = len(shown.get("tools", ()))
    result = {"operations": shown["operations"], "usable": usable, "refused": shown["refused"], "ours": figures(mine)}
    return {**result, "fastmcp": figures(theirs), "fastmcp_fails": theirs if isinstance(theirs, str) else ""}


def total(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Sums over those documents that both sides made tools of, and the peaks."""
    both = [r for r in found.values() if r["ours"] and r["fastmcp"] and r["ours"]["tools"] and r["fastmcp"]["tools"]]
    sums: dict[str, Any] = {key: sum(r[key] for r in found.values()) for key in ("operations", "usable")}
    for side in ("ours", "fastmcp"):
        sums[side] = {k: round(sum(r[side][k] for r in both), 2) for k in ("tools", "seconds", "tool_tokens")}
        sums[side]["megabytes"] = max((r[side]["megabytes"] for r in both), default=0)
    return {"documents": len(found), "of_both": len(both), **sums}


def page(found: dict[str, dict[str, Any]], command: str) -> str:
    """The table and the refusals as Markdown."""
    today, sums = datetime.now(UTC).date().isoformat(), total(found)
    ours, theirs = (
        "{seconds} s and {tool_tokens} tokens for {tools} tools, {megabytes} MB at most".format(**sums[side])
        for side in ("ours", "fastmcp")
    )
    lines = [
        f"Measured on {today} by `{command}`; tokens by {counter()}.",
        f"{sums['usable']} of {sums['operations']} operations in {sums['documents']} documents are usable.",
        '"They" is fastmcp\'s `from_openapi`, whose tools hold every optional parameter, where ours hold the required',
        f"ones. Over the {sums['of_both']} documents of which both make tools:",
        "",
        f"- ours: {ours}",
        f"- fastmcp: {theirs}",
        "",
        "| document | operations | usable | s | they | MB | they | tokens | they |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, result in found.items():
        cells = [name, str(result["operations"]), str(result["usable"])]
        for key in ("seconds", "megabytes", "tool_tokens"):
            cells += [str(result[side][key]) if result[side] else "–" for side in ("ours", "fastmcp")]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "What cannot be used, and why:", ""]
    lines += [f"- {name}: {reason}" for name, result in found.items() for reason in result["refused"]]
    failed = [f"- {name}: {result['fastmcp_fails']}" for name, result in found.items() if result["fastmcp_fails"]]
    return "\n".join([*lines, *(["", "What fastmcp makes nothing of:", "", *failed] if failed else [])]) + "\n"


def main() -> int:
    """Measure; the exit code."""
    words = [arg for i, arg in enumerate(sys.argv[1:], 1) if not arg.startswith("--")]
    given = {flag: sys.argv[sys.argv.index(flag) + 1] for flag in ("--peer", "--page") if flag in sys.argv[:-1]}
    folder = next((Path(word) for word in words if word not in given.values()), SPECS)
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".json", ".yaml"))
    print(f"{len(paths)} documents, tokens by {counter()}")
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        python = peer_python(Path(name)) if paths else None
        for path in paths:
            found[str(path.relative_to(folder))] = one(path, python, Path(name))
            print(f"{path.relative_to(folder)}: {json.dumps(list(found.values())[-1])[:400]}", flush=True)
    if "--page" in given:
        target = Path(given["--page"])
        head = target.read_text(encoding="utf-8").partition("<!-- measured -->")[0] if target.is_file() else ""
        target.write_text(f"{head}<!-- measured -->\n\n{page(found, 'iq bench documents')}", encoding="utf-8")
    print(json.dumps({"total": total(found), "documents": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
