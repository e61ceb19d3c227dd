"""One search service: REST bodies in, REST bodies out, through the official SDK.

What is read comes as the SDK's models, whose `as_dict()` keeps members that the model does not know. What is written
goes out as it is by `send_request`: the keyword form of `search` drops what it does not know (azure-search-documents
12.0.0), and `create_or_update_indexer` and its like pass parameters of their own preview to any api-version (12.1.0b2).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from azure.core.credentials import AzureKeyCredential, TokenCredential
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.core.rest import HttpRequest
from azure.search.documents import SearchClient
from azure.search.documents.indexes import SearchIndexClient, SearchIndexerClient

from azsearch_ops.errors import NotFoundError, PreconditionError, ServiceError
from azsearch_ops.service.failures import translated
from azsearch_ops.service.kinds import KINDS, Kind
from azsearch_ops.service.patience import patience_for

Body = Mapping[str, Any]

_RANKER_HEADER = "azsearch-local-semantic-ranker"
_JSON = {"Accept": "application/json;odata.metadata=minimal", "Content-Type": "application/json"}


class Service:
    """A search service at `endpoint`. `resolve` turns secret references in bodies into values, at the call only.

    `stand_in_ranker` becomes true with the first search answer that says that what ranks semantically there is a
    stand-in, which is nothing to gate by (the local service's header; Azure has no such thing).
    """

    def __init__(
        self,
        endpoint: str,
        credential: AzureKeyCredential | TokenCredential,
        *,
        api_version: str,
        query_api_version: str | None = None,
        audience: str | None = None,
        resolve: Callable[[Body], Any] | None = None,
    ) -> None:
        self.endpoint = endpoint.rstrip("/")
        self.api_version = api_version
        self.query_api_version = query_api_version or api_version
        self._credential = credential
        self._resolve = resolve
        self._options: dict[str, Any] = {"audience": audience} if audience else {}
        loopback = _is_loopback(self.endpoint)
        self._options["retry_policy"] = patience_for(loopback=loopback)
        if loopback:
            self._options["use_env_settings"] = False  # A proxy from the environment cannot reach it
        self._indexes = SearchIndexClient(self.endpoint, credential, api_version=api_version, **self._options)
        self._indexers = SearchIndexerClient(self.endpoint, credential, api_version=api_version, **self._options)
        self._documents: dict[str, SearchClient] = {}
        self.stand_in_ranker = False

    @property
    def key(self) -> str:
        """The key that the service is reached with; empty with an identity. For calls to the same service only."""
        return self._credential.key if isinstance(self._credential, AzureKeyCredential) else ""

    def close(self) -> None:
        """Close the connections."""
        self._indexes.close()
        self._indexers.close()
        for client in self._documents.values():
            client.close()

    # Definitions

    def get(self, kind: Kind, name: str) -> dict[str, Any]:
        """The body of an object, `@odata.etag` included; NotFoundError where there is none."""
        calls = KINDS[kind]
        with translated(f"GET /{calls.path}('{name}')", self.endpoint):
            found = getattr(self._client(kind), f"get_{calls.stem}")(name)
        return _plain(found)

    def find(self, kind: Kind, name: str) -> dict[str, Any] | None:
        """The body of an object, or None."""
        try:
            return self.get(kind, name)
        except NotFoundError:
            return None

    def put(self, kind: Kind, body: Body, *, absent: bool = False) -> dict[str, Any]:
        """Create or update an object and return it as the service holds it.

        With `absent` only a new object is written; with an `@odata.etag` in the body only one that still has it.
        PreconditionError when the condition does not hold.
        """
        path = f"/{KINDS[kind].path}('{body['name']}')"
        call = f"PUT {path}"
        condition: dict[str, str] = {}
        if absent:
            condition = {"If-None-Match": "*"}
        elif body.get("@odata.etag"):
            condition = {"If-Match": str(body["@odata.etag"])}
        request = HttpRequest(
            "PUT",
            path,
            params={"api-version": self.api_version},
            headers={**_JSON, "Prefer": "return=representation", **condition},
            content=json.dumps(self._resolved(body)),
        )
        with translated(call, self.endpoint):
            response = self._client(kind).send_request(request)
            if condition and response.status_code in (409, 412):
                raise PreconditionError(
                    f"{call}: it changed since it was read", status=412, call=call, hint="run the command again"
                )
            response.raise_for_status()
        answer: dict[str, Any] = response.json()
        return answer

    def delete(self, kind: Kind, name: str) -> None:
        """Delete an object; one that is not there is no error."""
        calls = KINDS[kind]
        with translated(f"DELETE /{calls.path}('{name}')", self.endpoint):
            getattr(self._client(kind), f"delete_{calls.stem}")(name)

    def names(self, kind: Kind) -> tuple[str, ...]:
        """Names of all objects of a kind, sorted."""
        calls = KINDS[kind]
        by_kind = {
            "index": "list_index_names",
            "alias": "list_alias_names",
            "dataSource": "get_data_source_connection_names",
            "skillset": "get_skillset_names",
            "indexer": "get_indexer_names",
            "synonymMap": "get_synonym_map_names",
        }
        with translated(f"GET /{calls.path}", self.endpoint):
            return tuple(sorted(getattr(self._client(kind), by_kind[kind])()))

    def all(self, kind: Kind) -> dict[str, dict[str, Any]]:
        """Every object of a kind by name, as `get` returns it, read with one list request."""
        calls = KINDS[kind]
        by_kind = {
            "index": "list_indexes",
            "alias": "list_aliases",
            "dataSource": "get_data_source_connections",
            "skillset": "get_skillsets",
            "indexer": "get_indexers",
            "synonymMap": "get_synonym_maps",
        }
        with translated(f"GET /{calls.path}", self.endpoint):
            bodies = [_plain(found) for found in getattr(self._client(kind), by_kind[kind])()]
        return {str(body["name"]): body for body in bodies}

    def knowledge_sources(self) -> dict[str, dict[str, Any]] | None:
        """Knowledge sources by name, which may refer to indexes; None where the service does not know them."""
        with translated("GET /knowledgesources", self.endpoint):
            try:
                bodies = [_plain(found) for found in self._indexes.list_knowledge_sources()]
            except HttpResponseError as refused:
                if refused.status_code in (400, 404):
                    return None
                raise
        return {str(body["name"]): body for body in bodies}

    def statistics(self) -> dict[str, Any]:
        """Counters with usage and quota, and limits (`GET /servicestats`)."""
        with translated("GET /servicestats", self.endpoint):
            return _plain(self._indexes.get_service_statistics())

    # Indexers

    def run_indexer(self, name: str) -> bool:
        """Start a run; False when one is running already (409)."""
        with translated(f"POST /indexers('{name}')/search.run", self.endpoint):
            try:
                self._indexers.run_indexer(name)
            except ResourceExistsError:
                return False
        return True

    def indexer_status(self, name: str) -> dict[str, Any]:
        """The status body, as the REST reference names its members."""
        with translated(f"GET /indexers('{name}')/search.status", self.endpoint):
            return _plain(self._indexers.get_indexer_status(name))

    # Documents

    def count(self, index: str) -> int:
        """Number of documents in an index (or behind an alias)."""
        with translated(f"GET /indexes('{index}')/docs/$count", self.endpoint):
            return int(self._search_client(index).get_document_count())

    def index_statistics(self, index: str) -> dict[str, Any]:
        """documentCount, storageSize and vectorIndexSize (bytes) of an index; the service counts them now and then."""
        with translated(f"GET /indexes('{index}')/search.stats", self.endpoint):
            return _plain(self._indexes.get_index_statistics(index))

    def lookup(self, index: str, key: str, select: Sequence[str] | None = None) -> dict[str, Any] | None:
        """A document by its key, or None."""
        with translated(f"GET /indexes('{index}')/docs('{key}')", self.endpoint):
            try:
                selected = list(select) if select else None
                return dict(self._search_client(index).get_document(key, selected_fields=selected))
            except ResourceNotFoundError as missing:
                if missing.error is not None and missing.error.message:
                    raise  # The index itself is missing: a missing document has an empty body
                return None

    def upload(self, index: str, documents: Sequence[Body]) -> None:
        """Upload documents; ServiceError naming each key that failed."""
        call = f"POST /indexes('{index}')/docs/search.index"
        with translated(call, self.endpoint):
            results = self._search_client(index).upload_documents([dict(d) for d in documents])
        failed = [f"{r.key}: {r.status_code} {r.error_message}" for r in results if not r.succeeded]
        if failed:
            raise ServiceError(
                f"{call}: {len(failed)} documents failed: {'; '.join(failed[:5])}", status=207, call=call
            )

    def delete_documents(self, index: str, key_field: str, keys: Sequence[str]) -> None:
        """Delete documents by key."""
        with translated(f"POST /indexes('{index}')/docs/search.index", self.endpoint):
            self._search_client(index).delete_documents([{key_field: key} for key in keys])

    def search(self, index: str, request: Body, *, wait: bool = True) -> dict[str, Any]:
        """Send a search request as it is; the answer as it came, its pages joined.

        Without `wait` a throttled request is not sent again: UnreachableError says for how long to leave it.
        """
        call = f"POST /indexes('{index}')/docs/search.post.search"
        body: Body | None = self._resolved(request)
        joined: dict[str, Any] = {}
        while body:
            answer = self._post_search(index, call, body, {} if wait else {"retry_status": 0})
            body = answer.pop("@search.nextPageParameters", None)
            rows = joined.get("value", []) + answer["value"]
            joined = {**answer, **joined, "value": rows}
        return joined

    def _post_search(self, index: str, call: str, body: Body, options: Mapping[str, Any]) -> dict[str, Any]:
        client = self._search_client(index)
        with translated(call, self.endpoint):
            response = client.send_request(
                HttpRequest(
                    "POST",
                    f"/indexes('{index}')/docs/search.post.search",
                    params={"api-version": self.query_api_version},
                    headers={"Accept": "application/json;odata.metadata=none", "Content-Type": "application/json"},
                    content=json.dumps(body),
                ),
                **options,
            )
            response.raise_for_status()
        if response.headers.get(_RANKER_HEADER) == "stand-in":
            self.stand_in_ranker = True
        answer: dict[str, Any] = response.json()
        return answer

    # Within

    def _client(self, kind: Kind) -> SearchIndexClient | SearchIndexerClient:
        return self._indexers if KINDS[kind].on_indexer_client else self._indexes

    def _search_client(self, index: str) -> SearchClient:
        if index not in self._documents:
            self._documents[index] = SearchClient(
                self.endpoint, index, self._credential, api_version=self.query_api_version, **self._options
            )
        return self._documents[index]

    def _resolved(self, body: Body) -> Any:
        return dict(body) if self._resolve is None else self._resolve(body)


def _plain(model: Any) -> dict[str, Any]:
    body: dict[str, Any] = model.as_dict()
    return body


def _is_loopback(endpoint: str) -> bool:
    return any(endpoint.startswith(f"http://{host}") for host in ("127.0.0.1", "localhost", "[::1]"))
