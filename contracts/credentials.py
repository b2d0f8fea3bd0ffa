"""The authentication of a request, as far as files may know it: names of variables, never their values.

`${VARIABLE}` in a text is replaced by a value from the environment of the sending process
(`infra/config/pack_variables.py`) when a request leaves (`clients/venue/client.py`). So the value gets into no cache,
history, log or tool.

Also one request to a venue, before it is encoded.
"""

from typing import Literal

from pydantic import Field

from contracts.base import FrozenModel, Json

CredentialKind = Literal["operator", "api_key", "basic", "client_credentials"]


class Credential(FrozenModel):
    """How the pack fills one of a document's `securitySchemes` (OpenAPI 3.1, 4.8.27).

    `operator`: with the operator's own token, as bearer or wherever the scheme requires it; `api_key`: with `value`,
    which may be a bearer token of the service's own; `basic`: RFC 7617; `client_credentials`: RFC 6749, 4.4, the token
    being sent as bearer. `place` and `name` give its location; `prefix` precedes it.
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


class AuthScheme(FrozenModel):
    """What all requests to one operation share: authentication, the pack's values, and the paths of errors.

    `credentials` None: the operator's token as a bearer. `bound` holds values by target (`header.X-Client`,
    `body.auth.client`). `error_code` and `error_message` are dotted paths into an error body, tried in turn. `refused`:
    by dotted path, the values that make a 2xx response an error, `{"ok": (False,)}`. `repeat`: whether operators and
    models may see the text of an error; it may be meant for others, or in another language.
    """

    credentials: tuple[Credential, ...] | None = None
    bound: dict[str, Json] = Field(default_factory=dict)
    error_code: tuple[str, ...] = ()
    error_message: tuple[str, ...] = ()
    repeat: bool = True
    refused: dict[str, tuple[bool | int | str, ...]] = Field(default_factory=dict)

    @property
    def asks_the_operator(self) -> bool:
        """Return whether the operator's own token authenticates a request."""
        return self.credentials is None or any(c.kind == "operator" for c in self.credentials)


class FormField(FrozenModel):
    """One field of a form: its name, its text, and its content type where it is not plain text."""

    name: str
    value: str
    content_type: str | None = None


class HttpRequest(FrozenModel):
    """An exact request, without host or credentials. `path` is percent-encoded.

    `form` is `body` as the fields of a form, in order, when `content_type` is a form's; None otherwise. `shown_path` is
    the path that may be recorded, if the real one contains a secret. `access` holds what is inserted when it is sent.
    """

    method: str
    path: str
    shown_path: str = ""
    query: tuple[tuple[str, str], ...] = ()
    headers: dict[str, str] = Field(default_factory=dict)
    body: Json = None
    content_type: str | None = None
    form: tuple[FormField, ...] | None = None
    access: AuthScheme | None = None
