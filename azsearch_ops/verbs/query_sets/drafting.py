"""`queries draft`: candidates for questions out of the source documents, marked so that nothing counts them yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from azsearch_ops.definitions.files import shown_path
from azsearch_ops.definitions.project import load_project
from azsearch_ops.definitions.queries import form_of, load_queries
from azsearch_ops.definitions.queries_edit import add_queries
from azsearch_ops.definitions.queries_entries import JudgementEntry, QueryEntry, stable_id
from azsearch_ops.errors import Location, UsageError
from azsearch_ops.evaluation.drafting import Candidate, candidates
from azsearch_ops.evaluation.folding import fold
from azsearch_ops.verbs.evaluating.queries import query_set
from azsearch_ops.verbs.sources import source_texts


@dataclass(frozen=True, slots=True)
class Drafts:
    """What was written where. `found` candidates in all, of which some are asked or judged already."""

    path: str
    written: tuple[QueryEntry, ...]
    found: int
    documents: int


def draft_queries(
    root: Path,
    name: str,
    environment: str,
    environ: Mapping[str, str],
    *,
    limit: int,
    out: Path | None = None,
    dry_run: bool = False,
) -> Drafts:
    """At most `limit` drafts, spread over the documents, added to the query set's file or to `out`.

    The same documents and the same query set give the same drafts.

    Raises:
        UsageError: the documents cannot be read from here, or the file cannot hold drafts.
    """
    project = load_project(root, environment, environ)
    if name not in project.indexes:
        there = ", ".join(sorted(project.indexes)) or "none"
        raise UsageError(f"there is no index definition '{name}'", hint=f"the project has: {there}")
    index = project.indexes[name]
    read = source_texts(project, index)
    if read is None:
        raise UsageError(
            f"the documents of {environment} cannot be read from here",
            hint="--env local, or a connection with a folder",
        )
    known = query_set(project, index) if index.evaluation.queries.is_file() else None
    entries = list(known.entries) if known else []
    path, qrels = index.evaluation.queries, index.evaluation.qrels
    if out is not None and out.resolve() != path.resolve():
        path, qrels = out, None
        entries += load_queries(out, root).entries if out.is_file() else ()
    if form_of(path, qrels) in ("trec", "foundry"):
        raise UsageError(f"{path.name} cannot mark drafts", hint="--out drafts.yaml")
    asked = {fold(entry.query) for entry in entries} | {entry.id for entry in entries}
    judged = {(j.document, fold(j.excerpt or "")) for entry in entries for j in entry.relevant}
    found = {document: candidates(text) for document, text in sorted(read.texts.items())}
    fresh = [
        [
            _entry(document, candidate)
            for candidate in made
            if fold(candidate.question) not in asked and (document, fold(candidate.excerpt)) not in judged
        ]
        for document, made in found.items()
    ]
    # One of each document, then the second of each: a limit leaves no document out for another's sake
    spread = [entry for layer in zip_longest(*fresh) for entry in layer if entry is not None and entry.id not in asked]
    written = tuple({entry.id: entry for entry in reversed(spread[:limit])}.values())[::-1]
    if written and not dry_run:
        add_queries(path, root, written, qrels)
    return Drafts(shown_path(path, root), written, sum(map(len, found.values())), len(found))


def _entry(document: str, candidate: Candidate) -> QueryEntry:
    here = Location(document)
    return QueryEntry(
        id=stable_id(candidate.question, document).replace("q-", "d-", 1),
        query=candidate.question,
        relevant=(JudgementEntry(document, candidate.excerpt, None, 1, here),),
        tags=(candidate.kind,),
        filter=None,
        request={},
        location=here,
        draft=True,
    )
