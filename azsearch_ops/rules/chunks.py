"""AZS11x: Text Split on the documents as they are: overlap, length for the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from azsearch_ops.chunking.text_split import Span, TextSplit, split
from azsearch_ops.contract import sources
from azsearch_ops.contract.skills import EMBEDDING_READS
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject
from azsearch_ops.rules.split_skills import Counting, Tokenizers, counted, splits, taken, usable
from azsearch_ops.rules.vectors import embedding_outputs

EXPLANATIONS: Final = (
    Explanation(
        "AZS111",
        "An overlap that gives none",
        "Text Split begins a page at a sentence where it can. Where sentences are longer than the overlap, pages share "
        "nothing, and an answer across a boundary is lost all the same.",
        "Raise the overlap, or leave it out.",
        sources.CHUNKING,
    ),
    Explanation(
        "AZS112",
        "An overlap that multiplies the chunks",
        "Every chunk is embedded, stored and searched. Near half of the length, an overlap doubles all of that.",
        "10 to 25 % of the length is usual.",
        sources.CHUNKING,
    ),
    Explanation(
        "AZS113",
        "Chunks that are longer than the embedding model reads",
        "What is beyond the model's limit is cut off, or fails the document; it can be found by its words only.",
        "Lower maximumPageLength, or name what your model reads under `models` of the environment.",
        sources.CHUNKING,
    ),
)

_MULTIPLIES: Final = 1.5


def check_chunks(subject: Subject, texts: Mapping[str, str], tokenizers: Tokenizers) -> Iterator[Problem]:
    """What the first Text Split skill of a skillset makes of the documents."""
    skillset = subject.skillset
    first = next(iter(splits(skillset)), None) if skillset is not None else None
    if skillset is None or first is None:
        return
    body, pointer = first
    options = usable(body)
    if options is None:
        return  # Its own rules say why
    by_tokens = options.unit == "azureOpenAITokens"
    starts = tokenizers(options.encoder).starts if by_tokens else None
    read = taken(texts)
    chunks = {path: split(text, options, starts) for path, text in read.items()}
    place = skillset.tree.locate_key(step(pointer, "pageOverlapLength"))
    if options.mode == "pages" and options.page_overlap_length > 0:
        yield from _check_overlap(options, read, chunks, starts, place)
    yield from _check_model(subject, skillset, read, chunks, tokenizers)


def _check_overlap(
    options: TextSplit,
    texts: Mapping[str, str],
    chunks: Mapping[str, tuple[Span, ...]],
    starts: Callable[[str], Sequence[int]] | None,
    place: Any,
) -> Iterator[Problem]:
    several = {path: spans for path, spans in chunks.items() if len(spans) > 1}
    none = [
        path for path, spans in several.items() if all(after.start >= before.end for before, after in pairwise(spans))
    ]
    asked = options.page_overlap_length
    if none and len(none) * 2 >= len(several):
        message = f"the overlap of {asked} gives none on {len(none)} of {counted(list(several), 'document')} with pages"
        yield Problem("AZS111", message, place, severity="warning", hint=f"such as {none[0]}")
    if asked * 10 < options.maximum_page_length * 3:
        return  # Below three tenths an overlap cannot come near one and a half times the chunks
    bare = TextSplit(
        mode=options.mode,
        maximum_page_length=options.maximum_page_length,
        unit=options.unit,
        encoder=options.encoder,
        language=options.language,
    )
    without = sum(len(split(text, bare, starts)) for text in texts.values())
    with_overlap = sum(len(spans) for spans in chunks.values())
    if without and with_overlap / without >= _MULTIPLIES:
        factor = with_overlap / without
        message = (
            f"the overlap of {asked} makes {factor:.1f} times the chunks ({with_overlap:,} instead of {without:,})"
        )
        yield Problem("AZS112", message, place, severity="warning")


def _check_model(
    subject: Subject,
    skillset: SkillsetDefinition,
    texts: Mapping[str, str],
    chunks: Mapping[str, tuple[Span, ...]],
    tokenizers: Tokenizers,
) -> Iterator[Problem]:
    for output in embedding_outputs(skillset):
        own = subject.environment.models.get(output.model or "")
        reads = own.reads if own is not None else EMBEDDING_READS.get(output.model or "")
        if reads is None:
            continue
        counting: Counting | None = None
        longest, where, over = 0, "", 0
        for path, spans in chunks.items():
            for span in spans:
                # A token is one byte at least, so a short chunk needs no counting
                if (span.end - span.start) * 4 <= reads:
                    continue
                piece = texts[path][span.start : span.end]
                if len(piece.encode()) <= reads:
                    continue
                counting = counting or tokenizers(own.encoding if own is not None else "cl100k_base")
                tokens = counting.count(piece)
                over += tokens > reads
                if tokens > longest:
                    longest, where = tokens, path
        if longest > reads:
            message = (
                f"{over:,} chunks have more than the {reads:,} tokens that {output.model} reads (up to {longest:,})"
            )
            yield Problem("AZS113", message, skillset.tree.locate(output.pointer), hint=f"the longest is in {where}")
