from dataclasses import replace
from xml.etree import ElementTree

import pytest
from report_examples import index, queries, run

from azsearch_ops.reporting.junit import runs_junit

SUITE = {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}
CASE = {"classname", "name", "time"}
TOLD = {"failure", "error", "skipped"}


def checked(text: str) -> ElementTree.Element:
    """The document, held against the rules of junit-10.xsd that it uses."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "testsuites"
    assert set(root.attrib) <= {"name", "tests", "failures", "errors", "time"}
    for suite in root:
        assert suite.tag == "testsuite"
        assert {"name", "tests"} <= set(suite.attrib) <= SUITE
        assert [child.tag for child in suite][:1] == ["properties"]
        cases = suite.findall("testcase")
        assert len(cases) == len(suite) - 1 == int(suite.attrib["tests"])
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[count]) == sum(case.find(tag) is not None for case in cases)
        for each in suite.findall("properties/property"):
            assert set(each.attrib) == {"name", "value"}
        names = [(case.attrib["classname"], case.attrib["name"]) for case in cases]
        assert len(names) == len(set(names))
        for case in cases:
            assert set(case.attrib) == CASE
            float(case.attrib["time"])
            assert len(case) <= 1
            assert {child.tag for child in case} <= TOLD
            for child in case:
                assert {"message"} <= set(child.attrib) <= {"message", "type"}
                assert child.attrib["message"]
    for count in ("tests", "failures", "errors"):
        assert int(root.attrib[count]) == sum(int(suite.attrib[count]) for suite in root)
    return root


def test_a_failing_gate_and_its_lost_queries_are_failures() -> None:
    root = checked(runs_junit([run(queries(40), index(missing=range(20)), index())]))
    failing = [case for case in root.iter("testcase") if case.find("failure") is not None]
    names = [case.attrib["name"] for case in failing]
    assert names[:2] == ["recall@300t", "mrr@10"]
    assert len(names) == 2 + 20
    assert failing[0].find("failure").attrib["type"] == "fail"
    assert "difference −0." in failing[0].find("failure").text
    assert failing[2].find("failure").attrib["type"] == "lost"


def test_what_passes_holds_no_failure_even_where_a_query_is_lost() -> None:
    passing = run(queries(400), index(missing=(3,), worse=(5,)), index())
    assert passing.outcome.verdict.outcome == "pass"
    root = checked(runs_junit([passing]))
    assert (root.attrib["failures"], root.attrib["errors"]) == ("0", "0")
    (lost,) = [case for case in root.iter("testcase") if case.find("skipped") is not None]
    assert lost.attrib["name"].startswith("q003 ")
    assert lost.find("skipped").attrib["message"].startswith("lost, within the gate: ")


def test_undecided_is_a_failure_of_its_own_type() -> None:
    unsure = run(queries(30), index(worse=(1, 2)), index())
    assert unsure.outcome.verdict.outcome == "undecided"
    root = checked(runs_junit([unsure]))
    assert {told.attrib["type"] for told in root.iter("failure")} == {"undecided"}


def test_judgements_that_fit_nothing_fail_although_no_metric_does() -> None:
    nothing = run(queries(30), index(missing=range(30)), index(missing=range(30)))
    assert nothing.outcome.verdict.outcome == "undecided"
    root = checked(runs_junit([nothing]))
    (failed,) = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert failed.attrib["name"] == "evaluation"


def test_a_tainted_run_is_an_error() -> None:
    root = checked(runs_junit([run(queries(30), index(), index(), tainted="an index changed")]))
    assert root.attrib["errors"] == "1"


@pytest.mark.parametrize("words", ["<b> & \"x\" 'y'", "bell \x07 null \x00", "lone \ud800 surrogate \uffff", "]]>"])
def test_any_words_are_well_formed(words: str) -> None:
    asked = tuple(replace(q, text=words) for q in queries(25))
    root = checked(runs_junit([run(asked, index(missing=range(25)), index())] * 2))
    assert len(root) == 2


def test_the_verdict_and_every_metric_are_properties() -> None:
    root = checked(runs_junit([run(queries(25), index())]))
    told = {each.attrib["name"]: each.attrib["value"] for each in root.iter("property")}
    assert told["verdict"] == "pass"
    assert told["mrr@10.candidate"] == "1.000"
    assert "mrr@10.live" not in told
