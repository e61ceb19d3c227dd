"""What measuring an index without a project comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from azsearch_ops.errors import Problem
from azsearch_ops.evaluation.side_by_side import SideBySide
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.verbs.any_index.adopting import Adoption
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields


@dataclass(frozen=True, slots=True)
class AnyOutcome:
    """What came of it. `found` says how fields were found and what was read to hold judgements against the index.

    `adoption` says how the index is put under management. `problems` are judgements that the index does not bear out.
    """

    outcome: EvaluationOutcome
    fields: Mapping[str, ChunkFields]
    found: tuple[str, ...]
    settings: Mapping[str, Any]
    modes: SideBySide | None
    adoption: Adoption
    problems: tuple[Problem, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 where the gate passes, else 3."""
        return 0 if self.outcome.verdict.outcome == "pass" else 3
