"""The connection to Temporal: one way to make it, so that every process speaks the same wire format."""

from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter


async def connect(address: str, namespace: str, *, lazy: bool = False) -> Client:
    """A client of the namespace. A lazy one connects at its first call, so that an API can start before Temporal."""
    return await Client.connect(address, namespace=namespace, data_converter=pydantic_data_converter, lazy=lazy)
