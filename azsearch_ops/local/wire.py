"""The HTTP side of a call without the web framework: what a handler reads, and what it answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from azsearch_ops.local.errors import invalid_request, precondition_failed

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

Media = Literal["minimal", "none", "plain", "json"]


@dataclass(frozen=True, slots=True)
class Call:
    """A request: `parts` are the placeholders of its route, header names are in lower case.

    `query` holds the first value of each parameter, `query_list` all pairs.
    """

    method: str
    base_url: str
    parts: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    query_list: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @property
    def api_version(self) -> str:
        """As sent; routes of Azure's surface are only reached with a version that exists."""
        return self.query.get("api-version", "")

    @property
    def minimal_metadata(self) -> bool:
        """Whether answers name their context: `odata.metadata=none` in Accept turns that off."""
        return "odata.metadata=none" not in self.headers.get("accept", "").replace(" ", "")

    @property
    def media(self) -> Media:
        """The content type of answers about documents, which follows Accept."""
        return "minimal" if self.minimal_metadata else "none"

    @property
    def wants_representation(self) -> bool:
        """Whether a PUT is to answer with the object ("Prefer: return=representation", which the SDK always sends)."""
        return "return=representation" in self.headers.get("prefer", "").replace(" ", "").lower()

    def context(self, fragment: str, below: str = "") -> dict[str, str]:
        """`@odata.context` for an answer, or nothing where the caller wants no metadata.

        `below` is what the metadata document belongs to, such as an index; without it, the service.
        """
        if not self.minimal_metadata:
            return {}
        return {"@odata.context": f"{self.base_url}/{below}$metadata#{fragment}"}

    def type_context(self, name: str, *, many: bool = False) -> dict[str, str]:
        """The same for a type of the service, whose name has the api-version in it."""
        version = self.api_version.lower().replace("-preview", "_Preview").replace("-", "_")
        kind = f"Microsoft.Azure.Search.V{version}.{name}"
        return self.context(f"Collection({kind})" if many else kind)

    def json(self, what: str = "definition") -> dict[str, Any]:
        """The body as a JSON object.

        Raises:
            ServiceFault: 400, when it is not one.
        """
        if not self.body.strip():
            raise invalid_request(f"The request is invalid. Details: {what} : A non-empty request body is required.")
        try:
            value = json.loads(self.body, parse_constant=_refused_constant)
            if _SURROGATE.search(self.body):  # half of a pair is no text, and cannot be stored
                json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise invalid_request(f"The request is invalid. Details: {what} : Invalid JSON: {error}") from error
        if not isinstance(value, dict):
            raise invalid_request(f"The request is invalid. Details: {what} : A JSON object was expected.")
        return value

    def flag(self, name: str) -> bool:
        """A boolean of the query string.

        Raises:
            ServiceFault: 400, when it is neither true nor false.
        """
        text = self.query.get(name, "false").lower()
        if text not in ("true", "false"):
            raise invalid_request(f"The value '{self.query[name]}' is not a boolean.", parameter=name)
        return text == "true"

    def check_preconditions(self, etag: str | None) -> None:
        """Holds If-Match and If-None-Match against the present `etag` (None: the object is not there).

        Raises:
            ServiceFault: 412.
        """
        wanted, unwanted = self.headers.get("if-match"), self.headers.get("if-none-match")
        if wanted is not None and not _matches(wanted, etag):
            raise precondition_failed()
        if unwanted is not None and _matches(unwanted, etag):
            raise precondition_failed()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; `body` None is sent as no body at all."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    media: Media = "minimal"

    def content(self) -> tuple[bytes, str | None]:
        """The bytes and their content type, as Azure writes it."""
        if self.body is None:
            return b"", None
        if self.media == "plain":
            return str(self.body).encode(), "text/plain"
        text = json.dumps(self.body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        if self.media == "json":
            return text.encode(), "application/json; charset=utf-8"
        return text.encode(), f"application/json; odata.metadata={self.media}; odata.streaming=true; charset=utf-8"


def _refused_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _matches(header: str, etag: str | None) -> bool:
    """Whether one of the listed tags is `etag`; weak and strong forms are one, and so are quoted and bare ones."""
    if etag is None:
        return False
    listed = {tag.strip().removeprefix("W/").strip('"') for tag in header.split(",")}
    return "*" in listed or etag.strip('"') in listed
