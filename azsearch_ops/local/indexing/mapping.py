"""Field mappings: source fields to index fields, and the functions on the way.

https://learn.microsoft.com/azure/search/search-indexer-field-mappings
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

from azsearch_ops.local.indexing.findings import RunRefusedError

_URL_SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!*()")


class MappingError(Exception):
    """A function cannot be applied to a value."""


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """One mapping; `apply` is the identity where no function is named."""

    source: str
    target: str
    apply: Callable[[Any], Any]


def read_mappings(mappings: Sequence[Mapping[str, Any]] | None) -> tuple[FieldMapping, ...]:
    """The mappings of a REST body. Raises RunRefusedError for a function that is not supported."""
    found: list[FieldMapping] = []
    for mapping in mappings or ():
        source = str(mapping.get("sourceFieldName") or "")
        target = str(mapping.get("targetFieldName") or source)
        found.append(FieldMapping(source, target, _function(mapping.get("mappingFunction"))))
    return tuple(found)


def base64_encode(text: str, *, url_token: bool = True) -> str:
    """URL-safe base64 of UTF-8 without padding; `url_token` ends with the number of padding signs, as .NET has it."""
    encoded = base64.urlsafe_b64encode(text.encode("utf-8", "surrogateescape")).decode("ascii")
    bare = encoded.rstrip("=")
    return bare + str(len(encoded) - len(bare)) if url_token and bare else bare


def base64_decode(text: str, *, url_token: bool = True) -> str:
    """The inverse of `base64_encode`. Raises MappingError."""
    if url_token:
        if text and text[-1] not in "012":
            raise MappingError(f"'{text}' is not a URL token: its last character must be a number of padding signs.")
        text = text[:-1]
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        return data.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise MappingError(f"'{text}' is not base64 of a UTF-8 text.") from error


def url_encode(text: str) -> str:
    """As .NET's HttpUtility does: `+` for a blank, small hexadecimal digits."""
    parts = (
        chr(byte) if byte in _URL_SAFE else "+" if byte == 0x20 else f"%{byte:02x}" for byte in text.encode("utf-8")
    )
    return "".join(parts)


def extract_token(text: str, delimiter: str, position: int) -> str:
    """The token number `position`, from 0. Raises MappingError when there are not so many."""
    tokens = text.split(delimiter)
    if not 0 <= position < len(tokens):
        raise MappingError(f"'{text}' has no token at position {position} when it is split at '{delimiter}'.")
    return tokens[position]


def string_collection(text: str) -> list[str]:
    """The strings of a JSON array. Raises MappingError."""
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        raise MappingError(f"Could not parse value '{text}' of type 'Edm.String' as a JSON array.") from error
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise MappingError(f"Could not parse value '{text}' of type 'Edm.String' as a JSON array of strings.")
    return items


def _function(definition: Mapping[str, Any] | None) -> Callable[[Any], Any]:
    if not definition:
        return lambda value: value
    name = str(definition.get("name") or "")
    parameters = definition.get("parameters") or {}
    functions: Mapping[str, Callable[[str], Any]] = {
        "base64Encode": lambda text: base64_encode(
            text, url_token=_flag(parameters, "useHttpServerUtilityUrlTokenEncode")
        ),
        "base64Decode": lambda text: base64_decode(
            text, url_token=_flag(parameters, "useHttpServerUtilityUrlTokenDecode")
        ),
        "extractTokenAtPosition": lambda text: extract_token(
            text, str(parameters.get("delimiter", "")) or " ", int(parameters.get("position", 0))
        ),
        "jsonArrayToStringCollection": string_collection,
        "urlEncode": url_encode,
        "urlDecode": unquote_plus,
    }
    if name not in functions:
        raise RunRefusedError(f"The local service does not support the mapping function '{name}'.")
    function = functions[name]

    def apply(value: Any) -> Any:
        if not isinstance(value, str):
            raise MappingError(f"The mapping function '{name}' needs a text, and the value is none.")
        return function(value)

    return apply


def _flag(parameters: Mapping[str, Any], name: str) -> bool:
    return str(parameters.get(name, True)).lower() != "false"
