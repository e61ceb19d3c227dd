"""What another Text Split is to change about the number of chunks, known before the candidate is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.documents.folder import list_blobs
from azsearch_ops.models.names import EMBEDDING_ENCODING
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.planning.chunk_counts import choose, cut, rescaled, split_options
from azsearch_ops.releasing.recut import Recut
from azsearch_ops.releasing.state import read_live
from azsearch_ops.verbs.extracted_texts import extract_texts
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.estimating import MOST_BYTES, MOST_DOCUMENTS, ONE_DOCUMENT_A_BLOB, SEED
from azsearch_ops.verbs.sources import source_documents, source_folder


def recut_of(session: Session, index: IndexDefinition, bodies: Bodies) -> Recut | None:
    """Chunks under live's settings and under these; None where nothing is live, or it is cut in the same way."""
    live = read_live(session.service, session.ledger, index.alias, index.adopt)
    if live is None or live.index_name == bodies.candidate:
        return None
    before, after = split_options(live.skillset), split_options(bodies.skillset)
    if before is None or after is None or before == after:
        return None
    texts = _texts(session, index)
    old, new = (_counts(texts, options) for options in (before, after))
    chunks = session.service.count(live.index_name)
    told = rescaled(chunks, before, after)
    return Recut({name: (old[name], new[name]) for name in texts}, chunks, told[0] if told else None)


def _texts(session: Session, index: IndexDefinition) -> dict[str, str]:
    """The documents, or a sample of them, where they can be read and each is cut as a whole."""
    folder = source_folder(session.project, index)
    listed = source_documents(session.project, index)
    if folder is None or listed is None or index.source.parsing_mode not in ONE_DOCUMENT_A_BLOB:
        return {}
    sizes = {blob.path: blob.size for blob in list_blobs(folder) if blob.path in set(listed)}
    sample = choose(sizes, documents=MOST_DOCUMENTS, size=MOST_BYTES, seed=SEED)
    texts, _ = extract_texts(session.project.root, folder, sample.chosen)
    return texts


def _counts(texts: Mapping[str, str], options: TextSplit) -> dict[str, Any]:
    starts = tokenizer(options.encoder if options.unit != "characters" else EMBEDDING_ENCODING).starts
    return {name: len(chunks) for name, chunks in cut(texts, options, starts).chunks.items()}
