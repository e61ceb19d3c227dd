"""The one exception that becomes an Azure error body, and factories named after the service's codes.

Before 2025 Azure left `code` empty and had no details; today it answers `OperationNotAllowed`,
`InvalidRequestParameter` or `ResourceNameAlreadyInUse`, with the exact reason in `details`. The local service always
gives today's form.
"""

from __future__ import annotations

from collections.abc import Iterable

PRECONDITION_MESSAGE = (
    "The precondition given in one of the request headers evaluated to false. "
    "No change was made to the resource from this request."
)


class ServiceFault(Exception):
    """A refusal: HTTP `status`, Azure's `code` (may be empty), `message`, and `details` as (code, message) pairs."""

    def __init__(self, status: int, code: str, message: str, details: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details: tuple[tuple[str, str], ...] = tuple(details)

    def body(self) -> dict[str, object]:
        """Azure's error envelope."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        if self.details:
            error["details"] = [{"code": code, "message": message} for code, message in self.details]
        return {"error": error}


def invalid_request(message: str, detail: str = "", parameter: str = "") -> ServiceFault:
    """400 InvalidRequestParameter; `detail` is the code of the exact reason, `parameter` is named as Azure does."""
    text = f"{message}\r\nParameter name: {parameter}" if parameter else message
    return ServiceFault(400, "InvalidRequestParameter", text, [(detail, text)] if detail else ())


def operation_not_allowed(message: str, detail: str) -> ServiceFault:
    """400 OperationNotAllowed with the exact reason, such as CannotChangeExistingField."""
    return ServiceFault(400, "OperationNotAllowed", message, [(detail, message)])


def not_supported_here(what: str, parameter: str = "") -> ServiceFault:
    """400 for what Azure can do and the local service does not: named, never ignored."""
    text = f"The local service does not support {what}; see local/DIFFERENCES.md."
    return invalid_request(text, "NotSupportedByLocalService", parameter)


def resource_name_already_in_use(kind: str, name: str, detail: str) -> ServiceFault:
    """400, not 409, for a POST of what exists: that is what Azure answers."""
    message = f"Cannot create {kind} '{name}' because it already exists."
    return ServiceFault(400, "ResourceNameAlreadyInUse", message, [(detail, message)])


def not_found(message: str, code: str = "", detail: str = "") -> ServiceFault:
    """404 with a body (a missing document has none: see the documents routes)."""
    return ServiceFault(404, code, message, [(detail, message)] if detail else ())


def precondition_failed() -> ServiceFault:
    """412 with Azure's words and its empty code."""
    return ServiceFault(412, "", PRECONDITION_MESSAGE)


def conflict(message: str) -> ServiceFault:
    """409, such as a run that is asked for while another one is on its way."""
    return ServiceFault(409, "", message)


def quota_exceeded(message: str) -> ServiceFault:
    """429 without Retry-After: waiting does not help, so the SDK must not repeat the call."""
    return ServiceFault(429, "", message)


def payload_too_large(limit: int) -> ServiceFault:
    """413 for a body of more than `limit` bytes; the SDK's upload helpers halve their batch on it."""
    return ServiceFault(413, "", f"The request body is larger than the maximum of {limit} bytes.")
