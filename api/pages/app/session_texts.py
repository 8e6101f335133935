"""The words about sessions."""


class SessionTexts:
    """The words in English. Braces are filled in."""
