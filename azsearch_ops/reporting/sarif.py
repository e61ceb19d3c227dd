"""Problems as SARIF 2.1.0, which code scanning of GitHub and Azure DevOps reads.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from azsearch_ops.errors import Problem

if TYPE_CHECKING:
    from azsearch_ops.rules.explanation import Explanation

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {"error": "error", "warning": "warning", "note": "note"}


def sarif_log(problems: Sequence[Problem], explanations: Mapping[str, Explanation], version: str) -> dict[str, Any]:
    """One run with a result for each problem and a rule for each code that was found."""
    codes = sorted({problem.code for problem in problems})
    places = {code: number for number, code in enumerate(codes)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "azsearch-ops",
                        "version": version,
                        "rules": [_rule(code, explanations.get(code)) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(problem, places[problem.code]) for problem in problems],
            }
        ],
    }


def _rule(code: str, explanation: Explanation | None) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": code}
    if explanation is not None:
        rule["shortDescription"] = {"text": explanation.title}
        rule["fullDescription"] = {"text": explanation.why}
        rule["help"] = {"text": f"{explanation.fix}\nSource: {explanation.source}"}
        if explanation.source.startswith("https://") and " " not in explanation.source:
            rule["helpUri"] = explanation.source
    return rule


def _result(problem: Problem, rule: int) -> dict[str, Any]:
    text = f"{problem.message}. {problem.hint}" if problem.hint else problem.message
    result: dict[str, Any] = {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": _LEVELS[problem.severity],
        "message": {"text": text},
    }
    place = problem.location
    if place is not None:
        result["locations"] = [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(place.path), "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": place.line, "startColumn": place.column},
                }
            }
        ]
        # Lines move; what tells a finding apart is its rule, its file and the value that it is about
        what = "\n".join((problem.code, place.path, place.pointer or str(place.line)))
        result["partialFingerprints"] = {"azsearchOps/v1": hashlib.sha256(what.encode()).hexdigest()}
    return result
