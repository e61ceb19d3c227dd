import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from report_examples import index, queries, run

from azsearch_ops.definitions.index import GateLimits
from azsearch_ops.gate.policy import Policy
from azsearch_ops.gate.verdict import judge
from azsearch_ops.reporting.html import runs_html
from azsearch_ops.reporting.report_curves import reading_curve, recall_by_rank
from azsearch_ops.reporting.report_marks import marks

VOID = {"meta", "link", "br", "input", "hr", "img"}
LOSING = run(queries(60), index(worse=range(0, 60, 3), cut=range(1, 60, 6)), index())


class Reader(HTMLParser):
    """Reads a page: that elements close in order, their ids, and every address in them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.scripts: list[str] = []
        self.text: list[str] = []
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if "id" in told:
            self.ids.append(str(told["id"]))
        self.addresses += [str(told[name]) for name in ("src", "href", "action", "srcset", "data") if name in told]
        self.handlers += [name for name in told if name.startswith("on")]
        self.references += [str(told[n]) for n in ("aria-labelledby", "aria-controls") if n in told]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif self.open and self.open[-1] != "style":
            self.text.append(data)

    @property
    def data(self) -> list[dict]:
        return [json.loads(script) for script in self.scripts if script.startswith("{")]


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids)), "ids repeat"
    assert set(reader.references) <= set(reader.ids)
    return reader


def test_nothing_is_fetched_and_nothing_is_undone_by_order() -> None:
    page = runs_html([LOSING])
    reader = read(page)
    assert set(reader.addresses) <= {"#", "#main", "data:,"}
    assert reader.handlers == []
    assert "default-src 'none'" in page
    assert not re.search(
        r"@import|url\(|https?://(?!\S*(blob|search)\.)", page[: page.index('<script type="application/json"')]
    )


def test_verdict_tables_and_drawings_are_there() -> None:
    page = runs_html([LOSING])
    text = " ".join(" ".join(read(page).text).split())
    assert "Shipping this would leave handbook-live where it is." in text
    assert "text-embedding-3-small (1536)" in text
    assert "maximumPageLength" in text
    assert page.count("<svg") == 1 + len(LOSING.outcome.evaluation.metrics) + 1 + 5
    assert 'class="flow worse"' in page
    assert 'data-tag="even"' in page


def test_every_query_has_both_rankings_with_the_judged_words_marked() -> None:
    (data,) = read(runs_html([LOSING])).data
    assert len(data["queries"]) == 60
    for query in data["queries"]:
        assert set(query["sides"]) == {"live", "candidate"}
        for side in query["sides"].values():
            for chunk in side["chunks"]:
                words = (
                    "".join(data["texts"][chunk["text"]][s:e] for s, e, _ in chunk["marks"]) if chunk["marks"] else ""
                )
                whole = [item for item, share in chunk["held"] if share == 1.0 and query["items"][item]["excerpt"]]
                for item in whole:
                    assert query["items"][item]["excerpt"] in words
                assert bool(chunk["held"]) == bool(
                    chunk["marks"] or any(query["items"][i]["excerpt"] is None for i, _ in chunk["held"])
                )
    first = data["queries"][0]
    assert first["better"] is False
    assert first["cause"]["kind"]
    lost = [query["id"] for query in data["queries"] if query["state"] == "lost"]
    assert [query["id"] for query in data["queries"]][: len(lost)] == lost


def test_the_marks_of_a_cut_answer_stand_in_its_two_halves() -> None:
    (data,) = read(runs_html([LOSING])).data
    (query,) = [q for q in data["queries"] if q["id"] == "q001"]
    parts = [c for c in query["sides"]["candidate"]["chunks"] if c["marks"]]
    words = ["".join(data["texts"][c["text"]][s:e] for s, e, _ in c["marks"]) for c in parts]
    assert len(words) == 2
    assert "".join(words).replace(" ", "") == query["items"][0]["excerpt"].replace(" ", "")


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&\"'`{{7*7}}{% raw %}<!--\u2028"


def test_hostile_words_stay_words() -> None:
    asked = tuple(replace(q, text=HOSTILE, tags=(HOSTILE,)) for q in queries(30))
    search = index(worse=range(30))

    def hostile(query, depth):
        return tuple(
            replace(c, text=f"{c.text} {HOSTILE}", document=f"{c.document}{HOSTILE}") for c in search(query, depth)
        )

    clean = read(runs_html([run(queries(30), index(worse=range(30)), index())]))
    reader = read(runs_html([run(asked, hostile, hostile, name="handbook")]))
    assert len(reader.scripts) == len(clean.scripts)
    assert reader.handlers == []
    assert reader.data[0]["queries"][0]["text"] == HOSTILE
    assert "49" not in " ".join(reader.text)[:200]


def test_one_side_alone() -> None:
    reader = read(runs_html([run(queries(30), index(missing=(3, 4)))]))
    text = " ".join(" ".join(reader.text).split())
    assert "One side only: floors count, nothing is compared." in text
    assert "Where answers moved" not in text
    assert "28 of 30 queries" in text
    assert set(reader.data[0]["queries"][0]["sides"]) == {"candidate"}


def test_two_runs_stand_behind_tabs() -> None:
    reader = read(runs_html([LOSING, run(queries(30), index(), index(), environment="local")]))
    assert len(reader.data) == 2
    assert {"tab-0", "tab-1", "run-0", "run-1"} <= set(reader.ids)


def test_ids_alone_carry_no_words() -> None:
    page = runs_html([run(queries(40), index(worse=range(40)), index(), words=False)])
    assert "What is rule" not in page
    assert "opens at" not in page
    assert "nobody asked for" not in page
    assert "reports.text: ids" in page
    assert "rules/3.md" in page


def test_a_summary_from_the_ledger_says_what_it_lacks() -> None:
    summary = replace(LOSING.outcome.evaluation, queries=(), changed=())
    page = runs_html([replace(LOSING, outcome=replace(LOSING.outcome, evaluation=summary), judged={})])
    assert "Only the summary of this run is here" in page
    assert read(page).data == []


def test_limits_beside_the_metrics_are_rows_of_the_gate() -> None:
    policy = Policy(
        slices={"even": {"mrr@10": GateLimits(max_drop=0.01)}}, lost_queries=0, growth={"tokens_to_reader": 0.1}
    )
    verdict = judge(LOSING.outcome.evaluation, policy)
    page = runs_html([replace(LOSING, outcome=replace(LOSING.outcome, verdict=verdict))])
    text = " ".join(" ".join(read(page).text).split())
    assert "mrr@10, even (30)" in text
    assert "lost queries" in text
    assert "growth of tokens_to_reader" in text


def test_five_hundred_queries_are_of_a_sensible_size() -> None:
    large = run(queries(500), index(worse=range(0, 500, 3), depth=20), index(depth=20))
    page = runs_html([large])
    assert len(page) < 6_000_000
    assert len(read(page).data[0]["queries"]) == 500


def test_more_text_than_a_page_can_take_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azsearch_ops.reporting.html_queries._ROOM", 20_000)
    page = runs_html([LOSING])
    (data,) = read(page).data
    assert data["leftOut"] > 0
    assert f"{data['leftOut']} chunks without an answer are listed without their words" in page
    for query in data["queries"]:
        for side in query["sides"].values():
            assert all(chunk["text"] >= 0 for chunk in side["chunks"] if chunk["held"])


def test_marks_find_words_that_extraction_changed() -> None:
    excerpt = "The “north” gate opens at six"
    text = 'Before. The "north"\n gate   opens at six. After.'
    ((start, end, item),) = marks(text, [(0, 0, len(excerpt))], [excerpt])
    assert (text[start:end].split(), item) == (["The", '"north"', "gate", "opens", "at", "six"], 0)


def test_marks_of_a_beginning_are_at_the_end_of_the_chunk() -> None:
    excerpt = "the gate opens at six"
    text = "the gate is old; the gate"
    assert marks(text, [(0, 0, 8)], [excerpt]) == ((17, 25, 0),)


def test_overlapping_marks_are_kept_apart_and_documents_mark_nothing() -> None:
    assert marks("abcdef", [(0, 0, 4), (1, 0, 4), (2, 0, 0)], ["abcd", "cdef", None]) == ((0, 4, 0), (4, 6, 1))


def test_the_curve_ends_where_recall_at_all_ranks_is() -> None:
    curve = reading_curve(LOSING, "candidate")
    assert [point.rank for point in curve] == list(range(1, len(curve) + 1))
    assert all(a.tokens <= b.tokens and a.recall <= b.recall + 1e-9 for a, b in pairwise(curve))
    at5 = LOSING.outcome.evaluation.metric("recall@5")
    assert at5 is not None
    assert curve[4].recall == pytest.approx(at5.candidate)
    result = LOSING.outcome.evaluation.queries[0].candidate
    assert recall_by_rank(result, ())[0] == 0.0
