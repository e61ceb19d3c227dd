"""Every code that a problem can carry is explained, and every explanation is of a code that is used."""

import re
from pathlib import Path

import pytest

from azsearch_ops.errors import UsageError
from azsearch_ops.rules.check import EXPLANATIONS, explain

PACKAGE = Path(__file__).parents[3] / "azsearch_ops"


def used_codes():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        # Where a problem is made, not where its code is explained
        text = re.sub(r"Explanation\(\s*\"AZS\d{3}\"", "", text)
        found |= set(re.findall(r"\"(AZS\d{3})\"", text))
    return found


def test_codes_and_explanations_are_the_same_set():
    assert used_codes() == set(EXPLANATIONS)


@pytest.mark.parametrize("code", sorted(EXPLANATIONS))
def test_an_explanation_says_why_and_how_to_mend(code):
    explanation = explain(code.lower())
    assert explanation.code == code
    assert all((explanation.title, explanation.why, explanation.fix, explanation.source))
    assert not explanation.title.endswith(".")


def test_an_unknown_code_gets_the_nearest():
    with pytest.raises(UsageError) as raised:
        explain("AZS8O1")
    assert "AZS801" in raised.value.hint


def test_every_code_is_listed_under_its_family():
    from azsearch_ops.reporting.problems import render_codes
    from azsearch_ops.verbs.checking import code_titles

    listed = render_codes(code_titles())
    assert [line.split()[0] for line in listed.splitlines() if line.startswith("  ")] == sorted(EXPLANATIONS)
