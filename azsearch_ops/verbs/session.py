"""What every command that talks to a service needs: the project, the service, its ledger and a clock."""

from __future__ import annotations

import getpass
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.project import INDEXES, Project, load_project, read_project
from azsearch_ops.definitions.secrets import resolve_secrets
from azsearch_ops.errors import UsageError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.indexer_runs import Patience
from azsearch_ops.releasing.lease import Hold, Owner, drop_dead_lease, leased
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.promotion import PROPAGATION_SECONDS, reconcile
from azsearch_ops.releasing.rollback import Author
from azsearch_ops.service.client import Service
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.local.finding import is_alive
from azsearch_ops.verbs.local.service import DATA, start_local

SYSTEM_CLOCK = Clock(now=lambda: datetime.now(UTC), monotonic=time.monotonic, sleep=time.sleep)


@dataclass(frozen=True, slots=True)
class Session:
    """An open project in one environment. `propagation` is how long an alias may take to move, in seconds."""

    project: Project
    service: Service
    ledger: Ledger
    clock: Clock
    patience: Patience
    propagation: float
    environ: Mapping[str, str]

    @contextmanager
    def lease(self, alias: str) -> Iterator[Hold]:
        """Hold the lease of an alias."""
        owner = Owner(_host(), os.getpid(), secrets.token_hex(8))
        with leased(self.ledger, alias, owner, self.clock, gone=_gone) as hold:
            yield hold

    def settle(self, alias: str) -> str | None:
        """Finish or drop what a killed command left of this alias; what was done, or None."""
        drop_dead_lease(self.ledger, alias, self.clock, gone=_gone)
        if self.ledger.pending(alias) is None:
            return None
        with self.lease(alias) as hold:
            return reconcile(self.service, self.ledger, alias, self.clock, propagation=self.propagation, hold=hold)

    def author(self, reason: str | None = None) -> Author:
        """Who runs this command, on which commit."""
        return Author(_who(self.environ), _commit(self.project.root, self.environ), reason)


@contextmanager
def open_session(
    root: Path, environment: str, environ: Mapping[str, str], *, may_be_empty: bool = False
) -> Iterator[Session]:
    """Load the project and connect; the local service is started where the environment wants it and none runs.

    With `may_be_empty` a project without any index definition will do: the first one is about to be written.
    """
    project = _empty_project(root, environment, environ) if may_be_empty else None
    if project is None:
        project = load_project(root, environment, environ)
    chosen = project.environment

    def lookup(name: str) -> str:
        if name not in environ:
            raise UsageError(f"the secret '{name}' is not set", hint=f"set the environment variable {name}")
        return environ[name]

    if chosen.endpoint == "local":
        local = start_local(project.root / DATA, semantic_ranker=chosen.semantic_ranker)
        endpoint, key, propagation = local.endpoint, local.key, 0.0  # One process: an alias moves at once
    else:
        endpoint, propagation = chosen.endpoint, PROPAGATION_SECONDS
        key = str(resolve_secrets(chosen.key, lookup)) if chosen.key else ""
    if chosen.alias_propagation_seconds is not None:
        propagation = chosen.alias_propagation_seconds
    service = connect(
        endpoint,
        key=key or None,
        api_version=chosen.api_version,
        query_api_version=chosen.query_api_version,
        audience=chosen.audience,
        environ=environ,
        resolve=lambda body: resolve_secrets(body, lookup),
    )
    try:
        ledger = Ledger(service, SYSTEM_CLOCK, chosen.prefix)
        yield Session(
            project, service, ledger, SYSTEM_CLOCK, Patience(settle=chosen.settle_seconds), propagation, environ
        )
    finally:
        service.close()


def _empty_project(root: Path, environment: str, environ: Mapping[str, str]) -> Project | None:
    """The project where all that is wrong with it is that it has no index definition yet."""
    project, problems = read_project(root, environment, environ)
    errors = [p for p in problems if p.severity == "error"]
    empty = len(errors) == 1 and errors[0].location is not None and errors[0].location.path == INDEXES
    return project if empty else None


def chosen_indexes(project: Project, names: tuple[str, ...]) -> tuple[IndexDefinition, ...]:
    """The named index definitions, or all of them; UsageError names one that is not there."""
    for name in names:
        if name not in project.indexes:
            known = ", ".join(sorted(project.indexes)) or "none"
            raise UsageError(f"there is no index definition '{name}'", hint=f"the project has: {known}")
    if not project.indexes:
        raise UsageError("the project has no index definition", hint="write indexes/NAME/index.yaml")
    return tuple(project.indexes[name] for name in (names or tuple(sorted(project.indexes))))


def _gone(host: str, pid: int) -> bool:
    return host == _host() and not is_alive(pid)


def _host() -> str:
    """This machine as far as process ids mean the same: containers may share a host name, and not their processes."""
    parts = [socket.gethostname()]
    try:
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()[:8])
        parts.append(Path("/proc/self/ns/pid").readlink().name.strip("pid:[]"))
    except OSError:
        pass  # Not Linux: the host name has to do
    return "/".join(parts)


def _who(environ: Mapping[str, str]) -> str:
    if environ.get("GITHUB_ACTOR"):
        return environ["GITHUB_ACTOR"]
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # A container may run under a number that has no name
        return f"uid {os.getuid()}"


def _commit(root: Path, environ: Mapping[str, str]) -> str | None:
    if environ.get("GITHUB_SHA"):
        return environ["GITHUB_SHA"]
    try:
        told = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"], cwd=root, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return told.stdout.strip() or None if told.returncode == 0 else None
