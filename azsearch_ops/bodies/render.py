"""Definitions to the bodies of one index: index, skillset, data source, indexer, search request, and their digests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.bodies.canonical import digest
from azsearch_ops.bodies.index_body import index_body
from azsearch_ops.bodies.indexing_body import DISABLED, data_source_body, indexer_body, schedule
from azsearch_ops.bodies.normal import normal, normal_without
from azsearch_ops.bodies.origins import Origin
from azsearch_ops.bodies.ranking_parts import PartKind, RankingPart, name_by_content
from azsearch_ops.bodies.request import request_template
from azsearch_ops.bodies.skillset_body import skillset_body
from azsearch_ops.bodies.synonym_body import synonym_bodies
from azsearch_ops.contract.property import Property
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.references import missing_connection, missing_skillset
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.errors import DefinitionError, Problem, UsageError

DIGITS: Final = 8
"""Hexadecimal digits of a digest that stand in a name."""

OWN_INDEX: Final = "(index)"
OWN_SOURCE: Final = "(data source)"
"""Placeholders of own names, in what digests are made of and in what plans compare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bodies:
    """Everything that one index definition becomes, with final names; the indexer is without its schedule.

    `skillset` is empty where there is none, `synonym_maps` are those that the index's fields name. Data source and
    indexer are empty where applications push the documents. `disabled` says that live is not to be refreshed.

    `ranked` are the scoring profiles and semantic configurations, whose names come from their content; `carried` are
    those of live that a candidate is given besides, since applications go on naming them for a while.

    `owns_source` is False where the connection names a data source of the service, which is then never written.
    `rebuild_digest` is equal in every environment with the same model, container and query, `body_digest` is of
    everything but credentials, `settings_digest` of the search request. All are 64 hexadecimal digits.
    """

    name: str
    alias: str
    candidate: str
    index: Mapping[str, Any]
    skillset: Mapping[str, Any]
    data_source: Mapping[str, Any]
    indexer: Mapping[str, Any]
    schedule: Mapping[str, Any] | None
    search: Mapping[str, Any]
    rebuild_digest: str
    body_digest: str
    settings_digest: str
    origins: tuple[Origin, ...]
    owns_source: bool = True
    synonym_maps: tuple[Mapping[str, Any], ...] = ()
    ranked: tuple[RankingPart, ...] = ()
    carried: tuple[tuple[PartKind, Mapping[str, Any]], ...] = ()
    disabled: bool = False

    @property
    def pushed(self) -> bool:
        """Whether applications push the documents: then nothing of ours can fill a candidate."""
        return not self.indexer

    @property
    def data_source_name(self) -> str:
        """The data source's name, shared by all candidates whose source is equal; empty where there is none."""
        return str(self.data_source.get("name", ""))

    @property
    def while_live(self) -> dict[str, Any]:
        """What the indexer gets when its index becomes live, beside what a candidate's has."""
        schedule = {} if self.schedule is None else {"schedule": self.schedule}
        return schedule | ({DISABLED: True} if self.disabled else {})


def render(project: Project, index_name: str) -> Bodies:
    """The bodies of an index definition. The same definitions give the same bodies, byte for byte.

    UsageError when there is no such definition, DefinitionError when its skillset or connection is missing.
    """
    index = project.indexes.get(index_name)
    if index is None:
        raise UsageError(f"there is no index definition {index_name!r}", hint=name_hint(index_name, project.indexes))
    skillset = _skillset(project, index)
    base = f"{project.environment.prefix}{index.name}"
    abstract = _compose(project, index, skillset, OWN_INDEX, OWN_SOURCE, prefix="")
    source_digest = digest(normal_without("dataSource", abstract.data_source, _not_rebuilding))
    rebuild = digest(
        {
            kind: normal_without(kind, body, _not_rebuilding)
            for kind, body in (
                ("index", abstract.index),
                ("skillset", abstract.skillset),
                ("dataSource", abstract.data_source),
                ("indexer", abstract.indexer),
            )
        }
    )
    candidate = f"{base}-{rebuild[:DIGITS]}"
    connection = project.environment.connections.get(index.source.connection)
    named = connection.data_source if connection is not None else None
    source_name = named or f"{base}-{source_digest[:DIGITS]}"
    disabled = index.source.indexer.get(DISABLED) is True
    off = {DISABLED: True} if disabled else {}
    final = _compose(project, index, skillset, candidate, source_name, prefix=project.environment.prefix)
    return Bodies(
        name=index.name,
        alias=index.alias,
        candidate=candidate,
        index=final.index,
        skillset=final.skillset,
        data_source=final.data_source,
        indexer=final.indexer,
        schedule=schedule(index.source),
        search=final.search,
        rebuild_digest=rebuild,
        body_digest=digest(
            {
                "index": normal("index", abstract.index),
                "skillset": normal("skillset", abstract.skillset),
                "dataSource": normal("dataSource", abstract.data_source),
                "indexer": normal("indexer", {**abstract.indexer, "schedule": schedule(index.source)} | off),
                "search": normal("searchRequest", abstract.search),
            }
        ),
        settings_digest=digest(normal("searchRequest", abstract.search)),
        origins=final.origins,
        owns_source=named is None,
        synonym_maps=final.synonym_maps,
        ranked=final.ranked,
        disabled=disabled,
    )


@dataclass(frozen=True, slots=True)
class _Composed:
    index: dict[str, Any]
    skillset: dict[str, Any]
    data_source: dict[str, Any]
    indexer: dict[str, Any]
    search: dict[str, Any]
    synonym_maps: tuple[dict[str, Any], ...]
    ranked: tuple[RankingPart, ...]
    origins: tuple[Origin, ...]


def _compose(
    project: Project,
    index: IndexDefinition,
    skillset: SkillsetDefinition | None,
    name: str,
    source_name: str,
    *,
    prefix: str,
) -> _Composed:
    connection = project.environment.connections.get(index.source.connection)
    synonyms = synonym_bodies(index.index.get("fields"), project.synonym_maps, prefix, DIGITS)
    names = {own: str(body["name"]) for own, body in synonyms.items()}
    rendered_index, index_origins = index_body(index, skillset, names, name=name)
    rendered_skillset: dict[str, Any] = {}
    skillset_origins: tuple[Origin, ...] = ()
    if skillset is not None:
        rendered_skillset, skillset_origins = skillset_body(index, skillset, name=name, target=name)
    source: dict[str, Any] = {}
    indexer: dict[str, Any] = {}
    filling: tuple[Origin, ...] = ()
    if not index.pushed:
        enriching = None if skillset is None else name
        source, of_source = data_source_body(index.source, connection, project.root, name=source_name)
        indexer, of_indexer = indexer_body(index, name=name, data_source=source_name, skillset=enriching, target=name)
        filling = (*of_source, *of_indexer)
    search, search_origins = request_template(index)
    rendered_index, search, ranked = name_by_content(rendered_index, search)
    origins = (*index_origins, *skillset_origins, *filling, *search_origins)
    maps = tuple(synonyms.values())
    return _Composed(rendered_index, rendered_skillset, source, indexer, search, maps, ranked, origins)


def _not_rebuilding(row: Property) -> bool:
    """What differs between environments, or Azure changes in place without a new candidate."""
    return row.environment or row.change == "in place"


def _skillset(project: Project, index: IndexDefinition) -> SkillsetDefinition | None:
    """The index's skillset, if it names one; a skillset or connection that is not there is named with its place."""
    problems: list[Problem] = []
    skillset = project.skillsets.get(index.skillset or "")
    if skillset is None and index.skillset is not None:
        problems.append(missing_skillset(project, index))
    if not index.pushed and index.source.connection not in project.environment.connections:
        problems.append(missing_connection(project, index))
    if problems:
        raise DefinitionError(tuple(problems))
    return skillset
