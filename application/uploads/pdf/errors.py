"""Why a PDF is not taken."""


class PdfRefused(Exception):
    """No PDF, damaged, encrypted, with programs in it, or too much of something. The message says what to do."""
