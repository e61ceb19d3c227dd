"""When a call is sent again: throttling and lost answers are waited out, a full quota is not.

Every POST that we send may be repeated: documents are uploaded by key, a search changes nothing, and a run that was
started already answers 409. The SDK repeats no POST after a lost answer.
"""

from __future__ import annotations

from typing import Any, Final

from azure.core.pipeline.policies import RetryPolicy

METHODS: Final = frozenset({"GET", "PUT", "DELETE", "POST"})


class Patience(RetryPolicy[Any, Any]):
    """Azure's policy (exponential, Retry-After heard) with our idea of what may be repeated."""

    def configure_retries(self, options: dict[str, Any]) -> dict[str, Any]:
        """The settings of one call: all methods may be repeated."""
        settings: dict[str, Any] = super().configure_retries(options)
        return {**settings, "methods": METHODS}

    def is_retry(self, settings: dict[str, Any], response: Any) -> bool:
        """Whether to send again; a quota that is used up answers 429 too, and waiting does not help there."""
        answer = response.http_response
        if answer.status_code == 429 and "Retry-After" not in answer.headers and "quota" in answer.text().lower():
            return False
        return bool(super().is_retry(settings, response))


def patience_for(*, loopback: bool) -> Patience:
    """For a service in the cloud about four minutes of throttling; one on loopback answers at once or is gone."""
    if loopback:
        return Patience(retry_total=3, retry_connect=2, retry_read=2, retry_status=3, retry_backoff_factor=0.2)
    return Patience(retry_total=10, retry_connect=4, retry_read=4, retry_status=10, retry_backoff_max=30)
