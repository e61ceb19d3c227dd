"""Numbers with their nouns, as every report, reason and cause says them."""

from __future__ import annotations


def counted(number: int, one: str, more: str) -> str:
    """A number with its noun: 1 query, 2,410 queries."""
    return f"{number:,} {one if number == 1 else more}"


def queries_of(number: int) -> str:
    """1 query, 2,410 queries."""
    return counted(number, "query", "queries")
