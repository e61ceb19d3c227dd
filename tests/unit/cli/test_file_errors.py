"""A file that cannot be written is an error in words, with what to do, and never a traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from azsearch_ops.cli.running import file_error

COMMAND = Path(sys.executable).parent / "azsearch-ops"


@pytest.mark.parametrize(
    ("code", "hint"), [(errno.EROFS, ".azsearch"), (errno.EACCES, "right"), (errno.ENOSPC, "free some space")]
)
def test_what_to_do_depends_on_why(code: int, hint: str) -> None:
    error = file_error(OSError(code, os.strerror(code), "/a/folder"))
    assert error.message == f"/a/folder: {os.strerror(code)}"
    assert hint in error.hint
    assert (error.code, error.exit_code) == ("files", 1)


def test_a_folder_that_cannot_be_made_is_exit_code_1_in_words(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", "utf-8")
    done = subprocess.run(
        [str(COMMAND), "local", "start", "--data", str(tmp_path / "taken" / "local")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "taken") in done.stderr and "[files]" in done.stderr
