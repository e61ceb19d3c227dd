"""Find every problem of a project's definitions before the first call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from azsearch_ops.definitions.files import shown_path
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.order import in_order
from azsearch_ops.definitions.project import Project, read_project
from azsearch_ops.definitions.tree import step
from azsearch_ops.documents.folder import MissingContainerError
from azsearch_ops.errors import DefinitionError, Problem, UsageError
from azsearch_ops.evaluation.metrics.registry import parse_metric
from azsearch_ops.rules.check import EXPLANATIONS, check_environments, check_project, explain
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.queries import Likeness
from azsearch_ops.rules.silencing import silenced
from azsearch_ops.rules.unquoted import unquoted
from azsearch_ops.verbs.sources import source_texts
from azsearch_ops.verbs.text_facts import TextFacts


@dataclass(frozen=True, slots=True)
class Validation:
    """What `validate` found; errors make the exit code 1, warnings do not.

    `quotable` is false where the environment wants no word of its texts shown.
    """

    problems: tuple[Problem, ...]
    indexes: int
    quotable: bool = True

    @property
    def exit_code(self) -> int:
        """0 without errors, else 1."""
        return int(any(p.severity == "error" for p in self.problems))


def validate(
    root: Path, environment: str, environ: Mapping[str, str], names: tuple[str, ...] = (), *, languages: bool = True
) -> Validation:
    """Every problem of the project; query sets and chunking are held against the documents that can be read here.

    With `names`, what only concerns other index definitions is left out. UsageError when there is no such definition.
    Without `languages`, scripts stand in for the languages of the documents where only the reader's budget asks.
    """
    project, found = read_project(root, environment, environ)
    if project is None:
        return Validation(found, 0)
    texts = {name: read for name, index in project.indexes.items() if (read := _texts(project, index)) is not None}
    with TextFacts(root) as facts:
        of_rules = check_project(project, texts, _nearest_passage, facts.tokenizer, facts.teller(), tell_all=languages)
    problems = (
        *found,
        *of_rules,
        *check_environments(project, environ),
        *silenced(metric_problems(project), project.root),
    )
    full = project.environment.reports.text == "full"
    shown = in_order(problems if full else unquoted(problems))
    if not names:
        return Validation(shown, len(project.indexes), full)
    others = _files_of_others(project, names)
    kept = tuple(p for p in shown if p.location is None or p.location.path not in others)
    return Validation(kept, len(names), full)


def explanations() -> Mapping[str, Explanation]:
    """What every code means."""
    return EXPLANATIONS


def code_titles() -> dict[str, str]:
    """Every code with its title, in order."""
    return {code: EXPLANATIONS[code].title for code in sorted(EXPLANATIONS)}


def tool_version() -> str:
    """The version of this tool."""
    return version("azsearch-ops")


def explain_rule(code: str) -> Explanation:
    """Why a rule is there and how to satisfy it."""
    return explain(code)


def require_sound(project: Project) -> tuple[Problem, ...]:
    """The warnings of a project; DefinitionError with everything where there is an error."""
    problems = (*check_project(project), *silenced(metric_problems(project), project.root))
    if any(p.severity == "error" for p in problems):
        raise DefinitionError(problems)
    return problems


def check_texts(project: Project, index: IndexDefinition) -> None:
    """DefinitionError where a judgement names words that its document does not have."""
    problems = tuple(_text_problems(project, index))
    if any(p.severity == "error" for p in problems):
        raise DefinitionError(problems)


def _files_of_others(project: Project, names: tuple[str, ...]) -> set[str]:
    """The files that only index definitions beside the named ones use."""
    unknown = [name for name in names if name not in project.indexes and name not in project.broken]
    if unknown:
        hint = name_hint(unknown[0], project.indexes)
        raise UsageError(f"there is no index definition {unknown[0]!r}", hint=hint)
    used: dict[bool, set[str]] = {True: set(), False: set()}
    for index in project.indexes.values():
        files = used[index.name in names]
        files |= {index.locate("").path, shown_path(index.evaluation.queries, project.root)}
        if index.skillset is not None and index.skillset in project.skillsets:
            files.add(project.skillsets[index.skillset].locate("").path)
    return used[False] - used[True]


def metric_problems(project: Project) -> tuple[Problem, ...]:
    """Metric names that nothing measures, and gated metrics that are not measured."""
    problems: list[Problem] = []
    for index in project.indexes.values():
        for n, name in enumerate(index.evaluation.metrics):
            problems += _unknown_metric(name, index, f"/evaluation/metrics/{n}")
        gated = [(name, step("/gate", name)) for name in index.gate]
        gated += [
            (name, step(step("/gate/slices", tag), name))
            for tag, limits in index.gate_rules.slices.items()
            for name in limits
        ]
        for name, pointer in gated:
            unknown = _unknown_metric(name, index, pointer)
            problems += unknown
            if not unknown and name not in index.evaluation.metrics:
                message = f"the gate is on '{name}', which evaluation.metrics does not measure"
                problems.append(Problem("AZS602", message, index.locate(pointer), hint="add it to evaluation.metrics"))
    return tuple(problems)


def _unknown_metric(name: str, index: IndexDefinition, pointer: str) -> list[Problem]:
    try:
        parse_metric(name)
    except ValueError as unknown:
        return [Problem("AZS601", str(unknown), index.locate(pointer))]
    return []


def _text_problems(project: Project, index: IndexDefinition) -> tuple[Problem, ...]:
    texts = _texts(project, index)
    if texts is None:
        return ()
    found = check_project(project, {index.name: texts}, nearest_passage=_nearest_passage)
    return found if project.environment.reports.text == "full" else unquoted(found)


def _texts(project: Project, index: IndexDefinition) -> dict[str, str] | None:
    """The texts of an index's documents (empty for those that cannot be read), or None where there are none here."""
    try:
        read = source_texts(project, index)
    except MissingContainerError:
        return None  # AZS503 says it, with the place
    return None if read is None else {**read.texts, **dict.fromkeys(read.unreadable, "")}


def _nearest_passage(excerpt: str, text: str) -> Likeness | None:
    from azsearch_ops.evaluation.anchoring_quotes import DocumentText, find_quote

    return find_quote(excerpt, DocumentText(text))
