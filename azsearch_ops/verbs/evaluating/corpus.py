"""All chunks of the judged documents and the sizes of an index, for what an evaluation reports beside the rankings."""

from __future__ import annotations

from collections.abc import Sequence

from azsearch_ops.evaluation.asking import DEEPEST
from azsearch_ops.evaluation.cost import IndexSize
from azsearch_ops.evaluation.metrics.registry import CORPUS_METRICS
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing import ChunksAt
from azsearch_ops.evaluation.types import Chunk, Query
from azsearch_ops.releasing.chunks import read_chunks
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.retrieval import chunk_of


def reads_all_chunks(metrics: Sequence[str]) -> bool:
    """Whether any of `metrics` is defined on all chunks of the documents concerned."""
    return any(name in CORPUS_METRICS for name in metrics)


def judged_chunks(service: Service, index: str, fields: ChunkFields, queries: Sequence[Query]) -> tuple[Chunk, ...]:
    """Every chunk of the documents that `queries` judge; the key field must be sortable and filterable."""
    judged = DocumentPaths(j.document for query in queries for j in query.judgements)
    rows = read_chunks(service, index, fields.key, fields.selected.split(","))
    chunks = (chunk_of(row, fields, ordered_by_score=False) for row in rows)
    return tuple(chunk for chunk in chunks if judged.resolve(chunk.document) is not None)


def document_chunks(service: Service, index: str, fields: ChunkFields) -> ChunksAt:
    """All chunks of a document by the address that the index has for it; a search, so the reader's role is enough."""

    def chunks_at(address: str) -> tuple[Chunk, ...]:
        quoted = address.replace("'", "''")
        wanted = {"filter": f"{fields.document} eq '{quoted}'", "select": fields.selected, "top": DEEPEST}
        rows = service.search(index, {"search": "*", **wanted})["value"]
        return tuple(chunk_of(row, fields, ordered_by_score=False) for row in rows)

    return chunks_at


def index_size(service: Service, index: str) -> IndexSize:
    """The service's own figures, of which those of storage may be some minutes old; chunks are counted now."""
    told = service.index_statistics(index)
    return IndexSize(service.count(index), int(told.get("storageSize") or 0), int(told.get("vectorIndexSize") or 0))
