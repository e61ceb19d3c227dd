"""The OpenAI-compatible embeddings routes, which answer with OpenAI's envelopes."""

from __future__ import annotations

from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply


def embeddings(call: Call, service: Service) -> Reply:
    """POST /openai/deployments/{deployment}/embeddings and POST /v1/embeddings."""
    from azsearch_ops.local.embeddings import EmbeddingFault  # numpy: only when it is asked for

    try:
        answer = service.embeddings.embed_request(call.json("body"), call.parts.get("deployment", ""))
    except EmbeddingFault as fault:
        return Reply(fault.status, fault.body(), media="json")
    return Reply(200, answer, media="json")
