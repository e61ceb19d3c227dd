"""Errors and warnings of a run, shaped and named as Azure's.

Names follow `category.subcategory.resourceType.resourceName`, see
https://learn.microsoft.com/azure/search/cognitive-search-common-errors-warnings.
"""

from __future__ import annotations

from dataclasses import dataclass

_HELP = "https://learn.microsoft.com/azure/search/cognitive-search-common-errors-warnings"
INVALID_INPUT = "Could not execute skill because one or more skill input was invalid."


@dataclass(frozen=True, slots=True)
class Finding:
    """One error (it has a status code) or warning (it has none) about the document `key`, a blob's address."""

    key: str
    message: str
    name: str
    details: str = ""
    status: int | None = None

    def body(self) -> dict[str, object]:
        """The REST object."""
        about = {"name": self.name, "details": self.details, "documentationLink": _HELP}
        if self.status is None:
            return {"key": self.key, "message": self.message, **about}
        return {"key": self.key, "errorMessage": self.message, "statusCode": self.status, **about}


class RunRefusedError(Exception):
    """The run as a whole cannot be done: `str()` says why, for the status body's errorMessage."""
