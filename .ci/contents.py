"""Hold what is in dist/: the sdist is the repository, the wheel is the package, and neither knows this machine."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "azsearch_ops/"
GENERATED = ("PKG-INFO",)  # In an sdist, by its builder
FAR = {str(ROOT).encode(), str(Path.home()).encode()} - {b"/", b"/root"}  # `/root` may be meant as such


def main() -> int:
    """Prints what is wrong, a line each; 1 when anything is."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    said = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
    ours = {path for path in said.decode().split("\0") if path and (ROOT / path).is_file()}
    sdist, wheel = _sdist(_only("*.tar.gz")), _wheel(_only("*.whl"))
    packaged = {path for path in ours if path.startswith(PACKAGE)}
    info = {path for path in wheel if ".dist-info/" in PurePosixPath(path).as_posix()}
    faults = [
        *_differ("sdist", {path for path in sdist if not path.startswith(GENERATED)}, ours, ours),
        *_differ("wheel", wheel.keys() - info, packaged, packaged),
        *(f"wheel: no {name}" for name in ("LICENSE", "entry_points.txt") if not any(p.endswith(name) for p in info)),
        *_machine("sdist", sdist),
        *_machine("wheel", wheel),
    ]
    print("\n".join(faults) or f"sdist {len(sdist)} files, wheel {len(wheel)} files: the repository, and its package")
    return 1 if faults else 0


def _only(pattern: str) -> Path:
    (found,) = (ROOT / "dist").glob(pattern)
    return found


def _sdist(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        files = [(member, archive.extractfile(member)) for member in archive.getmembers() if member.isfile()]
        return {member.name.partition("/")[2]: file.read() for member, file in files if file is not None}


def _wheel(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _differ(what: str, there: set[str], needed: set[str], allowed: set[str]) -> list[str]:
    missing = [f"{what}: {path} is missing" for path in sorted(needed - there)]
    return missing + [f"{what}: {path} is not ours" for path in sorted(there - allowed)]


def _machine(what: str, files: dict[str, bytes]) -> list[str]:
    return [f"{what}: {path} names a folder of this machine" for path, text in files.items() if _names(text)]


def _names(text: bytes) -> bool:
    return any(path in text for path in FAR)


if __name__ == "__main__":
    sys.exit(main())
