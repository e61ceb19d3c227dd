"""Whatever bytes a project's files hold: located problems or success, never a traceback; one text a value."""

import json
import shutil
import string
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from azsearch_ops.bodies.canonical import canonical
from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.render import render
from azsearch_ops.contract.objects import OBJECTS
from azsearch_ops.errors import DefinitionError
from azsearch_ops.verbs.checking import validate

FILES = ("skillset", "index", "environment", "queries")
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

WORDS = st.sampled_from(
    ["name", "index", "fields", "type", "skills", "@odata.type", "{{ a.b }}", "{% for %}", "&a", "*a", "<<", "null"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def holds(workspace):
    """validate ends, and each problem has a place in a file of the project."""
    found = validate(workspace.root, "local", {})
    for problem in found.problems:
        assert problem.code.startswith("AZS") and problem.message and "\n" not in problem.message
        assert problem.location is not None and problem.location.line >= 1 and problem.location.column >= 1
        assert not Path(problem.location.path).is_absolute()
    return found


@pytest.mark.parametrize("file", FILES)
@given(data=st.binary(max_size=200))
@FEW
def test_any_bytes(workspace, file, data):
    (workspace.root / getattr(workspace, file)).write_bytes(data)
    holds(workspace)


@pytest.mark.parametrize("file", FILES)
@given(place=st.integers(0, 900), old=st.integers(0, 40), new=st.text(string.printable + "äß中", max_size=12))
@FEW
def test_any_edit_of_a_sound_file(workspace, file, place, old, new):
    path = workspace.root / getattr(workspace, file)
    sound = path.read_text("utf-8")
    at = place % (len(sound) + 1)
    path.write_text(sound[:at] + new + sound[at + old :], "utf-8", errors="replace")
    try:
        holds(workspace)
    finally:
        path.write_text(sound, "utf-8")


@pytest.mark.parametrize("key", ["index", "retrieval", "source", "projection", "gate", "evaluation"])
@given(value=VALUES)
@FEW
def test_any_value_under_a_key_of_an_index(workspace, key, value):
    path = workspace.root / workspace.index
    sound = path.read_text("utf-8")
    tree = yaml.safe_load(sound)
    tree[key] = value
    path.write_text(json.dumps(tree), "utf-8")
    try:
        holds(workspace)
    finally:
        path.write_text(sound, "utf-8")


SETS = Path(__file__).parents[2] / "sets"
ODD = st.sampled_from([None, True, 0, -1, 1e9, "", "a/b", "{{ x }}", [], {}, [None], [[]], {"name": {}}, ["a", "a"]])


def places(value, at=()):
    """The steps to every value within."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(item, (*at, key))


@pytest.mark.parametrize("name", ["catalogue", "lodgings", "parts", "tickets"])
def test_any_value_in_any_place_of_a_real_definition(tmp_path, name):
    """What is of the wrong kind is told where it stands, whatever rule looks at it later on."""
    root = tmp_path / name
    shutil.copytree(SETS / name, root)
    files = sorted(p for p in root.rglob("*") if p.suffix in (".yaml", ".json") and "containers" not in p.parts)
    trees = {path: yaml.safe_load(path.read_text("utf-8")) for path in files}

    @given(data=st.data())
    @settings(max_examples=60, deadline=None)
    def edited(data):
        path = data.draw(st.sampled_from(files))
        tree = json.loads(json.dumps(trees[path]))
        *above, last = data.draw(st.sampled_from(list(places(tree))))
        here = tree
        for part in above:
            here = here[part]
        here[last] = data.draw(ODD)
        sound = path.read_text("utf-8")
        path.write_text(json.dumps(tree), "utf-8")
        try:
            holds(SimpleNamespace(root=root))
        finally:
            path.write_text(sound, "utf-8")

    edited()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("analyzer: en.lucene}", "analyzer: {name: {}}}"),
        ("analyzer: en.lucene}", "analyzer: en.lucene, synonymMaps: [{}]}"),
        ("analyzer: en.lucene}", "analyzer: [a, a]}"),
    ],
)
def test_a_mapping_in_the_place_of_a_name(workspace, old, new):
    component = "'@odata.type': '#Microsoft.Azure.Search.Custom%s', tokenFilters: [{}], name: %s"
    workspace.edit(workspace.index, old, new)
    workspace.edit(
        workspace.index, "  vectorSearch:", "  suggesters: [{name: s, sourceFields: [chunk]}]\n  vectorSearch:"
    )
    workspace.edit(
        workspace.index,
        "  vectorSearch:",
        f"  analyzers: [{{{component % ('Analyzer', 'x')}, tokenizer: {{}}}}]\n"
        f"  normalizers: [{{{component % ('Normalizer', 'y')}}}]\n  vectorSearch:",
    )
    assert "AZS202" in {problem.code for problem in holds(workspace).problems}


@pytest.mark.parametrize("kind", ["index", "skillset", "dataSource", "indexer", "synonymMap", "searchRequest", "alias"])
@given(body=st.dictionaries(st.sampled_from(sorted(n for o in OBJECTS.values() for n in o.properties)), VALUES))
@settings(max_examples=40, deadline=None)
def test_the_normal_form_is_its_own_normal_form(kind, body):
    once = normal(kind, body)
    assert canonical(normal(kind, once)) == canonical(once)


def test_rendering_is_deterministic_and_no_op_edits_change_no_digest(workspace):
    first, second = workspace.render(), workspace.render()
    assert first == second
    workspace.edit(workspace.index, "alias: docs-live\nskillset: docs", "skillset: docs # moved\nalias: docs-live\n")
    workspace.edit(
        workspace.skillset, "chunking:\n  textSplitMode: pages", "# a comment\nchunking:\n  textSplitMode: 'pages'"
    )
    workspace.edit(workspace.index, "{name: a, kind: hnsw}", "{kind: hnsw, name: a}")
    after = workspace.render()
    digests = [(b.rebuild_digest, b.body_digest, b.settings_digest, b.candidate) for b in (first, after)]
    assert digests[0] == digests[1]


def test_a_broken_file_is_told_with_everything_else(workspace):
    workspace.edit(workspace.skillset, "name: docs", "name: [")
    with pytest.raises(DefinitionError):
        render(workspace.load(), "docs")


GROWING = "{{ '" + "a" * 10 + "'" + "|replace('a', 'aaaaaaaaaa')" * 9 + " }}"


@pytest.mark.parametrize(
    "expression",
    [
        GROWING,
        "{{ ('" + "a" * 5000 + "'|join('" + "b" * 5000 + "')) }}",
        "{{ 1.5|round(999999999, 'ceil') }}",
        "{{ 10**10**10 }}",
        "{{ 'a' * 10**9 }}",
        "{{ range(10**9) }}",
        "{% for i in range(10**9) %}x{% endfor %}",
        "{{ '%999999999d' % 1 }}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    ],
)
def test_a_template_that_would_run_long_or_grow_is_told_at_its_place_and_nothing_else_is(workspace, expression):
    workspace.edit(workspace.index, "alias: docs-live", f'alias: "{expression}"')
    (problem,) = holds(workspace).problems
    assert problem.code == "AZS007" and problem.location.line == 2


def test_an_undefined_variable_is_told_once_and_whole(workspace):
    workspace.edit(workspace.index, "{{ docs.container }}", "{{ docs.contaner }}")
    (problem,) = holds(workspace).problems
    assert problem.code == "AZS006" and problem.hint == "did you mean 'docs.container'?"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("index", 'container: "{{ docs.container }}"', f"container: {'é' * 300}"),
        ("index", "profiles: [{name: p,", "profiles: [{name: [p],"),
        ("index", "vectorSearchProfile: p}", "vectorSearchProfile: [p]}"),
        ("index", "retrieval: {mode: hybrid,", "retrieval: {fields: [vector], weights: {vector: 2}, mode: hybrid,"),
    ],
)
def test_what_broke_the_rules_once(workspace, file, old, new):
    workspace.edit(getattr(workspace, file), old, new)
    holds(workspace)
