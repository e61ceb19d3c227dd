"""How long validate and render take, as ratios to parsing the same YAML with PyYAML's C loader.

Run as `python tests/benchmarks/definitions.py [--indexes 200] [--fields 60]`; exits 1 above the bounds.
Everything is measured in one process, side by side, best of three, in seconds of the processor: others may share it.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

VALIDATE_AT_MOST, RENDER_AT_MOST = 3.0, 4.0

ENVIRONMENT = """\
endpoint: https://example.search.windows.net
connections: {docs: {connectionString: "ResourceId=/subscriptions/s/storageAccounts/a;"}}
variables: {embedding: {uri: "https://e.openai.azure.com", deployment: d, model: text-embedding-3-small, size: 256}}
"""
SKILLSET = """\
name: shared
chunking: {textSplitMode: pages, maximumPageLength: 2000, pageOverlapLength: 200, defaultLanguageCode: en}
embedding:
  resourceUri: "{{ embedding.uri }}"
  deploymentId: "{{ embedding.deployment }}"
  modelName: "{{ embedding.model }}"
  dimensions: "{{ embedding.size }}"
"""
HEAD = """\
name: index{n}
alias: index{n}-live
skillset: shared
source: {{type: azureblob, connection: docs, container: c{n}}}
projection:
  parent: parentKey
  path: /document/metadata_storage_path
  chunk: /document/pages/*
  vector: /document/pages/*/text_vector
retrieval: {{mode: hybrid, top: 5, k: 50, request: {{select: "id,path,chunk"}}}}
index:
  vectorSearch:
    algorithms: [{{name: a, kind: hnsw}}]
    profiles: [{{name: p, algorithm: a, vectorizer: embedding}}]
  fields:
    - {{name: id, type: Edm.String, key: true, analyzer: keyword}}
    - {{name: parent, type: Edm.String, searchable: false, filterable: true}}
    - {{name: path, type: Edm.String, searchable: false}}
    - {{name: chunk, type: Edm.String, analyzer: en.lucene}}
    - {{name: vector, type: Collection(Edm.Single), dimensions: "{{{{ embedding.size }}}}", vectorSearchProfile: p}}
"""
FIELD = """\
    - name: field{n}
      type: Edm.String
      searchable: true
      filterable: false
      sortable: false
      facetable: true
      retrievable: true
      analyzer: en.lucene
"""


def write(root: Path, indexes: int, fields: int) -> list[Path]:
    """The project's files."""
    files = {"infra/environments/local.yaml": ENVIRONMENT, "skillsets/shared.yaml": SKILLSET}
    rest = "".join(FIELD.format(n=n) for n in range(fields - 5))
    for n in range(indexes):
        files[f"indexes/index{n}/index.yaml"] = HEAD.format(n=n) + rest
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return [root / name for name in files]


def best(work: Callable[[], object], times: int = 3) -> float:
    """Seconds of processor time of the fastest run."""
    found = []
    for _ in range(times):
        gc.collect()
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def main() -> int:
    """Prints the ratios."""
    from azsearch_ops.bodies.render import render
    from azsearch_ops.definitions.project import load_project
    from azsearch_ops.verbs.checking import validate

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--indexes", type=int, default=200)
    parser.add_argument("--fields", type=int, default=60)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files = write(root, chosen.indexes, chosen.fields)
        found = validate(root, "local", {})
        assert found.exit_code == 0, found.problems[:5]

        def parse() -> None:
            for file in files:
                yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)

        def render_all() -> None:
            project = load_project(root, "local", {})
            for name in project.indexes:
                render(project, name)

        base = best(parse)
        checked, rendered = best(lambda: validate(root, "local", {})), best(render_all)
    print(f"{chosen.indexes} indexes with {chosen.fields} fields; parsing alone {base:.2f} s")
    print(f"validate {checked:.2f} s  {checked / base:.2f} x  (at most {VALIDATE_AT_MOST:g})")
    print(f"render   {rendered:.2f} s  {rendered / base:.2f} x  (at most {RENDER_AT_MOST:g})")
    return int(checked / base > VALIDATE_AT_MOST or rendered / base > RENDER_AT_MOST)


if __name__ == "__main__":
    sys.exit(main())
