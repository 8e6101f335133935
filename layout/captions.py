"""The captions and text alternatives of the engine, in every language.

They are not in the catalogues of translations, because a correction there must not change documents that were sent.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Captions(NamedTuple):
    """The captions in one language. `page_of` is a format string that follows the footer label.

    `signed` is the format string of the line at the foot of signed pages.

    From `logo` on, the members are text alternatives.
    """

    name: str
    date_signed: str
    signature: str
    page_of: str
    signed: str
    logo: str
    picture: str
    ticked: str
    not_ticked: str
    empty: str
    drawn: str

    @property
    def parts(self) -> Mapping[str, str]:
        """The captions of a signature block by part: `name`, `date` and `signature`."""
        return {"name": self.name, "date": self.date_signed, "signature": self.signature}


ENGLISH = Captions(
    "Name", "Date signed", "Signature", " — page {number} of {total}",
    "Signed electronically · Session ID {session_id} · Check it at {verify_url}",
    "Logo", "Picture", "ticked", "not ticked", "empty", "drawn by hand",
)  # fmt: skip

CAPTIONS: Mapping[str, Captions] = {
    "en": ENGLISH,
    "de": Captions(
        "Name", "Datum der Unterschrift", "Unterschrift", " – Seite {number} von {total}",
        "Elektronisch unterschrieben · Vorgangs-ID {session_id} · Prüfen: {verify_url}",
        "Logo", "Bild", "angekreuzt", "nicht angekreuzt", "leer", "von Hand gezeichnet",
    ),
    "fr": Captions(
        "Prénom et nom", "Date de signature", "Signature", " — page {number} sur {total}",
        "Signé électroniquement · ID de la demande {session_id} · Vérification\N{NO-BREAK SPACE}: {verify_url}",
        "Logo", "Image", "coché", "non coché", "vide", "tracé à la main",
    ),
    "es": Captions(
        "Nombre y apellidos", "Fecha de la firma", "Firma", " — página {number} de {total}",
        "Firmado electrónicamente · ID de la solicitud {session_id} · Verificación: {verify_url}",
        "Logotipo", "Imagen", "marcado", "sin marcar", "vacío", "dibujo a mano",
    ),
    "it": Captions(
        "Nome e cognome", "Data della firma", "Firma", " — pagina {number} di {total}",
        "Firmato elettronicamente · ID della richiesta {session_id} · Verifica: {verify_url}",
        "Logo", "Immagine", "selezionato", "non selezionato", "vuoto", "disegno a mano",
    ),
    "pt": Captions(
        "Nome", "Data da assinatura", "Assinatura", " — página {number} de {total}",
        "Assinado eletronicamente · ID da solicitação {session_id} · Verificação: {verify_url}",
        "Logotipo", "Imagem", "marcado", "não marcado", "vazio", "desenho à mão",
    ),
    "nl": Captions(
        "Naam", "Datum van ondertekening", "Handtekening", " – pagina {number} van {total}",
        "Elektronisch ondertekend · Verzoek-ID {session_id} · Controleren: {verify_url}",
        "Logo", "Afbeelding", "aangevinkt", "niet aangevinkt", "leeg", "met de hand getekend",
    ),
    "pl": Captions(
        "Imię i nazwisko", "Data podpisu", "Podpis", " — strona {number} z {total}",
        "Podpisano elektronicznie · Identyfikator prośby {session_id} · Weryfikacja: {verify_url}",
        "Logo", "Obraz", "zaznaczone", "niezaznaczone", "puste", "rysunek odręczny",
    ),
    "da": Captions(
        "Navn", "Dato for underskrift", "Underskrift", " – side {number} af {total}",
        "Underskrevet elektronisk · Forløbs-id {session_id} · Kontrol: {verify_url}",
        "Logo", "Billede", "afkrydset", "ikke afkrydset", "tomt", "tegnet i hånden",
    ),
    "sv": Captions(
        "Namn", "Datum för underskrift", "Underskrift", " – sida {number} av {total}",
        "Underskrivet elektroniskt · Ärende-id {session_id} · Kontroll: {verify_url}",
        "Logotyp", "Bild", "ikryssad", "inte ikryssad", "tomt", "ritad för hand",
    ),
    "uk": Captions(
        "Ім’я та прізвище", "Дата підписання", "Підпис", " — сторінка {number} з {total}",
        "Підписано в електронній формі · Ідентифікатор процесу {session_id} · Перевірка: {verify_url}",
        "Логотип", "Зображення", "позначено", "не позначено", "порожньо", "намальовано від руки",
    ),
    "ar": Captions(
        "الاسم الكامل", "تاريخ التوقيع", "التوقيع", " — صفحة {number} من {total}",
        "تم التوقيع إلكترونيًا · معرّف المعاملة \u2068{session_id}\u2069 · للتحقق: \u2068{verify_url}\u2069",
        "شعار", "صورة", "تم تحديده", "لم يتم تحديده", "فارغ", "مرسوم باليد",
    ),
    "he": Captions(
        "שם", "תאריך החתימה", "חתימה", " — עמוד {number} מתוך {total}",
        "נחתם אלקטרונית · מזהה התהליך \u2068{session_id}\u2069 · לבדיקה: \u2068{verify_url}\u2069",
        "לוגו", "תמונה", "מסומן", "לא מסומן", "ריק", "ציור ביד",
    ),
    "ja": Captions(
        "氏名", "署名日", "署名", " — {number}/{total}ページ",
        "電子的に署名済み · 署名依頼ID {session_id} · 検証：{verify_url}",
        "ロゴ", "画像", "チェックあり", "チェックなし", "空欄", "手書き",
    ),
    "zh-Hans": Captions(
        "姓名", "签署日期", "签名", " — 第 {number} 页，共 {total} 页",
        "已通过电子方式签署 · 签署任务 ID {session_id} · 验证：{verify_url}",
        "徽标", "图片", "已勾选", "未勾选", "空白", "手写",
    ),
}  # fmt: skip
"""The captions by BCP 47 tag."""


def captions_of(language: str | None) -> Captions:
    """Returns the captions in a language; in English for an unknown language or None."""
    return CAPTIONS.get(language or "en", ENGLISH)
