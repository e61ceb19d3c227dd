"""`import`: what is on a service, turned into definitions that plan as "no changes"; the service is only read."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import yaml

from azsearch_ops.bodies.render import render
from azsearch_ops.contract.names import check_name
from azsearch_ops.definitions.project import ENVIRONMENTS, environment_path, load_project
from azsearch_ops.errors import AzsearchOpsError, Problem, UsageError
from azsearch_ops.planning.alignment import aligned
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.plan import Plan
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.snapshot import Snapshot, take_snapshot
from azsearch_ops.releasing.state import read_live
from azsearch_ops.rules.check import check_project
from azsearch_ops.verbs.importing.connection import connection_for
from azsearch_ops.verbs.importing.definitions import (
    Fields,
    Found,
    fields_of,
    index_definition,
    literal,
    skillset_definition,
)
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.planning import require_aliases

WIDTH: Final = 120
STARTER: Final = """\
# Questions of your users, and the words of the documents that answer them. The one below only asks for what a chunk
# says word for word, so that there is something to measure: put real questions in its place.
"""
SENTENCE: Final = re.compile(r"[^\s.!?][^\n.!?]{30,200}[.!?]?")


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What was imported: the index that serves, and the files that describe it. `notes` say what to look at."""

    name: str
    alias: str
    index: str
    files: tuple[str, ...]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]


def import_index(
    session: Session,
    name: str,
    alias: str,
    existing: str | None,
    fields: Fields,
    *,
    force: bool = False,
    sourceless: bool = False,
) -> ImportOutcome:
    """Write definitions of what fills an index; nothing is written to the service, and nothing over a file.

    An index that no indexer fills gets a definition without a source; so does any other where `sourceless` asks for it.
    UsageError with the reason when it cannot be told what serves, when definitions cannot say what is there, or when
    a file is there already and `force` does not allow to replace it.
    """
    require_aliases(session)
    objects = take_snapshot(session.service)
    _check_names(session, name, alias, objects)
    found = _found(objects, _serving(objects, name, alias, existing), session.ledger, sourceless=sourceless)
    told = fields_of(found)
    fields = Fields(fields.document or told.document, fields.text or told.text)
    _check_fields(found, fields)
    root, environment = session.project.root, session.project.environment.name
    connection, environment_text = connection_for(session.project, name, found.data_source)
    files: dict[str, str] = {}
    if found.skillset is not None:
        files[f"skillsets/{name}.yaml"] = _yaml(skillset_definition(found.skillset, name))
    files[f"indexes/{name}/index.yaml"] = _yaml(index_definition(found, name, alias, connection, fields))
    queries = f"indexes/{name}/queries.yaml"
    starter = _starter(session, found, fields)
    if starter is not None and not (root / queries).exists():
        files[queries] = starter
    elif starter is None and not (root / queries).exists():
        fields = Fields(None, None)  # Nothing can be asked, so nothing is measured
        files[f"indexes/{name}/index.yaml"] = _yaml(index_definition(found, name, alias, connection, fields))
    _check_free(root, tuple(files), force)
    written = environment_path(root, environment)
    if environment_text is not None and written is not None:
        files[written.relative_to(root).as_posix()] = environment_text
    plan, problems = _plan(session, name, files, objects)
    if plan.action != "none":
        raise _cannot_say(found, plan)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return ImportOutcome(name, alias, str(found.index["name"]), tuple(files), _notes(found, fields), problems)


def _check_names(session: Session, name: str, alias: str, objects: Snapshot) -> None:
    if objects.find("index", alias) is not None:
        raise UsageError(
            f"'{alias}' is an index that serves, so it cannot become an alias: both share one address, and making room "
            "would mean to delete the index. Nothing was changed",
            hint=f"give the alias another name, and let applications query that: --alias {alias}-live",
        )
    for kind, said in (("alias", alias), ("skillset", name)):
        reason = check_name(kind, said)
        if reason is not None:
            raise UsageError(f"'{said}' {reason}", hint="choose another name")
    taken = next((i.name for i in session.project.indexes.values() if i.alias == alias and i.name != name), None)
    if taken is not None:
        raise UsageError(f"the alias '{alias}' is that of the index definition '{taken}'")


def _serving(objects: Snapshot, name: str, alias: str, existing: str | None) -> str:
    """Name of the index to adopt: the one that was named, where the alias points, or the one called like it."""
    pointing = objects.find("alias", alias)
    target = str(pointing["indexes"][0]) if pointing else None
    if existing is not None and target is not None and target != existing:
        raise UsageError(
            f"'{alias}' points to '{target}', not to '{existing}'", hint=f"--index {target}, or another alias"
        )
    serving = existing or target or name
    if objects.find("index", serving) is None:
        there = ", ".join(sorted(objects.all("index"))[:12]) or "none"
        raise UsageError(f"there is no index '{serving}' on the service", hint=f"--index NAME; there are: {there}")
    return serving


def _found(objects: Snapshot, index: str, ledger: Ledger, *, sourceless: bool) -> Found:
    if index == ledger.name:
        raise UsageError(f"'{index}' is this tool's own ledger")
    filling = [body for _, body in sorted(objects.all("indexer").items()) if body.get("targetIndexName") == index]
    if sourceless or not filling:
        return Found(objects.all("index")[index], None, None, None)
    if len(filling) > 1:
        names = ", ".join(str(body["name"]) for body in filling)
        raise UsageError(
            f"several indexers fill '{index}' ({names}), and a definition has one source",
            hint="--no-source adopts the index alone, and leaves the indexers as they are; to build candidates, bring "
            "the documents into one container, or give each source an index of its own",
        )
    indexer = filling[0]
    source = objects.find("dataSource", str(indexer["dataSourceName"]))
    named = indexer.get("skillsetName")
    skillset = objects.find("skillset", str(named)) if named else None
    body = objects.find("index", index)
    if source is None or body is None or (named and skillset is None):
        raise UsageError(f"the indexer '{indexer['name']}' refers to objects that are not there")
    return Found(body, skillset, source, indexer)


def _check_fields(found: Found, fields: Fields) -> None:
    there = {str(field["name"]) for field in found.index["fields"]}
    for said in (fields.document, fields.text):
        if said is not None and said not in there:
            raise UsageError(f"the index has no field '{said}'", hint=f"it has: {', '.join(sorted(there))}")


def _starter(session: Session, found: Found, fields: Fields) -> str | None:
    """A query set with one question, made of a chunk's own words; None where no chunk can be read."""
    if not fields.document or not fields.text:
        return None
    request = {"search": "*", "top": 20, "select": f"{fields.document},{fields.text}"}
    for row in session.service.search(str(found.index["name"]), request)["value"]:
        sentence = SENTENCE.search(str(row.get(fields.text) or ""))
        if sentence is None or not row.get(fields.document):
            continue
        document = _path_of(str(row[fields.document]), found.data_source)
        words = " ".join(sentence[0].split())
        judged = {"document": literal(document), "excerpt": literal(sentence[0].strip())}
        entry = {"id": "q001", "query": literal(words), "tags": ["starter"], "relevant": [judged]}
        return STARTER + _yaml({"queries": [entry]})
    return None


def _path_of(value: str, data_source: Mapping[str, Any] | None) -> str:
    """A document as judgements name it: its path below the container, or what the field holds."""
    if data_source is None:
        return value
    return unquote(value.rpartition(f"/{data_source['container']['name']}/")[2])


def _check_free(root: Path, files: tuple[str, ...], force: bool) -> None:
    there = [path for path in files if (root / path).exists()]
    if there and not force:
        raise UsageError(
            f"{', '.join(there)} is there already", hint="--force replaces it; or import under another name"
        )


def _plan(session: Session, name: str, files: Mapping[str, str], objects: Snapshot) -> tuple[Plan, tuple[Problem, ...]]:
    """The plan of the definitions as they would be, made in a folder of its own, and what the rules find in them."""
    root, environment = session.project.root, session.project.environment
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        shutil.copytree(root / ENVIRONMENTS, here / ENVIRONMENTS)
        for path, text in files.items():
            (here / path).parent.mkdir(parents=True, exist_ok=True)
            (here / path).write_text(text, "utf-8")
        queries = Path("indexes") / name / "queries.yaml"
        if (root / queries).exists():
            shutil.copy(root / queries, here / queries)
        project = load_project(here, environment.name, session.environ)
        index = project.indexes[name]
        bodies = render(project, name)
        live = read_live(objects, session.ledger, index.alias, index.adopt)
        if live is None or not live.adopted:
            raise UsageError(
                f"'{index.alias}' has a release already: it is managed, and there is nothing to import",
                hint="azsearch-ops history, on the project that ships it",
            )
        try:
            bodies = aligned(bodies, live)
            plan = build_plan(bodies, replace(live, search=bodies.search), project.locate_for(name))
        except AzsearchOpsError as refused:
            raise UsageError(f"definitions cannot say what is there: {refused.message}", hint=refused.hint) from None
        own = {f"indexes/{name}/index.yaml", f"skillsets/{name}.yaml"}
        problems = tuple(p for p in check_project(project) if p.location is not None and p.location.path in own)
        return plan, problems


def _cannot_say(found: Found, plan: Plan) -> UsageError:
    told = [f"{change.kind} {change.pointer}: {change.before!r} became {change.after!r}" for change in plan.changes]
    return UsageError(
        f"definitions cannot say what fills '{found.index['name']}': {'; '.join(told[:5])}. Nothing was written",
        hint="change it on the service first, or write the definitions by hand and let a candidate be built",
    )


def _notes(found: Found, fields: Fields) -> tuple[str, ...]:
    notes = [f"ship makes {found.index['name']} release 1, as it is: nothing is built, and it is never deleted"]
    if found.indexer is None:
        notes.append("it has no source here: a change that needs a new index is refused until you add one")
    if fields.document and fields.text:
        notes.append(f"documents are told by the field {fields.document}, chunks' text is in {fields.text}")
        notes.append("write questions into queries.yaml before the next change: nothing can be measured without")
    else:
        notes.append("no field could be found for document and text: say --document-field and --text-field to measure")
    notes.append("retrieval: is a guess; write what your applications send")
    return tuple(notes)


def _yaml(content: Mapping[str, Any]) -> str:
    """Small objects on one line, as people write them."""
    text: str = yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=None)
    return text
