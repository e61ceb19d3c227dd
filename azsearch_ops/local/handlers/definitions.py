"""Create, read, update, delete and list: the same for all six kinds of named objects, but for what is said below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from azsearch_ops.contract.versions import aliases_supported
from azsearch_ops.local.errors import (
    invalid_request,
    not_found,
    quota_exceeded,
    resource_name_already_in_use,
)
from azsearch_ops.local.etags import new_etag
from azsearch_ops.local.objects.index import full_index
from azsearch_ops.local.objects.index_update import check_update
from azsearch_ops.local.objects.indexing import (
    full_data_source,
    full_indexer,
    full_skillset,
    with_skill_defaults,
    without_secrets,
)
from azsearch_ops.local.objects.kinds import KINDS, SERVICE_NAME, Kind
from azsearch_ops.local.objects.naming import full_alias, full_synonym_map
from azsearch_ops.local.objects.shape import shown
from azsearch_ops.local.service import Service
from azsearch_ops.local.store import Stored
from azsearch_ops.local.wire import Call, Reply


def create(call: Call, service: Service) -> Reply:
    """POST /{collection}: 201, or 400 when the name is taken."""
    kind = _kind(call)
    body = call.json()
    with service.store.transaction():
        name = body.get("name")
        if isinstance(name, str) and service.store.get(kind.name, name) is not None:
            raise resource_name_already_in_use(kind.label, name, f"CannotCreateExisting{kind.code}")
        stored = _written(call, service, kind, body, None)
    return _answer(call, kind, stored, 201)


def put(call: Call, service: Service) -> Reply:
    """PUT /{collection}('name'): 201 for a new object, 200 or (without Prefer) 204 for one that was there."""
    kind = _kind(call)
    body, name = call.json(), call.parts["name"]
    with service.store.transaction():
        if kind.name == "index":  # the definition of an index can be updated through an alias
            name = _aliased(service, name, call.api_version)
        if body.get("name", name) not in (name, call.parts["name"]):
            raise invalid_request(
                f"The name '{body['name']}' of the body is not the name '{name}' of the address.",
                "NameMismatch",
                "name",
            )
        old = service.store.get(kind.name, name)
        call.check_preconditions(old.etag if old else None)
        stored = _written(call, service, kind, {**body, "name": name}, old)
    if old is None:
        return _answer(call, kind, stored, 201)
    if not call.wants_representation:
        return Reply(204, None, _etag_header(kind, stored))
    return _answer(call, kind, stored, 200)


def get(call: Call, service: Service) -> Reply:
    """GET /{collection}('name'). An index is found by its alias too."""
    kind, name = _kind(call), call.parts["name"]
    if kind.name == "index":
        name = _aliased(service, name, call.api_version)
    stored = service.store.get(kind.name, name)
    if stored is None:
        raise kind.missing(name)
    body = _read(call, kind, stored)
    if "$select" in call.query:
        body = _selected(call, kind, body)
    return Reply(200, {**call.context(f"{kind.collection}/$entity"), **body}, _etag_header(kind, stored))


def delete(call: Call, service: Service) -> Reply:
    """DELETE /{collection}('name'): 204. Only an index of that very name is deleted, never one behind an alias."""
    kind, name = _kind(call), call.parts["name"]
    with service.store.transaction():
        stored = service.store.get(kind.name, name)
        if stored is None:
            raise kind.missing(name)
        call.check_preconditions(stored.etag)
        if kind.name == "index":
            service.delete_index(name)
        else:
            service.store.delete(kind.name, name)
        if kind.name == "indexer":
            service.runs.forget(name)
    return Reply(204)


def list_all(call: Call, service: Service) -> Reply:
    """GET /{collection}, by name; `$select` narrows the members."""
    kind = _kind(call)
    rows = [_read(call, kind, stored) for stored in service.store.all(kind.name)]
    fragment = kind.collection
    if call.query.get("$select") not in (None, "*"):
        rows = [_selected(call, kind, row) for row in rows]
        fragment = f"{fragment}({call.query['$select']})"
    return Reply(200, {**call.context(fragment), "value": rows})


def _kind(call: Call) -> Kind:
    kind = KINDS[call.parts["collection"]]
    if kind.name == "alias" and not aliases_supported(call.api_version):
        raise not_found(f"Aliases are not known to api-version {call.api_version}.")
    return kind


def _aliased(service: Service, name: str, api_version: str) -> str:
    """The name of the index that an alias of this name maps to, else the name itself."""
    if service.store.get("index", name) is None and aliases_supported(api_version):
        alias = service.store.get("alias", name)
        if alias is not None:
            return str(alias.body["indexes"][0])
    return name


def _written(call: Call, service: Service, kind: Kind, body: Mapping[str, Any], old: Stored | None) -> Stored:
    """Checks, stores and follows up one write; runs inside a transaction."""
    before = old.body if old else None
    full = _BUILDERS[kind.name](call, service, body, before)
    if before is None and kind.quota is not None and service.store.count(kind.name) >= kind.quota:
        article = "An" if kind.label[0] in "aeiou" else "A"
        raise quota_exceeded(
            f"{article} {kind.label} with the name '{full['name']}' in service '{SERVICE_NAME}' could not be created. "
            f"{kind.label.capitalize()} quota has been exceeded for this service. Maximum number allowed: {kind.quota}"
        )
    if kind.name == "index" and before is not None:
        check_update(before, full, downtime=call.flag("allowIndexDowntime"))
    stored = service.store.put(kind.name, full["name"], full, new_etag() if kind.etags else "")
    if service.faults.bumps(kind.collection, stored.name):
        service.store.put(kind.name, stored.name, stored.body, new_etag() if kind.etags else "")
    if kind.name == "alias":
        service.faults.moved(stored.name, before["indexes"][0] if before else None)
    if kind.name == "index" and before is not None:
        service.engines.redefine(before, full)
    if kind.name == "indexer" and before is None:
        service.runs.forget(stored.name)
        if not full["disabled"]:
            service.runs.start(stored.name)
    return stored


def _index(call: Call, service: Service, body: Mapping[str, Any], old: Mapping[str, Any] | None) -> dict[str, Any]:
    index = full_index(body, call.api_version, lambda name: service.store.get("synonymMap", name) is not None)
    if old is None and service.store.get("alias", index["name"]) is not None:
        raise invalid_request(f"The index '{index['name']}' cannot have the name of an alias.", "NameInUseByAlias")
    return index


def _alias(call: Call, service: Service, body: Mapping[str, Any], old: Mapping[str, Any] | None) -> dict[str, Any]:
    return full_alias(body, call.api_version, lambda name: service.store.get("index", name) is not None)


def _data_source(
    call: Call, service: Service, body: Mapping[str, Any], old: Mapping[str, Any] | None
) -> dict[str, Any]:
    return full_data_source(body, call.api_version, old)


def _skillset(call: Call, service: Service, body: Mapping[str, Any], old: Mapping[str, Any] | None) -> dict[str, Any]:
    return full_skillset(body, call.api_version)


def _indexer(call: Call, service: Service, body: Mapping[str, Any], old: Mapping[str, Any] | None) -> dict[str, Any]:
    def lookup(kind: str, name: str) -> Mapping[str, Any] | None:
        stored = service.store.get(kind, name)
        return stored.body if stored else None

    return full_indexer(body, call.api_version, lookup)


def _synonym_map(
    call: Call, service: Service, body: Mapping[str, Any], old: Mapping[str, Any] | None
) -> dict[str, Any]:
    return full_synonym_map(body, call.api_version)


_Builder = Callable[[Call, Service, Mapping[str, Any], Mapping[str, Any] | None], dict[str, Any]]
_BUILDERS: Mapping[str, _Builder] = {
    "index": _index,
    "alias": _alias,
    "dataSource": _data_source,
    "skillset": _skillset,
    "indexer": _indexer,
    "synonymMap": _synonym_map,
}


def _answer(call: Call, kind: Kind, stored: Stored, status: int) -> Reply:
    """The reply to a write: what was written, where it is, and whether Prefer was followed."""
    headers = _etag_header(kind, stored)
    if status == 201:
        path = f"{kind.collection}('{stored.name}')"
        headers["Location"] = f"{call.base_url}/{path}?api-version={call.api_version}"
    if call.method == "PUT" and call.wants_representation:
        headers["Preference-Applied"] = "return=representation"
    body = {**call.context(f"{kind.collection}/$entity"), **_shown(call, kind, stored, stored.body)}
    return Reply(status, body, headers)


def _read(call: Call, kind: Kind, stored: Stored) -> dict[str, Any]:
    body = with_skill_defaults(stored.body) if kind.name == "skillset" else stored.body
    return _shown(call, kind, stored, body)


def _shown(call: Call, kind: Kind, stored: Stored, body: Mapping[str, Any]) -> dict[str, Any]:
    if kind.name == "dataSource":
        body = without_secrets(body)
    etag = {"@odata.etag": stored.etag} if kind.etags and call.minimal_metadata else {}
    return {**etag, **shown(kind.name, body, call.api_version)}


def _selected(call: Call, kind: Kind, row: Mapping[str, Any]) -> dict[str, Any]:
    names = [name.strip() for name in call.query["$select"].split(",")]
    for name in names:
        if name != "*" and name not in row:
            raise invalid_request(
                f"Could not find a property named '{name}' on type '{kind.name}'.", "InvalidExpression", "$select"
            )
    return {name: value for name, value in row.items() if name in names or "*" in names}


def _etag_header(kind: Kind, stored: Stored) -> dict[str, str]:
    return {"ETag": stored.etag} if kind.etags else {}
