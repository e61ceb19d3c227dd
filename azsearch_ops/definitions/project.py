"""A project: all definitions of a folder, for one environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from azsearch_ops.definitions.environment import ENVIRONMENT, Environment, environment_from
from azsearch_ops.definitions.files import read_definition, shown_path
from azsearch_ops.definitions.index import INDEX, IndexDefinition, index_from
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.order import in_order
from azsearch_ops.definitions.secrets import variables_for_definitions
from azsearch_ops.definitions.short_forms import projected
from azsearch_ops.definitions.skillset import SKILLSET, SkillsetDefinition, skillset_from
from azsearch_ops.definitions.synonym_map import SYNONYM_MAP, SynonymMapDefinition, synonym_map_from
from azsearch_ops.definitions.templates import render_tree
from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import typed
from azsearch_ops.errors import DefinitionError, Location, Problem

ENVIRONMENTS = "infra/environments"
SKILLSETS = "skillsets"
SYNONYM_MAPS = "synonymmaps"
INDEXES = "indexes"
DEFINITION_FOLDERS = (INDEXES, SKILLSETS, SYNONYM_MAPS, ENVIRONMENTS)
"""All of what a revision's definitions are: whoever asks what changed, or how it was, looks at just these."""

UNRENDERED = ("AZS006", "AZS007")
"""Codes of templates that failed."""

_ENDINGS = (".yaml", ".yml", ".json")
_FILES = tuple(f"*{ending}" for ending in _ENDINGS)

T = TypeVar("T")
D = TypeVar("D", IndexDefinition, SkillsetDefinition, SynonymMapDefinition)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The definitions of a project in one environment.

    `broken` names the definitions that could not be typed, so that references to them are not reported again, and
    `unrendered` the places whose template failed, so that nothing else is said of what stands there.
    """

    root: Path
    environment: Environment
    indexes: Mapping[str, IndexDefinition]
    skillsets: Mapping[str, SkillsetDefinition]
    synonym_maps: Mapping[str, SynonymMapDefinition] = field(default_factory=dict)
    broken: frozenset[str] = field(default_factory=frozenset)
    unrendered: frozenset[Location] = field(default_factory=frozenset)

    def locate_for(self, index_name: str) -> Callable[[str, str], Location]:
        """Where a value stands, by its file ("index", "skillset", "environment") and pointer in it."""
        index = self.indexes[index_name]
        trees = {"index": index.tree, "environment": self.environment.tree}
        if index.skillset is not None and index.skillset in self.skillsets:
            trees["skillset"] = self.skillsets[index.skillset].tree

        def locate(file: str, pointer: str) -> Location:
            return trees.get(file, index.tree).locate(pointer)

        return locate


def load_project(root: Path, environment: str, environ: Mapping[str, str]) -> Project:
    """The project below `root`, rendered for the environment; `environ` is what templates see as `env`.

    Raises DefinitionError with every problem of every file.
    """
    project, problems = read_project(root, environment, environ)
    if project is None or any(problem.severity == "error" for problem in problems):
        raise DefinitionError(problems)
    return project


def read_project(
    root: Path, environment: str, environ: Mapping[str, str]
) -> tuple[Project | None, tuple[Problem, ...]]:
    """Whatever can be understood of the project, and every problem found on the way.

    None only when the environment itself cannot be used; what needs no variable of it is reported all the same.
    """
    problems: list[Problem] = []
    where = _environment(root, environment, environ, problems)
    variables = {**(where.variables if where else {}), "env": variables_for_definitions(environ)}
    broken: set[str] = set()

    def each(form: TypeAdapter[T], paths: Sequence[Path]) -> Iterator[tuple[T, Tree, Path]]:
        for path in paths:
            tree = _rendered(path, root, variables if where else None, problems)
            found = typed(form, tree, problems) if tree else None
            if tree is None or found is None:
                broken.add(_name_of(tree, path.parent.name if path.parent.parent == root / INDEXES else path.stem))
            else:
                yield found, tree, path

    skillsets: dict[str, SkillsetDefinition] = {}
    for skillset, tree, _ in each(SKILLSET, _definition_files(root / SKILLSETS, *_FILES)):
        _add(skillsets, skillset_from(skillset, tree), problems)
    synonym_maps: dict[str, SynonymMapDefinition] = {}
    for rules, tree, _ in each(SYNONYM_MAP, _definition_files(root / SYNONYM_MAPS, *_FILES)):
        _add(synonym_maps, synonym_map_from(rules, tree), problems)
    indexes: dict[str, IndexDefinition] = {}
    for index, tree, path in each(INDEX, _definition_files(root / INDEXES, *(f"*/index{e}" for e in _ENDINGS))):
        _add(indexes, _projecting(index_from(index, tree, path.parent), skillsets), problems)
    if where is None:
        return None, _sorted(problems)
    if not indexes and not broken:
        problems.append(Problem("AZS001", f"there is no {INDEXES}/NAME/index.yaml", Location(INDEXES)))
    project = Project(
        root=root,
        environment=where,
        indexes=indexes,
        skillsets=skillsets,
        synonym_maps=synonym_maps,
        broken=frozenset(broken),
        unrendered=frozenset(p.location for p in problems if p.code in UNRENDERED and p.location is not None),
    )
    return project, _sorted(problems)


def environment_names(root: Path) -> tuple[str, ...]:
    """The names of the environments that the project has."""
    return tuple(sorted({path.stem for path in _definition_files(root / ENVIRONMENTS, *_FILES)}))


def environment_path(root: Path, name: str) -> Path | None:
    """The file of an environment, or None where there is none."""
    paths = (root / ENVIRONMENTS / f"{name}{suffix}" for suffix in _ENDINGS)
    return next((path for path in paths if _is_there(path)), None)


def endpoint_of(root: Path, name: str, environ: Mapping[str, str]) -> str | None:
    """The endpoint of an environment, or None where its file cannot be read."""
    found = _environment(root, name, environ, [])
    return None if found is None else found.endpoint


def _projecting(index: IndexDefinition, skillsets: Mapping[str, SkillsetDefinition]) -> IndexDefinition:
    """The index with the projection of its skillset, where the index has none of its own."""
    skillset = skillsets.get(index.skillset or "")
    if index.projection or skillset is None or skillset.index_projections is None:
        return index
    return replace(index, projection=projected(skillset))


def _environment(root: Path, name: str, environ: Mapping[str, str], problems: list[Problem]) -> Environment | None:
    path = environment_path(root, name)
    if path is None:
        hint = name_hint(name, environment_names(root)) or "is this the project's folder? see --project"
        place = Location(shown_path(root / ENVIRONMENTS / f"{name}.yaml", root))
        problems.append(Problem("AZS012", f"there is no environment {name!r}", place, hint=hint))
        return None
    tree = _rendered(path, root, {"env": variables_for_definitions(environ)}, problems)
    content = typed(ENVIRONMENT, tree, problems) if tree else None
    return None if tree is None or content is None else environment_from(name, content, tree)


def _rendered(path: Path, root: Path, variables: Mapping[str, object] | None, problems: list[Problem]) -> Tree | None:
    """The rendered tree of a file; without variables the file is only parsed, for the problems in it."""
    tree = read_definition(path, root, problems)
    return None if tree is None or variables is None else render_tree(tree, variables, problems)


def _definition_files(folder: Path, *patterns: str) -> list[Path]:
    """What is named like a definition, sorted; what starts with an underscore is only there to be extended.

    Folders and links that lead nowhere are among it: reading them says what is wrong.
    """
    found: set[Path] = set()
    for pattern in patterns:
        above, _, last = pattern.rpartition("/")
        found |= {path / last for path in folder.glob(above)} if above else {*folder.glob(last)}
    return sorted(
        path for path in found if _is_there(path) and not path.name.startswith("_") and path.parent.name[:1] != "_"
    )


def _is_there(path: Path) -> bool:
    """Whether anything has this name, be it only a link; what no file system could hold is not there."""
    try:
        return path.exists() or path.is_symlink()
    except OSError:
        return False


def _name_of(tree: Tree | None, otherwise: str) -> str:
    name = tree.at("/name") if tree else None
    return name if isinstance(name, str) else otherwise


def _add(into: dict[str, D], definition: D, problems: list[Problem]) -> None:
    if definition.name in into:
        message = f"the name {definition.name!r} is taken already ({into[definition.name].locate('/name')})"
        problems.append(Problem("AZS011", message, definition.locate("/name")))
    else:
        into[definition.name] = definition


def _sorted(problems: list[Problem]) -> tuple[Problem, ...]:
    """By file, line and column; problems without a place first.

    What could not be rendered is a string where a number may be wanted, and that is not a second fault.
    """
    unrendered = {problem.location for problem in problems if problem.code in UNRENDERED}
    return in_order(problem for problem in problems if problem.code != "AZS010" or problem.location not in unrendered)
