"""Documents in several languages: what Text Split leaves whole, and what one budget of tokens holds of each."""

import pytest

from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.rules import token_budgets
from azsearch_ops.rules.check import check_project
from azsearch_ops.verbs.evaluating.evaluating import READER_ENCODING
from azsearch_ops.verbs.text_facts import TextFacts

ENGLISH = "The north gate opens at seven and closes at nine in the evening of every working day, the guard says. " * 40
TURKISH = "Kuzey kapısı her iş günü sabah saat yedide açılır ve akşam dokuzda kapanır, izin için başvurun. " * 40
GERMAN = "Das nördliche Tor öffnet an jedem Werktag um sieben Uhr und schließt um neun Uhr abends. " * 40
GREEK = "Η βόρεια πύλη ανοίγει στις επτά το πρωί και κλείνει στις εννέα το βράδυ. " * 40
UKRAINIAN = "Північні ворота відчиняються о сьомій годині ранку і зачиняються о дев'ятій вечора. " * 40
CHINESE = "北门每个工作日早上七点开门，晚上九点关门。请假需要上级主管批准，请提前一周提出申请。" * 40
DETECTION = """\
skills:
  - "@odata.type": "#Microsoft.Skills.Text.LanguageDetectionSkill"
    inputs: [{name: text, source: /document/content}]
    outputs: [{name: languageCode, targetName: language}]
"""
CONDITION = """\
  - "@odata.type": "#Microsoft.Skills.Util.ConditionalSkill"
    context: /document
    inputs:
      - {name: condition, source: "= $(/document/language) == 'el'"}
      - {name: whenTrue, source: "= 'en'"}
      - {name: whenFalse, source: /document/language}
    outputs: [{name: output, targetName: splittable}]
"""


@pytest.fixture
def workspace(workspace):
    return workspace.write(workspace.queries, "queries: [{id: q1, query: x, relevant: [{document: a.md}]}]\n")


@pytest.fixture
def told(tmp_path):
    """What tells languages, with a cache of its own."""
    with TextFacts(tmp_path / "facts") as facts:
        yield facts.teller()


def found(workspace, texts, tell, *codes, tell_all=True):
    problems = check_project(workspace.load(), {"docs": texts}, tokenizers=tokenizer, tell=tell, tell_all=tell_all)
    return [problem for problem in problems if problem.code in codes]


def detecting(workspace, source="/document/language", skills=DETECTION):
    inputs = f"inputs: [{{name: text, source: /document/content}}, {{name: languageCode, source: {source}}}]"
    workspace.edit(workspace.skillset, "textSplitMode: pages", f"{inputs}\n  textSplitMode: pages")
    workspace.edit(workspace.skillset, "skills: []\n", skills)


def test_documents_in_detected_languages_beside_the_list_are_counted(workspace, told):
    detecting(workspace)
    texts = {"en.md": ENGLISH, "de.md": GERMAN, "el.md": GREEK, "uk.md": UKRAINIAN, "zh.md": CHINESE, "zh2.md": CHINESE}
    measured, general = found(workspace, texts, told, "AZS114")
    assert "a detected language outside" in general.message
    assert "4 of 6 documents stay unsplit" in measured.message and measured.severity == "warning"
    assert all(f"{code} ({number})" in measured.message for code, number in (("zh_chs", 2), ("el", 1), ("uk", 1)))
    assert f"one chunk of {len(UKRAINIAN):,} characters: uk.md" in measured.hint
    assert measured.location.pointer == "/chunking"


def test_documents_in_languages_of_the_list_are_no_finding(workspace, told):
    detecting(workspace)
    (general,) = found(workspace, {"en.md": ENGLISH, "de.md": GERMAN, "blank.md": ""}, told, "AZS114")
    assert general.location.pointer == "/chunking/inputs/1"


def test_a_skill_that_chooses_the_language_is_taken_at_its_word(workspace, told):
    detecting(workspace, "/document/splittable", DETECTION + CONDITION)
    assert found(workspace, {"el.md": GREEK}, told, "AZS114") == []


@pytest.mark.parametrize("source", ["/document/language", "/document/metadata_language"])
def test_without_what_tells_languages_scripts_stand_in(workspace, source):
    detecting(workspace, source)
    measured, _ = found(workspace, {"el.md": GREEK, "en.md": ENGLISH, "zh.md": CHINESE}, None, "AZS114")
    assert "1 document in a script that Text Split has no language for: el.md" in measured.message
    assert ("extra `local`" in measured.hint) == (source == "/document/language")


def test_a_code_from_elsewhere_is_held_against_scripts_alone(workspace, told):
    detecting(workspace, "/document/metadata_language")
    measured, _ = found(workspace, {"el.md": GREEK, "uk.md": UKRAINIAN}, told, "AZS114")
    assert "el.md" in measured.message and measured.hint == ""


def in_tokens(workspace):
    workspace.edit(workspace.skillset, "maximumPageLength: 2000", "unit: azureOpenAITokens\n  maximumPageLength: 400")
    workspace.edit(workspace.skillset, "pageOverlapLength: 500", "pageOverlapLength: 100")


def counted(text, tokens):
    """How many characters so many tokens hold, counted apart from the rule."""
    sample = text[:4000]
    return f"{round(len(sample) / tokenizer('cl100k_base').count(sample) * tokens):,}"


def test_pages_in_tokens_are_measured_by_language(workspace, told):
    in_tokens(workspace)
    (problem,) = found(workspace, {"a/en.md": ENGLISH, "tr.md": TURKISH, "de.md": GERMAN}, told, "AZS115")
    assert f"{counted(ENGLISH, 400)} characters of en and {counted(TURKISH, 400)} of tr" in problem.message
    assert problem.message.endswith("such as tr.md") and problem.location.pointer == "/chunking/maximumPageLength"
    assert found(workspace, {"en.md": ENGLISH, "de.md": GERMAN}, told, "AZS115") == []
    assert found(workspace, {"tr.md": TURKISH}, told, "AZS115") == []


def test_pages_in_tokens_are_measured_by_script_without_what_tells_languages(workspace):
    in_tokens(workspace)
    (problem,) = found(workspace, {"en.md": ENGLISH, "zh.md": CHINESE, "tr.md": TURKISH}, None, "AZS115")
    assert (
        "of Latin script" in problem.message and "of Cjk script" in problem.message and "script alone" in problem.hint
    )


def test_a_readers_budget_is_measured_by_language(workspace, told):
    workspace.edit(workspace.index, "metrics: [", "metrics: [recall@2000t, ")
    texts = {"en.md": ENGLISH, "tr.md": TURKISH}
    (problem,) = found(workspace, texts, told, "AZS116")
    assert f"{counted(ENGLISH, 2000)} characters of en and {counted(TURKISH, 2000)} of tr" in problem.message
    needed = [round(tokenizer("cl100k_base").count(t[:4000]) / len(t[:4000]) * 2000) for t in (ENGLISH, TURKISH)]
    assert f"pages of 2,000 characters hold {needed[0]:,} tokens in en and {needed[1]:,} tokens in tr" in problem.hint
    assert problem.location.pointer == "/evaluation/metrics/0"
    assert found(workspace, {"en.md": ENGLISH, "de.md": GERMAN}, told, "AZS116") == []


def test_a_quick_check_measures_a_reader_by_scripts_and_pages_by_languages(workspace, told):
    workspace.edit(workspace.index, "metrics: [", "metrics: [recall@2000t, ")
    texts = {"en.md": ENGLISH, "tr.md": TURKISH}
    assert found(workspace, texts, told, "AZS115", "AZS116", tell_all=False) == []
    in_tokens(workspace)
    told_of = found(workspace, texts, told, "AZS115", "AZS116", tell_all=False)
    assert {problem.code for problem in told_of} == {"AZS115", "AZS116"}


def test_short_documents_and_those_without_words_measure_nothing(workspace, told):
    workspace.edit(workspace.index, "metrics: [", "metrics: [recall@2000t, ")
    texts = {"en.md": ENGLISH, "el.md": GREEK[:150], "prices.md": "14.50; 12:30; 99\n" * 40}
    assert found(workspace, texts, told, "AZS116") == []


def test_the_reader_counts_as_the_evaluation_does():
    assert token_budgets.READER_ENCODING == READER_ENCODING


def test_what_was_told_and_counted_is_not_worked_out_again(tmp_path, monkeypatch):
    def asked(root):
        with TextFacts(root) as facts:
            return facts.teller()(TURKISH), facts.tokenizer("cl100k_base").count(TURKISH)

    first = asked(tmp_path)
    assert first == ("tr", tokenizer("cl100k_base").count(TURKISH))
    monkeypatch.setattr("azsearch_ops.verbs.text_facts._language", None)
    monkeypatch.setattr("azsearch_ops.verbs.text_facts._tokenizer", None)
    assert asked(tmp_path) == first
    with pytest.raises(TypeError):
        asked(tmp_path / "elsewhere")


def test_a_cache_that_cannot_be_used_is_done_without(tmp_path):
    (tmp_path / ".azsearch" / "cache").mkdir(parents=True)
    (tmp_path / ".azsearch" / "cache" / "facts.sqlite").write_bytes(b"not a database" * 99)
    with TextFacts(tmp_path) as facts:
        assert facts.teller()(GREEK) == "el"
    (tmp_path / "file").write_text("x")
    with TextFacts(tmp_path / "file") as facts:
        assert facts.tokenizer("cl100k_base").count(ENGLISH) > 100
