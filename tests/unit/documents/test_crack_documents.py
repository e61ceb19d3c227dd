"""Blobs to text and metadata."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from azsearch_ops.documents.crack import content_type, crack, crack_as_text
from azsearch_ops.documents.cracked import CrackError

NASA = Path(__file__).parents[4] / "shared" / "data" / "azure-samples" / "nasa-earth" / "pdf-10"


def make_pdf(*pages: str, title: str = "", author: str = "", language: str = "") -> bytes:
    """A PDF written by hand: one text line a line of each page."""
    objects = [
        f"<</Type/Catalog/Pages 2 0 R{f'/Lang({language})' if language else ''}>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(f'{5 + 2 * index} 0 R' for index in range(len(pages)))}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Title({title})/Author({author})/CreationDate(D:20000101000000Z)>>",
    ]
    for index, page in enumerate(pages):
        shown = " T* ".join(f"({line}) Tj" for line in page.splitlines())
        stream = f"BT /F1 12 Tf 16 TL 72 700 Td {shown} ET"
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {6 + 2 * index} 0 R>>"
        )
        objects.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
    data = "%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    count = len(objects) + 1
    trailer = f"trailer<</Size {count}/Root 1 0 R/Info 4 0 R>>\nstartxref\n{len(data)}\n%%EOF\n"
    return f"{data}xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}".encode("latin-1")


def encrypted(data: bytes, password: str, algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(password, "owner", algorithm=algorithm)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


@pytest.mark.parametrize("name", ["a.md", "a.MARKDOWN", "b/a.txt", "noextension"])
def test_markdown_and_text_stand_as_they_are(name: str) -> None:
    text = "# Title\r\n\r\n| a | b |\n\n  *text*  \n"
    cracked = crack(name, text.encode())
    assert cracked.text == text
    assert cracked.metadata == {"metadata_content_type": "text/plain", "metadata_content_encoding": "UTF-8"}


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("perché 😀".encode(), "perché 😀", "UTF-8"),
        ("\ufeffperché".encode(), "perché", "UTF-8"),
        ("\ufeffperché 😀".encode("utf-16-le"), "perché 😀", "UTF-16LE"),
        ("\ufeffperché".encode("utf-16-be"), "perché", "UTF-16BE"),
        ("\ufeffperché".encode("utf-32-le"), "perché", "UTF-32"),
        ("perché – €".encode("cp1252"), "perché – €", "windows-1252"),
        (b"odd \x81 byte \xe9", "odd \ufffd byte é", "windows-1252"),
        (b"", "", "UTF-8"),
    ],
)
def test_encodings(data: bytes, text: str, encoding: str) -> None:
    cracked = crack("a.txt", data)
    assert (cracked.text, cracked.metadata["metadata_content_encoding"]) == (text, encoding)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(CrackError, match="octet-stream") as caught:
        crack("a.txt", b"PK\x03\x04\x00\x00")
    assert caught.value.crack_code == "unsupported"
    with pytest.raises(CrackError, match="UTF-16LE") as caught:
        crack("a.txt", b"\xff\xfea")
    assert caught.value.crack_code == "corrupt"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.png", "image/png"), ("a.docx", "wordprocessingml"), ("a.csv", "text/csv"), ("a.bin", "octet-stream")],
)
def test_other_types_are_refused_with_azures_words(name: str, kind: str) -> None:
    with pytest.raises(CrackError, match="Document has unsupported content type '") as caught:
        crack(name, b"anything")
    assert caught.value.crack_code == "unsupported"
    assert kind in caught.value.message
    assert content_type(name) in caught.value.message


def test_any_blob_can_be_read_as_text() -> None:
    assert crack_as_text(b"<p>raw</p>").text == "<p>raw</p>"


HTML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html><html lang="it"><head><title> A
 title </title><meta name="Description" content="What it is"><meta name="keywords" content="a, b">
<style>p { color: red }</style><script>var x = "<p>no</p>";</script></head>
<body><!-- hidden --><h1>Head&nbsp;line</h1>
<p>Some <b>bold</b>text &amp; more<br>next
line</p><ul><li>one</li><li>two <i>words</i></li></ul>
<table><tr><th>Code<th>Name</tr><tr><td>AX-1</td><td></td><td><p>Pump</p></td></tr></table>
<pre>  if x:
    y</pre><div hidden>secret</div><noscript>off</noscript>end</body></html>"""


def test_html_gives_the_visible_text_block_by_block() -> None:
    cracked = crack("a.html", HTML.encode())
    assert cracked.text == (
        "Head\u00a0line\n\nSome boldtext & more\nnext line\n\none\ntwo words\n\n"
        "Code | Name\nAX-1 | | Pump\n\n  if x:\n    y\n\nend"
    )
    assert cracked.metadata == {
        "metadata_content_type": "text/html",
        "metadata_content_encoding": "UTF-8",
        "metadata_title": "A title",
        "metadata_language": "it",
        "metadata_description": "What it is",
        "metadata_keywords": "a, b",
    }


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("just text &lt;3", "just text <3"),
        ("https://example.org/page", "https://example.org/page"),
        ("<p>a<p>b", "a\n\nb"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("<b>a</b><i>b</i> <u>c</u>", "ab c"),
        ("<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>", "a\n\nb"),
        ("<div>" * 5000 + "deep", "deep"),
        ("", ""),
        ("<html></html>", ""),
        ("<td>stray</td>", "stray"),
        ("<?xml version='1.0'?><feed><entry>x</entry></feed>", "x"),
    ],
)
def test_odd_markup(markup: str, text: str) -> None:
    assert crack("a.htm", markup.encode()).text == text


def test_html_in_the_encoding_that_it_declares() -> None:
    markup = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15"><p>10 € perché</p>'
    cracked = crack("a.html", markup.encode("iso-8859-15"))
    assert cracked.text == "10 € perché"
    wrong = '<meta charset="utf-8"><p>perché</p>'.encode("cp1252")
    assert crack("a.html", wrong).text == "perché"
    unknown = '<meta charset="klingon"><p>perché</p>'.encode()
    assert crack("a.html", unknown).text == "perché"


def test_pdf_pages_and_metadata() -> None:
    data = make_pdf("First page\nsecond line", "Last page", title="Manual", author="R. Rossi", language="it")
    cracked = crack("a.pdf", data)
    assert cracked.text == "First page\nsecond line\nLast page"
    assert cracked.metadata["metadata_content_type"] == "application/pdf"
    assert cracked.metadata["metadata_title"] == "Manual"
    assert cracked.metadata["metadata_author"] == "R. Rossi"
    assert cracked.metadata["metadata_language"] == "it"
    assert str(cracked.metadata["metadata_creation_date"]).startswith("2000-01-01T00:00:00")
    assert crack("noextension", data).text == cracked.text


def test_a_pdf_without_text_says_so() -> None:
    cracked = crack("scan.pdf", make_pdf(""))
    assert cracked.text.strip() == ""
    assert cracked.warnings == ("The PDF has no text layer.",)


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_an_encrypted_pdf_is_named_so(algorithm: str) -> None:
    with pytest.raises(CrackError, match="encrypted or password protected") as caught:
        crack("a.pdf", encrypted(make_pdf("secret"), "password", algorithm))
    assert caught.value.crack_code == "encrypted"
    assert crack("a.pdf", encrypted(make_pdf("readable"), "", algorithm)).text == "readable"


@pytest.mark.parametrize("length", [0, 1, 9, 200, 600, -1])
def test_a_damaged_pdf_is_named_so(length: int) -> None:
    data = make_pdf("some text")
    data = data[: len(data) // 2] if length < 0 else data[:length]
    with pytest.raises(CrackError, match="the PDF is damaged") as caught:
        crack("a.pdf", data)
    assert caught.value.crack_code == "corrupt"


def test_noise_in_place_of_a_pdf() -> None:
    noise = bytes(range(256)) * 40
    for data in (
        noise,
        b"%PDF-1.7\n" + noise,
        b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\nstartxref\n5\n%%EOF",
        b"<html>",
    ):
        with pytest.raises(CrackError):
            crack("a.pdf", data)


def test_every_cut_of_a_pdf_gives_text_or_a_crack_error() -> None:
    data = make_pdf("alpha beta", "gamma")
    for position in range(0, len(data), 37):
        broken = data[:position] + b"\x00" * 20 + data[position + 20 :]
        try:
            crack("a.pdf", broken)
        except CrackError as error:
            assert error.message.startswith("Document could not be processed")


def test_nothing_is_printed_about_odd_pdfs(capfd: pytest.CaptureFixture[str]) -> None:
    data = make_pdf("some text").replace(b"startxref", b"startxref\n9", 1)
    try:
        crack("a.pdf", data)
    except CrackError as error:
        assert error.crack_code == "corrupt"
    out, err = capfd.readouterr()
    assert out == err == ""
    assert logging.getLogger("pypdf").propagate is False


@pytest.mark.skipif(not NASA.is_dir(), reason="the sample PDFs lie outside of the repository")
def test_real_pdfs() -> None:
    for path in NASA.glob("*.pdf"):
        cracked = crack(path.name, path.read_bytes())
        assert len(cracked.text.split()) > 50, path.name
