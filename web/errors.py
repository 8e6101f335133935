"""What the pages themselves refuse, before any rule of signing is asked.

    PageError
    |-- VisitEnded     no cookie of this recipient, or one that is too old or not ours
    |-- CrossSite      another site made the browser post
    |-- FormOutOfDate  a form that was not made for this visit
    |-- FormTooLarge   a body beyond the limit
    |-- FormNotForm    a body that is no form
    |-- PartEnded      the recipient's part is over without a signature
    |   |-- YouDeclined    they declined
    |   |-- OtherDeclined  somebody else declined
    |   `-- TimeIsOver     the session expired
    `-- NothingHere    a page that does not exist, or not on this installation

`web/error_pages.py` says which page and status each becomes.
"""

from domain.session.session import Session


class PageError(Exception):
    """Base of what the pages refuse."""


class VisitEnded(PageError):
    pass


class CrossSite(PageError):
    pass


class FormOutOfDate(PageError):
    pass


class FormTooLarge(PageError):
    pass


class FormNotForm(PageError):
    pass


class PartEnded(PageError):
    """`session` is what they were asked to sign."""

    def __init__(self, session: Session) -> None:
        self.session = session
        super().__init__()


class YouDeclined(PartEnded):
    pass


class OtherDeclined(PartEnded):
    pass


class TimeIsOver(PartEnded):
    pass


class NothingHere(PageError):
    pass
