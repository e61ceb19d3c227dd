"""Whatever row the contract has, a definition can say it: it is in the body that the definition renders to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from as_definitions import rendered

from azsearch_ops.bodies.render import render
from azsearch_ops.contract.objects import OBJECTS, properties_of
from azsearch_ops.contract.property import Property
from azsearch_ops.contract.versions import is_preview
from azsearch_ops.rules.check import check_project

PREVIEW = "2026-05-01-preview"
STABLE = "2026-04-01"
KINDS = ("index", "skillset", "dataSource", "indexer", "synonymMap")
MADE = {
    ("index", "name"), ("skillset", "name"), ("dataSource", "name"), ("indexer", "name"), ("synonymMap", "name"),
    ("indexer", "dataSourceName"), ("indexer", "skillsetName"), ("indexer", "targetIndexName"),
    ("skillset", "indexProjections", "selectors", "targetIndexName"),
}  # fmt: skip
"""Names that are made of the definition's own."""
EXAMPLES: dict[str, Any] = {
    "@odata.type": "#Microsoft.Other",
    "analyzer": "en.lucene",
    "interval": "PT2H",
    "maximumPageLength": 400,
    "parentKeyFieldName": "parent",
}
Path = tuple[str, ...]


def example(row: Property) -> Any:
    """A value that the row takes and that is not its default."""
    if row.name in EXAMPLES:
        return EXAMPLES[row.name]
    if row.kind == "object":
        return minimal(row.of, first_variant(row.of)) if row.of else {"any": "thing"}
    if row.kind == "list":
        return [minimal(row.of, first_variant(row.of))] if row.of else ["thing"]
    if row.values:
        return next((value for value in row.values if value != row.default), row.default)
    if row.kind == "boolean":
        return row.default is not True
    if row.kind in ("integer", "number"):
        lowest = int(row.minimum if row.minimum is not None else 1)
        return lowest + 1 if row.default == lowest else lowest
    return {"any": "thing"} if row.kind == "any" else "thing"


def first_variant(kind: str | None) -> str | None:
    return next(iter(OBJECTS[kind].variants), None) if kind else None


def minimal(kind: str, variant: str | None) -> dict[str, Any]:
    """An object with what is required."""
    discriminator = OBJECTS[kind].discriminator
    body = {discriminator: variant} if discriminator and variant else {}
    rows = properties_of(kind, body)
    return {row.name: example(row) for row in rows.values() if row.required} | body


def rows_below(kind: str, above: tuple[str, ...] = ()) -> Iterator[tuple[Path, dict[str, Any], Property]]:
    """Each row with its path, an object of `kind` that has it, and the row."""
    for variant in OBJECTS[kind].variants or (None,):
        base = minimal(kind, variant)
        for row in properties_of(kind, base).values():
            holder = base if row.name in base else {**base, row.name: example(row)}
            yield (row.name,), holder, row
            if row.of is None or row.of in (*above, kind):
                continue  # Fields in fields and inputs of inputs go as deep as one likes, and are read the same way
            for path, inner, below in rows_below(row.of, (*above, kind)):
                yield (row.name, *path), {**base, row.name: [inner] if row.kind == "list" else inner}, below


def at(body: Any, path: Path) -> list[Any]:
    """The values at a path, through the items of lists."""
    if isinstance(body, list | tuple):
        return [value for item in body for value in at(item, path)]
    if not path:
        return [body]
    return at(body[path[0]], path[1:]) if isinstance(body, dict) and path[0] in body else []


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    return json.loads(json.dumps(value, default=dict))


def holds(found: Any, said: Any) -> bool:
    """Whether everything that was said is there; what a definition leaves unsaid may be filled in."""
    if isinstance(said, dict):
        return isinstance(found, dict) and all(
            key == "targetIndexName" or (key in found and holds(found[key], said[key])) for key in said
        )
    if isinstance(said, list):
        pairs = zip(found, said, strict=False)
        return isinstance(found, list) and len(found) == len(said) and all(holds(a, b) for a, b in pairs)
    return bool(found == said)


def groups() -> list[tuple[str, str]]:
    return [(kind, name) for kind in KINDS for name in properties_of(kind) if (kind, name) not in MADE]


@pytest.mark.parametrize(("kind", "name"), groups(), ids=lambda value: value)
def test_every_row_is_carried_through(workspace, kind, name):
    lost, refused, seen = [], [], 0
    for path, body, _ in rows_below(kind):
        if path[0] != name or (kind, *path) in MADE:
            continue
        seen += 1
        body = {**body, "name": "docs"}
        found = rendered(workspace, PREVIEW, kind, body)
        if not holds(at(plain(found), path), at(body, path)):
            lost.append(("/".join(path), at(body, path), at(found, path)))
        unsayable = [p.message for p in check_project(workspace.load()) if p.code in ("AZS008", "AZS201")]
        refused += [("/".join(path), message) for message in unsayable if path[-1] in message]
    assert seen and not lost and not refused


def test_an_alias_is_said_by_its_index(workspace):
    assert set(properties_of("alias")) == {"name", "indexes"}
    bodies = render(workspace.load(), "docs")
    assert (bodies.alias, bodies.candidate) == ("docs-live", bodies.index["name"])


@pytest.mark.parametrize("kind", KINDS)
def test_previews_pass_with_a_word_that_names_the_version_and_strict_refuses_them(workspace, kind):
    """azure-sdk-for-js#31761, for every row of the table that came with a preview."""
    wrong = []
    for path, body, row in rows_below(kind):
        if not is_preview(row.since):
            continue
        body = {**body, "name": "docs"}
        found = rendered(workspace, STABLE, kind, body)
        lenient = told(workspace, row)
        workspace.edit("infra/environments/local.yaml", '"endpoint": "local"', '"endpoint": "local", "api": "strict"')
        strict = told(workspace, row)
        kept = holds(at(plain(found), path), at(body, path))
        if not kept or lenient != {"warning"} or strict != {"error"}:
            wrong.append(("/".join(path), kept, lenient, strict))
    assert not wrong


def told(workspace: Any, row: Property) -> set[str]:
    """How severe it is that a preview is used: what is said of it names the version that it came with."""
    problems = [p for p in check_project(workspace.load()) if p.code == "AZS205"]
    return {p.severity for p in problems if p.message.startswith(f"{row.name} ") and row.since in p.message}


def test_json_from_the_portal_is_taken_for_what_fills_an_index(workspace):
    """azure-sdk-for-python#44962, #44210: annotations, own names, and a null on every optional key."""
    before = workspace.render()
    indexer = {row: None for row in properties_of("indexer")} | {
        "@odata.context": "https://s.search.windows.net/$metadata#indexers/$entity", "@odata.etag": '"0x8DE"',
        "name": "docs-indexer", "dataSourceName": "docs", "targetIndexName": "docs", "fieldMappings": [],
    }  # fmt: skip
    source = {row: None for row in properties_of("dataSource")} | {"@odata.etag": '"0x8DE"', "name": "docs"}
    workspace.edit(
        workspace.index,
        "schedule: PT1H}",
        f"schedule: PT1H, indexer: {json.dumps(indexer)}, dataSource: {json.dumps(source)}}}",
    )
    assert workspace.problems() == []
    after = workspace.render()
    assert (after.body_digest, after.indexer, after.data_source) == (
        before.body_digest,
        before.indexer,
        before.data_source,
    )
    workspace.edit(workspace.index, '"disabled": null', '"disabled": true')
    assert workspace.render().while_live == {"schedule": {"interval": "PT1H"}, "disabled": True}
    assert workspace.render().rebuild_digest == before.rebuild_digest
