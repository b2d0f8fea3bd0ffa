"""How a deliberate bug finds its place: by symbol and syntax tree, so that formatting, comments and edits around it do
not matter; and the message for a place that is missing or ambiguous."""

import textwrap
from pathlib import Path

import pytest

from tests.mutants.bug import Bug, LostError, put_in

CODE = '''
"""Café: columns count bytes, not letters."""

LIMIT = 3


def look(x: int) -> int:
    return x


class Desk:
    """A desk."""

    LIMIT = 4

    async def serve(self, guests: list[str]) -> str:
        # A comment.
        if (
            "é" != guests[0]  # first
            and len(guests)
            < LIMIT
        ):
            first = guests[0]
            return first
        for guest in guests:
            await self.greet(guest, loud=True)
        else:
            self.close()
        try:
            self.open()
        except OSError:
            self.log()
        finally:
            self.end()
        return f"{len(guests)} {len(guests)}"
'''


def put(tmp_path: Path, at: str, right: str, wrong: str, code: str = CODE) -> str:
    """Return the lines that the bug has changed, each stripped."""
    folder = tmp_path / "shop" / "deep"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "desk.py").write_text(code)
    path, text = put_in(Bug("a-bug", "It holds", at, right, wrong, ()), tmp_path)
    assert path == folder / "desk.py"
    before = code.splitlines()
    return "\n".join(line for line in text.splitlines() if line not in before)


@pytest.mark.parametrize(
    ("at", "right", "wrong", "becomes"),
    [
        ("shop:LIMIT", "3", "0", "LIMIT = (0)"),
        ("shop:LIMIT", "LIMIT = 3", "LIMIT = 0", "LIMIT = 0"),
        ("shop:Desk.LIMIT", "4", "0", "    LIMIT = (0)"),
        ("shop:Desk.serve", "'é' != guests[0]", "False", "            (False)  # first"),
        ("shop:Desk.serve", "len(guests) < LIMIT", "True", "            and (True)"),
        ("shop:Desk.serve", "len(guests)", "0", "            and (0)"),
        ("shop:Desk.serve", "True", "False", "            await self.greet(guest, loud=(False))"),
    ],
)
def test_what_is_right_is_found_however_it_is_written(
    tmp_path: Path, at: str, right: str, wrong: str, becomes: str
) -> None:
    assert put(tmp_path, at, right, wrong) == becomes


def test_statements_are_replaced_with_the_right_indentation(tmp_path: Path) -> None:
    right = "first = guests[0]\nreturn first"
    assert put(tmp_path, "shop:Desk.serve", right, "if guests:\n    return ''") == (
        "            if guests:\n                return ''"
    )


@pytest.mark.parametrize("call", ["await self.greet(guest, loud=True)", "self.close()", "self.log()", "self.end()"])
@pytest.mark.parametrize("wrong", ["", "pass"])
def test_a_statement_is_taken_out_wherever_it_stands(tmp_path: Path, call: str, wrong: str) -> None:
    assert put(tmp_path, "shop:Desk.serve", call, wrong) == "            pass"


def test_edits_around_a_place_do_not_matter(tmp_path: Path) -> None:
    edited = CODE.replace("# A comment.", "guests = guests[:9]").replace("LIMIT = 4", "LIMIT = 5")
    nested = "class Shop:" + textwrap.indent(edited, "    ")
    assert (
        put(tmp_path, "shop:Shop.Desk.serve", "'é' != guests[0]", "False", nested) == "                (False)  # first"
    )


@pytest.mark.parametrize(
    ("at", "right", "wrong", "why"),
    [
        ("shop:Desk.gone", "4", "0", "the symbol is there 0 times"),
        ("shop:Desk.first", "guests[0]", "0", "the symbol is there 0 times"),
        ("shop:Desk.serve", "gone()", "0", "its `right` is there 0 times"),
        ("shop:Desk.serve", "guests[0]", "0", "its `right` is there 2 times"),
        ("shop:Desk.serve", "guests[", "0", "its `right` is no Python"),
        ("shop:Desk.serve", "len(guests) < LIMIT", "return 0", "with its `wrong` this is no Python"),
        ("shop/gone.yaml", "4", "0", "there is no such file"),
        ("shop/deep/desk.py", "LIMIT = ", "0", "its `right` is there 2 times"),
    ],
)
def test_a_place_that_is_lost_is_named_with_the_way_out(
    tmp_path: Path, at: str, right: str, wrong: str, why: str
) -> None:
    with pytest.raises(LostError) as lost:
        put(tmp_path, at, right, wrong)
    message = str(lost.value)
    assert message.startswith(f"'a-bug' cannot be put into {at}: {why}")
    assert message.endswith("put both right, or delete the bug where nothing guards this any more.")


def test_a_symbol_that_is_there_twice_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "other.py").write_text(CODE)
    with pytest.raises(LostError, match="the symbol is there 2 times"):
        put(tmp_path, "shop:Desk.serve", "True", "False")


def test_what_is_not_python_is_replaced_as_text(tmp_path: Path) -> None:
    (tmp_path / "undo.yaml").write_text("people: 4\nat: noon\n")
    bug = Bug("a-bug", "It holds", "undo.yaml", "people: 4", "people: 2", ())
    assert put_in(bug, tmp_path) == (tmp_path / "undo.yaml", "people: 2\nat: noon\n")
