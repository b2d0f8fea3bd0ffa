"""`model_copy(update={…})` accepts any key, and a misspelt one has no effect.

- Every key in the product's code is a field of one of its models; so is every field that a chat is made to remember.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from infra.config.settings import ROOT

PACKAGES = (
    "contracts",
    "infra",
    "registry",
    "authoring",
    "reasoning",
    "workflows",
    "clients",
    "activities",
    "api",
    "cli",
)
SOURCES = [path for package in PACKAGES for path in Path(ROOT, package).rglob("*.py")]
OF_LIBRARIES = {"input_responses", "request_state"}
"""Fields of the `mcp` package's models."""


def fields(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (
                row.target.id
                for row in node.body
                if isinstance(row, ast.AnnAssign) and isinstance(row.target, ast.Name)
            )


def updated(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "update" and isinstance(node.value, ast.Dict):
            yield from (str(key.value) for key in node.value.keys if isinstance(key, ast.Constant))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "remember":
            yield from (keyword.arg for keyword in node.keywords if keyword.arg)


def test_every_key_of_an_update_is_a_field() -> None:
    trees = [ast.parse(path.read_text()) for path in SOURCES]
    known = {name for tree in trees for name in fields(tree)} | OF_LIBRARIES
    assert {key for tree in trees for key in updated(tree)} - known == set()
