"""What Azure refuses of skills, projections and knowledge stores, a row for each kind; and what it takes."""

import pytest
from faulty import INDEX, SKILL, SKILLSET, codes, skill, source

TEXT = "inputs: [{name: text, source: /document/content}]"
READS_FILE = source("configuration: {allowSkillsetToReadFileData: true}")
IMAGES = source("configuration: {imageAction: generateNormalizedImages}")
CHAT = "uri: 'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21'"


def text_skill(kind, settings="", output="text"):
    return skill(f"{kind}', {settings}{TEXT}, outputs: [{{name: {output}, targetName: o}}]")


def file_skill(kind, settings="", output="text_sections"):
    inputs = "inputs: [{name: file_data, source: /document/file_data}]"
    return skill(f"Util.{kind}', {settings}{inputs}, outputs: [{{name: {output}, targetName: o}}]")


def image_skill(kind, settings, output):
    inputs = "inputs: [{name: image, source: '/document/normalized_images/*'}]"
    return skill(
        f"Vision.{kind}', context: '/document/normalized_images/*', {settings}{inputs}, "
        f"outputs: [{{name: {output}, targetName: o}}]"
    )


def chat(settings=CHAT):
    return skill(
        f"Custom.ChatCompletionSkill', {settings}, inputs: [{{name: userMessage, source: \"='hi'\"}}], "
        "outputs: [{name: response, targetName: o}]"
    )


def called(kind, settings):
    return skill(
        f"Custom.{kind}', {settings}, inputs: [{{name: a, source: /document/content}}], outputs: [{{name: o}}]"
    )


def shaped(inputs):
    return skill(f"Util.ShaperSkill', inputs: [{inputs}], outputs: [{{name: output, targetName: o}}]")


def merged(*pairs):
    skills = "\n  - ".join(
        f"{{{SKILL}Text.MergeSkill', inputs: [{{name: text, source: /document/{read}}}], "
        f"outputs: [{{name: mergedText, targetName: {made}}}]}}"
        for read, made in pairs
    )
    return SKILLSET, "skills: []", f"skills:\n  - {skills}"


def store(projections, connection="storageConnectionString: 'ResourceId=/x;', "):
    return SKILLSET, "name: docs\n", f"name: docs\nknowledgeStore: {{{connection}projections: [{projections}]}}\n"


LAYOUT, UNDERSTANDING = "DocumentIntelligenceLayoutSkill", "ContentUnderstandingSkill"
EMBEDDING = "Text.AzureOpenAIEmbeddingSkill"
LOOKUP = "Text.CustomEntityLookupSkill"


@pytest.mark.parametrize(
    ("code", "edits"),
    [
        # What the indexer hands over only when told to
        ("AZS302", [image_skill("OcrSkill", "", "text")]),
        ("AZS302", [file_skill(LAYOUT, output="markdown_document")]),
        # The tree
        ("AZS304", [(INDEX, "  chunk: /document/pages/*\n", "  chunk: /document/pages\n")]),
        ("AZS302", [shaped("{name: a, source: \"= $(/document/contentt) + 'x'\"}")]),
        ("AZS307", [merged(("content", "content"))]),
        ("AZS319", [shaped("{name: a}")]),
        ("AZS319", [shaped("{name: a, source: /document/content, inputs: [{name: t, source: /document/content}]}")]),
        ("AZS320", [merged(("a", "a"))]),
        ("AZS320", [merged(("b", "a"), ("c", "b"), ("a", "c"))]),
        ("AZS318", [store("", connection="")]),
        ("AZS318", [store("{tables: [{generatedKeyName: k, source: /document/content}]}")]),
        ("AZS318", [store("{objects: [{source: /document/content}]}")]),
        ("AZS318", [store("{files: [{storageContainer: c}]}")]),
        ("AZS302", [store("{objects: [{storageContainer: c, source: /document/zz}]}")]),
        # Settings
        (
            "AZS317",
            [text_skill("Text.PIIDetectionSkill", "maskingMode: replace, maskingCharacter: '**', ", "maskedText")],
        ),
        ("AZS317", [text_skill(LOOKUP, output="entities")]),
        (
            "AZS317",
            [text_skill(LOOKUP, f"inlineEntitiesDefinition: [{{name: {'a' * 10_300}}}], ", "entities")],
        ),
        ("AZS315", [text_skill(LOOKUP, "entitiesDefinitionUri: 'http://x/y.csv', ", "entities")]),
        ("AZS202", [READS_FILE, file_skill("DocumentExtractionSkill", "parsingMode: xml, ", "content")]),
        ("AZS202", [READS_FILE, file_skill("DocumentExtractionSkill", "dataToExtract: text, ", "content")]),
        (
            "AZS202",
            [READS_FILE, file_skill("DocumentExtractionSkill", "configuration: {imageAction: all}, ", "content")],
        ),
        (
            "AZS203",
            [
                READS_FILE,
                file_skill("DocumentExtractionSkill", "configuration: {normalizedImageMaxWidth: 10001}, ", "content"),
            ],
        ),
        ("AZS202", [IMAGES, image_skill("ImageAnalysisSkill", "visualFeatures: [colour], ", "tags")]),
        ("AZS202", [IMAGES, image_skill("ImageAnalysisSkill", "details: [people], ", "tags")]),
        ("AZS204", [text_skill(EMBEDDING, "deploymentId: d, modelName: m, ", "embedding")]),
        ("AZS204", [text_skill(EMBEDDING, "resourceUri: 'https://x', modelName: m, ", "embedding")]),
        ("AZS204", [text_skill(EMBEDDING, "resourceUri: 'https://x', deploymentId: d, ", "embedding")]),
        ("AZS317", [READS_FILE, file_skill(LAYOUT, "outputFormat: markdown, ")]),
        ("AZS317", [READS_FILE, file_skill(LAYOUT, "outputFormat: text, ", "markdown_document")]),
        (
            "AZS317",
            [READS_FILE, file_skill(LAYOUT, "chunkingProperties: {maximumLength: 2000}, ", "markdown_document")],
        ),
        (
            "AZS317",
            [
                READS_FILE,
                file_skill(
                    LAYOUT, "outputFormat: text, chunkingProperties: {maximumLength: 400, overlapLength: 200}, "
                ),
            ],
        ),
        ("AZS202", [READS_FILE, file_skill(LAYOUT, "extractionOptions: [pictures], ", "markdown_document")]),
        (
            "AZS317",
            [READS_FILE, file_skill(UNDERSTANDING, "chunkingProperties: {maximumLength: 400, overlapLength: 200}, ")],
        ),
        ("AZS202", [chat(f"{CHAT}, responseFormat: {{type: xml}}")]),
        ("AZS317", [chat(f"{CHAT}, responseFormat: {{type: jsonSchema}}")]),
        ("AZS202", [chat(f"{CHAT}, extraParametersBehavior: ignore")]),
        ("AZS315", [called("AmlSkill", "uri: 'https://x', timeout: PT4M")]),
        ("AZS315", [called("AmlSkill", "uri: 'http://x'")]),
        ("AZS202", [called("WebApiSkill", "uri: 'https://x', httpMethod: GET")]),
        ("AZS315", [called("WebApiSkill", "uri: 'https://x', httpHeaders: [a]")]),
    ],
)
def test_a_refusal_is_an_error(workspace, code, edits):
    assert (code, "error") in codes(workspace, edits)


@pytest.mark.parametrize(
    ("code", "edits"),
    [
        ("AZS208", [text_skill("Text.KeyPhraseExtractionSkill", "defaultLanguageCode: xx, ", "keyPhrases")]),
        ("AZS208", [text_skill("Text.TranslationSkill", "defaultToLanguageCode: xx, ", "translatedText")]),
        ("AZS208", [IMAGES, image_skill("OcrSkill", "defaultLanguageCode: xx, ", "text")]),
        ("AZS317", [text_skill("Text.PIIDetectionSkill", output="maskedText")]),
        (
            "AZS317",
            [
                text_skill(
                    LOOKUP, "entitiesDefinitionUri: 'https://x', inlineEntitiesDefinition: [{name: a}], ", "entities"
                )
            ],
        ),
        ("AZS315", [chat("uri: 'https://api.openai.com/v1/chat/completions'")]),
        ("AZS315", [chat("uri: 'https://x.openai.azure.com/openai/deployments/d/embeddings'")]),
        (
            "AZS205",
            [
                READS_FILE,
                file_skill(
                    LAYOUT, "outputFormat: text, chunkingProperties: {unit: azureOpenAITokens, maximumLength: 512}, "
                ),
            ],
        ),
    ],
)
def test_a_doubt_or_a_silence_is_a_warning(workspace, code, edits):
    assert (code, "warning") in codes(workspace, edits)


@pytest.mark.parametrize(
    "edits",
    [
        [READS_FILE, file_skill(LAYOUT, output="markdown_document")],
        [
            READS_FILE,
            file_skill(
                LAYOUT,
                "outputFormat: text, extractionOptions: [images, locationMetadata], "
                "chunkingProperties: {unit: characters, maximumLength: 50000, overlapLength: 24999}, ",
            ),
        ],
        [READS_FILE, file_skill(UNDERSTANDING, "chunkingProperties: {maximumLength: 300, overlapLength: 149}, ")],
        [IMAGES, image_skill("OcrSkill", "defaultLanguageCode: unk, lineEnding: lineFeed, ", "text")],
        [IMAGES, image_skill("ImageAnalysisSkill", "visualFeatures: [tags], details: [landmarks], ", "tags")],
        [text_skill("Text.V3.EntityRecognitionSkill", "minimumPrecision: 1, categories: [Person], ", "persons")],
        [text_skill(EMBEDDING, "resourceUri: 'https://x', deploymentId: d, modelName: m, ", "embedding")],
        [text_skill("Text.TranslationSkill", "defaultToLanguageCode: de, ", "translatedText")],
        [chat()],
        [called("WebApiSkill", "uri: 'https://x', timeout: PT230S, batchSize: 1, degreeOfParallelism: 10")],
        [called("AmlSkill", "uri: 'https://x', timeout: PT230S, degreeOfParallelism: 10")],
        [shaped("{name: a, sourceContext: '/document/pages/*', inputs: [{name: t, source: '/document/pages/*'}]}")],
        [shaped("{name: a, source: '/document/pages/#'}, {name: b, source: /document/pages/0}")],
        [shaped("{name: a, source: \"= $(/document/content) + 'x'\"}, {name: b, source: '=42'}")],
        [merged(("content", "a"), ("a", "b"), ("a", "c"), ("b", "d"))],
        [store("{tables: [{tableName: t, source: /document/content}], objects: [], files: null}")],
    ],
)
def test_what_azure_takes_at_the_edge_is_no_error(workspace, edits):
    found = codes(workspace, edits)
    assert not {code for code, severity in found if severity == "error"}, found
