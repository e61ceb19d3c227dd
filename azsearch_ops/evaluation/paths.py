"""Which judged document a chunk comes from, whatever form the index keeps the document's address in."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit


class DocumentPaths:
    """Resolves addresses to the documents that judgements name.

    An address is a path or a URL, percent-encoded or not. A blob URL of Azure's
    (`https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH`) says where the container ends and has to agree
    exactly; of any other address the end has to agree, at a `/`, and the longest judged path wins.
    """

    def __init__(self, judged: Iterable[str]) -> None:
        self._judged = {_clean(path): path for path in judged}
        self._known: dict[str, str | None] = {}

    def resolve(self, address: str) -> str | None:
        """The judged document, spelled as in its judgement, or None where nobody judged it."""
        if address not in self._known:
            self._known[address] = self._find(address)
        return self._known[address]

    def key(self, document: str) -> str:
        """The spelling under which `resolve` returns `document`."""
        return self._judged[_clean(document)]

    def _find(self, address: str) -> str | None:
        if "://" in address:
            url = urlsplit(address)
            path = _clean(unquote(url.path))
            if ".blob." in url.netloc or ".dfs." in url.netloc:
                return self._judged.get(path.partition("/")[2])
            return self._by_suffix(path)
        return self._by_suffix(_clean(address)) or self._by_suffix(_clean(unquote(address)))

    def _by_suffix(self, path: str) -> str | None:
        while path:
            if path in self._judged:
                return self._judged[path]
            path = path.partition("/")[2]
        return None


def below_container(address: str) -> str:
    """`address` as people know the document: the path below the container of a blob URL, else as it is."""
    url = urlsplit(address) if "://" in address else None
    if url is not None and (".blob." in url.netloc or ".dfs." in url.netloc):
        return _clean(unquote(url.path)).partition("/")[2] or address
    return address


def _clean(path: str) -> str:
    """One spelling of a path: composed characters, forward slashes, no empty segment and no `.`."""
    segments = unicodedata.normalize("NFC", path).replace("\\", "/").split("/")
    return "/".join(segment for segment in segments if segment not in ("", "."))
