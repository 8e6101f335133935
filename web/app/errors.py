"""What the app refuses, beside what all pages do.

    PageError
    |-- SignInRequired       nobody is signed in, or not any more
    |-- CrossSiteDownload         another site led here, to something that only a person may ask for
    `-- SignInLinkUsed  a link that was used, is over, or never was one

`web/app/rendering.py` says which page and status each becomes.
"""

from web.errors import PageError


class SignInRequired(PageError):
    pass


class CrossSiteDownload(PageError):
    """`page` is where the person can ask for it."""

    def __init__(self, page: str) -> None:
        self.page = page
        super().__init__()


class SignInLinkUsed(PageError):
    pass
