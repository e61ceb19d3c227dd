"""Build the candidate of an index definition."""

from __future__ import annotations

from azsearch_ops.bodies.render import Bodies, render
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.releasing.candidate import begin_candidate, build_candidate
from azsearch_ops.releasing.claims import record_candidate, record_source, record_synonym_map
from azsearch_ops.releasing.completeness import Source
from azsearch_ops.releasing.indexer_runs import settled_status
from azsearch_ops.releasing.outcomes import AcceptedDocument, BuildOutcome, Report
from azsearch_ops.verbs.evaluating.recutting import recut_of
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.sources import is_blank, source_documents


def run_build(
    session: Session, index: IndexDefinition, bodies: Bodies, report: Report, *, write: bool = True
) -> BuildOutcome:
    """A filled and complete candidate beside live; an equal one that is there already is used again.

    Without `write` its objects are taken as they are: the candidate is live itself, and changes when it is promoted.
    """
    if write:
        _write_down(session, index, bodies)
    source = Source(
        documents=source_documents(session.project, index),
        accepted=tuple(AcceptedDocument(a.document, a.reason) for a in index.source.accept),
        document_field=index.evaluation.document,
        text_field=index.evaluation.text,
        longest=_longest(session, index),
        is_blank=lambda document: is_blank(session.project, index, document),
        recut=recut_of(session, index, bodies),
    )
    return build_candidate(session.service, bodies, source, session.clock, session.patience, report, write=write)


def as_it_serves(session: Session, index: IndexDefinition, live: str) -> BuildOutcome:
    """What stands for a candidate where live is measured as it is, under another name than one of ours would have."""
    chunks = session.service.count(live)
    return BuildOutcome(index.name, live, True, None, None, chunks, checks=(), accepted=(), seconds=0.0)


def begin_build(session: Session, index: IndexDefinition, bodies: Bodies, report: Report) -> bool:
    """Start the build and wait for nothing; whether anything had to be made. `run_build` goes on with it."""
    _write_down(session, index, bodies)
    return begin_candidate(session.service, bodies, session.clock, report)


def wait_for_build(session: Session, index: IndexDefinition, report: Report) -> None:
    """Wait until the candidate's indexer has no run going on; one without an indexer is not waited for."""
    bodies = render(session.project, index.name)
    if bodies.indexer and session.service.find("indexer", bodies.candidate) is not None:
        documents = source_documents(session.project, index)
        total = len(documents) if documents is not None else None
        settled_status(session.service, bodies.candidate, session.clock, session.patience, report, "build", total)


def _write_down(session: Session, index: IndexDefinition, bodies: Bodies) -> None:
    """The ledger knows of a candidate before it is begun, so that leftovers can be told from what is not ours."""
    author = session.author()
    built = {"at": session.clock.stamp(), "by": author.by, "commit": author.commit, "digest": bodies.rebuild_digest}
    record_candidate(session.ledger, index.alias, bodies.candidate, built)
    for synonym_map in bodies.synonym_maps:
        record_synonym_map(session.ledger, index.alias, str(synonym_map["name"]), built)
    if bodies.owns_source:
        record_source(session.ledger, index.alias, bodies.data_source_name, built)


def _longest(session: Session, index: IndexDefinition) -> int | None:
    """The page length in UTF-16 units, or None where pages are not measured in characters."""
    skillset = session.project.skillsets.get(index.skillset or "")
    chunking = skillset.chunking if skillset is not None and index.evaluated else {}
    if chunking.get("textSplitMode") != "pages" or chunking.get("unit", "characters") != "characters":
        return None
    length = chunking.get("maximumPageLength")
    return length if isinstance(length, int) else None
