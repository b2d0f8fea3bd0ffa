"""`venue.yaml` as its author writes it: the venue's profile, and how the service is authenticated at its API.

`overlays/README.md` explains every key; `overlays/venue.schema.json` is the same for editors.
"""

import re
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from contracts.base import Json, StrictModel
from contracts.credentials import AuthScheme, Credential
from contracts.venue import Noun, VenueContact, VenueFacts, VenueKnowledge, VenueProfile, VenueRate, Webhook
from registry.errors import PackError, did_you_mean
from registry.http.credentials import NO_SECRET, PackCredentials, check_variables, credential, writes_secret
from registry.http.request import split_path
from registry.openapi.document import CLIENTS_OWN, Document, read_or_refuse
from registry.overlays.models import Name, ReadOverlay

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header's name (RFC 9110, 5.1)."""
_CODES = {
    "locale": (r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*", "en-GB or it-IT (BCP 47)"),
    "country": (r"[A-Z]{2}", "GB or IT (ISO 3166)"),
    "currency": (r"([A-Z]{3})?", "GBP or EUR (ISO 4217)"),
}
_SAFE_ADDRESS = re.compile(r"(https://[^/\s@?#:]+|http://(127\.0\.0\.1|localhost|\[::1\]))(:\d{1,5})?(/[^\s#]*)?")
"""HTTPS, or this machine only, because the request holds the operator's message."""
_ONE_VARIABLE = re.compile(r"\$\{[A-Z][A-Z0-9_]*\}")
_PLACES = ("path", "query", "header", "cookie", "body")


class ErrorBodyOverlay(StrictModel):
    """Where a refusal has its code and its message: dotted paths into its body, one or several to try in turn. Where
    the API answers 2xx to what it refuses, `refused` is the path and value that mark it: `{ok: false}`. `repeat: false`
    where its text is for others, or in another language: then operators and models do not see it."""

    code: list[str] | str = Field(default_factory=list)
    message: list[str] | str = Field(default_factory=list)
    repeat: bool = True
    refused: dict[str, list[bool | int | str] | bool | int | str] = Field(default_factory=dict)


class DayOverlay(StrictModel):
    """Which look-up finds the bookings of a day. `with` may be left out where one of its parameters has the role date
    and it needs no other."""

    action: Name
    inputs: dict[str, Json] = Field(default_factory=dict, alias="with")


class EscalationOverlay(StrictModel):
    """The webhook for messages that were handed to a person, and its signing secret; both or
    neither (`docs/escalation.md`)."""

    webhook: str = Field(max_length=500)
    secret: str = Field(max_length=100)

    @field_validator("webhook")
    @classmethod
    def _is_reachable_safely(cls, value: str) -> str:
        if not _SAFE_ADDRESS.fullmatch(value) or "${" in value:
            raise ValueError("write an address with https:// and without a name, a password or a #part in it")
        return value

    @field_validator("secret")
    @classmethod
    def _is_named_only(cls, value: str) -> str:
        if not _ONE_VARIABLE.fullmatch(value):
            raise ValueError(NO_SECRET)
        return value

    @property
    def hook(self) -> Webhook:
        """Return the webhook as it is called."""
        return Webhook(address=self.webhook, secret=self.secret[2:-1])


class VenueFile(VenueFacts, VenueKnowledge):
    """The file. What it leaves out has the profile's default; `base_url` is the document's server.

    `credentials` fill the document's `securitySchemes` by name; `bound` is given with every request that has the place;
    texts in both may hold `${VARIABLE}`.
    """

    base_url: str = ""
    check_operation: str | ReadOverlay
    credentials: dict[str, Json] = Field(default_factory=dict)
    bound: dict[str, Json] = Field(default_factory=dict)
    errors: ErrorBodyOverlay = ErrorBodyOverlay()
    day: DayOverlay | None = None
    escalation: EscalationOverlay | None = None
    rate: VenueRate | None = None

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value and not re.match(r"https?://[^/\s@?#]+", value):
            raise ValueError("write an address with http:// or https://")
        return value

    @field_validator("time_zone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, OSError, KeyError) as error:
            raise ValueError("no time zone is called so; write one such as Europe/Rome") from error
        return value

    @field_validator("locale", "country", "currency")
    @classmethod
    def _is_code(cls, value: str, info: ValidationInfo) -> str:
        pattern, form = _CODES[str(info.field_name)]
        if not re.fullmatch(pattern, value):
            raise ValueError(f"write it as {form}")
        return value

    @field_validator("contact")
    @classmethod
    def _is_reachable(cls, value: VenueContact) -> VenueContact:
        if value.email and not re.fullmatch(r"[^@\s]+@[^@\s]+", value.email):
            raise ValueError(f"{value.email!r} is no e-mail address")
        if value.website and not re.fullmatch(r"https?://\S+", value.website):
            raise ValueError("write the website with http:// or https://")
        return value

    @field_validator("policies")
    @classmethod
    def _is_named(cls, value: dict[str, str]) -> dict[str, str]:
        for name in value:
            if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
                raise ValueError(f"{name!r} is no name of a policy; write small letters, digits and _, such as returns")
        return value

    @field_validator("words")
    @classmethod
    def _is_by_language(cls, value: dict[str, dict[str, Noun]]) -> dict[str, dict[str, Noun]]:
        for languages in value.values():
            for code in languages:
                if not re.fullmatch(r"[a-z]{2}", code):
                    raise ValueError(f"{code!r} is no language; write `en: lesson`, `it: [lezione, lezioni, f]`")
        return value

    @property
    def check(self) -> ReadOverlay:
        """Return the cheapest authenticated read, with its inputs."""
        written = self.check_operation
        return written if isinstance(written, ReadOverlay) else ReadOverlay(operation=written)

    @property
    def secrets(self) -> Json:
        """Return everything that may hold `${VARIABLE}`."""
        return [self.credentials, self.bound, self.escalation.secret if self.escalation else ""]

    def profile(self, pack: str, address: str) -> VenueProfile:
        """Return the venue's profile, as the product needs it."""
        facts = self.model_dump(include=set(VenueFacts.model_fields))
        return VenueProfile(**facts, pack=pack, base_url=address, check_operation=self.check.operation)

    def knowledge(self) -> VenueKnowledge:
        """Return the venue's information for its guests."""
        return VenueKnowledge(**self.model_dump(include=set(VenueKnowledge.model_fields)))

    def entry(self, document: Document, address: str) -> PackCredentials:
        """Return how requests to the document's operations are authenticated. Raises PackError."""
        schemes = document.schemes
        servers = ((document.server or "").rstrip("/"), address)
        known: dict[str, Credential] = {}
        for name, written in self.credentials.items():
            if name not in schemes:
                text = did_you_mean(name, schemes) or ("it has none" if not schemes else "")
                raise PackError(f"venue.yaml, credentials: the document has no security scheme {name}; {text}")
            known[name] = credential(name, schemes[name], written, servers)
        for target, value in self.bound.items():
            _check_bound(target, value)
        return PackCredentials(
            schemes,
            document.root.get("security"),
            known,
            self.bound,
            AuthScheme(
                error_code=_several(self.errors.code),
                error_message=_several(self.errors.message),
                repeat=self.errors.repeat,
                refused={
                    path: tuple(written) if isinstance(written, list) else (written,)
                    for path, written in self.errors.refused.items()
                },
            ),
        )


def read_venue(folder: Path) -> VenueFile:
    """Return the venue file of a pack. Raises PackError, with the nearest valid name."""
    label = f"{folder.name}/venue.yaml"
    file = read_or_refuse(folder / "venue.yaml", label)
    if not isinstance(file.data, dict):
        raise PackError(f"{label} must be a list of `name: value` lines")
    try:
        return VenueFile.model_validate(file.data)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        line = file.line(*first["loc"])
        hint = did_you_mean(name, VenueFile.model_fields) if first["type"] == "extra_forbidden" else ""
        where = f"{label}, line {line}" if line else label
        raise PackError(f"{where}, {name}: {first['msg']} {hint}".strip()) from error


def _several(written: list[str] | str) -> tuple[str, ...]:
    return (written,) if isinstance(written, str) else tuple(written)


def _check_bound(target: str, value: Json) -> None:
    where = f"venue.yaml, bound.{target}"
    location, _, name = target.partition(".")
    if location not in _PLACES or not name:
        raise PackError(f"{where}: write `header.X-Name`, `query.name`, `path.name`, `cookie.name` or `body.name`")
    if location == "header" and name.lower() in CLIENTS_OWN:
        raise PackError(f"{where}: the client sends that header itself")
    check_variables(where, value)
    if location == "header" and not _TOKEN.fullmatch(name):
        raise PackError(f"{where}: {name!r} is no name of a header")
    if writes_secret(split_path(name), value, location):
        raise PackError(f"{where}: {NO_SECRET}")
