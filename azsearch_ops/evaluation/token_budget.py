"""How much of a text fits a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable

_STEP = 12
"""Characters by which a guess at the end of a budget is usually wrong."""


def beginning_within(text: str, budget: int, tokens: int, count: Callable[[str], int]) -> str:
    """A beginning of `text` (which has `tokens` tokens) that costs at most `budget` tokens, and would not if longer.

    A tokenizer can give a longer text fewer tokens, so there may be more than one; the same is found every time.
    """
    low, high, below, above = 0, len(text), 0, tokens
    while low < high:
        # Tokens are spread over a text so evenly that a straight line finds the place in a few steps.
        guess = low + (high - low) * (budget - below) // max(1, above - below)
        middle = min(max(guess, low + 1), high)
        counted = count(text[:middle])
        if counted <= budget:
            low, below = middle, counted
            step = min(high, middle + _STEP)
            if step < high and count(text[:step]) > budget:
                high, above = step - 1, budget + 1
        else:
            high, above = middle - 1, max(counted, budget + 1)
            step = max(low, middle - _STEP)
            if step > low and (counted := count(text[:step])) <= budget:
                low, below = step, counted
    return text[:low]
