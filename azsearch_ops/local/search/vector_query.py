"""The vector queries of a request, read and checked against the fields that they search."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azsearch_ops.local.errors import invalid_request, not_supported_here
from azsearch_ops.local.search.odata.parser import parse_filter
from azsearch_ops.local.search.odata.syntax import Expression
from azsearch_ops.local.search.parameters import Parameters, api_date, is_preview
from azsearch_ops.local.search.schema import Field, Schema
from azsearch_ops.local.search.vectors import METRICS

DEFAULT_K = 50
MAX_VECTOR_QUERIES = 10
_WHERE = "vectorQueries"
_KNOWN = frozenset(
    [
        "kind",
        "vector",
        "text",
        "url",
        "base64Image",
        "fields",
        "k",
        "exhaustive",
        "oversampling",
        "weight",
        "threshold",
        "filterOverride",
        "perDocumentVectorLimit",
        "queryRewrites",
    ]
)


@dataclass(frozen=True, slots=True)
class Threshold:
    """Keeps what is at least this similar (at most this far), or what scores at least this."""

    kind: str
    value: float


@dataclass(frozen=True, slots=True)
class VectorQuery:
    """One query vector, given or to be made of `text`, over one or more fields: a ranked list for each."""

    vector: tuple[float, ...] | None
    text: str | None
    fields: tuple[Field, ...]
    k: int
    weight: float
    threshold: Threshold | None
    filter: Expression | None


def read_vector_queries(bodies: Sequence[Any], schema: Schema, api_version: str) -> tuple[VectorQuery, ...]:
    """The queries of `vectorQueries`; ServiceFault 400 for the first that cannot be carried out."""
    if len(bodies) > MAX_VECTOR_QUERIES:
        raise invalid_request(f"There are more than {MAX_VECTOR_QUERIES} vector queries.", "InvalidVectorQuery", _WHERE)
    return tuple(_read(body, schema, api_version) for body in bodies)


def _read(body: Any, schema: Schema, api_version: str) -> VectorQuery:
    if not isinstance(body, Mapping):
        raise invalid_request("A vector query must be an object.", "InvalidVectorQuery", _WHERE)
    parameters = Parameters(body, "search", _KNOWN)
    kind = parameters.string("kind")
    if kind in ("imageUrl", "imageBinary"):
        raise not_supported_here(f"vector queries of kind '{kind}'", "kind")
    if kind not in ("vector", "text"):
        raise invalid_request("The kind of a vector query must be 'vector' or 'text'.", "InvalidVectorQuery", "kind")
    allowed = {"vector": "vector", "text": "text"}[kind]
    for name in ("vector", "text", "url", "base64Image"):
        if name != allowed and body.get(name) is not None:
            raise invalid_request(f"'{name}' does not belong to a vector query of kind '{kind}'.", "", name)
    fields = _fields(parameters.string("fields"), schema)
    if parameters.given("queryRewrites"):
        raise not_supported_here("the vector query parameter 'queryRewrites'", "queryRewrites")
    if parameters.integer("perDocumentVectorLimit", 0):
        raise not_supported_here("the vector query parameter 'perDocumentVectorLimit'", "perDocumentVectorLimit")
    parameters.boolean("exhaustive")
    if parameters.number("oversampling", 1) is not None and not all(_compressed(f, schema) for f in fields):
        raise invalid_request(
            "'oversampling' needs vector fields with a compression in their profile.", "", "oversampling"
        )
    weight = parameters.number("weight")
    if weight is not None and not weight > 0:
        raise invalid_request("The weight of a vector query must be greater than 0.", "InvalidVectorQuery", "weight")
    override = _since(parameters, "filterOverride", api_version, "2024-09-01")
    return VectorQuery(
        vector=_vector(parameters, fields) if kind == "vector" else None,
        text=_text(parameters, fields, schema) if kind == "text" else None,
        fields=fields,
        k=parameters.integer("k", 1) or DEFAULT_K,
        weight=1.0 if weight is None else weight,
        threshold=_threshold(parameters, fields, schema, api_version),
        filter=parse_filter(str(override), "filterOverride") if override else None,
    )


def _since(parameters: Parameters, name: str, api_version: str, preview: str) -> Any:
    """A member that came with a preview and, by the service's own examples, stands in the stable 2026-04-01."""
    if not parameters.given(name):
        return None
    date = api_date(api_version)
    if not (date >= "2026-04-01" or (is_preview(api_version) and date >= preview)):
        raise parameters.unknown(name)
    return parameters.mapping(name) if name == "threshold" else parameters.string(name)


def _fields(text: str | None, schema: Schema) -> tuple[Field, ...]:
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if not names:
        raise invalid_request("A vector query must name its fields.", "InvalidVectorQuery", "fields")
    found = []
    for name in names:
        field = schema.by_path.get(name)
        if field is None or not field.vector or not field.searchable:
            raise invalid_request(
                f"Unknown field '{name}' in vector field list.", "InvalidVectorQuery", "vector.fields"
            )
        if schema.metric(field) not in METRICS:
            raise not_supported_here(f"the metric '{schema.metric(field)}' of the field '{name}'", "fields")
        found.append(field)
    return tuple(found)


def _vector(parameters: Parameters, fields: tuple[Field, ...]) -> tuple[float, ...]:
    values = parameters.list("vector")
    if not values or any(isinstance(v, bool) or not isinstance(v, int | float) or not math.isfinite(v) for v in values):
        raise invalid_request("The vector of a vector query must be an array of numbers.", "", "vector")
    for field in fields:
        check_length(len(values), field)
    return tuple(float(value) for value in values)


def check_length(length: int, field: Field) -> None:
    """ServiceFault when a vector does not fit a field."""
    if length != field.dimensions:
        raise invalid_request(
            f"The vector field '{field.path}', with dimension '{field.dimensions}', expects a length of "
            f"'{field.dimensions}'. However, the provided vector has a length of '{length}'. Please ensure that the "
            "vector length matches the expected length of the vector field.",
            "InvalidVectorQuery",
            "vector",
        )


def _text(parameters: Parameters, fields: tuple[Field, ...], schema: Schema) -> str:
    text = parameters.string("text")
    if not text:
        raise invalid_request("A vector query of kind 'text' must have a text.", "InvalidVectorQuery", "text")
    for field in fields:
        if schema.vectorizer(field) is None:
            raise invalid_request(
                f"Field '{field.path}' does not have a vectorizer defined in its vector profile.",
                "InvalidVectorQuery",
                "text",
            )
    return text


def _threshold(parameters: Parameters, fields: tuple[Field, ...], schema: Schema, api_version: str) -> Threshold | None:
    body = _since(parameters, "threshold", api_version, "2024-05-01")
    if body is None:
        return None
    inner = Parameters(body, "search", frozenset(("kind", "value")))
    kind = inner.choice("kind", ("vectorSimilarity", "searchScore"), "")
    value = inner.number("value")
    if not kind or value is None:
        raise invalid_request("A threshold must have a kind and a value.", "InvalidVectorQuery", "threshold")
    if len({schema.metric(field) for field in fields}) > 1:
        raise invalid_request(
            "A threshold can only be set when all fields of the vector query use the same metric.", "", "threshold"
        )
    return Threshold(kind, value)


def _compressed(field: Field, schema: Schema) -> bool:
    return bool(schema.profile(field).get("compression"))
