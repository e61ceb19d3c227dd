"""Query sets at work: judgements that do not fit, held-out and drafted queries, judging, logs, other forms."""

import json
import os
import pty
import select
import subprocess
import time

from projects import COMMAND

QUERIES = "indexes/handbook/queries.yaml"


def write_queries(small, text):
    (small.root / QUERIES).write_text(text, "utf-8")


def held_out(small):
    """Everything under .azsearch/runs, as text."""
    return "".join(path.read_text("utf-8") for path in (small.root / ".azsearch/runs").rglob("*") if path.is_file())


def test_judgements_by_chunk_key_are_undecided_and_told(small):
    key = "8f2a77c1d0e5_aHR0cHM6Ly9sb2NhbA_pages_{}"
    rows = [f"  - {{id: q{n}, query: What of {n}?, relevant: [{{document: {key.format(n)}}}]}}\n" for n in range(3)]
    write_queries(small, "queries:\n" + "".join(rows))
    data = small.data("ship", "handbook", code=3)
    shipped = data["handbook"] if "handbook" in data else data["shipped"][0] if "shipped" in data else data
    verdict = json.dumps(shipped)
    assert '"undecided"' in verdict and "100 % of the judgements (3 of 3) are unresolved" in verdict
    assert "name the document" in verdict and '"promoted": false' in verdict


def test_held_out_queries_count_and_are_shown_nowhere(small):
    small.data("ship", "handbook")
    secret = "Which badge do the visitors put on?"
    text = (small.root / QUERIES).read_text("utf-8").replace("What do visitors wear?", secret)
    write_queries(small, text.replace("id: q4\n", "id: q4-unseen\n    holdout: true\n"))
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 300")
    small.replace("skillsets/handbook.yaml", "pageOverlapLength: 500", "pageOverlapLength: 0")
    small.data("build", "handbook")
    done = small.run("evaluate", "handbook", "--output", "json")
    document = json.loads(done.stdout)
    told = json.dumps(document)
    assert '"holdouts": 1' in told and '"queries": 4' in told
    for words in (secret, "q4-unseen"):
        assert words not in told and words not in held_out(small) and words not in done.stderr
    terminal = small.run("evaluate", "handbook")
    assert "1 held out" in terminal.stdout and "q4-unseen" not in terminal.stdout and secret not in terminal.stdout


def test_moved_quotes_and_missing_documents(small):
    container = small.root / "infra/local/containers/handbook"
    (container / "travel.md").write_text(
        "# Travel\n\nMileage is paid at 0.42 euro per kilometre. Claims are due within 45 days of the trip.\n", "utf-8"
    )
    (container / "parts.txt").unlink()
    checked = small.run("queries", "check", "handbook", "--output", "json")
    document = json.loads(checked.stdout)
    assert checked.returncode == 0 and document["data"]["anchoring"] == {
        "exact": 1,
        "fuzzy": 1,
        "document missing": 1,
        "whole document": 1,
    }
    (moved,) = document["data"]["moved"]
    assert moved["reads"] == "Claims are due within 45 days of the trip" and 0.8 < moved["score"] < 1
    assert {(p["code"], p["severity"]) for p in document["problems"]} == {("AZS711", "note"), ("AZS715", "note")}
    assert [p["location"]["line"] for p in document["problems"]] == [9, 13]
    text = small.run("ship", "handbook").stdout
    assert "3 queries" in text and "PASS" in text
    for name in ("travel.md", "leave.md"):
        (container / name).unlink()
    (container / "other.md").write_text("# Other\n\nNothing of what is asked.\n", "utf-8")
    done = small.run("ship", "handbook")
    assert done.returncode == 3 or "nothing to do" in done.stdout or "no changes" in done.stdout
    small.replace("infra/environments/local.yaml", "endpoint: local", "missing_documents: fail\nendpoint: local")
    strict = small.run("queries", "check", "handbook")
    assert strict.returncode == 1 and "AZS711" in strict.stdout


def test_an_unlabelled_log_is_compared_and_never_gated(small):
    small.data("ship", "handbook")
    log = small.root / "log.jsonl"
    rows = [
        {"search": "When are travel claims due?"},
        {"search": "when are travel claims DUE"},
        {"search": "mail me at anna@example.org about the orange badge"},
        {"search": "??"},
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (small.root / QUERIES).unlink()
    done = small.data("queries", "from-log", str(log), "--out", str(small.root / QUERIES))
    assert (done["read"], done["left_out"], len(done["written"])) == (4, 1, 2)
    text = (small.root / QUERIES).read_text("utf-8")
    assert "anna" not in text and "<email>" in text and "count: 2" in text
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 300")
    small.replace("skillsets/handbook.yaml", "pageOverlapLength: 500", "pageOverlapLength: 0")
    shipped = small.run("ship", "handbook")
    assert shipped.returncode == 3 and "rank-biased overlap" in shipped.stdout
    assert "UNDECIDED" in shipped.stdout and "no judgements" in shipped.stdout


def test_results_are_judged_through_a_file_and_on_a_terminal(small):
    write_queries(small, "# kept\n" + (small.root / QUERIES).read_text("utf-8"))
    small.data("ship", "handbook")
    small.replace("indexes/handbook/index.yaml", "mode: hybrid, top: 5, k: 50", "mode: text, top: 5")
    evaluated = small.run("ship", "handbook")
    runs = sorted(path.name for path in (small.root / ".azsearch/runs").iterdir())
    items = small.root / "items.jsonl"
    exported = small.data("queries", "judge", runs[-1], "--export", str(items))
    rows = [json.loads(line) for line in items.read_text("utf-8").splitlines()]
    assert rows and exported["items"] == len(rows), evaluated.stdout
    assert all(set(row) == {"item", "query_id", "query", "document", "text", "excerpt", "grade"} for row in rows)
    again = small.data("queries", "judge", runs[-1], "--export", str(small.root / "again.jsonl"))
    assert again["items"] == len(rows) and (small.root / "again.jsonl").read_text() == items.read_text()
    (small.root / ".azsearch/runs" / runs[-1] / "chunks.json").unlink()  # Then the texts come from the indexes
    small.data("queries", "judge", runs[-1], "--export", str(small.root / "again.jsonl"))
    assert (small.root / "again.jsonl").read_text() == items.read_text()
    rows[0] |= {"grade": 2, "excerpt": rows[0]["text"][:20]}
    items.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    imported = small.data("queries", "judge", runs[-1], "--import", str(items))
    assert imported["judged"] == 1 and imported["grades"] == {"2": 1}
    text = (small.root / QUERIES).read_text("utf-8")
    assert text.startswith("# kept\n") and "grade: 2" in text
    assert small.run("queries", "check", "handbook").returncode == 0
    rows[0]["grade"] = 9
    items.write_text(json.dumps(rows[0]) + "\n", "utf-8")
    refused = small.run("queries", "judge", runs[-1], "--import", str(items))
    assert refused.returncode == 1 and "items.jsonl:1" in refused.stderr
    assert "needs a terminal" in small.run("queries", "judge", runs[-1]).stderr
    shown = on_terminal(small, ["queries", "judge", runs[-1]], ["0", "q"])
    assert "grade 0-4" in shown and "candidate" not in shown.split("judged")[0].split("grade 0-4")[0].replace(
        runs[-1], ""
    )
    assert "grade: 0" in (small.root / QUERIES).read_text("utf-8") and "1 of" in shown


def on_terminal(project, arguments, answers):
    """What a command shows on a terminal where somebody gives these answers, each to a prompt."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [str(COMMAND), *arguments, "--project", str(project.root)],
        env=project.environ,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        close_fds=True,
    )
    os.close(theirs)
    shown, given, until = "", 0, time.monotonic() + 60
    while time.monotonic() < until:
        ready, _, _ = select.select([ours], [], [], 1.0)
        try:
            shown += os.read(ours, 4096).decode("utf-8", "replace") if ready else ""
        except OSError:  # The other end is closed
            break
        if given < len(answers) and shown.count("grade 0-4") > given and shown.rstrip().endswith(":"):
            os.write(ours, f"{answers[given]}\n".encode())
            given += 1
    os.close(ours)
    process.wait(timeout=30)
    return shown


def test_drafts_are_written_and_do_not_count(small):
    before = small.data("queries", "check", "handbook")
    shown = small.data("queries", "draft", "handbook", "--dry-run")
    made = small.data("queries", "draft", "handbook")
    assert [d["id"] for d in made["written"]] == [d["id"] for d in shown["written"]] and made["written"]
    after = small.data("queries", "check", "handbook")
    assert after["digest"] == before["digest"] and after["drafts"] == len(made["written"])
    assert small.data("queries", "draft", "handbook")["written"] == []
    asked = small.run("queries", "accept", "handbook")
    first = made["written"][0]["id"]
    assert asked.returncode == 1 and "which drafts?" in asked.stderr and first in asked.stderr
    marked = (small.root / QUERIES).read_text("utf-8")
    one = small.data("queries", "accept", "handbook", first)
    assert (one["drafts"], one["queries"]) == (len(made["written"]) - 1, before["queries"] + 1)
    assert (small.root / QUERIES).read_text("utf-8") == marked.replace("    draft: true\n", "", 1)
    assert "no draft of queries.yaml" in small.run("queries", "accept", "handbook", first).stderr
    every = small.data("queries", "accept", "handbook", "--all")
    assert every["drafts"] == 0 and small.data("queries", "check", "handbook")["digest"] != before["digest"]


def test_other_forms_measure_the_same(small):
    yaml = small.data("queries", "check", "handbook")
    folder = small.root / "indexes/handbook"
    for name in ("queries.csv", "queries.jsonl"):
        small.data("queries", "convert", str(small.root / QUERIES), str(folder / name))
        small.replace("indexes/handbook/index.yaml", "queries: queries.yaml", f"queries: {name}")
        found = small.data("queries", "check", "handbook")
        assert (found["digest"], found["anchoring"]) == (yaml["digest"], yaml["anchoring"])
        small.replace("indexes/handbook/index.yaml", f"queries: {name}", "queries: queries.yaml")
    lost = small.data("queries", "convert", str(small.root / QUERIES), str(folder / "h.tsv"), "--to", "trec")["lost"]
    assert lost == ["3 excerpts", "4 tags"]
    small.replace("indexes/handbook/index.yaml", "queries: queries.yaml", "queries: h.tsv\n  qrels: h.qrels")
    found = small.data("queries", "check", "handbook")
    assert found["labelled"] == 4 and found["anchoring"] == {"whole document": 4}
    assert small.run("queries", "convert", str(folder / "h.tsv"), str(folder / "h.qrels")).returncode == 1
