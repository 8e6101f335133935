"""The places of rows and values in a CSV file, for the issues of a batch."""

import re
from collections.abc import Mapping

from pydantic import BaseModel

_IN_ROW = re.compile(r"/rows/(\d+)(.*)", re.DOTALL)


class CsvPlaces(BaseModel):
    """The places of rows in a CSV file: the line of each row, and column heads by the JSON pointer within a row."""

    lines: tuple[int, ...]
    heads: Mapping[str, str]

    def place_of(self, pointer: str) -> str:
        """Returns line and column head for a JSON pointer into a row of the request; any other pointer unchanged."""
        found = _IN_ROW.fullmatch(pointer)
        if found is None:
            return pointer
        head = self.heads.get(found[2])
        return f"line {self.lines[int(found[1])]}{f', {head}' if head else ''}"
