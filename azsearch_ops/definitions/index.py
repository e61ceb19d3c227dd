"""An index definition: fields, source, projection, retrieval, evaluation, gate, retention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter

from azsearch_ops.contract.indexing import PARSING_MODES
from azsearch_ops.definitions.durations import Duration
from azsearch_ops.definitions.environment import Environment, MissingDocuments
from azsearch_ops.definitions.gate import GateBlock, GateLimits, GateRules
from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import STRICT
from azsearch_ops.errors import Location

Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A source document (path below its container) that may fail, and why."""

    __pydantic_config__ = STRICT

    document: Text
    reason: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the documents come from. `schedule` is an interval (PT1H) or REST's object; the rest is REST's.

    Without `key_mapping` the indexer maps no key itself, and the service takes the encoded path of the blob.
    `data_source` and `indexer` hold what else REST has for the two objects (`description`, `disabled` …).
    """

    __pydantic_config__ = STRICT

    type: Text
    connection: Text
    container: Text
    query: str | None = None
    parsing_mode: Annotated[str, Field(alias="parsingMode")] = "default"
    schedule: str | Mapping[str, object] | None = None
    accept: tuple[Accepted, ...] = ()
    configuration: Mapping[str, object] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)
    field_mappings: Annotated[tuple[Mapping[str, object], ...], Field(alias="fieldMappings")] = ()
    output_field_mappings: Annotated[tuple[Mapping[str, object], ...], Field(alias="outputFieldMappings")] = ()
    cache: Mapping[str, object] | None = None
    encryption_key: Annotated[Mapping[str, object] | None, Field(alias="encryptionKey")] = None
    key_mapping: Annotated[bool, Field(alias="keyMapping")] = True
    change_detection: Annotated[Mapping[str, object] | None, Field(alias="dataChangeDetectionPolicy")] = None
    deletion_detection: Annotated[Mapping[str, object] | None, Field(alias="dataDeletionDetectionPolicy")] = None
    data_source: Annotated[Mapping[str, object], Field(alias="dataSource")] = field(default_factory=dict)
    indexer: Mapping[str, object] = field(default_factory=dict)


PUSHED: Final = Source(type="push", connection="", container="")
"""The source of a definition that has none: applications push the documents, and no candidate can be filled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """The search request in short. `k` and `weight` are of the vector queries, `weights` by vector field.

    `threshold` is a number (similarity) or REST's object. `fields` are the vector fields, all unless said. `request`
    holds any further REST property, and overrides.
    """

    __pydantic_config__ = STRICT

    mode: Literal["text", "vector", "hybrid"]
    top: Annotated[int, Field(ge=1)] = 5
    k: Annotated[int | None, Field(ge=1)] = None
    fields: tuple[str, ...] = ()
    weight: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    threshold: float | Mapping[str, object] | None = None
    request: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """The query set's file, the fields that hold document path and chunk text, and the metrics to report.

    `qrels` is the file of judgements where `queries` are TREC topics. `missing_documents` says what becomes of
    judgements on documents that an environment lacks, unless the environment says so itself.
    """

    __pydantic_config__ = STRICT

    queries: Path
    document: Text
    text: Text
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    qrels: Path | None = None
    missing_documents: MissingDocuments | None = None


@dataclass(frozen=True, slots=True)
class Retention:
    """How many releases are kept, for how long they stay fresh, and how long failed candidates stay."""

    __pydantic_config__ = STRICT

    keep: Annotated[int, Field(ge=1)] = 2
    fresh_for: Duration = timedelta(days=7)
    failed: Duration = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFile:
    """What indexes/NAME/index.yaml takes. Without a skillset the indexer writes documents as it reads them.

    Without a source nothing here fills the index: applications push to it, and it can only be adopted.
    """

    __pydantic_config__ = STRICT

    name: Text
    alias: Text
    skillset: Text | None = None
    source: Source | None = None
    projection: Annotated[Mapping[str, str | Mapping[str, object]] | None, Field(min_length=1)] = None
    index: Mapping[str, object]
    retrieval: Retrieval
    evaluation: EvaluationSettings | None = None
    gate: GateBlock = field(default_factory=GateBlock.empty)
    retention: Retention = field(default_factory=Retention)
    adopt: Text | None = None


INDEX = TypeAdapter(IndexFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDefinition:
    """One index definition. `projection` says which path fills which field (empty: the indexer writes documents
    themselves); `index` is REST's body. `evaluated` is false where the definition names no query set.

    `gate` has the limits of the gated metrics, `gate_rules` what the gate holds a candidate to beside them.
    `adopt` names an index that served before there was any release: the first release takes it as it is.
    """

    name: str
    alias: str
    skillset: str | None
    source: Source
    projection: Mapping[str, str | Mapping[str, object]]
    index: Mapping[str, object]
    retrieval: Retrieval
    evaluation: EvaluationSettings
    gate: Mapping[str, GateLimits]
    retention: Retention
    tree: Tree
    adopt: str | None = None
    gate_rules: GateRules = field(default_factory=GateRules)

    @property
    def pushed(self) -> bool:
        """Whether applications push the documents, so that no indexer of ours can fill an index with them."""
        return self.source is PUSHED

    @property
    def evaluated(self) -> bool:
        """Whether there is a query set to measure candidates with."""
        return bool(self.evaluation.metrics)

    def locate(self, pointer: str) -> Location:
        """Where the value at `pointer` stands."""
        return self.tree.locate(pointer)


def index_from(content: IndexFile, tree: Tree, folder: Path) -> IndexDefinition:
    """The definition that a file in `folder` describes; the query set's path is made absolute."""
    values = {row.name: getattr(content, row.name) for row in fields(content)}
    values["gate"], values["gate_rules"] = content.gate.metrics(), content.gate.rules()
    values["projection"] = content.projection or {}
    values["source"] = _moded(content.source or PUSHED)
    said = content.evaluation or EvaluationSettings(queries=Path(), document="", text="", metrics=())
    values["evaluation"] = replace(
        said,
        queries=(folder / said.queries).absolute(),
        qrels=(folder / said.qrels).absolute() if said.qrels is not None else None,
    )
    return IndexDefinition(**values, tree=tree)


def _moded(source: Source) -> Source:
    """The source with the parsing mode that its configuration states, as REST does, where it states none itself."""
    nested = source.parameters.get("configuration")
    for configuration in (nested, source.configuration):
        mode = configuration.get("parsingMode") if isinstance(configuration, Mapping) else None
        if source.parsing_mode == "default" and mode in PARSING_MODES:
            return replace(source, parsing_mode=str(mode))
    return source


def missing_documents(index: IndexDefinition, environment: Environment) -> MissingDocuments:
    """What becomes of judgements on documents that the environment lacks: a local one has part of them, as a rule."""
    said = environment.missing_documents or index.evaluation.missing_documents
    return said or ("skip" if environment.is_local else "fail")
