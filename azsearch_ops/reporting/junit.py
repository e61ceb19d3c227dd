"""Runs as JUnit XML, so that a CI server shows gate and lost queries among its tests.

One test suite a run, with one test case a gated metric, one for each lost query, and one for the run itself. A file
holds a failure exactly where the gate is not passed: a lost query of a run that passes is skipped, with its cause.
Attributes and order are those of the schema that Jenkins publishes
(https://github.com/jenkinsci/xunit-plugin, junit-10.xsd).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.evaluations import ranks
from azsearch_ops.reporting.report_wording import verdict_word

if TYPE_CHECKING:
    from azsearch_ops.verbs.evaluating.run_files import Run

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold, escaped or not (https://www.w3.org/TR/xml/#charsets)."""


def runs_junit(runs: Sequence[Run]) -> str:
    """The test suites as an XML document in UTF-8, with its declaration."""
    root = ElementTree.Element("testsuites")
    for run in runs:
        root.append(_suite(run))
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", f"{sum(run.outcome.seconds for run in runs):.3f}")
    ElementTree.indent(root)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{ElementTree.tostring(root, encoding='unicode')}\n"


def _suite(run: Run) -> ElementTree.Element:
    outcome, measured = run.outcome, run.measured
    name = ".".join(part for part in (outcome.name, measured.environment) if part)
    suite = ElementTree.Element("testsuite", {"name": _plain(name)})
    properties = ElementTree.SubElement(suite, "properties")
    for key, value in _properties(run):
        ElementTree.SubElement(properties, "property", {"name": _plain(key), "value": _plain(value)})
    cases = [*_metrics(run, name), *_lost(run, name), _itself(run, name)]
    suite.extend(cases)
    suite.set("tests", str(len(cases)))
    for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(count, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", f"{outcome.seconds:.3f}")
    if measured.at:
        suite.set("timestamp", measured.at[:19])
    return suite


def _properties(run: Run) -> list[tuple[str, str]]:
    outcome, measured = run.outcome, run.measured
    told = {
        "verdict": verdict_word(outcome),
        "alias": outcome.alias,
        "candidate": outcome.candidate,
        "live": outcome.live or "",
        "service": measured.service,
        "embedding": measured.model,
        "queries": str(outcome.evaluation.query_count),
        "held out": str(outcome.evaluation.holdouts or ""),
        "commit": measured.commit or "",
        "yardstick": measured.yardstick,
        "run": run.name,
    }
    values = [
        (f"{m.name}.{side}", figures.value(getattr(m, side)))
        for m in outcome.evaluation.metrics
        for side in ("live", "candidate", "difference")
        if getattr(m, side) is not None
    ]
    return [(key, value) for key, value in (*told.items(), *values) if value]


def _metrics(run: Run, suite: str) -> list[ElementTree.Element]:
    cases = []
    for line in run.outcome.verdict.lines:
        if line.outcome == "reported":
            continue
        case = _case(f"{suite}.gate", line.metric)
        if line.outcome != "pass":
            metric = run.outcome.evaluation.metric(line.metric)
            words = ""
            if metric is not None:
                words = (
                    f"live {figures.value(metric.live)}, candidate {figures.value(metric.candidate)}, "
                    f"difference {figures.signed(metric.difference)} "
                    f"({figures.interval(metric.low, metric.high)}), p {figures.probability(line.p)}, "
                    f"limit {line.limit or figures.NONE}"
                )
            _tell(case, "failure", line.reason, words, line.outcome)
        cases.append(case)
    for limit in run.outcome.verdict.limits:
        case = _case(f"{suite}.limits", limit.name)
        if limit.outcome != "pass":
            _tell(case, "failure", limit.reason, f"limit {limit.limit or figures.NONE}", limit.outcome)
        cases.append(case)
    return cases


def _lost(run: Run, suite: str) -> list[ElementTree.Element]:
    passed = run.outcome.verdict.outcome == "pass"
    cases = []
    for query in run.outcome.evaluation.changed:
        if query.state != "lost":
            continue
        case = _case(f"{suite}.queries", f"{query.id} {query.text}".strip())
        if passed:
            _tell(case, "skipped", f"lost, within the gate: {query.cause.detail}")
        else:
            _tell(case, "failure", query.cause.detail, f"rank {ranks(query)}", "lost")
        cases.append(case)
    return cases


def _itself(run: Run, suite: str) -> ElementTree.Element:
    """The run: a verdict that no metric alone decided fails here, and a tainted run is an error."""
    outcome, verdict = run.outcome, run.outcome.verdict
    case = _case(suite, "evaluation")
    if outcome.tainted:
        _tell(case, "error", outcome.tainted, "", "tainted")
    elif outcome.verdict.outcome not in (
        "pass",
        *(line.outcome for line in verdict.lines),
        *(limit.outcome for limit in verdict.limits),
    ):
        _tell(case, "failure", "; ".join(outcome.verdict.reasons), "", outcome.verdict.outcome)
    return case


def _case(where: str, name: str) -> ElementTree.Element:
    return ElementTree.Element("testcase", {"classname": _plain(where), "name": _plain(name), "time": "0"})


def _tell(case: ElementTree.Element, tag: str, message: str, words: str = "", kind: str = "") -> None:
    told = ElementTree.SubElement(case, tag, {"message": _plain(message), **({"type": kind} if kind else {})})
    if words:
        told.text = _plain(words)


def _plain(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
