"""What an environment says about those who use its aliases, and about models that only it knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from azsearch_ops.definitions.typed import STRICT


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumer:
    """An application: the api-version it queries with, the fields it reads, and who turns its questions into vectors.

    `aliases` are those that it queries; all of them unless said.
    """

    __pydantic_config__ = STRICT

    api_version: Annotated[str, Field(alias="apiVersion")]
    aliases: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    vectorizes: Literal["service", "consumer"] = "service"

    def queries(self, alias: str) -> bool:
        """Whether the application queries this alias."""
        return not self.aliases or alias in self.aliases


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """An embedding model of one's own: how many tokens of a text it reads, by which encoding they are counted."""

    __pydantic_config__ = STRICT

    reads: Annotated[int, Field(ge=1)]
    encoding: Literal["cl100k_base", "o200k_base"] = "cl100k_base"
