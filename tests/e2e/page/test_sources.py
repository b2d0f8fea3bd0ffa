"""The page's own code. Guarantees:

- its units pass under node, the control tokens among them, by the vectors that also test `api/event_tokens.py`;
- nothing in it turns text into markup or code, and nothing is inline, so that the policy needs no exception;
- the message that its button sends again for an expired plan is understood as a retry in every language;
- it loads nothing from elsewhere, no file is longer than 400 lines, and its types are checked where `tsc` is at hand.
"""

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

from contracts.enums import ShortReply
from infra.config.settings import ROOT
from language.replies.short_replies import short_reply
from tests.support.tables import table
from tests.support.waiting import STARTING

WEB = ROOT / "api" / "web"
SOURCES = sorted(path for path in WEB.rglob("*") if path.suffix in {".js", ".css", ".html"})


def test_the_units_under_node() -> None:
    node = which("node")
    if node is None:
        pytest.skip("no node installed: the page's units are not tested")
    tests = sorted(str(path) for path in (Path(__file__).parent / "unit").glob("*.test.js"))
    ran = subprocess.run(
        [node, "--test", *tests], capture_output=True, text=True, timeout=STARTING, check=False, cwd=ROOT
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]


def test_types_are_right() -> None:
    checker = which("tsc")
    if checker is None:
        pytest.skip("no tsc installed (npm install -g typescript): the page's types are not checked")
    ran = subprocess.run(
        [checker, "-p", str(WEB / "jsconfig.json")], capture_output=True, text=True, timeout=STARTING, check=False
    )
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("language", ["en", "it"])
def test_trying_again_is_understood(language: str) -> None:
    [message] = re.findall(r'"chat\.again": "([^"]+)"', (WEB / "i18n" / f"{language}.js").read_text(encoding="utf-8"))
    assert short_reply(message) is ShortReply.RETRY


@table("path", SOURCES)
def test_nothing_makes_markup_or_code_of_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    makers = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function"
    inline = r"style=|(?<![-\w])style: \"|\son\w+=\"|javascript:"
    assert re.findall(f"{makers}|{inline}", text) == []
    assert re.findall(r"<script(?![^>]*\ssrc=)", text) == []


@table("path", SOURCES)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"')]+", text)) - {"http://www.w3.org/2000/svg", "https://lucide.dev"}
    assert addresses == set()
    assert len(text.splitlines()) <= 400
    for imported in re.findall(r"from \"([^\"]+)\"|import \"([^\"]+)\"", text):
        assert (path.parent / "".join(imported)).resolve().is_file(), imported
