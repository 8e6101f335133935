"""The texts of the pages become messages with a context, comments and plural forms."""

from io import BytesIO

from application.translations.toml_extraction import extract_toml

TEXTS = b"""# The words of the pages

# Invitation
title = "{organisation} has asked you to sign"
pages = "{count} pages"
pages_one = "1 page"

[verdicts.genuine]
title_one = "Genuine"
"""


def test_each_sentence_is_a_message_and_a_pair_is_a_plural() -> None:
    assert list(extract_toml(BytesIO(TEXTS), (), (), {})) == [
        (1, "pgettext", ("title", "{organisation} has asked you to sign"), ["Invitation"]),
        (2, "npgettext", ("pages", "1 page", "{count} pages"), ["Invitation"]),
        (4, "pgettext", ("verdicts.genuine.title_one", "Genuine"), []),
    ]
