"""What a pull request and a job say on GitHub: one comment in sections, the job summary, the outputs of the step."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from azsearch_ops.errors import BreakingError, HeldReleaseError, Problem
from azsearch_ops.reporting.chunks_markdown import cut_section
from azsearch_ops.reporting.markdown import runs_markdown
from azsearch_ops.reporting.markdown_text import cell, code
from azsearch_ops.verbs.evaluating.run_files import read_run

if TYPE_CHECKING:  # It imports all that a review takes, and a result is reported without
    from azsearch_ops.verbs.github.pull_request import Review, Reviewed

MARKER: Final = "<!-- azsearch-ops pull-request -->"
"""What the comment begins with, whoever writes it next."""

DRIFT_MARKER: Final = "<!-- azsearch-ops drift {environment} -->"

MARKS: Final = {"pass": "✅", "fail": "❌", "undecided": "⚠️", "error": "❌", "unchanged": "✅"}
# Two sections share one comment of 65,536 characters.
SECTION_LIMIT: Final = 30_000
MOST_PROBLEMS: Final = 50

_SECTION = re.compile(
    r"<!-- section (?P<environment>[\w.-]+) (?P<commit>\w*) -->\n.*?\n<!-- end (?P=environment) -->", re.DOTALL
)


def review_markdown(review: Review, root: Path) -> str:
    """A review as one text: what the change does to its own yardstick, the verdict, then every index definition."""
    if not review.indexes:
        return "\n".join(["## ❌ The definitions have problems", "", *_problems(review.problems)])
    parts = [_one(r, root, SECTION_LIMIT // len(review.indexes)) for r in review.indexes]
    lines = [f"## ⚠️ {cell(r.name)}: this change {cell('; it '.join(r.moves), 600)}" for r in review.indexes if r.moves]
    lines = [*(_breaking(r) for r in review.indexes if r.plan is not None and r.plan.breaking), *lines]
    if len(parts) > 1:
        told = ", ".join(f"{cell(r.name)} {r.verdict}" for r in review.indexes)
        lines += [f"## {MARKS[review.verdict]} {review.verdict}: {told}", ""]
    lines += ["\n\n".join(parts)]
    if review.problems:
        lines += ["", "### Problems of the definitions", *_problems(review.problems)]
    where = "the local service in this runner" if review.is_local else code(review.environment)
    lines += ["", f"Measured on {where}. {cell(review.note, 500)}".rstrip()]
    return "\n".join(lines)


def comment_with(present: str, environment: str, commit: str, text: str, *, is_local: bool) -> str:
    """The comment `present` with the section of this environment put in place of its older one.

    Sections about other commits are dropped. What was measured on a real service stands before the local one.
    """
    sections = {m["environment"]: m[0] for m in _SECTION.finditer(present) if m["commit"] == commit[:12]}
    sections.pop(environment, None)
    own = f"<!-- section {environment} {commit[:12]} -->\n{text.strip()}\n<!-- end {environment} -->"
    others = [sections[name] for name in sorted(sections)]
    return "\n\n".join([MARKER, *([*others, own] if is_local else [own, *others])]) + "\n"


def review_outputs(review: Review, report: str) -> dict[str, str]:
    """Outputs of the step: worst verdict, and the candidates by name. Nothing is released."""
    candidates = {r.name: r.plan.candidate for r in review.indexes if r.plan is not None}
    return _outputs(review.verdict, candidates, {}, review.exit_code, report)


def result_outputs(document: Mapping[str, Any]) -> dict[str, str]:
    """Outputs of the step for the JSON document of any command."""
    indexes = _indexes(document)
    verdicts = [str(d["verdict"]) for d in indexes.values() if d.get("verdict")]
    verdict = next((v for v in ("fail", "undecided", "pass") if v in verdicts), "")
    if document["exit_code"] not in (0, 2, 3):
        verdict = "error"
    candidates = {n: str(d["candidate"]) for n, d in indexes.items() if d.get("candidate")}
    releases = {n: str(d["release"]) for n, d in indexes.items() if d.get("release")}
    paths = [str(d.get("path") or (d.get("evaluation") or {}).get("path") or "") for d in indexes.values()]
    outputs = _outputs(verdict, candidates, releases, int(document["exit_code"]), next(filter(None, paths), ""))
    return {**outputs, "changed": json.dumps(_to_ship(document))} if document["command"] == "plan" else outputs


def result_report(document: Mapping[str, Any], root: Path, accepted: str | None) -> tuple[str, int]:
    """The job summary of a result, and the exit code to leave with: the command's own.

    With a reason in `accepted` an undecided verdict leaves with 0, and nothing else does.
    """
    text = f"{result_markdown(document, root)}\n{_acceptance(document, accepted)}"
    parts = _indexes(document).values()
    undecided = document["exit_code"] == 3 and bool(parts) and all(_undecided(part) for part in parts)
    return text, 0 if undecided and accepted is not None else int(document["exit_code"])


def result_markdown(document: Mapping[str, Any], root: Path) -> str:
    """The JSON document of a command as release notes for the job summary."""
    command, status = cell(document["command"]), cell(document["status"])
    mark = "✅" if document["exit_code"] in (0, 2) else "❌"
    lines = [f"## {mark} {command}: {status}", ""]
    error = (document["data"] or {}).get("error") if isinstance(document["data"], Mapping) else None
    if error:
        lines += [f"**{cell(error['message'], 1000)}** [{cell(error['code'])}]", "", cell(error["hint"], 500), ""]
    for name, data in _indexes(document).items():
        lines += [_released(name, data), ""]
        path = data.get("path") or (data.get("evaluation") or {}).get("path")
        if path and (root / path).is_file():
            lines += [runs_markdown([read_run(root / path)], SECTION_LIMIT), ""]
    return "\n".join([*lines, *_problems(tuple(_problem(p) for p in document["problems"]))])


def drift_issue(text: str, environment: str, run_url: str) -> str:
    """The body of the issue about drift; `text` is the drift as Markdown."""
    foot = (
        "Ship the definitions to put it back, or write the edit into them. This issue is kept up to date, and closed."
    )
    run = f" [Run]({run_url})" if run_url else ""
    return f"{DRIFT_MARKER.format(environment=environment)}\n{text.strip()}\n\n{foot}{run}\n"


def _one(reviewed: Reviewed, root: Path, limit: int) -> str:
    name, verdict = cell(reviewed.name), reviewed.verdict
    if reviewed.evaluation is not None and reviewed.error is None:
        cuts = cut_section(reviewed.chunks, limit // 4)
        return runs_markdown([read_run(root / reviewed.evaluation.path)], limit, cuts).rstrip("\n")
    if reviewed.error is None:
        told = "nothing changes" if verdict == "unchanged" else "changes in place; no ranking can move"
        return f"## ✅ {name}: {told}"
    error = reviewed.error
    lines = [f"## ❌ {name}: {cell(error.message, 500)}", "", cell(error.hint, 500)]
    carried: tuple[Problem, ...] = getattr(error, "problems", ())
    return "\n".join([*lines, *_problems(carried)]).rstrip()


def _breaking(reviewed: Reviewed) -> str:
    changes = reviewed.plan.breaking if reviewed.plan is not None else ()
    told = "; ".join(f"{change.pointer.strip('/')}: {change.rule}" for change in changes)
    return (
        f"## ⚠️ {cell(reviewed.name)}: this change is breaking: {cell(told, 600)}. "
        "Shipping it needs `--accept-breaking --reason TEXT`\n"
    )


def _problems(problems: tuple[Problem, ...]) -> list[str]:
    lines = [
        f"- {code(str(p.location)) + ' ' if p.location else ''}{p.severity}: {cell(p.message, 400)} [{cell(p.code)}]"
        for p in problems[:MOST_PROBLEMS]
    ]
    rest = len(problems) - MOST_PROBLEMS
    return [*lines, *([f"- and {rest} more"] if rest > 0 else [])]


def _problem(data: Mapping[str, Any]) -> Problem:
    return Problem(str(data["code"]), str(data["message"]), severity=data["severity"], hint=str(data["hint"]))


def _indexes(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parts of a result by index definition, whether the command was about one or several."""
    data = document["data"]
    if not isinstance(data, Mapping) or "error" in data:
        return {}
    several = data.get("indexes")
    if isinstance(several, Mapping):
        return {str(name): part for name, part in several.items() if isinstance(part, Mapping)}
    return {str(data.get("name") or data.get("alias") or document["command"]): data}


def _released(name: str, data: Mapping[str, Any]) -> str:
    if "pruned" in data:
        rows = [f"- {cell(e['done'])} {code(str(e['name']))}: {cell(e['why'], 300)}" for e in data["pruned"]]
        return "\n".join([f"{cell(name)}:", *rows] if rows else [f"{cell(name)}: nothing to delete"])
    if data.get("release") and (data.get("alias")):
        target = data.get("candidate") or data.get("after") or ""
        accepted = data.get("accepted_breaking")
        told = f". Breaking changes are accepted: {cell(accepted['reason'], 500)}" if accepted else ""
        answers = f"{code(str(data['alias']))} answers from {code(str(target))}"
        return f"{cell(name)}: release {data['release']}, {answers}{told}"
    return f"{cell(name)}: {cell(data.get('why_not') or data.get('verdict') or 'done', 500)}"


def _acceptance(document: Mapping[str, Any], reason: str | None) -> str:
    """For an undecided verdict how it is accepted, or with a `reason` that it is; for a hold and for breaking too."""
    error = (document["data"] or {}).get("error") or {}
    if error.get("code") == HeldReleaseError.code and document["command"] == "build":
        return "To lift the hold, run the workflow **ship** by hand with this index, accept `hold`, and a reason.\n"
    if error.get("code") == BreakingError.code and document["command"] == "build":
        return "To accept it, run the workflow **ship** by hand with this index, accept `breaking`, and a reason.\n"
    undecided = [name for name, part in _indexes(document).items() if _undecided(part)]
    if document["command"] != "evaluate" or not undecided:
        return ""
    if reason is not None:
        return f"The undecided verdict is accepted: {cell(reason, 500)}\n"
    return (
        f"To accept it, look at the queries, then run the workflow **ship** by hand with index {code(undecided[0])}, "
        "accept `undecided`, and a reason. It is measured again, and goes on to the approval.\n"
    )


def _to_ship(document: Mapping[str, Any]) -> list[str]:
    """Index definitions that a plan changes, and those that it only adopts: they have no release yet."""
    data = document["data"] if isinstance(document["data"], Mapping) else {}
    adopted = [name for name, plan in (data.get("plans") or {}).items() if plan.get("adopts")]
    return list(dict.fromkeys([*(data.get("changed") or ()), *adopted]))


def _undecided(data: Mapping[str, Any]) -> bool:
    return data.get("verdict") == "undecided" and not data.get("tainted")


def _outputs(
    verdict: str, candidates: Mapping[str, str], releases: Mapping[str, str], exit_code: int, report: str
) -> dict[str, str]:
    one = len(candidates) == 1
    return {
        "verdict": verdict,
        "exit-code": str(exit_code),
        "candidate": next(iter(candidates.values())) if one else "",
        "release": next(iter(releases.values())) if len(releases) == 1 else "",
        "report": report,
        "candidates": json.dumps(candidates, sort_keys=True),
        "releases": json.dumps(releases, sort_keys=True),
    }
