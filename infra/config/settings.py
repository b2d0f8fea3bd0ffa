"""Every setting, from the environment or `.env`. `.env.example` documents each; a test compares the two.

Names are `IQ_…` for ours and the usual ones for others' (`REDIS_URL`, `TEMPORAL_ADDRESS`, `LANGFUSE_…`). A wrong value
stops the program at start with the setting's name.
"""

from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AliasChoices, Field, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from contracts.limits import ChatPolicy, PlanPolicy
from infra.config import validators as forms
from infra.crypto.keyring import KeyRing, KeyringError, parse_ring, ring_file
from infra.temporal.task_queues import Role, task_queue_for

ROOT = Path(__file__).resolve().parents[2]
"""The checkout, or the folder of the installed wheel: the default place of overlays."""

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def _other(name: str) -> AliasChoices:
    return AliasChoices(name, name.lower())


def pack_folder(named: str) -> Path:
    """Return the folder of a pack: the path itself, or the name of a folder under `overlays/`."""
    inside = ROOT / "overlays" / named
    # The working directory may have a folder of that name that is no pack.
    return inside if not (Path(named) / "venue.yaml").is_file() and inside.is_dir() else Path(named)


class Settings(BaseSettings):
    """All settings. Durations are in seconds."""

    model_config = SettingsConfigDict(
        env_prefix="IQ_", env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True
    )

    host: str = Field("127.0.0.1", description="Address the facade listens on")
    port: int = Field(8700, ge=1, le=65535, description="Port of the facade")
    data: Path = Field(Path(".iq"), description="Folder for all local state")
    packs: Annotated[tuple[Path, ...], NoDecode] = Field(
        (ROOT / "overlays" / "roller",),
        description="Venue packs to serve, folders or names of ours, by commas; the first is the default",
    )
    venue_urls: dict[str, str] = Field(
        default_factory=dict, description='Where each pack\'s API is, as JSON: {"roller": "https://api.roller.app"}'
    )
    ui_origins: tuple[str, ...] = Field(
        (), description='Origins of the Temporal UI that may use the codec, as JSON: ["https://temporal.example"]'
    )
    mcp_origins: tuple[str, ...] = Field(
        (), description='Origins of web pages that may call /mcp, as JSON: ["https://assistant.example"]'
    )
    mcp_url: str = Field("http://127.0.0.1:8700", description="Where `iq mcp` finds the facade")
    mcp_token: str | None = Field(None, description="The operator's token that `iq mcp` calls with")
    mcp_user: str | None = Field(None, description="The operator that `iq mcp` calls for")
    mcp_venue: str | None = Field(None, description="The venue that `iq mcp` calls for; the default one where not set")
    service_key: str | None = Field(
        None, description="Shared key that callers send as X-Service-Key; several by commas, the first is sent by us"
    )
    max_concurrent_turns: int = Field(
        64, ge=1, description="Messages that one facade works on at a time, before a 429; of one venue half"
    )
    max_concurrent_commands: int = Field(
        8,
        ge=1,
        description="Confirmations, answers and undos that one facade says at a time, of one venue half, and fewer "
        "while workers are slow; one more waits for a second, before a 429",
    )

    rate_user: str = Field("300/minute", description="Messages that one user may send")
    rate_venue: str = Field("3000/minute", description="Messages that one venue may send")
    rate_failed_auth: str = Field("10/minute", description="Wrong service keys that one client may try")
    rate_failed_auth_all: str = Field("100/minute", description="Wrong service keys that all clients may try together")
    max_streams_per_user: int = Field(
        30, ge=1, description="Event streams that one user may hold open at one facade at a time"
    )
    mcp_call_timeout: float = Field(
        45,
        gt=0,
        description="Seconds that an MCP call goes on without a person's doing: many clients give up after sixty",
    )
    max_body: int = Field(
        65536,
        ge=1024,
        description="Largest request body, in bytes; AG-UI takes 16 times that, the codec a hundred times",
    )
    body_timeout: float = Field(
        30, gt=0, le=600, description="Longest that a request's body may take to come, in seconds"
    )

    stop_notice: float = Field(
        5,
        ge=0,
        le=120,
        description="How long an API that gets SIGTERM says so at /readyz while it serves as before, in seconds",
    )

    page_session: float = Field(3600, ge=60, description="How long a browser stays signed in to the page, in seconds")
    sign_in_url: str | None = Field(None, description="Where the page sends an operator who must sign in again")
    temporal_ui_url: str | None = Field(None, description="Where the Temporal UI is, for the page's debug drawer")

    metrics_port: int | None = Field(
        None, ge=1, le=65535, description="Port on which a worker serves /metrics; none where not set"
    )
    metrics_host: str = Field("127.0.0.1", description="Address on which a worker serves /metrics")

    keys: str | None = Field(None, description="Encryption keys, `id:base64` separated by commas; the first encrypts")
    key_file: Path | None = Field(
        None, description="File with those keys, one a line; `keys` in the data folder by default"
    )

    audit_retention_days: int = Field(
        400, ge=7, description="Days for which the ledger keeps who asked, confirmed, answered and undid what"
    )
    ledger_url: str | None = Field(
        None, description="PostgreSQL for the ledger; the file `ledger.db` in the data folder where not set"
    )
    webhook_private: bool = Field(False, description="Whether a venue's webhook may be on a private network")

    temporal_address: str = Field("127.0.0.1:8705", validation_alias=_other("TEMPORAL_ADDRESS"))
    temporal_namespace: str = Field("default", validation_alias=_other("TEMPORAL_NAMESPACE"))
    temporal_api_key: str | None = Field(None, validation_alias=_other("TEMPORAL_API_KEY"))
    temporal_tls: bool = Field(False, validation_alias=_other("TEMPORAL_TLS"))
    temporal_tls_client_cert_path: Path | None = Field(None, validation_alias=_other("TEMPORAL_TLS_CLIENT_CERT_PATH"))
    temporal_tls_client_key_path: Path | None = Field(None, validation_alias=_other("TEMPORAL_TLS_CLIENT_KEY_PATH"))
    temporal_tls_server_ca_cert_path: Path | None = Field(
        None, validation_alias=_other("TEMPORAL_TLS_SERVER_CA_CERT_PATH")
    )
    temporal_tls_server_name: str | None = Field(None, validation_alias=_other("TEMPORAL_TLS_SERVER_NAME"))
    temporal_profile: str | None = Field(None, validation_alias=_other("TEMPORAL_PROFILE"))
    temporal_config_file: Path | None = Field(None, validation_alias=_other("TEMPORAL_CONFIG_FILE"))
    task_queue: str = Field("iq", description="Temporal task queue that workers poll")
    build_id: str | None = Field(None, description="The version of the workers' code, where Temporal is to know it")
    split_queues: bool = Field(
        False, description="Whether calls of venues and of models have task queues of their own, for workers by role"
    )
    max_concurrent_activities: int = Field(
        20, ge=4, le=1000, description="Calls that one worker makes at a time, for each of its task queues"
    )
    temporal_binary: str | None = Field(None, description="A `temporal` to use instead of the installed one")
    redis_url: str | None = Field(None, validation_alias=_other("REDIS_URL"))

    model_base_url: str = Field("http://127.0.0.1:8704/v1", description="OpenAI-compatible endpoint")
    model_api_key: str = Field("offline", description="Key for that endpoint")
    model: str = Field("offline-planner", description="Model name sent to it")
    model_timeout: float = Field(30, gt=0, le=300, description="Longest one model call may take")

    call_timeout: float = Field(
        60, ge=1, le=120, description="Longest one venue call may take; 30 to 120 in production"
    )
    look_every: float = Field(
        1,
        gt=0,
        le=10,
        description="Pause between looks at a booking whose write does not show yet; the first are shorter",
    )
    turn_budget: float = Field(15, gt=0, le=60, description="Longest one message may take to be answered")
    confirm_timeout: float = Field(900, gt=0, description="How long a plan waits for its confirmation")
    answer_timeout: float = Field(600, gt=0, description="How long a plan waits for an answer")
    sign_in_timeout: float = Field(600, gt=0, description="How long a rollback waits for the operator to sign in again")
    chat_idle: float = Field(3600, gt=0, description="A chat closes after this long without a message")
    chat_max_events: int = Field(4000, ge=20, description="A chat starts a fresh history after this many events")
    escalation_ttl: float = Field(
        604_800, gt=0, le=604_800, description="How long a message that was handed to a person waits for their answer"
    )
    rollback_timeout: float = Field(300, gt=0, description="How long one reversal is retried")
    token_ttl: float = Field(3600, gt=0, description="A token is deleted after this long in any case")
    clarifications: int = Field(5, ge=1, le=10, description="Questions in a row, after which advice to rephrase comes")
    max_corrections: int = Field(3, ge=1, le=10, description="Self-corrections of one step")

    restaurant_host: str = Field("127.0.0.1", description="Address the restaurant service listens on")
    restaurant_port: int = Field(8702, ge=1, le=65535, description="Port of the restaurant service")
    restaurant_kb: Path = Field(ROOT / "restaurant" / "kb", description="Folder with a knowledge base a restaurant")
    restaurant_secret: str | None = Field(None, description="Secret that callers of the restaurant service show")
    restaurant_database: str | None = Field(
        None, description="PostgreSQL for bookings; the file `restaurant.db` in the data folder where not set"
    )
    restaurant_provider: Literal["database", "google_sheets", "resos", "octotable"] | None = Field(
        None, description="A provider for every restaurant; overrides the knowledge bases"
    )
    restaurant_proven_callers: bool = Field(
        False, description="Whether a voice message without a number may reach no booking"
    )
    restaurant_keep_days: int = Field(
        1, ge=0, le=3650, description="Days after a booking's own for which it is kept; then `iq restaurant purge`"
    )
    restaurant_clock: str | None = Field(
        None, description="A moment at which the restaurant service's clock is stopped"
    )
    restaurant_controls: bool = Field(False, description="Whether an outside suite may set that clock")

    langfuse_public_key: str | None = Field(None, validation_alias=_other("LANGFUSE_PUBLIC_KEY"))
    langfuse_secret_key: str | None = Field(None, validation_alias=_other("LANGFUSE_SECRET_KEY"))
    langfuse_host: str | None = Field(None, validation_alias=_other("LANGFUSE_HOST"))
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING or ERROR")
    log_format: Literal["auto", "json", "text"] = Field(
        "auto", description="json, text, or auto: JSON of `iq worker` and `iq api`, text of all others"
    )

    @model_validator(mode="before")
    @classmethod
    def _split_packs(cls, values: dict[str, object]) -> dict[str, object]:
        packs = values.get("packs")
        if isinstance(packs, str):
            values["packs"] = tuple(pack_folder(p.strip()) for p in packs.split(",") if p.strip())
        return values

    @field_validator("rate_user", "rate_venue", "rate_failed_auth", "rate_failed_auth_all")
    @classmethod
    def _rates_are_rates(cls, rate: str) -> str:
        return forms.rate(rate)

    @field_validator("model_base_url", "mcp_url", "sign_in_url", "temporal_ui_url", "langfuse_host")
    @classmethod
    def _addresses_are_addresses(cls, url: str | None) -> str | None:
        return url if url is None else forms.address(url, "https://api.example.com/v1")

    @field_validator("venue_urls")
    @classmethod
    def _venues_are_at_addresses(cls, urls: dict[str, str]) -> dict[str, str]:
        for name, url in urls.items():
            try:
                forms.address(url, "https://api.example.com")
            except ValueError as error:
                raise ValueError(f"{name} {error}") from None
        return urls

    @field_validator("redis_url")
    @classmethod
    def _redis_is_an_address(cls, url: str | None) -> str | None:
        return url if url is None else forms.redis_address(url)

    @field_validator("temporal_address")
    @classmethod
    def _temporal_is_an_address(cls, address: str) -> str:
        return forms.host_and_port(address)

    @field_validator("log_level")
    @classmethod
    def _level_is_known(cls, level: str) -> str:
        return forms.level(level)

    @field_validator("ledger_url", "restaurant_database")
    @classmethod
    def _ledger_is_known(cls, url: str | None) -> str | None:
        # The message does not repeat the value, because it holds a password.
        if url and url.partition("://")[0] not in ("postgresql", "postgres", "postgresql+psycopg", "sqlite"):
            raise ValueError("must begin with postgresql:// or sqlite://")
        return url

    @field_validator("service_key")
    @classmethod
    def _keys_are_split(cls, keys: str | None) -> str | None:
        return ",".join(key.strip() for key in (keys or "").split(",") if key.strip()) or None

    @field_validator("restaurant_secret")
    @classmethod
    def _blank_is_no_secret(cls, secret: str | None) -> str | None:
        # An empty line of the file with only a blank would otherwise make a blank the key.
        return (secret or "").strip() or None

    @field_validator("restaurant_clock")
    @classmethod
    def _clock_is_a_moment(cls, text: str | None) -> str | None:
        if text is not None:
            datetime.fromisoformat(text)
        return text

    @model_validator(mode="after")
    def _listening_beyond_loopback_needs_a_key(self) -> Self:
        if self.host not in _LOOPBACK and not self.service_key:
            raise ValueError(f"IQ_HOST is {self.host}: set IQ_SERVICE_KEY before listening beyond this machine")
        if self.metrics_port and self.metrics_host not in _LOOPBACK and not self.service_key:
            where = f"IQ_METRICS_HOST is {self.metrics_host}"
            raise ValueError(f"{where}: set IQ_SERVICE_KEY before listening beyond this machine")
        if self.restaurant_host not in _LOOPBACK and not self.restaurant_secret:
            where = f"IQ_RESTAURANT_HOST is {self.restaurant_host}"
            raise ValueError(f"{where}: set IQ_RESTAURANT_SECRET before listening beyond this machine")
        return self

    @model_validator(mode="after")
    def _langfuse_has_both_keys(self) -> Self:
        given = {"LANGFUSE_PUBLIC_KEY": self.langfuse_public_key, "LANGFUSE_SECRET_KEY": self.langfuse_secret_key}
        missing = [name for name, key in given.items() if not key]
        if len(missing) == 1:
            raise ValueError(f"{missing[0]} is not set, and the other key is: set both for Langfuse, or neither")
        return self

    @property
    def service_keys(self) -> tuple[str, ...]:
        """Return every key that callers may use, so that keys can be rotated without an outage. We send the first."""
        return tuple(self.service_key.split(",")) if self.service_key else ()

    def ring(self) -> KeyRing:
        """Return the keys that payloads and tokens are encrypted with. Raises `KeyringError` with the way out.

        A missing key file is created, but only with a Temporal service on this machine: processes on several machines
        would each create their own, and could not read each other's data.
        """
        if self.keys:
            try:
                return parse_ring(self.keys)
            except KeyringError as error:
                raise KeyringError(f"IQ_KEYS is no ring of keys. {error}") from None
        path = self.key_file or self.data / "keys"
        if not path.exists() and self.temporal_address.rsplit(":", 1)[0].strip("[]") not in _LOOPBACK:
            raise KeyringError(
                f"No encryption keys: {path} does not exist and IQ_KEYS is not set. Make a key with "
                f"`iq keys new` and give every process the same one."
            )
        return ring_file(path)

    def chat_policy(self) -> ChatPolicy:
        """Return the timeouts of chats and plans, as they are frozen into each."""
        return ChatPolicy(
            turn_budget=self.turn_budget,
            idle_after=self.chat_idle,
            clarifications=self.clarifications,
            continue_after_events=self.chat_max_events,
            escalation_ttl=self.escalation_ttl,
            plan=PlanPolicy(
                confirm_timeout=self.confirm_timeout,
                answer_timeout=self.answer_timeout,
                sign_in_timeout=self.sign_in_timeout,
                model_timeout=self.model_timeout,
                call_timeout=self.call_timeout,
                rollback_timeout=self.rollback_timeout,
                max_corrections=self.max_corrections,
                task_queue=self.task_queue,
                venue_queue=task_queue_for(self.task_queue, Role.VENUE) if self.split_queues else "",
                model_queue=task_queue_for(self.task_queue, Role.MODEL) if self.split_queues else "",
            ),
        )


@lru_cache
def settings() -> Settings:
    """Return the process's settings, read once."""
    return Settings()
