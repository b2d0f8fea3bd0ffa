"""Parts of documents that strangers wrote, taken for what they should be; nothing where something else stands."""

from contracts.base import Node


def parts_of(node: Node) -> dict[str, Node]:
    """The named parts of a mapping."""
    return node if isinstance(node, dict) else {}


def entries_of(node: Node) -> list[Node]:
    """The entries of a list."""
    return node if isinstance(node, list) else []
