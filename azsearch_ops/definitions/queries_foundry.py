"""Ground truth of Microsoft Foundry's document retrieval evaluator, as JSON lines.

A line is one question with `retrieval_ground_truth`, a list of {document_id, query_relevance_label}. Labels run
from 0 to 4 (`RetrievalGroundTruthDocument` and the defaults of `DocumentRetrievalEvaluator` in azure-ai-evaluation
1.18). The evaluator names no key for the question itself: `query` and `query_id` are read and written here, and
what a run put beside them (`retrieved_documents`, outputs, contexts) is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from azsearch_ops.definitions.queries_entries import HIGHEST_GRADE, JudgementEntry, QueryEntry, stable_id
from azsearch_ops.definitions.queries_jsonl import trees
from azsearch_ops.definitions.tree import Tree
from azsearch_ops.errors import Problem

TRUTH: Final = "retrieval_ground_truth"


def is_foundry(text: str) -> bool:
    """Whether the first line that is not blank has Foundry's key."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and TRUTH in row


def read_foundry(text: str, shown: str, problems: list[Problem]) -> tuple[QueryEntry, ...]:
    """The questions of the lines that can be understood; each other line is a problem."""
    found = (_entry(tree, problems) for tree in trees(text, shown, problems))
    return tuple(entry for entry in found if entry is not None)


def write_foundry(entries: Iterable[QueryEntry]) -> str:
    """One line a question; of several judgements of a document the highest grade stays, since it takes no excerpts."""
    lines = []
    for entry in entries:
        grades: dict[str, int] = {}
        for judged in entry.relevant:
            grades[judged.document] = max(judged.grade, grades.get(judged.document, 0))
        truth = [{"document_id": name, "query_relevance_label": grade} for name, grade in grades.items()]
        row: dict[str, Any] = {"query_id": entry.id, "query": entry.query, TRUTH: truth}
        lines.append(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
    return "".join(lines)


def _entry(tree: Tree, problems: list[Problem]) -> QueryEntry | None:
    before = len(problems)
    row = tree.value if isinstance(tree.value, dict) else {}
    query, given, truth = row.get("query"), row.get("query_id"), row.get(TRUTH)
    if not isinstance(query, str) or not query:
        problems.append(Problem("AZS009", "the key 'query' is missing or no text", tree.locate("/query")))
    if not (given is None or isinstance(given, str | int)):
        problems.append(Problem("AZS010", "query_id: takes text or a number", tree.locate("/query_id")))
    if not isinstance(truth, list):
        problems.append(Problem("AZS009", f"the key {TRUTH!r} is missing or no list", tree.locate(f"/{TRUTH}")))
        truth = []
    relevant = tuple(_judged(item, f"/{TRUTH}/{i}", tree, problems) for i, item in enumerate(truth))
    if len(problems) > before:
        return None
    name = str(given) if given is not None else stable_id(str(query))
    return QueryEntry(
        id=name,
        query=str(query),
        relevant=tuple(judged for judged in relevant if judged is not None),
        tags=(),
        filter=None,
        request={},
        location=tree.locate("/query_id" if given is not None else "/query"),
    )


def _judged(item: object, pointer: str, tree: Tree, problems: list[Problem]) -> JudgementEntry | None:
    values = item if isinstance(item, dict) else {}
    name, label = values.get("document_id"), values.get("query_relevance_label")
    if not isinstance(name, str) or not name:
        message = "the key 'document_id' is missing or no text"
        problems.append(Problem("AZS009", message, tree.locate(f"{pointer}/document_id")))
        return None
    if not isinstance(label, int) or isinstance(label, bool) or not 0 <= label <= HIGHEST_GRADE:
        message = f"query_relevance_label: takes a whole number from 0 to {HIGHEST_GRADE}"
        problems.append(Problem("AZS010", message, tree.locate(f"{pointer}/query_relevance_label")))
        return None
    return JudgementEntry(name, None, None, label, tree.locate(f"{pointer}/document_id"))
