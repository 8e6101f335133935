"""What the app refuses, beside what all pages do.

    PageRefusal
    |-- SignedOut       nobody is signed in, or not any more
    `-- SignInLinkUsed  a link that was used, is over, or never was one

`api/pages/app/notices.py` says which page and status each becomes.
"""

from api.pages.refusals import PageRefusal


class SignedOut(PageRefusal):
    pass


class SignInLinkUsed(PageRefusal):
    pass
