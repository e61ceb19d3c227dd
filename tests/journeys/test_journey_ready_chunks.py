"""Chunks that were made elsewhere: JSON lines in, a skillset that only embeds, the same release as any other."""

from __future__ import annotations

import json

from projects import SMALL_DOCUMENTS, Project


def as_ready_chunks(project: Project) -> None:
    """The small project with each document as a blob of JSON lines, one a chunk, and no Text Split."""
    container = project.root / "infra/local/containers/handbook"
    queries = (project.root / "indexes/handbook/queries.yaml").read_text("utf-8")
    for name, text in SMALL_DOCUMENTS.items():
        (container / name).unlink()
        lines = [json.dumps({"text": part}) for part in text.strip().split("\n\n")]
        (container / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        queries = queries.replace(f"document: {name}", f"document: {name}.jsonl")
    (project.root / "indexes/handbook/queries.yaml").write_text(queries, "utf-8")
    path = project.root / "skillsets/handbook.yaml"
    _, _, rest = path.read_text("utf-8").partition("embedding:")
    inputs = "  inputs: [{name: text, source: /document/text}]\n"
    path.write_text("name: handbook\nembedding:" + rest.replace("skills: []", f"{inputs}skills: []"), "utf-8")
    project.replace("indexes/handbook/index.yaml", "parsingMode: default", "parsingMode: jsonLines")
    project.replace("indexes/handbook/index.yaml", "chunk: /document/pages/*\n", "chunk: /document/text\n")
    project.replace("indexes/handbook/index.yaml", "/document/pages/*/text_vector", "/document/text_vector")


def test_ready_made_chunks_are_shipped_as_they_are(small: Project) -> None:
    as_ready_chunks(small)
    small.replace("infra/environments/local.yaml", "model: wordllama", "model: text-embedding-3-small")
    first = small.data("ship", "handbook")
    assert (first["verdict"], first["promoted"]) == ("pass", True)
    assert (first["build"]["documents"], first["build"]["chunks"]) == (4, 6)
    assert first["metrics"]["recall@2000t"]["candidate"] == 1.0
    record = json.loads((small.root / first["evaluation"]["path"]).read_text("utf-8"))
    assert record["measured"]["model"] == "wordllama for text-embedding-3-small", "what answered"
    assert small.data("plan", "handbook", "--detailed-exitcode")["changed"] == []
    assert small.data("ship", "handbook")["unchanged"] is True


def test_a_broken_line_is_named_and_nothing_is_released(small: Project) -> None:
    as_ready_chunks(small)
    path = small.root / "infra/local/containers/handbook/leave.md.jsonl"
    path.write_text(path.read_text("utf-8") + '{"text": \n', "utf-8")
    failed = small.run("ship", "handbook", "--output", "json")
    document = json.loads(failed.stdout)
    assert failed.returncode == 1
    assert [problem["code"] for problem in document["problems"]] == ["document-failed"]
    assert "leave.md.jsonl" in document["problems"][0]["message"]


def test_a_model_that_is_not_on_this_machine_names_the_command(small: Project) -> None:
    small.environ["AZSEARCH_MODELS"] = str(small.root / "none")
    wordllama = "deployment: wordllama, model: wordllama, dimensions: 256"
    minilm = "deployment: all-MiniLM-L6-v2, model: all-MiniLM-L6-v2, dimensions: 384"
    small.replace("infra/environments/local.yaml", wordllama, minilm)
    failed = small.run("ship", "handbook", "--output", "json")
    assert failed.returncode == 1
    assert "azsearch-ops local model add all-MiniLM-L6-v2" in json.loads(failed.stdout)["data"]["error"]["message"]
