"""The files that bring a project to GitHub: workflows, the action that installs the tool, owners of the yardstick."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

WORKFLOWS: Final = ("drift", "prune", "pull-request", "rollback", "ship", "ship-index")


def github_files() -> Mapping[str, str]:
    """Path below the project → text, as `init --github` writes them."""
    folder = files("azsearch_ops.verbs.github") / "workflows"
    found = {
        ".github/actions/azsearch-ops/action.yml": (folder / "action.yml").read_text("utf-8"),
        ".github/CODEOWNERS": (folder / "CODEOWNERS").read_text("utf-8"),
    }
    for name in WORKFLOWS:
        found[f".github/workflows/{name}.yml"] = (folder / f"{name}.yml").read_text("utf-8")
    return dict(sorted(found.items()))
