"""Build the candidate of an index definition."""

from __future__ import annotations

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.releasing.candidate import build_candidate
from azsearch_ops.releasing.completeness import Source
from azsearch_ops.releasing.outcomes import AcceptedDocument, BuildOutcome, Report
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.sources import source_documents


def run_build(session: Session, index: IndexDefinition, bodies: Bodies, report: Report) -> BuildOutcome:
    """A filled and complete candidate beside live; an equal one that is there already is used again."""
    source = Source(
        documents=source_documents(session.project, index),
        accepted=tuple(AcceptedDocument(a.document, a.reason) for a in index.source.accept),
        document_field=index.evaluation.document,
        text_field=index.evaluation.text,
        longest=_longest(session, index),
    )
    return build_candidate(session.service, bodies, source, session.clock, session.patience, report)


def _longest(session: Session, index: IndexDefinition) -> int | None:
    """The page length in UTF-16 units, or None where pages are not measured in characters."""
    chunking = session.project.skillsets[index.skillset].chunking
    if chunking.get("textSplitMode") != "pages" or chunking.get("unit", "characters") != "characters":
        return None
    length = chunking.get("maximumPageLength")
    return length if isinstance(length, int) else None
