"""The options of `evaluate` for an index without a project."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

_ANY = "Any existing index"


class Missing(StrEnum):
    """What becomes of judgements on documents that no index has."""

    skip = "skip"
    fail = "fail"


IndexOption = Annotated[
    list[str] | None,
    typer.Option("--index", metavar="INDEX", help="Twice: the second is the candidate.", rich_help_panel=_ANY),
]
QueriesOption = Annotated[
    Path | None, typer.Option("--queries", metavar="FILE", help="The query set.", rich_help_panel=_ANY)
]
QrelsOption = Annotated[
    Path | None, typer.Option("--qrels", metavar="FILE", help="Judgements of TREC topics.", rich_help_panel=_ANY)
]
SettingsOption = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="A search request with {{query}}.", rich_help_panel=_ANY),
]
EndpointOption = Annotated[
    str | None, typer.Option(envvar="AZSEARCH_ENDPOINT", help="Key: AZSEARCH_KEY.", rich_help_panel=_ANY)
]
ApiVersionOption = Annotated[str | None, typer.Option("--api-version", rich_help_panel=_ANY)]
ModeOption = Annotated[
    str | None, typer.Option("--mode", help="text (if not said), vector or hybrid.", rich_help_panel=_ANY)
]
VectorFieldOption = Annotated[list[str] | None, typer.Option("--vector-field", rich_help_panel=_ANY)]
SemanticOption = Annotated[
    str | None, typer.Option("--semantic", help="Semantic configuration for --modes.", rich_help_panel=_ANY)
]
KeyFieldOption = Annotated[str | None, typer.Option("--key-field", rich_help_panel=_ANY)]
DocumentFieldOption = Annotated[str | None, typer.Option("--document-field", rich_help_panel=_ANY)]
TextFieldOption = Annotated[str | None, typer.Option("--text-field", rich_help_panel=_ANY)]
MetricOption = Annotated[
    list[str] | None, typer.Option("--metric", help="Such as recall@2000t; repeat.", rich_help_panel=_ANY)
]
FloorOption = Annotated[
    list[str] | None, typer.Option("--floor", metavar="METRIC=VALUE", help="Repeat.", rich_help_panel=_ANY)
]
EmbeddingWindowOption = Annotated[
    list[str] | None,
    typer.Option(
        "--embedding-window", metavar="[INDEX=]TOKENS", help="Tokens that the model reads.", rich_help_panel=_ANY
    ),
]
MissingDocumentsOption = Annotated[
    Missing, typer.Option("--missing-documents", help="Judged, and in no index.", rich_help_panel=_ANY)
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="Where the run goes.", show_default=".azsearch/runs", rich_help_panel=_ANY
    ),
]
