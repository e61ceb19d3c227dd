"""Language Detection before Text Split: the code that it gives decides whether a document is split."""

from __future__ import annotations

from typing import Any

import pytest

ENGLISH = "The north gate opens at seven in the morning. Ask the head of your team before you take a day off. " * 8
GERMAN = "Das nördliche Tor öffnet um sieben Uhr. Fragen Sie Ihre Vorgesetzten, bevor Sie einen Tag frei nehmen. " * 8
GREEK = "Η βόρεια πύλη ανοίγει στις επτά το πρωί. Ρωτήστε τον προϊστάμενό σας πριν πάρετε άδεια. " * 8
CHINESE = "北门每个工作日早上七点开门，晚上九点关门。请假需要上级主管批准，请提前一周提出申请。" * 20


@pytest.fixture
def detecting(handbook: Any) -> Any:
    """A handbook whose Text Split takes each document's detected language, and projects it beside the chunks."""
    handbook.skillset["skills"].append(
        {
            "@odata.type": "#Microsoft.Skills.Text.LanguageDetectionSkill",
            "name": "tell",
            "context": "/document",
            "inputs": [{"name": "text", "source": "/document/content"}],
            "outputs": [
                {"name": "languageCode", "targetName": "language"},
                {"name": "languageName", "targetName": "called"},
                {"name": "score"},
            ],
        }
    )
    split = handbook.skillset["skills"][1]
    split["inputs"].append({"name": "languageCode", "source": "/document/language"})
    mappings = handbook.skillset["indexProjections"]["selectors"][0]["mappings"]
    mappings += [{"name": name, "source": f"/document/{name}"} for name in ("language", "called", "score")]
    names = ("language", "called", "score")
    handbook.service.indexes["chunks"]["fields"] += [{"name": name, "type": "Edm.String"} for name in names]
    return handbook


def told(handbook: Any, title: str) -> tuple[Any, Any]:
    chunk = next(chunk for chunk in handbook.chunks.values() if chunk["title"] == title)
    assert 0 <= chunk["score"] <= 1
    return chunk["language"], chunk["called"]


def test_a_language_of_the_list_is_split_by_its_rules(detecting: Any) -> None:
    detecting.put("en.md", ENGLISH)
    detecting.put("de.md", GERMAN)
    result = detecting.run()
    assert (result.status, result.warnings) == ("success", ())
    assert told(detecting, "en.md") == ("en", "English") and len(detecting.texts("en.md")) > 1
    assert told(detecting, "de.md") == ("de", "German") and len(detecting.texts("de.md")) > 1


@pytest.mark.parametrize(
    ("text", "code", "name"),
    [(GREEK, "el", "Greek"), (CHINESE, "zh_chs", "Chinese Simplified"), ("12 345 " * 99, "(Unknown)", "(Unknown)")],
)
def test_what_text_split_does_not_know_stays_whole_with_a_warning(
    detecting: Any, text: str, code: str, name: str
) -> None:
    detecting.put("a.md", text)
    result = detecting.run()
    assert told(detecting, "a.md") == (code, name)
    assert detecting.texts("a.md") == [text]
    (warning,) = result.warnings
    assert warning["name"] == "Enrichment.SplitSkill.cut" and f"language codes '{code}'" in str(warning["details"])


def test_a_text_beyond_the_limit_is_told_by_its_beginning(detecting: Any) -> None:
    detecting.put("a.md", GERMAN * 70 + ENGLISH * 200)
    result = detecting.run()
    assert told(detecting, "a.md") == ("de", "German")
    (warning,) = result.warnings
    assert warning["message"] == "Skill input was truncated." and warning["name"].endswith(
        "LanguageDetectionSkill.tell"
    )
    assert "50000 characters" in str(warning["details"])


def test_without_text_nothing_is_told(detecting: Any) -> None:
    detecting.put("a.md", " \n")
    result = detecting.run()
    assert any(
        w["name"] == "Enrichment.LanguageDetectionSkill.tell" and "is empty" in str(w["details"])
        for w in result.warnings
    )


def test_an_output_that_it_has_not_is_refused(detecting: Any) -> None:
    detecting.skillset["skills"][2]["outputs"].append({"name": "language"})
    detecting.put("a.md", ENGLISH)
    result = detecting.run()
    assert result.status == "transientFailure" and "no output 'language'" in str(result.errorMessage)
