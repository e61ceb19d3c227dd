"""What people doing this job ran into and reported in public: each found offline, with the right value."""

import pytest

from azsearch_ops.chunking.text_split import TextSplit, split


def test_a_property_that_the_sdk_lacks_passes_with_a_warning_and_strict_refuses_it(workspace):
    """azure-sdk-for-js#31761."""
    workspace.edit(workspace.skillset, "maximumPageLength: 2000", "maximumPageLength: 512\n  unit: azureOpenAITokens")
    workspace.edit(workspace.skillset, "pageOverlapLength: 500", "pageOverlapLength: 128")
    (problem,) = workspace.found()
    assert problem.severity == "warning" and "2024-09-01-preview" in problem.message
    assert "the sources of 2026-04-01 disagree" in problem.message
    assert workspace.render().skillset["skills"][0]["unit"] == "azureOpenAITokens"
    workspace.edit(workspace.environment, "endpoint: local", "endpoint: local\napi: strict")
    assert [p.severity for p in workspace.found()] == ["error"]


def test_a_plain_key_is_an_error_with_its_line_and_is_never_echoed(workspace):
    """GPT-RAG#83."""
    key = "9f3c0d7e9f3c0d7e9f3c0d7e9f3c0d7e"
    workspace.edit(workspace.skillset, "embedding:", f"embedding:\n  authIdentity: null\n  apiKey: {key}")
    found = workspace.found()
    assert [(p.code, p.location.line) for p in found] == [("AZS801", 9)]
    assert key not in repr(found)


@pytest.mark.parametrize("name", ["Docs", "-docs", "docs--v1"])
def test_names_are_refused_with_the_rule(workspace, name):
    """azure-docs#112322."""
    workspace.edit(workspace.index, "name: docs\n", f"name: {name}\n")
    (problem,) = workspace.found()
    assert problem.code == "AZS509" and problem.location.line == 1


def test_dimensions_that_differ_name_all_places(workspace):
    """azure-search-openai-demo#1825."""
    workspace.edit(workspace.environment, "dimensions: 256", "dimensions: 1536")
    workspace.edit(workspace.environment, "model: wordllama", "model: text-embedding-3-large")
    workspace.edit(workspace.index, 'dimensions: "{{ embedding.dimensions }}"', "dimensions: 1024")
    workspace.edit(
        workspace.index,
        "profiles: [",
        "vectorizers: [{name: own, kind: azureOpenAI, azureOpenAIParameters: "
        "{resourceUri: 'https://x', deploymentId: d, modelName: text-embedding-ada-002}}]\n    profiles: [",
    )
    workspace.edit(workspace.index, "vectorizer: embedding", "vectorizer: own")
    found = {p.code: p.message for p in workspace.found()}
    assert "1024" in found["AZS224"] and "index.yaml:16" in found["AZS224"]
    assert "AZS225" in found
    assert any("skillsets/docs.yaml:11" in p.message and "1536" in p.message for p in workspace.found())


def test_an_output_mapping_to_a_field_that_is_not_there(workspace):
    """AI-102-AIEngineer#62: said before any write, never index updated and indexer failed."""
    workspace.edit(
        workspace.index,
        "schedule: PT1H",
        "outputFieldMappings: [{sourceFieldName: /document/sentiment, targetFieldName: sentiment}]",
    )
    found = [(p.code, p.severity) for p in workspace.found()]
    assert ("AZS522", "error") in found and ("AZS302", "error") in found


@pytest.mark.parametrize("mapping", ["{sourceFieldName: a, targetFieldName: text}", "{sourceFieldName: text}"])
def test_a_field_mapping_to_a_field_that_is_not_there(workspace, mapping):
    """chat-with-your-data-solution-accelerator#1829, azure-search-openai-demo#2383: refused with projections too."""
    workspace.edit(workspace.index, "schedule: PT1H", f"fieldMappings: [{mapping}]")
    (problem,) = workspace.found()
    assert (problem.code, problem.location.line) == ("AZS522", 4)
    assert problem.message == "fieldMappings: the index has no field 'text'"


@pytest.mark.parametrize(
    ("text", "chunks"), [("x" * 120, 1), ("word " * 80, 1), ("x" * 400, 1), ("x", 1), ("", 0), (" \n\t ", 0)]
)
def test_short_text_is_one_chunk_and_blank_text_none(text, chunks):
    """azure-search-openai-demo#1153: also where the text is as long as the overlap."""
    options = TextSplit(mode="pages", maximum_page_length=1000, page_overlap_length=400)
    assert len(split(text, options)) == chunks


def test_aliases_need_their_version_and_it_is_said_before_anything_is_built(workspace):
    """azure-sdk-for-net#46003."""
    workspace.edit(workspace.environment, "2026-04-01", "2025-09-01")
    found = workspace.found()
    assert [(p.code, p.location.line, p.hint) for p in found] == [("AZS506", 2, "apiVersion: 2026-04-01")]
    assert found[0].message == "aliases need api-version 2026-04-01 or later, apiVersion is 2025-09-01"
    workspace.edit(workspace.environment, "apiVersion:", "queryApiVersion: 2024-07-01\napiVersion:")
    workspace.edit(workspace.environment, "2025-09-01", "2026-04-01")
    assert [(p.location.line, p.hint) for p in workspace.found()] == [(2, "queryApiVersion: 2026-04-01")]


@pytest.mark.parametrize("version", ["2023-07-01-preview", "2023-07-01-Preview"])
def test_a_version_that_is_no_longer_answered_is_an_error_however_it_is_spelled(workspace, version):
    """azure-search-openai-demo#965."""
    workspace.edit(workspace.environment, "2026-04-01", version)
    assert ("AZS507", "error") in {(p.code, p.severity) for p in workspace.found()}
    workspace.edit(workspace.environment, version, "2026-04-01")
    workspace.edit(
        workspace.environment, "variables:", f"consumers: {{intranet: {{apiVersion: {version}}}}}\nvariables:"
    )
    (problem,) = workspace.found()
    assert problem.message == f"intranet: the service no longer answers {version}"


KEY = "9f3c0d7e9f3c0d7e9f3c0d7e9f3c0d7e"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("skillset", "skills: []", "skills: [{'@odata.type': '#Microsoft.Skills.Custom.WebApiSkill', uri: '%s'}]"),
        ("skillset", "embedding:", "embedding:\n  apiKey: 12345678901234567890"),
        ("skillset", "skills: []", f"skills: [{{httpHeaders: {{x-api-key: {KEY}}}}}]"),
        ("environment", "variables:", f"variables:\n  anything: {KEY}"),
        ("environment", "variables:", f"variables:\n  deep: {{anything: {'Ab3' * 17}d}}"),
    ],
)
def test_a_plain_key_is_found_in_an_address_as_digits_and_under_any_name(workspace, file, old, new):
    """GPT-RAG#83: the neighbours of `apiKey: 32 digits`."""
    address = f"https://f.azurewebsites.net/api/cut?code={'aB3' * 17}=="
    workspace.edit(getattr(workspace, file), old, new.replace("%s", address))
    found = [p for p in workspace.found() if p.code == "AZS801"]
    assert len(found) == 1
    assert not any(secret in repr(found) for secret in (KEY, "12345678901234567890", "Ab3Ab3", "aB3aB3"))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("skillset", "skills: []", "skills: [{uri: 'https://f.azurewebsites.net/api/cut?code={{ secret(''K'') }}'}]"),
        ("environment", "variables:", f"variables:\n  keyVersion: {KEY}"),
        ("environment", "variables:", "variables:\n  page: 'https://example.com/a?lang=en&key=short'"),
    ],
)
def test_what_only_looks_like_a_key_is_not_called_one(workspace, file, old, new):
    workspace.edit(getattr(workspace, file), old, new)
    assert "AZS801" not in {p.code for p in workspace.found()}


def test_a_consumer_on_an_old_version_is_named(workspace):
    """azure-sdk-for-js#25890."""
    workspace.edit(
        workspace.environment, "endpoint: local", "endpoint: local\nconsumers: {intranet: {apiVersion: 2024-07-01}}"
    )
    (problem,) = workspace.found()
    assert problem.code == "AZS513" and "intranet (2024-07-01)" in problem.message and problem.severity == "warning"


@pytest.mark.parametrize("version", ["2024-07-01", "2025-09-01"])
def test_a_stable_version_without_the_property_is_named(workspace, version):
    """azure-sdk-for-js#31761: where the version lacks `unit`, and where a preview has it."""
    workspace.edit(workspace.skillset, "maximumPageLength: 2000", "maximumPageLength: 512\n  unit: azureOpenAITokens")
    workspace.edit(workspace.skillset, "pageOverlapLength: 500", "pageOverlapLength: 128")
    workspace.edit(workspace.environment, "2026-04-01", version)
    told = [p for p in workspace.found() if "unit" in p.message]
    assert len(told) == 1 and "2024-09-01-preview" in told[0].message
    assert workspace.render().skillset["skills"][0]["unit"] == "azureOpenAITokens"
    workspace.edit(workspace.environment, version, "2025-11-01-preview")
    assert [p for p in workspace.found() if p.severity == "error"] == []


def test_vectors_that_documents_bring_along_need_no_skill(workspace):
    """JSON lines may hold the vectors themselves; a path that a skill makes is still held against its kind."""
    workspace.edit(workspace.index, "connection: files", "connection: files, parsingMode: jsonLines")
    workspace.edit(workspace.index, "vector: /document/pages/*/text_vector", "vector: /document/vector")
    assert "AZS304" not in {p.code for p in workspace.found()}
    workspace.edit(workspace.index, "vector: /document/vector", "vector: /document/pages/*")
    assert "AZS304" in {p.code for p in workspace.found()}


@pytest.mark.parametrize(("version", "severity"), [("2026-04-01", "error"), ("2099-01-01", "warning")])
def test_what_a_later_version_may_have_is_passed_on_with_a_word(workspace, version, severity):
    """azure-sdk-for-js#31761: this table ages as the SDK's types do."""
    workspace.edit(workspace.environment, "2026-04-01", version)
    workspace.edit(workspace.index, "type: Edm.String, key: true", "type: Edm.String, shadowed: true, key: true")
    told = [p for p in workspace.found() if p.code == "AZS201"]
    assert [p.severity for p in told] == [severity] and "'shadowed'" in told[0].message
    assert workspace.load().indexes["docs"].index["fields"][0]["shadowed"] is True
    if severity == "warning":
        assert version in told[0].message
        workspace.edit(workspace.environment, "endpoint: local", "endpoint: local\napi: strict")
        assert [p.severity for p in workspace.found() if p.code == "AZS201"] == ["error"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("indexers/docs.yaml", "`source` of indexes/NAME/index.yaml"),
        ("datasources/docs.json", "`source` of indexes/NAME/index.yaml"),
        ("aliases/docs.yml", "`alias` of indexes/NAME/index.yaml"),
        ("indexes/docs.yaml", "indexes/NAME/index.yaml"),
        ("synonym-maps/names.yaml", "synonymmaps/"),
    ],
)
def test_a_file_that_no_definition_is_read_from_is_named(workspace, path, said):
    """azure-sdk-for-python#44962: JSON of the portal, put where services list it, must not vanish in silence."""
    workspace.write(path, '{"@odata.etag": "x", "name": "docs", "skillsetName": null}')
    (problem,) = workspace.found()
    assert (problem.code, problem.severity, problem.location.path) == ("AZS533", "warning", path)
    assert said in problem.hint


def test_what_is_there_to_be_extended_is_no_stray(workspace):
    workspace.write("indexes/_base.yaml", "name: base")
    workspace.write("indexers/reader.py", "")
    assert workspace.found() == ()


def test_nulls_of_an_indexer_equal_absent_ones(workspace):
    """azure-sdk-for-python#44962: a null on every optional key."""
    plain = workspace.render()
    nothing = "".join(
        f", {name}: null"
        for name in ("fieldMappings", "outputFieldMappings", "cache", "encryptionKey", "dataDeletionDetectionPolicy")
    )
    numbers = ", parameters: {batchSize: null, maxFailedItems: null, configuration: {parsingMode: default}}"
    workspace.edit(
        workspace.index, "schedule: PT1H", f"schedule: PT1H{nothing}{numbers}, configuration: {{dataToExtract: null}}"
    )
    assert workspace.found() == ()
    stated = workspace.render()
    assert (stated.indexer, stated.rebuild_digest) == (plain.indexer, plain.rebuild_digest)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("embedding:", "embedding:\n  apiKey: <redacted>"),
        (
            "skills: []",
            "cognitiveServices: {'@odata.type': '#Microsoft.Azure.Search.CognitiveServicesByKey', key: <redacted>}",
        ),
    ],
)
def test_the_mask_of_a_key_is_told_from_a_key(workspace, old, new):
    """azure-sdk-for-python#44962, #34118: what the portal shows would be stored as the candidate's key."""
    workspace.edit(workspace.skillset, old, new)
    assert [(p.code, p.severity) for p in workspace.found()] == [("AZS802", "warning")]


def test_nulls_of_the_short_forms_equal_absent_ones(workspace):
    """azure-sdk-for-python#44962: a null in the place of a name would have been another skill, and a rebuild."""
    plain = workspace.render()
    for block in ("chunking:", "embedding:"):
        workspace.edit(
            workspace.skillset, block, f"{block}\n  name: null\n  description: null\n  context: null\n  inputs: null"
        )
    assert workspace.found() == ()
    stated = workspace.render()
    assert (stated.skillset, stated.rebuild_digest) == (plain.skillset, plain.rebuild_digest)
