import json

import pytest

from azsearch_ops.errors import DefinitionError, Location, Problem, ServiceError
from azsearch_ops.evaluation.outcome import Probe
from azsearch_ops.reporting import figures
from azsearch_ops.reporting.envelope import as_json, envelope, problems_of

PROBE = Probe(5, True, True)
PROBLEM = Problem("AZS101", "unknown key 'fieldz'", Location("indexes/a.yaml", 12, 3), hint="did you mean 'fields'?")


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (figures.signed(-0.0801), "−0.080"),
        (figures.signed(-0.0001), "+0.000"),
        (figures.signed(None), "–"),
        (figures.probability(0.00019), "0.0002"),
        (figures.probability(0.024), "0.024"),
        (figures.probability(0.71), "0.71"),
        (figures.duration(0.42), "0.4 s"),
        (figures.duration(59.7), "1 m 00 s"),
        (figures.duration(3725), "1 h 02 m"),
    ],
)
def test_figures_read_well(shown: str, text: str) -> None:
    assert shown == text


def test_the_envelope_always_has_its_six_members() -> None:
    document = json.loads(as_json(envelope("ship", "ok", 0, {"path": PROBE}, (PROBLEM,))))
    assert list(document) == ["schema", "command", "status", "exit_code", "data", "problems"]
    counts = {"live_otherwise": 0, "candidate_otherwise": 0}
    assert document["data"] == {"path": {"queries": 5, "live": True, "candidate": True, **counts}}
    assert document["problems"] == [
        {
            "code": "AZS101",
            "message": "unknown key 'fieldz'",
            "location": {"path": "indexes/a.yaml", "line": 12, "column": 3, "pointer": ""},
            "severity": "error",
            "hint": "did you mean 'fields'?",
        }
    ]
    assert problems_of(DefinitionError((PROBLEM,))) == (PROBLEM,)
    assert problems_of(ServiceError("no room", hint="prune")) == (Problem("service", "no room", hint="prune"),)
    with pytest.raises(ValueError, match="Out of range float"):
        as_json({"x": float("nan")})
