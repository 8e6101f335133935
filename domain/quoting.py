"""Which errors may be quoted to operators, in logs and histories.

Libraries quote what they were given: rows with names and addresses, passwords, whole documents.
"""

OURS = frozenset({"activities", "adapters", "api", "domain", "layout", "settings", "stamping", "worker", "workflows"})
"""The first name of modules whose errors hold no personal data, by the rule of the house."""


def name_kind(error: BaseException) -> str:
    """The kind of the error, with its module."""
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def quote(error: BaseException) -> str:
    """The message of an error that is ours, the system's words of an `OSError`, and nothing of any other."""
    if isinstance(error, OSError):
        return error.strerror or ""
    return str(error) if type(error).__module__.partition(".")[0] in OURS else ""
