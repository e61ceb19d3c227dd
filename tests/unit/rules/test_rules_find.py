"""Each rule finds what it is for, at its line, and nothing on a sound project."""

import pytest

from azsearch_ops.rules.check import check_project

VECTOR = (
    '{name: vector, type: Collection(Edm.Single), dimensions: "{{ embedding.dimensions }}", vectorSearchProfile: p}'
)
RETRIEVAL = '{mode: hybrid, top: 5, k: 50, request: {select: "id,path,chunk"}}'
ALGORITHMS = "algorithms: [{name: a, kind: hnsw}]"

SKILLS, INDEX, ENV, ASKED = "skillset", "index", "environment", "queries"


def test_a_sound_project_has_no_problem(workspace):
    assert workspace.problems() == []
    assert check_project(workspace.load(), {"docs": {"leave.md": "up to five\n unused   days."}}) == ()


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        # Text Split
        (SKILLS, "pageOverlapLength: 500", "pageOverlapLength: 1000", ["docs.yaml:5 AZS101"]),
        (SKILLS, "pageOverlapLength: 500", "pageOverlapLength: 999", []),
        (SKILLS, "maximumPageLength: 2000", "maximumPageLength: 1000", ["docs.yaml:5 AZS101"]),
        (SKILLS, "maximumPageLength: 2000", "maximumPageLength: 1001", []),
        (SKILLS, "maximumPageLength: 2000", "maximumPageLength: 50001", ["docs.yaml:4 AZS102"]),
        (SKILLS, "maximumPageLength: 2000\n  pageOverlapLength: 500", "maximumPageLength: 299", ["docs.yaml:4 AZS102"]),
        (SKILLS, "maximumPageLength: 2000\n  pageOverlapLength: 500", "maximumPageLength: 300", []),
        (SKILLS, "maximumPageLength: 2000\n  pageOverlapLength: 500", "maximumPagesToTake: 1", ["docs.yaml:2 AZS104"]),
        (SKILLS, "maximumPageLength: 2000", "maximumPageLength: '2000'", ["docs.yaml:4 AZS202"]),
        (SKILLS, "pageOverlapLength: 500", "pageOverlapLength: -1", ["docs.yaml:5 AZS203"]),
        (
            SKILLS,
            "textSplitMode: pages",
            "textSplitMode: sentences",
            ["docs.yaml:4 AZS103", "docs.yaml:5 AZS103"],
        ),
        (SKILLS, "textSplitMode: pages", "textSplitMode: page", ["docs.yaml:3 AZS202"]),
        (SKILLS, "defaultLanguageCode: en", "defaultLanguageCode: xx", ["docs.yaml:6 AZS106"]),
        (SKILLS, "defaultLanguageCode: en", "defaultLanguageCode: no", []),
        (SKILLS, "defaultLanguageCode: en", "maximumPagelength: 5", ["docs.yaml:6 AZS201"]),
        (SKILLS, "defaultLanguageCode: en", "unit: azureOpenAITokens", ["docs.yaml:6 AZS205"]),
        (
            SKILLS,
            "maximumPageLength: 2000\n  pageOverlapLength: 500",
            "maximumPageLength: 128\n  unit: azureOpenAITokens",
            ["docs.yaml:5 AZS205"],
        ),
        (
            SKILLS,
            "defaultLanguageCode: en",
            "azureOpenAITokenizerParameters: {encoderModelName: o200k_base}",
            ["docs.yaml:6 AZS105", "docs.yaml:6 AZS205", "docs.yaml:6 AZS105"],
        ),
        (
            SKILLS,
            "skills: []",
            "skills: [{'@odata.type': '#Microsoft.Skills.Text.SplitSkill', maximumPageLength: 10, "
            "inputs: [{name: text, source: /document/content}], outputs: [{name: textItems, targetName: x}]}]",
            ["docs.yaml:12 AZS102", "docs.yaml:12 AZS308"],
        ),
        # REST parts
        (SKILLS, '  modelName: "{{ embedding.model }}"\n', "", ["docs.yaml:7 AZS204"]),
        (INDEX, "kind: hnsw", "kind: hnws", ["index.yaml:18 AZS202"]),
        (INDEX, ALGORITHMS, "algorithms: [{name: a, kind: hnsw, hnswParameters: {m: 3}}]", ["index.yaml:18 AZS203"]),
        (INDEX, ALGORITHMS, "algorithms: [{name: a}]", ["index.yaml:18 AZS204"]),
        (INDEX, "analyzer: en.lucene", "analyser: en.lucene", ["index.yaml:15 AZS201"]),
        (INDEX, "analyzer: en.lucene", "analyzer: en.lucene, sensitivityLabel: true", ["index.yaml:15 AZS205"]),
        (INDEX, "analyzer: en.lucene", "analyzer: en.lucene, sensitivityLabel: null", []),
        (
            INDEX,
            "type: Edm.String, searchable: false}",
            "type: Edm.Sting, searchable: false}",
            ["index.yaml:14 AZS202"],
        ),
        (INDEX, "request: {select", "request: {cuont: true, select", ["index.yaml:20 AZS201"]),
        (INDEX, "request: {select", "request: {queryType: simpel, select", ["index.yaml:20 AZS202"]),
        (
            INDEX,
            "schedule: PT1H",
            "configuration: {parsngMode: x, failOnUnsupportedContentType: 1}",
            ["index.yaml:4 AZS202"],
        ),
        # Fields
        (
            INDEX,
            "{name: path,",
            "{name: azureSearchPath, type: Edm.Int32}\n    - {name: path,",
            ["index.yaml:14 AZS211"],
        ),
        (INDEX, "{name: path,", "{name: PATH, type: Edm.Int32}\n    - {name: path,", ["index.yaml:15 AZS212"]),
        (INDEX, "key: true, ", "", ["index.yaml:11 AZS213"]),
        (
            INDEX,
            "searchable: false, filterable: true}",
            "searchable: false, key: true}",
            ["index.yaml:6 AZS217", "index.yaml:13 AZS213"],
        ),
        (INDEX, "analyzer: keyword", "sortable: true", ["index.yaml:12 AZS214"]),
        (INDEX, "analyzer: keyword", "searchable: false", ["index.yaml:12 AZS214"]),
        (
            INDEX,
            "analyzer: keyword",
            "analyzer: keyword, sortable: false, filterable: false",
            ["index.yaml:12 AZS214"] * 2,
        ),
        (
            INDEX,
            "{name: path,",
            "{name: n, type: Edm.Int32, searchable: true}\n    - {name: path,",
            ["index.yaml:14 AZS215"],
        ),
        (INDEX, "vectorSearchProfile: p", "vectorSearchProfile: p, filterable: true", ["index.yaml:16 AZS215"]),
        (
            INDEX,
            "vectorSearchProfile: p",
            "vectorSearchProfile: p, stored: false, retrievable: true",
            ["index.yaml:16 AZS215"],
        ),
        (
            INDEX,
            "{name: path,",
            "{name: n, type: Collection(Edm.String), sortable: true}\n    - {name: path,",
            ["index.yaml:14 AZS215"],
        ),
        (INDEX, "analyzer: en.lucene", "analyzer: en.lucene, searchAnalyzer: simple", ["index.yaml:15 AZS216"]),
        (INDEX, "analyzer: en.lucene", "searchAnalyzer: simple", ["index.yaml:15 AZS216"]),
        (INDEX, "analyzer: en.lucene", "analyzer: en.lucene, searchable: false", ["index.yaml:15 AZS216"]),
        (INDEX, "  parent_id: parentKey\n", "", ["index.yaml:5 AZS217"]),
        (INDEX, "filterable: true}", "filterable: false}", ["index.yaml:13 AZS217"]),
        # Vectors
        (INDEX, 'dimensions: "{{ embedding.dimensions }}", ', "", ["index.yaml:16 AZS221"]),
        (INDEX, ", vectorSearchProfile: p}", "}", ["index.yaml:16 AZS222"]),
        (INDEX, "vectorSearchProfile: p}", "vectorSearchProfile: q}", ["index.yaml:16 AZS223"]),
        (INDEX, "algorithm: a,", "algorithm: b,", ["index.yaml:19 AZS223"]),
        (INDEX, "vectorizer: embedding", "vectorizer: embeding", ["index.yaml:19 AZS223"]),
        (INDEX, 'dimensions: "{{ embedding.dimensions }}"', "dimensions: 1024", ["index.yaml:16 AZS224"]),
        (
            INDEX,
            "vectorizer: embedding}]",
            "vectorizer: v}]\n    vectorizers: [{name: v, kind: azureOpenAI, azureOpenAIParameters: "
            "{resourceUri: local, deploymentId: d, modelName: text-embedding-3-large}}]",
            ["index.yaml:20 AZS225"],
        ),
        (
            INDEX,
            "vectorizer: embedding}]",
            "vectorizer: v}]\n    vectorizers: [{name: v, kind: azureOpenAI, azureOpenAIParameters: "
            "{resourceUri: local, deploymentId: d, modelName: text-embedding-ada-002}}]",
            ["index.yaml:16 AZS224", "index.yaml:20 AZS225"],
        ),
        (
            ENV,
            "model: wordllama, dimensions: 256",
            "model: text-embedding-3-small, dimensions: 2000",
            ["docs.yaml:11 AZS226"],
        ),
        (
            INDEX,
            "{name: path, type: Edm.String,",
            "{name: path, type: Edm.String, dimensions: 3,",
            ["index.yaml:14 AZS227"],
        ),
        # Enrichment
        (INDEX, "  path: /document", "  paht: /document", ["index.yaml:7 AZS301"]),
        (INDEX, "metadata_storage_path", "metadata_storage_pth", ["index.yaml:7 AZS302"]),
        (INDEX, "/document/pages/*\n", "/document/page/*\n", ["index.yaml:8 AZS302"]),
        (INDEX, "/document/metadata_storage_path", "/document/metadata_title", []),
        (INDEX, "  path: /document/metadata_storage_path", "  path: \"= 'constant'\"", []),
        (INDEX, "  path:", "  id: /document/metadata_storage_path\n  path:", ["index.yaml:7 AZS303"]),
        (INDEX, "chunk: /document/pages/*", "chunk: /document/pages/*/text_vector", ["index.yaml:8 AZS304"]),
        (
            INDEX,
            "vector: /document/pages/*/text_vector",
            "vector: /document/pages/*",
            ["index.yaml:9 AZS304", "docs.yaml:8 AZS308"],
        ),
        (INDEX, "  vector: /document/pages/*/text_vector\n", "", ["index.yaml:15 AZS305", "docs.yaml:8 AZS308"]),
        (
            SKILLS,
            "skills: []",
            "skills: [{'@odata.type': '#Microsoft.Skills.Custom.WebApiSkill', uri: 'https://x', "
            "inputs: [{name: text, source: /document/contnt}], outputs: [{name: y}]}]",
            ["docs.yaml:12 AZS302", "docs.yaml:12 AZS308"],
        ),
        (
            SKILLS,
            "skills: []",
            "skills: [{'@odata.type': '#Microsoft.Skills.Custom.WebApiSkill', uri: 'https://x', "
            "inputs: [{name: text, source: /document/content}], outputs: [{name: pages}]}]",
            ["docs.yaml:12 AZS307"],
        ),
        # Retrieval
        (INDEX, '"id,path,chunk"', '"id,paht,chunk"', ["index.yaml:20 AZS401"]),
        (INDEX, '"id,path,chunk"', '"id,vector"', ["index.yaml:20 AZS402"]),
        (INDEX, "request: {select", "request: {searchFields: path, select", ["index.yaml:20 AZS402"]),
        (INDEX, "document: path", "document: pth", ["index.yaml:21 AZS401"]),
        (INDEX, "text: chunk", "text: vector", ["index.yaml:21 AZS402"]),
        (INDEX, RETRIEVAL, "{mode: hybrid, fields: [chunk]}", ["index.yaml:20 AZS403"]),
        (INDEX, RETRIEVAL, "{mode: vector, fields: [nope]}", ["index.yaml:20 AZS401"]),
        (INDEX, ", vectorizer: embedding", "", ["index.yaml:16 AZS403"]),
        (INDEX, RETRIEVAL, "{mode: hybrid, threshold: 0.8}", ["index.yaml:20 AZS205", "index.yaml:20 AZS404"]),
        (
            INDEX,
            RETRIEVAL,
            "{mode: hybrid, threshold: {kind: searchScore, value: 0.5}}",
            ["index.yaml:20 AZS205", "index.yaml:20 AZS404"],
        ),
        (INDEX, RETRIEVAL, "{mode: vector, threshold: 0.8}", ["index.yaml:20 AZS205"]),
        (INDEX, RETRIEVAL, "{mode: vector, threshold: 1.5}", ["index.yaml:20 AZS205", "index.yaml:20 AZS405"]),
        (
            INDEX,
            RETRIEVAL,
            "{mode: vector, threshold: {kind: searchScore, value: 0.1}}",
            ["index.yaml:20 AZS205", "index.yaml:20 AZS405"],
        ),
        (
            INDEX,
            RETRIEVAL,
            "{mode: vector, threshold: {kind: x, value: 0.1}}",
            ["index.yaml:20 AZS205", "index.yaml:20 AZS405"],
        ),
        (INDEX, RETRIEVAL, "{mode: text, k: 5}", ["index.yaml:20 AZS406"]),
        (INDEX, "top: 5, k: 50", "top: 5, k: 3", ["index.yaml:20 AZS407"]),
        (INDEX, "top: 5", "top: 1001, weight: 0", ["index.yaml:20 AZS407"] * 3),
        (
            INDEX,
            "k: 50, request: {select",
            "k: 10, request: {queryType: semantic, semanticConfiguration: c, orderby: path, select",
            ["index.yaml:20 AZS408", "index.yaml:20 AZS409", "index.yaml:20 AZS408"],
        ),
        (INDEX, "request: {select", "request: {scoringProfile: s, select", ["index.yaml:20 AZS409"]),
        # Shipping
        (INDEX, "skillset: docs", "skillset: dosc", ["index.yaml:3 AZS501"]),
        (INDEX, "connection: files", "connection: file", ["index.yaml:4 AZS502"]),
        (ENV, "container: docs", "container: docz", ["index.yaml:4 AZS503"]),
        (ENV, "infra/local/containers", "infra/locl", ["local.yaml:3 AZS503"]),
        (ENV, "{folder: infra/local/containers}", "{}", ["local.yaml:3 AZS504"]),
        (INDEX, "alias: docs-live", "alias: docs-0123abcd", ["index.yaml:2 AZS505"]),
        (ENV, "2026-04-01", "2025-09-01", ["local.yaml:2 AZS506"]),
        (ENV, "endpoint: local", "endpoint: local\nqueryApiVersion: 2024-07-01", ["local.yaml:2 AZS506"]),
        (ENV, "endpoint: local", "endpoint: local\nqueryApiVersion: 2026-4-1", ["local.yaml:2 AZS507"]),
        (ENV, "endpoint: local", "endpoint: my.search.windows.net", ["local.yaml:1 AZS508", "local.yaml:3 AZS504"]),
        (ENV, "endpoint: local", "endpoint: https://my.search.windows.net", ["local.yaml:3 AZS504"]),
        (ENV, "endpoint: local", "endpoint: http://127.0.0.1:8181", []),
        (ENV, "endpoint: local", "endpoint: http://localhost:8181", []),
        (ENV, "endpoint: local", "endpoint: 'http://[::1]:8181'", []),
        (ENV, "endpoint: local", "endpoint: http://127.0.0.1.nip.io", ["local.yaml:3 AZS504"]),
        (ENV, "endpoint: local", "endpoint: local\nsemanticRanker: stand-in", []),
        (ENV, "endpoint: local", "endpoint: http://localhost:81\nsemanticRanker: stand-in", ["local.yaml:2 AZS518"]),
        (INDEX, "name: docs\n", "name: Docs\n", ["index.yaml:1 AZS509"]),
        (INDEX, "name: docs\n", f"name: {'x' * 120}\n", ["index.yaml:1 AZS509"]),
        (INDEX, "name: docs\n", f"name: {'x' * 119}\n", []),
        (INDEX, "name: docs\n", "name: -docs\n", ["index.yaml:1 AZS509"]),
        (INDEX, "name: docs\n", "name: docs_x\n", ["index.yaml:1 AZS509"]),
        (INDEX, "alias: docs-live", "alias: docs_live", ["index.yaml:2 AZS509"]),
        (INDEX, "schedule: PT1H", "parsingMode: jsonline", ["index.yaml:4 AZS510"]),
        (INDEX, "schedule: PT1H", "schedule: PT1M", ["index.yaml:4 AZS511"]),
        (INDEX, "schedule: PT1H", "schedule: {interval: P2D}", ["index.yaml:4 AZS511"]),
        (INDEX, "schedule: PT1H", "schedule: 1h", ["index.yaml:4 AZS511"]),
        # Gate and queries
        (INDEX, "{recall@5: {}}", "{a@1: {}, b@1: {}, c@1: {}}", ["index.yaml:22 AZS603"]),
        (ASKED, "  - id: q1", "  - id: q1\n    tag: x", ["queries.yaml:3 AZS008"]),
        (INDEX, "queries: queries.yaml", "queries: query.yaml", ["query.yaml:1 AZS001"]),
        # Secrets
        (SKILLS, "embedding:", "embedding:\n  apiKey: 9f3c0d1e9f3c0d1e9f3c0d1e9f3c0d1e", ["docs.yaml:8 AZS801"]),
        (SKILLS, "embedding:", "embedding:\n  apiKey: \"{{ secret('K') }}\"", []),
        (ENV, "endpoint: local", "endpoint: local\nkey: abc", ["local.yaml:2 AZS801"]),
        (
            ENV,
            "{folder: infra/local/containers}",
            "{connectionString: 'AccountName=a;AccountKey=xyz'}",
            ["local.yaml:3 AZS801"],
        ),
        (ENV, "{folder: infra/local/containers}", "{connectionString: \"AccountKey={{ secret('K') }}\"}", []),
        (ENV, "{folder: infra/local/containers}", "{connectionString: ResourceId=/subscriptions/x}", []),
    ],
)
def test_a_rule_finds_its_fault_at_its_line(workspace, file, old, new, expected):
    workspace.edit(getattr(workspace, file), old, new)
    assert workspace.problems() == expected


def test_both_places_of_a_difference_in_dimensions_are_quoted(workspace):
    workspace.edit(workspace.index, '"{{ embedding.dimensions }}"', "1024")
    (problem,) = workspace.found()
    assert "1024" in problem.message and "indexes/docs/index.yaml:16:64" in problem.message
    assert "256" in problem.message and "skillsets/docs.yaml:11:15" in problem.message


def test_unknown_names_get_the_nearest(workspace):
    workspace.edit(workspace.index, "analyzer: en.lucene", "analyser: en.lucene")
    workspace.edit(workspace.index, '"id,path,chunk"', '"id,pth"')
    workspace.edit(workspace.skillset, "defaultLanguageCode: en", "pageOverlaplength: 5")
    assert [p.hint for p in workspace.found()] == [
        "did you mean 'analyzer'?",
        "did you mean 'path'?",
        "did you mean 'pageOverlapLength'?",
    ]


def test_faults_of_files_and_of_rules_come_in_one_run(workspace):
    workspace.edit(workspace.skillset, "pageOverlapLength: 500", "pageOverlapLength: 1500")
    workspace.edit(workspace.index, "top: 5", "tpo: 5")
    workspace.edit(workspace.index, '"id,path,chunk"', '"id,pth"')
    workspace.write(workspace.queries, "queries: []\n")
    assert workspace.problems() == [
        "index.yaml:20 AZS008",
        "index.yaml:20 AZS401",
        "queries.yaml:1 AZS701",
        "docs.yaml:5 AZS101",
    ]


def test_a_broken_skillset_is_not_reported_as_missing(workspace):
    workspace.edit(workspace.skillset, "chunking:", "chunking: 5\nother:")
    assert workspace.problems() == ["docs.yaml:2 AZS010", "docs.yaml:3 AZS008"]


def test_two_indexes_cannot_claim_one_alias(workspace):
    text = (workspace.root / workspace.index).read_text().replace("name: docs", "name: more", 1)
    workspace.write("indexes/more/index.yaml", text)
    workspace.write("indexes/more/queries.yaml", (workspace.root / workspace.queries).read_text())
    assert workspace.problems() == ["index.yaml:2 AZS505"]


def test_a_plain_secret_is_never_shown(workspace):
    secret = "9f3c0d1e9f3c0d1e9f3c0d1e9f3c0d1e"
    workspace.edit(workspace.skillset, "embedding:", f"embedding:\n  authIdentity: null\n  apiKey: {secret}")
    workspace.edit(workspace.environment, "endpoint: local", f"endpoint: local\nkey: 5{secret}\nvariables2: {secret}")
    found = workspace.found()
    assert {p.code for p in found} >= {"AZS801"}
    assert secret not in repr(found)


def test_a_preview_property_is_a_warning_that_names_the_version(workspace):
    workspace.edit(workspace.skillset, "defaultLanguageCode: en", "unit: characters")
    assert workspace.found() == ()
    workspace.edit(workspace.skillset, "unit: characters", "unit: azureOpenAITokens")
    workspace.edit(workspace.environment, "2026-04-01", "2026-05-01-preview")
    assert workspace.found() == ()
    workspace.edit(workspace.environment, "2026-05-01-preview", "2026-04-01")
    (problem,) = workspace.found()
    assert problem.severity == "warning" and "2024-09-01-preview" in problem.message and "disagree" in problem.message


def test_judgements_are_held_against_the_documents(workspace):
    workspace.write(
        workspace.queries,
        """\
queries:
  - id: q1
    query: a
    relevant:
      - {document: leave.md, excerpt: "five  Unused\\n days"}
      - {document: leave.md, excerpt: "five used days"}
      - {document: leaf.md}
      - {document: leave.md, excerpt: "you may", occurrence: 2}
      - {document: leave.md, excerpt: "you may", occurrence: 3}
      - {document: leave.md, excerpt: "you may"}
      - {document: scan.pdf, excerpt: "anything"}
""",
    )
    texts = {"leave.md": "You may take up to five unused days.\nBut you may not sell them.", "scan.pdf": ""}
    found = check_project(workspace.load(), {"docs": texts})
    assert [(p.code, p.location.line, p.severity) for p in found] == [
        ("AZS712", 6, "error"),
        ("AZS711", 7, "note"),  # The local environment has part of the documents
        ("AZS713", 9, "error"),
        ("AZS714", 10, "warning"),
    ]
    assert found[0].hint.endswith("five unused days") and "'leave.md'" in found[1].hint


def test_without_an_environment_files_are_still_read(workspace):
    workspace.write(workspace.skillset, "a: [")
    project, problems = workspace.checked("none")
    assert project is None and [p.code for p in problems] == ["AZS012", "AZS002"]
