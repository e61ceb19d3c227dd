"""Forms of definitions that are easier to see without the wire."""

from __future__ import annotations

import pytest

from azsearch_ops.local.containers import container_folder
from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.etags import new_etag
from azsearch_ops.local.objects.analysis import with_analysis_defaults
from azsearch_ops.local.objects.indexing import duration_seconds, moment
from azsearch_ops.local.objects.shape import full_form, shown
from azsearch_ops.local.wire import Call


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("PT5M", 300), ("PT05M00S", 300), ("P1D", 86400), ("PT1H30M", 5400), ("PT0.5S", 0.5), ("P", None), ("5M", None)],
)
def test_durations(text: str, seconds: float | None):
    assert duration_seconds(text) == seconds


def test_moments_are_utc_unless_they_say_otherwise():
    assert moment("2026-01-01T00:00:00") == moment("2026-01-01T01:00:00+01:00") == moment("2026-01-01T00:00:00Z")
    assert moment("soon") is None


def test_etags_never_come_twice():
    tags = [new_etag() for _ in range(1000)]
    assert len(set(tags)) == 1000
    assert tags == sorted(tags)
    assert tags[0].startswith('"0x8D')


def test_a_full_form_is_full_and_stays_what_it_is():
    form = full_form("indexer", {"name": "i", "dataSourceName": "d", "targetIndexName": "t", "@odata.etag": "x"})
    assert form["parameters"] is None and form["fieldMappings"] == [] and "@odata.etag" not in form
    assert full_form("indexer", form) == form
    assert "cache" not in shown("indexer", form, "2026-04-01")
    assert shown("indexer", form, "2025-11-01-preview")["cache"] is None


def test_analysis_parts_get_the_defaults_of_their_type():
    part = {"@odata.type": "#Microsoft.Azure.Search.PatternAnalyzer", "name": "p", "pattern": "x", "flags": None}
    assert with_analysis_defaults(part) == {
        "@odata.type": "#Microsoft.Azure.Search.PatternAnalyzer",
        "name": "p",
        "pattern": "x",
        "lowercase": True,
    }


def test_containers_stay_in_their_folder(tmp_path):
    assert container_folder("LocalFolder=/a/b;X=1", "c", tmp_path) == tmp_path.__class__("/a/b/c")
    assert container_folder("AccountName=x;AccountKey=eA==", "c", tmp_path) == tmp_path / "c"
    for name in ("", "..", "a/b", "..\\x"):
        with pytest.raises(ServiceFault):
            container_folder("LocalFolder=/a", name, tmp_path)


def call(**headers: str) -> Call:
    return Call("PUT", "", {}, {}, {name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("headers", "etag", "passes"),
    [
        ({}, None, True),
        ({"if_match": '"1"'}, '"1"', True),
        ({"if_match": '"0", W/"1"'}, '"1"', True),
        ({"if_match": "1"}, '"1"', True),
        ({"if_match": '"2"'}, '"1"', False),
        ({"if_match": "*"}, None, False),
        ({"if_match": "*"}, "", True),
        ({"if_match": '"1"'}, "", False),
        ({"if_none_match": "*"}, None, True),
        ({"if_none_match": "*"}, '"1"', False),
        ({"if_none_match": '"2"'}, '"1"', True),
    ],
)
def test_preconditions(headers: dict[str, str], etag: str | None, passes: bool):
    if passes:
        call(**headers).check_preconditions(etag)
        return
    with pytest.raises(ServiceFault) as fault:
        call(**headers).check_preconditions(etag)
    assert fault.value.status == 412


@pytest.mark.parametrize("body", [b'{"a": NaN}', b'{"a": "\\ud800"}', b"[" * 100_000, b"", b'"text"'])
def test_bodies_that_are_no_json_object(body: bytes):
    with pytest.raises(ServiceFault) as fault:
        Call("POST", "", {}, {}, {}, body=body).json()
    assert fault.value.status == 400


def test_pairs_of_surrogates_are_text():
    assert Call("POST", "", {}, {}, {}, body=b'{"a": "\\ud83d\\ude00"}').json() == {"a": "\U0001f600"}
