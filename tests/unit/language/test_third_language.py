"""A new language is a package in `language/locales/` and no code.

- A tiny German one, added to a copy of the `language` package, is found, and its words are read: a reply, a day, a head
  count, a cue, a synonym for the search, a message to the operator.
- What it leaves out is neutral: every module can be imported, nothing of it matches, and its messages are English.
- English and Italian read their own words as before.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infra.config.settings import ROOT

PACKAGE = {
    "__init__.py": """
LEXICON = {"W0": "montag", "W5": "samstag", "AT": "um", "OCLOCK": "uhr", "PEOPLE": "kinder", "RESIZE": "mach"}
RULES = [("wd", "{W}"), ("time", "AT {H}{AP}")]
COUNT_RULES = [("absolute", "(?:RESIZE )?{C} PEOPLE")]
""",
    "words/replies.toml": '[reply_phrases.PHRASES]\nyes = """\njawohl|\ngenau"""\nno = "nein"\n',
    "cues.py": 'CUES = {"NOT": "nicht|kein"}\n',
    "messages.toml": '[ask]\nno_match = "Ich finde keine passende Buchung."\n',
    "venue_things.toml": 'booking = "buchung, reservierung"\n',
}
PROBE = """
import importlib, json, pkgutil
import language
from datetime import datetime
NOW = datetime(2026, 11, 23, 9)
for module in pkgutil.walk_packages(language.__path__, "language."):
    importlib.import_module(module.name)
from language.messages.catalogue import activate_locale, translate
from language.replies.short_replies import short_reply
from language.requests.cues import find_cues
from language.vocabulary.thesaurus import entries
def german(key):
    activate_locale("de")
    return translate(key)
print(json.dumps({
    "supported": language.SUPPORTED,
    "replies": [short_reply(text) for text in ("genau", "jawohl!", "nein", "yes please", "certo", "vielleicht")],
    "cues": [[cue.kind for cue in find_cues(text, "de")] for text in ("nicht am samstag", "am samstag")],
    "entries": entries()["booking"]["de"],
    "label": language.day_label(NOW.date(), "de"),
    "messages": [german("ask.no_match"), german("edit.not_waiting")],
    "counts": [found.count.amount for found in language.find_counts("mach 12 kinder", locale="de")],
    "day": str(language.resolve("Samstag um 15 Uhr", now=NOW, tz="Europe/Berlin", locale="de").instant),
}))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The results of a process whose `language` package has a third language."""
    tree = tmp_path_factory.mktemp("third")
    copied = shutil.copytree(ROOT / "language", tree / "language", ignore=shutil.ignore_patterns("__pycache__"))
    german = Path(copied) / "locales" / "de"
    (german / "words").mkdir(parents=True)
    for name, text in PACKAGE.items():
        (german / name).write_text(text)
    environment = {**os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_it_is_found_and_every_module_can_do_without_what_it_leaves_out(seen: dict[str, object]) -> None:
    assert seen["supported"] == ["de", "en", "it"]


def test_its_words_are_read_beside_those_of_the_others(seen: dict[str, object]) -> None:
    assert seen["replies"] == ["yes", "yes", "no", "yes", "yes", None]
    assert seen["cues"] == [["NOT"], []]
    assert seen["entries"] == ["buchung", "reservierung"]
    assert seen["counts"] == [12]
    assert seen["day"] == "2026-11-28 15:00:00+01:00"


def test_its_messages_are_its_own_and_the_others_english(seen: dict[str, object]) -> None:
    assert seen["label"] == "Monday 23 November"
    assert seen["messages"] == [
        "Ich finde keine passende Buchung.",
        "That plan does not wait for your confirmation, so this value was not taken.",
    ]
