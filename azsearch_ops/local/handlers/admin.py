"""Routes outside Azure's surface, under /__local."""

from __future__ import annotations

import os

from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply


def health(call: Call, service: Service) -> Reply:
    """GET /__local/health, without a key: that the service answers, its version, and which process it is."""
    return Reply(200, {"status": "ok", "version": service.settings.version, "pid": os.getpid()}, media="json")


def reset(call: Call, service: Service) -> Reply:
    """POST /__local/reset: removes every object and document."""
    service.wipe()
    return Reply(204)
