"""The Azure OpenAI embedding skill within an indexer run: one request for all texts of a batch of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azsearch_ops.contract.skills import EMBEDDING_MODELS
from azsearch_ops.local.indexing.findings import INVALID_INPUT, RunRefusedError
from azsearch_ops.local.indexing.io import IndexingIO
from azsearch_ops.local.indexing.skills import Call, Outcome
from azsearch_ops.models.tokenizer import tokenizer

MAXIMUM_TOKENS = 8000
"""Longer texts fail their document, see https://learn.microsoft.com/azure/search/cognitive-search-skill-azure-openai-embedding."""


@dataclass(frozen=True, slots=True)
class EmbeddingSkill:
    """Embeds the input `text` through the service's `embed`."""

    io: IndexingIO
    resource_uri: str
    deployment: str
    model: str
    dimensions: int | None
    required: tuple[str, ...] = ("text",)

    @staticmethod
    def from_body(body: Mapping[str, Any], io: IndexingIO) -> EmbeddingSkill:
        """The skill of a REST body. Raises RunRefusedError without an address or a deployment, as Azure fails then."""
        for name in ("resourceUri", "deploymentId"):
            if not body.get(name):
                raise RunRefusedError(f"AzureOpenAIEmbeddingSkill: {name} is missing.")
        model = str(body.get("modelName") or "")
        dimensions = body.get("dimensions")
        if dimensions is None and model in EMBEDDING_MODELS:
            dimensions = EMBEDDING_MODELS[model][1]
        return EmbeddingSkill(
            io=io,
            resource_uri=str(body["resourceUri"]),
            deployment=str(body["deploymentId"]),
            model=model,
            dimensions=None if dimensions is None else int(dimensions),
        )

    def run(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        outcomes: list[Outcome] = [_checked(call) for call in calls]
        good = [index for index, outcome in enumerate(outcomes) if outcome.warning is None and outcome.error is None]
        if good:
            texts = [calls[index].inputs["text"] for index in good]
            vectors = self.io.embed(self.resource_uri, self.deployment, self.model, self.dimensions, texts)
            model, unread = self.io.unread(self.deployment, self.model, texts)
            for index, vector, tokens in zip(good, vectors, unread, strict=True):
                outcomes[index] = Outcome({"embedding": vector}, unread=(model, tokens))
        return outcomes


def _checked(call: Call) -> Outcome:
    text, source = call.inputs["text"], call.sources["text"]
    if not isinstance(text, str):
        details = f"Required skill input was not of the expected type 'String'. Name: 'text', Source: '{source}'."
        return Outcome({}, warning=(INVALID_INPUT, details))
    if not text or text.isspace():
        return Outcome({}, warning=(INVALID_INPUT, f"Required skill input is empty. Name: 'text', Source: '{source}'."))
    # A token is at least one byte, so short texts need no counting.
    if len(text) * 4 > MAXIMUM_TOKENS and len(text.encode("utf-8", "surrogatepass")) > MAXIMUM_TOKENS:
        tokens = tokenizer("cl100k_base").count(text)
        if tokens > MAXIMUM_TOKENS:
            details = f"Skill input 'text' from '{source}' has {tokens} tokens, the maximum is {MAXIMUM_TOKENS}."
            return Outcome({}, error=(INVALID_INPUT, details))
    return Outcome({})
