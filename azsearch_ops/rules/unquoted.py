"""Problems without the words of documents, for environments whose words are to stay where they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from azsearch_ops.errors import Problem

_QUOTING: Final = frozenset({"AZS712", "AZS715"})
"""Codes whose hint quotes the passage that comes nearest to an excerpt."""


def unquoted(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """`problems` as they are, but for hints that quote a document."""
    withheld = "the passage is not shown here (reports.text: ids)"
    return tuple(replace(p, hint=withheld) if p.code in _QUOTING and p.hint else p for p in problems)
