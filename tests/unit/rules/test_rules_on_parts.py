"""Analysis, profiles, semantic settings, skills, sources: each rule finds its fault at its line."""

import pytest

SKILLS, INDEX, ENV = "skillset", "index", "environment"
PREFIX = "'@odata.type': '#Microsoft.Azure.Search."


def index_part(text):
    return INDEX, "index:\n  fields:", f"index:\n  {text}\n  fields:"


def skill(text):
    return SKILLS, "skills: []", f"skills:\n  - {text}"


WEB = "{'@odata.type': '#Microsoft.Skills.Custom.WebApiSkill', uri: 'https://x', "
READS = "inputs: [{name: text, source: /document/content}]"
PROFILE = "scoringProfiles: [{name: p-1, %s}]"
MAGNITUDE = "magnitude: {boostingRangeStart: 1, boostingRangeEnd: 5}"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        # Analysis
        ((INDEX, "analyzer: en.lucene", "analyzer: en.lucen"), ["index.yaml:15 AZS231"]),
        ((INDEX, "analyzer: en.lucene", "normalizer: lowercas"), ["index.yaml:15 AZS231"]),
        ((INDEX, "analyzer: en.lucene", "normalizer: lowercase"), []),
        (
            (INDEX, "analyzer: en.lucene", "indexAnalyzer: en.lucene, searchAnalyzer: simple"),
            ["index.yaml:15 AZS232"],
        ),
        (index_part(f"analyzers: [{{name: a, {PREFIX}CustomAnalyzer', tokenizer: standard_v2}}]"), []),
        (
            index_part(f"analyzers: [{{name: a, {PREFIX}CustomAnalyzer', tokenizer: standrd_v2}}]"),
            ["index.yaml:11 AZS231"],
        ),
        (
            index_part(
                f"analyzers: [{{name: a, {PREFIX}CustomAnalyzer', tokenizer: classic, tokenFilters: [lowercas]}}]"
            ),
            ["index.yaml:11 AZS231"],
        ),
        (index_part(f"analyzers: [{{name: a, {PREFIX}CustomAnalyzer'}}]"), ["index.yaml:11 AZS204"]),
        (index_part(f"analyzers: [{{name: a, {PREFIX}CustomAnalyser'}}]"), ["index.yaml:11 AZS207"]),
        (
            index_part(f"tokenFilters: [{{name: a, {PREFIX}ClassicTokenizer'}}]"),
            ["index.yaml:11 AZS233"],
        ),
        (index_part(f"tokenizers: [{{name: classic, {PREFIX}ClassicTokenizer'}}]"), ["index.yaml:11 AZS233"]),
        (index_part(f"tokenizers: [{{name: -a, {PREFIX}ClassicTokenizer'}}]"), ["index.yaml:11 AZS233"]),
        (
            index_part(f"tokenizers: [{{name: a, {PREFIX}ClassicTokenizer', maxTokenLength: 301}}]"),
            ["index.yaml:11 AZS203"],
        ),
        (
            index_part(f"tokenizers: [{{name: a, {PREFIX}NGramTokenizer', minGram: 4, maxGram: 3}}]"),
            ["index.yaml:11 AZS234"],
        ),
        (
            index_part(
                f"tokenFilters: [{{name: a, {PREFIX}StopwordsTokenFilter', stopwords: [x], stopwordsList: german}}]"
            ),
            ["index.yaml:11 AZS234"],
        ),
        (index_part(f"analyzers: [{{name: a, {PREFIX}PatternAnalyzer', flags: DOTAL}}]"), ["index.yaml:11 AZS234"]),
        (
            index_part(f"normalizers: [{{name: a, {PREFIX}CustomNormalizer', tokenFilters: [porter_stem]}}]"),
            ["index.yaml:11 AZS235"],
        ),
        (index_part(f"charFilters: [{{name: a, {PREFIX}MappingCharFilter'}}]"), ["index.yaml:11 AZS204"]),
        # Suggesters, profiles, semantic
        (index_part("suggesters: [{name: sg, sourceFields: [chunk]}]"), []),
        (index_part("suggesters: [{name: sg, sourceFields: [chnk]}]"), ["index.yaml:11 AZS241"]),
        (index_part("suggesters: [{name: sg, sourceFields: [path]}]"), ["index.yaml:11 AZS241"]),
        (index_part("suggesters: [{name: s-g, sourceFields: [chunk]}]"), ["index.yaml:11 AZS241"]),
        (
            index_part("suggesters: [{name: a, sourceFields: [chunk]}, {name: b, sourceFields: [chunk]}]"),
            ["index.yaml:11 AZS241"],
        ),
        (index_part(PROFILE % "text: {weights: {chunk: 2}}"), []),
        (index_part(PROFILE % "text: {weights: {chnk: 2}}"), ["index.yaml:11 AZS242"]),
        (index_part(PROFILE % "text: {weights: {chunk: 0}}"), ["index.yaml:11 AZS242"]),
        (index_part(PROFILE % "text: {weights: {path: 2}}"), ["index.yaml:11 AZS242"]),
        (
            index_part(PROFILE % f"functions: [{{type: magnitude, fieldName: chunk, boost: 2, {MAGNITUDE}}}]"),
            ["index.yaml:11 AZS242"],
        ),
        (
            index_part(PROFILE % "functions: [{type: tag, fieldName: path, boost: 1, tag: {tagsParameter: t}}]"),
            ["index.yaml:11 AZS242"],
        ),
        (
            index_part(PROFILE % "functions: [{type: tag, fieldName: path, boost: 2, tag: {tagsParameter: t}}]"),
            [],
        ),
        (index_part(PROFILE % "functions: [{type: tag, fieldName: path, boost: 2}]"), ["index.yaml:11 AZS242"]),
        (index_part("defaultScoringProfile: none"), ["index.yaml:11 AZS244"]),
        (index_part("semantic: {defaultConfiguration: none}"), ["index.yaml:11 AZS244"]),
        (
            index_part("semantic: {configurations: [{name: c, prioritizedFields: {}}]}"),
            ["index.yaml:11 AZS243"],
        ),
        (
            index_part("semantic: {configurations: [{name: c, prioritizedFields: {titleField: {fieldName: path}}}]}"),
            ["index.yaml:11 AZS243"],
        ),
        (
            (
                INDEX,
                "algorithms: [{name: a, kind: hnsw}]",
                "algorithms: [{name: a, kind: hnsw}]\n    compressions: [{name: c, kind: scalarQuantization, "
                "rescoringOptions: {enableRescoring: true, rescoreStorageMethod: discardOriginals}}]",
            ),
            ["index.yaml:19 AZS246"],
        ),
        # Skills
        (skill(WEB + READS + ", outputs: [{name: a, targetName: t}]}"), ["docs.yaml:13 AZS308"]),
        (skill(WEB.replace("https", "http") + READS + ", outputs: []}"), ["docs.yaml:13 AZS315"]),
        (skill(WEB + "timeout: PT5M, " + READS + ", outputs: []}"), ["docs.yaml:13 AZS315"]),
        (skill(WEB + "degreeOfParallelism: 11, " + READS + ", outputs: []}"), ["docs.yaml:13 AZS203"]),
        (skill(WEB + "httpHeaders: {Host: x}, " + READS + ", outputs: []}"), ["docs.yaml:13 AZS315"]),
        (skill(WEB + "name: chunking, " + READS + ", outputs: []}"), ["docs.yaml:13 AZS313"]),
        (skill(WEB + "batchsize: 3, " + READS + ", outputs: []}"), ["docs.yaml:13 AZS201"]),
        (
            skill("{'@odata.type': '#Microsoft.Skills.Text.KeyPhraseExtractionSkill', inputs: [], outputs: []}"),
            ["docs.yaml:13 AZS311"],
        ),
        (
            skill(
                "{'@odata.type': '#Microsoft.Skills.Text.KeyPhraseExtractionSkill', "
                + READS.replace("text,", "txt,")
                + ", outputs: []}"
            ),
            ["docs.yaml:13 AZS311", "docs.yaml:13 AZS312"],
        ),
        (
            skill(
                "{'@odata.type': '#Microsoft.Skills.Text.LanguageDetectionSkill', "
                + READS
                + ", outputs: [{name: language}]}"
            ),
            ["docs.yaml:13 AZS308", "docs.yaml:13 AZS312"],
        ),
        (
            skill("{'@odata.type': '#Microsoft.Skills.Text.SentimentSkill', " + READS + ", outputs: [{name: score}]}"),
            ["docs.yaml:13 AZS206", "docs.yaml:13 AZS308"],
        ),
        (
            (
                SKILLS,
                "textSplitMode: pages",
                "inputs: [{name: text, source: /document/content}, {name: languageCode, source: /document/language}]",
            ),
            ["docs.yaml:3 AZS114", "docs.yaml:3 AZS302"],
        ),
        # Sources
        ((INDEX, "schedule: PT1H", "configuration: {documentRoot: /a}"), ["index.yaml:4 AZS521"]),
        ((INDEX, "schedule: PT1H", "configuration: {markdownHeaderDepth: h2}"), ["index.yaml:4 AZS521"]),
        (
            (
                INDEX,
                "schedule: PT1H",
                "outputFieldMappings: [{sourceFieldName: /document/content, targetFieldName: x}]",
            ),
            ["index.yaml:4 AZS522"],
        ),
        (
            (
                INDEX,
                "schedule: PT1H",
                "outputFieldMappings: [{sourceFieldName: /document/sentiment, targetFieldName: path}]",
            ),
            ["index.yaml:4 AZS302"],
        ),
        (
            (
                INDEX,
                "schedule: PT1H",
                "fieldMappings: [{sourceFieldName: path, mappingFunction: {name: extractTokenAtPosition}}]",
            ),
            ["index.yaml:4 AZS523"],
        ),
        (
            (
                INDEX,
                "schedule: PT1H",
                f"dataChangeDetectionPolicy: {{{PREFIX}SqlIntegratedChangeTrackingPolicy'}}",
            ),
            ["index.yaml:4 AZS524"],
        ),
        # Retrieval
        ((INDEX, "request: {select", "request: {orderby: path asc, select"), ["index.yaml:20 AZS408"]),
        ((INDEX, "request: {select", "request: {orderby: 'search.score() desc, path', select"), []),
        ((INDEX, "request: {select", "request: {filter: \"path eq 'x'\", select"), ["index.yaml:20 AZS411"]),
        ((INDEX, "request: {select", "request: {vectorFilterMode: postFilter, select"), ["index.yaml:20 AZS411"]),
        (
            (
                INDEX,
                "request: {select",
                "request: {vectorQueries: [{kind: text, text: x, fields: vector, oversampling: 2}], select",
            ),
            ["index.yaml:20 AZS415", "index.yaml:20 AZS412"],
        ),
        # Environments
        ((ENV, "2026-04-01", "2025-03-01-preview"), ["local.yaml:2 AZS512"]),
        ((ENV, "endpoint: local", "endpoint: local\nconsumers: {web: {apiVersion: 2026-04-01}}"), []),
        (
            (ENV, "endpoint: local", "endpoint: local\nconsumers: {web: {apiVersion: 2024-07-01}}"),
            ["local.yaml:2 AZS513"],
        ),
        (
            (ENV, "endpoint: local", "endpoint: local\nconsumers: {web: {apiVersion: 2026-04-01, fields: [titel]}}"),
            ["local.yaml:2 AZS514"],
        ),
        (
            (ENV, "endpoint: local", "endpoint: local\nconsumers: {web: {apiVersion: 2026-04-01, fields: [vector]}}"),
            ["local.yaml:2 AZS514"],
        ),
        ((ENV, "endpoint: local", "endpoint: local\nprotected: true"), ["index.yaml:19 AZS515"]),
        ((INDEX, "analyzer: en.lucene", "synonymMaps: [terms]"), ["index.yaml:15 AZS517"]),
        # A definition without parts
        ((INDEX, "evaluation:", "#evaluation:"), ["index.yaml:1 AZS604"]),
    ],
)
def test_a_rule_finds_its_fault(workspace, edit, expected):
    file, old, new = edit
    workspace.edit(getattr(workspace, file), old, new)
    assert workspace.problems() == expected


def test_strict_refuses_previews(workspace):
    workspace.edit(workspace.environment, "endpoint: local", "endpoint: local\napi: strict")
    workspace.edit(workspace.skillset, "defaultLanguageCode: en", "unit: azureOpenAITokens")
    (problem,) = workspace.found()
    assert (problem.code, problem.severity) == ("AZS205", "error") and "strict" in problem.hint


def test_a_comment_with_a_reason_silences(workspace):
    fault = "  top: 5"
    workspace.edit(workspace.index, "{mode: hybrid, top: 5, k: 50,", "{mode: hybrid, top: 5, k: 3,")
    assert workspace.problems() == ["index.yaml:20 AZS407"]
    workspace.edit(workspace.index, "retrieval:", "# azsearch: ignore AZS407 because three are enough here\nretrieval:")
    assert workspace.problems() == [], fault


def test_a_comment_without_a_reason_silences_nothing_and_says_so(workspace):
    workspace.edit(workspace.index, "top: 5, k: 50", "top: 5, k: 3")
    workspace.edit(workspace.index, "retrieval:", "# azsearch: ignore AZS407\nretrieval:")
    assert workspace.problems() == ["index.yaml:20 AZS901", "index.yaml:21 AZS407"]


def test_a_comment_silences_its_own_code_on_its_own_line_only(workspace):
    workspace.edit(workspace.index, "top: 5, k: 50", "top: 5, k: 3")
    workspace.edit(workspace.index, "retrieval:", "# azsearch: ignore AZS408 because of that\nretrieval:")
    assert workspace.problems() == ["index.yaml:21 AZS407"]
    workspace.edit(workspace.index, "name: docs\n", "name: docs # azsearch: ignore AZS407 because elsewhere\n")
    assert workspace.problems() == ["index.yaml:21 AZS407"]


def test_a_secret_is_never_silenced(workspace):
    workspace.edit(
        workspace.environment, "endpoint: local", "endpoint: local\nkey: abc # azsearch: ignore AZS801 because x"
    )
    assert "local.yaml:2 AZS801" in workspace.problems()


def test_two_environments_of_one_service_cannot_claim_one_alias(workspace):
    from azsearch_ops.rules.check import check_environments

    text = (workspace.root / workspace.environment).read_text()
    workspace.write("infra/environments/second.yaml", text)
    (problem,) = check_environments(workspace.load(), {})
    assert problem.code == "AZS516" and "second" in problem.message and problem.location.line == 2
    workspace.write("infra/environments/second.yaml", text.replace("endpoint: local", "endpoint: http://127.0.0.1:1"))
    assert check_environments(workspace.load(), {}) == ()
