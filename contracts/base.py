"""The two kinds of model every noun is built from.

`Edge` refuses unknown fields: a misspelt key in a request body or an overlay is an error, never silently dropped.
`Frozen` adds immutability for what must not change after it is made, such as the actions of a confirmed plan
(`docs/state-model.md`, "Invariants").
"""

from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, StringConstraints

Json = Any
"""Any JSON value. Kept as `Any`: a recursive type makes pydantic validate whole API answers twice."""

Instant = AwareDatetime
"""A moment with its UTC offset; naive datetimes are refused."""

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[\w.:@+\-]+$")]
"""A caller's id (session, user, request): 1 to 128 of letters, digits and `_ . : @ + -`."""


class Edge(BaseModel):
    """A model that refuses fields it does not know."""

    model_config = ConfigDict(extra="forbid")


class Frozen(BaseModel):
    """A model that refuses unknown fields and cannot be changed once made."""

    model_config = ConfigDict(extra="forbid", frozen=True)
