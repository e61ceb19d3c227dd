"""Routes outside Azure's surface, under /__local."""

from __future__ import annotations

from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply


def health(call: Call, service: Service) -> Reply:
    """GET /__local/health, without a key: that the service answers, and its version."""
    return Reply(200, {"status": "ok", "version": service.settings.version}, media="json")


def reset(call: Call, service: Service) -> Reply:
    """POST /__local/reset: removes every object and document."""
    service.wipe()
    return Reply(204)
