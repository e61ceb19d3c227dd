"""Whatever bytes a project's files hold: located problems or success, never a traceback; one text a value."""

import json
import string
from pathlib import Path

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
