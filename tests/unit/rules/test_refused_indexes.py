"""What Azure refuses of an index, a row for each kind of fault; and what it takes at the very edge."""

import pytest
from faulty import (
    ANALYSIS,
    ENVIRONMENT,
    INDEX,
    algorithms,
    codes,
    compression,
    field,
    on_vector,
    part,
    profiles,
    retrieval,
    skill,
    told,
    vectorizer,
)

HAMMING = (
    algorithms("algorithms: [{name: a, kind: hnsw}, {name: h, kind: hnsw, hnswParameters: {metric: hamming}}]"),
    profiles("profiles: [{name: p, algorithm: a, vectorizer: embedding}, {name: q, algorithm: h}]"),
    retrieval("top: 5, k: 50, fields: [vector]"),
    (INDEX, "  vector: /document", "  b: /document/pages/*/bits\n  vector: /document"),
    skill(
        "Custom.WebApiSkill', context: /document/pages/*, uri: 'https://x', "
        "inputs: [{name: t, source: /document/pages/*}], outputs: [{name: bits}]"
    ),
)
PACKED = "vectorEncoding: packedBit, dimensions: 1024, vectorSearchProfile: q"
SEMANTIC = "semantic: {configurations: [{name: c, prioritizedFields: {%s}}]}"
ADDRESS = field("{name: Address, type: Edm.ComplexType, fields: [{name: City, type: Edm.String}]}")
AOAI = "kind: azureOpenAI, azureOpenAIParameters: {resourceUri: 'https://x', deploymentId: d, modelName: %s}"
WEB = "kind: customWebApi, customWebApiParameters: {%s}"


def own(kind, text=""):
    lists = {"Tokenizer": "tokenizers", "TokenFilter": "tokenFilters", "CharFilter": "charFilters"}
    named = next(name for end, name in sorted(lists.items(), reverse=True) if kind.rstrip("V2").endswith(end))
    return part(f"{named}: [{{name: x, {ANALYSIS}{kind}', {text}}}]")


def nested(levels):
    text = "{name: leaf, type: Edm.String}"
    for level in range(levels):
        text = f"{{name: l{level}, type: Edm.ComplexType, fields: [{text}]}}"
    return field(text)


def many(count):
    return field("\n    - ".join(f"{{name: f{n}, type: Edm.String}}" for n in range(count)))


@pytest.mark.parametrize(
    ("code", "edits"),
    [
        # Names
        ("AZS509", [(INDEX, "name: docs\n", "name: docs\nadopt: Bad Name\n")]),
        ("AZS509", [(ENVIRONMENT, "{folder: infra/local/containers}", "{dataSource: Bad_Name}")]),
        ("AZS508", [(ENVIRONMENT, "endpoint: local", 'endpoint: "https://My--svc.search.windows.net"')]),
        ("AZS508", [(ENVIRONMENT, "endpoint: local", 'endpoint: "https://a.search.windows.net"')]),
        # Fields
        ("AZS216", [field("{name: x, type: Edm.Int32, normalizer: lowercase}")]),
        ("AZS216", [field("{name: x, type: Collection(Edm.Int32), normalizer: lowercase}")]),
        ("AZS216", [on_vector("normalizer: lowercase")]),
        ("AZS215", [field("{name: x, type: Edm.String, searchable: false, synonymMaps: [a]}")]),
        ("AZS215", [field("{name: x, type: Edm.Int32, synonymMaps: [a]}")]),
        ("AZS218", [field("{name: c, type: Edm.ComplexType}")]),
        ("AZS218", [field("{name: c, type: Edm.ComplexType, fields: []}")]),
        ("AZS218", [field("{name: c, type: Edm.String, fields: [{name: a, type: Edm.String}]}")]),
        ("AZS245", [nested(11)]),
        ("AZS245", [many(101), (ENVIRONMENT, "endpoint: local", "endpoint: local\nservice: {tier: basic}")]),
        # Vectors
        ("AZS227", [on_vector("fields: []"), (INDEX, "Collection(Edm.Single)", "Edm.String")]),
        ("AZS228", [on_vector("vectorEncoding: packedBit")]),
        ("AZS228", [algorithms("algorithms: [{name: a, kind: hnsw, hnswParameters: {metric: hamming}}]")]),
        ("AZS228", [*HAMMING, field("{name: b, type: Collection(Edm.Byte), dimensions: 8, vectorSearchProfile: q}")]),
        ("AZS228", [*HAMMING, field(f"{{name: b, type: Collection(Edm.Byte), {PACKED}}}".replace("1024", "1001"))]),
        ("AZS228", [*HAMMING, field(f"{{name: b, type: Collection(Edm.Byte), {PACKED}}}".replace(": q", ": p"))]),
        (
            "AZS221",
            [field("{name: c, type: Edm.ComplexType, fields: [{name: v, type: Collection(Edm.Single)}]}")],
        ),
        (
            "AZS223",
            [
                field(
                    "{name: c, type: Edm.ComplexType, fields: "
                    "[{name: v, type: Collection(Edm.Single), dimensions: 4, vectorSearchProfile: z}]}"
                )
            ],
        ),
        ("AZS246", [*compression("kind: binaryQuantization"), (INDEX, "(Edm.Single)", "(Edm.SByte)")]),
        (
            "AZS246",
            [*compression("kind: scalarQuantization, rerankWithOriginalVectors: true, rescoringOptions: {}")],
        ),
        (
            "AZS204",
            [vectorizer("kind: azureOpenAI, azureOpenAIParameters: {resourceUri: 'https://x', deploymentId: d}")],
        ),
        ("AZS204", [vectorizer(WEB % "timeout: PT10S")]),
        ("AZS315", [vectorizer(WEB % "uri: 'http://x/y'")]),
        ("AZS315", [vectorizer(WEB % "uri: 'https://x/y', timeout: PT10M")]),
        ("AZS315", [vectorizer(WEB % "uri: 'https://x/y', httpHeaders: {Host: x}")]),
        ("AZS202", [vectorizer(WEB % "uri: 'https://x/y', httpMethod: GET")]),
        # Other parts
        ("AZS241", [part("suggesters: [{name: a, sourceFields: []}]")]),
        ("AZS241", [part("suggesters: [{name: a, sourceFields: [chunk, chunk]}]")]),
        ("AZS202", [part("scoringProfiles: [{name: p, text: {weights: [chunk]}}]")]),
        ("AZS202", [part(f"similarity: {{{ANALYSIS}BM26Similarity'}}")]),
        ("AZS203", [part("corsOptions: {allowedOrigins: ['*'], maxAgeInSeconds: -1}")]),
        ("AZS202", [part("corsOptions: {allowedOrigins: [5]}")]),
        ("AZS401", [ADDRESS, part(SEMANTIC % "prioritizedContentFields: [{fieldName: Address/Town}]")]),
        (
            "AZS202",
            [part("encryptionKey: {keyVaultUri: u, keyVaultKeyName: k, identity: {'@odata.type': Nobody}}")],
        ),
        (
            "AZS204",
            [
                part(
                    f"encryptionKey: {{keyVaultUri: u, keyVaultKeyName: k, identity: "
                    f"{{{ANALYSIS}DataUserAssignedIdentity'}}}}"
                )
            ],
        ),
        # Analysis
        ("AZS202", [own("NGramTokenizer", "minGram: 2, maxGram: 3, tokenChars: [letters]")]),
        ("AZS234", [own("EdgeNGramTokenizer", "minGram: 3")]),
        ("AZS202", [own("MicrosoftLanguageTokenizer", "language: englisch")]),
        ("AZS202", [own("MicrosoftLanguageStemmingTokenizer", "language: klingon")]),
        ("AZS234", [own("PathHierarchyTokenizerV2", "delimiter: '//'")]),
        ("AZS202", [own("CjkBigramTokenFilter", "ignoreScripts: [latin]")]),
        ("AZS202", [own("PhoneticTokenFilter", "encoder: metafone")]),
        ("AZS234", [own("ShingleTokenFilter", "minShingleSize: 4, maxShingleSize: 3")]),
        ("AZS234", [own("ShingleTokenFilter", "minShingleSize: 3")]),
        ("AZS202", [own("SnowballTokenFilter", "language: klingon")]),
        ("AZS202", [own("StemmerTokenFilter", "language: porter3")]),
        ("AZS234", [own("StemmerOverrideTokenFilter", "rules: ['a b']")]),
        ("AZS202", [own("StopwordsTokenFilter", "stopwordsList: klingon")]),
        ("AZS234", [own("MappingCharFilter", "mappings: ['a:b']")]),
        ("AZS202", [own("KeepTokenFilter", "keepWords: [5]")]),
        (
            "AZS235",
            [
                part(f"tokenFilters: [{{name: x, {ANALYSIS}NGramTokenFilterV2', minGram: 2, maxGram: 3}}]"),
                (
                    INDEX,
                    "\n  fields:",
                    f"\n  normalizers: [{{name: n, {ANALYSIS}CustomNormalizer', tokenFilters: [x]}}]\n  fields:",
                ),
            ],
        ),
    ],
)
def test_a_refusal_is_an_error(workspace, code, edits):
    assert (code, "error") in codes(workspace, edits)


@pytest.mark.parametrize(
    ("code", "edits"),
    [
        ("AZS229", [field("{name: c, type: Edm.ComplexType, fields: [{name: v, type: Collection(Edm.Single)}]}")]),
        ("AZS245", [nested(10)]),
        ("AZS241", [part("suggesters: [{name: a, sourceFields: [id]}]")]),
        ("AZS242", [part("scoringProfiles: [{name: p}]")]),
        ("AZS242", [part("scoringProfiles: [{name: p, text: {weights: {vector: 2}}}]")]),
        ("AZS206", [part(f"similarity: {{{ANALYSIS}ClassicSimilarity'}}")]),
        ("AZS208", [vectorizer(AOAI % "text-embeding-3-small")]),
        ("AZS316", [vectorizer(AOAI % "text-embedding-3-small, apiKey: \"{{ secret('K') }}\", authIdentity: {a: 1}")]),
        ("AZS231", [(INDEX, "analyzer: en.lucene", "analyzer: pt-Br.microsoft")]),
        ("AZS234", [own("NGramTokenizer", "minGram: 3, maxGram: 3")]),
        (
            "AZS246",
            [
                *compression("kind: binaryQuantization, truncationDimension: 512"),
                (ENVIRONMENT, "wordllama, dimensions: 256", "text-embedding-ada-002, dimensions: 1536"),
            ],
        ),
    ],
)
def test_a_doubt_or_a_silence_is_a_warning(workspace, code, edits):
    assert (code, "warning") in codes(workspace, edits)


@pytest.mark.parametrize(
    "edits",
    [
        [(INDEX, "name: docs\n", "name: d\n")],
        [(INDEX, "name: docs\n", f"name: {'d' * 119}\n")],
        [(INDEX, "alias: docs-live", f"alias: {'a' * 128}")],
        [field(f"{{name: {'f' * 128}, type: Edm.String}}")],
        [(ENVIRONMENT, "dimensions: 256", "dimensions: 4096")],
        [(ENVIRONMENT, "dimensions: 256", "dimensions: 2")],
        [many(995)],
        [nested(10)],
        [on_vector("stored: false, retrievable: false")],
        [field("{name: x, type: Edm.String, indexAnalyzer: keyword, searchAnalyzer: whitespace}")],
        [field("{name: x, type: Collection(Edm.String), normalizer: lowercase}")],
        [field("{name: c, type: Edm.ComplexType, fields: [{name: a, type: Edm.String, sortable: true}]}")],
        [*HAMMING, field(f"{{name: b, type: Collection(Edm.Byte), {PACKED}}}")],
        [algorithms("algorithms: [{name: a, kind: hnsw, hnswParameters: {m: 4, efConstruction: 100, efSearch: 100}}]")],
        [
            algorithms(
                "algorithms: [{name: a, kind: hnsw, hnswParameters: {m: 10, efConstruction: 1000, efSearch: 1000}}]"
            )
        ],
        compression("kind: scalarQuantization, rescoringOptions: {defaultOversampling: 1, enableRescoring: true}"),
        compression("kind: binaryQuantization, rescoringOptions: {rescoreStorageMethod: discardOriginals}"),
        [ADDRESS, part(SEMANTIC % "prioritizedContentFields: [{fieldName: Address/City}]")],
        [part(f"similarity: {{{ANALYSIS}BM25Similarity', k1: 3, b: 1}}")],
        [part("corsOptions: {allowedOrigins: ['*'], maxAgeInSeconds: 0}")],
        [ADDRESS, part("scoringProfiles: [{name: p, text: {weights: {Address/City: 2}}}]")],
        [own("StandardTokenizerV2", "maxTokenLength: 300")],
        [own("NGramTokenizer", "minGram: 299, maxGram: 300, tokenChars: [letter, digit, whitespace]")],
        [own("LengthTokenFilter", "min: 0, max: 300")],
        [own("MappingCharFilter", "mappings: ['a=>b', ' =>']")],
        [own("StemmerOverrideTokenFilter", "rules: ['running => run']")],
        [part(f"analyzers: [{{name: {'x' * 127}, {ANALYSIS}CustomAnalyzer', tokenizer: classic}}]")],
        [vectorizer(WEB % "uri: 'https://x/y', timeout: PT230S, httpMethod: PUT")],
        [vectorizer(AOAI % "text-embedding-3-large")],
    ],
)
def test_what_azure_takes_at_the_edge_is_no_error(workspace, edits):
    found = codes(workspace, edits)
    assert not {code for code, severity in found if severity == "error"}, found


def test_a_synonym_map_has_a_name_a_format_and_few_rules_on_a_small_service(workspace):
    workspace.write("synonymmaps/x.yaml", "name: Bad_Name\nformat: wordnet\nsynonyms: 'a, b'\n")
    assert {"AZS509", "AZS202"} <= told(codes(workspace, []))
    rules = "\n".join(f"  a{n}, b" for n in range(5_001))
    workspace.write("synonymmaps/x.yaml", f"name: x\nsynonyms: |\n{rules}\n")
    assert codes(workspace, []) == set()
    assert "AZS517" in told(
        codes(workspace, [(ENVIRONMENT, "endpoint: local", "endpoint: local\nservice: {tier: free}")])
    )
