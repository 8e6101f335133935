"""A lease with numbered clauses, references and runs, on the page of its recipient."""

import json

from tests import ROOT
from tests.browser.house import House
from tests.browser.visitor import Visitor

_LEASE = ROOT / "examples" / "residential-lease.json"


async def lease_documents(house: House, visitor: Visitor) -> None:
    sent = house.send_of(json.loads(_LEASE.read_text("utf-8")))
    await visitor.open_link(sent.link("tenant"))
