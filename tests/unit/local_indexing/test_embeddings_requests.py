"""OpenAI-compatible embeddings requests."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azsearch_ops.local.embeddings import EmbeddingFault, Embeddings
from azsearch_ops.models.tokenizer import tokenizer


@pytest.fixture
def embeddings(tmp_path: Path) -> Iterator[Embeddings]:
    made = Embeddings(tmp_path / "vectors.sqlite")
    yield made
    made.close()


def test_one_text(embeddings: Embeddings) -> None:
    answer = embeddings.embed_request({"input": "hello there", "model": "text-embedding-3-small"}, "small")
    assert answer["object"] == "list"
    assert answer["model"] == "text-embedding-3-small"
    assert answer["usage"] == {"prompt_tokens": 2, "total_tokens": 2}
    (item,) = answer["data"]
    assert (item["object"], item["index"], len(item["embedding"])) == ("embedding", 0, 256)
    assert np.linalg.norm(item["embedding"]) == pytest.approx(1, abs=1e-6)


def test_many_texts_tokens_and_dimensions(embeddings: Embeddings) -> None:
    texts = ["hello there", "general Kenobi"]
    tokens = [tokenizer("cl100k_base").encode(text) for text in texts]
    by_text = embeddings.embed_request({"input": texts, "dimensions": 1536}, "any")
    by_token = embeddings.embed_request({"input": tokens, "dimensions": 1536}, "any")
    assert by_text["data"] == by_token["data"]
    assert [len(item["embedding"]) for item in by_text["data"]] == [1536, 1536]
    one = embeddings.embed_request({"input": tokens[1], "dimensions": 1536}, "any")
    assert one["data"][0]["embedding"] == by_text["data"][1]["embedding"]
    assert by_text["model"] == "any"


def test_base64_holds_the_same_numbers(embeddings: Embeddings) -> None:
    plain = embeddings.embed_request({"input": ["a text"], "encoding_format": "float"}, "d")
    packed = embeddings.embed_request({"input": ["a text"], "encoding_format": "base64"}, "d")
    numbers = np.frombuffer(base64.b64decode(packed["data"][0]["embedding"]), dtype="<f4")
    assert numbers == pytest.approx(plain["data"][0]["embedding"], abs=1e-8)


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({}, "input"),
        ({"input": []}, "input"),
        ({"input": ""}, "input"),
        ({"input": ["a", ""]}, "input"),
        ({"input": ["a", 3]}, "input"),
        ({"input": [[1, -2]]}, "input"),
        ({"input": [[]]}, "input"),
        ({"input": [2**40]}, "input"),
        ({"input": {"a": 1}}, "input"),
        ({"input": ["x"] * 2049}, "input"),
        ({"input": "word " * 9000}, "input"),
        ({"input": "a", "dimensions": 0}, "dimensions"),
        ({"input": "a", "dimensions": "256"}, "dimensions"),
        ({"input": "a", "dimensions": True}, "dimensions"),
        ({"input": "a", "encoding_format": "hex"}, "encoding_format"),
    ],
)
def test_what_openai_refuses(embeddings: Embeddings, body: dict[str, Any], parameter: str) -> None:
    with pytest.raises(EmbeddingFault) as caught:
        embeddings.embed_request(body, "d")
    assert caught.value.status == 400
    error = caught.value.body()["error"]
    assert isinstance(error, dict)
    assert (error["type"], error["param"]) == ("invalid_request_error", parameter)


def test_too_many_tokens_are_counted(embeddings: Embeddings) -> None:
    with pytest.raises(EmbeddingFault, match="8192 tokens, however you requested 9001"):
        embeddings.embed_request({"input": "word " * 9000}, "d")


def test_a_model_that_is_not_on_this_machine_is_never_replaced(
    embeddings: Embeddings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZSEARCH_MODELS", str(tmp_path / "none"))
    for body, deployment in (({"input": "x"}, "all-MiniLM-L6-v2"), ({"input": "x", "model": "all-minilm-l6-v2"}, "d")):
        with pytest.raises(EmbeddingFault) as fault:
            embeddings.embed_request(body, deployment)
        assert fault.value.status == 404
        assert "azsearch-ops local model add all-MiniLM-L6-v2" in fault.value.message
