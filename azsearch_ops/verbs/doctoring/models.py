"""Checks of `doctor` that reach through the service: embedding deployments, semantic ranker, its own identity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from azsearch_ops.bodies.render import render
from azsearch_ops.bodies.request import search_body
from azsearch_ops.definitions.environment import LOCAL
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.secrets import resolve_secrets
from azsearch_ops.errors import AzsearchOpsError, ServiceError
from azsearch_ops.releasing.state import alias_target
from azsearch_ops.verbs.doctoring.lines import Line
from azsearch_ops.verbs.session import Session

PROBE_TEXT = "a question"
SERVICE_IDENTITY = "the managed identity of the search service"


def embedding_lines(session: Session, indexes: tuple[IndexDefinition, ...], identity: str) -> Iterator[Line]:
    """One line for each deployment that the definitions name: does it answer, with the dimensions that they want?"""
    asked: set[tuple[str, str, object]] = set()
    for index in indexes:
        for embedding in _models(session, index):
            uri, deployment = str(embedding.get("resourceUri") or ""), str(embedding.get("deploymentId") or "")
            wanted = embedding.get("dimensions")
            if not uri or not deployment or (uri, deployment, wanted) in asked:
                continue
            asked.add((uri, deployment, wanted))
            yield _embedding(session, embedding, uri, deployment, int(str(wanted)) if wanted else None, identity)


def _models(session: Session, index: IndexDefinition) -> Iterator[Mapping[str, Any]]:
    """What embeds chunks, and what embeds questions: a vectorizer may have a deployment of its own."""
    skillset = session.project.skillsets.get(index.skillset or "")
    embedding = skillset.embedding if skillset else {}
    yield embedding
    vector_search = render(session.project, index.name).index.get("vectorSearch") or {}
    for vectorizer in vector_search.get("vectorizers") or ():
        if parameters := vectorizer.get("azureOpenAIParameters"):
            yield {**parameters, "dimensions": embedding.get("dimensions")}


def _embedding(
    session: Session, embedding: Mapping[str, Any], uri: str, deployment: str, wanted: int | None, identity: str
) -> Line:
    from azsearch_ops.service.credentials import credential_for
    from azsearch_ops.service.side_calls import embedding_length

    check = f"embedding {deployment}"
    local = uri == LOCAL
    if local and not session.project.environment.is_local:
        return Line(check, "fails", "resourceUri is 'local' on a real service", "name the account of the deployment")
    try:
        key = str(resolve_secrets(embedding.get("apiKey") or "", lambda name: session.environ.get(name, "")))
        length = embedding_length(
            session.service.endpoint if local else uri,
            deployment,
            PROBE_TEXT,
            dimensions=wanted if "ada-002" not in str(embedding.get("modelName")) else None,
            key=session.service.key if local else key,
            credential=None if local or key else credential_for(session.environ, uri),
        )
    except ServiceError as refused:
        grant = f"grant 'Cognitive Services OpenAI User' on {uri} to {identity}" if refused.status == 403 else ""
        grant = grant or ("deploy it, or mend deploymentId" if refused.status == 404 else refused.hint)
        return Line(check, "fails", refused.message, grant)
    if wanted is not None and length != wanted:
        return Line(check, "fails", f"answers {length} numbers, the definitions want {wanted}", "mend dimensions")
    return Line(check, "ok", f"answers {length} numbers")


def semantic_lines(session: Session, indexes: tuple[IndexDefinition, ...]) -> Iterator[Line]:
    """Whether the semantic ranker answers for definitions that use it, and has quota left."""
    for index in indexes:
        request = render(session.project, index.name).search
        if request.get("queryType") != "semantic":
            continue
        check, live = f"semantic ranker ({index.name})", _live(session, index)
        if live is None:
            yield Line(check, "not checkable here", "nothing is live yet that could be asked")
            continue
        try:
            session.service.search(live, search_body(request, PROBE_TEXT))
        except ServiceError as refused:
            if refused.status == 402:
                yield Line(check, "fails", refused.message, "its free quota is used up: set the plan to standard")
            elif "local service does not" in refused.message.lower():
                yield Line(check, "not checkable here", "the local service has no semantic ranker (semanticRanker)")
            else:
                yield Line(check, "fails", refused.message, "turn the semantic ranker on (semanticSearch: standard)")
            continue
        if session.service.stand_in_ranker:
            yield Line(check, "not checkable here", "the stand-in semantic ranker answers, whose order is never gated")
            continue
        yield Line(check, "ok", "answers")


def search_identity_lines(session: Session, indexes: tuple[IndexDefinition, ...]) -> Iterator[Line]:
    """What the service's own identity may do, told by what it does: runs read storage, a question asks the model."""
    for index in indexes:
        live = _live(session, index)
        if live is None:
            text = "nothing is live yet: the first build shows it"
            yield Line(f"storage for {index.name}", "not checkable here", text)
            continue
        yield from _storage(session, index, live)
        bodies = render(session.project, index.name)
        if not any(query.get("kind") == "text" for query in bodies.search.get("vectorQueries") or ()):
            continue
        check = f"model for {index.name}"
        try:
            session.service.search(live, search_body(bodies.search, PROBE_TEXT))
        except ServiceError as refused:
            grant = f"grant 'Cognitive Services OpenAI User' on the model's account to {SERVICE_IDENTITY}"
            told = refused.message.lower()
            is_model = any(word in told for word in ("vectoriz", "embedding", "openai"))
            yield Line(check, "fails", refused.message, grant if is_model else refused.hint)
            continue
        yield Line(check, "ok", "a question was embedded by the service")


def _storage(session: Session, index: IndexDefinition, live: str) -> Iterator[Line]:
    check = f"storage for {index.name}"
    try:
        last = session.service.indexer_status(live).get("lastResult") or {}
    except ServiceError as refused:
        yield Line(check, "not checkable here", refused.message)
        return
    message = str(last.get("errorMessage") or "")
    if last.get("status") in ("transientFailure", "persistentFailure"):
        denied = any(word in message.lower() for word in ("credential", "403", "authoriz", "forbidden", "access"))
        grant = f"grant 'Storage Blob Data Reader' on the storage account to {SERVICE_IDENTITY}" if denied else ""
        yield Line(check, "fails", message or "the last run failed", grant)
    else:
        yield Line(check, "ok", f"the last run ended with {last.get('status') or 'nothing yet'}")


def _live(session: Session, index: IndexDefinition) -> str | None:
    try:
        return alias_target(session.service, index.alias)
    except AzsearchOpsError:
        return None
