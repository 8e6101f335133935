"""What the pages themselves refuse, before any rule of signing is asked.

    PageRefusal
    |-- VisitEnded     no cookie of this recipient, or one that is too old or not ours
    |-- CrossSite      another site made the browser post
    |-- FormOutOfDate  a form that was not made for this visit
    |-- FormTooLarge   a body beyond the limit
    |-- FormNotForm    a body that is no form
    `-- NothingHere    a page that does not exist, or not on this installation

`api/pages/notices.py` says which page and status each becomes.
"""


class PageRefusal(Exception):
    """Base of what the pages refuse."""


class VisitEnded(PageRefusal):
    pass


class CrossSite(PageRefusal):
    pass


class FormOutOfDate(PageRefusal):
    pass


class FormTooLarge(PageRefusal):
    pass


class FormNotForm(PageRefusal):
    pass


class NothingHere(PageRefusal):
    pass
