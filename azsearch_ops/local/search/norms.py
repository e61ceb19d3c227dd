"""Field lengths as the service knows them: through one byte, in the way of Lucene 6.

A length is kept as SmallFloat.floatToByte315(1/sqrt(length)): three bits of mantissa, five of exponent. So lengths 3
and 4 are the same, 8 to 10 are, and so on; today's Lucene keeps short lengths exactly, the service does not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ZERO = (63 - 15) << 3


def quantised(lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    """What remains of true lengths (tokens, at least 1) after the byte; 0 stays 0."""
    inverse = (1.0 / np.sqrt(np.maximum(lengths, 1).astype(np.float64)).astype(np.float32)).astype(np.float32)
    # 1/sqrt(length) is in (0, 1]: far below the byte's upper end, and its lower end is beyond any length
    byte = np.maximum((inverse.view(np.int32) >> 21) - _ZERO, 1)
    decoded = ((byte << 21) + (_ZERO << 21)).astype(np.int32).view(np.float32)
    return np.where(lengths > 0, np.float32(1) / (decoded * decoded), np.float32(0)).astype(np.float32)
