"""AZS246: compressions that do not fit their algorithm, their options or their field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import is_number, items, member, placed_fields

EXPLANATIONS: Final = (
    Explanation(
        "AZS246",
        "A compression that does not fit",
        "Rescoring needs the original vectors with scalar quantization; truncation shortens, and only vectors of "
        "models that were trained for it; compression goes with HNSW.",
        "Change what the message names.",
        sources.QUANTIZATION,
    ),
)


def check_compressions(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of compressions, and of the profiles that use them."""
    tree, vector = index.tree, index.index.get("vectorSearch")
    compressions = {
        str(body.get("name")): (body, at)
        for body, at in items(member(vector, "compressions"), "/index/vectorSearch/compressions")
    }
    algorithms = {str(body.get("name")): body.get("kind") for body, _ in items(member(vector, "algorithms"), "")}
    for body, at in compressions.values():
        options = body.get("rescoringOptions")
        if options is not None and body.get("rerankWithOriginalVectors") is not None:
            message = "rescoringOptions took the place of rerankWithOriginalVectors; state one of the two"
            yield Problem("AZS246", message, tree.locate_key(f"{at}/rerankWithOriginalVectors"))
        discards = member(options, "rescoreStorageMethod") == "discardOriginals"
        if body.get("kind") == "scalarQuantization" and discards and member(options, "enableRescoring") is not False:
            place = tree.locate(f"{at}/rescoringOptions/rescoreStorageMethod")
            yield Problem("AZS246", "scalar quantization cannot rescore without the original vectors", place)
    used: dict[str, str] = {}
    for profile, at in items(member(vector, "profiles"), "/index/vectorSearch/profiles"):
        compression = profile.get("compression")
        if isinstance(compression, str) and algorithms.get(str(profile.get("algorithm"))) == "exhaustiveKnn":
            message = f"{profile.get('name')}: exhaustiveKnn neither needs compression nor rescores"
            yield Problem("AZS246", message, tree.locate(step(at, "compression")), severity="warning")
        if isinstance(compression, str):
            used[str(profile.get("name"))] = compression
    for field in placed_fields(index).values():
        compression_body, at = compressions.get(used.get(str(field.body.get("vectorSearchProfile")), ""), ({}, ""))
        truncated, dimensions = compression_body.get("truncationDimension"), field.body.get("dimensions")
        if is_number(truncated) and is_number(dimensions) and truncated >= dimensions:
            message = f"truncationDimension {truncated} does not shorten the {dimensions} dimensions of {field.name}"
            yield Problem("AZS246", message, tree.locate(step(at, "truncationDimension")))
