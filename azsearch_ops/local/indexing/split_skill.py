"""The Text Split skill within an indexer run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from azsearch_ops.chunking.offsets import lengths, offsets
from azsearch_ops.chunking.text_split import TextSplit, split
from azsearch_ops.contract.text_split import LANGUAGES, OUTPUTS
from azsearch_ops.local.indexing.findings import INVALID_INPUT, RunRefusedError
from azsearch_ops.local.indexing.skills import Call, Outcome
from azsearch_ops.models.tokenizer import ENCODINGS, tokenizer


@dataclass(frozen=True, slots=True)
class SplitSkill:
    """Splits the input `text`; `outputs` are the outputs that somebody asked for."""

    options: TextSplit
    outputs: frozenset[str]
    token_starts: Callable[[str], Sequence[int]] | None
    required: tuple[str, ...] = ("text",)

    @staticmethod
    def from_body(body: Mapping[str, Any]) -> SplitSkill:
        """The skill of a REST body. Raises RunRefusedError for what cannot be done here."""
        options = TextSplit.from_skill(body)
        outputs = frozenset(str(entry["name"]) for entry in body.get("outputs") or ())
        unknown = outputs.difference(OUTPUTS)
        if unknown:
            raise RunRefusedError(f"SplitSkill has no output '{min(unknown)}'.")
        if 2 * options.page_overlap_length >= options.maximum_page_length:
            raise RunRefusedError("SplitSkill: pageOverlapLength must be less than half of maximumPageLength.")
        token_starts = None
        if options.mode == "pages" and options.unit == "azureOpenAITokens":
            if (body.get("azureOpenAITokenizerParameters") or {}).get("allowedSpecialTokens"):
                raise RunRefusedError("The local service does not support allowedSpecialTokens of SplitSkill.")
            if options.encoder not in ENCODINGS:
                raise RunRefusedError(
                    f"The local service has no vocabulary for the encoder '{options.encoder}' of SplitSkill; "
                    f"it has {', '.join(ENCODINGS)}."
                )
            token_starts = tokenizer(options.encoder).starts
        return SplitSkill(options, outputs, token_starts)

    def run(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return [self._split(call) for call in calls]

    def _split(self, call: Call) -> Outcome:
        text = call.inputs["text"]
        if not isinstance(text, str):
            return Outcome(
                {},
                (
                    INVALID_INPUT,
                    "Required skill input was not of the expected type 'String'. "
                    f"Name: 'text', Source: '{call.sources['text']}'.",
                ),
            )
        if not text or text.isspace():
            details = f"Required skill input is empty. Name: 'text', Source: '{call.sources['text']}'."
            return Outcome({"textItems": []}, (INVALID_INPUT, details))
        options, warning = self.options, None
        language = call.inputs.get("languageCode")
        if language:
            if language not in LANGUAGES:
                # Documented: a warning, and the text is not split.
                details = (
                    f"Skill input 'languageCode' has the following language codes '{language}', "
                    "at least one of which is invalid."
                )
                warning = (INVALID_INPUT, details)
                return Outcome({"textItems": [text], "ordinalPositions": [1]}, warning)
            options = replace(options, language=str(language))
        spans = split(text, options, self.token_starts)
        outputs: dict[str, Any] = {"textItems": [text[span.start : span.end] for span in spans]}
        if "offsets" in self.outputs:
            outputs["offsets"] = [extent.body() for extent in offsets(text, spans)]
        if "lengths" in self.outputs:
            outputs["lengths"] = [extent.body() for extent in lengths(text, spans)]
        if "ordinalPositions" in self.outputs:
            outputs["ordinalPositions"] = list(range(1, len(spans) + 1))
        return Outcome(outputs)
