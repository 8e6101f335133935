"""Decodes CSV files of spreadsheet programs, and finds the character between their cells."""

import codecs
import re

from application.errors import InvalidBatch, RequestIssue

DELIMITERS = (",", ";", "\t", "|")

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The first bytes of .xlsx, .ods and .numbers, and of .xls."""

_SAMPLE = 2_000
"""Bytes that show whether a file without a mark is UTF-16."""

_BESIDE = 15
"""Characters that a message shows before and after a doubtful one."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNIT = re.compile(r"\b(?:k|d|c|m)?m[²³]")

_DOUBTFUL = re.compile(
    r"[ŠŽšžŸƒÐÞðþÝ]"  # letters of Mac Roman, Turkish and others in other code pages
    r"|(?<=\w)[ŒŁ¡¢£¤¥¦§¨¬¯±´µ¶·¸¿¹²³¼½¾]|[£¤¥¦¨¬¯±´¶·¸¹²³¼½¾](?=[^\W\d_])|[¿](?=[a-zà-ÿ])"
    r"|[ªº](?=[^\W\d_])"
    r"|[À-ÖØ-öø-ÿ]{3}"
    r"|(?<![^\W\d_])[À-ÖØ-öø-ÿ]{2}(?![^\W\d_])"
)
"""Words that Western texts in Windows-1252 do not have: symbols inside, or no plain letter at all."""

_SEPARATOR_LINE = re.compile(r'"?sep=(\t|[^\r\n"])"?[,;\t|]*(?:\r\n|\r|\n|\Z)', re.IGNORECASE)
"""The line by which Excel is told the character between cells."""


def decode(file: bytes) -> str:
    """Returns the text of a CSV file: UTF-8, UTF-16, UTF-32, or else Windows-1252, which older programs write.

    Raises `InvalidBatch` if the text may be in another encoding, or if the file is a workbook.
    """
    if file.startswith(_WORKBOOKS):
        raise InvalidBatch([RequestIssue("line 1", "The file is a workbook. Save the sheet as “CSV UTF-8”.")])
    for mark, name in _BOMS:
        if file.startswith(mark):
            return _strict(file[len(mark) :], name)
    sample = file[:_SAMPLE]
    for zeros, others, name in ((sample[1::2], sample[::2], "utf-16-le"), (sample[::2], sample[1::2], "utf-16-be")):
        if zeros.count(0) > len(zeros) // 2 and others.count(0) == 0:
            return _strict(file, name)
    try:
        return file.decode()
    except UnicodeDecodeError:
        # The file is not UTF-8. Below it is read in the encoding of older programs.
        pass
    text = _strict(file, "windows-1252")
    plain = _UNIT.sub("", text)
    if doubt := _DOUBTFUL.search(plain):
        line = len(_LINE_END.findall(plain[: doubt.start()])) + 1
        beside = _LINE_END.split(plain[max(doubt.start() - _BESIDE, 0) : doubt.start()])[-1]
        shown = beside + _LINE_END.split(plain[doubt.start() : doubt.end() + _BESIDE])[0]
        raise _unreadable(f"line {line}", f" As Windows-1252 it reads “{shown}”.")
    return text


def _strict(file: bytes, name: str) -> str:
    try:
        return file.decode(name)
    except UnicodeDecodeError as error:
        line = file[: error.start].decode(name, errors="ignore").count("\n") + 1
        raise _unreadable(f"line {line}", "") from error


def _unreadable(place: str, why: str) -> InvalidBatch:
    message = f"The encoding of the file is unclear.{why} Save it as “CSV UTF-8”."
    return InvalidBatch([RequestIssue(place, message)])


def split_separator_line(text: str) -> tuple[str | None, str]:
    """Returns the character that a line `sep=;` at the beginning names, if there is one, and the rest of the text."""
    found = _SEPARATOR_LINE.match(text)
    return (found[1], text[found.end() :]) if found else (None, text)


def delimiter_of(text: str) -> str:
    """Returns the character between cells: the most frequent one of `DELIMITERS` in the first line, outside quotes."""
    counts, is_quoted = dict.fromkeys(DELIMITERS, 0), False
    for character in text:
        if character == '"':
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif character in counts:
            counts[character] += 1
        elif character in "\r\n" and any(counts.values()):
            break
    return max(DELIMITERS, key=lambda one: counts[one])
