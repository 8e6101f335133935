"""The names that a request model has at a place of a body, for messages about other names."""

from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, RootModel

Step = int | str


def member_names(model: type[BaseModel], place: Sequence[Step], body: object) -> list[str]:
    """Returns the members of the object at `place` of `body`, in order. A union is resolved by its discriminator."""
    names = [_alias(kind, name) for kind in _models_at(model, place, body) for name in kind.model_fields]
    return [*dict.fromkeys(names)]


def tags(model: type[BaseModel], place: Sequence[Step], body: object) -> list[str]:
    """Returns the values of the discriminator at `place` of `body`; its last step is the name of the discriminator."""
    *outer, name = place
    found = [
        tag
        for kind in _models_at(model, outer, body)
        for member, field in kind.model_fields.items()
        if _alias(kind, member) == name and get_origin(field.annotation) is Literal
        for tag in get_args(field.annotation)
    ]
    return [*dict.fromkeys(str(tag) for tag in found)]


def _models_at(annotation: Any, place: Sequence[Step], here: object) -> Iterator[type[BaseModel]]:  # noqa: ANN401
    """Yields the models of `annotation` that the object at `place` of `here` may be."""
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        yield from _models_at(annotation.model_fields["root"].annotation, place, here)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not _has_other_tag(annotation, here):
            yield from _models_in(annotation, place, here)
    elif get_origin(annotation) in {Union, UnionType}:
        for kind in get_args(annotation):
            yield from _models_at(kind, place, here)
    elif hasattr(annotation, "__metadata__"):  # Annotated
        yield from _models_at(get_args(annotation)[0], place, here)
    elif place and get_origin(annotation) in {tuple, list, dict}:
        for kind in get_args(annotation):
            yield from _models_at(kind, place[1:], inner(here, place[0]))


def _models_in(model: type[BaseModel], place: Sequence[Step], here: object) -> Iterator[type[BaseModel]]:
    if not place:
        yield model
    for name, field in model.model_fields.items():
        if place and _alias(model, name) == place[0]:
            yield from _models_at(field.annotation, place[1:], inner(here, place[0]))


def _has_other_tag(model: type[BaseModel], here: object) -> bool:
    """Returns whether a constant member of the object is another one than that of `model`."""
    if not isinstance(here, dict):
        return False
    constants = (
        (here.get(_alias(model, name)), get_args(field.annotation))
        for name, field in model.model_fields.items()
        if get_origin(field.annotation) is Literal
    )
    return any(given is not None and given not in allowed for given, allowed in constants)


def _alias(model: type[BaseModel], name: str) -> str:
    return model.model_fields[name].alias or name


def inner(here: object, step: Step) -> object:
    """Returns the member or the item of `here`; None if there is none."""
    if isinstance(here, dict):
        return here.get(step)
    if isinstance(here, list) and isinstance(step, int) and step < len(here):
        return here[step]
    return None
