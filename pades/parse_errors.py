"""The exceptions that pyHanko and its libraries raise for malformed files and signatures."""

import zlib

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.x509 import DuplicateExtension, ExtensionNotFound, InvalidVersion, UnsupportedGeneralNameType
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.sign.general import SigningError
from pyhanko.sign.validation.errors import SignatureValidationError, ValidationInfoReadingError

PARSE_ERRORS = (
    PdfError, SigningError, SignatureValidationError, ValidationInfoReadingError, ValueError, TypeError, LookupError,
    AttributeError, AssertionError, ArithmeticError, RecursionError, NotImplementedError, zlib.error,
    UnsupportedAlgorithm, InvalidSignature, InvalidVersion, DuplicateExtension, ExtensionNotFound,
    UnsupportedGeneralNameType,
)  # fmt: skip
