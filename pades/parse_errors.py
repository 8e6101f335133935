"""The exceptions that pyHanko and its libraries raise for malformed files and signatures."""

import zlib

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.x509 import InvalidVersion
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.sign.general import SigningError
from pyhanko.sign.validation.errors import SignatureValidationError, ValidationInfoReadingError

PARSE_ERRORS = (
    PdfError, SigningError, SignatureValidationError, ValidationInfoReadingError, ValueError, TypeError, KeyError,
    IndexError, AttributeError, AssertionError, ArithmeticError, RecursionError, NotImplementedError, zlib.error,
    UnsupportedAlgorithm, InvalidVersion,
)  # fmt: skip
