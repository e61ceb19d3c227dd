"""Definition files from disk: read, `extends:` followed, positions kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from azsearch_ops.definitions.tree import Mark, Tree, step
from azsearch_ops.definitions.yaml_reader import parse_yaml
from azsearch_ops.errors import Location, Problem

EXTENDS = "extends"


def read_tree(path: Path, root: Path, problems: list[Problem]) -> Tree | None:
    """The tree of a YAML file; None, with a problem, when it cannot be read. Paths are shown below `root`."""
    text = read_text(path, root, problems)
    return None if text is None else parse_yaml(text, shown_path(path, root), problems)


def read_text(path: Path, root: Path, problems: list[Problem]) -> str | None:
    """The text of a UTF-8 file, line ends as they are; None, with a problem, when it cannot be read."""
    shown = shown_path(path, root)
    try:
        data = path.read_bytes()
    except OSError as error:
        problems.append(Problem("AZS001", f"the file cannot be read: {error.strerror}", Location(shown)))
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - before.rfind(b"\n")
        place = Location(shown, before.count(b"\n") + 1, column)
        problems.append(Problem("AZS001", "the file is not UTF-8", place, hint="save it as UTF-8"))
        return None


def read_definition(path: Path, root: Path, problems: list[Problem]) -> Tree | None:
    """The tree of a definition with everything that it extends merged in; None when a file cannot be used.

    `extends:` names a file relative to the one it stands in. Mappings are merged key by key, anything else
    replaces what the extended file has.
    """
    return _follow(path, root, problems, ())


def is_folder(path: Path) -> bool:
    """Whether the path is a folder; one that no file system could hold (a name too long) is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def shown_path(path: Path, root: Path) -> str:
    """The path as messages show it: below the project where it is, with forward slashes."""
    for shown, below in ((path.absolute(), root.absolute()), (path.resolve(), root.resolve())):
        if shown.is_relative_to(below) and ".." not in shown.parts:
            return shown.relative_to(below).as_posix()
    return path.as_posix()


def _follow(path: Path, root: Path, problems: list[Problem], seen: tuple[Path, ...]) -> Tree | None:
    tree = read_tree(path, root, problems)
    if tree is None:
        return None
    if not isinstance(tree.value, dict):
        what = "is empty" if tree.value is None else "must hold a mapping"
        problems.append(Problem("AZS010", f"the definition {what}", tree.locate("")))
        return None
    if EXTENDS not in tree.value:
        return tree
    place = tree.locate(step("", EXTENDS))
    target = tree.value[EXTENDS]
    if not isinstance(target, str) or not target:
        problems.append(Problem("AZS005", "extends takes the path of a file", place))
        return None
    extended = (path.parent / target).resolve()
    if not extended.is_relative_to(root.resolve()):
        problems.append(Problem("AZS005", f"{target} lies outside the project", place))
        return None
    if extended in (*seen, path.resolve()):
        problems.append(Problem("AZS005", f"{target} extends this file again", place, hint="break the circle"))
        return None
    if not extended.is_file():
        problems.append(Problem("AZS005", f"{target} does not exist", place, hint=f"looked for {target} beside this"))
        return None
    base = _follow(extended, root, problems, (*seen, path.resolve()))
    return None if base is None else _merged(tree, base)


def _merged(tree: Tree, base: Tree) -> Tree:
    """`tree` laid over `base`, each value with the place that it came from."""
    values: dict[str, Mark] = {}
    keys: dict[str, Mark] = {}

    def take(source: Tree, pointer: str) -> None:
        below = pointer + "/"
        for into, marks in ((values, source.values), (keys, source.keys)):
            into.update({at: mark for at, mark in marks.items() if at == pointer or at.startswith(below)})

    def lay(top: Mapping[str, object], under: Mapping[str, object], pointer: str) -> dict[str, object]:
        values[pointer] = tree.values[pointer]
        result: dict[str, object] = {}
        for key, value in under.items():
            at = step(pointer, key)
            if key not in top:
                take(base, at)
                result[key] = value
                continue
            over = top[key]
            if isinstance(over, dict) and isinstance(value, dict):
                keys[at] = tree.keys.get(at, tree.values[at])
                result[key] = lay(over, value, at)
            else:
                take(tree, at)
                result[key] = over
        for key, value in top.items():
            if key not in under:
                take(tree, step(pointer, key))
                result[key] = value
        return result

    assert isinstance(tree.value, dict) and isinstance(base.value, dict)
    own = {key: value for key, value in tree.value.items() if key != EXTENDS}
    return Tree(tree.path, lay(own, base.value, ""), values, keys)
