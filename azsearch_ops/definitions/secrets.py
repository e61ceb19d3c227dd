"""References to secrets: what `secret('NAME')` renders to. Only `service/` looks the value up, at the call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from azsearch_ops.errors import UsageError

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_NAME_PATTERN = re.compile(_NAME)
_REFERENCE = re.compile(r"\$\{secret:(" + _NAME + r")\}")

_RESERVED = re.compile(
    r"GITHUB_TOKEN|GH_TOKEN|ACTIONS_\w+|AZURE_CLIENT_SECRET|AZURE_CLIENT_CERTIFICATE_PASSWORD|AZURE_PASSWORD"
    r"|IDENTITY_HEADER|MSI_SECRET",
    re.IGNORECASE,
)


def is_secret_name(name: str) -> bool:
    """Whether `name` can name a secret: it must be a legal name of an environment variable."""
    return _NAME_PATTERN.fullmatch(name) is not None


def is_reserved(name: str) -> bool:
    """Whether the variable `name` holds what a pipeline or an identity logs in with: no definition may have that.

    Definitions of a pull request are a stranger's text, and what they say goes into bodies, comments and artifacts.
    """
    return _RESERVED.fullmatch(name) is not None


def variables_for_definitions(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment's variables as definitions may see them: without those that are reserved."""
    return {name: value for name, value in environ.items() if not is_reserved(name)}


def secret_reference(name: str) -> str:
    """The reference to the secret `name`, as it stands in bodies, plans and the ledger."""
    return f"${{secret:{name}}}"


def secret_names(value: object) -> tuple[str, ...]:
    """The names of all secrets that a value refers to, inside longer strings too, sorted."""
    if isinstance(value, str):
        return tuple(sorted(set(_REFERENCE.findall(value))))
    if isinstance(value, Mapping):
        return tuple(sorted({name for item in value.values() for name in secret_names(item)}))
    if isinstance(value, list | tuple):
        return tuple(sorted({name for item in value for name in secret_names(item)}))
    return ()


def resolve_secrets(value: object, lookup: Callable[[str], str]) -> object:
    """A copy of a body in which every reference is replaced by what `lookup` returns for its name.

    UsageError for a reserved name, however the reference came to be.
    """
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: lookup(_allowed(found[1])), value)
    if isinstance(value, Mapping):
        return {key: resolve_secrets(item, lookup) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [resolve_secrets(item, lookup) for item in value]
    return value


def _allowed(name: str) -> str:
    if is_reserved(name):
        raise UsageError(f"{name} is what the pipeline itself logs in with: no definition may send it anywhere")
    return name
