"""A deploy may change every text and every word list while chats and plans run.

- With every message reworded and every reading of an operator's words made to fail, each recorded history replays: a
  workflow takes what a message means from its input and from activities.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from infra.config.settings import ROOT

REPLAY = """
import asyncio, importlib, inspect, os, pkgutil, sys
import language

assert language.__file__.startswith(sys.argv[1]), language.__file__

def read(*_, **__):
    raise AssertionError("a workflow read an operator's words")

modules = [module.name for module in pkgutil.walk_packages(language.__path__, "language.")]
modules = [name for name in modules if name.split(".")[1] in ("extraction", "replies", "requests", "venue_facts")]
for name in modules:
    importlib.import_module(name)
for name in modules:
    for function, value in vars(sys.modules[name]).copy().items():
        if inspect.isfunction(value) and value.__module__ == name:
            setattr(sys.modules[name], function, read)

from cli.oncall import replay
from language.messages.catalogue import translate
from tests.histories.test_replay import CONVERTER, FILES, recorded

assert translate("plan.dropped").startswith("Reworded: ")

async def main():
    problems = [(path.name, (await replay.judged(CONVERTER, recorded(path))).problem) for path in FILES]
    print(*(f"{name}: {problem}" for name, problem in problems if problem), sep="\\n")
    print(len(problems), "replayed")

asyncio.run(main())
sys.stdout.flush()
os._exit(0)  # an interpreter that ends while a thread of Temporal's is in it is aborted
"""


def test_every_history_replays_with_other_texts_and_no_word_lists(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "language", tmp_path / "language", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "language" / "locales").glob("*/messages.toml"):
        reworded = re.sub(r'^([\w.]+ = ")', r"\1Reworded: ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        path.write_text(reworded, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    ran = subprocess.run(
        [sys.executable, "-P", "-c", REPLAY, str(tmp_path)], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert re.fullmatch(r"\n?\d\d replayed\n", ran.stdout), ran.stdout + ran.stderr
