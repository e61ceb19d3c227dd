"""The fields of an index definition as paths, with what each may be used for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from azsearch_ops.local.search.analysis.analyzers import DEFAULT_ANALYZER

VECTOR_TYPES = frozenset(f"Edm.{name}" for name in ("Single", "Half", "Int16", "SByte", "Byte"))
COMPLEX = "Edm.ComplexType"


@dataclass(frozen=True, slots=True)
class Field:
    """A field with Azure's defaults applied.

    `path` joins the names with slashes; `type` is the element type without Collection; `scope` is the path of the
    innermost collection that holds the value (the field itself when it is one), empty at the top.
    """

    path: str
    name: str
    type: str
    collection: bool
    scope: str
    key: bool
    retrievable: bool
    searchable: bool
    filterable: bool
    sortable: bool
    facetable: bool
    index_analyzer: str
    search_analyzer: str
    synonym_maps: tuple[str, ...]
    dimensions: int
    profile: str
    children: tuple[Field, ...]

    @property
    def vector(self) -> bool:
        """Whether it holds an embedding."""
        return self.collection and self.type in VECTOR_TYPES

    @property
    def complex(self) -> bool:
        """Whether it has sub-fields."""
        return self.type == COMPLEX

    @property
    def edm(self) -> str:
        """The type as Azure writes it."""
        return f"Collection({self.type})" if self.collection else self.type


class Schema:
    """The definition of an index, read once. `definition` is the REST body."""

    def __init__(self, definition: Mapping[str, Any]) -> None:
        self.definition = definition
        self.fields = tuple(_fields(definition.get("fields") or (), "", ""))
        self.by_path = {field.path: field for field in _walk(self.fields)}
        self.key = next((field.name for field in self.fields if field.key), "")
        similarity = definition.get("similarity") or {}
        self.k1 = _number(similarity.get("k1"), 1.2)
        self.b = _number(similarity.get("b"), 0.75)

    @cached_property
    def searchable(self) -> tuple[Field, ...]:
        """Fields with terms, in the order of the definition."""
        return tuple(field for field in _walk(self.fields) if field.searchable and field.type == "Edm.String")

    @cached_property
    def vectors(self) -> tuple[Field, ...]:
        """Fields with embeddings."""
        return tuple(field for field in _walk(self.fields) if field.vector)

    @cached_property
    def columns(self) -> tuple[Field, ...]:
        """Simple fields whose values are looked at by filters, orders, facets or scoring functions."""
        return tuple(
            field
            for field in _walk(self.fields)
            if not field.complex
            and not field.vector
            and (field.key or field.filterable or field.sortable or field.facetable)
        )

    @cached_property
    def collections(self) -> tuple[Field, ...]:
        """Collections other than vectors, outer ones first."""
        return tuple(field for field in _walk(self.fields) if field.collection and not field.vector)

    @cached_property
    def suggesters(self) -> Mapping[str, tuple[str, ...]]:
        """Suggester → the paths of its source fields."""
        return {str(s["name"]): tuple(s["sourceFields"]) for s in self.definition.get("suggesters") or ()}

    @property
    def suggested(self) -> frozenset[str]:
        """The source fields of all suggesters."""
        return frozenset(path for fields in self.suggesters.values() for path in fields)

    @property
    def document_layout(self) -> tuple[Any, ...]:
        """What a change of makes every document be taken in again."""
        return tuple(
            (
                field.path,
                field.edm,
                field.searchable,
                field.filterable or field.sortable or field.facetable,
                field.index_analyzer,
                field.dimensions,
                field.path in self.suggested,
            )
            for field in _walk(self.fields)
        )

    def algorithm(self, field: Field) -> Mapping[str, Any]:
        """The vector search algorithm of a vector field's profile; empty when there is none."""
        profile = self.profile(field)
        return _named(self._vector_search("algorithms"), str(profile.get("algorithm")))

    def metric(self, field: Field) -> str:
        """cosine, dotProduct, euclidean or hamming."""
        algorithm = self.algorithm(field)
        parameters = algorithm.get(f"{algorithm.get('kind', 'hnsw')}Parameters") or {}
        return str(parameters.get("metric") or "cosine")

    def profile(self, field: Field) -> Mapping[str, Any]:
        """The vector search profile of a vector field; empty when there is none."""
        return _named(self._vector_search("profiles"), field.profile)

    def vectorizer(self, field: Field) -> Mapping[str, Any] | None:
        """What makes a vector out of a query text for that field."""
        name = self.profile(field).get("vectorizer")
        return (_named(self._vector_search("vectorizers"), str(name)) or None) if name else None

    def _vector_search(self, part: str) -> Iterable[Mapping[str, Any]]:
        return (self.definition.get("vectorSearch") or {}).get(part) or ()


def _named(items: Iterable[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    return next((item for item in items if item.get("name") == name), {})


def _walk(fields: Iterable[Field]) -> Iterator[Field]:
    for field in fields:
        yield field
        yield from _walk(field.children)


def _number(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) else default


def _fields(bodies: Iterable[Mapping[str, Any]], prefix: str, scope: str) -> Iterator[Field]:
    for body in bodies:
        declared = str(body["type"])
        collection = declared.startswith("Collection(")
        kind = declared[11:-1] if collection else declared
        path = prefix + str(body["name"])
        vector = collection and kind in VECTOR_TYPES
        inner = path if collection and not vector else scope
        simple = kind != COMPLEX and not vector
        text = kind == "Edm.String"

        def flag(name: str, default: bool, body: Mapping[str, Any] = body) -> bool:
            value = body.get(name)
            return default if value is None else bool(value)

        both = body.get("analyzer") or DEFAULT_ANALYZER
        yield Field(
            path=path,
            name=str(body["name"]),
            type=kind,
            collection=collection,
            scope=inner,
            key=flag("key", False),
            retrievable=flag("retrievable", not vector),
            searchable=flag("searchable", text or vector),
            filterable=flag("filterable", simple),
            sortable=flag("sortable", simple and not inner),
            facetable=flag("facetable", simple and kind != "Edm.GeographyPoint"),
            index_analyzer=str(body.get("indexAnalyzer") or both),
            search_analyzer=str(body.get("searchAnalyzer") or both),
            synonym_maps=tuple(body.get("synonymMaps") or ()),
            dimensions=int(body.get("dimensions") or 0),
            profile=str(body.get("vectorSearchProfile") or ""),
            children=tuple(_fields(body.get("fields") or (), path + "/", inner)),
        )
