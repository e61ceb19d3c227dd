"""What Azure refuses of search requests and sources, a row for each kind of fault; and what it takes at the edge."""

import pytest
from faulty import (
    ANALYSIS,
    INDEX,
    QUERIES,
    algorithms,
    codes,
    compression,
    field,
    mode,
    part,
    profiles,
    request,
    retrieval,
    source,
)

SQL = (INDEX, "type: azureblob", "type: azuresql")
NUMBER = field("{name: n, type: Edm.Int32}")
ROOMS = field("{name: Rooms, type: Collection(Edm.ComplexType), fields: [{name: Rate, type: Edm.Double}]}")
TAGS = field("{name: tags, type: Collection(Edm.String)}")
BARE = field("{name: x, type: Edm.String, filterable: false, sortable: false, facetable: false}")
TAGGED = "scoringProfiles: [{name: p, functions: [{type: tag, fieldName: path, boost: 2, tag: {tagsParameter: t}}]}]"
SEMANTIC = part(
    "semantic: {defaultConfiguration: c, configurations: "
    "[{name: c, prioritizedFields: {titleField: {fieldName: chunk}}}]}"
)


def vector_query(text):
    return request(f"vectorQueries: [{{{text}}}]")


def filtered(text):
    return request(f'filter: "{text}"')


def mapped(function):
    return source(f"fieldMappings: [{{sourceFieldName: a, targetFieldName: path, mappingFunction: {{{function}}}}}]")


@pytest.mark.parametrize(
    ("code", "edits"),
    [
        # Filters
        ("AZS401", [filtered("zz eq 1")]),
        ("AZS401", [ROOMS, filtered("Rooms/any(r: r/Price lt 100)")]),
        ("AZS402", [BARE, filtered("x eq 'a'")]),
        ("AZS402", [filtered("vector eq 1")]),
        ("AZS414", [filtered("path gt 'a'")]),
        ("AZS414", [filtered("path eq 'a")]),
        ("AZS414", [filtered("path == 'a'")]),
        ("AZS414", [filtered("startswith(path, 'a')")]),
        ("AZS414", [filtered("(path eq 'a'")]),
        ("AZS414", [filtered("path eq 'a' path")]),
        ("AZS414", [filtered("path in ('a', 'b')")]),
        ("AZS414", [filtered("path eq parent_id")]),
        ("AZS414", [filtered("search.in(path)")]),
        ("AZS414", [NUMBER, filtered("n gt null")]),
        ("AZS414", [NUMBER, filtered("n eq '1'")]),
        ("AZS414", [TAGS, filtered("tags eq 'a'")]),
        ("AZS414", [TAGS, filtered("tags/any(t: t ne 'a')")]),
        ("AZS414", [TAGS, filtered("tags/all()")]),
        ("AZS414", [TAGS, filtered("tags/any(t: path eq 'a')")]),
        ("AZS414", [filtered("(" * 60 + "path eq 'a'" + ")" * 60)]),
        ("AZS414", [(QUERIES, "query: How many days?", "query: How many days?\n    filter: contains(path, 'a')")]),
        # Settings with a form of their own
        ("AZS413", [request("highlightPreTag: '<b>'")]),
        ("AZS413", [request("sessionId: _a")]),
        ("AZS413", [request("scoringParameters: [abc]")]),
        ("AZS413", [part(TAGGED), request("scoringProfile: p")]),
        ("AZS413", [SEMANTIC, request("queryType: semantic, answers: 'extractive|count-11'")]),
        ("AZS413", [SEMANTIC, request("queryType: semantic, answers: generative")]),
        ("AZS413", [SEMANTIC, request("queryType: semantic, captions: abstractive")]),
        ("AZS413", [request("orderby: 'search.score() down'")]),
        ("AZS402", [BARE, request("orderby: 'search.score() desc, x'")]),
        ("AZS402", [TAGS, request("orderby: 'search.score() desc, tags'")]),
        ("AZS401", [request("facets: [zz]")]),
        ("AZS402", [BARE, request("facets: ['x,count:5']")]),
        ("AZS402", [request("searchFields: vector")]),
        ("AZS401", [ROOMS, request("searchFields: 'chunk,Rooms/Name'")]),
        ("AZS202", [request("debug: scores")]),
        ("AZS407", [request("top: 1001")]),
        ("AZS415", [request("search: hello")]),
        ("AZS703", [(QUERIES, "query: How many days?", f"query: {'a ' * 50_001}")]),
        # Vector queries in REST's shape
        ("AZS413", [vector_query("kind: text, fields: vector")]),
        ("AZS413", [vector_query("kind: vector, fields: vector")]),
        ("AZS224", [vector_query("kind: vector, vector: [1, 2], fields: vector")]),
        ("AZS202", [vector_query("kind: vector, vector: [a], fields: vector")]),
        ("AZS401", [vector_query("kind: text, text: x, fields: zz")]),
        ("AZS403", [vector_query("kind: text, text: x, fields: chunk")]),
        ("AZS407", [vector_query("kind: text, text: x, fields: vector, weight: 0")]),
        ("AZS404", [vector_query("kind: text, text: x, fields: vector, threshold: {kind: searchScore, value: 0.5}")]),
        (
            "AZS405",
            [
                mode("vector"),
                vector_query("kind: text, text: x, fields: vector, threshold: {kind: vectorSimilarity, value: 5}"),
            ],
        ),
        # Sources
        ("AZS521", [source("parsingMode: json, configuration: {parsingMode: text}")]),
        ("AZS521", [SQL, source("configuration: {queryTimeout: '5 min'}")]),
        ("AZS201", [source("schedule: {intervall: PT1H}")]),
        ("AZS511", [source("schedule: {interval: PT1H, startTime: tomorrow}")]),
        ("AZS523", [mapped("name: extractTokenAtPosition, parameters: {delimiter: ' ', position: -1}")]),
        ("AZS523", [mapped("name: base64Encode, parameters: {useUrl: true}")]),
        ("AZS523", [mapped("name: base64Encode, parameters: {useHttpServerUtilityUrlTokenEncode: maybe}")]),
        ("AZS523", [mapped("name: base64Encode, parameters: [1]")]),
        ("AZS522", [ROOMS, source("fieldMappings: [{sourceFieldName: a, targetFieldName: Rooms/Rate}]")]),
        (
            "AZS522",
            [ROOMS, source("outputFieldMappings: [{sourceFieldName: /document/content, targetFieldName: Rooms/Rate}]")],
        ),
    ],
)
def test_a_refusal_is_an_error(workspace, code, edits):
    assert (code, "error") in codes(workspace, edits)


@pytest.mark.parametrize(
    ("code", "edits"),
    [
        ("AZS406", [SEMANTIC, request("captions: extractive")]),
        ("AZS406", [SEMANTIC, request("semanticConfiguration: c")]),
        ("AZS406", [mode("text"), retrieval("top: 5"), request("hybridSearch: {maxTextRecallSize: 100}")]),
        ("AZS406", [part(TAGGED), mode("vector"), request("scoringProfile: p")]),
        ("AZS408", [SEMANTIC, mode("vector"), request("queryType: semantic")]),
        ("AZS413", [part(f"{TAGGED}\n  defaultScoringProfile: p")]),
        ("AZS415", [vector_query("kind: text, text: x, fields: vector")]),
        (
            "AZS416",
            [request("filter: \"path eq 'b'\", vectorQueries: [{kind: text, filterOverride: \"path eq 'a'\"}]")],
        ),
        ("AZS205", [retrieval("top: 5, k: 50, threshold: 0.5")]),
        ("AZS205", [request("filter: \"path eq 'b'\", vectorFilterMode: strictPostFilter")]),
        ("AZS521", [source("parsingMode: jsonArray, configuration: {documentRoot: a/b}")]),
        ("AZS521", [source("configuration: {queryTimeout: '00:05:00'}")]),
        (
            "AZS522",
            [
                source(
                    "fieldMappings: [{sourceFieldName: a, targetFieldName: path}, {sourceFieldName: b, "
                    "targetFieldName: path}]"
                )
            ],
        ),
        (
            "AZS524",
            [
                source(
                    f"dataDeletionDetectionPolicy: {{{ANALYSIS}SoftDeleteColumnDeletionDetectionPolicy', "
                    "softDeleteColumnName: x}"
                )
            ],
        ),
        (
            "AZS524",
            [
                source(
                    f"dataChangeDetectionPolicy: {{{ANALYSIS}HighWaterMarkChangeDetectionPolicy', "
                    "highWaterMarkColumnName: x}"
                )
            ],
        ),
        ("AZS527", [source("configuration: {indexedFileNameExtensions: 'pdf, docx'}")]),
        ("AZS527", [source("configuration: {indexedFileNameExtensions: '.pdf', excludedFileNameExtensions: '.pdf'}")]),
        ("AZS528", [SQL]),
        ("AZS529", [source("configuration: {dataToExtract: storageMetadata}")]),
    ],
)
def test_a_doubt_or_a_silence_is_a_warning(workspace, code, edits):
    assert (code, "warning") in codes(workspace, edits)


@pytest.mark.parametrize(
    "edits",
    [
        [
            TAGS,
            filtered("path eq 'it''s zz' and tags/any(t: t eq 'x' or search.in(t, 'a,b')) and not search.ismatch('z')"),
        ],
        [TAGS, filtered("tags/any() and not tags/all(t: not (t eq 'x'))")],
        [field("{name: g, type: Edm.GeographyPoint}"), filtered("geo.distance(g, geography'POINT(-122 47)') le 5")],
        [field("{name: d, type: Edm.DateTimeOffset}"), filtered("d gt 2020-01-01T00:00:00Z or d eq null")],
        [ROOMS, filtered("Rooms/any(r: r/Rate lt 100.5e2 and r/Rate ge -1)")],
        [field("{name: b, type: Edm.Boolean}"), filtered("b or not b and true")],
        [NUMBER, filtered("3 lt n and n ne null")],
        [part(TAGGED), request("scoringProfile: p, scoringParameters: ['t-a,b']")],
        [request("highlight: chunk-3, highlightPreTag: '<b>', highlightPostTag: '</b>'")],
        [request("minimumCoverage: 100, skip: 100000, facets: ['path,count:5']")],
        [retrieval("top: 1000, k: 1000")],
        [SEMANTIC, request("queryType: semantic, answers: 'extractive|count-10,threshold-0.7', captions: extractive")],
        [SEMANTIC, request("semanticQuery: x, semanticConfiguration: c")],
        [request("hybridSearch: {maxTextRecallSize: 10000}")],
        [
            *compression("kind: binaryQuantization"),
            vector_query("kind: text, text: x, fields: vector, oversampling: 1"),
        ],
        [mode("vector"), retrieval("top: 5, k: 50, threshold: 1")],
        [request('vectorQueries: [{kind: text, text: "{% raw %}{{query}}{% endraw %}", fields: vector}]')],
        [ROOMS, request("searchFields: chunk, orderby: 'search.score() desc, path asc'")],
        [source("schedule: PT5M")],
        [source("schedule: {interval: P1D, startTime: '2026-01-01T00:00:00Z'}")],
        [source("parameters: {maxFailedItems: -1, maxFailedItemsPerBatch: -1, batchSize: 1}")],
        [source("configuration: {indexedFileNameExtensions: '.pdf,.docx', excludedFileNameExtensions: '.png'}")],
        [mapped("name: extractTokenAtPosition, parameters: {delimiter: ' ', position: 0}")],
        [source("configuration: {parsingMode: markdown, markdownHeaderDepth: h6}")],
    ],
)
def test_what_azure_takes_at_the_edge_is_no_error(workspace, edits):
    found = codes(workspace, edits)
    assert not {code for code, severity in found if severity == "error"}, found


def test_a_parsing_mode_in_the_configuration_counts(workspace):
    workspace.edit(workspace.index, "schedule: PT1H", "configuration: {parsingMode: jsonArray, documentRoot: /a}")
    index = workspace.load().indexes["docs"]
    assert index.source.parsing_mode == "jsonArray"
    # Each item has a key of its own, so the key of the blob must not be mapped
    assert workspace.render().indexer["fieldMappings"][0]["sourceFieldName"] == "AzureSearch_DocumentKey"


def test_an_exhaustive_field_says_what_it_does_not_do(workspace):
    edits = [
        algorithms(
            "algorithms: [{name: a, kind: exhaustiveKnn}]\n    compressions: [{name: c, kind: binaryQuantization}]"
        ),
        profiles("profiles: [{name: p, algorithm: a, vectorizer: embedding, compression: c}]"),
        vector_query("kind: text, text: x, fields: vector, exhaustive: false"),
    ]
    assert {("AZS246", "warning"), ("AZS412", "warning")} <= codes(workspace, edits)
