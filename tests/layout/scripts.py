"""One short agreement in each script, with everything that holds text, sent and signed."""

from dataclasses import dataclass

from layout.engine import Rendered, ZoneValue, render, stamp
from layout.schema.block_document import BlockDocument
from layout.zone import ZoneType
from tests.layout.documents import KEYS, checkbox, document, paragraph, signature, text_field


@dataclass(frozen=True, slots=True)
class Words:
    """What the agreement of one script says."""

    title: str
    heading: str
    text: str
    label: str
    consent: str
    party: str
    name: str


SCRIPTS = {
    "letters": Words(
        "Vereinbarung",
        "1. Điều khoản · Όροι · Условия",
        "Bên tư vấn cung cấp dịch vụ cho Đặng Thị Nguyễn. Ο Σύμβουλος παρέχει υπηρεσίες. Консультант оказывает услуги. "
        "Zażółć gęślą jaźń; Příliš žluťoučký kůň; x̂ and ạ̈ are composed of marks.",
        "Số đơn đặt hàng",
        "Συμφωνώ με τους όρους",
        "За компанию",
        "Đặng Łukasz",
    ),
    "arabic": Words(
        "اتفاقية",
        "١. الخدمات",
        "يتعهد المستشار بتقديم الخدمات المتفق عليها (انظر الملحق 3) إلى شركة Harbour & Finch A/S "
        "مقابل 7,200 يورو شهريا، وذلك اعتبارا من 1 يونيو 2026.",
        "رقم الطلب",
        "أوافق على الشروط الواردة أعلاه (انظر الملحق 3)",
        "عن الشركة",
        "ليلى الحسن",
    ),
    "hebrew": Words(
        "הסכם ייעוץ",
        "1. שירותים",
        "היועץ מתחייב לספק את השירותים המפורטים בנספח 3 (ראה להלן) לחברת Harbour & Finch A/S תמורת 7,200 אירו לחודש, "
        "החל מיום 1 ביוני 2026.",
        "מספר הזמנה",
        "אני מסכים לתנאים שלעיל (ראה נספח 3)",
        "בשם החברה",
        "דנה לוי",
    ),
    "hindi": Words(
        "परामर्श अनुबंध",
        "1. सेवाएँ",
        "सलाहकार अनुबंध में वर्णित सेवाएँ प्रदान करेगा और प्रत्येक माह के अंत में विवरण प्रस्तुत करेगा। शुल्क €7,200 प्रति माह है, "
        "जो ३० दिनों के भीतर देय है।",
        "आदेश संख्या",
        "मैं शर्तों से सहमत हूँ",
        "कंपनी की ओर से",
        "लक्ष्मी कृष्णन",
    ),
    "thai": Words(
        "สัญญาที่ปรึกษา",
        "1. บริการ",
        "ที่ปรึกษาตกลงให้บริการตามที่ระบุไว้ในภาคผนวกแก่บริษัทโดยได้รับค่าตอบแทนเดือนละเจ็ดพันสองร้อยยูโรตั้งแต่วันที่หนึ่งมิถุนายนเป็นต้นไป",
        "เลขที่ใบสั่งซื้อ",
        "ข้าพเจ้ายอมรับเงื่อนไขข้างต้น",
        "ในนามบริษัท",
        "สมชาย ใจดี",
    ),
    "chinese": Words(
        "咨询协议",
        "一、服务内容",
        "顾问同意向客户提供附件三所述的服务，服务费为每月7,200欧元，自2026年6月1日起生效。双方应当遵守“本合同”的全部条款；协商不成的，提交仲裁。",
        "订单编号",
        "本人同意上述条款",
        "公司代表",
        "王小明",
    ),
    "japanese": Words(
        "コンサルティング契約書",
        "第一条（業務）",
        "コンサルタントは、別紙3に記載されたサービスを2026年6月1日から月額7,200ユーロで提供することに同意する。"
        "「本契約」に定めのない事項については、両当事者が誠実に協議する。",
        "注文番号",
        "上記の条件に同意します",
        "会社を代表して",
        "山田 花子",
    ),
    "korean": Words(
        "자문 계약서",
        "제1조 서비스",
        "컨설턴트는 부속서 3에 명시된 서비스를 2026년 6월 1일부터 월 7,200유로에 제공하기로 합의한다. "
        "본 계약에 명시되지 않은 사항은 당사자들이 협의하여 결정한다.",
        "주문 번호",
        "위 조건에 동의합니다",
        "회사를 대표하여",
        "김민준",
    ),
    "symbols": Words(
        "Signs ☑ and 🙂",
        "1. ★ Emoji 👨‍👩‍👧",
        "Done ☑, open ☐, crossed ☒; from → to ⇒ with ≤ and ∑ 𝛼; ♫ music, ⚖️ law, 👍🏽 yes, 🇳🇴 flag, 1️⃣ first, ❤️ heart.",
        "Rating ★★★",
        "Agreed 👍",
        "For ☕ & Co.",
        "Ada 🙂",
    ),
    "others": Words(
        "Հայերեն · বাংলা",
        "1. தமிழ் · తెలుగు · ಕನ್ನಡ",
        "ქართული ხელშეკრულება, Հայերեն պայմանագիր, বাংলা চুক্তি, தமிழ் ஒப்பந்தம், తెలుగు ఒప్పందం, ಕನ್ನಡ ಒಪ್ಪಂದ, മലയാളം കരാർ, "
        "ગુજરાતી કરાર, ਪੰਜਾਬੀ ਇਕਰਾਰਨਾਮਾ, සිංහල ගිවිසුම, ខ្មែរ កិច្ចសន្យា, ລາວ ສັນຍາ, မြန်မာ စာချုပ်, አማርኛ ውል.",
        "ຊື່",
        "ខ្ញុំយល់ព្រម",
        "কোম্পানির পক্ষে",
        "தமிழ்",
    ),
}
READ_FROM_RIGHT = frozenset({"arabic", "hebrew"})


def agreement_in(script: str) -> BlockDocument:
    words = SCRIPTS[script]
    return document(
        {"type": "heading", "text": words.heading},
        paragraph(words.text),
        paragraph(words.text, bold=True, fontSize=9),
        text_field(words.label),
        checkbox(words.consent),
        signature(words.party),
        title=words.title,
        subtitle=words.label,
        footerLabel=words.heading,
    )


def sent_in(script: str) -> Rendered:
    return render(agreement_in(script), KEYS)


def signed_in(script: str) -> bytes:
    """The agreement with every zone filled in, in its own script."""
    rendered, words = sent_in(script), SCRIPTS[script]
    assert rendered.pdf is not None
    values = {
        ZoneType.TEXT: words.label,
        ZoneType.SIGNER_NAME: words.name,
        ZoneType.DATE_SIGNED: "2026-06-12",
        ZoneType.SIGNATURE: words.name,
    }
    return stamp(
        rendered.pdf,
        [ZoneValue(zone, text=values.get(zone.type), ticked=zone.type is ZoneType.CHECKBOX) for zone in rendered.zones],
    )
