"""A deliberate bug, and how it is applied to the code: its place is a symbol, and the correct code there is compared by
its syntax tree. So neither a move of the code, nor its formatting, nor an edit around it loses the bug's place."""

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Bug:
    """One bug, which breaks one guarantee.

    `at` is a package and a qualified name, `workflows:Commands.committed` or `reasoning:SURE`. There, `right` is an
    expression or whole statements, and `wrong` replaces it; "" removes it. Outside Python, `at` is a file's path, and
    both are text. `tests` are those that should notice it: the lowest, and single ones where a file is slow.
    """

    name: str
    guarantee: str
    at: str
    right: str
    wrong: str
    tests: tuple[str, ...]

    @property
    def in_python(self) -> bool:
        """Return whether its place is a symbol."""
        return ":" in self.at


class LostError(LookupError):
    """A bug's place is gone, or there is more than one."""

    def __init__(self, bug: Bug, why: str) -> None:
        super().__init__(f"{bug.name!r} cannot be put into {bug.at}: {why}. {_WAY_OUT}")


_WAY_OUT = (
    "Look where its guarantee is kept now and name that: `at` is a symbol that is there once, `right` something that "
    "is in it once; put both right, or delete the bug where nothing guards this any more."
)


def put_in(bug: Bug, tree: Path) -> tuple[Path, str]:
    """Return the file of a tree that the bug is in, and its text with the bug. Raises `LostError`."""
    return _in_python(bug, tree) if bug.in_python else _in_text(bug, tree)


def _in_text(bug: Bug, tree: Path) -> tuple[Path, str]:
    path = tree / bug.at
    if not path.is_file():
        raise LostError(bug, "there is no such file")
    text = path.read_text(encoding="utf-8")
    _once(bug, text.count(bug.right), "its `right`")
    return path, text.replace(bug.right, bug.wrong)


def _in_python(bug: Bug, tree: Path) -> tuple[Path, str]:
    package, _, name = bug.at.partition(":")
    symbols = [(path, symbol) for path in _modules(tree / package, name) for symbol in _symbols(path, name)]
    _once(bug, len(symbols), "the symbol")
    (path, symbol), right = symbols[0], _parsed(bug, bug.right)
    places = list(_places(symbol, right))
    _once(bug, len(places), "its `right`")
    text = _replaced(path.read_text(encoding="utf-8"), places[0], bug.wrong)
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise LostError(bug, f"with its `wrong` this is no Python ({error})") from None
    return path, text


def _once(bug: Bug, times: int, what: str) -> None:
    if times != 1:
        raise LostError(bug, f"{what} is there {times} times")


def _modules(package: Path, name: str) -> Iterator[Path]:
    last = name.rpartition(".")[2]
    for path in sorted(package.rglob("*.py")):
        if last in path.read_text(encoding="utf-8"):
            yield path


def _symbols(path: Path, name: str) -> Iterator[ast.stmt]:
    level: list[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body
    *outer, last = name.split(".")
    for part in outer:
        level = [inner for one in level if _named(one, part) for inner in getattr(one, "body", [])]
    yield from (one for one in level if _named(one, last))


def _named(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return statement.name == name
        case ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)):
            return found == name
        case _:
            return False


def _parsed(bug: Bug, snippet: str) -> list[ast.stmt]:
    try:
        return ast.parse(textwrap.dedent(snippet).strip()).body
    except SyntaxError as error:
        raise LostError(bug, f"its `right` is no Python ({error})") from None


_Place = list[ast.stmt] | ast.expr
"""Statements in a row, or an expression that is no statement of its own."""


def _places(symbol: ast.stmt, right: list[ast.stmt]) -> Iterator[_Place]:
    wanted = [ast.dump(statement) for statement in right]
    for block in _blocks(symbol):
        dumps = [ast.dump(statement) for statement in block]
        for start in range(len(block) - len(wanted) + 1):
            if dumps[start : start + len(wanted)] == wanted:
                yield block[start : start + len(wanted)]
    match right:
        case [ast.Expr(value=value)]:
            dump = ast.dump(value)
            yield from (one for one in _expressions(symbol) if ast.dump(one) == dump)


def _blocks(symbol: ast.stmt) -> Iterator[list[ast.stmt]]:
    yield [symbol]
    for node in ast.walk(symbol):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield block


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield all expressions except those inside an f-string, whose columns Python 3.11 does not give."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(node, ast.Expr):
            yield child
        if not isinstance(child, ast.JoinedStr):
            yield from _expressions(child)


def _replaced(text: str, place: _Place, wrong: str) -> str:
    first, last = (place, place) if isinstance(place, ast.expr) else (place[0], place[-1])
    lines = text.encode().split(b"\n")
    # Columns count bytes.
    before = b"\n".join([*lines[: first.lineno - 1], lines[first.lineno - 1][: first.col_offset]])
    assert last.end_lineno is not None
    after = b"\n".join([lines[last.end_lineno - 1][last.end_col_offset :], *lines[last.end_lineno :]])
    new = textwrap.dedent(wrong).strip()
    if isinstance(place, ast.expr):
        return before.decode() + f"({new})" + after.decode()
    indented = textwrap.indent(new or "pass", " " * first.col_offset)
    return before.decode() + indented.lstrip() + after.decode()
