"""The texts of the results of a run: those kept beside it, or read from the indexes while they are there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from azsearch_ops.errors import NotFoundError, UsageError
from azsearch_ops.verbs.evaluating.run_files import Run
from azsearch_ops.verbs.session import open_session


def texts_of(
    root: Path, run: Run, environment: str, environ: Mapping[str, str], *, top: int
) -> Mapping[str, Mapping[str, str]]:
    """By side, the text of each of the first `top` results by its key.

    Raises:
        UsageError: the run kept none, and neither index is there any more.
    """
    if run.words.chunks:
        return run.words.chunks
    wanted: dict[str, set[str]] = {"live": set(), "candidate": set()}
    for query in run.outcome.evaluation.queries:
        wanted["candidate"] |= {chunk.key for chunk in query.candidate.ranking[:top]}
        if query.live is not None:
            wanted["live"] |= {chunk.key for chunk in query.live.ranking[:top]}
    found: dict[str, dict[str, str]] = {"live": {}, "candidate": {}}
    with open_session(root, environment, environ) as session:
        definition = session.project.indexes.get(run.outcome.name)
        if definition is None:
            raise UsageError(f"the project has no index definition '{run.outcome.name}'")
        field = definition.evaluation.text
        for side, index in (("live", run.outcome.live), ("candidate", run.outcome.candidate)):
            for key in sorted(wanted[side]) if index is not None else ():
                try:
                    row = session.service.lookup(index or "", key, [field])
                except NotFoundError:
                    row = None
                if row is not None:
                    found[side][key] = str(row.get(field) or "")
    if not any(found.values()):
        raise UsageError(
            "the run kept no texts, and its indexes are gone", hint=f"azsearch-ops evaluate {run.outcome.name}"
        )
    return found
