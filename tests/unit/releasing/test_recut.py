"""P21: another page length must show in the number of chunks, or the candidate was cut as live was."""

import pytest

from azsearch_ops.releasing.recut import Recut, check_recut

READ = {"a.md": (3, 7), "deep/b.md": (2, 5), "short.md": (1, 1)}


def chunked(**counts):
    names = {"a": "https://x/docs/a.md", "b": "https://x/docs/deep/b.md", "short": "short.md"}
    return [names[name] for name, count in counts.items() for _ in range(count)]


def test_as_many_chunks_as_before_in_every_document_are_old_settings():
    checks, problems = check_recut(Recut(READ, 6, 15), chunked(a=3, b=2, short=1), 3, 6)
    assert checks == ()
    assert [p.code for p in problems] == ["chunk-count"]
    assert problems[0].message == (
        "a.md has 3 chunks as before, where these settings make 7: the candidate was built with old settings"
    )


@pytest.mark.parametrize("counts", [{"a": 7, "b": 5, "short": 1}, {"a": 6, "b": 2, "short": 1}])
def test_a_number_that_changed_is_enough(counts):
    """The service's own splitter may differ from ours by a chunk; old settings differ by none from old counts."""
    checks, problems = check_recut(Recut(READ, 6, 15), chunked(**counts), 3, sum(counts.values()))
    assert problems == [] and [(c.name, c.state) for c in checks] == [("chunk count", "checked")]


def test_a_change_that_moves_no_number_is_none_of_its_business():
    checks, problems = check_recut(Recut({"short.md": (1, 1)}, 1, 1), ["short.md"], 1, 1)
    assert problems == [] and checks[0].detail == "these settings make as many chunks of each document as live's"
    assert check_recut(None, ["short.md"], 1, 1) == ((), [])


@pytest.mark.parametrize(
    ("live", "expected", "documents", "chunks", "found"),
    [
        (1000, 2500, 100, 1000, "problem"),
        (1000, 2500, 100, 2430, "checked"),
        (1000, 1100, 100, 1000, "not checkable here"),  # Too small a change to tell
        (1000, 2500, 900, 1000, "not checkable here"),  # Most documents are one chunk under any settings
        (1000, None, 100, 1000, "not checkable here"),
    ],
)
def test_where_documents_cannot_be_read_live_tells_what_is_plain(live, expected, documents, chunks, found):
    checks, problems = check_recut(Recut({}, live, expected), [], documents, chunks)
    assert found == ("problem" if problems else checks[0].state)
    assert not problems or "1000 chunks as live has, where these settings make about 2500" in problems[0].message
