"""Which characters the engine can draw."""


def undrawable(text: str) -> str:
    """The characters of `text` that the engine cannot draw correctly, each once, in order; usually none."""
    raise NotImplementedError
