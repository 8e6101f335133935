"""Errors that the pages raise themselves.

    PageError
    |-- CookieExpired      no cookie of this recipient, or one that is expired or forged
    |-- CrossSitePost      another site made the browser post
    |-- FormOutOfDate      the form has the token of another cookie or sign-in
    |-- FormTooLarge       the body exceeds the limit
    |-- NotAForm           the body is no form
    |-- RecipientDone      the recipient can no longer sign
    |   |-- DeclinedByViewer  they declined
    |   |-- DeclinedByOther   another recipient declined
    |   `-- SessionExpired    the session expired
    |-- PageNotFound       a page that does not exist, or not on this installation
    |-- SignInRequired     the app: nobody is signed in
    |-- CrossSiteDownload  the app: another site requested a download
    `-- SignInLinkUsed     the app: a sign-in link that was used, expired or never existed

`web/error_pages.py` maps each to a page and a status.
"""

from domain.session.session import Session


class PageError(Exception):
    """Base of the errors that the pages raise."""


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
    """`session` is the one that they were asked to sign."""

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


class SignInRequired(PageError):
    pass


class CrossSiteDownload(PageError):
    """`page` is the page that has the link to the download."""

    def __init__(self, page: str) -> None:
        self.page = page
        super().__init__()


class SignInLinkUsed(PageError):
    pass
