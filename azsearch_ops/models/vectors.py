"""What every embedding model here takes and gives: text that has a UTF-8 form, and unit vectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


def encodable(text: str) -> str:
    """The text with lone surrogates, which have no UTF-8 form, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def normalised(vectors: Vectors) -> Vectors:
    """The same directions at unit length; zero vectors stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    return scaled


def pad(vectors: Vectors, dimensions: int) -> Vectors:
    """The vectors in `dimensions` dimensions.

    Wider: zeros are added, so that lengths and cosines stay. Narrower: the first ones are kept and brought to unit
    length again, as models with nested representations allow.
    """
    width = vectors.shape[1]
    if dimensions == width:
        return vectors
    if dimensions < width:
        return normalised(vectors[:, :dimensions])
    return np.pad(vectors, ((0, 0), (0, dimensions - width)))
