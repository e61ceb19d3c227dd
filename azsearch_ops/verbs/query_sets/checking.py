"""`queries check` and `queries convert`: what a query set is worth here, and the same set in another form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from azsearch_ops.contract.text_split import DEFAULT_ENCODER
from azsearch_ops.definitions.files import shown_path
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.order import in_order
from azsearch_ops.definitions.project import Project, read_project
from azsearch_ops.definitions.queries import QueryEntry, QuerySet, QuerySetForm, form_of, load_queries, read_queries
from azsearch_ops.definitions.queries_csv import write_csv
from azsearch_ops.definitions.queries_foundry import write_foundry
from azsearch_ops.definitions.queries_jsonl import write_jsonl
from azsearch_ops.definitions.queries_trec import write_qrels, write_topics
from azsearch_ops.definitions.queries_yaml import write_yaml
from azsearch_ops.errors import DefinitionError, Location, Problem, UsageError
from azsearch_ops.evaluation.anchoring_queries import Coverage, bring_to
from azsearch_ops.evaluation.question_likeness import nearly_equal
from azsearch_ops.evaluation.wording import LexicalOverlap, lexical_overlap
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.verbs.evaluating.queries import as_queries
from azsearch_ops.verbs.query_sets.holding import Anchored, Held, hold_against, shown_query

FORMS: Final[tuple[QuerySetForm, ...]] = get_args(QuerySetForm)


@dataclass(frozen=True, slots=True)
class LongSpan:
    """An excerpt that no page can hold whole: its length and the longest page, in `unit`."""

    query: str
    document: str
    length: int
    page: int
    unit: str
    location: Location


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions that ask nearly the same. Of a held-out one only the place is told."""

    first: str
    second: str
    likeness: float
    holdout: bool
    location: Location


@dataclass(frozen=True, slots=True)
class QuerySetCheck:
    """What a query set holds, and what of it holds here.

    `against` says what the judgements were held against, or why they were not. `anchoring` counts them: exact,
    normalised, fuzzy, lost, `document missing`, `document unreadable`, `whole document`, `not seen` where an index did
    not show all that it has, or `not checked`. `scored` of `labelled` queries can be
    scored in this environment.
    """

    path: str
    index: str | None
    digest: str
    queries: int
    labelled: int
    scored: int
    holdouts: int
    drafts: int
    judgements: int
    grades: Mapping[int, int]
    tags: Mapping[str, int]
    against: str
    anchoring: Mapping[str, int]
    moved: tuple[Anchored, ...]
    long_spans: tuple[LongSpan, ...]
    alike: tuple[Pair, ...]
    overlap: LexicalOverlap | None
    reason: str
    problems: tuple[Problem, ...]

    @property
    def exit_code(self) -> int:
        """1 where something has to be mended, else 0."""
        return int(any(problem.severity == "error" for problem in self.problems))


@dataclass(frozen=True, slots=True)
class Converted:
    """What was written, and what the form cannot hold."""

    written: tuple[str, ...]
    form: str
    queries: int
    judgements: int
    lost: tuple[str, ...]


def check_queries(
    root: Path, target: str, environment: str, environ: Mapping[str, str], qrels: Path | None = None
) -> QuerySetCheck:
    """The query set of an index definition, or a file, held against the documents, else against what is live.

    Raises:
        UsageError: there is no such index definition and no such file.
        DefinitionError: the file cannot be used at all.
    """
    project, _ = read_project(root, environment, environ) if (root / "indexes").is_dir() else (None, ())
    index = _index_of(project, target, root)
    path, beside = (index.evaluation.queries, index.evaluation.qrels) if index else (_file(root, target), qrels)
    found, problems = read_queries(path, root, beside)
    if found is None:
        raise DefinitionError(problems)
    held = Held("", {}, (), (), bring_to(as_queries(found), None))
    if project is not None and index is not None:
        held = hold_against(root, project, index, found, environment, environ)
    if held.anchoring:  # What was found in the file by itself is among its problems then
        files = {found.path} | ({shown_path(beside, root)} if beside else set())
        problems = tuple(p for p in held.problems if p.location is not None and p.location.path in files)
    queries = as_queries(found)
    coverage = held.coverage
    return QuerySetCheck(
        path=found.path,
        index=index.name if index else None,
        digest=found.digest,
        queries=len(found.accepted),
        labelled=coverage.total,
        scored=coverage.scored,
        holdouts=sum(entry.holdout for entry in found.accepted),
        drafts=len(found.entries) - len(found.accepted),
        judgements=coverage.judgements,
        grades=dict(sorted(Counter(j.grade for e in found.accepted for j in e.relevant).items())),
        tags=dict(sorted(Counter(tag for entry in found.accepted for tag in entry.tags).items())),
        against=held.against,
        anchoring=held.anchoring or {"not checked": sum(len(entry.relevant) for entry in found.accepted)},
        moved=held.moved,
        long_spans=_long_spans(project, index, found) if project and index else (),
        alike=_alike(found),
        overlap=lexical_overlap(queries),
        reason=_reason(found, coverage),
        problems=in_order(problems),
    )


def convert_queries(
    source: Path,
    target: Path,
    form: str,
    root: Path,
    qrels: Path | None = None,
    target_qrels: Path | None = None,
) -> Converted:
    """Write the query set of `source` to `target` in another form, which its name tells where `form` is empty.

    Raises:
        DefinitionError: the source has errors.
        UsageError: the target is there already.
    """
    found = load_queries(source, root, qrels)
    chosen = next((known for known in FORMS if known == form), None) or form_of(target)
    beside = target_qrels or target.with_suffix(".qrels")
    texts = (
        {target: _WRITERS[chosen](found.entries)}
        if chosen != "trec"
        else {
            target: write_topics(found.entries),
            beside: write_qrels(found.entries),
        }
    )
    if taken := [path.name for path in texts if path.exists()]:
        raise UsageError(f"{', '.join(taken)} is there already", hint="name another file, or take it away")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return Converted(
        tuple(shown_path(path, root) for path in texts),
        chosen,
        len(found.entries),
        sum(len(entry.relevant) for entry in found.entries) - (_merged(found.entries) if chosen in _BY_DOCUMENT else 0),
        _lost(found.entries, chosen),
    )


_BY_DOCUMENT: Final = ("trec", "foundry")
"""Forms with one grade for a document, which is the highest."""


def _csv_with_tabs(entries: tuple[QueryEntry, ...]) -> str:
    return write_csv(entries, separator="\t")


_WRITERS: Final[Mapping[QuerySetForm, Callable[[tuple[QueryEntry, ...]], str]]] = {
    "yaml": write_yaml,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "tsv": _csv_with_tabs,
    "foundry": write_foundry,
}


def _merged(entries: tuple[QueryEntry, ...]) -> int:
    """How many judgements are of a document that the same question has a judgement of already."""
    return sum(len(entry.relevant) - len({j.document for j in entry.relevant}) for entry in entries)


def _lost(entries: tuple[QueryEntry, ...], form: QuerySetForm) -> tuple[str, ...]:
    if form not in _BY_DOCUMENT:
        return ()
    counted = {
        "further judgements of one document": _merged(entries),
        "excerpts": sum(j.excerpt is not None for e in entries for j in e.relevant),
        "tags": sum(bool(e.tags) for e in entries),
        "filters": sum(e.filter is not None for e in entries),
        "request overrides": sum(bool(e.request) for e in entries),
        "holdout marks": sum(e.holdout for e in entries),
        "draft marks": sum(e.draft for e in entries),
    }
    return tuple(f"{count} {what}" for what, count in counted.items() if count)


def _index_of(project: Project | None, target: str, root: Path) -> IndexDefinition | None:
    if project is None:
        return None
    if target in project.indexes:
        return project.indexes[target]
    path = (root / target).resolve()
    return next((i for i in project.indexes.values() if i.evaluation.queries.resolve() == path), None)


def _file(root: Path, target: str) -> Path:
    for path in (Path(target).expanduser(), root / target):
        if path.is_file():
            return path
    raise UsageError(f"there is no index definition and no file '{target}'")


def _long_spans(project: Project, index: IndexDefinition, found: QuerySet) -> tuple[LongSpan, ...]:
    skillset = project.skillsets.get(index.skillset or "")
    page = skillset.chunking.get("maximumPageLength") if skillset else None
    if skillset is None or not isinstance(page, int) or skillset.chunking.get("textSplitMode") == "sentences":
        return ()
    tokens = skillset.chunking.get("unit") == "azureOpenAITokens"
    parameters = skillset.chunking.get("azureOpenAITokenizerParameters")
    encoder = parameters.get("encoderModelName") if isinstance(parameters, Mapping) else None
    measure = tokenizer(str(encoder or DEFAULT_ENCODER)).count if tokens else len
    unit = "tokens" if tokens else "characters"
    return tuple(
        LongSpan(shown_query(entry), judged.document, measure(judged.excerpt), page, unit, judged.location)
        for entry in found.accepted
        for judged in entry.relevant
        if judged.excerpt is not None and judged.grade > 0 and measure(judged.excerpt) > page
    )


def _alike(found: QuerySet) -> tuple[Pair, ...]:
    entries = {entry.id: entry for entry in found.accepted}
    return tuple(
        Pair(
            shown_query(entries[pair.first]),
            shown_query(entries[pair.second]),
            pair.likeness,
            entries[pair.first].holdout or entries[pair.second].holdout,
            entries[pair.second].location,
        )
        for pair in nearly_equal(as_queries(found))
    )


def _reason(found: QuerySet, coverage: Coverage) -> str:
    if found.unlabelled:
        return "nothing is judged relevant: rankings can be compared, and nothing can be gated"
    return coverage.reason
