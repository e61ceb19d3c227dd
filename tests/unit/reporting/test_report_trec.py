import io
from dataclasses import replace
from pathlib import Path

import pytest
from report_examples import index, queries, run

from azsearch_ops.errors import UsageError
from azsearch_ops.reporting.report_files import default_path, render_report
from azsearch_ops.reporting.trec import comparable, run_trec, trec_note

pytrec_eval = pytest.importorskip("pytrec_eval")

ALWAYS = {"hit@5": "success_5", "mrr@10": "recip_rank"}
WHERE_COMPARABLE = {**ALWAYS, "recall@5": "recall_5", "ndcg@10": "ndcg_cut_10", "map@10": "map_cut_10"}
MEASURES = {"success.5", "recip_rank", "recall.5", "ndcg_cut.10", "map_cut.10"}

MIXED = run(queries(90), index(worse=range(0, 90, 4), cut=range(1, 90, 3), missing=(11, 12), depth=10), index(depth=10))


@pytest.mark.parametrize("side", ["live", "candidate"])
def test_trec_eval_reads_the_same_numbers(side: str) -> None:
    files = run_trec(MIXED)
    assert set(files) == {"qrels.txt", "live.run", "candidate.run"}
    qrels = pytrec_eval.parse_qrel(io.StringIO(files["qrels.txt"]))
    ranking = pytrec_eval.parse_run(io.StringIO(files[f"{side}.run"]))
    theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(ranking)
    ours = {query.id: getattr(query, side).values for query in MIXED.outcome.evaluation.queries}
    assert set(theirs) == set(ours)
    same = set(comparable(MIXED, side))
    assert len(same) > 50
    for query, values in ours.items():
        for name, theirs_name in (WHERE_COMPARABLE if query in same else ALWAYS).items():
            assert theirs[query][theirs_name] == pytest.approx(values[name], abs=1e-6), (query, name)


def test_queries_whose_answer_comes_in_parts_are_not_called_comparable() -> None:
    same = comparable(MIXED)
    assert "q001" not in same
    assert "q000" in same
    assert comparable(MIXED, "live") == tuple(f"q{n:03d}" for n in range(90) if n % 7 != 6)


def test_the_note_counts_them() -> None:
    assert f"for {len(comparable(MIXED))} of 90 queries" in trec_note(MIXED)


def test_every_line_is_read_as_six_or_four_words() -> None:
    files = run_trec(MIXED)
    assert all(len(line.split()) == 4 for line in files["qrels.txt"].splitlines())
    lines = files["candidate.run"].splitlines()
    assert all(len(line.split()) == 6 for line in lines)
    first = [line.split() for line in lines if line.startswith("q000 ")]
    assert [int(words[3]) for words in first] == list(range(1, len(first) + 1))
    assert [float(words[4]) for words in first] == sorted((float(words[4]) for words in first), reverse=True)


def test_a_query_without_a_result_still_counts() -> None:
    empty = run(queries(4), lambda query, depth: ())
    files = run_trec(empty)
    assert files["candidate.run"].splitlines()[0] == "q000 Q0 nothing-retrieved 1 1 candidate"
    assert "live.run" not in files


def test_names_are_one_word() -> None:
    from dataclasses import replace

    from azsearch_ops.evaluation.types import Judgement

    odd = tuple(
        replace(q, id=f"q{n:03d}", judgements=(Judgement(f"rules/a b{n}\tc.md"),)) for n, q in enumerate(queries(3))
    )
    files = run_trec(run(odd, index()))
    assert files["qrels.txt"].splitlines()[0] == "q000 0 item:0:rules/a%20b0%09c.md 1"


def test_two_runs_are_not_written_as_one_and_their_page_is_a_page_of_its_own(tmp_path: Path) -> None:
    one = replace(run(queries(10), index(), index()), folder=tmp_path / "one")
    other = replace(one, folder=tmp_path / "other")
    with pytest.raises(UsageError, match="hold one run"):
        render_report([one, other], "trec")
    assert set(render_report([one], "trec")) == {"qrels.txt", "candidate.run", "live.run"}
    assert default_path([one], "html", tmp_path) == tmp_path / "one/report.html"
    assert default_path([one, other], "html", tmp_path) == tmp_path / "one/report-beside-other.html"
