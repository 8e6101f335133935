"""The texts with which recipients consent to sign electronically.

A text is evidence: version and language identify the text that a recipient agreed to. A published text is never
changed: a new wording is added under a new version.
"""

from collections.abc import Mapping

from domain.texts.languages import ENGLISH

CONSENT_VERSION = "2026-11-27"

_FIRST: Mapping[str, str] = {
    ENGLISH: (
        "I agree to sign these documents electronically. My electronic signature is meant to bind me as my "
        "handwritten signature would."
    ),
    "de": (
        "Ich bin damit einverstanden, diese Dokumente elektronisch zu unterschreiben. Meine elektronische "
        "Signatur soll mich ebenso binden wie meine handschriftliche Unterschrift."
    ),
    "fr": (
        "J’accepte de signer ces documents par voie électronique. Ma signature électronique est destinée à "
        "m’engager au même titre que ma signature manuscrite."
    ),
    "es": (
        "Acepto firmar estos documentos electrónicamente. Mi firma electrónica tiene por objeto obligarme del "
        "mismo modo que mi firma manuscrita."
    ),
    "it": (
        "Accetto di firmare elettronicamente questi documenti. Con la mia firma elettronica intendo vincolarmi "
        "come con la mia firma autografa."
    ),
    "pt": (
        "Concordo em assinar estes documentos eletronicamente. Minha assinatura eletrônica destina-se a me "
        "vincular da mesma forma que minha assinatura manuscrita."
    ),
    "nl": (
        "Ik ga ermee akkoord deze documenten elektronisch te ondertekenen. Mijn elektronische handtekening is "
        "bedoeld om mij te binden zoals mijn handgeschreven handtekening dat zou doen."
    ),
    "pl": (
        "Wyrażam zgodę na elektroniczne podpisanie tych dokumentów. Mój podpis elektroniczny ma mnie wiązać tak "
        "samo jak mój podpis własnoręczny."
    ),
    "da": (
        "Jeg accepterer at underskrive disse dokumenter elektronisk. Min elektroniske signatur skal være bindende "
        "for mig på samme måde som min håndskrevne underskrift."
    ),
    "sv": (
        "Jag samtycker till att skriva under de här dokumenten elektroniskt. Min elektroniska underskrift är "
        "avsedd att binda mig på samma sätt som min handskrivna underskrift."
    ),
    "uk": (
        "Я погоджуюся підписати ці документи електронно. Мій електронний підпис має зобов’язувати мене так само, "
        "як і мій власноручний підпис."
    ),
    "ar": "أوافق على توقيع هذه المستندات إلكترونيًا. ويُقصد بتوقيعي الإلكتروني أن يُلزمني كما يُلزمني توقيعي بخط اليد.",
    "he": (
        "ניתנת בזאת הסכמתי לחתום על מסמכים אלה באופן אלקטרוני. חתימתי האלקטרונית נועדה לחייב אותי כפי שהייתה "
        "מחייבת אותי חתימתי בכתב יד."
    ),
    "ja": (
        "私は、これらの文書に電子的に署名することに同意します。私の電子署名は、手書きの署名と同様に、これに拘束される意思をもって行うものです。"
    ),
    "zh-Hans": "本人同意以电子方式签署这些文件，并愿受本人电子签名的约束，如同本人亲笔签名。",
}

CONSENT_TEXTS: Mapping[str, Mapping[str, str]] = {
    "2026-11-21": _FIRST,
    CONSENT_VERSION: {
        **_FIRST,
        "de": (
            "Ich bin damit einverstanden, diese Dokumente elektronisch zu unterschreiben. Meine elektronische "
            "Unterschrift soll mich ebenso binden wie meine handschriftliche."
        ),
        "pt": (
            "Concordo em assinar estes documentos eletronicamente e reconheço como válida esta forma de assinatura. "
            "Minha assinatura eletrônica destina-se a me vincular da mesma forma que minha assinatura de próprio punho."
        ),
        "da": (
            "Jeg accepterer at underskrive disse dokumenter elektronisk. Min elektroniske underskrift skal være "
            "bindende for mig på samme måde som min håndskrevne."
        ),
        "ja": (
            "私は、これらの文書に電子的に署名することに同意します。私の電子的な署名は、手書きの署名と同様に、私を拘束することを意図したものです。"
        ),
    },
}
"""The texts by version and BCP 47 tag."""


def consent_version(language: str) -> str:
    """Returns the version of the text in `language` as forms and events name it: `2026-11-21`, `2026-11-21/de`."""
    return CONSENT_VERSION if language == ENGLISH else f"{CONSENT_VERSION}/{language}"


def find_consent_text(version: str | None) -> tuple[str, str] | None:
    """Returns the language and the text of a version that `consent_version` returned; None for another text."""
    date, _, language = (version or "").partition("/")
    text = CONSENT_TEXTS.get(date, {}).get(language or ENGLISH)
    return (language or ENGLISH, text) if text is not None else None
