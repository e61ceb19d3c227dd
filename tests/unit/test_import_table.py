"""Which room may import which, read from the imports themselves."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "azsearch_ops"

CORE = {
    "contract",
    "definitions",
    "documents",
    "models",
    "chunking",
    "rules",
    "bodies",
    "planning",
    "evaluation",
    "gate",
}

MAY_IMPORT = {
    "contract": set(),
    "definitions": {"contract"},
    "documents": set(),
    "models": set(),
    "chunking": set(),
    "rules": {"definitions", "contract", "chunking"},
    "bodies": {"definitions", "contract"},
    "planning": {"bodies", "contract", "chunking"},
    "evaluation": {"chunking"},
    "gate": {"evaluation"},
    "service": set(),
    "releasing": {"planning", "gate", "bodies", "service"},
    "verbs": {*CORE, "service", "releasing"},
    "reporting": {*CORE, "releasing", "verbs"},
    "cli": {"verbs", "reporting"},
    "skills": {"chunking", "documents", "models"},
    "local": {"contract", "chunking", "documents", "models"},
}
"""All may import `errors`, and each room itself. `reporting` takes the value types of the core and of the verbs."""

ONLY_IN = {
    "azure": {"service"},
    "typer": {"cli"},
    "click": {"cli"},
    "deepdiff": {"planning"},
    "jinja2": {"definitions", "reporting"},
    "starlette": {"local", "skills"},
    "uvicorn": {"local", "skills"},
}

SOURCES = sorted(ROOT.rglob("*.py"))
ROOMS = sorted({path.relative_to(ROOT).parts[0] if path.parent != ROOT else "" for path in SOURCES})
"""One test a room: there are too many files for one each. The empty name is the package's own root."""


def imports(path):
    """The modules that a file imports, with their lines; names taken from the package itself are resolved."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute here"
            assert "*" not in {alias.name for alias in node.names}, f"{path}:{node.lineno}: no star imports"
            if node.module == "azsearch_ops":
                for alias in node.names:
                    yield f"azsearch_ops.{alias.name}", node.lineno
            else:
                yield node.module, node.lineno


def room_of(path):
    below = path.relative_to(ROOT)
    return below.parts[0] if len(below.parts) > 1 else None


def files_of(room):
    return [path for path in SOURCES if (room_of(path) or "") == room]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_what_it_may(room):
    faults = []
    for path in files_of(room):
        for module, line in imports(path):
            top, _, rest = module.partition(".")
            if top == "azsearch_ops":
                target = rest.partition(".")[0]
                allowed = {"errors", room, *MAY_IMPORT.get(room, set())} if room else {"errors"}
                if target and target not in allowed and (ROOT / target).is_dir():
                    faults.append(f"{path.relative_to(ROOT)}:{line}: {room} may not import {target}")
            elif top in ONLY_IN and room not in ONLY_IN[top]:
                wanted = " and ".join(sorted(ONLY_IN[top]))
                faults.append(f"{path.relative_to(ROOT)}:{line}: {top} belongs in {wanted}")
    assert not faults


def test_no_file_imports_itself_by_way_of_others():
    """Imports inside of functions and for types count too: a circle of them is one thing in two files."""
    files = {".".join(path.relative_to(ROOT.parent).with_suffix("").parts): path for path in SOURCES}
    left = {name: {module for module, _ in imports(path) if module in files} for name, path in files.items()}
    while free := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in free}
    assert not left, "these import each other, or lead to some that do"


def test_every_room_is_in_the_table():
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms <= set(MAY_IMPORT)


@pytest.mark.parametrize("path", [p for p in SOURCES if p.name == "__init__.py"], ids=lambda p: p.parent.name)
def test_a_package_says_what_it_is_and_imports_nothing(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "a package has a docstring"
    extra = [node for node in tree.body[1:] if not isinstance(node, ast.Assign)]
    assert not extra, "a package root holds nothing but its docstring and its version"


def test_local_is_reached_over_http_only():
    others = [path for path in SOURCES if room_of(path) != "local"]
    assert not [f"{p}:{line}" for p in others for m, line in imports(p) if m.startswith("azsearch_ops.local")]


@pytest.mark.parametrize("room", ROOMS)
def test_a_file_is_one_purpose_long(room):
    limit = 150 if room == "cli" else 400
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files_of(room)}
    assert [f"{path.name}: {lines} lines" for path, lines in lengths.items() if lines > limit] == []
