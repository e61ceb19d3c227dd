"""Documents of an index: batches, lookups and counts. All of these routes resolve aliases."""

from __future__ import annotations

from azsearch_ops.local.documents.batch import apply, read_actions
from azsearch_ops.local.documents.schema import schema_of
from azsearch_ops.local.documents.selection import read_selection, selected
from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply


def index_documents(call: Call, service: Service) -> Reply:
    """POST …/docs/search.index: 200, or 207 when an action failed; 400 when the batch as a whole is refused."""
    body = call.json("actions")
    index = service.index(call.parts["name"], call.api_version)
    schema = schema_of(index)
    actions = read_actions(body, schema)  # before the transaction: checking a large batch must not keep others waiting
    with service.store.transaction():
        now = service.index(call.parts["name"], call.api_version)
        if now != index:  # the definition changed, or the alias moved, in between
            index, schema = now, schema_of(now)
            actions = read_actions(body, schema)
        outcome = apply(service.store, index, schema, actions)
        service.engines.write(index, outcome.changes)
    service.faults.wrote(index["name"])
    context = call.type_context("IndexResult", many=True)
    return Reply(207 if outcome.failed else 200, {**context, "value": list(outcome.results)}, media=call.media)


def lookup(call: Call, service: Service) -> Reply:
    """GET …/docs('key'): the document, or 404 with no body."""
    index = service.index(call.parts["name"], call.api_version)
    schema = schema_of(index)
    selection = read_selection(call.query.get("$select"), schema)
    document = service.store.document(index["name"], call.parts["key"])
    if document is None:
        return Reply(404)
    context = call.context(f"docs({call.query.get('$select', '*')})/$entity", below=f"indexes('{index['name']}')/")
    return Reply(200, {**context, **selected(document, selection, schema)}, media=call.media)


def count(call: Call, service: Service) -> Reply:
    """GET …/docs/$count: the bare number as text."""
    index = service.index(call.parts["name"], call.api_version)
    lag = service.faults.missing_from_count(index["name"])
    return Reply(200, max(0, service.store.document_count(index["name"]) - lag), media="plain")
