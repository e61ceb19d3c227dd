"""A small project on disk that a test can edit, load, check and render."""

from __future__ import annotations

from pathlib import Path

import pytest

SKILLSET = """\
name: docs
chunking:
  textSplitMode: pages
  maximumPageLength: 2000
  pageOverlapLength: 500
  defaultLanguageCode: en
embedding:
  resourceUri: "{{ embedding.resourceUri }}"
  deploymentId: "{{ embedding.deployment }}"
  modelName: "{{ embedding.model }}"
  dimensions: "{{ embedding.dimensions }}"
skills: []
"""

INDEX = """\
name: docs
alias: docs-live
skillset: docs
source: {type: azureblob, connection: files, container: "{{ docs.container }}", schedule: PT1H}
projection:
  parent_id: parentKey
  path: /document/metadata_storage_path
  chunk: /document/pages/*
  vector: /document/pages/*/text_vector
index:
  fields:
    - {name: id, type: Edm.String, key: true, analyzer: keyword}
    - {name: parent_id, type: Edm.String, searchable: false, filterable: true}
    - {name: path, type: Edm.String, searchable: false}
    - {name: chunk, type: Edm.String, analyzer: en.lucene}
    - {name: vector, type: Collection(Edm.Single), dimensions: "{{ embedding.dimensions }}", vectorSearchProfile: p}
  vectorSearch:
    algorithms: [{name: a, kind: hnsw}]
    profiles: [{name: p, algorithm: a, vectorizer: embedding}]
retrieval: {mode: hybrid, top: 5, k: 50, request: {select: "id,path,chunk"}}
evaluation: {queries: queries.yaml, document: path, text: chunk, metrics: [recall@5]}
gate: {recall@5: {}}
"""

QUERIES = """\
queries:
  - id: q1
    query: How many days?
    relevant:
      - {document: leave.md, excerpt: "five unused days"}
"""

ENVIRONMENT = """\
endpoint: local
apiVersion: "2026-04-01"
connections: {files: {folder: infra/local/containers}}
variables:
  docs: {container: docs}
  embedding: {resourceUri: local, deployment: wordllama, model: wordllama, dimensions: 256}
"""


class Workspace:
    """The files of a small project: `edit` replaces words in one of them, `write` a whole file."""

    skillset = "skillsets/docs.yaml"
    index = "indexes/docs/index.yaml"
    queries = "indexes/docs/queries.yaml"
    environment = "infra/environments/local.yaml"

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write(self.skillset, SKILLSET)
        self.write(self.index, INDEX)
        self.write(self.queries, QUERIES)
        self.write(self.environment, ENVIRONMENT)
        self.write("infra/local/containers/docs/leave.md", "You may take up to five unused days.\n")

    def write(self, path: str, text: str) -> Workspace:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return self

    def edit(self, path: str, old: str, new: str) -> Workspace:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {path}"
        return self.write(path, text.replace(old, new, 1))

    def load(self, environment="local", environ=None):
        from azsearch_ops.definitions.project import load_project

        return load_project(self.root, environment, environ or {})

    def problems(self, environ=None):
        """Everything that is found, as "file:line CODE"."""
        return [f"{Path(p.location.path).name}:{p.location.line} {p.code}" for p in self.found(environ)]

    def found(self, environ=None):
        return self.checked("local", environ)[1]

    def checked(self, environment="local", environ=None):
        """The project as far as it can be understood (None without an environment), and all that is found."""
        from azsearch_ops.definitions.order import in_order
        from azsearch_ops.definitions.project import read_project
        from azsearch_ops.rules.check import check_project

        project, problems = read_project(self.root, environment, environ or {})
        return project, in_order((*problems, *check_project(project))) if project else problems

    def render(self, environment="local"):
        from azsearch_ops.bodies.render import render

        return render(self.load(environment), "docs")


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path)
