import pytest

from azsearch_ops.evaluation.paths import DocumentPaths, below_container


@pytest.mark.parametrize(
    ("address", "document"),
    [
        ("people/abroad.md", "people/abroad.md"),
        ("/handbook/people/abroad.md", "people/abroad.md"),
        ("https://acme.blob.core.windows.net/handbook/people/abroad.md", "people/abroad.md"),
        ("http://127.0.0.1:10000/devstoreaccount1/handbook/people/abroad.md", "people/abroad.md"),
        ("https://acme.blob.core.windows.net/handbook/it/%C3%9Cbersicht%20neu.md", "it/Übersicht neu.md"),
        ("it/U\u0308bersicht neu.md", "it/Übersicht neu.md"),
        ("people\\abroad.md", "people/abroad.md"),
        ("other-people/abroad.md", None),
        ("notabroad.md", None),
        ("", None),
    ],
)
def test_an_address_is_the_judged_document_whose_path_ends_it(address: str, document: str | None) -> None:
    paths = DocumentPaths(["people/abroad.md", "it/Übersicht neu.md"])
    assert paths.resolve(address) == document


def test_the_longest_judged_path_wins() -> None:
    paths = DocumentPaths(["a.md", "x/a.md"])
    assert paths.resolve("root/x/a.md") == "x/a.md"
    assert paths.resolve("root/y/a.md") == "a.md"


def test_a_blob_url_has_to_agree_below_its_container() -> None:
    paths = DocumentPaths(["a.md"])
    assert paths.resolve("https://acme.blob.core.windows.net/docs/a.md") == "a.md"
    assert paths.resolve("https://acme.blob.core.windows.net/docs/other/a.md") is None


def test_a_percent_sign_in_a_name_is_not_an_encoding() -> None:
    assert DocumentPaths(["100%25.md"]).resolve("docs/100%25.md") == "100%25.md"


def test_people_read_the_path_below_the_container() -> None:
    assert below_container("https://acme.blob.core.windows.net/docs/it/a%20b.md") == "it/a b.md"
    assert below_container("it/a.md") == "it/a.md"
    assert below_container("https://wiki.example/page") == "https://wiki.example/page"


def test_segments_that_say_nothing_do_not_count() -> None:
    paths = DocumentPaths(["a//b.md"])
    assert paths.resolve("./a/./b.md") == paths.resolve("https://x.blob.core.windows.net/c/a/b.md") == "a//b.md"
