"""`chunk`: how documents are cut, what a change moves, in text, JSON and Markdown, and in a review."""

from __future__ import annotations

import subprocess

from projects import Project

RULES = " ".join(f"Rule {n} says that form {n} goes to desk {n} of the office." for n in range(1, 121))
QUERIES = """
  - id: q5
    query: Where do forms 5 and 6 go?
    relevant:
      - document: rules.md
        excerpt: "form 5 goes to desk 5 of the office. Rule 6 says that form 6 goes to desk 6 of the office."
  - id: q6
    query: Where do forms 16 and 17 go?
    holdout: true
    relevant:
      - document: rules.md
        excerpt: "form 5 goes to desk 5 of the office. Rule 6 says that form 6"
"""


def git(project: Project, *arguments: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *arguments], cwd=project.root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def change(project: Project) -> None:
    """A document of many chunks in a repository, and a change that cuts it finer and without an overlap."""
    (project.root / "infra/local/containers/handbook/rules.md").write_text(f"# Rules\n\n{RULES}\n", "utf-8")
    with (project.root / "indexes/handbook/queries.yaml").open("a", encoding="utf-8") as file:
        file.write(QUERIES.lstrip("\n"))
    (project.root / ".gitignore").write_text(".azsearch/\n", "utf-8")
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "before")
    project.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 310")
    project.replace("skillsets/handbook.yaml", "pageOverlapLength: 500", "pageOverlapLength: 0")


def test_a_change_of_chunking_is_told_before_anything_is_built(small: Project) -> None:
    change(small)
    all_of_them = small.data("chunk", "handbook", "--diff", "main")
    assert all_of_them["cutting"]["maximumPageLength"] == 310
    assert all_of_them["base"]["cutting"]["pageOverlapLength"] == 500
    assert all_of_them["base"]["revision"].startswith("main (")
    told = {d["document"]: d for d in all_of_them["documents"]}
    assert set(told) == {"leave.md", "parts.txt", "rules.md", "travel.md", "visitors.html"}
    assert told["leave.md"]["moves"]["boundaries"] == {"kept": 0, "gone": [], "new": []}
    rules = told["rules.md"]
    assert rules["moves"]["boundaries"]["gone"]
    assert rules["moves"]["boundaries"]["new"]
    assert [cut["query"] for cut in rules["moves"]["cut_now"]] == ["q5"], "a held-out query stands in no list"
    assert (rules["judged"], rules["moves"]["whole_now"]) == (1, [])

    one = small.data("chunk", "handbook", "--document", "rules.md")["documents"][0]
    text = f"# Rules\n\n{RULES}\n"
    chunks = one["chunks"]
    assert [c["number"] for c in chunks] == list(range(1, one["count"] + 1))
    assert "".join(text[c["start"] : c["end"]] for c in chunks) == text, "without an overlap they are the document"
    assert all(c["length"] <= 310 and c["tokens"] > 0 and c["overlap"] == 0 for c in chunks)
    assert chunks[0]["first"] == "# Rules Rule 1 says"
    assert any(c["end"] == one["cut"][0]["at"] for c in chunks)

    shown = small.run("chunk", "handbook", "--document", "rules.md", "--diff", "main")
    assert shown.returncode == 0, shown.stderr
    assert "cut now, whole before: q5 at " in shown.stdout
    assert "q6" not in shown.stdout
    comment = small.run("chunk", "handbook", "--diff", "main", "--format", "markdown").stdout
    assert "| `rules.md` |" in comment
    assert "- `rules.md`: cut now: q5 at " in comment


def test_what_cannot_be_told_is_said(small: Project) -> None:
    change(small)
    for arguments, said in (
        (("--document", "rule.md"), "did you mean 'rules.md'?"),
        (("--diff", "nowhere"), "there is no revision 'nowhere'"),
    ):
        done = small.run("chunk", "handbook", *arguments)
        assert done.returncode == 1
        assert said in done.stderr


def test_a_review_shows_how_the_documents_are_cut_and_no_words_where_none_are_allowed(small: Project) -> None:
    change(small)
    reviewed = small.run("github", "pull-request", "--base", "main")
    assert reviewed.returncode in (0, 3), reviewed.stderr
    counts = small.data("chunk", "handbook", "--diff", "main")["documents"]
    live = small.data("status", "handbook")["indexes"]["handbook"]["documents"]
    assert live == sum(d["moves"]["count_before"] for d in counts), "what the service made of the base"
    text = (small.root / ".azsearch/github/local.md").read_text("utf-8")
    assert "<details><summary>How one document is cut now</summary>" in text
    section = text[text.index("How one document is cut now") :].partition("</details>")[0]
    assert "**`rules.md`**" in section
    assert "cut now: q5 at " in section
    assert "q6" not in section
    assert len(section) < 6_000
    assert "Rule 6 says" in section or "Rule 5 says" in section

    local = small.root / "infra/environments/local.yaml"
    local.write_text(local.read_text("utf-8") + "\nreports: {text: ids}\n", "utf-8")
    told = small.run("chunk", "handbook", "--document", "rules.md", "--diff", "main", "--output", "json").stdout
    assert '"query": "q5"' in told
    assert "Rule" not in told
    assert "Rule" not in small.run("chunk", "handbook", "--document", "rules.md", "--format", "markdown").stdout


def test_the_text_that_skills_add_to_is_not_taken_for_the_documents(small: Project) -> None:
    skillset = small.root / "skillsets/handbook.yaml"
    assert small.data("chunk", "handbook")["note"] == ""
    lines = skillset.read_text("utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("chunking:"))
    lines.insert(start + 1, "  inputs: [{name: text, source: /document/merged_content}]")
    skillset.write_text("\n".join(lines) + "\n", "utf-8")
    assert "/document/merged_content" in small.data("chunk", "handbook")["note"]
