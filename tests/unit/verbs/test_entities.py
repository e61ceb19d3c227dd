"""How many documents a blob becomes, by really reading it."""

from types import SimpleNamespace

import pytest

from azsearch_ops.verbs.shipping.entities import entity_texts

SPLIT = {
    "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
    "inputs": [{"name": "text", "source": "/document/body/text"}],
}


def bodies(skills=(), **configuration):
    return SimpleNamespace(skillset={"skills": list(skills)}, indexer={"parameters": {"configuration": configuration}})


@pytest.mark.parametrize(
    ("data", "configuration", "documents"),
    [
        ('[{"a": 1}, {"a": 2}, 3]', {"parsingMode": "jsonArray"}, 2),
        ('{"x": {"y": [{"a": 1}]}}', {"parsingMode": "jsonArray", "documentRoot": "/x/y"}, 1),
        ('{"x": 1}', {"parsingMode": "jsonArray"}, 0),
        ('{"a": 1}\n\n{"a": 2}\nnonsense\n', {"parsingMode": "jsonLines"}, 2),
        ("a,b\n1,2\n3,4\n", {"parsingMode": "delimitedText"}, 2),
        (
            "1;2\n3;4\n",
            {
                "parsingMode": "delimitedText",
                "firstLineContainsHeaders": False,
                "delimitedTextHeaders": "a,b",
                "delimitedTextDelimiter": ";",
            },
            2,
        ),
        ('{"a": 1}', {"parsingMode": "json"}, 1),
        ("# A\none\n## B\ntwo\n### C\n\n```\n# no header\n```\n# Empty\n", {"parsingMode": "markdown"}, 3),
        ("# A\none\n## B\ntwo\n", {"parsingMode": "markdown", "markdownHeaderDepth": "h1"}, 1),
        ("# A\none\n", {"parsingMode": "markdown", "markdownParsingSubmode": "oneToOne"}, 1),
    ],
)
def test_documents_are_counted_as_the_indexer_makes_them(tmp_path, data, configuration, documents):
    (tmp_path / "blob").write_text(data, encoding="utf-8")
    (texts,) = entity_texts(tmp_path, ("blob",), bodies(**configuration)).values()
    assert len(texts) == documents


def test_the_text_is_what_the_first_skill_reads(tmp_path):
    (tmp_path / "blob").write_text('{"body": {"text": "one"}}\n{"body": 2}\n', encoding="utf-8")
    found = entity_texts(tmp_path, ("blob",), bodies([SPLIT], parsingMode="jsonLines"))
    assert found == {"blob": ["one", ""]}
