"""AZS50x: names, environments, api-versions, connections and sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from azsearch_ops.contract import limits, sources
from azsearch_ops.contract.indexing import BLOB_TYPES, PARSING_MODES, SOURCE_TYPES
from azsearch_ops.contract.names import OWN_DIGITS, check_name
from azsearch_ops.contract.versions import API_VERSIONS, DEFAULT_API_VERSION, aliases_supported, is_api_version
from azsearch_ops.definitions.durations import parse_duration
from azsearch_ops.definitions.environment import Environment
from azsearch_ops.definitions.files import is_folder
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.references import missing_connection, missing_skillset
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation

EXPLANATIONS: Final = (
    Explanation("AZS501", "The skillset is not there", "An index names its skillset.", "Mend the name, or write it."),
    Explanation(
        "AZS502",
        "The environment has no such connection",
        "A source names a connection, and each environment says what that is there.",
        "Add it under `connections` of the environment.",
    ),
    Explanation(
        "AZS503",
        "The container's folder is not there",
        "In an environment with a folder connection each container is a sub-folder. The indexer's run would fail.",
        "Create the folder, or mend folder or container.",
    ),
    Explanation(
        "AZS504",
        "A connection needs a folder, a connectionString or a dataSource",
        "Exactly one: a folder is for the local service, a connection string for Azure, and `dataSource` names a data "
        "source that the service has already, which is used and never written.",
        "Keep one.",
    ),
    Explanation(
        "AZS505",
        "An alias that something else is called, or that two definitions claim",
        "Alias and index share one address space; two definitions that move one alias undo each other's releases.",
        "Choose another alias, such as NAME-live.",
        sources.ALIAS,
    ),
    Explanation(
        "AZS506",
        "The api-version does not know aliases",
        "Aliases are stable since 2026-04-01, and in previews since 2021-04-30-preview. Before that the service "
        "answers 404 for the alias.",
        "Set apiVersion and queryApiVersion to 2026-04-01 or later.",
        sources.ALIAS,
    ),
    Explanation(
        "AZS507",
        "An api-version that is unknown or no longer answered",
        "The service refuses versions that it does not know.",
        "Use a version from the list, 2026-04-01 if in doubt.",
        sources.VERSIONS,
    ),
    Explanation(
        "AZS508",
        "The endpoint is no address",
        "It is `local`, or an address with its scheme.",
        "https://NAME.search.windows.net",
    ),
    Explanation(
        "AZS509",
        "A name that Azure refuses",
        "Index, skillset, indexer and data source are called PREFIX + NAME + dash + eight digits, at most 128 "
        "characters, and the strictest rule of the four counts. Names are never cut.",
        "Lower-case letters, digits and single dashes; at most 119 characters with the prefix.",
        sources.NAMING,
    ),
    Explanation(
        "AZS510",
        "A source of a type or parsing mode that is not there",
        "Azure refuses data source or indexer.",
        f"Types: {', '.join(SOURCE_TYPES)}. Modes: {', '.join(PARSING_MODES)}.",
        sources.DATA_SOURCE,
    ),
    Explanation(
        "AZS511",
        "A schedule outside five minutes to one day",
        "Azure refuses the indexer.",
        "An ISO 8601 duration such as PT1H.",
        sources.INDEXER,
    ),
    Explanation(
        "AZS518",
        "A stand-in semantic ranker outside the local service",
        "`semanticRanker: stand-in` starts the local service so that it answers semantic queries, by a stand-in that "
        "is shown and never gated. A service in Azure has its own ranker, or none.",
        "Take it out, or set `endpoint: local`.",
    ),
)

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def check_environment(environment: Environment) -> Iterator[Problem]:
    """The problems of the environment itself."""
    settings = [(environment.api_version, "apiVersion")]
    if environment.query_api_version != environment.api_version:
        settings.append((environment.query_api_version, "queryApiVersion"))
    for name, setting in settings:
        place = environment.locate(f"/{setting}")
        known = API_VERSIONS.get(name.lower())
        hint = f"{setting}: {DEFAULT_API_VERSION}"
        if not is_api_version(name):
            yield Problem("AZS507", f"{name!r} is no api-version", place, hint=name_hint(name, API_VERSIONS))
        elif known is not None and known.status == "dead":
            yield Problem("AZS507", f"{setting}: the service no longer answers {name}", place, hint=hint)
        elif not aliases_supported(name):
            message = f"aliases need api-version {DEFAULT_API_VERSION} or later, {setting} is {name}"
            yield Problem("AZS506", message, place, hint=hint)
        elif known is None:
            yield Problem("AZS507", f"the api-version {name} is not known here", place, severity="warning")
    if not environment.is_local:
        parts = urlsplit(environment.endpoint)
        if parts.scheme not in ("https", "http") or not parts.hostname:
            message = "endpoint must be `local` or an address such as https://NAME.search.windows.net"
            yield Problem("AZS508", message, environment.locate("/endpoint"))
        else:
            yield from _check_service_name(environment, parts.hostname)
        if environment.semantic_ranker is not None:
            message = "semanticRanker is for `endpoint: local`; the semantic ranker of this service is its own"
            yield Problem("AZS518", message, environment.locate("/semanticRanker"), hint="take the line out")
    if environment.prefix and check_name("skillset", environment.prefix + "x") is not None:
        message = f"the prefix {environment.prefix!r} {check_name('skillset', environment.prefix + 'x')}"
        yield Problem("AZS509", message, environment.locate("/prefix"))
    for name, connection in environment.connections.items():
        ways = (connection.folder, connection.connection_string, connection.data_source)
        if sum(way is not None for way in ways) != 1:
            message = f"the connection {name!r} needs exactly one of folder, connectionString and dataSource"
            yield Problem("AZS504", message, environment.locate(step("/connections", name)))
        elif connection.data_source is not None and check_name("dataSource", connection.data_source) is not None:
            reason = check_name("dataSource", connection.data_source)
            message = f"no data source is called {connection.data_source!r}: its name {reason}"
            yield Problem("AZS509", message, environment.locate(step("/connections", name) + "/dataSource"))
        elif connection.folder is not None and not _reads_folders(environment):
            message = f"the connection {name!r} is a folder, which only the local service can read"
            place = environment.locate(step("/connections", name))
            yield Problem("AZS504", message, place, hint="use a connectionString")


def _check_service_name(environment: Environment, host: str) -> Iterator[Problem]:
    """The name of a service of Azure, which stands before the first dot of its address."""
    name, _, domain = host.partition(".")
    if not domain.startswith("search."):
        return
    reason = check_name("service", name)
    if reason is not None:
        message = f"no search service is called {name!r}: its name {reason}"
        yield Problem("AZS508", message, environment.locate("/endpoint"))


def _reads_folders(environment: Environment) -> bool:
    """Whether a local service answers there: named as such, or by an address of this machine."""
    return environment.is_local or urlsplit(environment.endpoint).hostname in _LOOPBACK


def check_shipping(project: Project, index: IndexDefinition) -> Iterator[Problem]:
    """The problems of an index definition's names, references and source."""
    tree = index.tree
    if index.skillset is not None and index.skillset not in {*project.skillsets, *project.broken}:
        yield missing_skillset(project, index)
    candidate = f"{project.environment.prefix}{index.name}{OWN_DIGITS}"
    for kind in ("index", "skillset"):
        reason = check_name(kind, candidate)
        if reason is not None:
            message = f"the name {index.name!r} cannot be used: {kind} names {reason}"
            hint = "every name gets a dash and eight digits more"
            yield Problem("AZS509", message, tree.locate("/name"), hint=hint)
            break
    reason = check_name("alias", index.alias)
    if reason is not None:
        yield Problem("AZS509", f"the alias {index.alias!r} {reason}", tree.locate("/alias"))
    adopted = check_name("index", index.adopt) if index.adopt is not None else None
    if adopted is not None:
        yield Problem("AZS509", f"adopt names no index: {index.adopt!r} {adopted}", tree.locate("/adopt"))
    yield from _check_source(project, index)


def check_aliases(project: Project) -> Iterator[Problem]:
    """Aliases that two definitions claim, or that look like an index of ours."""
    first: dict[str, IndexDefinition] = {}
    for index in project.indexes.values():
        place = index.locate("/alias")
        if index.alias in first:
            other = first[index.alias].locate("/alias")
            yield Problem("AZS505", f"the alias {index.alias!r} is claimed already ({other})", place)
        first.setdefault(index.alias, index)
        for other_index in project.indexes.values():
            base = f"{project.environment.prefix}{other_index.name}"
            if re.fullmatch(re.escape(base) + r"-[0-9a-f]{8}", index.alias):
                message = f"the alias {index.alias!r} is called like an index of {other_index.name!r}"
                yield Problem("AZS505", message, place, hint=f"{index.name}-live")


def _check_source(project: Project, index: IndexDefinition) -> Iterator[Problem]:
    source, tree = index.source, index.tree
    if index.pushed:
        return
    if source.type not in SOURCE_TYPES:
        hint = name_hint(source.type, SOURCE_TYPES)
        yield Problem("AZS510", f"there is no source type {source.type!r}", tree.locate("/source/type"), hint=hint)
    if source.parsing_mode not in PARSING_MODES:
        hint = name_hint(source.parsing_mode, PARSING_MODES)
        message = f"there is no parsing mode {source.parsing_mode!r}"
        yield Problem("AZS510", message, tree.locate("/source/parsingMode"), hint=hint)
    yield from _check_schedule(index)
    connection = project.environment.connections.get(source.connection)
    if connection is None:
        yield missing_connection(project, index)
    elif connection.folder is not None and source.type in BLOB_TYPES:
        folder = project.root / connection.folder
        if not is_folder(folder):
            place = project.environment.locate(step("/connections", source.connection) + "/folder")
            yield Problem("AZS503", f"the folder {connection.folder} is not there", place)
        elif not is_folder(folder / source.container):
            place = tree.locate("/source/container")
            there = [path.name for path in folder.iterdir() if path.is_dir()]
            message = f"the container {source.container!r} is not there ({connection.folder}/{source.container})"
            yield Problem("AZS503", message, place, hint=name_hint(source.container, there))


def _check_schedule(index: IndexDefinition) -> Iterator[Problem]:
    schedule = index.source.schedule
    if schedule is None:
        return
    interval = schedule if isinstance(schedule, str) else schedule.get("interval")
    place = index.tree.locate("/source/schedule")
    try:
        seconds = parse_duration(interval).total_seconds() if str(interval).startswith("P") else -1.0
    except ValueError:
        seconds = -1.0
    if not limits.SCHEDULE_MINIMUM_SECONDS <= seconds <= limits.SCHEDULE_MAXIMUM_SECONDS:
        message = "a schedule is an ISO 8601 duration between five minutes and one day"
        yield Problem("AZS511", message, place, hint="PT1H")
