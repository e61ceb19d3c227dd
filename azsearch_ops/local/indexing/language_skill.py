"""The Language Detection skill within an indexer run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azsearch_ops.contract.detected_languages import CHINESE, MAXIMUM_CHARACTERS, NAMES, OUTPUTS, UNKNOWN
from azsearch_ops.local.indexing.findings import INVALID_INPUT, RunRefusedError
from azsearch_ops.local.indexing.limits import shortened
from azsearch_ops.local.indexing.skills import Call, Outcome
from azsearch_ops.models.language import Detector, detector

TRUNCATED = "Skill input was truncated."


@dataclass(frozen=True, slots=True)
class LanguageSkill:
    """Tells the language of the input `text`; a hint at a country changes nothing here."""

    model: Detector
    required: tuple[str, ...] = ("text",)

    @staticmethod
    def from_body(body: Mapping[str, Any]) -> LanguageSkill:
        """The skill of a REST body. Raises RunRefusedError for an output that it has not."""
        unknown = {str(entry["name"]) for entry in body.get("outputs") or ()}.difference(OUTPUTS)
        if unknown:
            raise RunRefusedError(f"LanguageDetectionSkill has no output '{min(unknown)}'.")
        return LanguageSkill(detector(frozenset(NAMES), CHINESE))

    def run(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return [self._tell(call) for call in calls]

    def _tell(self, call: Call) -> Outcome:
        text, source = call.inputs["text"], call.sources["text"]
        if not isinstance(text, str):
            details = f"Required skill input was not of the expected type 'String'. Name: 'text', Source: '{source}'."
            return Outcome({}, (INVALID_INPUT, details))
        if not text or text.isspace():
            return Outcome({}, (INVALID_INPUT, f"Required skill input is empty. Name: 'text', Source: '{source}'."))
        read = shortened(text, MAXIMUM_CHARACTERS)
        told = self.model.tell(read)
        code = told.code or UNKNOWN
        outputs = {"languageCode": code, "languageName": NAMES.get(code, UNKNOWN), "score": round(told.score, 2)}
        if read == text:
            return Outcome(outputs)
        details = f"The text from '{source}' is longer than {MAXIMUM_CHARACTERS} characters; the rest was not read."
        return Outcome(outputs, (TRUNCATED, details))
