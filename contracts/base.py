"""The two kinds of model every noun is built from.

`StrictModel` refuses unknown fields: a misspelt key in a request body or an overlay is an error, never silently
dropped. `FrozenModel` adds immutability for what must not change after it is made, such as the actions of a confirmed
plan (`docs/state-model.md`, "Invariants").

Things to tap: what a button shows, and the message that tapping it sends.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict

Json = Any
"""Any JSON value, in a model's field. Kept as `Any`: a recursive type makes pydantic validate whole answers twice."""

Value: TypeAlias = bool | int | float | str | list["Value"] | dict[str, "Value"] | None
"""Any JSON value, as a function takes or gives it."""

Answer: TypeAlias = Value
"""What a venue answered, or documents made of several answers."""

Tree: TypeAlias = Value
"""What a value is rendered from: JSON whose texts may be templates."""

Schema: TypeAlias = dict[str, Json]
"""A JSON Schema whose form is known: its keywords hold what the standard says."""

Node: TypeAlias = object
"""A part of a document that strangers wrote: anything, until it was looked at."""

Parts: TypeAlias = Mapping[str, Node]
"""A mapping in such a document."""

Instant = AwareDatetime
"""A moment with its UTC offset; naive datetimes are refused."""


class StrictModel(BaseModel):
    """A model that refuses fields it does not know."""

    model_config = ConfigDict(extra="forbid")


class FrozenModel(BaseModel):
    """A model that refuses unknown fields and cannot be changed once made."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class QuickAction(FrozenModel):
    """A button: `label` is shown, `say` is what tapping it sends, complete by itself."""

    label: str
    say: str
