"""One comment on a pull request, one issue about drift: found by a marker and edited in place, never written twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from azsearch_ops.errors import UnreachableError
from azsearch_ops.verbs.github.api import GitHub, RefusedError

# GitHub refuses longer bodies with 422 (docs.github.com/rest/issues/comments).
LONGEST: Final = 65_536

Action = Literal["created", "edited", "unchanged", "closed", "none", "refused"]


@dataclass(frozen=True, slots=True)
class Posted:
    """What became of a comment or an issue; `why` tells why it was refused."""

    action: Action
    url: str = ""
    why: str = ""


def post_comment(github: GitHub, number: int, marker: str, body_for: Callable[[str], str]) -> Posted:
    """The comment that holds `marker`, with the body that `body_for` makes of the present one ("" where there is none).

    Where the token may not comment nothing is raised: the outcome is `refused` with the reason.
    """
    try:
        found = _comment(github, number, marker)
        body = limited(body_for(found["body"] if found else ""))
        if found is None:
            return _create(github, number, marker, body)
        if found["body"] == body:
            return Posted("unchanged", str(found["html_url"]))
        edited = github.call("PATCH", f"issues/comments/{found['id']}", {"body": body})
        return Posted("edited", str(edited["html_url"]))
    except RefusedError as refused:
        return Posted("refused", why=refused.message)


def keep_issue(github: GitHub, marker: str, title: str, body: str, *, wanted: bool) -> Posted:
    """One open issue with `marker` where `wanted`, else none: opened, edited in place, or closed."""
    try:
        found = _issue(github, marker)
        if not wanted:
            if found is None:
                return Posted("none")
            github.call("PATCH", f"issues/{found['number']}", {"state": "closed", "state_reason": "completed"})
            return Posted("closed", str(found["html_url"]))
        content = {"title": title, "body": limited(body)}
        if found is None:
            made = github.call("POST", "issues", content, repeat=False)
            return Posted("created", str(made["html_url"]))
        if found["body"] == content["body"] and found["title"] == title:
            return Posted("unchanged", str(found["html_url"]))
        edited = github.call("PATCH", f"issues/{found['number']}", content)
        return Posted("edited", str(edited["html_url"]))
    except RefusedError as refused:
        return Posted("refused", why=refused.message)


def limited(body: str) -> str:
    """The body, cut at a line where GitHub would not take it; the cut is said, an open code block or fold closed."""
    if len(body) <= LONGEST:
        return body
    end = "\n</details>\n\n(cut: the whole report is in the job summary and its artifact)\n"
    kept = body[: LONGEST - len(end) - 8].rpartition("\n")[0]
    fence = "\n```" if kept.count("\n```") % 2 else ""
    return (
        f"{kept}{fence}{end if kept.count('<details>') > kept.count('</details>') else end.replace('</details>', '')}"
    )


def _comment(github: GitHub, number: int, marker: str) -> Any:
    rows = github.pages(f"issues/{number}/comments")
    return next((row for row in rows if _is_ours(github, row, marker)), None)


def _is_ours(github: GitHub, row: Any, marker: str) -> bool:
    """Whether a comment or issue is the one to edit: anybody can write a marker, and would own what we write there."""
    by_bot = (row.get("user") or {}).get("type") == "Bot"
    return str(row["body"] or "").startswith(marker) and (by_bot or not github.runner.is_bot)


def _create(github: GitHub, number: int, marker: str, body: str) -> Posted:
    """A new comment; where the answer is lost it may have been made, so it is looked for before another is written."""
    for last in (False, True):
        try:
            made = github.call("POST", f"issues/{number}/comments", {"body": body}, repeat=False)
            return Posted("created", str(made["html_url"]))
        except UnreachableError:
            found = _comment(github, number, marker)
            if found is not None:
                return Posted("created", str(found["html_url"]))
            if last:
                raise
    raise AssertionError("the last try returns or raises")


def _issue(github: GitHub, marker: str) -> Any:
    rows = github.pages("issues?state=open")
    return next((r for r in rows if "pull_request" not in r and _is_ours(github, r, marker)), None)
