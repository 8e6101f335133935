"""The recipient's pages: from the link to the signed copy, and every way in which it can end before."""

from cli.demo.examples import Example
from tests.browser.house import House, Sent
from tests.browser.visitor import Visitor


async def _open(house: House, visitor: Visitor, example: Example, key: str) -> Sent:
    sent = house.send(example)
    await visitor.open_link(sent.link(key))
    return sent


async def invitation(house: House, visitor: Visitor) -> None:
    sent = house.send(Example.NEW_STARTER, expiryDays=30)
    await visitor.page.goto(sent.link("starter"))


async def documents(house: House, visitor: Visitor) -> None:
    await _open(house, visitor, Example.NEW_STARTER, "starter")


async def documents_of_the_second(house: House, visitor: Visitor) -> None:
    sent = house.send(Example.NEW_STARTER)
    sent.sign("starter")
    await visitor.open_link(sent.link("manager"))


async def documents_with_problems(house: House, visitor: Visitor) -> None:
    await documents(house, visitor)
    await visitor.page.get_by_label("Mobile").fill("12345")
    await visitor.page.click("#submit")
    await visitor.page.wait_for_selector("#problems")


async def declining(house: House, visitor: Visitor) -> None:
    await _open(house, visitor, Example.AGREEMENT, "client")
    await visitor.page.click(".instead a")
    await visitor.page.wait_for_selector("#reason")


async def declining_without_reason(house: House, visitor: Visitor) -> None:
    await declining(house, visitor)
    await visitor.page.click("main button")
    await visitor.page.wait_for_selector("#reason-problem")


async def declined(house: House, visitor: Visitor) -> None:
    await declining(house, visitor)
    await visitor.page.fill("#reason", "The fee is too low.")
    await visitor.page.click("main button")
    await visitor.page.wait_for_url("**/signing/*")


def _with_roles(house: House) -> Sent:
    """A session that one recipient approves before two others sign it, and of which one gets a copy."""
    people = [
        {"key": "director", "name": "Signe Kjær", "email": "signe@harbourfinch.example", "role": "approver"},
        {"key": "client", "name": "Renée Østergård", "email": "renee.ostergard@harbourfinch.example"},
        {"key": "consultant", "name": "Łukasz Wiśniewski", "email": "lukasz@wisniewski-analytics.example"},
        {"key": "archive", "name": "Archive", "email": "archive@harbourfinch.example", "role": "copy"},
    ]
    return house.send(Example.AGREEMENT, recipients=people)


async def approval(house: House, visitor: Visitor) -> None:
    await visitor.open_link(_with_roles(house).link("director"))


async def approved(house: House, visitor: Visitor) -> None:
    await approval(house, visitor)
    await visitor.page.click("#submit")
    await visitor.page.wait_for_selector(".seal")


async def delegating_with_problems(house: House, visitor: Visitor) -> None:
    await visitor.open_link(house.send(delegation=True).link("client"))
    await visitor.page.click(".instead a[href$=delegate]")
    await visitor.page.wait_for_selector("#reason")
    await visitor.page.click("main button")
    await visitor.page.wait_for_selector("#reason-problem")


async def signed(house: House, visitor: Visitor) -> None:
    sent = house.send()
    link = sent.link("client")
    sent.sign("client")
    await visitor.open_link(link)


async def signed_by_all(house: House, visitor: Visitor) -> None:
    sent = house.send()
    sent.sign("client")
    link = sent.link("consultant")
    sent.sign("consultant")
    sent.await_documents()
    await visitor.open_link(link)


async def invitation_after_signing(house: House, visitor: Visitor) -> None:
    sent = house.send()
    link = sent.link("client")
    sent.sign("client")
    await visitor.page.goto(link)


async def archived(house: House, visitor: Visitor) -> None:
    sent = house.send()
    link = sent.link("client")
    house.client.delete_session(sent.id)
    await visitor.page.goto(link)


async def replaced_link(house: House, visitor: Visitor) -> None:
    sent = house.send()
    link = sent.link("client")
    house.client.send_invitation(sent.id)
    await visitor.page.goto(link)


async def visit_ended(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/signing/{house.send().recipient('client').recipient_id}")


async def other_declined(house: House, visitor: Visitor) -> None:
    body = house.request()
    for person in body["recipients"]:
        person["signingOrder"] = 1
    sent = house.send_of(body)
    link = sent.link("consultant")
    await visitor.open_link(sent.link("client"))
    await visitor.page.click(".instead a")
    await visitor.page.fill("#reason", "The fee is too low.")
    await visitor.page.click("main button")
    await visitor.page.wait_for_url("**/signing/*")
    await visitor.page.goto(link)


async def code_invitation(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(house.send(recipientVerification="emailCode").link("client"))


async def code(house: House, visitor: Visitor) -> None:
    await code_invitation(house, visitor)
    await visitor.page.click("main form button")
    await visitor.page.wait_for_selector("#code")


async def code_wrong(house: House, visitor: Visitor) -> None:
    await code(house, visitor)
    await visitor.page.fill("#code", "12")
    await visitor.page.keyboard.press("Enter")
    await visitor.page.wait_for_selector("#code-problem")


async def code_just_sent(house: House, visitor: Visitor) -> None:
    await code(house, visitor)
    await visitor.page.get_by_role("button", name="Send a new code").click()
    await visitor.page.get_by_role("status").wait_for()
