"""The words of one language for a topic of the planner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from language.locales import defined, get_locale


def words_of(locale: str, topic: str) -> Mapping[str, Any]:
    """Return what a language defines for a topic, by name; nothing if it has no module `planner_<topic>`."""
    return defined(get_locale(locale).code, f"planner_{topic}")
