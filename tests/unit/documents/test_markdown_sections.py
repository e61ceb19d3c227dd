"""Markdown is split at its headers and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.documents.markdown import _sections, markdown_document, markdown_sections


def sections(text, depth=6):
    return [(r.fields["content"], [h for h in r.fields["sections"].values() if h]) for r in found(text, depth)]


def found(text, depth=6):
    return list(markdown_sections(text.encode(), depth))


def test_text_above_all_headers_is_a_section_and_a_header_without_content_is_none():
    assert sections("Before.\n# A\n## B\nText.\n") == [("Before.\r\n", []), ("Text.\r\n", ["A", "B"])]
    assert [r.fields["ordinal_position"] for r in found("Before.\n# A\n## B\nText.\n")] == [1, 3]
    assert [r.number for r in found("Before.\n# A\n## B\nText.\n")] == [1, 2]


def test_headers_below_the_depth_are_text():
    assert sections("# A\nx\n### C\ny", 2) == [("x\r\n### C\r\ny\r\n", ["A"])]
    assert set(found("# A\nx", 3)[0].fields["sections"]) == {"h1", "h2", "h3"}


def test_a_shallower_header_ends_the_deeper_ones():
    assert sections("# A\n### C\nx\n## B\ny\n# D\nz") == [
        ("x\r\n", ["A", "C"]), ("y\r\n", ["A", "B"]), ("z\r\n", ["D"])
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["# A\n```\n# no\n```\nx", "# A\n~~~\n# no\n```\n# no\n~~~\nx", "# A\n#no\nx", "# A\n    # no\nx"]
)
def test_what_only_looks_like_a_header_is_text(text):
    assert [above for _, above in sections(text)] == [["A"]]


def test_marks_that_close_a_header_are_not_its_name():
    assert sections("## A ##\nx") == [("x\r\n", ["A"])]


def test_a_skipped_level_lies_under_the_nearest_header_above_it():
    top = markdown_document(b"## A\nx\n#### B\ny\n# C\n").fields["sections"]
    assert [(s["header_level"], s["header_name"], s["content"]) for s in top] == [("h2", "A", "x"), ("h1", "C", "")]
    assert [(s["header_level"], s["ordinal_position"]) for s in top[0]["sections"]] == [("h4", 2)]


@given(st.text(alphabet="#` \n\rab~", max_size=80), st.integers(1, 6))
def test_no_word_is_lost_and_none_comes_twice(text, depth):
    told = [word for section in _sections(text, depth) for word in f"{section.name} {section.content}".split()]
    assert bare(told) == bare(text.split())


def bare(words):
    """The words without the marks of headers."""
    return [word.strip("#") for word in words if word.strip("#")]
