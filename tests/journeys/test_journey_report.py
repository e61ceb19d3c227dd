"""`report` on runs of the real commands, and the page as a browser shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chromium import Page, browser, find_chromium
from projects import Project, small_project

from azsearch_ops.reporting.report_files import render_report
from azsearch_ops.verbs.evaluating.reporting_runs import runs_named

needs_chromium = pytest.mark.skipif(find_chromium() is None, reason="no Chromium is installed here")

WORDS = ("orange badge", "lapse at the end", "Graz warehouse", "What do visitors wear", "How many days of leave")
"""Words of the small project's documents and queries."""


def only(folder: Path, pattern: str) -> Path:
    """The one file that fits."""
    (found,) = folder.glob(pattern)
    return found


def lines_of(*, blocked: bool) -> tuple[str, str]:
    """An edit of the gate: a floor that nothing reaches, or the file as it is."""
    return ("mrr@10: {}", "mrr@10: {floor: 1.0}" if blocked else "mrr@10: {max_drop: 0.2}")


def test_every_run_has_its_reports_beside_it_and_the_terminal_names_the_page(small: Project) -> None:
    shipped = small.run("ship", "handbook")
    assert shipped.returncode == 0, shipped.stderr
    page = only(small.root, ".azsearch/runs/*/report.html")
    assert f"report    {page}" in shipped.stdout  # The command ran elsewhere
    assert f"report    {page}" in small.run("report", "--format", "html").stdout
    assert (
        page.with_name("report.md")
        .read_text("utf-8")
        .startswith("<!-- azsearch-ops pr handbook -->\n## ✅ handbook: pass")
    )
    assert set(json.loads(page.with_name("chunks.json").read_text("utf-8"))["excerpts"]) == {"q1", "q2", "q3", "q4"}


def test_any_form_of_any_run(small: Project, tmp_path: Path) -> None:
    first = small.data("ship", "handbook")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    small.replace("indexes/handbook/index.yaml", *lines_of(blocked=True))
    queries = small.root / "indexes/handbook/queries.yaml"
    misled = "  - id: q5\n    query: orange badge\n    relevant: [{document: leave.md}]\n"
    queries.write_text(queries.read_text("utf-8") + misled, "utf-8")
    blocked = small.data("ship", "handbook", code=3)
    newest, oldest = Path(blocked["evaluation"]["path"]), Path(first["evaluation"]["path"])

    text = small.run("report").stdout
    assert "handbook → local   local service" in text
    assert "gate      FAIL" in text
    for named in ("1", "handbook/1", first["candidate"], str(small.root / oldest), oldest.parent.name[:15]):
        told = small.data("report", named)
        assert [run["candidate"] for run in told["runs"]] == [first["candidate"]], named

    both = small.data("report", blocked["candidate"], "1", "--format", "markdown", "--out", str(tmp_path / "two.md"))
    assert both["written"] == [str(tmp_path / "two.md")]
    comment = (tmp_path / "two.md").read_text("utf-8")
    assert comment.count("| local service: ") == 2
    assert "`skillsets/handbook.yaml:4` | maximumPageLength | 2000 | 1500 | rebuild" in comment

    junit = ElementTree.fromstring(small.run("report", "--format", "junit").stdout)
    assert int(junit.attrib["failures"]) >= 1
    report = json.loads(small.run("report", "--format", "json").stdout)
    (run,) = report["runs"]
    assert run["verdict"] == "fail"
    kept = json.loads(Path(run["record"]).read_text("utf-8"))
    assert kept["evaluation"]["queries"][0]["live"]["ranking"]
    assert "ranking" not in run["evaluation"]["queries"][0]["live"]
    assert {"live", "candidate", "difference", "low", "high", "p", "limit", "verdict"} <= set(run["metrics"]["mrr@10"])
    nowhere = small.run("report", "--format", "junit", "--out", "/dev/null/report.xml")
    assert (nowhere.returncode, "cannot write /dev/null/report.xml" in nowhere.stderr) == (1, True)
    trec = small.data("report", "--format", "trec")["written"]
    assert [Path(path).name for path in trec] == ["qrels.txt", "candidate.run", "live.run"]
    assert all(Path(path).parent.parent == small.root / newest.parent for path in trec)


def test_a_release_whose_files_are_elsewhere_is_told_from_the_ledger(small: Project, tmp_path: Path) -> None:
    shipped = small.data("ship", "handbook")
    (small.root / shipped["evaluation"]["path"]).unlink()
    page = tmp_path / "page.html"
    small.data("report", "1", "--format", "html", "--out", str(page))
    text = page.read_text("utf-8")
    assert shipped["candidate"] in text
    assert "Only the summary of this run is here" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "there is no run yet"),
        (("nonesuch",), "there is no run 'nonesuch'"),
        (("a", "b", "c"), "one run or two"),
    ],
)
def test_a_run_that_is_not_there(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    project = small_project(tmp_path)
    told = project.run("report", *arguments)
    assert told.returncode == 1
    assert said in told.stderr


def test_a_record_that_is_none_is_refused(tmp_path: Path) -> None:
    project = small_project(tmp_path)
    folder = project.root / ".azsearch/runs/20260101T000000-x-000000"
    folder.mkdir(parents=True)
    for content in ("{", "[]", '{"name": "x"}', '{"schema": 1, "evaluation": {}}'):
        (folder / "evaluation.json").write_text(content, "utf-8")
        told = project.run("report")
        assert told.returncode == 1, content
        assert "[evaluation-record]" in told.stderr


def test_where_only_ids_may_leave_no_word_leaves(small: Project) -> None:
    environment = small.root / "infra/environments/local.yaml"
    environment.write_text(environment.read_text("utf-8") + "reports: {text: ids}\n", "utf-8")
    said = [small.run("ship", "handbook")]
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    small.replace("indexes/handbook/index.yaml", *lines_of(blocked=True))
    queries = small.root / "indexes/handbook/queries.yaml"
    misled = "  - id: q5\n    query: Who wears the orange badge?\n    relevant: [{document: leave.md}]\n"
    queries.write_text(queries.read_text("utf-8") + misled, "utf-8")
    said += [small.run("ship", "handbook"), small.run("evaluate", "handbook", "--output", "json")]
    said += [small.run("report"), small.run("report", "--format", "trec")]
    assert [done.returncode for done in said] == [0, 3, 3, 0, 0], [done.stderr for done in said]
    quoted = queries.read_text("utf-8").replace("Employees have 26", "Employees may have 26")
    queries.write_text(quoted, "utf-8")
    said += [small.run("validate"), small.run("ship", "handbook")]
    runs = [path for path in (small.root / ".azsearch/runs").rglob("*") if path.is_file()]
    assert not [path for path in runs if path.name == "chunks.json"]
    assert len([path for path in runs if path.name == "report.html"]) >= 3
    texts = {str(path): path.read_text("utf-8") for path in runs}
    (run,) = runs_named(small.root, (), "local", {})
    texts |= {form: str(render_report([run], form)) for form in ("junit", "json")}
    texts |= {f"{done.args}": done.stdout + done.stderr for done in said}
    leaked = [(name, words) for name, text in texts.items() for words in WORDS if words.lower() in text.lower()]
    assert leaked == []
    assert "Employees have" not in "".join(texts.values())


@pytest.fixture(scope="module")
def losing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page of a change that loses answers: chunks so long that what tells one document from another drowns."""
    folder = tmp_path_factory.mktemp("losing")
    project = small_project(folder)
    container = project.root / "infra/local/containers/handbook"
    entries = []
    for n in range(30):
        answer = (
            f"Door {n} of building {n * 3} opens at {n % 12 + 6}:15 for holders of badge K-{n}0{n}, "
            "and never before that hour."
        )
        padding = f"General remarks on building {n * 3} fill these lines without saying anything. " * (4 + n % 3)
        (container / f"door-{n}.md").write_text(f"# Door {n}\n\n{padding}{answer} {padding}\n", "utf-8")
        entries.append(
            f"  - id: d{n:02d}\n    query: When does door {n} open for badge K-{n}0{n}?\n    tags: [doors]\n"
            f'    relevant: [{{document: door-{n}.md, excerpt: "{answer}"}}]\n'
        )
    queries = project.root / "indexes/handbook/queries.yaml"
    queries.write_text(queries.read_text("utf-8") + "".join(entries), "utf-8")
    try:
        sizes = (
            ("maximumPageLength: 2000", "maximumPageLength: 300"),
            ("pageOverlapLength: 500", "pageOverlapLength: 0"),
        )
        for old, new in sizes:
            project.replace("skillsets/handbook.yaml", old, new)
        project.data("ship", "handbook")
        for old, new in sizes:
            project.replace("skillsets/handbook.yaml", new, old)
        blocked = project.data("ship", "handbook", code=3)
        yield project.root / blocked["evaluation"]["report"]
    finally:
        project.run("local", "stop")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of a headless browser."""
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


def luminance(color: str) -> float:
    """Relative luminance of `rgb(…)` (https://www.w3.org/TR/WCAG21/#dfn-relative-luminance)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


READ = "h1, h2, .about, .lead, .reasons, td, th, .chip, .tiles .value, .why, .rank, .figures, .cause, mark, .facts dd"
CONTRASTS = f"""[...document.querySelectorAll("{READ}")]"""
CONTRASTS += """
  .filter((node) => node.offsetParent && node.textContent.trim()).map((node) => {
    let back = node;
    while (back && getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)") back = back.parentElement;
    return [node.className || node.tagName, getComputedStyle(node).color, getComputedStyle(back).backgroundColor];
  })"""


@needs_chromium
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (900, True), (390, False)])
def test_the_page_asks_nobody_and_reads_well(page: Page, losing: Path, tmp_path: Path, width: int, dark: bool) -> None:
    page.open(losing, width=width, dark=dark)
    assert page.requests == [losing.resolve().as_uri()]
    assert page.errors == []
    assert page.run("document.documentElement.scrollWidth") <= width, "nothing sticks out"
    hidden = "[...document.querySelectorAll('.gate')].filter(t => t.scrollWidth > t.parentElement.clientWidth).length"
    assert page.run(hidden) == 0, "the verdict of each metric is seen without scrolling"
    assert page.run("document.documentElement.dataset.theme") == ("dark" if dark else "light")
    assert "mrr@10" in page.run("document.querySelector('table.gate').innerText")
    page.press("j")
    for name, ink, paper in page.run(CONTRASTS):
        low, high = sorted((luminance(ink), luminance(paper)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (name, ink, paper)
    shots = {page.screenshot(tmp_path / "top.png")}
    for section in ("gate", "moves", "price", "queries"):
        page.run(f"document.querySelector('[data-section={section}]').scrollIntoView({{behavior: 'instant'}})")
        shots.add(page.screenshot(tmp_path / f"{section}.png"))
    assert len(shots) == 5
    assert all(len(shot) > 10_000 for shot in shots), "nothing is blank"


CURRENT = "document.querySelector('.list li[aria-current=true] .id')?.textContent"


@needs_chromium
def test_the_page_by_keyboard(page: Page, losing: Path) -> None:
    page.open(losing)
    shown = "[...document.querySelectorAll('.list li:not([hidden]) .id')].map((node) => node.textContent)"
    listed = page.run(shown)
    assert len(listed) > 3
    assert page.run(CURRENT) == listed[0]
    page.press("j")
    page.press("j")
    assert page.run(CURRENT) == listed[2]
    page.press("k")
    assert page.run(CURRENT) == listed[1]
    assert page.run("location.hash") == f"#{listed[1]}"
    page.run("document.querySelector('.filters [data-filter=all]').click()")
    page.press("/")
    assert page.run("document.activeElement.type") == "search"
    for key in "badge k-707":
        page.press(key)
    assert page.run(shown) == ["d07"]
    page.press("Escape")
    assert page.run("document.activeElement === document.body")
    page.press("?")
    assert page.run("document.getElementById('help').open") is True
    page.press("Escape")
    assert page.run("document.getElementById('help').open") is False
    page.press("t")
    assert page.run("document.documentElement.dataset.theme") == "dark"
    page.press("t")
    assert page.errors == []


@needs_chromium
def test_both_rankings_side_by_side_with_the_judged_words_marked(page: Page, losing: Path) -> None:
    worse = json.loads(losing.with_name("evaluation.json").read_text("utf-8"))["evaluation"]["changed"]
    (query, *_) = [change for change in worse if not change["better"] and change["id"].startswith("d")]
    number = int(query["id"][1:])
    page.open(losing, fragment=f"#{query['id']}")
    assert page.run(CURRENT) == query["id"]
    assert query["cause"]["detail"] in page.run("document.querySelector('.detail .cause').textContent")
    marked = page.run("document.querySelector('.sides .live mark').textContent")
    assert marked in page.run("document.querySelector('.detail .judged q').textContent")
    assert marked.startswith(f"Door {number} of building {number * 3} opens at")
    left, right = (
        page.run(f"document.querySelector('.sides .{s}').getBoundingClientRect().left") for s in ("live", "candidate")
    )
    assert right > left + 200


@needs_chromium
def test_drawings_choose_queries(page: Page, losing: Path) -> None:
    page.open(losing)
    moved = page.run(
        "[...document.querySelectorAll('.flow[tabindex]')].map((f) => [f.dataset.live, f.dataset.candidate])"
    )
    assert moved
    page.run("document.querySelector('.flow[tabindex]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    wanted = " → ".join(rank if rank != "0" else "–" for rank in moved[0])
    ranks = page.run("[...document.querySelectorAll('.list li:not([hidden]) .rank')].map((n) => n.textContent.trim())")
    assert set(ranks) == {wanted}
    page.run("document.querySelector('.slice[data-tag=doors]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    ids = page.run("[...document.querySelectorAll('.list li:not([hidden]) .id')].map((n) => n.textContent)")
    assert ids
    assert all(name.startswith("d") for name in ids)


@needs_chromium
def test_it_prints(page: Page, losing: Path) -> None:
    page.open(losing)
    assert page.pdf().startswith(b"%PDF-")
