"""Kinds of claims that speak of the same thing."""

from collections.abc import Mapping

from reasoning.evidence.claims import Kind

FAMILIES: Mapping[Kind, frozenset[Kind]] = {
    Kind.DAY: frozenset({Kind.DAY}),
    Kind.TIME: frozenset({Kind.TIME, Kind.NUMBER}),
    Kind.COUNT: frozenset({Kind.COUNT, Kind.NUMBER}),
    Kind.NUMBER: frozenset({Kind.TIME, Kind.COUNT, Kind.NUMBER}),
    Kind.EMAIL: frozenset({Kind.EMAIL}),
    Kind.PHONE: frozenset({Kind.PHONE}),
    Kind.SHIFT: frozenset({Kind.SHIFT}),
    Kind.OTHER: frozenset(),
}
"""One of them can give way to another."""
