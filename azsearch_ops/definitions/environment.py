"""An environment: where definitions are shipped, and what differs there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from azsearch_ops.contract.versions import DEFAULT_API_VERSION
from azsearch_ops.definitions.capacity import NO_LIMITS, Budget, Prices, RateLimits, ServiceSize
from azsearch_ops.definitions.consumers import Consumer, Model
from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import STRICT
from azsearch_ops.errors import Location

LOCAL = "local"
"""The endpoint that stands for the local service, wherever it listens."""

MissingDocuments = Literal["fail", "skip"]
"""Judgements on documents that an environment lacks are an error, or are left out of its evaluations."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where documents come from: a folder of containers for the local service, a connection string, or `dataSource`.

    A connection string that is a secret is a reference (definitions.secrets). `identity` is REST's. `dataSource` is
    the name of a data source that the service has already: it is used as it is, and never written.
    """

    __pydantic_config__ = STRICT

    folder: str | None = None
    connection_string: Annotated[str | None, Field(alias="connectionString")] = None
    identity: Mapping[str, object] | None = None
    data_source: Annotated[str | None, Field(alias="dataSource", min_length=1)] = None


@dataclass(frozen=True, slots=True)
class Reports:
    """What evaluations write down and show. With `ids` no word of a document or query: ids, ranks and figures only."""

    __pydantic_config__ = STRICT

    text: Literal["full", "ids"] = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentFile:
    """What infra/environments/NAME.yaml takes."""

    __pydantic_config__ = STRICT

    endpoint: str
    api_version: Annotated[str, Field(alias="apiVersion")] = DEFAULT_API_VERSION
    query_api_version: Annotated[str | None, Field(alias="queryApiVersion")] = None
    key: str | None = None
    audience: str | None = None
    settle_seconds: Annotated[float, Field(alias="settleSeconds", ge=0, le=3600)] = 60.0
    connections: Mapping[str, Connection] = field(default_factory=dict)
    variables: Mapping[str, object] = field(default_factory=dict)
    protected: bool = False
    prefix: str = ""
    alias_propagation_seconds: Annotated[float | None, Field(alias="aliasPropagationSeconds", ge=0, le=600)] = None
    reports: Reports = Reports()
    missing_documents: MissingDocuments | None = None
    prices: Prices | None = None
    rate_limits: Annotated[RateLimits | None, Field(alias="rateLimits")] = None
    budget: Budget = NO_LIMITS
    service: ServiceSize | None = None
    api: Literal["strict", "lenient"] = "lenient"
    consumers: Mapping[str, Consumer] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    semantic_ranker: Annotated[Literal["stand-in"] | None, Field(alias="semanticRanker")] = None


ENVIRONMENT = TypeAdapter(EnvironmentFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One environment. `query_api_version` is what applications query with; `key` a secret reference or None;
    `audience` what tokens are for, where it is not the public cloud's; `settle_seconds` how long counts may lag;
    `semantic_ranker` what the local service is started with to answer semantic queries."""

    name: str
    endpoint: str
    api_version: str
    query_api_version: str
    key: str | None
    connections: Mapping[str, Connection]
    variables: Mapping[str, object]
    protected: bool
    prefix: str
    alias_propagation_seconds: float | None
    tree: Tree
    audience: str | None = None
    settle_seconds: float = 60.0
    missing_documents: MissingDocuments | None = None
    reports: Reports = Reports()
    prices: Prices | None = None
    rate_limits: RateLimits | None = None
    budget: Budget = NO_LIMITS
    service: ServiceSize | None = None
    strict: bool = False
    consumers: Mapping[str, Consumer] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    semantic_ranker: Literal["stand-in"] | None = None

    @property
    def is_local(self) -> bool:
        """Whether the local service is meant."""
        return self.endpoint == LOCAL

    @property
    def location(self) -> Location:
        """The environment's file."""
        return self.tree.locate("")

    def locate(self, pointer: str) -> Location:
        """Where the value at `pointer` stands in the environment's file."""
        return self.tree.locate(pointer)


def environment_from(name: str, content: EnvironmentFile, tree: Tree) -> Environment:
    """The environment that a file describes."""
    return Environment(
        name=name,
        endpoint=content.endpoint,
        api_version=content.api_version,
        query_api_version=content.query_api_version or content.api_version,
        key=content.key,
        connections=content.connections,
        variables=content.variables,
        protected=content.protected,
        prefix=content.prefix,
        alias_propagation_seconds=content.alias_propagation_seconds,
        tree=tree,
        audience=content.audience,
        settle_seconds=content.settle_seconds,
        missing_documents=content.missing_documents,
        reports=content.reports,
        prices=content.prices,
        rate_limits=content.rate_limits,
        budget=content.budget,
        service=content.service,
        strict=content.api == "strict",
        consumers=content.consumers,
        models=content.models,
        semantic_ranker=content.semantic_ranker,
    )
