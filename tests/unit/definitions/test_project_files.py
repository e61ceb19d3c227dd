"""Projects on disk: every problem of every file in one run, `extends`, names, environments."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from azsearch_ops.definitions.durations import parse_duration
from azsearch_ops.definitions.project import environment_names, load_project, read_project
from azsearch_ops.errors import DefinitionError


def problems_of(workspace, environment="local", environ=None):
    with pytest.raises(DefinitionError) as raised:
        load_project(workspace.root, environment, environ or {})
    return [f"{p.location} {p.code}" for p in raised.value.problems]


def test_a_project_loads_with_its_types(workspace):
    project = workspace.load()
    index = project.indexes["docs"]
    assert project.environment.is_local and project.environment.query_api_version == "2026-04-01"
    assert project.skillsets["docs"].embedding["dimensions"] == 256
    assert index.source.container == "docs" and index.retrieval.k == 50
    assert index.evaluation.queries == (workspace.root / workspace.queries)
    assert index.gate["recall@5"].max_drop == 0.10 and index.retention.fresh_for == timedelta(days=7)
    assert str(index.locate("/retrieval/top")) == "indexes/docs/index.yaml:20:32"


def test_all_problems_of_all_files_come_at_once(workspace):
    workspace.edit(workspace.skillset, "chunking:", "chunkin: {}\nchunking:")
    workspace.edit(workspace.index, "mode: hybrid", "mode: hybird")
    workspace.edit(workspace.index, "top: 5", 'top: "5"')
    workspace.edit(workspace.index, "alias: docs-live\n", "")
    workspace.edit(workspace.environment, "endpoint: local", "endpoint: local\nprotectd: true")
    assert problems_of(workspace) == [
        "indexes/docs/index.yaml:1:1 AZS009",
        "indexes/docs/index.yaml:19:19 AZS010",
        "indexes/docs/index.yaml:19:32 AZS010",
        "infra/environments/local.yaml:2:1 AZS008",
        "skillsets/docs.yaml:2:1 AZS008",
    ]


@pytest.mark.parametrize(
    ("old", "new", "name", "hint"),
    [
        ("retrieval:", "retreival: {}\nretrieval:", "retreival", "'retrieval'"),
        ("top: 5", "topp: 5", "topp", "'top'"),
        ("schedule: PT1H", "shedule: PT1H", "shedule", "'schedule'"),
        ("recall@5: {}", "recall@5: {maxdrop: 0.1}", "maxdrop", "'max_drop'"),
        ("document: path", "document: path, docs: 1", "docs", "there are"),
        ("schedule: PT1H", "accept: [{document: a, reson: b, reason: c}]", "reson", "'reason'"),
    ],
)
def test_an_unknown_key_gets_the_nearest_name(workspace, old, new, name, hint):
    workspace.edit(workspace.index, old, new)
    found = [p for p in read_project(workspace.root, "local", {})[1] if p.code == "AZS008"]
    assert [f"{name!r}" in p.message for p in found] == [True]
    assert hint in found[0].hint or "there are" in hint


def test_an_unknown_key_alone_leaves_the_definition_usable(workspace):
    workspace.edit(workspace.index, "top: 5", "top: 5, tpo: 6")
    project, problems = read_project(workspace.root, "local", {})
    assert [p.code for p in problems] == ["AZS008"] and "docs" in project.indexes


def test_an_undefined_variable_is_reported_once(workspace):
    workspace.edit(workspace.environment, "dimensions: 256", "dims: 256")
    assert problems_of(workspace) == ["indexes/docs/index.yaml:16:64 AZS006", "skillsets/docs.yaml:11:15 AZS006"]


def test_broken_yaml_in_one_file_does_not_hide_the_others(workspace):
    workspace.write(workspace.skillset, "name: [")
    workspace.edit(workspace.index, "top: 5", "topp: 5")
    assert problems_of(workspace) == ["indexes/docs/index.yaml:20:27 AZS008", "skillsets/docs.yaml:2:1 AZS002"]


def test_an_environment_that_is_not_there_names_those_that_are(workspace):
    with pytest.raises(DefinitionError) as raised:
        workspace.load("lcoal")
    (problem,) = raised.value.problems
    assert problem.code == "AZS012" and "'local'" in problem.hint
    assert environment_names(workspace.root) == ("local",)


def test_a_folder_without_definitions_says_so(tmp_path):
    with pytest.raises(DefinitionError) as raised:
        load_project(tmp_path, "local", {})
    assert [p.code for p in raised.value.problems] == ["AZS012"]


def test_two_definitions_with_one_name(workspace):
    workspace.write("skillsets/more.yaml", (workspace.root / workspace.skillset).read_text())
    assert problems_of(workspace) == ["skillsets/more.yaml:1:7 AZS011"]


def test_a_file_that_is_not_utf8(workspace):
    (workspace.root / workspace.skillset).write_bytes(b"name: docs\nchunking: {name: \xff}\n")
    assert "skillsets/docs.yaml:2:18 AZS001" in problems_of(workspace)


def test_extends_merges_deeply_and_keeps_places(workspace):
    workspace.write("skillsets/_base.yaml", (workspace.root / workspace.skillset).read_text())
    workspace.write(
        workspace.skillset,
        "extends: _base.yaml\nname: docs\nchunking:\n  maximumPageLength: 1000\nskills: [{'@odata.type': x}]\n",
    )
    definition = workspace.load().skillsets["docs"]
    assert definition.chunking["maximumPageLength"] == 1000 and definition.chunking["pageOverlapLength"] == 500
    assert len(definition.skills) == 1
    assert str(definition.locate("/chunking/maximumPageLength")) == "skillsets/docs.yaml:4:22"
    assert str(definition.locate("/chunking/pageOverlapLength")) == "skillsets/_base.yaml:5:22"


def test_extends_of_extends_and_over_indexes(workspace):
    text = (workspace.root / workspace.index).read_text()
    workspace.write("indexes/_shared/index.yaml", text)
    workspace.write("indexes/docs/middle.yaml", "extends: ../_shared/index.yaml\nretrieval: {top: 7}\n")
    workspace.write(workspace.index, "extends: middle.yaml\nalias: other\n")
    index = workspace.load().indexes["docs"]
    assert (index.alias, index.retrieval.top, index.retrieval.k) == ("other", 7, 50)
    assert index.locate("/retrieval/top").path == "indexes/docs/middle.yaml"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nothing.yaml", "does not exist"),
        ("docs.yaml", "extends this file again"),
        ("../../x.yaml", "outside"),
        ("5", "path"),
    ],
)
def test_extends_that_leads_nowhere(workspace, target, words):
    workspace.edit(workspace.skillset, "name: docs", f"extends: {target}\nname: docs")
    found = [p for p in read_project(workspace.root, "local", {})[1] if p.code == "AZS005"]
    assert len(found) == 1 and words in found[0].message and found[0].location.line == 1


def test_the_environment_reads_process_variables(workspace):
    workspace.edit(
        workspace.environment, "endpoint: local", 'endpoint: "{{ env.ENDPOINT }}"\nkey: "{{ secret(\'K\') }}"'
    )
    environment = workspace.load(environ={"ENDPOINT": "https://x.search.windows.net"}).environment
    assert environment.endpoint == "https://x.search.windows.net" and environment.key == "${secret:K}"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7d", 604800), ("12h", 43200), ("30m", 1800), ("45s", 45), ("PT1H", 3600), ("P1DT2H", 93600), ("PT5M30S", 330)],
)
def test_durations(text, seconds):
    assert parse_duration(text).total_seconds() == seconds


@pytest.mark.parametrize("text", ["", "7", "d", "P", "PT", "1w", None, 5, "-1d", "1.5h"])
def test_no_durations(text):
    with pytest.raises(ValueError):
        parse_duration(text)


def test_the_locator_knows_all_three_files(workspace):
    locate = workspace.load().locate_for("docs")
    assert str(locate("skillset", "/chunking/maximumPageLength")) == "skillsets/docs.yaml:4:22"
    assert str(locate("environment", "/connections/files/folder")) == "infra/environments/local.yaml:3:31"
    assert locate("index", "/alias").line == 2


files = st.sampled_from(["skillsets/docs.yaml", "indexes/docs/index.yaml", "infra/environments/local.yaml"])
scraps = st.sampled_from(
    ["", "x", "{", "[1]", ": ", "- a", "'", '"{{ a }}"', "5", "null", "{a: b}", "!!x", "*a", "&a ", "\t", "\n", "\x00"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(files, st.integers(0, 10_000), st.integers(0, 30), scraps | st.text(max_size=10))
def test_whatever_a_file_holds_there_are_located_problems_or_none(workspace, path, at, length, scrap):
    target = Path(workspace.root) / path
    original = target.read_text()
    at %= len(original)
    try:
        target.write_text(original[:at] + scrap + original[at + length :], encoding="utf-8", errors="replace")
        problems = workspace.found()
        assert all(p.location is not None and p.code.startswith("AZS") for p in problems)
    finally:
        target.write_text(original)


@pytest.mark.parametrize(
    ("what", "file"),
    [
        ("skillset", "skillsets/docs.yaml"),
        ("index", "indexes/docs/index.yaml"),
        ("environment", "infra/environments/local.yaml"),
    ],
)
@pytest.mark.parametrize(("instead", "reason"), [("folder", "Is a directory"), ("link", "No such file or directory")])
def test_a_folder_or_a_dead_link_in_the_place_of_a_file_is_what_is_told(workspace, what, file, instead, reason):
    path = workspace.root / file
    path.unlink()
    path.mkdir() if instead == "folder" else path.symlink_to(workspace.root / "gone.yaml")
    _, problems = read_project(workspace.root, "local", {})
    told = [p for p in problems if p.severity == "error"]
    assert [(p.code, p.message, p.location.path) for p in told] == [
        ("AZS001", f"the file cannot be read: {reason}", file)
    ], what
