"""How the definitions cut documents, and the judged words that a cut can divide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from azsearch_ops.bodies.render import render
from azsearch_ops.chunking.comparison import Passage
from azsearch_ops.chunking.text_split import Span, TextSplit, split
from azsearch_ops.contract.text_split import ODATA_TYPE
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.project import Project
from azsearch_ops.errors import UsageError
from azsearch_ops.evaluation.anchoring import occurrences
from azsearch_ops.evaluation.anchoring_queries import bring_to
from azsearch_ops.evaluation.holdouts import shown
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.types import Query
from azsearch_ops.models.tokenizer import ENCODINGS, tokenizer
from azsearch_ops.verbs.evaluating.queries import as_queries, query_set

WHOLE: Final = "/document"
CONTENT: Final = "/document/content"
"""The text that is extracted from a blob, which is what can be cut from here."""
_ONE_DOCUMENT_A_BLOB: Final = ("default", "text")


@dataclass(frozen=True, slots=True)
class Cutting:
    """The options that documents are cut by; None where each is one chunk. `source` is the path of the text."""

    options: TextSplit | None
    source: str = CONTENT

    def spans(self, text: str) -> tuple[Span, ...]:
        """The chunks of a text."""
        options = self.options
        if options is None:
            return (Span(0, len(text)),) if text.strip() else ()
        starts: Callable[[str], Sequence[int]] | None = None
        if options.unit == "azureOpenAITokens":
            starts = tokenizer(options.encoder).starts
        return split(text, options, starts)


def cutting_of(project: Project, index: IndexDefinition) -> Cutting:
    """How an index definition cuts; UsageError where that is decided by something that cannot be carried out here.

    What a languageCode that is detected for each document would change is not known here: the default's rules hold.
    """
    mode = index.source.parsing_mode
    if mode not in _ONE_DOCUMENT_A_BLOB:
        raise UsageError(f"parsingMode {mode} makes many documents of a blob: their chunks cannot be told from here")
    skillset = render(project, index.name).skillset
    context = _context(skillset)
    if context == WHOLE:
        return Cutting(None)
    for skill in skillset.get("skills") or ():
        if skill.get("@odata.type") == ODATA_TYPE and context in _produced(skill):
            return Cutting(_usable(TextSplit.from_skill(skill)), _source(skill))
    raise UsageError(
        f"the chunks of {index.name!r} come from {context}, which no Text Split skill makes of whole documents",
        hint="only Text Split can be carried out here",
    )


def judged_passages(
    project: Project, index: IndexDefinition, texts: Mapping[str, str], listed: Sequence[str]
) -> dict[str, tuple[Passage, ...]]:
    """The judged excerpts of `texts`, by document of all that are `listed`; held-out queries are left out.

    An excerpt that its document has in other words now is taken as it reads there, one that is not there is nowhere.
    """
    if not index.evaluated:
        return {}
    paths = DocumentPaths(listed)
    asked = [_judging(q, paths, texts) for q in shown(as_queries(query_set(project, index)))]
    found: dict[str, list[Passage]] = {}
    for query in bring_to([query for query in asked if query.judgements], texts).queries:
        for judged in query.judgements:
            if judged.excerpt is None:
                continue
            text = texts[judged.document]
            places = occurrences(judged.excerpt, text)
            if judged.occurrence is not None:
                places = places[judged.occurrence - 1 : judged.occurrence]
            if places:
                spans = tuple(Span(start, start + len(text[start:end].rstrip())) for start, end in places)
                found.setdefault(judged.document, []).append(Passage(query.id, spans))
    return {document: tuple(passages) for document, passages in found.items()}


def _usable(options: TextSplit) -> TextSplit:
    """The options, or UsageError: those of another revision may be of before anybody checked them."""
    if options.mode == "pages" and not 0 <= 2 * options.page_overlap_length < options.maximum_page_length:
        raise UsageError("pageOverlapLength must be less than half of maximumPageLength")
    if options.unit == "azureOpenAITokens" and options.encoder not in ENCODINGS:
        raise UsageError(
            f"pages measured by the encoder {options.encoder} cannot be told from here",
            hint=f"known are {', '.join(sorted(ENCODINGS))}",
        )
    return options


def _judging(query: Query, paths: DocumentPaths, texts: Mapping[str, str]) -> Query:
    """The query with what it judges relevant in `texts`, named as they are."""
    named = [replace(j, document=paths.resolve(j.document) or "") for j in query.judgements if j.grade > 0]
    return replace(query, judgements=tuple(j for j in named if j.document in texts))


def _context(skillset: Mapping[str, Any]) -> str:
    selectors = (skillset.get("indexProjections") or {}).get("selectors") or ()
    return str(selectors[0].get("sourceContext") or WHOLE) if selectors else WHOLE


def _source(skill: Mapping[str, Any]) -> str:
    inputs = skill.get("inputs") or ()
    return next((str(i.get("source")) for i in inputs if i.get("name") == "text" and i.get("source")), CONTENT)


def _produced(skill: Mapping[str, Any]) -> set[str]:
    """The paths whose items are what a Text Split skill makes of whole documents."""
    if (skill.get("context") or WHOLE) != WHOLE:
        return set()
    return {f"{WHOLE}/{output.get('targetName') or output.get('name')}/*" for output in skill.get("outputs") or ()}
