"""What the pages themselves refuse, before any rule of signing is asked.

    PageError
    |-- CookieExpired     no cookie of this recipient, or one that is too old or not ours
    |-- CrossSitePost      another site made the browser post
    |-- FormOutOfDate  a form that was not made for this visit
    |-- FormTooLarge   a body beyond the limit
    |-- NotAForm    a body that is no form
    |-- RecipientDone      the recipient's part is over without a signature
    |   |-- DeclinedByViewer    they declined
    |   |-- DeclinedByOther  somebody else declined
    |   `-- SessionExpired     the session expired
    `-- PageNotFound    a page that does not exist, or not on this installation

`web/error_pages.py` says which page and status each becomes.
"""

from domain.session.session import Session


class PageError(Exception):
    """Base of what the pages refuse."""


class CookieExpired(PageError):
    pass


class CrossSitePost(PageError):
    pass


class FormOutOfDate(PageError):
    pass


class FormTooLarge(PageError):
    pass


class NotAForm(PageError):
    pass


class RecipientDone(PageError):
    """`session` is what they were asked to sign."""

    def __init__(self, session: Session) -> None:
        self.session = session
        super().__init__()


class DeclinedByViewer(RecipientDone):
    pass


class DeclinedByOther(RecipientDone):
    pass


class SessionExpired(RecipientDone):
    pass


class PageNotFound(PageError):
    pass
