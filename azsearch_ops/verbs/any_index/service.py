"""Open a service for reading alone, with nothing but an address and a key or an identity."""

from __future__ import annotations

from collections.abc import Mapping

from azsearch_ops.contract.versions import DEFAULT_API_VERSION
from azsearch_ops.errors import UsageError
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.any_index.measuring import evaluate_any
from azsearch_ops.verbs.any_index.outcome import AnyOutcome
from azsearch_ops.verbs.any_index.wanted import AnyIndex
from azsearch_ops.verbs.session import SYSTEM_CLOCK
from azsearch_ops.verbs.shipping.shipping import Talk


def measure_any(
    endpoint: str | None, api_version: str | None, environ: Mapping[str, str], wanted: AnyIndex, talk: Talk
) -> AnyOutcome:
    """Measure `wanted` on the service at `endpoint` and show it; the key is AZSEARCH_KEY, else an identity is used."""
    if not endpoint:
        raise UsageError(
            "which service?", hint="--endpoint https://NAME.search.windows.net, or the variable AZSEARCH_ENDPOINT"
        )
    if "://" not in endpoint:
        raise UsageError(f"'{endpoint}' is no address", hint=f"https://{endpoint.partition('.')[0]}.search.windows.net")
    service = connect(
        endpoint,
        key=environ.get("AZSEARCH_KEY") or None,
        api_version=api_version or DEFAULT_API_VERSION,
        environ=environ,
    )
    try:
        result = evaluate_any(service, wanted, SYSTEM_CLOCK, talk.report)
    finally:
        service.close()
    talk.show(result)
    return result
