"""The connection profile of the Temporal service: address, namespace, API key, TLS. The variables and the file are
those of Temporal's own command line and SDKs (`temporalio.envconfig`), so one profile serves them all.

A file is read only if a profile or a file is named, because a developer's own file must not affect `iq dev`.
"""

from pathlib import Path

from temporalio.envconfig import ClientConfigProfile, ClientConnectConfig

from infra.config.settings import Settings

VARIABLES = {
    "temporal_address": "TEMPORAL_ADDRESS",
    "temporal_namespace": "TEMPORAL_NAMESPACE",
    "temporal_api_key": "TEMPORAL_API_KEY",
    "temporal_tls": "TEMPORAL_TLS",
    "temporal_tls_client_cert_path": "TEMPORAL_TLS_CLIENT_CERT_PATH",
    "temporal_tls_client_key_path": "TEMPORAL_TLS_CLIENT_KEY_PATH",
    "temporal_tls_server_ca_cert_path": "TEMPORAL_TLS_SERVER_CA_CERT_PATH",
    "temporal_tls_server_name": "TEMPORAL_TLS_SERVER_NAME",
}
"""By setting; each has precedence over the file."""


class ProfileError(ValueError):
    """The profile cannot be read. The message names the problem, and contains no secret."""


def profile_of(settings: Settings) -> ClientConfigProfile:
    """Return the profile of the settings, completed from the file. Raises `ProfileError`."""
    file = settings.temporal_config_file
    named = settings.temporal_profile is not None or file is not None
    texts = {
        variable: str(getattr(settings, field)).lower() if field == "temporal_tls" else str(getattr(settings, field))
        for field, variable in VARIABLES.items()
        if (field in settings.model_fields_set or not named) and getattr(settings, field) not in (None, False)
    }
    if file is not None and not Path(file).is_file():
        raise ProfileError(f"TEMPORAL_CONFIG_FILE: there is no file {file}")
    try:
        found = ClientConfigProfile.load(
            settings.temporal_profile,
            config_source=Path(file) if file is not None else None,
            disable_file=not named,
            override_env_vars=texts,
        )
    except RuntimeError as error:
        raise ProfileError(f"TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE: {error}") from None
    for field in ("client_cert", "client_private_key", "server_root_ca_cert"):
        path = getattr(found.tls, field, None)
        if isinstance(path, Path) and not path.is_file():
            raise ProfileError(f"the Temporal connection's {field.replace('_', ' ')}: there is no file {path}")
    return found


def connection(settings: Settings) -> ClientConnectConfig:
    """Return the arguments for `Client.connect`. Raises `ProfileError`."""
    return profile_of(settings).to_client_connect_config()


def profiled(settings: Settings) -> Settings:
    """Return the settings with the profile's address and namespace, if a profile is named. Raises `ProfileError`."""
    if settings.temporal_profile is None and settings.temporal_config_file is None:
        return settings
    found = profile_of(settings)
    return settings.model_copy(
        update={
            "temporal_address": found.address or settings.temporal_address,
            "temporal_namespace": found.namespace or settings.temporal_namespace,
        }
    )
