"""Blobs that hold entities: JSON, JSON arrays, JSON lines and delimited text."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.documents.cracked import CrackError
from azsearch_ops.documents.records import delimited, json_array, json_lines, json_object


def test_one_object() -> None:
    assert json_object(b'\xef\xbb\xbf {"a": {"b": [1, null]}, "c": "\\u00e8"}').fields == {
        "a": {"b": [1, None]},
        "c": "è",
    }
    for bad, said in ((b"[1]", "an array"), (b"3", "a number"), (b"null", "null"), (b"{", "parsed as JSON")):
        with pytest.raises(CrackError, match=said):
            json_object(bad)
    with pytest.raises(CrackError, match="NaN"):
        json_object(b'{"a": NaN}')
    with pytest.raises(CrackError):
        json_object(b"[" * 100_000)


def test_lines_are_numbered_without_blank_ones_and_a_bad_one_stands_alone() -> None:
    records = list(json_lines('{"a": 1}\r\n\n  \n{"a": \n["x"]\n{"a": "one\u2028two"}'.encode()))
    assert [record.number for record in records] == [1, 2, 3, 4]
    assert [dict(record.fields) for record in records] == [{"a": 1}, {}, {}, {"a": "one\u2028two"}]
    assert not records[0].fault and "parsed as JSON" in records[1].fault and "an array" in records[2].fault
    assert list(json_lines(b"")) == []


def test_an_array_at_its_root() -> None:
    data = b'{"level1": {"level2": [{"a": 1}, 7, {"a": 2}]}}'
    records = list(json_array(data, "/level1/level2"))
    assert [(record.number, dict(record.fields)) for record in records] == [(1, {"a": 1}), (2, {}), (3, {"a": 2})]
    assert "a number" in records[1].fault
    assert [dict(record.fields) for record in json_array(b'[{"b": 1}]')] == [{"b": 1}]
    for root in ("", "/level1", "/level1/level3", "/level1/level2/0"):
        with pytest.raises(CrackError, match="no array"):
            list(json_array(data, root))


def test_rows_with_the_example_of_the_documentation() -> None:
    """Of the page about CSV blobs: quoted delimiters, doubled quotes, blanks behind delimiters."""
    data = b'\n\nid, datePublished, tags\n1, 2020-01-05, "tags,with,""quoted text"""\n\n2, 2016-07-07\n3,x,y,z\n'
    records = list(delimited(data))
    assert dict(records[0].fields) == {"id": "1", "datePublished": "2020-01-05", "tags": 'tags,with,"quoted text"'}
    assert dict(records[1].fields) == {"id": "2", "datePublished": "2016-07-07"}
    assert "4 cells" in records[2].fault and [record.number for record in records] == [1, 2, 3]
    named = list(delimited(b"1|a\n2|b", headers=("id", "name"), delimiter="|"))
    assert [dict(record.fields) for record in named] == [{"id": "1", "name": "a"}, {"id": "2", "name": "b"}]


def test_delimited_text_is_utf_8() -> None:
    with pytest.raises(CrackError, match="not UTF-8"):
        list(delimited("naïve".encode("latin-1")))


@given(st.lists(st.dictionaries(st.text(max_size=5), st.none() | st.text() | st.integers() | st.lists(st.text()))))
def test_lines_come_back_as_they_were_written(objects: list[dict[str, object]]) -> None:
    data = "\n".join(json.dumps(item, ensure_ascii=False) for item in objects)
    try:
        encoded = data.encode()
    except UnicodeEncodeError:
        encoded = "\n".join(json.dumps(item) for item in objects).encode()
    assert [dict(record.fields) for record in json_lines(encoded)] == objects


cells = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1).filter(
    lambda cell: bool(cell.strip()) and not cell.startswith(" ")
)


@given(st.lists(st.tuples(cells, cells)))
def test_rows_come_back_as_they_were_written(rows: list[tuple[str, str]]) -> None:
    written = StringIO(newline="")
    csv.writer(written, quoting=csv.QUOTE_ALL).writerows(rows)
    records = list(delimited(written.getvalue().encode(), headers=("a", "b")))
    assert [(record.fields["a"], record.fields["b"]) for record in records] == rows
