"""What is asked of indexes without a project, and the command that asks it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from azsearch_ops.verbs.any_index.anchoring import Missing
from azsearch_ops.verbs.any_index.policy import METRICS
from azsearch_ops.verbs.any_index.window import ToldWindows


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyIndex:
    """What is asked for: one index or two (the second is the candidate), the query set, how to search.

    `settings` is the file of a search request with {{query}}; without it the queries are asked in `mode`. Field
    names that are None are found in an answer. `floors` is by metric. `windows` is how many tokens the embedding
    models read, where the user knows. The run is written to `out`, or below `root`'s `.azsearch`.
    """

    indexes: tuple[str, ...]
    queries: Path
    root: Path
    qrels: Path | None = None
    settings: Path | None = None
    mode: str | None = None
    vector_fields: tuple[str, ...] = ()
    semantic: str | None = None
    key_field: str | None = None
    document_field: str | None = None
    text_field: str | None = None
    metrics: tuple[str, ...] = METRICS
    floors: Mapping[str, float] = field(default_factory=dict)
    windows: ToldWindows = field(default_factory=ToldWindows)
    modes: bool = False
    missing: Missing = "skip"
    out: Path | None = None


def command_of(wanted: AnyIndex) -> str:
    """The command that measures the same again."""
    words = ["azsearch-ops", "evaluate"]
    words += [word for index in wanted.indexes for word in ("--index", index)]
    words += ["--queries", str(wanted.queries)]
    words += ["--settings", str(wanted.settings)] if wanted.settings else []
    words += ["--mode", wanted.mode] if wanted.mode else []
    words += [word for name in wanted.vector_fields for word in ("--vector-field", name)]
    return shlex.join(words)
