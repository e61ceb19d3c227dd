"""The handbook is large and varied enough to tell good chunking from bad."""

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath

from azsearch_ops.documents.cracked import Cracked

Handbook = Mapping[str, Cracked]


def test_every_kind_of_file_is_there(handbook: Handbook) -> None:
    kinds = Counter(PurePosixPath(path).suffix for path in handbook)
    assert set(kinds) == {".md", ".html", ".txt", ".pdf"}
    assert len(handbook) >= 40
    assert kinds[".pdf"] >= 4
    assert kinds[".html"] >= 6
    assert kinds[".txt"] >= 5


def test_there_is_enough_text(handbook: Handbook) -> None:
    assert sum(len(document.text) for document in handbook.values()) >= 130_000


def test_every_document_gives_several_chunks(handbook: Handbook) -> None:
    short = {path: len(document.text) for path, document in handbook.items() if len(document.text) <= 2_000}
    assert not short


def test_every_document_is_read_without_warnings(handbook: Handbook) -> None:
    assert not {path: document.warnings for path, document in handbook.items() if document.warnings}


def test_documents_lie_in_folders(handbook: Handbook) -> None:
    folders = {PurePosixPath(path).parent.as_posix() for path in handbook}
    assert folders == {"engineering", "facilities", "finance", "it", "people", "products", "security"}


def test_the_italian_office_has_its_own_documents(handbook: Handbook) -> None:
    italian = {path: document.text.lower().split() for path, document in handbook.items() if path.startswith("it/")}
    assert len(italian) >= 6
    for path, words in italian.items():
        share = sum(word in {"di", "il", "la", "che", "si", "per", "e", "un", "non", "del"} for word in words)
        assert share / len(words) > 0.1, path


def test_pdf_lines_stand_in_reading_order(handbook: Handbook) -> None:
    text = handbook["products/gw-8-gateway.pdf"].text
    headings = ["Models", "Mounting", "Electrical connection", "First start", "Passwords and updates", "Spare parts"]
    places = [text.index(f"\n{heading}\n") for heading in headings]
    assert places == sorted(places)
    assert "GW-8E\nEthernet\n24 V or PoE\n-20 to +60 C\n25-8000-03\n540\n" in text
