"""AZS228 and AZS229: what the type of a vector field asks of its encoding, metric, compression and place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.fields import BINARY_VECTOR, COMPRESSIBLE_VECTORS, is_vector
from azsearch_ops.contract.skills import FIXED_LENGTH_MODELS
from azsearch_ops.contract.versions import is_preview
from azsearch_ops.definitions.short_forms import projected_paths
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import PlacedField, Subject, fields_by_path, is_integer, items, member
from azsearch_ops.rules.vectors import embedding_outputs

EXPLANATIONS: Final = (
    Explanation(
        "AZS228",
        "An encoding or metric that does not fit the type of a vector field",
        "Collection(Edm.Byte) holds eight bits a byte: it takes vectorEncoding packedBit, dimensions that are a "
        "multiple of 8, and the metric hamming. No other type takes any of the three.",
        "Change type, encoding or the profile's algorithm.",
        sources.BINARY_VECTORS,
    ),
    Explanation(
        "AZS229",
        "A vector inside a complex field",
        "Vectors of sub-fields are a preview (2025-05-01-preview); a stable api-version takes them at the top only.",
        "Move the field to the top, or use a preview version.",
        sources.VECTOR_INDEX,
    ),
)

_NESTED_SINCE: Final = "2025-05-01-preview"


def check_vector_types(subject: Subject) -> Iterator[Problem]:
    """The problems of vector fields that follow from their type."""
    index, tree = subject.index, subject.index.tree
    vector = index.index.get("vectorSearch")
    parts = {
        part: {str(body.get("name")): (body, at) for body, at in items(member(vector, part), f"/vectorSearch/{part}")}
        for part in ("profiles", "algorithms", "compressions")
    }
    for field in fields_by_path(index.index).values():
        if not is_vector(field.body):
            if field.body.get("vectorEncoding") is not None:
                continue  # AZS227 says it
            continue
        if "/" in field.name and not is_preview(subject.environment.api_version):
            message = f"{field.name}: vectors inside a complex field are a preview (since {_NESTED_SINCE})"
            severity: Any = "error" if subject.environment.strict else "warning"
            yield Problem("AZS229", message, tree.locate(step(field.pointer, "type")), severity=severity)
        profile, _ = parts["profiles"].get(str(field.body.get("vectorSearchProfile")), ({}, ""))
        algorithm, _ = parts["algorithms"].get(str(profile.get("algorithm")), ({}, ""))
        yield from _check_encoding(field, algorithm, subject)
        compression, _ = parts["compressions"].get(str(profile.get("compression")), ({}, ""))
        if compression:
            yield from _check_compression(field, compression, subject)


def _check_encoding(field: PlacedField, algorithm: Mapping[str, Any], subject: Subject) -> Iterator[Problem]:
    tree, name = subject.index.tree, field.name
    packed = field.body.get("type") == BINARY_VECTOR
    encoding, dimensions = field.body.get("vectorEncoding"), field.body.get("dimensions")
    if packed and encoding is None:
        message = f"{name}: {BINARY_VECTOR} needs vectorEncoding packedBit"
        yield Problem("AZS228", message, tree.locate(step(field.pointer, "type")), hint="vectorEncoding: packedBit")
    elif not packed and encoding is not None:
        message = f"{name}: vectorEncoding belongs to {BINARY_VECTOR}"
        yield Problem("AZS228", message, tree.locate_key(step(field.pointer, "vectorEncoding")))
    if packed and is_integer(dimensions) and dimensions % 8:
        message = f"{name}: {dimensions} dimensions are not a multiple of 8, the bits of a byte"
        yield Problem("AZS228", message, tree.locate(step(field.pointer, "dimensions")))
    metric = next(
        (
            member(algorithm.get(part), "metric")
            for part in ("hnswParameters", "exhaustiveKnnParameters")
            if isinstance(algorithm.get(part), Mapping)
        ),
        None,
    )
    if algorithm and (metric == "hamming") != packed:
        wanted = "the metric hamming" if packed else f"another metric than hamming, which is for {BINARY_VECTOR}"
        message = f"{name}: the algorithm {algorithm.get('name')} of its profile needs {wanted}"
        yield Problem("AZS228", message, tree.locate(step(field.pointer, "vectorSearchProfile")))


def _check_compression(field: PlacedField, compression: Mapping[str, Any], subject: Subject) -> Iterator[Problem]:
    tree, name = subject.index.tree, field.name
    place = tree.locate(step(field.pointer, "vectorSearchProfile"))
    if field.body.get("type") not in COMPRESSIBLE_VECTORS:
        message = f"{name}: compression {compression.get('name')} needs {' or '.join(COMPRESSIBLE_VECTORS)}"
        yield Problem("AZS246", message, place)
    if compression.get("truncationDimension") is None:
        return
    model = _model_of(field.name, subject)
    if model in FIXED_LENGTH_MODELS:
        message = f"{name}: the vectors of {model} lose their meaning when they are truncated"
        hint = "truncationDimension is for models trained for it, such as text-embedding-3-*"
        yield Problem("AZS246", message, place, severity="warning", hint=hint)


def _model_of(field: str, subject: Subject) -> str | None:
    """The model whose vectors a projection writes into the field."""
    if subject.skillset is None:
        return None
    path = projected_paths(subject.index).get(field)
    return next((output.model for output in embedding_outputs(subject.skillset) if output.path == path), None)
