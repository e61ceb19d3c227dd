"""A batch of document actions: read and checked whole, then carried out in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azsearch_ops.contract.limits import BATCH_DOCUMENTS
from azsearch_ops.contract.names import check_name
from azsearch_ops.local.documents.schema import Schema
from azsearch_ops.local.documents.values import ValueFault, check_terms, merged, typed
from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.store import Document, Store

KINDS = ("upload", "merge", "mergeOrUpload", "delete")


@dataclass(frozen=True, slots=True)
class Action:
    """One action: for a delete `values` is only the key."""

    kind: str
    key: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a batch: a result for each action, and the documents as they now are (None: removed)."""

    results: tuple[dict[str, Any], ...]
    changes: Mapping[str, Document | None]

    @property
    def failed(self) -> bool:
        """Whether any action failed: Azure answers 207 then."""
        return not all(result["status"] for result in self.results)


def read_actions(body: Mapping[str, Any], schema: Schema) -> tuple[Action, ...]:
    """The actions of a request body.

    Raises:
        ServiceFault: 400 for the whole request: Azure checks every document before it writes the first.
    """
    rows = body.get("value")
    if not isinstance(rows, list) or not rows:
        raise invalid_request("The request is invalid. Details: actions : No indexing actions found in the request.")
    if len(rows) > BATCH_DOCUMENTS:
        raise invalid_request(
            f"The request is invalid. Details: actions : Too many indexing actions found in the request: {len(rows)}. "
            f"Up to {BATCH_DOCUMENTS} indexing actions are allowed per request."
        )
    actions: list[Action] = []
    faults: list[tuple[int, ValueFault]] = []
    for number, row in enumerate(rows):
        try:
            actions.append(read_action(row, schema))
        except ValueFault as fault:
            faults.append((number, fault))
    if faults:
        raise _refused(faults)
    return tuple(actions)


def read_action(row: Any, schema: Schema) -> Action:
    """One action, checked.

    Raises:
        ValueFault: the action, its key or a value is not acceptable.
    """
    if not isinstance(row, Mapping):
        raise ValueFault("A JSON object was expected.")
    kind = row.get("@search.action", "upload")
    if kind not in KINDS:
        raise ValueFault(f"Invalid value '{kind}' of '@search.action'. Values allowed: {', '.join(KINDS)}.")
    values = typed({schema.key: row.get(schema.key)} if kind == "delete" else row, schema)
    return Action(kind, _key(values.get(schema.key)), values)


def apply(store: Store, index: Mapping[str, Any], schema: Schema, actions: Sequence[Action]) -> Outcome:
    """Carries out the actions in order, in one transaction.

    A merge of a missing document fails as 404, a delete of one succeeds (recordings net2020-IndexingTests-*).
    """
    name = index["name"]
    with store.transaction():
        present: dict[str, Document | None] = {}
        changes: dict[str, Document | None] = {}
        results: list[dict[str, Any]] = []
        for action in actions:
            if action.key not in present:
                present[action.key] = store.document(name, action.key)
            old = present[action.key]
            if action.kind == "merge" and old is None:
                results.append(result(action.key, 404, "Document not found."))
                continue
            new: Document | None
            if action.kind == "delete":
                new = None
            elif action.kind == "upload" or old is None:
                new = dict(action.values)
            else:
                new = merged(old, action.values, schema.fields)
            refused = check_terms(new, index) if new is not None else None
            if refused is not None:
                results.append(result(action.key, 400, refused))
                continue
            present[action.key] = changes[action.key] = new
            created = old is None and action.kind != "delete"
            results.append(result(action.key, 201 if created else 200))
        store.write_documents(name, changes.items())
    return Outcome(tuple(results), changes)


def result(key: str, status: int, message: str | None = None) -> dict[str, Any]:
    """Azure's result of one action; any status from 400 on is a failure."""
    return {"key": key, "status": status < 400, "errorMessage": message, "statusCode": status}


def _key(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueFault("Document key cannot be missing or empty.")
    if check_name("key", value) is None:
        return value
    if value.startswith("_"):
        reason = "Keys cannot start with a leading underscore."
    elif len(value) > 1024:
        reason = "Keys cannot be longer than 1024 characters."
    else:
        reason = (
            "Keys can only contain letters, digits, underscore (_), dash (-), or equal sign (=). If the keys in your "
            "source data contain other characters, we recommend encoding them with a URL-safe version of Base64 before "
            "uploading them to your index."
        )
    raise ValueFault(f"Invalid document key: '{value}'. {reason}", "InvalidName", "InvalidDocumentKey")


def _refused(faults: Sequence[tuple[int, ValueFault]]) -> ServiceFault:
    text = " ".join(f"{number}: {fault.message}" for number, fault in faults)
    code = next((fault.code for _, fault in faults if fault.code), "InvalidRequestParameter")
    details = [
        (fault.detail, f"{number}: {fault.message} Parameters: actions") for number, fault in faults if fault.detail
    ]
    return ServiceFault(400, code, f"The request is invalid. Details: actions : {text}\r\n", details)
