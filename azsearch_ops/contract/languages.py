"""Languages and encodings that analysis components and skills take by name.

Source: the enumerations of the REST reference at 2026-04-01, as the SDK's models have them; a test compares.
"""

from __future__ import annotations

from typing import Final

# fmt: off
MICROSOFT_TOKENIZER: Final = (
    "bangla", "bulgarian", "catalan", "chineseSimplified", "chineseTraditional", "croatian", "czech", "danish",
    "dutch", "english", "french", "german", "greek", "gujarati", "hindi", "icelandic", "indonesian", "italian",
    "japanese", "kannada", "korean", "malay", "malayalam", "marathi", "norwegianBokmaal", "polish", "portuguese",
    "portugueseBrazilian", "punjabi", "romanian", "russian", "serbianCyrillic", "serbianLatin", "slovenian",
    "spanish", "swedish", "tamil", "telugu", "thai", "ukrainian", "urdu", "vietnamese",
)
MICROSOFT_STEMMING_TOKENIZER: Final = (
    "arabic", "bangla", "bulgarian", "catalan", "croatian", "czech", "danish", "dutch", "english", "estonian",
    "finnish", "french", "german", "greek", "gujarati", "hebrew", "hindi", "hungarian", "icelandic", "indonesian",
    "italian", "kannada", "latvian", "lithuanian", "malay", "malayalam", "marathi", "norwegianBokmaal", "polish",
    "portuguese", "portugueseBrazilian", "punjabi", "romanian", "russian", "serbianCyrillic", "serbianLatin",
    "slovak", "slovenian", "spanish", "swedish", "tamil", "telugu", "turkish", "ukrainian", "urdu",
)
SNOWBALL: Final = (
    "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french", "german", "german2",
    "hungarian", "italian", "kp", "lovins", "norwegian", "porter", "portuguese", "romanian", "russian", "spanish",
    "swedish", "turkish",
)
STEMMER: Final = (
    "arabic", "armenian", "basque", "brazilian", "bulgarian", "catalan", "czech", "danish", "dutch", "dutchKp",
    "english", "lightEnglish", "minimalEnglish", "possessiveEnglish", "porter2", "lovins", "finnish", "lightFinnish",
    "french", "lightFrench", "minimalFrench", "galician", "minimalGalician", "german", "german2", "lightGerman",
    "minimalGerman", "greek", "hindi", "hungarian", "lightHungarian", "indonesian", "irish", "italian",
    "lightItalian", "sorani", "latvian", "norwegian", "lightNorwegian", "minimalNorwegian", "lightNynorsk",
    "minimalNynorsk", "portuguese", "lightPortuguese", "minimalPortuguese", "portugueseRslp", "romanian", "russian",
    "lightRussian", "spanish", "lightSpanish", "swedish", "lightSwedish", "turkish",
)
STOPWORDS: Final = (
    "arabic", "armenian", "basque", "brazilian", "bulgarian", "catalan", "czech", "danish", "dutch", "english",
    "finnish", "french", "galician", "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian",
    "latvian", "norwegian", "persian", "portuguese", "romanian", "russian", "sorani", "spanish", "swedish", "thai",
    "turkish",
)
PHONETIC: Final = (
    "metaphone", "doubleMetaphone", "soundex", "refinedSoundex", "caverphone1", "caverphone2", "cologne", "nysiis",
    "koelnerPhonetik", "haasePhonetik", "beiderMorse",
)
KEY_PHRASES: Final = (
    "da", "nl", "en", "fi", "fr", "de", "it", "ja", "ko", "no", "pl", "pt-PT", "pt-BR", "ru", "es", "sv",
)
SENTIMENT: Final = (
    "da", "nl", "en", "fi", "fr", "de", "el", "it", "no", "pl", "pt-PT", "ru", "es", "sv", "tr",
)
OCR: Final = (
    "af", "sq", "anp", "ar", "ast", "awa", "az", "bfy", "eu", "be", "be-cyrl", "be-latn", "bho", "bi", "brx", "bs",
    "bra", "br", "bg", "bns", "bua", "ca", "ceb", "rab", "ch", "hne", "zh-Hans", "zh-Hant", "kw", "co", "crh", "hr",
    "cs", "da", "prs", "dhi", "doi", "nl", "en", "myv", "et", "fo", "fj", "fil", "fi", "fr", "fur", "gag", "gl", "de",
    "gil", "gon", "el", "kl", "gvr", "ht", "hlb", "hni", "bgc", "haw", "hi", "mww", "hoc", "hu", "is", "smn", "id",
    "ia", "iu", "ga", "it", "ja", "Jns", "jv", "kea", "kac", "xnr", "krc", "kaa-cyrl", "kaa", "csb", "kk-cyrl",
    "kk-latn", "klr", "kha", "quc", "ko", "kfq", "kpy", "kos", "kum", "ku-arab", "ku-latn", "kru", "ky", "lkt", "la",
    "lt", "dsb", "smj", "lb", "bfz", "ms", "mt", "kmj", "gv", "mi", "mr", "mn", "cnr-cyrl", "cnr-latn", "nap", "ne",
    "niu", "nog", "sme", "nb", "no", "oc", "os", "ps", "fa", "pl", "pt", "pa", "ksh", "ro", "rm", "ru", "sck", "sm",
    "sa", "sat", "sco", "gd", "sr", "sr-Cyrl", "sr-Latn", "xsr", "srx", "sms", "sk", "sl", "so", "sma", "es", "sw",
    "sv", "tg", "tt", "tet", "thf", "to", "tr", "tk", "tyv", "hsb", "ur", "ug", "uz-arab", "uz-cyrl", "uz", "vo",
    "wae", "cy", "fy", "yua", "za", "zu", "unk",
)
IMAGE_ANALYSIS: Final = (
    "ar", "az", "bg", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fi", "fr", "ga", "gl", "he",
    "hi", "hr", "hu", "id", "it", "ja", "kk", "ko", "lt", "lv", "mk", "ms", "nb", "nl", "pl", "prs", "pt-BR", "pt",
    "pt-PT", "ro", "ru", "sk", "sl", "sr-Cyrl", "sr-Latn", "sv", "th", "tr", "uk", "vi", "zh", "zh-Hans", "zh-Hant",
)
TRANSLATION: Final = (
    "af", "ar", "bn", "bs", "bg", "yue", "ca", "zh-Hans", "zh-Hant", "hr", "cs", "da", "nl", "en", "et", "fj", "fil",
    "fi", "fr", "de", "el", "ht", "he", "hi", "mww", "hu", "is", "id", "it", "ja", "sw", "tlh", "tlh-Latn",
    "tlh-Piqd", "ko", "lv", "lt", "mg", "ms", "mt", "nb", "fa", "pl", "pt", "pt-br", "pt-PT", "otq", "ro", "ru", "sm",
    "sr-Cyrl", "sr-Latn", "sk", "sl", "es", "sv", "ty", "ta", "te", "th", "to", "tr", "uk", "ur", "vi", "cy", "yua",
    "ga", "kn", "mi", "ml", "pa",
)
ENTITY_LOOKUP: Final = (
    "da", "de", "en", "es", "fi", "fr", "it", "ko", "pt",
)
# fmt: on
