"""Connects to Temporal. Every process uses it, so that all share one wire format."""

from collections.abc import Sequence
from dataclasses import replace

from temporalio.client import Client, Interceptor
from temporalio.common import HeaderCodecBehavior
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter
from temporalio.envconfig import ClientConfig, ClientConnectConfig

from domain.shared.errors import ConfigError
from workflows.sdk.failure_converter import EncryptedFailureConverter, RedactingFailureConverter
from workflows.sdk.interceptors import RequestIds
from workflows.sdk.payload_codec import EncryptionCodec
from workflows.sdk.payload_keys_setting import PLAIN, PayloadKey
from workflows.sdk.temporal_settings import TemporalConfig

ADDRESS = "127.0.0.1:7233"
NAMESPACE = "default"


async def connect(choice: TemporalConfig, *, lazy: bool = False, interceptors: Sequence[Interceptor] = ()) -> Client:
    """Returns a client of the namespace. A lazy one connects at its first call, so an API can start before Temporal.

    Raises:
        ConfigError: Temporal's own configuration is invalid.
        RuntimeError: Temporal does not respond; a lazy client raises it later.
    """
    return await Client.connect(
        **connect_config(choice),
        data_converter=data_converter(choice.payload_keys),
        interceptors=[RequestIds(), *interceptors],
        header_codec_behavior=HeaderCodecBehavior.CODEC,
        lazy=lazy,
    )


def connect_config(choice: TemporalConfig) -> ClientConnectConfig:
    """Returns address, namespace, TLS and API key: from `choice`, else from Temporal's environment and profile."""
    try:
        config = ClientConfig.load_client_connect_config()
    except (RuntimeError, ValueError, OSError) as error:
        what = str(error).partition("\n")[0]  # the other lines quote the value, such as an API key
        raise ConfigError(f"Temporal's configuration (TEMPORAL_*, or the file with its profiles): {what}") from error
    if choice.api_key:
        config["api_key"] = choice.api_key
        config["tls"] = config.get("tls") or True
    config["target_host"] = choice.address or config.get("target_host") or ADDRESS
    config["namespace"] = choice.namespace or config.get("namespace") or NAMESPACE
    return config


def find_plain_host(choice: TemporalConfig) -> set[str]:
    """Returns the host of Temporal if it is reached without TLS, and none if its configuration is invalid."""
    try:
        config = connect_config(choice)
    except ConfigError:
        return set()  # the connection reports it
    return set() if config.get("tls") else {config["target_host"].rpartition(":")[0]}


def data_converter(keys: Sequence[PayloadKey]) -> DataConverter:
    """Returns the converter of values to pydantic's JSON, encrypted if there are keys."""
    # Without keys, the codec refuses encrypted payloads with the id of their key.
    return replace(
        pydantic_data_converter,
        failure_converter_class=EncryptedFailureConverter if keys else RedactingFailureConverter,
        payload_codec=EncryptionCodec(keys or (PLAIN,)),
    )


def is_encrypted(client: Client) -> bool:
    codec = client.data_converter.payload_codec
    return isinstance(codec, EncryptionCodec) and codec.encrypts
