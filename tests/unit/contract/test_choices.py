"""Names that skills and components take, against the SDK's enumerations; values that came later than their property."""

import pytest

models = pytest.importorskip("azure.search.documents.indexes.models")

from azsearch_ops.contract import languages  # noqa: E402
from azsearch_ops.contract.objects import OBJECTS, properties_of  # noqa: E402
from azsearch_ops.contract.versions import API_VERSIONS  # noqa: E402


@pytest.mark.parametrize(
    ("enumeration", "names"),
    [
        ("MicrosoftTokenizerLanguage", languages.MICROSOFT_TOKENIZER),
        ("MicrosoftStemmingTokenizerLanguage", languages.MICROSOFT_STEMMING_TOKENIZER),
        ("SnowballTokenFilterLanguage", languages.SNOWBALL),
        ("StemmerTokenFilterLanguage", languages.STEMMER),
        ("StopwordsList", languages.STOPWORDS),
        ("PhoneticEncoder", languages.PHONETIC),
        ("KeyPhraseExtractionSkillLanguage", languages.KEY_PHRASES),
        ("SentimentSkillLanguage", languages.SENTIMENT),
        ("OcrSkillLanguage", languages.OCR),
        ("ImageAnalysisSkillLanguage", languages.IMAGE_ANALYSIS),
        ("TextTranslationSkillLanguage", languages.TRANSLATION),
        ("CustomEntityLookupSkillLanguage", languages.ENTITY_LOOKUP),
    ],
)
def test_every_name_of_the_sdk_is_listed(enumeration, names):
    assert {member.value for member in getattr(models, enumeration)} <= set(names)


@pytest.mark.parametrize(
    ("enumeration", "kind", "variant", "name"),
    [
        ("TokenCharacterKind", "analysis", "#Microsoft.Azure.Search.NGramTokenizer", "tokenChars"),
        ("CjkBigramTokenFilterScripts", "analysis", "#Microsoft.Azure.Search.CjkBigramTokenFilter", "ignoreScripts"),
        ("VisualFeature", "skill", "#Microsoft.Skills.Vision.ImageAnalysisSkill", "visualFeatures"),
        ("ImageDetail", "skill", "#Microsoft.Skills.Vision.ImageAnalysisSkill", "details"),
        ("ChatCompletionResponseFormatType", "chatResponseFormat", "", "type"),
        (
            "ChatCompletionExtraParametersBehavior",
            "skill",
            "#Microsoft.Skills.Custom.ChatCompletionSkill",
            "extraParametersBehavior",
        ),
    ],
)
def test_what_a_property_takes_has_every_value_of_the_sdk(enumeration, kind, variant, name):
    row = properties_of(kind, {"@odata.type": variant} if variant else {})[name]
    assert {member.value for member in getattr(models, enumeration)} <= set(row.values)


def test_newer_values_are_values_and_name_a_version():
    newer = [row for kind in OBJECTS.values() for row in kind.properties.values() if row.newer]
    assert newer
    for row in newer:
        assert set(row.newer) <= set(row.values) and set(row.newer.values()) <= set(API_VERSIONS)
