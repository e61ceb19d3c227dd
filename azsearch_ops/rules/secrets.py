"""AZS80x: secrets in plain text. No message shows the value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from azsearch_ops.contract.indexing import REDACTED
from azsearch_ops.definitions.secrets import secret_names
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation

EXPLANATIONS: Final = (
    Explanation(
        "AZS801",
        "A secret in plain text",
        "What is in Git is read by everybody who reads the repository, for good. Bodies, plans and reports would "
        "carry it on.",
        "Write \"{{ secret('NAME') }}\" and give NAME to the process, or use a managed identity. Change the secret.",
    ),
    Explanation(
        "AZS802",
        "A mask in the place of a secret",
        "The service shows <redacted> where it holds a key. A candidate has objects of its own, so the mask itself "
        "would be stored as the key, and enrichment or queries fail.",
        "Write \"{{ secret('NAME') }}\" and give NAME to the process, or use a managed identity.",
    ),
)

_SECRET_KEYS: Final = frozenset(
    {
        "apikey",
        "api-key",
        "api_key",
        "x-api-key",
        "subscription-key",
        "accesstoken",
        "key",
        "accountkey",
        "password",
        "pwd",
        "secret",
        "clientsecret",
        "applicationsecret",
        "authorization",
        "x-functions-key",
        "ocp-apim-subscription-key",
        "sastoken",
    }
)
_CONNECTION = re.compile(
    r"(AccountKey|SharedAccessSignature|SharedAccessKey|Password|Pwd|ApplicationSecret)\s*=\s*[^;\s]", re.IGNORECASE
)
_SIGNATURE = re.compile(r"[?&;]sig=[^&\s]{8,}", re.IGNORECASE)
_KEY_IN_ADDRESS = re.compile(r"[?&](code|api-key|key|subscription-key|token)=[^&\s]{8,}", re.IGNORECASE)
"""What Azure Functions, and services behind API Management, take in the place of a header."""
_MODEL_KEY = re.compile(r"[0-9a-f]{32}|[0-9A-Za-z]{52}|(?=[0-9A-Za-z]*JQQJ99)[0-9A-Za-z]{84}")
"""The keys of Azure's AI services (32, and 84 with a fixed mark) and of Azure AI Search (52)."""


_KEY_LENGTHS: Final = frozenset({32, 52, 84})


def check_secrets(tree: Tree) -> Iterator[Problem]:
    """The places of a definition file where a secret stands in plain text."""
    for pointer, what in _found(tree.value, "", ""):
        if what == REDACTED:
            hint = "\"{{ secret('NAME') }}\", or a managed identity"
            message = f"{what} is what the service shows in the place of a key, and no key"
            yield Problem("AZS802", message, tree.locate(pointer), severity="warning", hint=hint)
            continue
        hint = "write \"{{ secret('NAME') }}\" and change the secret"
        yield Problem("AZS801", f"{what} stands here in plain text", tree.locate(pointer), hint=hint)


def _found(value: object, name: str, pointer: str) -> Iterator[tuple[str, str]]:
    """Pointer and kind of every secret; `name` is the key that the value stands under."""
    if isinstance(value, dict):
        children: Iterable[tuple[str | int, object]] = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    else:
        return
    for key, item in children:
        below = str(key)
        if item.__class__ is int and item > 99_999_999 and below.lower() in _SECRET_KEYS:
            yield step(pointer, key), f"the value of {below}"  # A key of digits alone, without quotes
        elif isinstance(item, str):
            # Worth a closer look; a pointer is made for few
            looks = "=" in item or below.lower() in _SECRET_KEYS or len(item) in _KEY_LENGTHS
            if looks and (what := _reason(below, at := step(pointer, key), item)):
                yield at, what
        elif item.__class__ is dict or item.__class__ is list:
            yield from _found(item, below, step(pointer, key))


def _reason(name: str, pointer: str, value: str) -> str | None:
    if value == REDACTED and name.lower() in _SECRET_KEYS:
        return REDACTED
    if not value.strip() or _is_masked(value):
        return None
    if _CONNECTION.search(value) and not secret_names(value):
        return "a connection string with a key"
    if _SIGNATURE.search(value) and not secret_names(value):
        return "a shared access signature"
    if _KEY_IN_ADDRESS.search(value) and not secret_names(value):
        return "an address with a key"
    if name.lower() in _SECRET_KEYS and not secret_names(value):
        return None if _is_plain_name(pointer, name) else f"the value of {name}"
    # A variable may be called anything; versions of Key Vault keys are 32 digits too
    if pointer.startswith("/variables/") and "version" not in name.lower() and _MODEL_KEY.fullmatch(value):
        return f"what looks like a key ({name})"
    return None


def _is_plain_name(pointer: str, name: str) -> bool:
    """Whether the key is an ordinary one that happens to be called so: a field's `key: true` is no text at all."""
    return name == "key" and "/fields/" in pointer


def _is_masked(value: str) -> bool:
    """What the service returns in the place of a secret, and what tells it to keep the one it has."""
    return value.startswith("<") and value.endswith(">")
