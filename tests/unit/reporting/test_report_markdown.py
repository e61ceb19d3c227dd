import re
from dataclasses import replace

import pytest
from report_examples import index, queries, run

from azsearch_ops.gate.outcome import YardstickOutcome
from azsearch_ops.gate.policy import GateLimits, Policy
from azsearch_ops.gate.verdict import judge
from azsearch_ops.reporting.markdown import LIMIT, runs_markdown
from azsearch_ops.reporting.markdown_text import cell, code
from azsearch_ops.verbs.evaluating.run_files import ChangeNote

LOSING = run(queries(60), index(worse=range(0, 60, 3), cut=range(1, 60, 6)), index())


def test_verdict_and_consequence_come_first_and_the_rest_in_order() -> None:
    text = runs_markdown([LOSING])
    lines = text.splitlines()
    assert lines[0] == "<!-- azsearch-ops pr handbook -->"
    assert lines[1] == "## ❌ handbook: fail. Shipping this would leave `handbook-live` where it is."
    assert re.match(
        r"\*\*mrr@10 falls [0-9.]+ points \(limit 10\.0\)\.\*\* 28 of 60 queries changed: 0 better", lines[2]
    )
    order = [
        "| measured on |",
        "staging: `handbook-71c09e2b` against live `handbook-3fa81c20` | 60 / 60 | 60 / 60 | text-embedding-3-small",
        "| metric | live | candidate | difference | 95 % interval | p | limit |",
        "### What changes",
        "| `skillsets/handbook.yaml:4` | maximumPageLength | 2000 | 1000 | rebuild |",
        "### Worst queries",
        "<details><summary>By tag (3)</summary>",
        "<details><summary>All 28 changed queries</summary>",
        "Yardstick: query set `6f2a91` · yardstick `abcdef`",
        "Again: `azsearch-ops evaluate handbook --env staging`",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    worst = text[text.index("### Worst queries") : text.index("<details>")]
    assert len(re.findall(r"^\| q\d", worst, re.MULTILINE)) == 5


def test_notes_are_told_as_far_as_there_is_room_for() -> None:
    notes = ("judgements checked against chunks of the index", *(f"moved {n}" for n in range(9)))
    text = runs_markdown([replace(LOSING, outcome=replace(LOSING.outcome, notes=notes))])
    assert "- judgements checked against chunks of the index\n- moved 0\n" in text
    assert "- moved 6\n- 2 more notes are in the record.\n" in text and "moved 7" not in text
    assert text.index("moved 0") < text.index("### What changes")


def test_a_drop_within_its_limit_is_not_said_to_be_beyond_it() -> None:
    text = runs_markdown([run(queries(60), index(worse=range(0, 60, 10)), index())])
    assert re.search(r"^\*\*mrr@10 falls 8\.0 points, more than chance explains \(p 0\.0\d+\)\.\*\* 6 of", text, re.M)


def test_what_failed_is_the_headline_and_not_a_metric_that_did_not() -> None:
    losing = run(queries(60), index(missing=[0]), index())
    verdict = judge(losing.outcome.evaluation, Policy({"mrr@10": GateLimits(margin=0.5)}, lost_queries=0))
    text = runs_markdown([replace(losing, outcome=replace(losing.outcome, verdict=verdict))])
    assert "**lost queries: 1 went from found to lost, limit 0.** 1 of 60 queries changed" in text


def test_a_pass_says_where_the_alias_would_go() -> None:
    text = runs_markdown([run(queries(30), index(), index())])
    assert "## ✅ handbook: pass. Shipping this would move `handbook-live` to `handbook-71c09e2b`." in text
    assert "0 of 30 queries changed." in text
    assert "### Worst queries" not in text


def test_the_first_release_has_nothing_to_compare_with() -> None:
    text = runs_markdown([run(queries(30), index())])
    assert "`handbook-71c09e2b` alone" in text
    assert "first release: nothing to compare with" in text
    assert "<details><summary>By tag" in text


def test_two_runs_stand_in_one_table_and_the_first_decides() -> None:
    local = run(queries(20), index(), index(), environment="local")
    local = replace(local, measured=replace(local.measured, is_local=True, model="wordllama", dimensions=256))
    text = runs_markdown([LOSING, local])
    assert text.splitlines()[1].startswith("## ❌ handbook: fail.")
    assert "| local service: " in text
    assert "wordllama (256), local: no forecast of the cloud | pass |" in text
    assert "| staging | live |" in text
    assert "| local | live |" in text


def test_a_tainted_run_moves_nothing() -> None:
    text = runs_markdown([run(queries(30), index(), index(), tainted="an index changed while it was measured")])
    assert text.splitlines()[1] == (
        "## ⚠️ handbook: tainted. Measure again: `handbook-live` cannot be moved on this evaluation."
    )
    assert "- tainted: an index changed while it was measured" in text


@pytest.mark.parametrize("limit", [LIMIT, 20_000, 6_000])
def test_it_is_never_too_long_and_says_what_it_left_out(limit: int) -> None:
    asked = queries(900, text="What is rule {n}, and why | does <it> say so at such length? " + "x" * 90)
    text = runs_markdown([run(asked, index(worse=range(900)), index())], limit)
    assert len(text) <= limit
    shown = re.search(r"<summary>(\d+) of 900 changed queries</summary>", text)
    assert shown is not None
    assert f"{900 - int(shown[1])} more are in the full report: there was no room for them." in text
    folded = text[text.index(shown[0]) :]
    assert len(re.findall(r"^\| q\d", folded, re.MULTILINE)) == int(shown[1])
    assert text.count("<details>") == text.count("</details>")


NASTY = [
    "a | b",
    "</details><script>alert(1)</script>",
    "@everyone and @acme/admins",
    "see #123, GH-7 and acme/thing#9",
    "https://evil.example/ and www.evil.example and <https://evil.example>",
    "![x](https://evil.example/x.png) [link](javascript:alert(1))",
    "`code` **bold** ~~no~~ _it_ \\| \\",
    "mail me@evil.example",
    "line\nbreak\r\n| --- |\n# head",
    "--> <!-- azsearch-ops pr other -->",
    "\u202egnp.exe",
    "$x^2$ &lt;b&gt;",
]


@pytest.mark.parametrize("words", NASTY)
def test_no_words_break_out_of_their_cell(words: str) -> None:
    asked = tuple(replace(q, text=words, tags=(words, *q.tags)) for q in queries(30))
    text = runs_markdown([run(asked, index(worse=range(30)), index())])
    for line in text.splitlines():
        if line.startswith("| q0"):
            assert line.count("|") == 4, line
            cellular = line.split("|")[1]
            assert not re.search(r"[<>`\[\]*~$]|(?<!\w)@\w|#\d+(?!\d*;)|https?:/|www\.|[\r\n\u202e]", cellular), (
                cellular
            )
    assert text.count("<!-- azsearch-ops") == 1


def test_a_change_of_the_yardstick_shows_both_verdicts() -> None:
    told = YardstickOutcome(
        base="main",
        changed=("gate",),
        own=LOSING.outcome.verdict,
        under_base=replace(LOSING.outcome.verdict, outcome="undecided"),
        metrics=LOSING.outcome.evaluation.metrics,
    )
    text = runs_markdown([replace(LOSING, outcome=replace(LOSING.outcome, yardstick=told))])
    assert "⚠️ changed since main: gate; undecided by the old one, fail by the new one; the worse counts" in text
    assert "<details><summary>By the yardstick of main</summary>" in text
    same = replace(LOSING, outcome=replace(LOSING.outcome, yardstick=YardstickOutcome(base="main")))
    assert "yardstick `abcdef` · unchanged since main" in runs_markdown([same])


def test_metric_names_are_left_as_they_are() -> None:
    assert cell("recall@2000t: lower bound") == "recall@2000t: lower bound"
    assert code("a`b") == "a&#96;b"
    assert code("skillsets/a.yaml:4") == "`skillsets/a.yaml:4`"


def test_long_settings_are_cut() -> None:
    change = ChangeNote("indexes/a.yaml:9", "fields", [{"name": "x" * 500}], None, "rebuild")
    text = runs_markdown([run(queries(20), index(), index(), changes=(change,) * 40)])
    assert "…" in text
    assert "15 more changes are in the record." in text


def test_without_words_only_ids_are_left() -> None:
    text = runs_markdown([run(queries(40), index(worse=range(40)), index(), words=False)])
    assert "What is rule" not in text
    assert "| q000 | 1 → 5 |" in text
