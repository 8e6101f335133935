"""The page that sets how an organisation appears to recipients."""

import httpx
import pytest

from domain.ports.sender_identity import NO_IDENTITY, SenderIdentity
from tests.builders import ORGANISATION
from tests.layout.pictures import encoded, shades
from tests.web.app.office import EVE, Office, Visitor

PAGE = "/app/organisation/appearance"
WHOLE = {
    "accent": "C2410C",
    "sender_name": " Northwind  Legal ",
    "imprint_url": "https://northwind.example/imprint",
    "privacy_url": "https://northwind.example/privacy?x=1",
}


async def identity(office: Office) -> SenderIdentity:
    return await office.service.identities.find(ORGANISATION)


async def upload(visitor: Visitor, content: bytes) -> httpx.Response:
    token = str((await visitor.look(PAGE)).all("input")[0]["value"])
    return await visitor.browser.post(f"{PAGE}/logo", data={"form": token}, files={"file": ("logo.png", content)})


async def test_settings_are_stored_as_a_whole_and_removed(office: Office, ada: Visitor) -> None:
    answer = await ada.press(PAGE, on=PAGE, **WHOLE)
    assert answer.headers["location"] == f"{PAGE}?done=appearance"
    stored = await identity(office)
    assert stored == SenderIdentity(
        sender_name="Northwind Legal",
        accent="#c2410c",
        imprint_url="https://northwind.example/imprint",
        privacy_url="https://northwind.example/privacy?x=1",
    )
    assert await office.service.identities.find(EVE.organisation_id) == NO_IDENTITY
    assert [one["value"] for one in (await ada.look(PAGE)).all("input") if one.get("name") == "accent"] == ["#c2410c"]
    await ada.press(PAGE, on=PAGE)
    assert await identity(office) == NO_IDENTITY


async def test_all_problems_are_shown_at_once_with_what_was_entered(office: Office, ada: Visitor) -> None:
    wrong = {"accent": "red", "sender_name": "x" * 101, "imprint_url": "http://a.example", "privacy_url": "https://"}
    answer = await ada.press(PAGE, on=PAGE, **wrong)
    assert answer.status_code == 422
    for text in ("six hexadecimal digits", "Shorten the name", "begins with https", 'value="red"', 'value="https://"'):
        assert text in answer.text
    assert answer.text.count('class="problem"') == 4
    assert await identity(office) == NO_IDENTITY


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://a b.example", 'https://a.example/"><script>'])
async def test_a_link_is_a_whole_address(office: Office, ada: Visitor, address: str) -> None:
    answer = await ada.press(PAGE, on=PAGE, imprint_url=address)
    assert answer.status_code == 422
    assert "<script>" not in answer.text.replace("<script src=", "")


async def test_a_logo_is_uploaded_kept_with_the_settings_and_removed(office: Office, ada: Visitor) -> None:
    assert (await upload(ada, encoded(shades(960, 224)))).headers["location"] == f"{PAGE}?done=logo"
    await ada.press(PAGE, on=PAGE, accent="#c2410c")
    stored = await identity(office)
    assert stored.logo
    assert (stored.logo.width, stored.logo.height, stored.accent) == (240, 56, "#c2410c")
    (address, *_) = [str(img["src"]) for img in (await ada.look(PAGE)).all("img")]
    shown = await office.browser().get(address)
    assert (shown.content, shown.headers["content-type"]) == (stored.logo.content, "image/png")

    await ada.press(f"{PAGE}/logo/remove", on=PAGE)

    assert (await identity(office)).logo is None
    assert (await office.browser().get(address)).status_code == 404


@pytest.mark.parametrize(("content", "says"), [(b"", "Choose a picture first"), (b"no picture", "picture")])
async def test_a_file_that_is_no_picture_is_refused(office: Office, ada: Visitor, content: bytes, says: str) -> None:
    answer = await upload(ada, content)
    assert answer.status_code == 422
    assert says in answer.text
    assert await identity(office) == NO_IDENTITY


async def test_a_logo_needs_the_token_of_the_form(office: Office, ada: Visitor) -> None:
    answer = await ada.browser.post(
        f"{PAGE}/logo", data={"form": "x"}, files={"file": ("a.png", encoded(shades(9, 9)))}
    )
    assert answer.status_code == 403
    answer = await ada.browser.post(f"{PAGE}/logo", files={"file": ("a.png", encoded(shades(9, 9)))})
    assert answer.status_code == 403
    assert await identity(office) == NO_IDENTITY


async def test_a_logo_comes_in_a_form_with_files(office: Office, ada: Visitor) -> None:
    await ada.look(PAGE)
    answer = await ada.browser.post(f"{PAGE}/logo", data={"form": "x"})
    assert answer.status_code == 400
    assert await identity(office) == NO_IDENTITY


async def test_the_page_says_how_a_colour_is_adjusted(office: Office, ada: Visitor) -> None:
    await ada.press(PAGE, on=PAGE, accent="#ffd400")
    words = (await ada.look(PAGE)).words
    assert "links in it are darkened to #" in words
    assert "it is lightened to" not in words
