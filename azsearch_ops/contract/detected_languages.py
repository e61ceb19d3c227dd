"""What the Language Detection skill answers: codes, names, limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ODATA_TYPE: Final = "#Microsoft.Skills.Text.LanguageDetectionSkill"
SOURCE: Final = "https://learn.microsoft.com/azure/ai-services/language-service/language-detection/language-support"

OUTPUTS: Final = ("languageCode", "languageName", "score")
UNKNOWN: Final = "(Unknown)"
"""The code and the name of what is in no language of the list."""

MAXIMUM_CHARACTERS: Final = 50_000
"""UTF-16 units of a text; what is beyond is not looked at. Source: the skill's page."""

CHINESE: Final = ("zh_chs", "zh_cht")
"""Simplified and traditional, which Text Split calls zh-Hans and does not know."""

# fmt: off
NAMES: Final[Mapping[str, str]] = {
    "af": "Afrikaans", "sq": "Albanian", "am": "Amharic", "ar": "Arabic", "hy": "Armenian", "as": "Assamese",
    "az": "Azerbaijani", "ba": "Bashkir", "eu": "Basque", "be": "Belarusian", "bn": "Bengali", "bho": "Bhojpuri",
    "brx": "Bodo", "bs": "Bosnian", "bg": "Bulgarian", "my": "Burmese", "ca": "Catalan", "km": "Central Khmer",
    "ce": "Chechen", "hne": "Chhattisgarhi", "lzh": "Chinese Literal", "zh_chs": "Chinese Simplified",
    "zh_cht": "Chinese Traditional", "cv": "Chuvash", "co": "Corsican", "hr": "Croatian", "cs": "Czech",
    "da": "Danish", "prs": "Dari", "dv": "Divehi", "dgo": "Dogri", "nl": "Dutch", "en": "English", "eo": "Esperanto",
    "et": "Estonian", "fo": "Faroese", "fj": "Fijian", "fi": "Finnish", "fr": "French", "gl": "Galician",
    "ka": "Georgian", "de": "German", "el": "Greek", "gu": "Gujarati", "ht": "Haitian", "ha": "Hausa", "he": "Hebrew",
    "hi": "Hindi", "mww": "Hmong Daw", "hu": "Hungarian", "is": "Icelandic", "ig": "Igbo", "id": "Indonesian",
    "iu": "Inuktitut", "ikt": "Inuinnaqtun", "ga": "Irish", "it": "Italian", "ja": "Japanese", "jv": "Javanese",
    "kn": "Kannada", "ks": "Kashmiri", "kk": "Kazakh", "rw": "Kinyarwanda", "ky": "Kirghiz", "gom": "Konkani",
    "ko": "Korean", "ku": "Kurdish", "kmr": "Kurdish (Northern)", "lo": "Lao", "la": "Latin", "lv": "Latvian",
    "lt": "Lithuanian", "dsb": "Lower Sorbian", "lb": "Luxembourgish", "mk": "Macedonian", "mai": "Maithili",
    "mg": "Malagasy", "ms": "Malay", "ml": "Malayalam", "mt": "Maltese", "mi": "Maori", "mr": "Marathi",
    "mni": "Meitei", "mn": "Mongolian", "ne": "Nepali", "no": "Norwegian", "nn": "Norwegian Nynorsk", "or": "Odia",
    "ps": "Pashto", "fa": "Persian", "pl": "Polish", "pt": "Portuguese", "pa": "Punjabi", "otq": "Queretaro Otomi",
    "ro": "Romanian", "ru": "Russian", "sm": "Samoan", "sa": "Sanskrit", "sat": "Santali", "sr": "Serbian",
    "sn": "Shona", "sd": "Sindhi", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "so": "Somali",
    "es": "Spanish", "su": "Sundanese", "sw": "Swahili", "sv": "Swedish", "tl": "Tagalog", "ty": "Tahitian",
    "tg": "Tajik", "ta": "Tamil", "tt": "Tatar", "te": "Telugu", "th": "Thai", "bo": "Tibetan", "ti": "Tigrinya",
    "to": "Tongan", "tr": "Turkish", "tk": "Turkmen", "hsb": "Upper Sorbian", "ug": "Uyghur", "uk": "Ukrainian",
    "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "cy": "Welsh", "xh": "Xhosa", "yi": "Yiddish", "yo": "Yoruba",
    "yua": "Yucatec Maya", "zu": "Zulu",
}
# fmt: on
"""Name by code of every language that is detected, as the source lists them."""
