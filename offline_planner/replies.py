"""The planner's messages to an operator, from the message catalogue, and the words of a language for a topic."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from language.locales import defined, get_locale
from language.messages import catalogue
from offline_planner.tools import Toolbox


def say(key: str, **values: object) -> str:
    """Return one sentence in the operator's language."""
    return catalogue.translate(f"planner.{key}", **values)


def able(can: Sequence[str], toolbox: Toolbox) -> str:
    """Return what can be done, as the prompt names it, else from the tools' own names."""
    named = list(can) or [re.sub("[_-]", " ", t.name) for t in toolbox.writes]
    return ", ".join(named) or "—"


def words_of(locale: str, topic: str) -> Mapping[str, Any]:
    """Return what a language defines for a topic, by name; nothing if it has no module `planner_<topic>`."""
    return defined(get_locale(locale).code, f"planner_{topic}")
