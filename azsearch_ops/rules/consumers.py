"""AZS51x: who else depends on what is shipped: consumers, quotas of deployments, other environments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.names import OWN_DIGITS, check_name
from azsearch_ops.contract.versions import API_VERSIONS, aliases_supported, is_api_version, is_preview
from azsearch_ops.definitions.environment import Environment
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.short_forms import wants_embedding
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject, fields_by_path, flag, items, member, placed_fields
from azsearch_ops.rules.vectors import embedding_outputs

EXPLANATIONS: Final = (
    Explanation(
        "AZS512",
        "A preview version that is old",
        "Previews are retired; one that is more than a year behind the newest version may be refused any day, and "
        "indexes made with a retired one could not be edited any more.",
        "Move to a stable version, or to a newer preview.",
        sources.VERSIONS,
    ),
    Explanation(
        "AZS513",
        "A consumer whose api-version cannot resolve the alias",
        "Before 2026-04-01 (and 2021-04-30-preview) queries of an alias were answered with 404.",
        "Raise the consumer's api-version, or let it read the index's name from `settings`.",
        sources.ALIAS,
    ),
    Explanation(
        "AZS514",
        "A field that a consumer reads is not there",
        "The consumer's queries would fail as soon as the alias moves.",
        "Keep the field, or take it out of the consumer's list once it no longer reads it.",
    ),
    Explanation(
        "AZS515",
        "Queries and bulk embedding share one deployment",
        "While a candidate is built, its embedding takes the rate limit that the questions of users need.",
        "Define a vectorizer of your own under index.vectorSearch.vectorizers with another deployment of the same "
        "model, and name it in the profile.",
        sources.VECTORIZER,
    ),
    Explanation(
        "AZS516",
        "Two environments that claim one alias of one service",
        "Each would undo the other's releases.",
        'Give one of them a `prefix` and an alias of its own, such as alias: "docs-{{ stage }}".',
        sources.ALIAS,
    ),
    Explanation(
        "AZS517",
        "A synonym map that is not defined, or breaks a rule of synonym maps",
        "A field names a map that is defined under synonymmaps/, or exists on the service. A rule expands to 20 terms "
        "at most, and a map has 20,000 rules at most (5,000 on the free tier).",
        "Mend the name, or write synonymmaps/NAME.yaml.",
        sources.SYNONYMS,
    ),
)

_OLD_DAYS: Final = 365
_EXPANSIONS: Final = 20
_RULES: Final = 20_000
_RULES_ON_FREE: Final = 5_000


def check_preview_age(environment: Environment) -> Iterator[Problem]:
    """Preview versions that are far behind the newest version known."""
    newest = max(name[:10] for name in API_VERSIONS)
    settings = [("apiVersion", environment.api_version)]
    if environment.query_api_version != environment.api_version:
        settings.append(("queryApiVersion", environment.query_api_version))
    for setting, version in settings:
        if not is_api_version(version) or not is_preview(version):
            continue
        place = environment.locate(f"/{setting}")
        days = _days(version[:10], newest)
        if environment.strict:
            yield Problem("AZS512", f"{setting} {version} is a preview, and the api is strict", place)
        elif days > _OLD_DAYS:
            message = f"{setting} {version} is a preview, {days} days older than the newest version ({newest})"
            yield Problem("AZS512", message, place, severity="warning")


def check_consumers(project: Project) -> Iterator[Problem]:
    """What an application that the environment names would run into."""
    environment = project.environment
    for name, consumer in environment.consumers.items():
        at = step("/consumers", name)
        known_aliases = {index.alias for index in project.indexes.values()}
        for number, alias in enumerate(consumer.aliases):
            if alias not in known_aliases and not project.broken:
                place = environment.locate(f"{at}/aliases/{number}")
                message = f"the consumer {name} queries an alias that no index claims: {alias!r}"
                yield Problem("AZS514", message, place, severity="warning", hint=name_hint(alias, known_aliases))
        place = environment.locate(f"{at}/apiVersion")
        if not is_api_version(consumer.api_version):
            yield Problem("AZS507", f"{consumer.api_version!r} is no api-version", place)
        elif (known := API_VERSIONS.get(consumer.api_version.lower())) is not None and known.status == "dead":
            message = f"{name}: the service no longer answers {consumer.api_version}"
            yield Problem("AZS507", message, place, severity="warning", hint="2026-04-01 or later")
        elif not aliases_supported(consumer.api_version):
            message = f"{name} ({consumer.api_version}) may not resolve the alias; it can read current-ALIAS"
            yield Problem("AZS513", message, place, severity="warning", hint="2026-04-01 or later resolves aliases")
        for index in project.indexes.values():
            if consumer.queries(index.alias):
                yield from _check_fields(environment, name, consumer.fields, index)


def check_deployments(subject: Subject) -> Iterator[Problem]:
    """One deployment for questions and for bulk embedding, in a protected environment."""
    if not subject.environment.protected or subject.skillset is None:
        return
    tree, vector = subject.index.tree, subject.index.index.get("vectorSearch")
    bulk = [(subject.skillset.embedding, "/embedding")] if subject.skillset.embedding else []
    bulk += [
        (skill, output.pointer)
        for output in embedding_outputs(subject.skillset)
        for skill, at in items(subject.skillset.skills, "/skills")
        if at == output.pointer
    ]
    message = "questions and bulk embedding share the deployment {!r} of a protected environment"
    for profile, at in items(member(vector, "profiles"), "/index/vectorSearch/profiles"):
        vectorizers = {str(v.get("name")): v for v, _ in items(member(vector, "vectorizers"), "")}
        name = profile.get("vectorizer")
        place = tree.locate(step(at, "vectorizer"))
        if name is None:
            continue
        own = member(vectorizers.get(str(name)), "azureOpenAIParameters")
        if own is None and isinstance(vector, dict) and wants_embedding(vector) and subject.skillset.embedding:
            own = subject.skillset.embedding
        for skill, _ in bulk:
            same = _deployment(own) == _deployment(skill)
            if own is not None and same and _deployment(own) != (None, None):
                yield Problem("AZS515", message.format(own.get("deploymentId")), place, severity="warning")
                break


def check_claims(project: Project, others: Iterable[Project]) -> Iterator[Problem]:
    """Aliases that another environment of the same service claims as well."""
    here = project.environment
    for other in others:
        there = other.environment
        if there.name == here.name or _service(there) != _service(here):
            continue
        claimed = {index.alias: index for index in other.indexes.values()}
        for index in project.indexes.values():
            if index.alias in claimed:
                message = f"the alias {index.alias!r} is claimed by the environment {there.name!r} of the same service"
                yield Problem("AZS516", message, index.locate("/alias"), hint="an alias and a prefix for each")


def check_synonyms(project: Project) -> Iterator[Problem]:
    """Synonym maps that break their rules."""
    for synonym_map in project.synonym_maps.values():
        place = synonym_map.locate("/synonyms")
        reason = check_name("synonymMap", f"{project.environment.prefix}{synonym_map.name}{OWN_DIGITS}")
        if reason is not None:
            message = f"the name {synonym_map.name!r} cannot be used: synonym map names {reason}"
            yield Problem("AZS509", message, synonym_map.locate("/name"))
        if synonym_map.format != "solr":
            message = f"format takes solr only, not {synonym_map.format!r}"
            yield Problem("AZS202", message, synonym_map.locate("/format"), hint="solr")
        free = project.environment.service is not None and project.environment.service.tier == "free"
        most = _RULES_ON_FREE if free else _RULES
        if len(synonym_map.rules) > most:
            yield Problem("AZS517", f"{len(synonym_map.rules):,} rules are more than {most:,}", place)
        for number, rule in enumerate(synonym_map.rules, start=1):
            terms = [term for term in rule.replace("\\,", "").split("=>")[-1].split(",") if term.strip()]
            if len(terms) > _EXPANSIONS:
                message = f"rule {number} expands to {len(terms)} terms, {_EXPANSIONS} are allowed"
                yield Problem("AZS517", message, place)
            if rule.count("=>") > 1 or not terms:
                yield Problem("AZS517", f"rule {number} is not a rule: {rule[:60]!r}", place)


def check_synonym_names(project: Project, index: IndexDefinition) -> Iterator[Problem]:
    """Synonym maps that fields name and nobody defines."""
    for field in fields_by_path(index.index).values():
        names = field.body.get("synonymMaps")
        for number, name in enumerate(names if isinstance(names, list | tuple) else ()):
            if isinstance(name, str) and name not in project.synonym_maps and name not in project.broken:
                place = index.locate(step(step(field.pointer, "synonymMaps"), number))
                message = f"{field.name}: the synonym map {name!r} is not defined here; it must exist on the service"
                hint = name_hint(str(name), project.synonym_maps)
                yield Problem("AZS517", message, place, severity="warning", hint=hint)


def _check_fields(
    environment: Environment, consumer: str, fields: tuple[str, ...], index: IndexDefinition
) -> Iterator[Problem]:
    known = placed_fields(index)
    for number, path in enumerate(fields):
        field = known.get(path.partition("/")[0])
        place = environment.locate(f"{step('/consumers', consumer)}/fields/{number}")
        if field is None:
            message = f"{consumer} reads {path!r}, which the index {index.name!r} does not have"
            yield Problem("AZS514", message, place, hint=name_hint(path, known))
        elif "/" not in path and not flag(field.body, "retrievable") and field.body.get("fields") is None:
            message = f"{consumer} reads {path!r}, which is not retrievable in {index.name!r}"
            yield Problem("AZS514", message, place)


def _deployment(parameters: object) -> tuple[object, object]:
    uri = member(parameters, "resourceUri")
    return (uri.rstrip("/") if isinstance(uri, str) else uri, member(parameters, "deploymentId"))


def _service(environment: Environment) -> str:
    return environment.endpoint.rstrip("/").lower()


def _days(earlier: str, later: str) -> int:
    try:
        return (date.fromisoformat(later) - date.fromisoformat(earlier)).days
    except ValueError:
        return 0
