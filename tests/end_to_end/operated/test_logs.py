"""The logs of an installation on the backends of operators hold no confidential texts."""

from tests.end_to_end.test_logs import (  # noqa: F401  # the same tests, with the fixtures of this folder
    test_no_log_holds_a_name_an_address_a_link_a_secret_or_a_text,
    test_no_log_holds_anything_that_looks_like_a_secret,
)
