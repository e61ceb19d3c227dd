"""Run, reset and status of indexers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.contract.versions import is_preview
from azsearch_ops.local.indexing.limits import EXTRACTED_CHARACTERS, EXTRACTION_BYTES
from azsearch_ops.local.objects.kinds import KINDS
from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply

HISTORY = 50
_LIMITS = {
    "maxRunTime": "P1D",
    "maxDocumentExtractionSize": EXTRACTION_BYTES,
    "maxDocumentContentCharactersToExtract": EXTRACTED_CHARACTERS,
}
_STABLE = (
    "status",
    "errorMessage",
    "startTime",
    "endTime",
    "itemsProcessed",
    "itemsFailed",
    "initialTrackingState",
    "finalTrackingState",
    "errors",
    "warnings",
)


def run(call: Call, service: Service) -> Reply:
    """POST …/search.run: 202; 409 while a run is on its way."""
    _check(call, service)
    service.runs.start(call.parts["name"])
    return Reply(202)


def reset(call: Call, service: Service) -> Reply:
    """POST …/search.reset: 204. The next run sees every document as new."""
    _check(call, service)
    service.runs.reset(call.parts["name"])
    return Reply(204)


def status(call: Call, service: Service) -> Reply:
    """GET …/search.status: the last result, running or not, and the ended ones, newest first."""
    _check(call, service)
    name = call.parts["name"]
    preview = is_preview(call.api_version)
    runs = service.runs.newest(name, HISTORY + 1)
    ended = [_result(entry.body, preview) for entry in runs if not entry.active][:HISTORY]
    body: dict[str, Any] = {**call.type_context("IndexerExecutionInfo"), "name": name, "status": "running"}
    if preview:
        body["runtime"] = None
    body |= {
        "lastResult": _result(runs[0].body, preview) if runs else None,
        "executionHistory": ended,
        "limits": _LIMITS,
    }
    if preview:
        body["currentState"] = _current(runs[0].body if runs else {})
    return Reply(200, body)


def _check(call: Call, service: Service) -> None:
    if service.store.get("indexer", call.parts["name"]) is None:
        raise KINDS["indexers"].missing(call.parts["name"])


def _result(run: Mapping[str, Any], preview: bool) -> dict[str, Any]:
    result = {name: run[name] for name in _STABLE}
    if not preview:
        return {**result, "metrics": None}
    return {"status": run["status"], "statusDetail": None, **result, "mode": "indexingAllDocs", "metrics": None}


def _current(run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "mode": "indexingAllDocs",
        "allDocsInitialTrackingState": run.get("initialTrackingState"),
        "allDocsFinalTrackingState": run.get("finalTrackingState"),
        "resetDocsInitialTrackingState": None,
        "resetDocsFinalTrackingState": None,
        "resetDocumentKeys": [],
        "resetDatasourceDocumentIds": [],
        "resyncInitialTrackingState": None,
        "resyncFinalTrackingState": None,
    }
