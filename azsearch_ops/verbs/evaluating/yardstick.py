"""What measures a candidate: query set, judgements, metrics and gate, now and at the revision that a change builds on.

A change that also moves its own yardstick could pass by it. So where the two differ both are applied, and the worse
verdict counts unless somebody accepts the new yardstick for a reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.queries import QuerySet
from azsearch_ops.errors import AzsearchOpsError, UsageError
from azsearch_ops.gate.policy import Policy
from azsearch_ops.releasing.ledger import digest_of
from azsearch_ops.verbs.evaluating.queries import query_set
from azsearch_ops.verbs.revisions import git, named_revision, project_at
from azsearch_ops.verbs.session import Session

MAIN_BRANCHES = ("origin/main", "main", "origin/master", "master")


@dataclass(frozen=True, slots=True)
class Ruling:
    """How yardsticks are chosen: the base revision by name, and the reason for which the new one alone counts."""

    base: str | None = None
    accept: str | None = None

    def checked(self) -> Ruling:
        """UsageError where the new yardstick is accepted without a reason."""
        if self.accept is not None and not self.accept.strip():
            raise UsageError("--accept-yardstick needs a reason", hint='--accept-yardstick "why the new one is right"')
        return self


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a project measures an index definition with."""

    index: IndexDefinition
    queries: QuerySet

    @property
    def digest(self) -> str:
        """Digest of query set, metrics and gate."""
        return digest_of(self._parts())

    @property
    def policy(self) -> Policy:
        """The gate as it judges."""
        rules = self.index.gate_rules
        return Policy(self.index.gate, rules.slices, rules.lost_queries, rules.growth.said())

    def differences(self, other: Yardstick) -> tuple[str, ...]:
        """What the two do not have in common, by name."""
        mine, theirs = self._parts(), other._parts()
        found = [name for name in mine if mine[name] != theirs[name] and name != "queries"]
        if mine["queries"] != theirs["queries"]:
            found.insert(0, _query_difference(self.queries, other.queries))
        return tuple(found)

    def _parts(self) -> dict[str, object]:
        return {
            "queries": self.queries.digest,
            "metrics": list(self.index.evaluation.metrics),
            "gate": {
                "metrics": {name: [g.max_drop, g.margin, g.floor] for name, g in self.index.gate.items()},
                **self.index.gate_rules.as_json(),
            },
        }


@dataclass(frozen=True, slots=True)
class Base:
    """The revision that a change builds on. `yardstick` is None where there is none, and `note` says why."""

    name: str = ""
    yardstick: Yardstick | None = None
    note: str = ""


def yardstick_of(project: Project, index: IndexDefinition) -> Yardstick:
    """The yardstick of an index definition as its files are now; DefinitionError with every problem in them."""
    return Yardstick(index, query_set(project, index))


def base_of(session: Session, index: IndexDefinition, revision: str | None) -> Base:
    """The yardstick at `revision`; without one where this branch left main, and on main at what was released last.

    UsageError when a revision that was named is not there.
    """
    root = session.project.root
    if git(root, "rev-parse", "--show-toplevel") is None:
        if revision is not None:
            raise UsageError(f"there is no revision '{revision}'", hint="the project is not in a Git repository")
        return Base(note="no base revision: not a Git repository")
    found = named_revision(root, revision, "--base") if revision is not None else _default(session, index, root)
    if found is None:
        return Base(note="no base revision: no main branch and no released commit here (a shallow clone has none)")
    name, commit = found
    try:
        yardstick = _at(session, index.name, root, commit)
    except AzsearchOpsError as error:
        return Base(name, note=f"the definitions of {name} cannot be read: {error.message}")
    return Base(name, yardstick, "" if yardstick else f"{name} has no index definition '{index.name}'")


def recorded_noise(session: Session, alias: str) -> dict[str, float]:
    """Metric → deviation between two builds of one definition, as `noise` measured it in this environment."""
    record = session.ledger.read(noise_key(alias)) or {}
    return {str(name): float(deviation) for name, deviation in (record.get("deviations") or {}).items()}


def noise_key(alias: str) -> str:
    """The ledger's key for the noise of an alias' environment."""
    return f"noise-{alias}"


def combined_digest(own: Yardstick, base: Base) -> str:
    """Digest of everything that an evaluation was measured with: the base counts where it differs."""
    if base.yardstick is None or base.yardstick.digest == own.digest:
        return own.digest
    return digest_of([own.digest, base.yardstick.digest])


def _query_difference(mine: QuerySet, theirs: QuerySet) -> str:
    new, old = ({entry.id: entry.query for entry in part.entries} for part in (mine, theirs))
    parts = {
        "added": len(new.keys() - old.keys()),
        "removed": len(old.keys() - new.keys()),
        "reworded": sum(new[name] != old[name] for name in new.keys() & old.keys()),
    }
    told = ", ".join(f"{count} {word}" for word, count in parts.items() if count)
    return f"queries ({told})" if told else "judgements"


def _default(session: Session, index: IndexDefinition, root: Path) -> tuple[str, str] | None:
    head = git(root, "rev-parse", "HEAD")
    target = session.environ.get("GITHUB_BASE_REF")
    for branch in (*((f"origin/{target}",) if target else ()), *MAIN_BRANCHES):
        commit = git(root, "merge-base", "HEAD", branch)
        if commit is None:
            continue
        if commit != head:
            return f"{branch} ({commit[:7]})", commit
        break
    return _released(session, index, root) or ((f"HEAD ({head[:7]})", head) if head else None)


def _released(session: Session, index: IndexDefinition, root: Path) -> tuple[str, str] | None:
    current = session.ledger.current(index.alias)
    record = session.ledger.release(index.alias, int(current["release"])) if current else None
    released = str(record["commit"]) if record and record.get("commit") else None
    commit = git(root, "rev-parse", "--verify", "--quiet", f"{released}^{{commit}}") if released else None
    return (f"release {record['release']} ({commit[:7]})", commit) if record and commit else None


def _at(session: Session, name: str, root: Path, commit: str) -> Yardstick | None:
    """The yardstick that the files of a commit describe, in the environment of this session."""
    with project_at(root, commit, session.project.environment.name, session.environ) as project:
        index = project.indexes.get(name) if project is not None else None
        return yardstick_of(project, index) if project is not None and index is not None else None
