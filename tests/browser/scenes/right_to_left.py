"""Documents that are read from right to left, on the pages of their recipients."""

from typing import Any

from tests.browser.house import House, Sent
from tests.browser.scenes.papers import show
from tests.browser.visitor import Visitor


def _field(label: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"fieldType": kind, "label": label, "recipient": "client", "required": True, **more}


_BLOCKS = [
    {"type": "heading", "text": "١. التعريفات"},
    {"type": "paragraph", "text": "اتفق الطرفان على ما يلي: يلتزم كل طرف بالحفاظ على سرية المعلومات التي يطلع عليها."},
    {"type": "bulletList", "items": ["المعلومات السرية هي كل ما يوصف بذلك كتابة.", "لا تشمل ما هو معلوم للعامة."]},
    {"type": "fieldRow", "fields": [_field("الاسم الكامل", "text"), _field("المدينة", "text", required=False)]},
    {"type": "fieldRow", "fields": [_field("التاريخ", "date"), _field("المبلغ", "number")]},
    {"type": "field", **_field("مدة السرية", "radio", options=["سنة", "سنتان"])},
    {"type": "field", **_field("أوافق على الشروط", "checkbox")},
    {"type": "signatureBlock", "recipient": "client", "label": "توقيع العميل"},
]


def _body(house: House) -> dict[str, Any]:
    body = house.request()
    document = {"format": "blocks", "title": "اتفاقية عدم إفصاح", "blocks": _BLOCKS}
    person = {**body["recipients"][0], "name": "ليلى حداد"}
    return {
        **body,
        "name": "اتفاقية عدم إفصاح",
        "message": "مرحبا ليلى، يرجى قراءة الاتفاقية وتوقيعها. شكرا!",
        "files": [{"type": "blocks", "document": document}],
        "recipients": [person],
    }


def _send(house: House) -> Sent:
    return house.send_of(_body(house))


async def arabic_invitation(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(_send(house).link("client"))


async def arabic_documents(house: House, visitor: Visitor) -> None:
    await visitor.open_link(_send(house).link("client"))


async def arabic_documents_with_problems(house: House, visitor: Visitor) -> None:
    await arabic_documents(house, visitor)
    await visitor.page.click("#submit")
    await visitor.page.wait_for_selector("#problems")


async def arabic_pages(house: House, visitor: Visitor) -> None:
    await arabic_documents(house, visitor)
    await show(visitor)


async def arabic_review(house: House, visitor: Visitor) -> None:
    await arabic_documents(house, visitor)
    page, text = visitor.page, visitor.page.locator("#text-view")
    await text.get_by_label("الاسم الكامل").fill("ليلى حداد")
    await text.get_by_label("التاريخ").first.fill("12/06/2026")
    await text.get_by_label("المبلغ").fill("1250")
    await text.get_by_label("سنتان").check()
    await text.get_by_label("أوافق على الشروط").check()
    await page.check("#consent")
    await page.click("#submit")
    await page.wait_for_selector("#sign")


async def arabic_signed(house: House, visitor: Visitor) -> None:
    await arabic_review(house, visitor)
    await visitor.page.click("#sign")
    await visitor.page.wait_for_selector(".seal")


async def arabic_language(house: House, visitor: Visitor) -> None:
    """The words of the page are Arabic too."""
    await visitor.open_link(house.send_of({**_body(house), "language": "ar"}).link("client"))


async def arabic_language_choice(house: House, visitor: Visitor) -> None:
    """The languages, opened."""
    await visitor.page.goto(house.send_of({**_body(house), "language": "ar"}).link("client"))
    await visitor.page.click(".languages summary")
