"""What a request needs to be let in, as far as files may know it: names of variables, never what they hold.

`${VARIABLE}` in a text stands for what the environment of the sending process holds (`infra/variables.py`). It is put
in place when a request leaves (`clients/venue.py`), and so stands in no cache, history, log or tool.
"""

from typing import Literal

from pydantic import Field

from contracts.base import Frozen, Json

CredentialKind = Literal["operator", "api_key", "basic", "client_credentials"]


class Credential(Frozen):
    """How one of a document's `securitySchemes` is filled (OpenAPI 3.1, 4.8.27).

    `operator`: with the operator's own token, as bearer or wherever the scheme wants it; `api_key`: with `value`, which
    may be a bearer token of the service's own; `basic`: RFC 7617; `client_credentials`: RFC 6749, 4.4, the token being
    sent as bearer. `place` and `name` say where it goes; `prefix` stands in front of it.
    """

    kind: CredentialKind
    place: Literal["header", "query", "cookie"] = "header"
    name: str = "Authorization"
    prefix: str = ""
    value: str = ""
    username: str = ""
    password: str = ""
    client_id: str = ""
    client_secret: str = ""
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    sent_as: Literal["basic", "body"] = Field(default="basic", description="How a client shows who it is")
    more: dict[str, str] = Field(default_factory=dict, description="Further fields of the token request")


class Access(Frozen):
    """What all requests to one operation have in common: how they are let in, what the pack gives with each, and where
    a refusal says what is wrong.

    `credentials` None: the operator's token as a bearer. `bound` holds values by target (`header.X-Client`,
    `body.auth.client`); `error_code` and `error_message` are dotted paths into the body of a refusal, tried in turn.
    `refused`: by dotted path, the values that make a 2xx answer a refusal, `{"ok": (False,)}`. `repeat`: whether the
    words of a refusal may be told to operators and models; they may be for others, or in another language.
    """

    credentials: tuple[Credential, ...] | None = None
    bound: dict[str, Json] = Field(default_factory=dict)
    error_code: tuple[str, ...] = ()
    error_message: tuple[str, ...] = ()
    repeat: bool = True
    refused: dict[str, tuple[bool | int | str, ...]] = Field(default_factory=dict)

    @property
    def asks_the_operator(self) -> bool:
        """Whether it is the operator's own token that lets a request in."""
        return self.credentials is None or any(c.kind == "operator" for c in self.credentials)
