"""JSON Schemas of tools, made of the API's own models."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from api.error_bodies import ErrorRead

_DEFINED = "#/$defs/{model}"


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """What a tool takes: an object, as the API takes it."""
    return model.model_json_schema(by_alias=True, mode="validation", ref_template=_DEFINED)


def output_schema(shown: tuple[type[BaseModel], ...]) -> dict[str, Any]:
    """What a tool answers: one of `shown`, or the body that every error has."""
    models: tuple[type[BaseModel], ...] = (*shown, ErrorRead)
    references, defined = models_json_schema(
        [(model, "serialization") for model in models], by_alias=True, ref_template=_DEFINED
    )
    any_of = [references[model, "serialization"] for model in models]
    return {"type": "object", "anyOf": any_of, "$defs": defined["$defs"]}
