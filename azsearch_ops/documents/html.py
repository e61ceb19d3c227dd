"""HTML to the text that a reader sees: blocks on lines of their own, table rows on one line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from bs4 import BeautifulSoup
from bs4.element import CData, NavigableString, PageElement, Tag

from azsearch_ops.documents.cracked import Cracked
from azsearch_ops.documents.plain import decode

_UNSEEN = frozenset(
    {"head", "script", "style", "template", "noscript", "svg", "math", "object", "iframe", "select", "title"}
)
_PARAGRAPHS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "figure", "hr", "form"}
)
_LINES = frozenset(
    {
        "address", "article", "aside", "body", "br", "caption", "dd", "details", "div", "dt", "fieldset", "figcaption",
        "footer", "header", "legend", "li", "main", "nav", "option", "section", "summary", "tbody", "tfoot", "thead",
        "tr",
    }
)  # fmt: skip
_CELLS = frozenset({"td", "th"})
_CELL = "|"
_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_PROLOG = re.compile(r"\A\s*<\?xml[^>]*>")
_BLANKS = re.compile(r"[ \t\r\n\f]+")


def crack_html(data: bytes) -> Cracked:
    """The visible text, and title, description, keywords and language as metadata. Raises CrackError."""
    declared = _DECLARED.search(data[:4096])
    markup, encoding = decode(data, declared.group(1).decode("ascii") if declared else None)
    metadata: dict[str, object] = {"metadata_content_type": "text/html", "metadata_content_encoding": encoding}
    if "<" not in markup:
        return Cracked(unescape(markup).strip(), metadata)
    # An XML prolog makes the parser warn that another one would fit better; this one reads XHTML as browsers do.
    soup = BeautifulSoup(_PROLOG.sub("", markup), "html.parser")
    metadata.update(_properties(soup))
    return Cracked(_text(soup), metadata)


def _properties(soup: BeautifulSoup) -> Iterator[tuple[str, str]]:
    if soup.title is not None and (title := _BLANKS.sub(" ", soup.title.get_text()).strip()):
        yield "metadata_title", title
    root = soup.find("html")
    if isinstance(root, Tag) and (language := str(root.get("lang") or root.get("xml:lang") or "").strip()):
        yield "metadata_language", language
    for tag in soup.find_all("meta"):
        name = str(tag.get("name") or "").lower()
        if name in ("description", "keywords") and (content := str(tag.get("content") or "").strip()):
            yield f"metadata_{name}", content


def _text(soup: BeautifulSoup) -> str:
    """Walks with a stack of its own: pages nest deeper than Python calls may."""
    page = _Page()
    cells = inside_cells = 0
    stack: list[tuple[Tag, Iterator[PageElement]]] = [(soup, iter(soup.children))]
    preformatted = 0
    while stack:
        tag, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            preformatted -= tag.name == "pre"
            inside_cells -= tag.name in _CELLS
            _end_block(page, tag, inside_cells > 0)
        elif isinstance(child, Tag):
            if child.name in _UNSEEN or child.has_attr("hidden"):
                continue
            _end_block(page, child, inside_cells > 0)
            if child.name == "tr":
                cells = 0
            elif child.name in _CELLS:
                # Counted instead of looked up: cells that nobody closed are parsed as one inside the other.
                if cells:
                    page.separate()
                    page.write(_CELL)
                    page.separate()
                cells += 1
                inside_cells += 1
            preformatted += child.name == "pre"
            stack.append((child, iter(child.children)))
        elif isinstance(child, NavigableString) and type(child) in (NavigableString, CData):
            if preformatted:
                page.write(child.replace("\r\n", "\n"))
            else:
                page.write_flowing(child)
    return page.text()


def _end_block(page: _Page, tag: Tag, inside_cell: bool) -> None:
    """At both ends of a tag: ends the line when the tag is a block. A table row stays on one line."""
    lines = 2 if tag.name in _PARAGRAPHS else int(tag.name in _LINES)
    if not lines:
        return
    if inside_cell and tag.name not in ("tr", "table"):
        page.separate()
    else:
        page.end_lines(lines)


class _Page:
    """Text under construction: blanks and line ends are written only between words."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line_ends = 0
        self._blank = False

    def end_lines(self, count: int) -> None:
        """At least `count` line ends before the next word."""
        self._line_ends = max(self._line_ends, count)

    def separate(self) -> None:
        """A blank before the next word."""
        self._blank = True

    def write(self, text: str) -> None:
        """The text as it stands."""
        if not text:
            return
        if self._parts:
            if self._line_ends:
                self._parts.append("\n" * self._line_ends)
            elif self._blank:
                self._parts.append(" ")
        self._line_ends = 0
        self._blank = False
        self._parts.append(text)

    def write_flowing(self, text: str) -> None:
        """The words of the text with one blank between them."""
        words = _BLANKS.sub(" ", text)
        inner = words.strip(" ")
        if words.startswith(" "):
            self._blank = True
        if inner:
            self.write(inner)
            self._blank = words.endswith(" ")

    def text(self) -> str:
        lines = [line.rstrip() for line in "".join(self._parts).split("\n")]
        return "\n".join(lines).strip("\n")
