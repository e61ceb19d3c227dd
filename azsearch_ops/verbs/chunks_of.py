"""`chunk`: the chunks of documents as the definitions cut them, and what moves against another revision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from azsearch_ops.chunking.comparison import CutPassage, Moves, compare, cut_passages
from azsearch_ops.chunking.text_split import Span, TextSplit
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.project import Project, load_project
from azsearch_ops.errors import AzsearchOpsError, UsageError
from azsearch_ops.models.names import EMBEDDING_ENCODING
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.verbs.cutting import CONTENT, Cutting, cutting_of, judged_passages
from azsearch_ops.verbs.extracted_texts import extract_texts
from azsearch_ops.verbs.revisions import named_revision, project_at
from azsearch_ops.verbs.session import chosen_indexes
from azsearch_ops.verbs.sources import source_documents, source_folder

MOST_CHARACTERS: Final = 3_000_000
"""Of the documents that a review cuts twice; judged ones are taken first, then in the order of their paths."""

_WORDS: Final = 5
_LONGEST_WORDS: Final = 48


@dataclass(frozen=True, slots=True)
class ChunkLine:
    """One chunk. `start` and `end` are code point offsets in the document; `length` and `overlap`, what it shares with
    the chunk before, are UTF-16 units as the service counts them. Words are empty where reports may have none."""

    number: int
    start: int
    end: int
    length: int
    tokens: int
    overlap: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class DocumentChunks:
    """A document as it is cut. `judged` excerpts of it, the ones `cut`, and what moved where a base was given."""

    document: str
    chunks: tuple[ChunkLine, ...]
    judged: int
    cut: tuple[CutPassage, ...]
    moves: Moves | None = None

    @property
    def longest(self) -> int:
        """UTF-16 units of the longest chunk."""
        return max((chunk.length for chunk in self.chunks), default=0)

    @property
    def tokens(self) -> int:
        """Tokens of all chunks."""
        return sum(chunk.tokens for chunk in self.chunks)


@dataclass(frozen=True, slots=True)
class ChunksOf:
    """The documents of an index definition as it cuts them. `base` names the revision compared with, else is empty.

    `options` are None where each document is one chunk. `documents` are all, or those asked for; of `unreadable` ones
    it says why. `left_out` is how many were not looked at, being too many. `note` says where the service may
    cut otherwise.
    """

    name: str
    environment: str
    options: TextSplit | None
    documents: tuple[DocumentChunks, ...]
    base: str = ""
    base_options: TextSplit | None = None
    unreadable: Mapping[str, str] = field(default_factory=dict)
    left_out: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Base:
    name: str
    cutting: Cutting


def chunks_of(
    root: Path, environment: str, environ: Mapping[str, str], name: str, document: str | None, revision: str | None
) -> ChunksOf:
    """The chunks of one document or of all; with a `revision`, what moves from its definitions to these.

    Both cut the documents that are there now. UsageError where the index, the document or the revision is not there,
    and where documents or cutting cannot be told from here.
    """
    project = load_project(root, environment, environ)
    (index,) = chosen_indexes(project, (name,))
    cutting = cutting_of(project, index)
    base = _base(project, environ, index, revision) if revision is not None else None
    listed = _listed(project, index)
    if document is not None and document not in listed:
        raise UsageError(f"there is no document '{document}'", hint=name_hint(document, listed))
    texts, unreadable = _texts(project, index, (document,) if document is not None else listed)
    if document in unreadable:
        raise UsageError(f"'{document}' cannot be read: {unreadable[document]}")
    passages = judged_passages(project, index, texts, listed)
    words = project.environment.reports.text == "full"
    found = []
    for path, text in sorted(texts.items()):
        spans, judged = cutting.spans(text), passages.get(path, ())
        moves = compare(base.cutting.spans(text), spans, judged) if base is not None else None
        cut = cut_passages(judged, spans)
        found.append(DocumentChunks(path, chunk_lines(text, spans, words=words), len(judged), cut, moves))
    return ChunksOf(
        name=name,
        environment=environment,
        options=cutting.options,
        documents=tuple(found),
        base=base.name if base is not None else "",
        base_options=base.cutting.options if base is not None else None,
        unreadable=unreadable,
        note=_note(cutting),
    )


def most_moved(
    project: Project, environ: Mapping[str, str], index: IndexDefinition, revision: str, most: int = 3
) -> ChunksOf | None:
    """The documents in which most judged excerpts are cut or mended since `revision`, else most boundaries moved.

    None where both cut alike, where nothing moves, and where it cannot be told: a review says other things too.
    """
    try:
        cutting, base = cutting_of(project, index), _base(project, environ, index, revision)
        if cutting == base.cutting:
            return None
        listed = _listed(project, index)
        texts, unreadable = _texts(project, index, listed)
        passages = judged_passages(project, index, texts, listed)
    except AzsearchOpsError:
        return None
    looked = _within(texts, passages)
    cuts = {path: cutting.spans(texts[path]) for path in looked}
    moves = {path: compare(base.cutting.spans(texts[path]), cuts[path], passages.get(path, ())) for path in looked}
    moved = [path for path in looked if moves[path].weight > (0, 0)]
    moved.sort(key=lambda path: ([-count for count in moves[path].weight], path))
    words = project.environment.reports.text == "full"
    chosen = tuple(
        DocumentChunks(
            path,
            chunk_lines(texts[path], cuts[path], words=words),
            len(passages.get(path, ())),
            cut_passages(passages.get(path, ()), cuts[path]),
            moves[path],
        )
        for path in moved[:most]
    )
    if not chosen:
        return None
    return ChunksOf(
        name=index.name,
        environment=project.environment.name,
        options=cutting.options,
        documents=chosen,
        base=base.name,
        base_options=base.cutting.options,
        unreadable=unreadable,
        left_out=len(texts) - len(looked),
        note=_note(cutting),
    )


def chunk_lines(text: str, spans: Sequence[Span], *, words: bool) -> tuple[ChunkLine, ...]:
    """What is said of each chunk of a text."""
    count: Callable[[str], int] = tokenizer(EMBEDDING_ENCODING).count
    lines: list[ChunkLine] = []
    covered = 0
    for number, span in enumerate(spans, start=1):
        chunk = text[span.start : span.end]
        said = chunk.split() if words else []
        lines.append(
            ChunkLine(
                number=number,
                start=span.start,
                end=span.end,
                length=_utf16(chunk),
                tokens=count(chunk),
                overlap=_utf16(text[span.start : max(span.start, covered)]),
                first=" ".join(said[:_WORDS])[:_LONGEST_WORDS],
                last=" ".join(said[-_WORDS:])[-_LONGEST_WORDS:],
            )
        )
        covered = span.end
    return tuple(lines)


def _base(project: Project, environ: Mapping[str, str], index: IndexDefinition, revision: str) -> _Base:
    label, commit = named_revision(project.root, revision, "--diff")
    try:
        with project_at(project.root, commit, project.environment.name, environ) as before:
            known = before.indexes.get(index.name) if before is not None else None
            cutting = cutting_of(before, known) if before is not None and known is not None else None
    except AzsearchOpsError as error:
        raise UsageError(f"the definitions of {label} cannot be used: {error.message}", hint=error.hint) from error
    if cutting is None:
        raise UsageError(f"{label} has no index definition '{index.name}'", hint="name another revision with --diff")
    return _Base(label, cutting)


def _note(cutting: Cutting) -> str:
    if cutting.source == CONTENT:
        return ""
    return f"the service cuts {cutting.source}; here it is the text of the documents alone, without what skills add"


def _listed(project: Project, index: IndexDefinition) -> tuple[str, ...]:
    listed = source_documents(project, index)
    if listed is None:
        raise UsageError(
            f"the documents of '{index.name}' cannot be read from here",
            hint="name an environment whose connection is a folder with --env",
        )
    return listed


def _texts(
    project: Project, index: IndexDefinition, documents: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, str]]:
    folder = source_folder(project, index)
    return extract_texts(project.root, folder, documents) if folder is not None else ({}, {})


def _within(texts: Mapping[str, str], judged: Mapping[str, object]) -> tuple[str, ...]:
    """As many documents as a review looks at; the first in any case."""
    kept: list[str] = []
    room = MOST_CHARACTERS
    for path in sorted(texts, key=lambda path: (path not in judged, path)):
        room -= len(texts[path])
        if kept and room < 0:
            break
        kept.append(path)
    return tuple(kept)


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
